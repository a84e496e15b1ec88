//! What moved between two surfaces, field by field, without a judgement.

use serde::Serialize;

use super::words::Edit;
use crate::surface::Json;
use crate::text::value::Value;

/// How something moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// A tool that was not there.
    Added,
    /// A tool that is gone.
    Removed,
    /// A tool under another name: `before` and `after` are the names.
    Renamed,
    /// A field of a tool, or of the server.
    Changed,
}

/// One thing that moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// How it moved.
    pub kind: ChangeKind,
    /// The tool in question, by its name now; none for what belongs to the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Where it is, as a JSON Pointer into a surface whose tools are members of `tools`, by their names.
    pub pointer: String,
    /// What was there; absent if there was nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Json>,
    /// What is there now; absent if there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Json>,
    /// The difference of two texts, word by word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Edit>,
}

/// What a change is about. Rules say which they read, profiles which they look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    /// Where the server comes from: registry, package, version.
    Source,
    /// How it is reached.
    Endpoint,
    /// Its name and version, as it tells them.
    ServerInfo,
    Instructions,
    /// A whole tool: that it is there, and its name.
    Tool,
    Annotations,
    InputSchema,
    Description,
    Title,
    OutputSchema,
    Meta,
    /// A member that has no rule of its own.
    Other,
}

impl Subject {
    /// What a member of a tool beyond those that `mcplock` looks at is about.
    pub(crate) fn of_member(key: &str) -> Self {
        match key {
            "title" => Self::Title,
            "outputSchema" => Self::OutputSchema,
            "_meta" => Self::Meta,
            _ => Self::Other,
        }
    }

    /// Whether `null` is another thing than nothing. Where it is not, hashes do not tell the two apart either.
    pub(crate) fn tells_null_from_nothing(self) -> bool {
        matches!(self, Self::Title | Self::OutputSchema | Self::Meta | Self::Other)
    }

    /// Whether its value is a JSON Schema.
    pub(crate) fn is_schema(self) -> bool {
        matches!(self, Self::InputSchema | Self::OutputSchema)
    }
}

/// A field that moved.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) subject: Subject,
    pub(crate) pointer: String,
    pub(crate) before: Value,
    pub(crate) after: Value,
    /// Whether the two mean the same.
    pub(crate) is_neutral: bool,
    /// Whether a side is too large to be taken apart, so that no rule can read it.
    pub(crate) is_opaque: bool,
    /// The places in it that moved.
    pub(crate) changes: Vec<Change>,
}
