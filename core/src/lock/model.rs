//! A lockfile as it was read: the whole tree, kept for writing, and a checked view of what is pinned.

use crate::digest::Digest;
use crate::error::{Code, Error};
use crate::text::escape::quoted;
use crate::text::strings;
use crate::text::value::{Data, Object, Value};

use super::{GENERATED_BY, LOCKFILE_VERSION};

pub(super) struct Lockfile {
    root: Object,
    /// Whether the file says that this library wrote it.
    pub(super) is_ours: bool,
    /// In order of their names.
    pub(super) servers: Vec<LockedServer>,
}

pub(super) struct LockedServer {
    pub(super) name: String,
    pub(super) source: Option<LockedSource>,
    pub(super) transport: Option<String>,
    pub(super) surface_hash: Digest,
    /// In order of their names.
    pub(super) tools: Vec<LockedTool>,
    pub(super) beyond: Option<LockedBeyond>,
}

pub(super) struct LockedSource {
    pub(super) kind: String,
    pub(super) package: Option<String>,
    pub(super) version: Option<String>,
}

pub(super) struct LockedTool {
    pub(super) name: String,
    pub(super) hash: Digest,
    pub(super) name_hash: Digest,
    pub(super) description_hash: Digest,
    pub(super) input_schema_hash: Digest,
}

/// The extra field `gatewright`.
pub(super) struct LockedBeyond {
    pub(super) endpoint_hash: Option<Digest>,
    pub(super) instructions_hash: Option<Digest>,
    pub(super) tools: Vec<LockedBeyondTool>,
}

impl LockedBeyond {
    pub(super) fn tool(&self, name: &str) -> Option<&LockedBeyondTool> {
        let found = self.tools.binary_search_by(|tool| strings::compare_utf16(&tool.name, name)).ok()?;
        self.tools.get(found)
    }
}

pub(super) struct LockedBeyondTool {
    pub(super) name: String,
    pub(super) annotations_hash: Digest,
    pub(super) extras_hash: Digest,
}

impl Lockfile {
    pub(super) fn parse(text: &[u8]) -> Result<Self, Error> {
        let root = Value::parse(text).map_err(|error| error.or_help(RESTORE))?;
        let servers = View { text }.servers(&root)?;
        match root.data {
            Data::Object(root) => {
                let is_ours = root.get("generatedBy").and_then(Value::as_str) == Some(GENERATED_BY);
                Ok(Self { root, is_ours, servers })
            }
            // The view has refused what is no object.
            _ => Err(Error::new(Code::InternalError, "a lockfile was read that is no object")),
        }
    }

    pub(super) fn into_value(self) -> Value {
        self.root.into()
    }

    pub(super) fn into_root(self) -> Object {
        self.root
    }

    pub(super) fn server(&self, name: &str) -> Option<&LockedServer> {
        let found = self.servers.binary_search_by(|server| strings::compare_utf16(&server.name, name)).ok()?;
        self.servers.get(found)
    }
}

const RESTORE: &str =
    "restore the file from version control, or delete it and run `gatewright lock` again after a review";

/// Reads the tree and says where it is wrong.
struct View<'a> {
    text: &'a [u8],
}

impl View<'_> {
    fn wrong(&self, value: &Value, message: String, path: &[&str]) -> Error {
        value.error(Code::InvalidLockfile, message, self.text, path).with_help(RESTORE)
    }

    fn object<'v>(&self, value: &'v Value, path: &[&str]) -> Result<&'v Object, Error> {
        value.as_object().ok_or_else(|| {
            let what = path.last().map_or_else(|| "the lockfile".to_owned(), |key| quoted(key));
            self.wrong(value, format!("{what} is {}, not an object", value.noun()), path)
        })
    }

    fn member<'v>(&self, value: &'v Value, path: &[&str], key: &str) -> Result<&'v Value, Error> {
        self.object(value, path)?
            .get(key)
            .ok_or_else(|| self.wrong(value, format!("the member `{key}` is missing"), path))
    }

    fn text<'v>(&self, value: &'v Value, path: &[&str]) -> Result<&'v str, Error> {
        value.as_str().ok_or_else(|| {
            let key = path.last().map(|key| quoted(key)).unwrap_or_default();
            self.wrong(value, format!("{key} is {}, not a string", value.noun()), path)
        })
    }

    fn optional_text(&self, parent: &Value, path: &[&str], key: &str) -> Result<Option<String>, Error> {
        match self.object(parent, path)?.get(key) {
            None => Ok(None),
            Some(value) => self.text(value, &[path, &[key]].concat()).map(|text| Some(text.to_owned())),
        }
    }

    fn digest(&self, value: &Value, path: &[&str]) -> Result<Digest, Error> {
        let text = self.text(value, path)?;
        Digest::parse(text).ok_or_else(|| {
            let key = path.last().map(|key| quoted(key)).unwrap_or_default();
            self.wrong(value, format!("{key} is not `sha256:` and 64 lower-case hex digits"), path)
        })
    }

    fn digest_member(&self, parent: &Value, path: &[&str], key: &str) -> Result<Digest, Error> {
        self.digest(self.member(parent, path, key)?, &[path, &[key]].concat())
    }

    fn optional_digest(&self, parent: &Value, path: &[&str], key: &str) -> Result<Option<Digest>, Error> {
        match self.object(parent, path)?.get(key) {
            None => Ok(None),
            Some(value) => self.digest(value, &[path, &[key]].concat()).map(Some),
        }
    }

    fn servers(&self, root: &Value) -> Result<Vec<LockedServer>, Error> {
        let top = self.object(root, &[])?;
        self.refuse_foreign(top)?;
        self.check_version(self.member(root, &[], "lockfileVersion")?)?;
        for key in ["generatedAt", "agentgateVersion", "generatedBy"] {
            self.optional_text(root, &[], key)?;
        }
        let servers = self.object(self.member(root, &[], "servers")?, &["servers"])?;
        servers.iter().map(|(name, server)| self.server(name, server)).collect()
    }

    /// The npm package mcp-agentgate writes another format under the same version number.
    fn refuse_foreign(&self, top: &Object) -> Result<(), Error> {
        let servers = top.get("servers").and_then(Value::as_object);
        for (name, server) in servers.into_iter().flat_map(Object::iter) {
            let Some(entry) = server.as_object() else { continue };
            let has_its_shape =
                entry.get("surfaceHash").is_some() || entry.get("tools").is_some_and(|t| t.as_array().is_some());
            if has_its_shape && entry.get("toolSurfaceHash").is_none() {
                let message = "the lockfile is in the format of the npm package mcp-agentgate, which is not read yet";
                return Err(server
                    .error(Code::ForeignLockfile, message.to_owned(), self.text, &["servers", name])
                    .with_help("keep it under another name and run `gatewright lock` to write one of this format"));
            }
        }
        Ok(())
    }

    fn check_version(&self, value: &Value) -> Result<(), Error> {
        let path = ["lockfileVersion"];
        let number = value.as_f64().filter(|version| version.fract() == 0.0 && *version >= 1.0);
        let Some(number) = number else {
            return Err(self.wrong(value, "`lockfileVersion` is no whole number from 1 on".to_owned(), &path));
        };
        if number > f64::from(LOCKFILE_VERSION) {
            let version = crate::text::escape::line(&value.to_compact());
            let message = format!(
                "the lockfile is of version {version}, newer than the version {LOCKFILE_VERSION} that is understood"
            );
            return Err(value
                .error(Code::UnsupportedLockfileVersion, message, self.text, &path)
                .with_help("update gatewright"));
        }
        Ok(())
    }

    fn server(&self, name: &str, server: &Value) -> Result<LockedServer, Error> {
        let path = ["servers", name];
        let entry = self.object(server, &path)?;
        let tools_path = ["servers", name, "tools"];
        let tools = self.object(self.member(server, &path, "tools")?, &tools_path)?;
        Ok(LockedServer {
            name: name.to_owned(),
            source: entry.get("source").map(|source| self.source(source, &["servers", name, "source"])).transpose()?,
            transport: self.optional_text(server, &path, "transport")?,
            surface_hash: self.digest_member(server, &path, "toolSurfaceHash")?,
            tools: tools
                .iter()
                .map(|(tool, value)| self.tool(tool, value, &["servers", name, "tools", tool]))
                .collect::<Result<_, _>>()?,
            beyond: entry.get("gatewright").map(|value| self.beyond(value, name)).transpose()?,
        })
    }

    fn source(&self, source: &Value, path: &[&str]) -> Result<LockedSource, Error> {
        let kind = self.member(source, path, "type")?;
        Ok(LockedSource {
            kind: self.text(kind, &[path, &["type"]].concat())?.to_owned(),
            package: self.optional_text(source, path, "package")?,
            version: self.optional_text(source, path, "version")?,
        })
    }

    fn tool(&self, name: &str, tool: &Value, path: &[&str]) -> Result<LockedTool, Error> {
        Ok(LockedTool {
            name: name.to_owned(),
            hash: self.digest_member(tool, path, "hash")?,
            name_hash: self.digest_member(tool, path, "nameHash")?,
            description_hash: self.digest_member(tool, path, "descriptionHash")?,
            input_schema_hash: self.digest_member(tool, path, "inputSchemaHash")?,
        })
    }

    fn beyond(&self, value: &Value, server: &str) -> Result<LockedBeyond, Error> {
        let path = ["servers", server, "gatewright"];
        let tools_path = ["servers", server, "gatewright", "tools"];
        let tools = self.object(self.member(value, &path, "tools")?, &tools_path)?;
        let tool = |(name, tool): (&str, &Value)| {
            let path = ["servers", server, "gatewright", "tools", name];
            Ok(LockedBeyondTool {
                name: name.to_owned(),
                annotations_hash: self.digest_member(tool, &path, "annotationsHash")?,
                extras_hash: self.digest_member(tool, &path, "extrasHash")?,
            })
        };
        Ok(LockedBeyond {
            endpoint_hash: self.optional_digest(value, &path, "endpointHash")?,
            instructions_hash: self.optional_digest(value, &path, "instructionsHash")?,
            tools: tools.iter().map(tool).collect::<Result<_, Error>>()?,
        })
    }
}
