//! Which servers are meant, and what they answer.

use std::collections::BTreeMap;

use crate::lock::{Server, twice};
use crate::source::{Endpoint, Transport};
use crate::surface::Surface;
use crate::text::escape::{line, quoted};
use crate::text::value::Value;

use super::about_file;
use super::config::{self, Configured, Piece};
use super::effect::{Effect, Flow, Reach, Session, Stop};
use super::identity::Identity;
use super::listing::Listing;
use super::options::Options;
use super::secrets::{Named, Secrets};

const DEFAULT_CONFIG: &str = ".mcp.json";
const START_TIMEOUT_SECONDS: f64 = 120.0;
const ANSWER_TIMEOUT_SECONDS: f64 = 30.0;
const MAX_TIMEOUT_SECONDS: f64 = 86_400.0;

/// The servers of a run, asked.
pub(super) struct Gathered<'a> {
    pub(super) servers: Vec<Server>,
    /// What those that could be reached listed, by name.
    pub(super) listings: BTreeMap<String, Listing<'a>>,
    /// Why servers could not be reached: paragraphs ready to be printed.
    pub(super) failures: Vec<String>,
    /// Whether these are all servers there are, so that another entry of the lockfile has lost its server.
    pub(super) whole_set: bool,
}

/// A server that is meant.
struct Meant {
    name: String,
    origin: Origin,
}

/// What a server's surface comes from.
enum Origin {
    Endpoint { endpoint: Endpoint, secrets: BTreeMap<String, String> },
    File(String),
    Stdin,
}

/// The servers that options and config name. Nothing is started yet.
pub(super) struct Plan {
    meant: Vec<Meant>,
    how: How,
    whole_set: bool,
}

impl Plan {
    pub(super) fn make(options: &Options, session: &mut Session<'_>) -> Flow<Self> {
        let given: Vec<(&str, Option<&str>)> = options
            .all("server")
            .map(|server| server.split_once('=').map_or((server, None), |(name, what)| (name, Some(what))))
            .collect();
        let needs_config = given.is_empty() || given.iter().any(|(_, what)| what.is_none()) || options.has("config");
        let path = options.one("config").unwrap_or(DEFAULT_CONFIG);
        let config = if needs_config { session.read_file(path) } else { Some(Ok(None)) };
        let how = How::make(options, session);
        let (Some(config), how) = (config, how?) else { return Err(Stop::Wait) };
        let configured = match config {
            Ok(Some(bytes)) => config::parse(bytes).map_err(|error| session.fail(&about_file(path, error)))?,
            Ok(None) if needs_config && given.is_empty() => {
                let message = format!(
                    "no server is named: give --server NAME=WHAT, or a config ({} does not exist)",
                    quoted(path)
                );
                return Err(session.fail(&message));
            }
            Ok(None) if needs_config && options.has("config") => {
                return Err(session.fail(&about_file(path, "there is no such file")));
            }
            Ok(None) => Vec::new(),
            Err(why) => return Err(session.fail(&about_file(path, line(&why)))),
        };
        transport(options, session)?;
        let whole_set = given.is_empty();
        let mut meant = Vec::new();
        if whole_set {
            meant.extend(configured.into_iter().map(Meant::configured));
        } else {
            for (name, what) in given {
                meant.push(Meant::given(name, what, &configured, options, session)?);
            }
        }
        if let Some(name) = twice(meant.iter().map(|meant| meant.name.as_str())) {
            return Err(session.fail(&format!("two servers are named {}", quoted(name))));
        }
        Ok(Self { meant, how, whole_set })
    }

    /// Asks every server for its tools, all at once.
    pub(super) fn gather<'a>(self, session: &mut Session<'a>) -> Flow<Gathered<'a>> {
        let answers: Vec<_> = self.meant.iter().map(|meant| self.how.listing(meant, 0, session)).collect();
        let Some(answers) = answers.into_iter().collect::<Option<Vec<_>>>() else { return Err(Stop::Wait) };
        let mut gathered = Gathered {
            servers: Vec::new(),
            listings: BTreeMap::new(),
            failures: Vec::new(),
            whole_set: self.whole_set,
        };
        for (meant, answer) in self.meant.into_iter().zip(answers) {
            let read = answer.and_then(|listing| {
                let pinned = listing.pinned().map_err(|why| meant.origin.place(why))?;
                Ok((listing, pinned))
            });
            let server = match read {
                Ok((listing, surface)) => {
                    gathered.listings.insert(meant.name.clone(), listing);
                    Server::pinned(&meant.name, surface)
                }
                Err(why) => {
                    gathered.failures.push(meant.failure(&why));
                    Server::unreachable(meant.name)
                }
            };
            gathered.servers.push(match meant.origin {
                Origin::Endpoint { endpoint, .. } => server.reached_by(with_env(endpoint, &self.how.env)),
                Origin::File(_) | Origin::Stdin => server,
            });
        }
        Ok(gathered)
    }
}

/// The one server of `snapshot` and `check`.
pub(super) struct One {
    meant: Meant,
    how: How,
    pub(super) identity: Identity,
    /// The command line or URL as it was given; absent for a server of a config or a file.
    pub(super) given: Option<String>,
}

impl One {
    pub(super) fn make(options: &Options, session: &mut Session<'_>) -> Flow<Self> {
        let what = options.positional.first().map(String::as_str).unwrap_or_default();
        let transport = transport(options, session)?;
        let is_word = !what.contains(char::is_whitespace) && !what.contains("://") && what != "-" && !is_file(what);
        let path = options.one("config").unwrap_or(DEFAULT_CONFIG);
        let config = if is_word || options.has("config") { session.read_file(path) } else { Some(Ok(None)) };
        let how = How::make(options, session);
        let (Some(config), how) = (config, how?) else { return Err(Stop::Wait) };
        let configured = match config {
            Ok(Some(bytes)) => config::parse(bytes).map_err(|error| session.fail(&about_file(path, error)))?,
            Ok(None) if options.has("config") => {
                return Err(session.fail(&about_file(path, "there is no such file")));
            }
            Ok(None) => Vec::new(),
            Err(why) => return Err(session.fail(&about_file(path, line(&why)))),
        };
        let chosen = options.one("as");
        if chosen == Some("") {
            return Err(session.fail("--as has no name"));
        }
        if let Some(server) = configured.into_iter().find(|server| is_word && server.name == what) {
            let whole = format!("{} {}", Value::from(what).to_compact(), server.endpoint.identity());
            let identity = chosen.map_or_else(|| Identity::derived(what, &whole), Identity::named);
            return Ok(Self { meant: Meant::configured(server), how, identity, given: None });
        }
        if is_word && options.has("config") {
            return Err(session.fail(&format!("the config has no server named {}", quoted(what))));
        }
        let origin = Origin::parse("the server", what, transport).map_err(|message| session.fail(&message))?;
        let (derived, given) = match &origin {
            Origin::Endpoint { endpoint, .. } => {
                (Some(Identity::derived(&endpoint.connection(), &endpoint.identity())), Some(what.to_owned()))
            }
            Origin::File(path) => (Some(Identity::derived(path, path)), None),
            Origin::Stdin => (None, None),
        };
        let Some(identity) = chosen.map(Identity::named).or(derived) else {
            return Err(session.fail("what comes from standard input has no name: give one by --as NAME"));
        };
        Ok(Self { meant: Meant { name: identity.name.clone(), origin }, how, identity, given })
    }

    /// How the server is reached, where it is.
    pub(super) fn endpoint(&self) -> Option<&Endpoint> {
        match &self.meant.origin {
            Origin::Endpoint { endpoint, .. } => Some(endpoint),
            Origin::File(_) | Origin::Stdin => None,
        }
    }

    /// What the server lists at its `start`-th start, from 0, and what of it is secret; it ends the program if
    /// that cannot be had.
    pub(super) fn surface(&self, start: usize, session: &mut Session<'_>) -> Flow<(Surface, Secrets)> {
        let listing = self.how.listing(&self.meant, start, session).ok_or(Stop::Wait)?;
        let surface = listing.and_then(|listing| {
            let surface = listing.surface().map_err(|why| self.meant.origin.place(why))?;
            Ok((surface, listing.secrets().clone()))
        });
        surface.map_err(|why| session.fail(self.meant.failure(&why).trim_end()))
    }

    /// Whether it can be started more than once.
    pub(super) fn can_be_started(&self) -> bool {
        self.endpoint().is_some()
    }
}

/// How servers are reached: what all of them have in common.
struct How {
    env: BTreeMap<String, String>,
    start_timeout_ms: u64,
    timeout_ms: u64,
}

impl How {
    fn make(options: &Options, session: &mut Session<'_>) -> Flow<Self> {
        let start_timeout_ms = timeout(options, "start-timeout", START_TIMEOUT_SECONDS, session)?;
        let timeout_ms = timeout(options, "timeout", ANSWER_TIMEOUT_SECONDS, session)?;
        Ok(Self { env: environment(options, session)?, start_timeout_ms, timeout_ms })
    }

    /// What one server lists, or why nothing; `None` while the answer is being waited for.
    fn listing<'a>(
        &self,
        meant: &Meant,
        start: usize,
        session: &mut Session<'a>,
    ) -> Option<Result<Listing<'a>, String>> {
        let read = |path: &str, file: super::effect::FileAnswer<'a>| match file {
            Ok(Some(bytes)) => Ok(Listing::of_text(bytes)),
            Ok(None) => Err(about_file(path, "there is no such file")),
            Err(why) => Err(about_file(path, line(&why))),
        };
        match &meant.origin {
            Origin::File(path) => session.read_file(path).map(|file| read(path, file)),
            Origin::Stdin => session.read_stdin().map(|file| read("standard input", file)),
            Origin::Endpoint { endpoint, secrets } => {
                let mut variables = Variables { session, values: Vec::new(), missing: Vec::new(), is_waiting: false };
                let reach = reach(endpoint, secrets, &self.env, &mut variables);
                let Variables { values, missing, is_waiting, .. } = variables;
                if is_waiting {
                    return None;
                }
                if let Some(name) = missing.first() {
                    return Some(Err(format!("the config names the variable {}, which is not set", quoted(name))));
                }
                // As the server gets them, and the words of a config around its variables.
                let (Reach::Stdio { env: given, .. }
                | Reach::Http { headers: given, .. }
                | Reach::Sse { headers: given, .. }) = &reach;
                let given = given.clone();
                let around = secrets.iter().flat_map(|(name, value)| {
                    config::pieces(value).into_iter().filter_map(move |piece| match piece {
                        Piece::Text(text) => Some((name.clone(), text.to_owned())),
                        Piece::Variable { .. } => None,
                    })
                });
                let secrets = Secrets::new(&endpoint.secrets(), values.into_iter().chain(given).chain(around));
                let progress = format!("asking {}: {}", quoted(&meant.name), line(&endpoint.describe()));
                let answer = session.list_tools(&meant.name, start, |id| Effect::ListTools {
                    id,
                    server: meant.name.clone(),
                    endpoint: reach,
                    start_timeout_ms: self.start_timeout_ms,
                    timeout_ms: self.timeout_ms,
                    progress,
                })?;
                Some(Listing::of_answer(answer, secrets, session))
            }
        }
    }
}

impl Meant {
    /// A paragraph on why the server could not be asked.
    fn failure(&self, why: &str) -> String {
        let what = if matches!(self.origin, Origin::Endpoint { .. }) { "reached" } else { "read" };
        format!("server {} could not be {what}: {why}\n", quoted(&self.name))
    }

    fn configured(server: Configured) -> Self {
        let Configured { name, endpoint, secrets } = server;
        Self { name, origin: Origin::Endpoint { endpoint, secrets } }
    }

    fn given(
        name: &str,
        what: Option<&str>,
        configured: &[Configured],
        options: &Options,
        session: &mut Session<'_>,
    ) -> Flow<Self> {
        if name.is_empty() || name.contains("://") || name.contains(' ') {
            return Err(session.fail("a --server has no name: give NAME=WHAT, as in fs=\"npx -y some-server\""));
        }
        let Some(what) = what else {
            return if let Some(server) = configured.iter().find(|server| server.name == name) {
                Ok(Self::configured(server.clone()))
            } else {
                let known: Vec<String> = configured.iter().map(|server| quoted(&server.name)).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let message = format!("no server of the config is named {}; it has: {known}", quoted(name));
                Err(session.fail(&format!("{message}; for one that is not in a config, give NAME=WHAT")))
            };
        };
        let transport = options.one("transport").unwrap_or("auto");
        let origin = Origin::parse(&format!("server {}", quoted(name)), what, transport)
            .map_err(|message| session.fail(&message))?;
        Ok(Self { name: name.to_owned(), origin })
    }
}

impl Origin {
    /// Why a surface cannot be read, with the file that it stands in.
    fn place(&self, why: String) -> String {
        match self {
            Self::File(path) => about_file(path, why),
            Self::Stdin => about_file("standard input", why),
            Self::Endpoint { .. } => why,
        }
    }

    /// Reads a server as it is given: the WHAT of `--server NAME=WHAT`. `label` is what messages call it.
    fn parse(label: &str, what: &str, transport: &str) -> Result<Self, String> {
        let is_url = what.starts_with("http://") || what.starts_with("https://");
        let is_file = is_file(what);
        if !is_url && what != "-" && !is_file {
            return Self::parse_command(label, what, transport);
        }
        if !is_url {
            return Ok(if is_file { Self::File(what.to_owned()) } else { Self::Stdin });
        }
        let transport = match transport {
            "auto" | "http" => Transport::Http,
            "sse" => Transport::Sse,
            _ => return Err(format!("{label} is a URL, which is spoken to over http or sse")),
        };
        Ok(Self::Endpoint { endpoint: Endpoint::Url { transport, url: what.to_owned() }, secrets: BTreeMap::new() })
    }

    fn parse_command(label: &str, line: &str, transport: &str) -> Result<Self, String> {
        if !matches!(transport, "auto" | "stdio") {
            return Err(format!("{label} is a command, which is spoken to over stdio, not {transport}"));
        }
        let words = shlex::split(line).unwrap_or_default();
        let Some((command, args)) = words.split_first() else {
            return Err(format!("the command line of {label} is empty or has an open quote"));
        };
        if command.split_once('=').is_some_and(|(variable, _)| config::is_variable_name(variable)) {
            let message =
                "starts with a variable, and is not run by a shell: give it by --env KEY=VALUE or --env-from NAME";
            return Err(format!("the command line of {label} {message}"));
        }
        if command.contains("://") {
            return Err(format!("{label} is no command, and no URL with http:// or https://"));
        }
        let endpoint = Endpoint::Command { command: command.clone(), args: args.to_vec(), env_names: Vec::new() };
        Ok(Self::Endpoint { endpoint, secrets: BTreeMap::new() })
    }
}

fn is_file(what: &str) -> bool {
    what.to_ascii_lowercase().ends_with(".json") && !what.contains(' ')
}

fn transport<'o>(options: &'o Options, session: &mut Session<'_>) -> Flow<&'o str> {
    let transport = options.one("transport").unwrap_or("auto");
    if ["auto", "stdio", "http", "sse"].contains(&transport) {
        return Ok(transport);
    }
    Err(session.fail(&format!("--transport is {}, not auto, stdio, http or sse", quoted(transport))))
}

/// The endpoint with the names of the variables that all commands are given.
fn with_env(endpoint: Endpoint, env: &BTreeMap<String, String>) -> Endpoint {
    match endpoint {
        Endpoint::Command { command, args, mut env_names } => {
            env_names.extend(env.keys().cloned());
            Endpoint::Command { command, args, env_names }
        }
        url @ Endpoint::Url { .. } => url,
    }
}

/// Replaces variables; the values are remembered as secrets.
struct Variables<'s, 'a> {
    session: &'s mut Session<'a>,
    values: Vec<Named>,
    missing: Vec<String>,
    is_waiting: bool,
}

impl Variables<'_, '_> {
    fn expand(&mut self, text: &str) -> String {
        let mut out = String::new();
        for piece in config::pieces(text) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Variable { name, default } => match (self.session.read_env(name), default) {
                    (None, _) => self.is_waiting = true,
                    (Some(Some(value)), _) => {
                        self.values.push((name.to_owned(), value.to_owned()));
                        out.push_str(value);
                    }
                    (Some(None), Some(default)) => {
                        self.values.push((name.to_owned(), default.to_owned()));
                        out.push_str(default);
                    }
                    (Some(None), None) => self.missing.push(name.to_owned()),
                },
            }
        }
        out
    }

    fn expand_all(&mut self, map: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let mut expanded = BTreeMap::new();
        for (key, value) in map {
            expanded.insert(key.clone(), self.expand(value));
        }
        expanded
    }
}

fn reach(
    endpoint: &Endpoint,
    secrets: &BTreeMap<String, String>,
    env: &BTreeMap<String, String>,
    variables: &mut Variables<'_, '_>,
) -> Reach {
    match endpoint {
        Endpoint::Command { command, args, .. } => {
            let command = variables.expand(command);
            let args = args.iter().map(|arg| variables.expand(arg)).collect();
            let mut all = variables.expand_all(secrets);
            all.extend(env.clone());
            Reach::Stdio { command, args, env: all }
        }
        Endpoint::Url { transport, url } => {
            let url = variables.expand(url);
            let headers = variables.expand_all(secrets);
            if *transport == Transport::Sse { Reach::Sse { url, headers } } else { Reach::Http { url, headers } }
        }
    }
}

fn timeout(options: &Options, name: &str, default: f64, session: &mut Session<'_>) -> Flow<u64> {
    let seconds = match options.one(name) {
        None => Some(default),
        Some(text) => text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= MAX_TIMEOUT_SECONDS),
    };
    match seconds {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and a day of milliseconds"
        )]
        Some(seconds) => Ok((seconds * 1000.0).ceil() as u64),
        None => Err(session.fail(&format!("--{name} is not a number of seconds above 0, at most 86400"))),
    }
}

/// The variables of `--env` and `--env-from`. Values are never quoted in a message.
fn environment(options: &Options, session: &mut Session<'_>) -> Flow<BTreeMap<String, String>> {
    let mut env = BTreeMap::new();
    let mut is_waiting = false;
    for (place, pair) in options.all("env").enumerate() {
        match pair.split_once('=').filter(|(name, _)| config::is_variable_name(name)) {
            Some((name, value)) => env.insert(name.to_owned(), value.to_owned()),
            None => return Err(session.fail(&format!("--env number {} is not KEY=VALUE", place + 1))),
        };
    }
    for (place, name) in options.all("env-from").enumerate() {
        if !config::is_variable_name(name) {
            return Err(session.fail("--env-from takes the name of a variable: letters, digits and underscores"));
        }
        match session.read_env(name) {
            None => is_waiting = true,
            Some(Some(value)) => {
                env.insert(name.to_owned(), value.to_owned());
            }
            // The name is not shown: `--env-from $TOKEN` would have handed over the value.
            Some(None) => {
                return Err(session.fail(&format!("--env-from number {} names a variable that is not set", place + 1)));
            }
        }
    }
    if is_waiting { Err(Stop::Wait) } else { Ok(env) }
}
