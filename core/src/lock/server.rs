//! A server as it is now: its name, its surface, and how it is reached.

use crate::canon::{pass_over, refuse_duplicates};
use crate::error::{Code, Error};
use crate::source::{Endpoint, Source, Transport};
use crate::surface::{Detail, PinnedSurface};
use crate::text::escape::quoted;
use crate::text::pointer::Segment;
use crate::text::reader::{Fault, Kind, Outcome, Reader, document};
use crate::text::strings;
use crate::text::value::{self, Value};

/// A server as it is now.
///
/// ```
/// use gatewright::{Endpoint, Server};
/// let surface = br#"{"tools":[{"name":"ping","description":"","inputSchema":{}}]}"#;
/// let endpoint = Endpoint::Command { command: "npx".into(), args: vec!["ping@1".into()], env_names: vec![] };
/// let server = Server::new("ping", surface)?.reached_by(endpoint);
/// let lockfile = gatewright::build_lockfile(&[server], "2026-08-03T12:00:00Z")?;
/// assert!(lockfile.contains(r#""package": "ping""#));
/// # Ok::<(), gatewright::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Server {
    pub(super) name: String,
    /// Absent if the server could not be reached.
    pub(super) surface: Option<PinnedSurface>,
    /// Absent if it is not known.
    pub(super) endpoint: Option<Endpoint>,
}

impl Server {
    /// A server with this surface: an array of tools, an object with `tools`, or a JSON-RPC response
    /// around one.
    ///
    /// # Errors
    /// Those of [`crate::hash_surface`].
    pub fn new(name: impl Into<String>, surface: &[u8]) -> Result<Self, Error> {
        let surface = PinnedSurface::read(surface, Detail::Everything)?;
        Ok(Self { name: name.into(), surface: Some(surface), endpoint: None })
    }

    /// A server that was asked and did not answer: it is neither clean nor gone.
    pub fn unreachable(name: impl Into<String>) -> Self {
        Self { name: name.into(), surface: None, endpoint: None }
    }

    pub(crate) fn pinned(name: &str, surface: PinnedSurface) -> Self {
        Self { name: name.to_owned(), surface: Some(surface), endpoint: None }
    }

    /// The same server, with how it is reached.
    #[must_use]
    pub fn reached_by(mut self, endpoint: Endpoint) -> Self {
        self.endpoint = Some(endpoint);
        self
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn is_reached(&self) -> bool {
        self.surface.is_some()
    }

    /// How many tools it has; none if it could not be reached.
    pub(crate) fn tool_count(&self) -> usize {
        self.surface.as_ref().map_or(0, |surface| surface.tools.len())
    }

    pub(super) fn source(&self) -> Source {
        self.endpoint.as_ref().map_or(Source::LOCAL, Endpoint::source)
    }

    pub(super) fn transport(&self) -> Transport {
        self.endpoint.as_ref().map_or(Transport::Stdio, Endpoint::transport)
    }
}

/// Refuses servers of which two have the same name.
pub(super) fn check_names(servers: &[Server]) -> Result<(), Error> {
    match twice(servers.iter().map(|server| server.name.as_str())) {
        Some(name) => Err(Error::new(Code::DuplicateServer, format!("two servers are named {}", quoted(name)))),
        None => Ok(()),
    }
}

/// A name that stands among these twice.
pub(crate) fn twice<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    value::sorted(names).windows(2).find_map(|pair| match pair {
        [a, b] if a == b => Some(*a),
        _ => None,
    })
}

/// Reads a list of servers: `[{name, surface, endpoint?}]`. A surface that is a string is read as JSON
/// text; `surfacePart` in its place names one of the parts; `unreachable: true` says that there is none.
pub(crate) fn parse_servers(json: &[u8], parts: &[&[u8]]) -> Result<Vec<Server>, Error> {
    let drafts = document(json, |reader| {
        let kind = reader.kind()?;
        let offset = reader.at();
        if kind != Kind::Array {
            pass_over(reader)?;
            return Err(Fault::new(Code::InvalidServer, offset, "the servers are not an array of objects"));
        }
        let mut drafts = Vec::new();
        reader.array(|reader, _| {
            drafts.push(Draft::read(reader)?);
            Ok(())
        })?;
        Ok(drafts)
    })?;
    let servers = drafts.into_iter().enumerate().map(|(index, draft)| draft.finish(index, json, parts));
    let servers = servers.collect::<Result<Vec<_>, _>>()?;
    check_names(&servers)?;
    Ok(servers)
}

/// Where a server's surface is to come from.
enum Given {
    Nothing,
    Unreachable,
    Surface(PinnedSurface),
    Text(String),
    Part(Option<usize>),
}

struct Draft {
    offset: usize,
    name: Option<String>,
    endpoint: Option<Value>,
    given: Given,
}

impl Draft {
    fn read(reader: &mut Reader<'_>) -> Outcome<Self> {
        let kind = reader.kind()?;
        let offset = reader.at();
        if kind != Kind::Object {
            pass_over(reader)?;
            return Err(Fault::new(Code::InvalidServer, offset, format!("a server is {}, not an object", kind.noun())));
        }
        let mut draft = Self { offset, name: None, endpoint: None, given: Given::Nothing };
        let mut is_unreachable = false;
        let mut keys = Vec::new();
        reader.object(|reader, key| {
            let name = strings::decode(key.raw);
            let kind = reader.kind()?;
            match (name.as_str(), kind) {
                ("name", Kind::String) => draft.name = Some(strings::decode(reader.string()?.raw)),
                ("endpoint", _) => draft.endpoint = Some(Value::read(reader)?),
                ("surface", Kind::String) => draft.given = Given::Text(strings::decode(reader.string()?.raw)),
                ("surface", _) => draft.given = Given::Surface(PinnedSurface::read_inside(reader, Detail::Everything)?),
                ("surfacePart", _) => draft.given = Given::Part(Value::read(reader)?.as_index()),
                ("unreachable", Kind::Literal) => {
                    is_unreachable = reader.literal()? == b"true";
                }
                (other, kind) => {
                    let message = format!("{} of a server cannot be {}", quoted(other), kind.noun());
                    let known = matches!(other, "name" | "unreachable");
                    let message = if known { message } else { format!("a server has no member {}", quoted(other)) };
                    pass_over(reader)?;
                    return Err(Fault::new(Code::InvalidServer, key.offset, message).with_help(SHAPE));
                }
            }
            keys.push((name, key.offset));
            Ok(())
        })?;
        refuse_duplicates(keys, reader)?;
        match draft.given {
            Given::Nothing if is_unreachable => draft.given = Given::Unreachable,
            _ if is_unreachable => {
                let message = "a server is unreachable and has a surface";
                return Err(Fault::new(Code::InvalidServer, offset, message).with_help(SHAPE));
            }
            _ => {}
        }
        Ok(draft)
    }

    fn finish(self, index: usize, document: &[u8], parts: &[&[u8]]) -> Result<Server, Error> {
        let place = index.to_string();
        let wrong = |message: &str| {
            Fault::new(Code::InvalidServer, self.offset, message)
                .with_help(SHAPE)
                .inside(Segment::Index(index))
                .into_error(document)
        };
        let name = self.name.ok_or_else(|| wrong("a server has no `name`"))?;
        // Line and column are those of the surface's own text, which the caller must be able to tell.
        let of_this = |error: Error| error.within(&format!("the surface of server {}", quoted(&name)));
        let server = match self.given {
            Given::Nothing => return Err(wrong("a server has no `surface`")),
            Given::Unreachable => Server::unreachable(name),
            Given::Surface(surface) => Server::pinned(&name, surface),
            Given::Text(text) => Server::new(&*name, text.as_bytes()).map_err(of_this)?,
            Given::Part(part) => {
                let part = part.and_then(|part| parts.get(part).copied());
                let part = part.ok_or_else(|| wrong("a server's `surfacePart` names no part"))?;
                Server::new(&*name, part).map_err(of_this)?
            }
        };
        match self.endpoint {
            None => Ok(server),
            Some(value) => Ok(server.reached_by(parse_endpoint(&value, document, &[&place, "endpoint"])?)),
        }
    }
}

const SHAPE: &str =
    "a server is {name, surface or unreachable: true, endpoint?: {transport, command?, args?, envNames?, url?}}";

/// Reads an endpoint that stands in `document` under `path`.
fn parse_endpoint(value: &Value, document: &[u8], path: &[&str]) -> Result<Endpoint, Error> {
    let wrong = |value: &Value, message: &str, path: &[&str]| {
        value.error(Code::InvalidServer, message.to_owned(), document, path).with_help(SHAPE)
    };
    let members = value.as_object().ok_or_else(|| wrong(value, "an endpoint is not an object", path))?;
    let text = |key: &str| match members.get(key) {
        None => Ok(None),
        Some(value) => value
            .as_str()
            .map(|text| Some(text.to_owned()))
            .ok_or_else(|| wrong(value, &format!("`{key}` of an endpoint is not a string"), &[path, &[key]].concat())),
    };
    let texts = |key: &str| match members.get(key) {
        None => Ok(Vec::new()),
        Some(value) => {
            let items = value.as_array().map(|items| items.iter().map(|item| item.as_str().map(str::to_owned)));
            items.and_then(Iterator::collect).ok_or_else(|| {
                wrong(value, &format!("`{key}` of an endpoint is not an array of strings"), &[path, &[key]].concat())
            })
        }
    };
    let known = ["transport", "command", "args", "envNames", "url"];
    if let Some((key, stray)) = members.iter().find(|(key, _)| !known.contains(key)) {
        return Err(wrong(stray, &format!("an endpoint has no member {}", quoted(key)), &[path, &[key]].concat()));
    }
    let transport = text("transport")?
        .map(|name| {
            Transport::parse(&name).ok_or_else(|| wrong(value, "the transport is not `stdio`, `http` or `sse`", path))
        })
        .transpose()?;
    match (transport, text("command")?, text("url")?) {
        (None | Some(Transport::Stdio), Some(command), None) => {
            Ok(Endpoint::Command { command, args: texts("args")?, env_names: texts("envNames")? })
        }
        (_, _, Some(_)) if members.get("args").is_some() || members.get("envNames").is_some() => {
            Err(wrong(value, "an endpoint with a `url` has no `args` and no `envNames`", path))
        }
        (None, None, Some(url)) => Ok(Endpoint::Url { transport: Transport::Http, url }),
        (Some(transport @ (Transport::Http | Transport::Sse)), None, Some(url)) => Ok(Endpoint::Url { transport, url }),
        _ => Err(wrong(value, "an endpoint has a `command` for `stdio`, or a `url` for `http` and `sse`", path)),
    }
}
