//! Reading a snapshot: one of this library, or of mcplock.

use std::collections::BTreeMap;

use super::SNAPSHOT_VERSION;
use super::build::{GENERATED_BY, HASHES, hashes};
use super::unstable::{self, Unstable};
use crate::canon::{Writer, pass_over, refuse_duplicates};
use crate::error::{Code, Error};
use crate::surface::{Coverage, Surface, Tool};
use crate::text::escape::quoted;
use crate::text::pointer::Segment;
use crate::text::reader::{Fault, Kind, Outcome, Reader, document};
use crate::text::strings;
use crate::text::value::{Data, Object, Value};

/// A snapshot that was read.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) surface: Surface,
    pub(crate) server_id: Option<String>,
    pub(crate) created_at: Option<String>,
    pub(crate) updated_at: Option<String>,
    /// When each tool was first seen.
    pub(super) first_seen: BTreeMap<String, String>,
    pub(super) unstable: Vec<Unstable>,
    /// Absent where it was not known, or in another spelling.
    pub(super) endpoint: Option<PinnedEndpoint>,
    /// What mcplock keeps of how the server is reached: the command or URL as it was given.
    pub(crate) mcplock_connection: Option<String>,
}

/// How a pinned server was reached.
#[derive(Debug)]
pub(super) struct PinnedEndpoint {
    /// For people.
    pub(super) connection: Value,
    /// Over [`crate::Endpoint::identity`].
    pub(super) hash: Value,
    pub(super) source: Value,
    pub(super) transport: Value,
}

/// A tool's record: canonical JSON of its members.
#[derive(Default)]
struct Record {
    name: String,
    /// The raw members: description, schema, annotations, extras.
    raw: [Option<Vec<u8>>; 4],
    hashes: [Option<Vec<u8>>; 5],
    first_seen: Option<Vec<u8>>,
    offset: usize,
}

const RAW: [&str; 4] = ["raw_description", "raw_schema", "raw_annotations", "raw_extras"];

struct Read {
    top: Object,
    records: Vec<Record>,
    has_tools: bool,
}

impl Snapshot {
    pub(crate) fn parse(text: &[u8]) -> Result<Self, Error> {
        let Read { top, records, has_tools } = document(text, read)?;
        let is_mcplock = check_origin(&top, has_tools, text)?;
        let wrong = |record: &Record, key: &str, message: String| {
            let fault = Fault::new(Code::InvalidSnapshot, record.offset, message).inside(Segment::Key(key.to_owned()));
            fault.inside(Segment::Key(record.name.clone())).inside(Segment::Key("tools".to_owned())).into_error(text)
        };
        let known = if is_mcplock { 3 } else { 4 };
        for record in &records {
            if let Some((_, key)) = record.raw.iter().zip(RAW).take(known).find(|(raw, _)| raw.is_none()) {
                return Err(wrong(record, key, format!("the record of tool {} has no `{key}`", quoted(&record.name))));
            }
            if record.raw.last().and_then(Option::as_deref).is_some_and(|extras| !extras.starts_with(b"{")) {
                return Err(wrong(record, "raw_extras", "`raw_extras` is no object".to_owned()));
            }
        }
        let tools = records.iter().map(Record::tool);
        let mut surface = Surface::of_tools(tools)?;
        if is_mcplock {
            surface.coverage = Coverage::Mcplock;
        } else {
            for record in &records {
                let follow = hashes(&record.tool()).map(|digest| format!("\"{digest}\"").into_bytes());
                let differs =
                    record.hashes.iter().zip(&follow).position(|(stored, follows)| stored.as_ref() != Some(follows));
                if let Some(key) = differs.and_then(|place| HASHES.get(place)) {
                    let message = format!(
                        "`{key}` of tool {} does not follow from its text: the file was edited",
                        quoted(&record.name)
                    );
                    return Err(wrong(record, key, message).with_help("restore the file, if you have another copy"));
                }
            }
            let about = |key: &str| {
                let value = top.get(key).filter(|value| value.data != Data::Null)?;
                crate::canonicalize(value.to_compact().as_bytes()).ok().map(String::into_bytes)
            };
            surface.instructions = about("instructions");
            surface.server_info = about("server_info");
        }
        let text_of = |key: &str| top.get(key).and_then(Value::as_str).map(str::to_owned);
        let mut first_seen = BTreeMap::new();
        for record in records {
            if let Some(time) = record.first_seen.filter(|time| time.starts_with(b"\"")) {
                first_seen.insert(record.name, strings::decode(&time));
            }
        }
        Ok(Self {
            surface,
            server_id: text_of("server_id"),
            created_at: text_of("created_at"),
            updated_at: text_of("updated_at"),
            first_seen,
            unstable: unstable::from_value(top.get("unstable"))
                .ok_or_else(|| Error::new(Code::InvalidSnapshot, "`unstable` is no object of lists").at("/unstable"))?,
            endpoint: if is_mcplock { None } else { PinnedEndpoint::read(&top)? },
            mcplock_connection: if is_mcplock { text_of("connection") } else { None },
        })
    }
}

#[cfg(feature = "cli")]
impl Snapshot {
    /// At how many places its starts did not agree.
    pub(crate) fn unstable_count(&self) -> usize {
        self.unstable.len()
    }
}

impl PinnedEndpoint {
    /// Nothing if the snapshot says nothing of it. It says all of it or nothing.
    fn read(top: &Object) -> Result<Option<Self>, Error> {
        const KEYS: [&str; 4] = ["connection", "endpoint_hash", "source", "transport"];
        let members = KEYS.map(|key| top.get(key).filter(|value| value.data != Data::Null).cloned());
        match members {
            [Some(connection), Some(hash), Some(source), Some(transport)] => {
                Ok(Some(Self { connection, hash, source, transport }))
            }
            [None, None, None, None] => Ok(None),
            members => {
                let missing = KEYS.iter().zip(&members).find(|(_, member)| member.is_none());
                let key = missing.map_or("", |(key, _)| key);
                let message = format!("the snapshot tells how the server is reached, and has no `{key}`");
                Err(Error::new(Code::InvalidSnapshot, message).at(format!("/{key}")))
            }
        }
    }
}

impl Record {
    fn tool(&self) -> Tool<'_> {
        let [description, input_schema, annotations, extras] = &self.raw;
        Tool {
            name: &self.name,
            description: description.as_deref().unwrap_or(b"null"),
            input_schema: input_schema.as_deref().unwrap_or(b"null"),
            annotations: annotations.as_deref().unwrap_or(b"null"),
            extras: extras.as_deref().unwrap_or(b"{}"),
        }
    }
}

/// Whether mcplock wrote the file; it is refused if neither mcplock nor this library did, or a newer version.
fn check_origin(top: &Object, has_tools: bool, text: &[u8]) -> Result<bool, Error> {
    let version = |key: &str| top.get(key).and_then(Value::as_index);
    let newer = |key: &str, version: usize| {
        let message = format!("the snapshot's `{key}` is {version}, newer than the 1 that is understood");
        Error::new(Code::UnsupportedSnapshotVersion, message).with_help("update gatewright").at(format!("/{key}"))
    };
    let ours = top.get("generated_by").and_then(Value::as_str) == Some(GENERATED_BY);
    match (version("snapshot_version"), version("schema_version"), version("hash_model_version")) {
        (Some(own), None, None) if own > SNAPSHOT_VERSION as usize => Err(newer("snapshot_version", own)),
        (Some(1..), None, None) if ours && has_tools => Ok(false),
        (None, Some(schema), Some(_)) if schema > 1 && has_tools => Err(newer("schema_version", schema)),
        (None, Some(_), Some(model)) if model > 1 && has_tools => Err(newer("hash_model_version", model)),
        (None, Some(1), Some(1)) if has_tools => Ok(true),
        _ => {
            let fault = Fault::new(Code::ForeignSnapshot, 0, "the document is no snapshot of gatewright or mcplock");
            Err(fault.with_help("give a file that `gatewright snapshot` or `mcplock snapshot` wrote").into_error(text))
        }
    }
}

fn read(reader: &mut Reader<'_>) -> Outcome<Read> {
    let mut read = Read { top: Object::default(), records: Vec::new(), has_tools: false };
    if reader.kind()? != Kind::Object {
        pass_over(reader)?;
        return Ok(read);
    }
    let mut writer = Writer::default();
    let mut keys = Vec::new();
    reader.object(|reader, key| {
        let name = strings::decode(key.raw);
        if name == "tools" && reader.kind()? == Kind::Object {
            read.has_tools = true;
            read_records(reader, &mut writer, &mut read.records)?;
        } else {
            read.top.set(&name, Value::read(reader)?);
        }
        keys.push((name, key.offset));
        Ok(())
    })?;
    refuse_duplicates(keys, reader)?;
    Ok(read)
}

fn read_records(reader: &mut Reader<'_>, writer: &mut Writer, records: &mut Vec<Record>) -> Outcome<()> {
    let mut keys = Vec::new();
    reader.object(|reader, key| {
        let mut record = Record { name: strings::decode(key.raw), offset: key.offset, ..Record::default() };
        if reader.kind()? != Kind::Object {
            let kind = reader.kind()?;
            pass_over(reader)?;
            let message = format!("the record of a tool is {}, not an object", kind.noun());
            return Err(Fault::new(Code::InvalidSnapshot, key.offset, message));
        }
        for member in writer.object_members(reader)?.to_vec() {
            let bytes = |range: core::ops::Range<usize>| writer.out.get(range).unwrap_or_default();
            let value = bytes(member.value()).to_vec();
            let name = strings::decode(bytes(member.key()));
            let slot = match RAW.iter().position(|raw| *raw == name) {
                Some(place) => record.raw.get_mut(place),
                None if name == "first_seen" => Some(&mut record.first_seen),
                None => HASHES.iter().position(|hash| *hash == name).and_then(|place| record.hashes.get_mut(place)),
            };
            if let Some(slot) = slot {
                *slot = Some(value);
            }
        }
        keys.push((record.name.clone(), key.offset));
        records.push(record);
        Ok(())
    })?;
    refuse_duplicates(keys, reader)
}
