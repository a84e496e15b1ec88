//! Writing a snapshot.

use std::collections::BTreeMap;

use super::SNAPSHOT_VERSION;
use super::read::{PinnedEndpoint, Snapshot};
use super::unstable::{self, Unstable};
use crate::digest::Digest;
use crate::error::{Code, Error};
use crate::lock::check_time;
use crate::source::Endpoint;
use crate::surface::{Surface, Tool, content_of};
use crate::text::indent::indented;
use crate::text::limits::MAX_DOCUMENT_BYTES;
use crate::text::strings;
use crate::text::value::Value;

/// The text of a snapshot that pins a server as it is now.
///
/// `id` names the server. `previous` is its earlier snapshot, from which tools that it knows keep the time at
/// which they were first seen. Credentials in the endpoint are left out.
///
/// # Errors
/// `invalid-argument` if `now` is no ISO 8601 time in UTC; those of [`super::check_snapshot`] for `previous`.
///
/// ```
/// let surface = gatewright::Surface::parse(br#"[{"name":"ping","description":"Says pong."}]"#)?;
/// let text = gatewright::build_snapshot("demo", &surface, None, "2026-11-30T12:00:00Z", None)?;
/// assert!(text.contains(r#""first_seen": "2026-11-30T12:00:00Z""#));
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn build_snapshot(
    id: &str,
    surface: &Surface,
    endpoint: Option<&Endpoint>,
    now: &str,
    previous: Option<&[u8]>,
) -> Result<String, Error> {
    let previous = previous.map(Snapshot::parse).transpose().map_err(|error| error.within("the previous snapshot"))?;
    write(id, &Observed { surface, unstable: &[], starts: 1 }, endpoint, now, previous.as_ref())
}

/// The text of a snapshot of a server that was started several times: what the starts do not agree on is kept
/// as unstable.
#[cfg(feature = "cli")]
pub(crate) fn build_from_starts(
    id: &str,
    starts: &[Surface],
    endpoint: Option<&Endpoint>,
    now: &str,
    previous: Option<&Snapshot>,
) -> Result<String, Error> {
    let (merged, unstable) = unstable::observe(starts)?;
    let Some(surface) = merged.as_ref().or(starts.first()) else {
        return Err(Error::new(Code::InternalError, "a snapshot of no start was asked for"));
    };
    write(id, &Observed { surface, unstable: &unstable, starts: starts.len() }, endpoint, now, previous)
}

/// What one or several starts of a server showed.
struct Observed<'a> {
    surface: &'a Surface,
    unstable: &'a [Unstable],
    starts: usize,
}

fn write(
    id: &str,
    observed: &Observed<'_>,
    endpoint: Option<&Endpoint>,
    now: &str,
    previous: Option<&Snapshot>,
) -> Result<String, Error> {
    check_time(now)?;
    let surface = observed.surface;
    let created_at = previous.and_then(|previous| previous.created_at.as_deref()).unwrap_or(now);
    let text = |text: &str| Value::from(text).to_compact();
    let or_null = |json: &Option<Vec<u8>>| {
        json.as_ref().map_or("null".to_owned(), |json| String::from_utf8_lossy(json).into_owned())
    };
    let endpoint = endpoint.map(endpoint_members);
    let of_endpoint = |member: fn(&PinnedEndpoint) -> &Value| {
        endpoint.as_ref().map_or_else(|| "null".to_owned(), |endpoint| member(endpoint).to_compact())
    };
    // In order of the keys.
    let members = [
        ("connection", of_endpoint(|endpoint| &endpoint.connection)),
        ("created_at", text(created_at)),
        ("endpoint_hash", of_endpoint(|endpoint| &endpoint.hash)),
        ("generated_by", text(GENERATED_BY)),
        ("instructions", or_null(&surface.instructions)),
        ("server_id", text(id)),
        ("server_info", or_null(&surface.server_info)),
        ("snapshot_version", SNAPSHOT_VERSION.to_string()),
        ("source", of_endpoint(|endpoint| &endpoint.source)),
        ("starts", observed.starts.to_string()),
        ("tools", records(surface, now, previous.map(|previous| &previous.first_seen))),
        ("transport", of_endpoint(|endpoint| &endpoint.transport)),
        ("unstable", unstable::to_json(observed.unstable)),
        ("updated_at", text(now)),
    ];
    let members: Vec<String> = members.iter().map(|(key, value)| format!("{}:{value}", text(key))).collect();
    let laid_out = indented(format!("{{{}}}", members.join(",")).as_bytes()).ok_or_else(|| {
        Error::new(Code::TooDeep, "a tool is nested too deep to be kept in a snapshot, which may have 128 containers")
    })?;
    if laid_out.len() > MAX_DOCUMENT_BYTES {
        return Err(Error::new(Code::DocumentTooLarge, "the snapshot would be larger than 64 MiB"));
    }
    String::from_utf8(laid_out).map_err(|_| Error::new(Code::InternalError, "a snapshot is not UTF-8"))
}

/// What a snapshot of ours says in `generated_by`.
pub(super) const GENERATED_BY: &str = "gatewright";

fn records(surface: &Surface, now: &str, first_seen: Option<&BTreeMap<String, String>>) -> String {
    let mut out = Vec::new();
    out.push(b'{');
    for (index, tool) in surface.tools().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        strings::write_text(tool.name, &mut out);
        let first_seen = first_seen.and_then(|times| times.get(tool.name)).map_or(now, String::as_str);
        record(&tool, first_seen, now, &mut out);
    }
    out.push(b'}');
    String::from_utf8(out).unwrap_or_default()
}

fn record(tool: &Tool<'_>, first_seen: &str, now: &str, out: &mut Vec<u8>) {
    let mut time = [Vec::new(), Vec::new()];
    for (text, out) in [first_seen, now].into_iter().zip(&mut time) {
        strings::write_text(text, out);
    }
    let quoted = |digest: Digest| format!("\"{digest}\"").into_bytes();
    let [annotations, content, description, extras, schema] = hashes(tool).map(quoted);
    let [first_seen, now] = &time;
    // In order of the keys.
    let members: [(&str, &[u8]); 11] = [
        ("annotations_hash", &annotations),
        ("content_hash", &content),
        ("description_hash", &description),
        ("extras_hash", &extras),
        ("first_seen", first_seen),
        ("last_verified", now),
        ("raw_annotations", tool.annotations),
        ("raw_description", tool.description),
        ("raw_extras", tool.extras),
        ("raw_schema", tool.input_schema),
        ("schema_hash", &schema),
    ];
    for (index, (key, value)) in members.into_iter().enumerate() {
        out.extend_from_slice(if index > 0 { b",\"" } else { b":{\"" });
        out.extend_from_slice(key.as_bytes());
        out.extend_from_slice(b"\":");
        out.extend_from_slice(value);
    }
    out.push(b'}');
}

/// The names of the hashes of a tool, in the order of [`hashes`].
pub(super) const HASHES: [&str; 5] =
    ["annotations_hash", "content_hash", "description_hash", "extras_hash", "schema_hash"];

/// The hashes of a tool: the specification's four, and one of what they leave out.
pub(super) fn hashes(tool: &Tool<'_>) -> [Digest; 5] {
    [
        Digest::of(tool.annotations),
        Digest::of(&content_of(tool.description, tool.input_schema)),
        Digest::of(tool.description),
        Digest::of(tool.extras),
        Digest::of(tool.input_schema),
    ]
}

/// What a snapshot keeps of an endpoint. Nothing of it is secret.
pub(super) fn endpoint_members(endpoint: &Endpoint) -> PinnedEndpoint {
    PinnedEndpoint {
        connection: endpoint.connection().into(),
        hash: Digest::of(endpoint.identity().as_bytes()).to_string().into(),
        source: endpoint.source().to_value(),
        transport: endpoint.transport().as_str().into(),
    }
}
