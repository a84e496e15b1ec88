//! A server, as callers give it: `{name, surface, endpoint?}`.
//!
//! A surface that is a string is read as JSON text; `surfacePart` in its place names one of the parts;
//! `unreachable: true` says that there is none.

use crate::canon::{pass_over, refuse_duplicates};
use crate::error::{Code, Error};
use crate::source::{Endpoint, Transport};
use crate::surface::{Detail, PinnedSurface, Surface};
use crate::text::escape::quoted;
use crate::text::pointer::Segment;
use crate::text::reader::{Fault, Kind, Outcome, Reader, document};
use crate::text::strings;
use crate::text::value::Value;

/// A server that was given.
pub(crate) struct Given<S> {
    pub(crate) name: String,
    /// Absent if the server could not be reached.
    pub(crate) surface: Option<S>,
    /// Absent if it is not known.
    pub(crate) endpoint: Option<Endpoint>,
}

/// What is kept of a surface that is read.
pub(crate) trait ReadSurface: Sized {
    fn parse(document: &[u8]) -> Result<Self, Error>;
    fn read_inside(reader: &mut Reader<'_>) -> Outcome<Self>;
}

impl ReadSurface for PinnedSurface {
    fn parse(document: &[u8]) -> Result<Self, Error> {
        Self::read(document, Detail::Everything)
    }

    fn read_inside(reader: &mut Reader<'_>) -> Outcome<Self> {
        Self::read_inside(reader, Detail::Everything)
    }
}

impl ReadSurface for Surface {
    fn parse(document: &[u8]) -> Result<Self, Error> {
        Self::parse(document)
    }

    fn read_inside(reader: &mut Reader<'_>) -> Outcome<Self> {
        Self::read_inside(reader)
    }
}

/// Reads a list of servers.
pub(crate) fn parse_list<S: ReadSurface>(json: &[u8], parts: &[&[u8]]) -> Result<Vec<Given<S>>, Error> {
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
    drafts.into_iter().enumerate().map(|(index, draft)| draft.finish(Some(index), json, parts)).collect()
}

/// Reads one server.
pub(crate) fn parse_one<S: ReadSurface>(json: &[u8], parts: &[&[u8]]) -> Result<Given<S>, Error> {
    document(json, Draft::read)?.finish(None, json, parts)
}

/// Where a server's surface is to come from.
enum Origin<S> {
    Nothing,
    Unreachable,
    Surface(S),
    Text(String),
    Part(Option<usize>),
}

struct Draft<S> {
    offset: usize,
    name: Option<String>,
    endpoint: Option<Value>,
    origin: Origin<S>,
}

impl<S: ReadSurface> Draft<S> {
    fn read(reader: &mut Reader<'_>) -> Outcome<Self> {
        let kind = reader.kind()?;
        let offset = reader.at();
        if kind != Kind::Object {
            pass_over(reader)?;
            return Err(Fault::new(Code::InvalidServer, offset, format!("a server is {}, not an object", kind.noun())));
        }
        let mut draft = Self { offset, name: None, endpoint: None, origin: Origin::Nothing };
        let mut is_unreachable = false;
        let mut keys = Vec::new();
        reader.object(|reader, key| {
            let name = strings::decode(key.raw);
            let kind = reader.kind()?;
            match (name.as_str(), kind) {
                ("name", Kind::String) => draft.name = Some(strings::decode(reader.string()?.raw)),
                ("endpoint", _) => draft.endpoint = Some(Value::read(reader)?),
                ("surface", Kind::String) => draft.origin = Origin::Text(strings::decode(reader.string()?.raw)),
                ("surface", _) => draft.origin = Origin::Surface(S::read_inside(reader)?),
                ("surfacePart", _) => draft.origin = Origin::Part(Value::read(reader)?.as_index()),
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
        match draft.origin {
            Origin::Nothing if is_unreachable => draft.origin = Origin::Unreachable,
            _ if is_unreachable => {
                let message = "a server is unreachable and has a surface";
                return Err(Fault::new(Code::InvalidServer, offset, message).with_help(SHAPE));
            }
            _ => {}
        }
        Ok(draft)
    }

    /// The server; `index` is its place, if it stands in a list.
    fn finish(self, index: Option<usize>, document: &[u8], parts: &[&[u8]]) -> Result<Given<S>, Error> {
        let place = index.map(|index| index.to_string());
        let wrong = |message: &str| {
            let fault = Fault::new(Code::InvalidServer, self.offset, message).with_help(SHAPE);
            match index {
                Some(index) => fault.inside(Segment::Index(index)),
                None => fault,
            }
            .into_error(document)
        };
        let name = self.name.ok_or_else(|| wrong("a server has no `name`"))?;
        // Line and column are those of the surface's own text, which the caller must be able to tell.
        let of_this = |error: Error| error.within(&format!("the surface of server {}", quoted(&name)));
        let surface = match self.origin {
            Origin::Nothing => return Err(wrong("a server has no `surface`")),
            Origin::Unreachable => None,
            Origin::Surface(surface) => Some(surface),
            Origin::Text(text) => Some(S::parse(text.as_bytes()).map_err(of_this)?),
            Origin::Part(part) => {
                let part = part.and_then(|part| parts.get(part).copied());
                let part = part.ok_or_else(|| wrong("a server's `surfacePart` names no part"))?;
                Some(S::parse(part).map_err(of_this)?)
            }
        };
        let path: Vec<&str> = place.as_deref().into_iter().chain(["endpoint"]).collect();
        let endpoint = self.endpoint.map(|value| parse_endpoint(&value, document, &path)).transpose()?;
        Ok(Given { name, surface, endpoint })
    }
}

const SHAPE: &str =
    "a server is {name, surface or unreachable: true, endpoint?: {transport, command?, args?, envNames?, url?}}";

/// Reads an endpoint that stands in `document` under `path`.
pub(crate) fn parse_endpoint(value: &Value, document: &[u8], path: &[&str]) -> Result<Endpoint, Error> {
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
