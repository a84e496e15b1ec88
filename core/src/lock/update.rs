//! Writing a lockfile: a new one, or the same one with some servers pinned again.

use crate::digest::Digest;
use crate::error::{Code, Error};
use crate::surface::{PinnedSurface, PinnedTool};
use crate::text::limits::MAX_DOCUMENT_BYTES;
use crate::text::sort::sort_by;
use crate::text::strings;
use crate::text::value::{self, Data, Object, Value};

use super::model::Lockfile;
use super::server::{Server, check_names};
use super::{GENERATED_BY, LOCKFILE_VERSION, check_time};

/// The text of a lockfile that pins these servers. One that could not be reached has no entry.
///
/// # Errors
/// `duplicate-server`; `invalid-argument` if `now` is no ISO 8601 time in UTC.
pub fn build_lockfile(servers: &[Server], now: &str) -> Result<String, Error> {
    check_time(now)?;
    check_names(servers)?;
    let mut root = Object::default();
    root.set("servers", Object::default());
    pin_all(&mut root, servers);
    stamp(&mut root, now);
    write(root)
}

/// The text of a lockfile in which these servers are pinned as they are now.
///
/// Other entries stay as they are, unless `whole_set` says that these servers are all there are: then
/// the others go. A server that could not be reached keeps its entry. What this version does not know
/// survives at every level. If nothing changes, the text comes back as it is, to the byte.
///
/// # Errors
/// Those of [`super::parse_lockfile`] and [`build_lockfile`].
pub fn update_lockfile(text: &[u8], servers: &[Server], now: &str, whole_set: bool) -> Result<String, Error> {
    check_time(now)?;
    check_names(servers)?;
    let before = Lockfile::parse(text)?.into_root();
    let mut after = before.clone();
    if whole_set {
        let names = value::sorted(servers.iter().map(|server| server.name.as_str()));
        let is_named = |name: &str| names.binary_search_by(|other| strings::compare_utf16(other, name)).is_ok();
        after.edit("servers", |entries| entries.retain(is_named));
    }
    pin_all(&mut after, servers);
    if after == before {
        return Ok(String::from_utf8_lossy(text).into_owned());
    }
    stamp(&mut after, now);
    write(after)
}

/// The text of a lockfile; one that no reader would take is not written.
fn write(root: Object) -> Result<String, Error> {
    let text = Value::from(root).to_pretty();
    if text.len() > MAX_DOCUMENT_BYTES {
        return Err(Error::new(Code::DocumentTooLarge, "the lockfile would be larger than 64 MiB")
            .with_help("lock fewer servers in one file"));
    }
    Ok(text)
}

fn stamp(root: &mut Object, now: &str) {
    root.set("lockfileVersion", Data::Number(LOCKFILE_VERSION.to_string()));
    root.set("generatedAt", now);
    // A file is ours once all of its entries are.
    let entries = root.get("servers").and_then(Value::as_object);
    let is_ours = |(_, entry): (&str, &Value)| entry.as_object().is_some_and(|entry| entry.get("gatewright").is_some());
    if entries.is_none_or(|entries| entries.iter().all(is_ours)) {
        root.set("generatedBy", GENERATED_BY);
    }
    root.set("agentgateVersion", crate::VERSION);
}

fn pin_all(root: &mut Object, servers: &[Server]) {
    // In the order of their names, so that each entry is appended.
    let mut servers: Vec<&Server> = servers.iter().collect();
    sort_by(&mut servers, |a, b| strings::compare_utf16(&a.name, &b.name));
    root.edit("servers", |entries| {
        for server in servers {
            if let Some(surface) = &server.surface {
                entries.edit(&server.name, |entry| pin(entry, server, surface));
            }
        }
    });
}

fn pin(entry: &mut Object, server: &Server, surface: &PinnedSurface) {
    let before = what_a_text_tells(entry);
    pin_surface(entry, server, surface);
    let is_other = what_a_text_tells(entry) != before;
    entry.edit("gatewright", |beyond| match server.text_hash {
        Some(hash) => set_digest(beyond, "textHash", hash),
        // A text that was kept of another surface explains nothing.
        None if is_other => drop(beyond.remove("textHash")),
        None => {}
    });
}

/// The members of an entry that a kept text stands behind.
fn what_a_text_tells(entry: &Object) -> [Option<Value>; 3] {
    let beyond = entry.get("gatewright").and_then(Value::as_object);
    let of_beyond = |key: &str| beyond.and_then(|beyond| beyond.get(key)).cloned();
    [entry.get("toolSurfaceHash").cloned(), of_beyond("tools"), of_beyond("instructionsHash")]
}

fn pin_surface(entry: &mut Object, server: &Server, surface: &PinnedSurface) {
    pin_origin(entry, server);
    set_digest(entry, "toolSurfaceHash", surface.hash());
    entry.edit("tools", |tools| {
        pin_tools(tools, surface, |tool, pinned| {
            let hashes = pinned.hashes;
            set_digest(tool, "hash", hashes.hash);
            set_digest(tool, "nameHash", hashes.name_hash);
            set_digest(tool, "descriptionHash", hashes.description_hash);
            set_digest(tool, "inputSchemaHash", hashes.input_schema_hash);
        });
    });
    entry.edit("gatewright", |beyond| {
        if let Some(endpoint) = &server.endpoint {
            set_digest(beyond, "endpointHash", endpoint.hash());
        }
        set_digest(beyond, "instructionsHash", surface.instructions_hash);
        beyond.edit("tools", |tools| {
            pin_tools(tools, surface, |tool, pinned| {
                if let Some(hashes) = pinned.beyond.as_deref() {
                    set_digest(tool, "annotationsHash", hashes.annotations_hash);
                    set_digest(tool, "extrasHash", hashes.extras_hash);
                }
            });
        });
    });
}

/// Pins where a server comes from. Of one whose endpoint is not known, an entry keeps what it says.
fn pin_origin(entry: &mut Object, server: &Server) {
    if server.endpoint.is_none() && entry.get("source").is_some() && entry.get("transport").is_some() {
        return;
    }
    entry.edit("source", |source| {
        for (key, text) in server.source().members() {
            match text {
                Some(text) => source.set(key, text),
                None => {
                    source.remove(key);
                }
            }
        }
    });
    entry.set("transport", server.transport().as_str());
}

/// Makes an object's keys those of the surface's tools, and sets what is pinned of each.
///
/// Tools come in the order of the keys, so that each is appended or found where it is looked for.
fn pin_tools(tools: &mut Object, surface: &PinnedSurface, set: impl Fn(&mut Object, &PinnedTool)) {
    tools.retain(|name| surface.tool(name).is_some());
    for pinned in &surface.tools {
        tools.edit(&pinned.name, |tool| set(tool, pinned));
    }
}

fn set_digest(object: &mut Object, key: &str, digest: Digest) {
    object.set(key, digest.to_string());
}
