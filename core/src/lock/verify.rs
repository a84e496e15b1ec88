//! Verification: is every server what was pinned, and if not, what moved?

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::digest::Digest;
use crate::error::Error;
use crate::finding::Finding;
use crate::source::Source;
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
    check_equal_hashes(&lockfile, &mut found);
    let mut live: Vec<&Server> = servers.iter().collect();
    sort_by(&mut live, |a, b| strings::compare_utf16(&a.name, &b.name));
    let find = |name: &str| live.binary_search_by(|server| strings::compare_utf16(&server.name, name)).ok();
    let locked = lockfile.servers.iter().map(|server| server.name.as_str()).filter(|_| whole_set);
    let mut names = value::sorted(live.iter().map(|server| server.name.as_str()).chain(locked));
    names.dedup();
    for name in names {
        match (lockfile.server(name), find(name).and_then(|place| live.get(place))) {
            (Some(locked), Some(now)) => check_server(locked, now, &mut found),
            (None, Some(_)) => {
                found.server("server-added", name, &[], format!("server {} is not in the lockfile", quoted(name)));
            }
            (Some(_), None) => {
                found.server(
                    "server-removed",
                    name,
                    &[],
                    format!("server {} is locked and no longer in use", quoted(name)),
                );
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
        Self(members.into_iter().filter_map(|(key, text)| Some((key.to_owned(), Value::String(text?)))).collect())
    }

    fn hashes(field: &str, before: Digest, after: Digest) -> Self {
        Self::new(field, Some(before.to_string()), Some(after.to_string()))
    }

    fn with(mut self, key: &str, text: &str) -> Self {
        self.0.insert(key.to_owned(), Value::String(text.to_owned()));
        self
    }
}

impl Found {
    fn push(
        &mut self,
        rule: &'static str,
        server: &str,
        tool: Option<&str>,
        path: &[&str],
        message: String,
        moved: Option<Moved>,
    ) {
        let pointer = of_keys(&[&["servers", server], path].concat());
        let severity = rules::RULES.iter().find(|known| known.id == rule).map(|known| known.severity);
        self.findings.push(Finding {
            rule,
            severity: severity.unwrap_or(crate::finding::Severity::Critical),
            server: Some(server.to_owned()),
            tool: tool.map(str::to_owned),
            pointer,
            message,
            help: Some(help(rule)),
            evidence: moved.map(|Moved(evidence)| evidence).unwrap_or_default(),
        });
    }

    fn server(&mut self, rule: &'static str, server: &str, path: &[&str], message: String) {
        self.push(rule, server, None, path, message, None);
    }

    fn contradiction(&mut self, server: &str, tool: Option<&str>, path: &[&str], message: &str, moved: Moved) {
        let whose = tool.map_or_else(String::new, |tool| format!(" of tool {}", quoted(tool)));
        let message = format!("the lockfile contradicts itself: {message}{whose} of server {}", quoted(server));
        self.push("lockfile-contradiction", server, tool, path, message, Some(moved));
    }
}

fn help(rule: &str) -> &'static str {
    match rule {
        "lockfile-contradiction" => {
            "restore the lockfile from version control, or review the server and run `gatewright lock`"
        }
        "server-unreachable" => "make the server answer and check again; its entry stays as it is",
        "server-removed" | "tool-removed" => "if that is meant, run `gatewright lock`",
        _ => "review what it is now; if you trust it, run `gatewright lock`",
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
            found.contradiction(&server.name, Some(&b.name), &path, message, moved);
        }
    }
}

/// What in a server's entry does not follow from the rest of it.
fn check_entry(locked: &LockedServer, found: &mut Found) {
    let follows = surface_hash(locked.tools.iter().map(|tool| tool.hash));
    if follows != locked.surface_hash {
        let moved = Moved::hashes("toolSurfaceHash", locked.surface_hash, follows);
        found.contradiction(
            &locked.name,
            None,
            &["toolSurfaceHash"],
            "`toolSurfaceHash` does not follow from the tools",
            moved,
        );
    }
    for tool in &locked.tools {
        let mut name = Vec::new();
        strings::write_text(&tool.name, &mut name);
        let follows = Digest::of(&name);
        if follows != tool.name_hash {
            let moved = Moved::hashes("nameHash", tool.name_hash, follows);
            let path = ["tools", &tool.name, "nameHash"];
            found.contradiction(
                &locked.name,
                Some(&tool.name),
                &path,
                "`nameHash` does not follow from the name",
                moved,
            );
        }
    }
    if let Some(beyond) = &locked.beyond
        && !beyond.tools.iter().map(|tool| &tool.name).eq(locked.tools.iter().map(|tool| &tool.name))
    {
        let moved = Moved::new("gatewright", None, None);
        found.contradiction(
            &locked.name,
            None,
            &["gatewright", "tools"],
            "`gatewright.tools` are other tools than those",
            moved,
        );
    }
}

fn check_server(locked: &LockedServer, now: &Server, found: &mut Found) {
    let name = locked.name.as_str();
    let before = found.findings.len();
    check_entry(locked, found);
    let is_sound = found.findings.len() == before;
    check_endpoint(locked, now, found);
    let Some(surface) = &now.surface else {
        found.server("server-unreachable", name, &[], format!("server {} could not be reached", quoted(name)));
        return;
    };
    if let Some(locked) = locked.beyond.as_ref().and_then(|beyond| beyond.instructions_hash)
        && locked != surface.instructions_hash
    {
        let message = format!("the instructions of server {} are not the ones that were locked", quoted(name));
        let moved = Moved::hashes("instructions", locked, surface.instructions_hash);
        found.push("instructions-changed", name, None, &["gatewright", "instructionsHash"], message, Some(moved));
    }
    check_tools(locked, surface, is_sound, found);
}

fn check_endpoint(locked: &LockedServer, now: &Server, found: &mut Found) {
    let Some(endpoint) = &now.endpoint else { return };
    let name = locked.name.as_str();
    let source = endpoint.source();
    if let Some(before) = &locked.source {
        let is_same =
            before.kind == source.kind_name() && before.package == source.package && before.version == source.version;
        if !is_same {
            let before = describe(&before.kind, before.package.as_deref(), before.version.as_deref());
            let after = describe_source(&source);
            let message =
                format!("server {} comes from {}; locked was {}", quoted(name), quoted(&after), quoted(&before));
            let moved = Moved::new("source", Some(before), Some(after));
            found.push("source-changed", name, None, &["source"], message, Some(moved));
            return;
        }
    }
    let transport = endpoint.transport().as_str();
    if let Some(before) = locked.transport.as_ref().filter(|before| *before != transport) {
        let message = format!("server {} is spoken to over {transport}; locked was {}", quoted(name), quoted(before));
        let moved = Moved::new("transport", Some(before.clone()), Some(transport.to_owned()));
        found.push("endpoint-changed", name, None, &["transport"], message, Some(moved));
    } else if let Some(before) = locked.beyond.as_ref().and_then(|beyond| beyond.endpoint_hash)
        && before != endpoint.hash()
    {
        let what = if endpoint.transport() == crate::source::Transport::Stdio { "command" } else { "url" };
        let message = format!(
            "the {what} of server {} is not the one that was locked; it is now {}",
            quoted(name),
            quoted(&endpoint.describe())
        );
        let moved = Moved::hashes(what, before, endpoint.hash());
        found.push("endpoint-changed", name, None, &["gatewright", "endpointHash"], message, Some(moved));
    }
}

fn describe_source(source: &Source) -> String {
    describe(source.kind_name(), source.package.as_deref(), source.version.as_deref())
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
            let message = format!(
                "the name of tool {} of server {} is now {}; its description and schema are those that were locked",
                quoted(&tool.name),
                quoted(server),
                quoted(&now.name)
            );
            let moved = Moved::hashes("name", tool.name_hash, now.hashes.name_hash).with("renamedTo", &now.name);
            found.push("tool-renamed", server, Some(&tool.name), &path, message, Some(moved));
        } else {
            let message = format!("tool {} of server {} is gone", quoted(&tool.name), quoted(server));
            let moved = Moved::new("tool", Some(tool.hash.to_string()), None);
            found.push("tool-removed", server, Some(&tool.name), &path, message, Some(moved));
        }
    }
    added.retain(|tool| !renamed.contains(tool.name.as_str()));
    for tool in added {
        let message = format!("tool {} of server {} is not in the lockfile", quoted(&tool.name), quoted(server));
        let moved = Moved::new("tool", None, Some(tool.hashes.hash.to_string()));
        found.push("tool-added", server, Some(&tool.name), &["tools", &tool.name], message, Some(moved));
    }
}

/// A field of a tool that is pinned by a hash of its own.
struct Field {
    rule: &'static str,
    name: &'static str,
    /// The member of the lockfile that holds the hash.
    key: &'static str,
    /// How a sentence starts that says it moved, and how it ends.
    phrase: [&'static str; 2],
}

const IS: &str = "is not the one that was locked";
const ARE: &str = "are not the ones that were locked";

const DESCRIPTION: Field =
    Field { rule: "description-changed", name: "description", key: "descriptionHash", phrase: ["the description", IS] };
const INPUT_SCHEMA: Field = Field {
    rule: "input-schema-changed",
    name: "inputSchema",
    key: "inputSchemaHash",
    phrase: ["the input schema", IS],
};
const ANNOTATIONS: Field = Field {
    rule: "annotations-changed",
    name: "annotations",
    key: "annotationsHash",
    phrase: ["the annotations", ARE],
};
const EXTRAS: Field =
    Field { rule: "extra-fields-changed", name: "extras", key: "extrasHash", phrase: ["the other fields", ARE] };

fn check_tool(server: &LockedServer, locked: &LockedTool, now: &PinnedTool, is_sound: bool, found: &mut Found) {
    let name = locked.name.as_str();
    let compare = |field: &Field, under: &[&str], before: Digest, after: Digest, found: &mut Found| {
        if before == after {
            return false;
        }
        let [start, end] = field.phrase;
        let message = format!("{start} of tool {} of server {} {end}", quoted(name), quoted(&server.name));
        let moved = Moved::hashes(field.name, before, after);
        found.push(field.rule, &server.name, Some(name), &[under, &[name, field.key]].concat(), message, Some(moved));
        true
    };
    let description = compare(&DESCRIPTION, &["tools"], locked.description_hash, now.hashes.description_hash, found);
    let schema = compare(&INPUT_SCHEMA, &["tools"], locked.input_schema_hash, now.hashes.input_schema_hash, found);
    // One hash covers the three fields: it moves with them, and not without them.
    let is_consistent = (description || schema) == (locked.hash != now.hashes.hash);
    if is_sound && !is_consistent {
        let moved = Moved::hashes("hash", locked.hash, now.hashes.hash);
        let path = ["tools", name, "hash"];
        found.contradiction(&server.name, Some(name), &path, "`hash` does not follow from the field hashes", moved);
    }
    let beyond = server.beyond.as_ref().and_then(|beyond| beyond.tool(name));
    if let (Some(locked), Some(now)) = (beyond, now.beyond.as_deref()) {
        let under = ["gatewright", "tools"];
        compare(&ANNOTATIONS, &under, locked.annotations_hash, now.annotations_hash, found);
        compare(&EXTRAS, &under, locked.extras_hash, now.extras_hash, found);
    }
}
