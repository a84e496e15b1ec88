//! The servers of a client config: `{"mcpServers": {name: {command, args, env} or {type, url, headers}}}`.

use std::collections::BTreeMap;

use crate::error::{Code, Error};
use crate::source::{Endpoint, Transport};
use crate::text::escape::quoted;
use crate::text::value::{Object, Value};

/// A server as a config describes it; `${NAME}` is not yet replaced.
#[derive(Debug, Clone)]
pub(super) struct Configured {
    pub(super) name: String,
    pub(super) endpoint: Endpoint,
    /// Variables of a command, or headers of a URL.
    pub(super) secrets: BTreeMap<String, String>,
}

/// Reads a config.
///
/// # Errors
/// Those of [`crate::canonicalize`], and `invalid-argument`.
pub(super) fn parse(text: &[u8]) -> Result<Vec<Configured>, Error> {
    let root = Value::parse(text)?;
    let wrong = |value: &Value, message: String, path: &[&str]| value.error(Code::InvalidArgument, message, text, path);
    let servers = root.as_object().and_then(|members| members.get("mcpServers"));
    let servers = servers.ok_or_else(|| wrong(&root, "the config has no `mcpServers`".to_owned(), &[]))?;
    let path = ["mcpServers"];
    let entries =
        servers.as_object().ok_or_else(|| wrong(servers, "`mcpServers` is not an object".to_owned(), &path))?;
    entries.iter().map(|(name, entry)| server(name, entry, text)).collect()
}

fn server(name: &str, entry: &Value, text: &[u8]) -> Result<Configured, Error> {
    let path = ["mcpServers", name];
    let wrong = |what: &str| {
        let message = format!("server {} {what}", quoted(name));
        entry.error(Code::InvalidArgument, message, text, &path)
    };
    let members = entry.as_object().ok_or_else(|| wrong("is not an object"))?;
    let string = |key: &str| match members.get(key) {
        None => Ok(None),
        Some(value) => value.as_str().map(Some).ok_or_else(|| wrong(&format!("has a `{key}` that is not a string"))),
    };
    let map = |key: &str| match members.get(key) {
        None => Ok(BTreeMap::new()),
        Some(value) => strings_of(value.as_object())
            .ok_or_else(|| wrong(&format!("has an `{key}` that is not an object of strings"))),
    };
    let kind = string("type")?;
    match (string("command")?, string("url")?) {
        (Some(command), None) => {
            let args = match members.get("args") {
                None => Vec::new(),
                Some(args) => {
                    let args = args.as_array().map(|args| args.iter().map(|arg| arg.as_str().map(str::to_owned)));
                    args.and_then(Iterator::collect)
                        .ok_or_else(|| wrong("has `args` that are not an array of strings"))?
                }
            };
            let env = map("env")?;
            let env_names = env.keys().cloned().collect();
            let endpoint = Endpoint::Command { command: command.to_owned(), args, env_names };
            Ok(Configured { name: name.to_owned(), endpoint, secrets: env })
        }
        (None, Some(url)) => {
            let transport = if kind == Some("sse") { Transport::Sse } else { Transport::Http };
            let endpoint = Endpoint::Url { transport, url: url.to_owned() };
            Ok(Configured { name: name.to_owned(), endpoint, secrets: map("headers")? })
        }
        (None, None) => Err(wrong("has neither a `command` nor a `url`")),
        (Some(_), Some(_)) => Err(wrong("has both a `command` and a `url`")),
    }
}

fn strings_of(members: Option<&Object>) -> Option<BTreeMap<String, String>> {
    let mut strings = BTreeMap::new();
    for (key, value) in members?.iter() {
        strings.insert(key.to_owned(), value.as_str()?.to_owned());
    }
    Some(strings)
}

/// A piece of a text with variables.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    Variable { name: &'a str, default: Option<&'a str> },
}

/// Splits a text at its variables: `${NAME}` or `${NAME:-default}`.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let variable = after.split_once('}').map(|(inside, after)| {
            let (name, default) =
                inside.split_once(":-").map_or((inside, None), |(name, default)| (name, Some(default)));
            (name, default, after)
        });
        if let Some((name, default, after)) = variable.filter(|(name, ..)| is_variable_name(name)) {
            pieces.extend([Piece::Text(before), Piece::Variable { name, default }]);
            rest = after;
        } else {
            pieces.extend([Piece::Text(before), Piece::Text("${")]);
            rest = after;
        }
    }
    pieces.push(Piece::Text(rest));
    pieces
}

pub(super) fn is_variable_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_found() {
        let parts = pieces("a${B}c${D:-e}${1x}$f${");
        let expected = [
            Piece::Text("a"),
            Piece::Variable { name: "B", default: None },
            Piece::Text("c"),
            Piece::Variable { name: "D", default: Some("e") },
            Piece::Text(""),
            Piece::Text("${"),
            Piece::Text("1x}$f"),
            Piece::Text("${"),
            Piece::Text(""),
        ];
        assert_eq!(parts, expected);
    }
}
