//! The formats of strings that are understood.

use super::evaluate::Verdict;

/// Whether a text has a format; unknown for one that is not understood, and for texts on which validators differ.
pub(super) fn accepts(name: &str, text: &str) -> Verdict {
    let is = match name {
        "date" => is_date(text),
        "date-time" => text.split_once(['T', 't']).is_some_and(|(date, time)| is_date(date) && is_time(time)),
        "time" => is_time(text),
        "uuid" => is_uuid(text),
        "ipv4" => text.parse::<core::net::Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<core::net::Ipv6Addr>().is_ok(),
        "email" => return sure(is_email(text), !text.contains('@')),
        "uri" | "url" => return sure(is_url(text), !text.contains(':') || text.contains(' ')),
        _ => return Verdict::Unknown,
    };
    if is { Verdict::Accepts } else { Verdict::Refuses }
}

/// A text of which it is clear that it has the format, or that it has not.
fn sure(has: bool, has_not: bool) -> Verdict {
    match (has, has_not) {
        (true, _) => Verdict::Accepts,
        (_, true) => Verdict::Refuses,
        _ => Verdict::Unknown,
    }
}

/// A text of a format, to be an example.
pub(super) fn example(name: &str) -> Option<&'static str> {
    Some(match name {
        "date" => "2026-01-01",
        "date-time" => "2026-01-01T00:00:00Z",
        "time" => "00:00:00Z",
        "uuid" => "00000000-0000-4000-8000-000000000000",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "email" => "a@example.com",
        "uri" | "url" => "https://example.com/",
        _ => return None,
    })
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && crate::lock::check_time(&format!("{text}T00:00:00Z")).is_ok()
}

fn is_time(text: &str) -> bool {
    let zone = text.rfind(['Z', 'z', '+', '-']);
    let Some((time, zone)) = zone.and_then(|at| text.split_at_checked(at)) else { return false };
    let is_zone = matches!(zone, "Z" | "z")
        || (zone.len() == 6
            && crate::lock::check_time(&format!("2026-01-01T{}:00Z", zone.get(1..).unwrap_or_default())).is_ok());
    is_zone && !time.contains(":60") && crate::lock::check_time(&format!("2026-01-01T{time}Z")).is_ok()
}

fn is_uuid(text: &str) -> bool {
    let lengths = [8, 4, 4, 4, 12];
    let parts: Vec<&str> = text.split('-').collect();
    parts.len() == lengths.len()
        && parts
            .iter()
            .zip(lengths)
            .all(|(part, length)| part.len() == length && part.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

fn is_host(text: &str) -> bool {
    text.split('.').count() > 1 && text.split('.').all(is_plain)
}

fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| is_plain(user) && is_host(host))
}

fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        is_host(rest.split('/').next().unwrap_or_default())
            && rest.split('/').skip(1).all(|part| part.is_empty() || is_plain(part))
    })
}
