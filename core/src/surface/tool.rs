//! One tool: its members taken apart, and the messages that are hashed.

use core::ops::Range;

use serde::Serialize;

use super::Detail;
use super::batch::Batch;
use crate::canon::{Member, Writer, pass_over};
use crate::digest::Digest;
use crate::error::{Code, Error};
use crate::text::pointer::Segment;
use crate::text::reader::{Fault, Kind, Outcome, Reader, document};
use crate::text::strings;

/// The four hashes that `agentgate.lock` keeps of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolHashes {
    /// Over `{"description": …, "inputSchema": …, "name": …}`; what is absent counts as `null`.
    pub hash: Digest,
    /// Over the name.
    pub name_hash: Digest,
    /// Over the description.
    pub description_hash: Digest,
    /// Over the input schema.
    pub input_schema_hash: Digest,
}

/// The hashes of what the specification of `agentgate.lock` leaves out of a tool and a model may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BeyondHashes {
    pub(crate) annotations_hash: Digest,
    /// Over the tool without name, description, inputSchema and annotations.
    pub(crate) extras_hash: Digest,
}

/// All hashes of one tool: the lockfile's four, and the two more that a snapshot keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolReport {
    /// The lockfile's four.
    #[serde(flatten)]
    pub lockfile: ToolHashes,
    /// Over `{"description": …, "inputSchema": …}`: whether what the tool means has changed.
    pub content_hash: Digest,
    /// Over the annotations, `null` if there are none.
    pub annotations_hash: Digest,
}

/// The hashes of one tool.
///
/// # Errors
/// Those of [`crate::canonicalize`], and `invalid-tool`.
///
/// ```
/// let hashes = gatewright::hash_tool(br#"{"name":"ping","description":"","inputSchema":{}}"#)?;
/// assert_eq!(
///     hashes.lockfile.hash.to_string(),
///     "sha256:35abed201f560ee252b2277201026c367e4db8c6a369b74784f040686dcfc3dc",
/// );
/// # Ok::<(), gatewright::Error>(())
/// ```
pub fn hash_tool(tool: &[u8]) -> Result<ToolReport, Error> {
    document(tool, |reader| {
        let mut writer = Writer::default();
        let parts = Parts::read(reader, &mut writer)?;
        let mut batch = Batch::new(Detail::Everything);
        let description = or_null(parts.description.as_ref(), &writer.out);
        let content_hash = Digest::of(&content_of(description, or_null(parts.input_schema.as_ref(), &writer.out)));
        batch.add(&parts, &writer.out);
        let (lockfile, beyond) = batch.finish().into_iter().next().ok_or_else(no_hashes)?;
        let annotations_hash = beyond.ok_or_else(no_hashes)?.annotations_hash;
        Ok(ToolReport { lockfile, content_hash, annotations_hash })
    })
}

fn no_hashes() -> Fault {
    Fault::new(Code::InternalError, 0, "a tool was not hashed")
}

/// Where a tool's members stand in the buffer of the writer that read it.
pub(super) struct Parts {
    pub(super) name: Range<usize>,
    pub(super) description: Option<Range<usize>>,
    pub(super) input_schema: Option<Range<usize>>,
    pub(super) annotations: Option<Range<usize>>,
    /// Whole members, key and value, in canonical order.
    pub(super) extras: Vec<Range<usize>>,
}

impl Parts {
    /// Reads the tool that comes next.
    pub(super) fn read(reader: &mut Reader<'_>, writer: &mut Writer) -> Outcome<Self> {
        let kind = reader.kind()?;
        let offset = reader.at();
        if kind != Kind::Object {
            pass_over(reader)?;
            let message = format!("a tool is {}, not an object", kind.noun());
            return Err(Fault::new(Code::InvalidTool, offset, message));
        }
        let members: Vec<Member> = writer.object_members(reader)?.to_vec();
        let mut name = None;
        let (mut description, mut input_schema, mut annotations) = (None, None, None);
        let mut extras = Vec::new();
        for member in members {
            match writer.out.get(member.key()).unwrap_or_default() {
                b"\"name\"" => name = Some(member),
                b"\"description\"" => description = Some(member.value()),
                b"\"inputSchema\"" => input_schema = Some(member.value()),
                b"\"annotations\"" => annotations = Some(member.value()),
                _ => extras.push(member.whole()),
            }
        }
        let Some(name) = name else {
            return Err(Fault::new(Code::InvalidTool, offset, "a tool has no `name`"));
        };
        if !writer.out.get(name.value()).unwrap_or_default().starts_with(b"\"") {
            let fault = Fault::new(Code::InvalidTool, name.source(), "the name of a tool is not a string");
            return Err(fault.inside(Segment::Key("name".to_owned())));
        }
        Ok(Self { name: name.value(), description, input_schema, annotations, extras })
    }

    pub(super) fn name(&self, out: &[u8]) -> String {
        strings::decode(out.get(self.name.clone()).unwrap_or_default())
    }
}

/// What a content hash covers (mcplock 0.1.1, "Hash model"), of canonical members.
pub(crate) fn content_of(description: &[u8], input_schema: &[u8]) -> Vec<u8> {
    [b"{\"description\":", description, b",\"inputSchema\":", input_schema, b"}"].concat()
}

/// The bytes of a member's value; an absent one counts as `null`.
pub(super) fn or_null<'a>(range: Option<&Range<usize>>, out: &'a [u8]) -> &'a [u8] {
    range.map_or(b"null", |range| out.get(range.clone()).unwrap_or_default())
}
