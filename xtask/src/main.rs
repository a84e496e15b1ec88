//! The workspace's own chores, called by `./x`: what is written in Rust because it reads the core's registries,
//! or because it must be the same on every system.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool prints")]

mod bench;
mod call;
mod r#gen;
mod schemas;
mod size;
mod vectors;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

const USAGE: &str = "Usage: cargo run -p xtask -- COMMAND

  gen [--check]       write the generated pages, or compare them with what they would be
  vectors [--check]   check every vector file and write tests/vectors/manifest.json, or compare it
  bench [drift]       time the built packages beside others (`./x bench` prepares it), or comparison alone
  call                answer operations of the core: one JSON request a line, one answer a line
  size                raw and gzipped sizes of what `./x build` left in dist/ and npm/dist/";

/// Whether a command writes files, or compares them with what it would write.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Write,
    Check,
}

type Result<T = ()> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["gen"] => r#gen::run(Mode::Write),
        ["gen", "--check"] => r#gen::run(Mode::Check),
        ["vectors"] => vectors::run(Mode::Write),
        ["vectors", "--check"] => vectors::run(Mode::Check),
        ["call"] => call::run(),
        ["size"] => size::run(),
        ["bench"] => bench::run(),
        ["bench", "drift"] => bench::run_drift(),
        ["bench-native", name, file] => bench::run_native(name, Path::new(file)),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))
}

/// Writes a generated file below the root, or complains that it differs.
fn settle(mode: Mode, name: &str, text: &str) -> Result {
    let path = root().join(name);
    // Git may have checked the file out with the line ends of the system.
    let current = read(&path).unwrap_or_default().replace("\r\n", "\n");
    if current == text {
        return Ok(());
    }
    match mode {
        Mode::Check => Err(format!("{name} is out of date: run `./x gen` and commit the result")),
        Mode::Write => {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
            }
            fs::write(&path, text).map_err(|why| format!("{name}: {why}"))?;
            println!("wrote {name}");
            Ok(())
        }
    }
}
