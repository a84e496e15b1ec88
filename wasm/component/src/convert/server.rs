//! Servers: the one input that is more than text.

use crate::bindings::exports::gatewright::core::types::{self, Command, Url, UrlTransport};

/// The servers, with their surfaces read.
pub(crate) fn servers(servers: Vec<types::Server>) -> Result<Vec<gatewright::Server>, gatewright::Error> {
    servers.into_iter().map(gatewright::Server::try_from).collect()
}

impl TryFrom<types::Server> for gatewright::Server {
    type Error = gatewright::Error;

    fn try_from(server: types::Server) -> Result<Self, gatewright::Error> {
        let types::Server { name, surface, endpoint } = server;
        let server = match surface {
            types::Surface::Listed(text) => Self::new(name, text.as_bytes())?,
            types::Surface::Unreachable => Self::unreachable(name),
        };
        Ok(match endpoint {
            Some(endpoint) => server.reached_by(endpoint.into()),
            None => server,
        })
    }
}

impl From<types::Endpoint> for gatewright::Endpoint {
    fn from(endpoint: types::Endpoint) -> Self {
        match endpoint {
            types::Endpoint::Command(Command { command, args, env_names }) => {
                Self::Command { command, args, env_names }
            }
            types::Endpoint::Url(Url { transport, url }) => Self::Url { transport: transport.into(), url },
        }
    }
}

impl From<UrlTransport> for gatewright::Transport {
    fn from(transport: UrlTransport) -> Self {
        match transport {
            UrlTransport::Http => Self::Http,
            UrlTransport::Sse => Self::Sse,
        }
    }
}
