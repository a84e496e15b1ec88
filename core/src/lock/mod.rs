//! `agentgate.lock` v1: what a set of servers is pinned to, and whether they still are what was pinned.
//!
//! Every operation takes and gives the file's text, so that what this version does not know survives.

#[cfg(feature = "cli")]
mod classify;
mod model;
pub(crate) mod rules;
mod server;
mod update;
mod verify;

#[cfg(feature = "cli")]
pub(crate) use classify::{Classified, ServerChange, classify, text_hashes};
pub use server::Server;
pub(crate) use server::parse_servers;
#[cfg(feature = "cli")]
pub(crate) use server::twice;
pub use update::{build_lockfile, update_lockfile};
pub use verify::{Verification, verify_lockfile};

use crate::error::{Code, Error};
use crate::text::escape::quoted;
use model::Lockfile;

/// The newest `lockfileVersion` that this library understands.
pub const LOCKFILE_VERSION: u32 = 1;

/// What a lockfile of ours says in `generatedBy`.
const GENERATED_BY: &str = "gatewright";

/// The data of a lockfile, as JSON: checked, and otherwise as it stands in the file.
///
/// # Errors
/// Those of [`crate::canonicalize`], and `invalid-lockfile`, `unsupported-lockfile-version`,
/// `foreign-lockfile`.
///
/// ```
/// let data = gatewright::parse_lockfile(br#"{"lockfileVersion": 1, "servers": {}}"#)?;
/// assert_eq!(data, r#"{"lockfileVersion":1,"servers":{}}"#);
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn parse_lockfile(text: &[u8]) -> Result<String, Error> {
    Ok(Lockfile::parse(text)?.into_value().to_compact())
}

/// Checks a time that comes in as an argument: ISO 8601, in UTC, as in `2026-08-03T12:00:00Z`.
pub(crate) fn check_time(now: &str) -> Result<(), Error> {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let time = now.strip_suffix('Z').or_else(|| now.strip_suffix("+00:00"));
    let (whole, fraction) = time.map_or(("", None), |time| match time.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (time, None),
    });
    let number = |from: usize, to: usize| whole.get(from..to).and_then(|digits| digits.parse::<u32>().ok());
    let fits = whole.len() == SHAPE.len()
        && whole
            .bytes()
            .zip(SHAPE)
            .all(|(byte, shape)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == *shape })
        && fraction
            .is_none_or(|digits| !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|b| b.is_ascii_digit()))
        && [(5, 1, 12), (8, 1, 31), (11, 0, 23), (14, 0, 59), (17, 0, 60)]
            .iter()
            .all(|(at, least, most)| number(*at, at + 2).is_some_and(|number| (*least..=*most).contains(&number)))
        && number(5, 7).zip(number(8, 10)).is_some_and(|(month, day)| day <= days_of(month, number(0, 4).unwrap_or(0)));
    if fits {
        return Ok(());
    }
    Err(Error::new(Code::InvalidArgument, format!("`now` is {}, not an ISO 8601 time in UTC", quoted(now)))
        .with_help("give a time such as `2026-08-03T12:00:00Z`")
        .at("/now"))
}

const fn days_of(month: u32, year: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::check_time;

    #[test]
    fn times_are_iso_8601_in_utc() {
        for good in [
            "2024-02-29T12:00:00Z",
            "2026-08-03T12:00:00Z",
            "2026-08-03T12:00:00.123Z",
            "2026-12-31T23:59:60.000001+00:00",
        ] {
            assert!(check_time(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "now",
            "2026-08-03",
            "2026-08-03T12:00:00",
            "2026-08-03T12:00:00+02:00",
            "2026-13-03T12:00:00Z",
            "2026-02-29T12:00:00Z",
            "2026-04-31T12:00:00Z",
            "2026-08-03T24:00:00Z",
            "2026-08-03T12:00:00.Z",
            "2026-08-03 12:00:00Z",
            "２026-08-03T12:00:00Z",
        ] {
            assert!(check_time(bad).is_err(), "{bad}");
        }
    }
}
