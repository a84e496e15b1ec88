//! A server's tool surface: what its tools/list says, pinned by hashes (agentgate.lock v1, "Hashing rules").
//!
//! From bytes to hashes no document is built: each tool's canonical form passes through one small buffer
//! and is forgotten.

mod batch;
mod read;
mod text;
mod tool;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::digest::{self, Digest};
use crate::error::Error;
use crate::text::reader::{Outcome, Reader};
use crate::text::strings;
use read::{Keep, Listed};

pub(crate) use text::{Coverage, Tool};
pub use text::{Json, Surface};
pub(crate) use tool::content_of;
pub use tool::{ToolHashes, ToolReport, hash_tool};

/// What a reader of a surface wants of each tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The four hashes of the lockfile's specification.
    Lockfile,
    /// Also those of the fields that the specification leaves out and a model sees.
    Everything,
}

/// A tool, pinned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PinnedTool {
    pub(crate) name: String,
    pub(crate) hashes: ToolHashes,
    /// Absent where only [`Detail::Lockfile`] was asked for.
    pub(crate) beyond: Option<Box<tool::BeyondHashes>>,
}

/// A whole surface, pinned; the tools are in order of their names, by UTF-16 code units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PinnedSurface {
    pub(crate) tools: Vec<PinnedTool>,
    pub(crate) instructions_hash: Digest,
}

impl PinnedSurface {
    /// Reads a surface: an array of tools, an object with `tools`, or a JSON-RPC response around one.
    pub(crate) fn read(document: &[u8], detail: Detail) -> Result<Self, Error> {
        Self::read_pages(&[document], None, detail)
    }

    /// Reads the pages of one tools/list; `init` is an object that may have the server's `instructions`.
    pub(crate) fn read_pages(pages: &[&[u8]], init: Option<&[u8]>, detail: Detail) -> Result<Self, Error> {
        Ok(Self::of_listed(read::pages(pages, init, Some(detail))?))
    }

    /// Reads the surface that comes next in a larger document.
    pub(crate) fn read_inside(reader: &mut Reader<'_>, detail: Detail) -> Outcome<Self> {
        Ok(Self::of_listed(read::one(reader, Some(detail))?))
    }

    fn of_listed(listed: Listed) -> Self {
        let mut hashes = Vec::new();
        for page in listed.keeps.into_iter().map(Keep::into_hashes) {
            if hashes.is_empty() { hashes = page } else { hashes.extend(page) }
        }
        let tools = listed.names.into_iter().filter_map(|(name, order)| {
            let (hashes, beyond) = hashes.get_mut(order)?;
            Some(PinnedTool { name, hashes: *hashes, beyond: beyond.take() })
        });
        let instructions_hash = Digest::of(listed.instructions.as_deref().unwrap_or(b"null"));
        Self { tools: tools.collect(), instructions_hash }
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&PinnedTool> {
        let found = self.tools.binary_search_by(|tool| strings::compare_utf16(&tool.name, name)).ok()?;
        self.tools.get(found)
    }

    /// The hash of the JCS array of the tools' hashes, in order of their names.
    pub(crate) fn hash(&self) -> Digest {
        surface_hash(self.tools.iter().map(|tool| tool.hashes.hash))
    }
}

/// The hash of the JCS array of these digests, which come in order of their tools' names.
pub(crate) fn surface_hash(hashes: impl Iterator<Item = Digest>) -> Digest {
    let mut array = Vec::with_capacity(2 + hashes.size_hint().0 * (digest::TEXT_LENGTH + 3));
    array.push(b'[');
    for (index, hash) in hashes.enumerate() {
        array.extend_from_slice(if index > 0 { b",\"" } else { b"\"" });
        hash.write(&mut array);
        array.push(b'"');
    }
    array.push(b']');
    Digest::of(&array)
}

/// The hashes of a surface, as `agentgate.lock` pins them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SurfaceHashes {
    /// One hash over all tools.
    pub tool_surface_hash: Digest,
    /// Each tool's name and hashes, in order of the names by UTF-16 code units.
    #[serde(serialize_with = "as_map")]
    pub tools: Vec<(String, ToolHashes)>,
}

fn as_map<S: Serializer>(tools: &[(String, ToolHashes)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(tools.len()))?;
    for (name, hashes) in tools {
        map.serialize_entry(name, hashes)?;
    }
    map.end()
}

/// The hashes of a surface: an array of tools, an object with `tools`, or a JSON-RPC response around one.
///
/// # Errors
/// Those of [`crate::canonicalize`], and `not-a-surface`, `incomplete-surface` (a page that says more
/// follow), `invalid-tool`, `duplicate-tool`, `too-many-tools`.
///
/// ```
/// let surface = br#"{"tools":[{"name":"ping","description":"","inputSchema":{}}]}"#;
/// let hashes = gatewright::hash_surface(surface)?;
/// assert_eq!(
///     hashes.tool_surface_hash.to_string(),
///     "sha256:5083a09e79cc1a2e5d21c0aa26db614ca9bc03233b5b327fa8d93cda596cae25",
/// );
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn hash_surface(surface: &[u8]) -> Result<SurfaceHashes, Error> {
    let pinned = PinnedSurface::read(surface, Detail::Lockfile)?;
    let tool_surface_hash = pinned.hash();
    let tools = pinned.tools.into_iter().map(|tool| (tool.name, tool.hashes)).collect();
    Ok(SurfaceHashes { tool_surface_hash, tools })
}
