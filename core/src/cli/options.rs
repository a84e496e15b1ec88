//! The arguments: one table of commands and options, from which they are parsed and their help is written.

use lexopt::{Arg, Parser};

use crate::text::escape::quoted;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Lock,
    Diff,
    Ci,
    Snapshot,
    Check,
    Rules,
    Explain,
}

struct CommandSpec {
    command: Command,
    name: &'static str,
    usage: &'static str,
    summary: &'static str,
    options: &'static [OptionSpec],
}

struct OptionSpec {
    name: &'static str,
    /// What stands for its value in the help; none for a flag.
    value: Option<&'static str>,
    /// Whether the value may be left out.
    may_be_flag: bool,
    summary: &'static str,
}

const fn with_value(name: &'static str, value: &'static str, summary: &'static str) -> OptionSpec {
    OptionSpec { name, value: Some(value), may_be_flag: false, summary }
}

const fn flag(name: &'static str, summary: &'static str) -> OptionSpec {
    OptionSpec { name, value: None, may_be_flag: false, summary }
}

const SERVER: OptionSpec = with_value(
    "server",
    "NAME=WHAT",
    "a server: a quoted command line, a URL, a .json file with a tools/list result, or - for standard input; \
     NAME alone is one of the config's (repeatable; leaves other servers' entries as they are)",
);
const AS: OptionSpec = with_value(
    "as",
    "NAME",
    "the name to keep the snapshot under, so that another command or version is compared with the same one",
);
const STARTS: OptionSpec = with_value(
    "starts",
    "N",
    "start the server N times, and record what it says differently each time, for `check` not to report it (default: 1)",
);
const BASELINE: OptionSpec = with_value(
    "baseline",
    "FILE",
    "the snapshot to compare with, of gatewright or of mcplock (default: the one under its name)",
);
const PROFILE: OptionSpec =
    with_value("profile", "NAME", "whose rules to judge by: default or mcplock (default: default)");
const FAIL_ON: OptionSpec =
    with_value("fail-on", "SEVERITY", "what to fail at: critical, high, medium or informational (default: high)");
const CI_FAIL_ON: OptionSpec = with_value(
    "fail-on",
    "SEVERITY",
    "what to fail at: critical, high, medium or informational (default: informational, which is any change)",
);
const JSON_FILE: OptionSpec =
    with_value("json", "FILE", "write the report as JSON to a file, or to standard output in place of the text (-)");
const SETTINGS: OptionSpec =
    with_value("settings", "FILE", "the file with accepted findings (default: gatewright.toml, if there is one)");
const KEEP_TEXT: OptionSpec = flag(
    "keep-text",
    "keep the text of the surfaces in .gatewright/surfaces beside the lockfile, so that `diff` and `ci` can say how bad a change \
     is (once kept, it is kept on)",
);
const ACCEPT: OptionSpec = OptionSpec {
    name: "accept",
    value: Some("SERVER/TOOL"),
    may_be_flag: true,
    summary: "accept high and critical changes of one tool, of one server (SERVER), or all (without a value; repeatable)",
};
const CONFIG: OptionSpec =
    with_value("config", "FILE", "a client config with `mcpServers` (default: .mcp.json, if no --server is given)");
const ONE_CONFIG: OptionSpec =
    with_value("config", "FILE", "a client config with `mcpServers`, in which SERVER is a name (default: .mcp.json)");
const LOCKFILE: OptionSpec = with_value("lockfile", "FILE", "the lockfile (default: agentgate.lock)");
const ENV: OptionSpec =
    with_value("env", "KEY=VALUE", "a variable for the servers that are started (repeatable; never written or shown)");
const ENV_FROM: OptionSpec =
    with_value("env-from", "NAME", "the same, with the value taken from this program's environment (repeatable)");
const TRANSPORT: OptionSpec = with_value(
    "transport",
    "KIND",
    "how to speak to a URL: auto, http or sse; to a command: auto or stdio (default: auto)",
);
const START_TIMEOUT: OptionSpec =
    with_value("start-timeout", "SECONDS", "how long a server may take to start (default: 120)");
const TIMEOUT: OptionSpec = with_value("timeout", "SECONDS", "how long a server may take for an answer (default: 30)");
const JSON: OptionSpec = flag("json", "print the findings as JSON");
const PREVIEW: OptionSpec = flag("preview", "report what moved and what could not be reached, and exit 0 all the same");

const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        command: Command::Lock,
        name: "lock",
        usage: "lock [OPTIONS]",
        summary: "pin the tools of servers in agentgate.lock",
        options: &[SERVER, CONFIG, LOCKFILE, KEEP_TEXT, ACCEPT, ENV, ENV_FROM, TRANSPORT, START_TIMEOUT, TIMEOUT],
    },
    CommandSpec {
        command: Command::Diff,
        name: "diff",
        usage: "diff [OPTIONS]",
        summary: "say what moved since the servers were locked",
        options: &[SERVER, CONFIG, LOCKFILE, CI_FAIL_ON, ENV, ENV_FROM, TRANSPORT, START_TIMEOUT, TIMEOUT, JSON],
    },
    CommandSpec {
        command: Command::Ci,
        name: "ci",
        usage: "ci [OPTIONS]",
        summary: "fail if anything moved since the servers were locked",
        options: &[
            SERVER,
            CONFIG,
            LOCKFILE,
            CI_FAIL_ON,
            ENV,
            ENV_FROM,
            TRANSPORT,
            START_TIMEOUT,
            TIMEOUT,
            JSON,
            PREVIEW,
        ],
    },
    CommandSpec {
        command: Command::Snapshot,
        name: "snapshot",
        usage: "snapshot SERVER [OPTIONS]",
        summary: "pin a server with its text",
        options: &[AS, STARTS, ONE_CONFIG, ENV, ENV_FROM, TRANSPORT, START_TIMEOUT, TIMEOUT],
    },
    CommandSpec {
        command: Command::Check,
        name: "check",
        usage: "check SERVER [OPTIONS]",
        summary: "say what moved since a server's snapshot, and how bad it is",
        options: &[
            AS,
            BASELINE,
            PROFILE,
            FAIL_ON,
            JSON_FILE,
            SETTINGS,
            PREVIEW,
            ONE_CONFIG,
            ENV,
            ENV_FROM,
            TRANSPORT,
            START_TIMEOUT,
            TIMEOUT,
        ],
    },
    CommandSpec { command: Command::Rules, name: "rules", usage: "rules", summary: "list the rules", options: &[] },
    CommandSpec {
        command: Command::Explain,
        name: "explain",
        usage: "explain RULE",
        summary: "explain a rule",
        options: &[],
    },
];

const SERVER_FORMS: &str =
    "a quoted command line, a URL, a name in a client config, a .json file with a tools/list result, or -";

const EXIT_CODES: &str = "Exit codes: 0 clean; 1 something moved, whether or not all could be checked; 2 it could not be \
                          checked (an unreachable server, a missing or unreadable lockfile or snapshot, wrong usage).\n";

/// The options of one command, in the order in which they were given.
#[derive(Debug, Default)]
pub(super) struct Options {
    given: Vec<(&'static str, String)>,
    pub(super) positional: Vec<String>,
}

impl Options {
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.given.iter().filter(move |(given, _)| *given == name).map(|(_, value)| value.as_str())
    }

    /// The last value given.
    pub(super) fn one(&self, name: &str) -> Option<&str> {
        self.all(name).last()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.one(name).is_some()
    }
}

pub(super) enum Parsed {
    /// A text to print: help, or the version.
    Text(String),
    Command {
        command: Command,
        options: Options,
    },
}

pub(super) fn parse(argv: &[String]) -> Result<Parsed, String> {
    let mut parser = Parser::from_args(argv);
    let mut spec: Option<&CommandSpec> = None;
    let mut options = Options::default();
    while let Some(arg) = parser.next().map_err(about)? {
        match (arg, spec) {
            (Arg::Long("help") | Arg::Short('h'), None) => return Ok(Parsed::Text(help())),
            (Arg::Long("help") | Arg::Short('h'), Some(spec)) => return Ok(Parsed::Text(help_for(spec))),
            (Arg::Long("version") | Arg::Short('V'), None) => {
                return Ok(Parsed::Text(format!("gatewright {}\n", crate::VERSION)));
            }
            (Arg::Value(word), None) => {
                let word = word.to_string_lossy();
                if word == "help" {
                    let topic = parser.next().ok().flatten();
                    return match topic {
                        Some(Arg::Value(topic)) => {
                            find(&topic.to_string_lossy()).map(|spec| Parsed::Text(help_for(spec)))
                        }
                        _ => Ok(Parsed::Text(help())),
                    };
                }
                spec = Some(find(&word)?);
            }
            (Arg::Long(name), Some(spec)) => {
                let Some(option) = spec.options.iter().find(|option| option.name == name) else {
                    return Err(format!("`{}` has no option {}", spec.name, quoted(&format!("--{name}"))));
                };
                let value = match option.value {
                    Some(_) if option.may_be_flag => optional_value(&mut parser),
                    Some(_) => parser.value().map_err(about)?.to_string_lossy().into_owned(),
                    None => "true".to_owned(),
                };
                options.given.push((option.name, value));
            }
            (Arg::Value(word), Some(_)) => options.positional.push(word.to_string_lossy().into_owned()),
            (Arg::Short(letter), _) => {
                return Err(format!("there is no option {}; long ones have two dashes", quoted(&format!("-{letter}"))));
            }
            (Arg::Long(name), None) => {
                return Err(format!("there is no option {} before a command", quoted(&format!("--{name}"))));
            }
        }
    }
    let Some(spec) = spec else { return Err("no command was given".to_owned()) };
    // What stands there is not shown: it may be the value of an option that was split off by a mistake.
    match (spec.command, options.positional.len()) {
        (Command::Explain | Command::Snapshot | Command::Check, 1) => {}
        (Command::Explain, _) => {
            return Err("`explain` takes the id of one rule; `gatewright rules` lists them".to_owned());
        }
        (Command::Snapshot | Command::Check, 0) => {
            return Err(format!("`{}` needs a server: {SERVER_FORMS}", spec.name));
        }
        (Command::Snapshot | Command::Check, _) => {
            return Err(format!("`{}` takes one server: put a command line into quotes", spec.name));
        }
        (_, 0) => {}
        (_, _) => {
            return Err(format!("`{}` takes options only, and was given a word that belongs to none", spec.name));
        }
    }
    Ok(Parsed::Command { command: spec.command, options })
}

/// The value of an option that may have none: what follows `=`, or the next word if it is no option.
fn optional_value(parser: &mut Parser) -> String {
    if let Some(value) = parser.optional_value() {
        return value.to_string_lossy().into_owned();
    }
    let mut rest = parser.try_raw_args();
    let word = rest.as_mut().and_then(|rest| rest.next_if(|word| !word.to_string_lossy().starts_with('-')));
    word.map(|word| word.to_string_lossy().into_owned()).unwrap_or_default()
}

fn about(error: lexopt::Error) -> String {
    match error {
        lexopt::Error::MissingValue { option } => {
            format!("{} needs a value", quoted(&option.unwrap_or_default()))
        }
        lexopt::Error::UnexpectedValue { option, .. } => format!("{} takes no value", quoted(&option)),
        _ => "the arguments cannot be read".to_owned(),
    }
}

fn find(name: &str) -> Result<&'static CommandSpec, String> {
    COMMANDS.iter().find(|spec| spec.name == name).ok_or_else(|| {
        let known: Vec<&str> = COMMANDS.iter().map(|spec| spec.name).collect();
        format!("there is no command {}; the commands are: {}", quoted(name), known.join(", "))
    })
}

fn help() -> String {
    let mut text = String::from(
        "gatewright: pin the tools that MCP servers show to an agent, and catch it when they change.\n\n\
         Usage: gatewright COMMAND [OPTIONS]\n\nCommands:\n",
    );
    for spec in COMMANDS {
        text.push_str(&format!("  {:<10}{}\n", spec.name, spec.summary));
    }
    text.push_str(
        "\nOptions:\n  -h, --help     show this help, or a command's\n  -V, --version  show the version\n\nExample:\n  \
         gatewright lock --server fs=\"npx -y @modelcontextprotocol/server-filesystem .\"\n  \
         gatewright ci --server fs=\"npx -y @modelcontextprotocol/server-filesystem .\"\n  \
         gatewright snapshot \"npx -y @modelcontextprotocol/server-filesystem .\" --as fs\n  \
         gatewright check \"npx -y @modelcontextprotocol/server-filesystem@next .\" --as fs\n\n",
    );
    text.push_str(EXIT_CODES);
    text
}

fn help_for(spec: &CommandSpec) -> String {
    let mut text = format!("gatewright {}: {}.\n\nUsage: gatewright {}\n", spec.name, spec.summary, spec.usage);
    if spec.usage.contains(" SERVER ") {
        text.push_str(&format!("\nSERVER is {SERVER_FORMS}.\n"));
    }
    if !spec.options.is_empty() {
        text.push_str("\nOptions:\n");
    }
    for option in spec.options {
        let value = option.value.map(|value| format!(" {value}")).unwrap_or_default();
        let value = if option.may_be_flag { format!(" [{}]", value.trim_start()) } else { value };
        text.push_str(&format!("  --{}{value}\n", option.name));
        text.push_str(&wrap(option.summary, 6, 90));
    }
    text.push('\n');
    text.push_str(if spec.options.is_empty() { "" } else { EXIT_CODES });
    text
}

/// The text in lines of at most `width` characters, indented.
fn wrap(text: &str, indent: usize, width: usize) -> String {
    let margin = " ".repeat(indent);
    let mut out = String::new();
    let mut line = margin.clone();
    for word in text.split_whitespace() {
        if line.len() + word.len() + 1 > width && line.len() > indent {
            out.push_str(line.trim_end());
            out.push('\n');
            line.clone_from(&margin);
        }
        line.push_str(word);
        line.push(' ');
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}
