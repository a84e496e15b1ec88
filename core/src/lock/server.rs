//! A server as it is now: its name, its surface, and how it is reached.

use crate::digest::Digest;
use crate::error::{Code, Error};
use crate::server::{self, Given};
use crate::source::{Endpoint, Source, Transport};
use crate::surface::{Detail, PinnedSurface};
use crate::text::escape::quoted;
use crate::text::value;

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
    /// The hash of its text, where that is kept beside the lockfile.
    pub(super) text_hash: Option<Digest>,
}

impl Server {
    /// A server with this surface: an array of tools, an object with `tools`, or a JSON-RPC response
    /// around one.
    ///
    /// # Errors
    /// Those of [`crate::hash_surface`].
    pub fn new(name: impl Into<String>, surface: &[u8]) -> Result<Self, Error> {
        let surface = PinnedSurface::read(surface, Detail::Everything)?;
        Ok(Self { name: name.into(), surface: Some(surface), endpoint: None, text_hash: None })
    }

    /// A server that was asked and did not answer: it is neither clean nor gone.
    pub fn unreachable(name: impl Into<String>) -> Self {
        Self { name: name.into(), surface: None, endpoint: None, text_hash: None }
    }

    pub(crate) fn pinned(name: &str, surface: PinnedSurface) -> Self {
        Self { name: name.to_owned(), surface: Some(surface), endpoint: None, text_hash: None }
    }

    /// The same server, with how it is reached.
    #[must_use]
    pub fn reached_by(mut self, endpoint: Endpoint) -> Self {
        self.endpoint = Some(endpoint);
        self
    }

    /// The same server, with its text kept under this hash.
    #[cfg(feature = "cli")]
    pub(crate) fn with_text(mut self, hash: Digest) -> Self {
        self.text_hash = Some(hash);
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

/// Reads a list of servers, as [`server`] describes them.
pub(crate) fn parse_servers(json: &[u8], parts: &[&[u8]]) -> Result<Vec<Server>, Error> {
    let given: Vec<Given<PinnedSurface>> = server::parse_list(json, parts)?;
    let servers =
        given.into_iter().map(|Given { name, surface, endpoint }| Server { name, surface, endpoint, text_hash: None });
    let servers: Vec<Server> = servers.collect();
    check_names(&servers)?;
    Ok(servers)
}
