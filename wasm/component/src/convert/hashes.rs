//! The hashes of tools and surfaces.

use crate::bindings::exports::gatewright::core::types::{NamedTool, SurfaceHashes, ToolHashes, ToolReport};

impl From<gatewright::ToolHashes> for ToolHashes {
    fn from(hashes: gatewright::ToolHashes) -> Self {
        let gatewright::ToolHashes { hash, name_hash, description_hash, input_schema_hash } = hashes;
        Self {
            hash: hash.to_string(),
            name_hash: name_hash.to_string(),
            description_hash: description_hash.to_string(),
            input_schema_hash: input_schema_hash.to_string(),
        }
    }
}

impl From<gatewright::ToolReport> for ToolReport {
    fn from(report: gatewright::ToolReport) -> Self {
        let gatewright::ToolReport { lockfile, content_hash, annotations_hash } = report;
        let ToolHashes { hash, name_hash, description_hash, input_schema_hash } = lockfile.into();
        Self {
            hash,
            name_hash,
            description_hash,
            input_schema_hash,
            content_hash: content_hash.to_string(),
            annotations_hash: annotations_hash.to_string(),
        }
    }
}

impl From<gatewright::SurfaceHashes> for SurfaceHashes {
    fn from(hashes: gatewright::SurfaceHashes) -> Self {
        let gatewright::SurfaceHashes { tool_surface_hash, tools } = hashes;
        Self {
            tool_surface_hash: tool_surface_hash.to_string(),
            tools: tools.into_iter().map(|(name, hashes)| NamedTool { name, hashes: hashes.into() }).collect(),
        }
    }
}
