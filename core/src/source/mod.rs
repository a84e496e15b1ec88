//! Where a server comes from: how it is reached, which package that names, and what of it is secret.

mod command;
mod redact;

use serde::Serialize;

pub(crate) use redact::REDACTED;
#[cfg(feature = "cli")]
pub(crate) use redact::{names_a_secret, redact_text, replace_word};

use crate::digest::Digest;
use crate::text::value::{self, Object, Value};

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// A child process, over its standard streams.
    Stdio,
    /// Server-sent events, the older of MCP's two over HTTP.
    Sse,
    /// Streamable HTTP.
    Http,
}

impl Transport {
    /// The transport's name in `agentgate.lock`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Sse => "sse",
            Transport::Http => "http",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Transport::Stdio, Transport::Sse, Transport::Http].into_iter().find(|transport| transport.as_str() == text)
    }
}

/// How a server is reached. Credentials in it never leave: see [`Endpoint::hash`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// A command that is started.
    Command {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// The names of the environment variables that it is given, never their values.
        env_names: Vec<String>,
    },
    /// A URL that is called.
    Url {
        /// `Http` or `Sse`.
        transport: Transport,
        /// The URL.
        url: String,
    },
}

impl Endpoint {
    /// How the server is spoken to.
    #[must_use]
    pub const fn transport(&self) -> Transport {
        match self {
            Endpoint::Command { .. } => Transport::Stdio,
            Endpoint::Url { transport, .. } => *transport,
        }
    }

    /// The hash that the lockfile keeps as `endpointHash`: over the canonical form of the command, its
    /// arguments and the names of its variables, or of the URL; credentials are taken out first, so that
    /// a new token is no drift and an old one is not in the file, not even hashed.
    #[must_use]
    pub fn hash(&self) -> Digest {
        let mut names = match self {
            Endpoint::Command { env_names, .. } => value::sorted(env_names.iter().map(String::as_str)),
            Endpoint::Url { .. } => Vec::new(),
        };
        names.dedup();
        Digest::of(self.described(Some(&names)).to_compact().as_bytes())
    }

    /// What tells the server from another, as canonical JSON: as [`Self::hash`] covers it, without the names
    /// of variables.
    pub(crate) fn identity(&self) -> String {
        self.described(None).to_compact()
    }

    fn described(&self, env_names: Option<&[&str]>) -> Value {
        let mut members = Object::default();
        members.set("transport", self.transport().as_str());
        match self {
            Endpoint::Command { command, args, .. } => {
                let words = redact::identity(&words(command, args));
                let (command, args) =
                    words.split_first().map_or(("", words.as_slice()), |(first, rest)| (first.as_str(), rest));
                members.set("command", command);
                members.set("args", value::strings(args.iter().map(String::as_str)));
                if let Some(names) = env_names {
                    members.set("env", value::strings(names.iter().copied()));
                }
            }
            Endpoint::Url { url, .. } => members.set("url", redact::identity_of_url(url)),
        }
        members.into()
    }

    /// The endpoint on one line, for people, without credentials and names of variables, not yet escaped.
    pub(crate) fn connection(&self) -> String {
        let (words, _) = redact::shown(&self.words());
        match self {
            Endpoint::Command { .. } => {
                shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
            }
            Endpoint::Url { .. } => words.join(" "),
        }
    }

    /// Which package it names, if any.
    #[must_use]
    pub fn source(&self) -> Source {
        match self {
            Endpoint::Command { command, args, .. } => command::source(command, &redact::identity(args)),
            Endpoint::Url { .. } => Source { kind: SourceKind::Remote, package: None, version: None },
        }
    }

    /// The endpoint on one line, for people: with the names of its variables, without credentials, not yet
    /// escaped.
    #[must_use]
    pub fn describe(&self) -> String {
        let line = self.connection();
        match self {
            Endpoint::Command { env_names, .. } if !env_names.is_empty() => {
                let mut names = value::sorted(env_names.iter().map(String::as_str));
                names.dedup();
                format!("{line} (with {})", names.join(", "))
            }
            _ => line,
        }
    }

    /// What looks like a credential in the command or URL, for it to be hidden in what the server answers.
    pub(crate) fn secrets(&self) -> Vec<String> {
        redact::shown(&self.words()).1
    }

    fn words(&self) -> Vec<String> {
        match self {
            Endpoint::Command { command, args, .. } => words(command, args),
            Endpoint::Url { url, .. } => vec![url.clone()],
        }
    }
}

fn words(command: &str, args: &[String]) -> Vec<String> {
    core::iter::once(command.to_owned()).chain(args.iter().cloned()).collect()
}

/// `source.type` of `agentgate.lock`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// A package of the npm registry.
    Npm,
    /// A package of the Python Package Index.
    Pypi,
    /// Something on this machine.
    Local,
    /// A URL.
    Remote,
}

/// `source` of `agentgate.lock`: where a server comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The kind of place.
    pub kind: SourceKind,
    /// The package, where the command names one.
    pub package: Option<String>,
    /// The version, where the command names one.
    pub version: Option<String>,
}

impl Source {
    pub(crate) const LOCAL: Self = Self { kind: SourceKind::Local, package: None, version: None };

    /// `source.type`.
    #[must_use]
    pub const fn kind_name(&self) -> &'static str {
        match self.kind {
            SourceKind::Npm => "npm",
            SourceKind::Pypi => "pypi",
            SourceKind::Local => "local",
            SourceKind::Remote => "remote",
        }
    }

    /// The members that the lockfile's `source` has, absent ones as `None`.
    pub(crate) fn members(&self) -> [(&'static str, Option<&str>); 3] {
        [("type", Some(self.kind_name())), ("package", self.package.as_deref()), ("version", self.version.as_deref())]
    }

    /// The source as JSON, without what is absent.
    pub(crate) fn to_value(&self) -> Value {
        let mut source = Object::default();
        for (key, text) in self.members() {
            if let Some(text) = text {
                source.set(key, text);
            }
        }
        source.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stdio(line: &str) -> Endpoint {
        let mut words = shlex::split(line).unwrap().into_iter();
        Endpoint::Command { command: words.next().unwrap(), args: words.collect(), env_names: Vec::new() }
    }

    #[test]
    fn commands_name_their_packages() {
        for (line, expected) in [
            (
                "npx -y @modelcontextprotocol/server-filesystem .",
                r#"{"package":"@modelcontextprotocol/server-filesystem","type":"npm"}"#,
            ),
            ("npx -y @scope/name@1.2.3 --port 1", r#"{"package":"@scope/name","type":"npm","version":"1.2.3"}"#),
            ("/usr/bin/npx --package=name@^2 cmd", r#"{"package":"name","type":"npm","version":"^2"}"#),
            ("npx -p name cmd other@3", r#"{"package":"name","type":"npm"}"#),
            ("npm exec --yes -- name@1", r#"{"package":"name","type":"npm","version":"1"}"#),
            ("npx -y git+https://example.com/a/b.git", r#"{"package":"git+https://example.com/a/b.git","type":"npm"}"#),
            (r"'C:\Program Files\nodejs\npx.cmd' name@latest", r#"{"package":"name","type":"npm","version":"latest"}"#),
            ("cmd /c npx -y name", r#"{"package":"name","type":"npm"}"#),
            ("bunx name@1", r#"{"package":"name","type":"npm","version":"1"}"#),
            ("bun x name", r#"{"package":"name","type":"npm"}"#),
            ("pnpm dlx name@1", r#"{"package":"name","type":"npm","version":"1"}"#),
            ("pnpm --package=a@1 dlx b", r#"{"package":"a","type":"npm","version":"1"}"#),
            ("yarn dlx -p name@1 cmd", r#"{"package":"name","type":"npm","version":"1"}"#),
            ("pnpm start", r#"{"type":"local"}"#),
            ("node node_modules/@a/b/dist/index.js", r#"{"package":"@a/b","type":"npm"}"#),
            ("node server.js", r#"{"type":"npm"}"#),
            ("uvx mcp-server-git", r#"{"package":"mcp-server-git","type":"pypi"}"#),
            ("uvx --python 3.12 name==1.2 -x", r#"{"package":"name","type":"pypi","version":"1.2"}"#),
            ("uvx name@1.2", r#"{"package":"name","type":"pypi","version":"1.2"}"#),
            ("uvx --from name[cli]==1.2 tool", r#"{"package":"name","type":"pypi","version":"1.2"}"#),
            ("uvx --from=name>=1 tool", r#"{"package":"name","type":"pypi"}"#),
            ("uvx --from git+https://example.com/a tool", r#"{"package":"git+https://example.com/a","type":"pypi"}"#),
            ("uv tool run name", r#"{"package":"name","type":"pypi"}"#),
            ("uv run server.py", r#"{"type":"local"}"#),
            ("pipx run --spec name==1 tool", r#"{"package":"name","type":"pypi","version":"1"}"#),
            ("pipx run name==1", r#"{"package":"name","type":"pypi","version":"1"}"#),
            ("python3.11 -u -m mcp_server_git --repo .", r#"{"package":"mcp_server_git","type":"pypi"}"#),
            ("python server.py -m x", r#"{"type":"local"}"#),
            ("env A=b npx name", r#"{"package":"name","type":"npm"}"#),
            ("deno run -A npm:@a/b@1", r#"{"package":"@a/b","type":"npm","version":"1"}"#),
            ("docker run -i image", r#"{"type":"local"}"#),
            ("npx", r#"{"type":"npm"}"#),
            ("uvx --from", r#"{"type":"pypi"}"#),
        ] {
            assert_eq!(stdio(line).source().to_value().to_compact(), expected, "{line}");
        }
        let url = Endpoint::Url { transport: Transport::Http, url: "https://example.com/mcp".into() };
        assert_eq!(url.source().to_value().to_compact(), r#"{"type":"remote"}"#);
    }

    #[test]
    fn the_hash_ignores_credentials_and_the_order_of_variables() {
        let endpoint = |token: &str, env: &[&str]| Endpoint::Command {
            command: "npx".into(),
            args: vec!["name".into(), format!("--api-key={token}")],
            env_names: env.iter().map(|name| (*name).to_owned()).collect(),
        };
        assert_eq!(endpoint("one", &["A", "B"]).hash(), endpoint("two", &["B", "A"]).hash());
        assert_ne!(endpoint("one", &["A"]).hash(), endpoint("one", &["B"]).hash());
        let expected = br#"{"args":["name","--api-key=<redacted>"],"command":"npx","env":["A"],"transport":"stdio"}"#;
        assert_eq!(endpoint("one", &["A"]).hash(), Digest::of(expected));
    }
}
