//! Which package a command line runs.

use super::{Source, SourceKind};

/// What a program does with its arguments.
struct Launcher {
    kind: SourceKind,
    /// Options that name the package.
    package_options: &'static [&'static str],
    /// Other options that are followed by a value.
    value_options: &'static [&'static str],
}

const NPM: Launcher = Launcher {
    kind: SourceKind::Npm,
    package_options: &["-p", "--package"],
    value_options: &[
        "-c",
        "--call",
        "--registry",
        "--cache",
        "--prefix",
        "--userconfig",
        "-w",
        "--workspace",
        "--node-options",
    ],
};

const UV: Launcher = Launcher {
    kind: SourceKind::Pypi,
    package_options: &["--from"],
    value_options: &[
        "--with",
        "--with-editable",
        "--with-requirements",
        "-p",
        "--python",
        "--index",
        "--default-index",
        "-i",
        "--index-url",
        "--extra-index-url",
        "-f",
        "--find-links",
        "--env-file",
        "--cache-dir",
        "--directory",
        "--project",
        "-c",
        "--constraints",
        "--overrides",
        "--config-file",
        "--refresh-package",
        "--upgrade-package",
        "-P",
    ],
};

const PIPX: Launcher = Launcher {
    kind: SourceKind::Pypi,
    package_options: &["--spec"],
    value_options: &["--pip-args", "--python", "-i", "--index-url", "--with", "--backend"],
};

/// The source that a command line names.
pub(super) fn source(command: &str, args: &[String]) -> Source {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    of_program(&program(command), &args)
}

/// A program's bare name: without folder, without the endings that Windows adds, in lower case.
pub(super) fn program(command: &str) -> String {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command).to_ascii_lowercase();
    let bare = [".cmd", ".exe", ".bat", ".ps1"].iter().find_map(|ending| name.strip_suffix(ending));
    bare.unwrap_or(&name).to_owned()
}

fn of_program(program: &str, args: &[&str]) -> Source {
    match (program, args) {
        ("npx" | "bunx" | "pnpx", args) | ("npm", ["exec" | "x", args @ ..]) | ("bun", ["x", args @ ..]) => {
            launched(&NPM, args)
        }
        ("pnpm" | "yarn", args) => match args.iter().position(|arg| *arg == "dlx") {
            // Options of pnpm's own may stand before `dlx`.
            Some(at) => {
                let (before, after) = args.split_at(at);
                launched(&NPM, &[before, after.get(1..).unwrap_or_default()].concat())
            }
            None => Source::LOCAL,
        },
        ("node" | "nodejs", args) => of_node(args),
        ("deno", args) => args
            .iter()
            .find_map(|arg| arg.strip_prefix("npm:"))
            .map_or(Source::LOCAL, |spec| named(SourceKind::Npm, spec)),
        ("uvx", args) | ("uv", ["tool", "run", args @ ..]) => launched(&UV, args),
        ("pipx", ["run", args @ ..]) => launched(&PIPX, args),
        ("env", args) => inner(args.iter().skip_while(|arg| arg.contains('=') || arg.starts_with('-'))),
        ("cmd", args) => inner(args.iter().skip_while(|arg| arg.starts_with('/'))),
        (python, args) if is_python(python) => of_python(args),
        _ => Source::LOCAL,
    }
}

/// The command line within another one's arguments.
fn inner<'a>(mut args: impl Iterator<Item = &'a &'a str>) -> Source {
    match args.next() {
        Some(command) => of_program(&program(command), &args.copied().collect::<Vec<_>>()),
        None => Source::LOCAL,
    }
}

fn launched(launcher: &Launcher, args: &[&str]) -> Source {
    let mut args = args.iter().copied();
    let mut positional = None;
    while let Some(arg) = args.next() {
        let (option, attached) = arg.split_once('=').map_or((arg, None), |(option, value)| (option, Some(value)));
        if arg == "--" {
            positional = positional.or_else(|| args.next());
            break;
        } else if launcher.package_options.contains(&option) {
            return match attached.or_else(|| args.next()) {
                Some(spec) => named(launcher.kind, spec),
                None => Source { kind: launcher.kind, package: None, version: None },
            };
        } else if launcher.value_options.contains(&option) {
            if attached.is_none() {
                args.next();
            }
        } else if !arg.starts_with('-') {
            positional = Some(arg);
            break;
        }
    }
    match positional {
        Some(spec) => named(launcher.kind, spec),
        None => Source { kind: launcher.kind, package: None, version: None },
    }
}

fn of_node(args: &[&str]) -> Source {
    let package = args.iter().find_map(|arg| {
        let path = arg.replace('\\', "/");
        let (_, inside) = path.rsplit_once("node_modules/")?;
        let mut parts = inside.split('/');
        let first = parts.next().filter(|part| !part.is_empty())?;
        if first.starts_with('@') { Some(format!("{first}/{}", parts.next()?)) } else { Some(first.to_owned()) }
    });
    Source { kind: SourceKind::Npm, package, version: None }
}

/// `python`, `python3`, `python3.12`, `py`, `pypy3`.
pub(super) fn is_python(program: &str) -> bool {
    let version = ["python", "pypy", "py"].iter().find_map(|name| program.strip_prefix(name));
    version.is_some_and(|version| version.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

fn of_python(args: &[&str]) -> Source {
    let mut args = args.iter().copied();
    while let Some(arg) = args.next() {
        match arg {
            "-m" => {
                let module = args.next().map(|module| module.split('.').next().unwrap_or(module).to_owned());
                return Source { kind: SourceKind::Pypi, package: module, version: None };
            }
            "-X" | "-W" => {
                args.next();
            }
            arg if arg.starts_with('-') => {}
            _ => break,
        }
    }
    Source::LOCAL
}

/// Splits what stands for a package into its name and version.
fn named(kind: SourceKind, spec: &str) -> Source {
    let is_place =
        spec.contains("://") || spec.contains(" @ ") || spec.starts_with(['.', '/', '~']) || spec.contains(':');
    let (package, version) = match kind {
        _ if is_place => (spec, None),
        SourceKind::Pypi => split_pypi(spec),
        // A scope starts with an @ that starts no version.
        _ => match spec.char_indices().skip(1).find(|(_, c)| *c == '@') {
            Some((at, _)) => (spec.get(..at).unwrap_or(spec), spec.get(at + 1..)),
            None => (spec, None),
        },
    };
    let version = version.filter(|version| !version.is_empty()).map(str::to_owned);
    Source { kind, package: Some(package.to_owned()), version }
}

fn split_pypi(spec: &str) -> (&str, Option<&str>) {
    let name_end = spec.find(['[', '=', '<', '>', '~', '!', ';', '@', ' ']).unwrap_or(spec.len());
    let (name, rest) = spec.split_at_checked(name_end).unwrap_or((spec, ""));
    let rest = rest.split_once(']').map_or(rest, |(_, after)| after).trim();
    let exact = rest.strip_prefix("===").or_else(|| rest.strip_prefix("==")).or_else(|| rest.strip_prefix('@'));
    let version = exact.map(str::trim).filter(|version| !version.contains([',', '*', ';', ' ']));
    (name, version)
}
