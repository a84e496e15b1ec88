//! Gatewright pins the tools that MCP servers show to an AI agent, and says what moved since.
//!
//! An AI agent acts on text that it is handed at run time: the names, descriptions and schemas of the
//! tools that MCP servers publish. This crate pins that text by hashes (`agentgate.lock` v1) and says
//! what moved since it was pinned. It has no I/O, no clock and no randomness: the same input gives the
//! same bytes in every host.
//!
//! ```
//! use gatewright::{Server, build_lockfile, verify_lockfile};
//!
//! let reviewed = br#"{"tools":[{"name":"read","description":"Reads a file.","inputSchema":{"type":"object"}}]}"#;
//! let lockfile = build_lockfile(&[Server::new("fs", reviewed)?], "2026-08-03T12:00:00Z")?;
//!
//! let live = br#"{"tools":[{"name":"read","description":"Reads any file.","inputSchema":{"type":"object"}}]}"#;
//! let answer = verify_lockfile(lockfile.as_bytes(), &[Server::new("fs", live)?], false)?;
//! assert_eq!(answer.findings[0].rule, "description-changed");
//! # Ok::<(), gatewright::Error>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, reason = "some of what every part stands on only the command line uses")
)]

mod analysis;
mod canon;
#[cfg(feature = "cli")]
mod cli;
mod digest;
mod drift;
mod error;
mod finding;
mod lock;
mod number;
#[cfg(feature = "cli")]
mod report;
pub mod rules;
mod schema;
mod server;
mod snapshot;
mod source;
mod surface;
pub mod text;
pub mod wire;

pub use canon::canonicalize;
pub use digest::{Digest, digest};
pub use drift::{Change, ChangeKind, Counts, Drift, Edit, EditKind, Profile, classify_drift};
pub use error::{Code, Error};
pub use finding::{Finding, Severity};
pub use lock::{
    LOCKFILE_VERSION, Server, Verification, build_lockfile, parse_lockfile, update_lockfile, verify_lockfile,
};
pub use rules::{explain, rules};
pub use schema::{Overlap, Widening, Widenings, schema_overlap, schema_widenings};
pub use snapshot::{SNAPSHOT_VERSION, build_snapshot, check_snapshot};
pub use source::{Endpoint, Source, SourceKind, Transport};
pub use surface::{Json, Surface, SurfaceHashes, ToolHashes, ToolReport, hash_surface, hash_tool};

/// The version of this library, which lockfiles name as `agentgateVersion`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The specifications that this version implements.
pub const SPEC_VERSIONS: SpecVersions = SpecVersions { agentgate_lock: "1" };

/// The versions of the specifications, by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SpecVersions {
    /// Of the specification agentgate.lock.
    #[serde(rename = "agentgate.lock")]
    pub agentgate_lock: &'static str,
}
