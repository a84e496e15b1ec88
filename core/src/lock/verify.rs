//! Verification: is every server what was pinned, and if not, what moved?

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::digest::Digest;
use crate::error::Error;
use crate::finding::Finding;
use crate::rules::Rule;
use crate::source::Transport;
use crate::surface::{PinnedSurface, PinnedTool, surface_hash};
use crate::text::escape::quoted;
use crate::text::pointer::of_keys;
use crate::text::sort::sort_by;
use crate::text::{strings, value};

use super::model::{LockedServer, LockedTool, Lockfile};
use super::rules;
use super::server::{Server, check_names};

/// The answer of [`verify_lockfile`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verification {
    /// Whether nothing was found.
    pub verified: bool,
    /// What moved, in order of the servers' and tools' names. Pointers point into the lockfile.
    pub findings: Vec<Finding>,
}

/// Compares servers with what a lockfile pins.
///
/// A server without an entry is a finding. An entry without a server is one only if `whole_set` says
/// that these servers are all there are.
///
/// # Errors
/// Those of [`super::parse_lockfile`], and `duplicate-server`.
///
/// ```
/// use gatewright::{Server, build_lockfile, verify_lockfile};
/// let tool = |text: &str| format!(r#"[{{"name":"ping","description":"{text}","inputSchema":{{}}}}]"#);
/// let lockfile = build_lockfile(&[Server::new("p", tool("Says pong.").as_bytes())?], "2026-08-03T12:00:00Z")?;
/// let now = Server::new("p", tool("Says pong to anyone.").as_bytes())?;
/// let found = verify_lockfile(lockfile.as_bytes(), &[now], false)?;
/// assert!(!found.verified);
/// assert_eq!(found.findings[0].rule, "description-changed");
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn verify_lockfile(text: &[u8], servers: &[Server], whole_set: bool) -> Result<Verification, Error> {
    check_names(servers)?;
    let lockfile = Lockfile::parse(text)?;
    let mut found = Found::default();
    let mut sound = BTreeSet::new();
    for entry in &lockfile.servers {
        if check_entry(entry, lockfile.is_ours, &mut found) {
            sound.insert(entry.name.as_str());
        }
    }
    check_equal_hashes(&lockfile, &mut found);
    let mut live: Vec<&Server> = servers.iter().collect();
    sort_by(&mut live, |a, b| strings::compare_utf16(&a.name, &b.name));
    let find = |name: &str| live.binary_search_by(|server| strings::compare_utf16(&server.name, name)).ok();
    let locked = lockfile.servers.iter().map(|server| server.name.as_str()).filter(|_| whole_set);
    let mut names = value::sorted(live.iter().map(|server| server.name.as_str()).chain(locked));
    names.dedup();
    for name in names {
        let place = Place::of_server(name, &[]);
        match (lockfile.server(name), find(name).and_then(|place| live.get(place))) {
            (Some(locked), Some(now)) => check_server(locked, now, sound.contains(name), &mut found),
            (None, Some(now)) if now.surface.is_none() => {
                let message = format!("server {} could not be reached, and is not in the lockfile", quoted(name));
                found.push(&rules::SERVER_UNREACHABLE, place, message, None);
            }
            (None, Some(_)) => {
                let message = format!("server {} is not in the lockfile", quoted(name));
                found.push(&rules::SERVER_ADDED, place, message, None);
            }
            (Some(_), None) => {
                let message = format!("server {} is locked and no longer in use", quoted(name));
                found.push(&rules::SERVER_REMOVED, place, message, None);
            }
            (None, None) => {}
        }
    }
    Ok(Verification { verified: found.findings.is_empty(), findings: found.findings })
}

#[derive(Default)]
struct Found {
    findings: Vec<Finding>,
}

/// The evidence of what moved: a field's name, and its value before and after.
struct Moved(Map<String, Value>);

impl Moved {
    fn new(field: &str, before: Option<String>, after: Option<String>) -> Self {
        let members = [("field", Some(field.to_owned())), ("before", before), ("after", after)];
        let mut moved = Self(Map::new());
        for (key, text) in members {
            if let Some(text) = text {
                moved = moved.with(key, &text);
            }
        }
        moved
    }

    fn hashes(field: &str, before: Digest, after: Digest) -> Self {
        Self::new(field, Some(before.to_string()), Some(after.to_string()))
    }

    fn with(mut self, key: &str, text: &str) -> Self {
        self.0.insert(key.to_owned(), Value::String(text.to_owned()));
        self
    }
}

/// The place of a finding: a server's entry, perhaps one of its tools, and the members below the entry.
#[derive(Clone, Copy)]
struct Place<'a> {
    server: &'a str,
    tool: Option<&'a str>,
    path: &'a [&'a str],
}

impl<'a> Place<'a> {
    fn of_server(server: &'a str, path: &'a [&'a str]) -> Self {
        Self { server, tool: None, path }
    }

    fn of_tool(server: &'a str, tool: &'a str, path: &'a [&'a str]) -> Self {
        Self { server, tool: Some(tool), path }
    }
}

impl Found {
    fn push(&mut self, rule: &Rule, place: Place<'_>, message: String, moved: Option<Moved>) {
        self.findings.push(Finding {
            rule: rule.id,
            severity: rule.severity,
            server: Some(place.server.to_owned()),
            tool: place.tool.map(str::to_owned),
            pointer: of_keys(&[&["servers", place.server], place.path].concat()),
            message,
            help: Some(rule.help),
            evidence: moved.map(|Moved(evidence)| evidence).unwrap_or_default(),
        });
    }

    fn contradiction(&mut self, place: Place<'_>, message: &str, moved: Moved) {
        let whose = place.tool.map_or_else(String::new, |tool| format!(" of tool {}", quoted(tool)));
        let message = format!("the lockfile contradicts itself: {message}{whose} of server {}", quoted(place.server));
        self.push(&rules::LOCKFILE_CONTRADICTION, place, message, Some(moved));
    }
}

/// Equal hashes of two tools mean equal tools, so that their field hashes must be equal too.
fn check_equal_hashes(lockfile: &Lockfile, found: &mut Found) {
    let mut tools: Vec<(&LockedServer, &LockedTool)> =
        lockfile.servers.iter().flat_map(|server| server.tools.iter().map(move |tool| (server, tool))).collect();
    sort_by(&mut tools, |(_, a), (_, b)| a.hash.cmp(&b.hash));
    let fields = |tool: &LockedTool| (tool.name_hash, tool.description_hash, tool.input_schema_hash);
    for pair in tools.windows(2) {
        let [(_, a), (server, b)] = pair else { continue };
        if a.hash == b.hash && fields(a) != fields(b) {
            let path = ["tools", &b.name, "hash"];
            let message = "`hash` is also that of a tool with other field hashes:";
            let moved = Moved::new("hash", Some(b.hash.to_string()), None);
            found.contradiction(Place::of_tool(&server.name, &b.name, &path), message, moved);
        }
    }
}

/// Whether everything in a server's entry follows from the rest of it. `is_ours` says that this library
/// wrote the file, and so nothing of what it writes may be missing.
fn check_entry(locked: &LockedServer, is_ours: bool, found: &mut Found) -> bool {
    let before = found.findings.len();
    let name = locked.name.as_str();
    let follows = surface_hash(locked.tools.iter().map(|tool| tool.hash));
    if follows != locked.surface_hash {
        let moved = Moved::hashes("toolSurfaceHash", locked.surface_hash, follows);
        let place = Place::of_server(name, &["toolSurfaceHash"]);
        found.contradiction(place, "`toolSurfaceHash` does not follow from the tools", moved);
    }
    for tool in &locked.tools {
        let mut canonical_name = Vec::new();
        strings::write_text(&tool.name, &mut canonical_name);
        let follows = Digest::of(&canonical_name);
        if follows != tool.name_hash {
            let moved = Moved::hashes("nameHash", tool.name_hash, follows);
            let path = ["tools", &tool.name, "nameHash"];
            let place = Place::of_tool(name, &tool.name, &path);
            found.contradiction(place, "`nameHash` does not follow from the name", moved);
        }
    }
    if let Some(beyond) = &locked.beyond
        && !beyond.tools.iter().map(|tool| &tool.name).eq(locked.tools.iter().map(|tool| &tool.name))
    {
        let place = Place::of_server(name, &["gatewright", "tools"]);
        found.contradiction(
            place,
            "`gatewright.tools` are other tools than those",
            Moved::new("gatewright", None, None),
        );
    }
    let instructions_hash = locked.beyond.as_ref().and_then(|beyond| beyond.instructions_hash);
    let missing = [
        ("source", is_ours && locked.source.is_none()),
        ("transport", is_ours && locked.transport.is_none()),
        ("gatewright", is_ours && locked.beyond.is_none()),
        ("gatewright.instructionsHash", locked.beyond.is_some() && instructions_hash.is_none()),
    ];
    for (member, _) in missing.into_iter().filter(|(_, is_missing)| *is_missing) {
        let message = format!("`{member}` was taken out of the entry");
        found.contradiction(Place::of_server(name, &[]), &message, Moved::new(member, None, None));
    }
    found.findings.len() == before
}

fn check_server(locked: &LockedServer, now: &Server, is_sound: bool, found: &mut Found) {
    let name = locked.name.as_str();
    check_endpoint(locked, now, found);
    let Some(surface) = &now.surface else {
        let message = format!("server {} could not be reached", quoted(name));
        found.push(&rules::SERVER_UNREACHABLE, Place::of_server(name, &[]), message, None);
        return;
    };
    if let Some(locked) = locked.beyond.as_ref().and_then(|beyond| beyond.instructions_hash)
        && locked != surface.instructions_hash
    {
        let message = format!("the instructions of server {} are not the ones that were locked", quoted(name));
        let moved = Moved::hashes("instructions", locked, surface.instructions_hash);
        let place = Place::of_server(name, &["gatewright", "instructionsHash"]);
        found.push(&rules::INSTRUCTIONS_CHANGED, place, message, Some(moved));
    }
    check_tools(locked, surface, is_sound, found);
}

fn check_endpoint(locked: &LockedServer, now: &Server, found: &mut Found) {
    let Some(endpoint) = &now.endpoint else { return };
    let name = locked.name.as_str();
    let is_now = || format!("it is now {}", quoted(&endpoint.describe()));
    let source = endpoint.source();
    if let Some(before) = &locked.source {
        let is_same =
            before.kind == source.kind_name() && before.package == source.package && before.version == source.version;
        if !is_same {
            let before = describe(&before.kind, before.package.as_deref(), before.version.as_deref());
            let after = describe(source.kind_name(), source.package.as_deref(), source.version.as_deref());
            let message = format!(
                "server {} comes from {}; locked was {}; {}",
                quoted(name),
                quoted(&after),
                quoted(&before),
                is_now()
            );
            let moved = Moved::new("source", Some(before), Some(after));
            found.push(&rules::SOURCE_CHANGED, Place::of_server(name, &["source"]), message, Some(moved));
            return;
        }
    }
    let transport = endpoint.transport().as_str();
    if let Some(before) = locked.transport.as_ref().filter(|before| *before != transport) {
        let message = format!("server {} is spoken to over {transport}; locked was {}", quoted(name), quoted(before));
        let moved = Moved::new("transport", Some(before.clone()), Some(transport.to_owned()));
        found.push(&rules::ENDPOINT_CHANGED, Place::of_server(name, &["transport"]), message, Some(moved));
        return;
    }
    let Some(beyond) = &locked.beyond else { return };
    let what = if endpoint.transport() == Transport::Stdio { "command" } else { "url" };
    let message = match beyond.endpoint_hash {
        Some(before) if before == endpoint.hash() => return,
        Some(_) => format!("the {what} of server {} is not the one that was locked; {}", quoted(name), is_now()),
        None => format!("the {what} of server {} was never locked; {}", quoted(name), is_now()),
    };
    let before = beyond.endpoint_hash.map(|hash| hash.to_string());
    let moved = Moved::new(what, before, Some(endpoint.hash().to_string()));
    let place = Place::of_server(name, &["gatewright", "endpointHash"]);
    found.push(&rules::ENDPOINT_CHANGED, place, message, Some(moved));
}

fn describe(kind: &str, package: Option<&str>, version: Option<&str>) -> String {
    [Some(kind), package, version].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn check_tools(locked: &LockedServer, surface: &PinnedSurface, is_sound: bool, found: &mut Found) {
    let server = locked.name.as_str();
    let is_locked = |tool: &&PinnedTool| {
        locked.tools.binary_search_by(|locked| strings::compare_utf16(&locked.name, &tool.name)).is_ok()
    };
    let mut added: Vec<&PinnedTool> = surface.tools.iter().filter(|tool| !is_locked(tool)).collect();
    // The added tools by what they hold, to know a tool under its new name.
    let mut by_content: BTreeMap<(Digest, Digest), Vec<&str>> = BTreeMap::new();
    for tool in added.iter().rev() {
        by_content.entry((tool.hashes.description_hash, tool.hashes.input_schema_hash)).or_default().push(&tool.name);
    }
    let mut renamed: BTreeSet<&str> = BTreeSet::new();
    for tool in &locked.tools {
        if let Some(now) = surface.tool(&tool.name) {
            check_tool(locked, tool, now, is_sound, found);
            continue;
        }
        let path = ["tools", &tool.name];
        let same = by_content.get_mut(&(tool.description_hash, tool.input_schema_hash)).and_then(Vec::pop);
        if let Some(now) = same.and_then(|name| surface.tool(name)) {
            renamed.insert(&now.name);
            let place = Place::of_tool(server, &tool.name, &path);
            let message = format!(
                "the name of tool {} of server {} is now {}; its description and schema are those that were locked",
                quoted(&tool.name),
                quoted(server),
                quoted(&now.name)
            );
            let moved = Moved::hashes("name", tool.name_hash, now.hashes.name_hash).with("renamedTo", &now.name);
            found.push(&rules::TOOL_RENAMED, place, message, Some(moved));
            check_beyond(locked, &tool.name, now, found);
        } else {
            let message = format!("tool {} of server {} is gone", quoted(&tool.name), quoted(server));
            let moved = Moved::new("tool", Some(tool.hash.to_string()), None);
            found.push(&rules::TOOL_REMOVED, Place::of_tool(server, &tool.name, &path), message, Some(moved));
        }
    }
    added.retain(|tool| !renamed.contains(tool.name.as_str()));
    for tool in added {
        let message = format!("tool {} of server {} is not in the lockfile", quoted(&tool.name), quoted(server));
        let moved = Moved::new("tool", None, Some(tool.hashes.hash.to_string()));
        let path = ["tools", &tool.name];
        found.push(&rules::TOOL_ADDED, Place::of_tool(server, &tool.name, &path), message, Some(moved));
    }
}

/// A field of a tool that is pinned by a hash of its own.
struct Field {
    rule: Rule,
    name: &'static str,
    /// The member of the lockfile that holds the hash.
    key: &'static str,
    /// How a sentence starts that says it moved, and how it ends.
    phrase: [&'static str; 2],
}

const IS: &str = "is not the one that was locked";
const ARE: &str = "are not the ones that were locked";

const DESCRIPTION: Field = Field {
    rule: rules::DESCRIPTION_CHANGED,
    name: "description",
    key: "descriptionHash",
    phrase: ["the description", IS],
};
const INPUT_SCHEMA: Field = Field {
    rule: rules::INPUT_SCHEMA_CHANGED,
    name: "inputSchema",
    key: "inputSchemaHash",
    phrase: ["the input schema", IS],
};
const ANNOTATIONS: Field = Field {
    rule: rules::ANNOTATIONS_CHANGED,
    name: "annotations",
    key: "annotationsHash",
    phrase: ["the annotations", ARE],
};
const EXTRAS: Field =
    Field { rule: rules::EXTRA_FIELDS_CHANGED, name: "extras", key: "extrasHash", phrase: ["the other fields", ARE] };

impl Field {
    /// Reports the field of a tool if it moved, and says whether it did.
    fn compare(&self, place: Place<'_>, before: Digest, after: Digest, found: &mut Found) -> bool {
        let (Some(tool), false) = (place.tool, before == after) else { return false };
        let [start, end] = self.phrase;
        let message = format!("{start} of tool {} of server {} {end}", quoted(tool), quoted(place.server));
        let path = [place.path, &[tool, self.key]].concat();
        let moved = Moved::hashes(self.name, before, after);
        found.push(&self.rule, Place { path: &path, ..place }, message, Some(moved));
        true
    }
}

fn check_tool(server: &LockedServer, locked: &LockedTool, now: &PinnedTool, is_sound: bool, found: &mut Found) {
    let name = locked.name.as_str();
    let place = Place::of_tool(&server.name, name, &["tools"]);
    let description = DESCRIPTION.compare(place, locked.description_hash, now.hashes.description_hash, found);
    let schema = INPUT_SCHEMA.compare(place, locked.input_schema_hash, now.hashes.input_schema_hash, found);
    // One hash covers the three fields: it moves with them, and not without them.
    let is_consistent = (description || schema) == (locked.hash != now.hashes.hash);
    if is_sound && !is_consistent {
        let moved = Moved::hashes("hash", locked.hash, now.hashes.hash);
        let path = ["tools", name, "hash"];
        let place = Place { path: &path, ..place };
        found.contradiction(place, "`hash` does not follow from the field hashes", moved);
    }
    check_beyond(server, name, now, found);
}

/// Compares what the field `gatewright` pins of a tool, which may have another name now.
fn check_beyond(server: &LockedServer, name: &str, now: &PinnedTool, found: &mut Found) {
    let locked = server.beyond.as_ref().and_then(|beyond| beyond.tool(name));
    if let (Some(locked), Some(now)) = (locked, now.beyond.as_deref()) {
        let place = Place::of_tool(&server.name, name, &["gatewright", "tools"]);
        ANNOTATIONS.compare(place, locked.annotations_hash, now.annotations_hash, found);
        EXTRAS.compare(place, locked.extras_hash, now.extras_hash, found);
    }
}
