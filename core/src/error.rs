//! The one error of the library, and the table of its codes.
//!
//! An error is misuse or unreadable input. What a check *finds* is data, never an error. Every code has
//! a vector under `tests/vectors/`.

use core::fmt;

use serde::{Serialize, Serializer};

use crate::text::escape;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// A stable, machine-readable reason. Its text (`Code::as_str`) is what every host shows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Code { $($(#[doc = $doc])+ $variant,)+ }

        impl Code {
            /// Every code, in the order of this table.
            pub const ALL: &'static [Code] = &[$(Code::$variant),+];

            /// The kebab-case text of the code.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $name),+ }
            }

            /// One sentence on when the code is given.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Code::$variant => concat!($($doc),+).trim_ascii()),+ }
            }
        }
    };
}

codes! {
    /// The text is not JSON.
    InvalidJson = "invalid-json",
    /// Something other than white space follows the JSON value.
    TrailingText = "trailing-text",
    /// The bytes are not UTF-8.
    InvalidUtf8 = "invalid-utf8",
    /// The text starts with a byte-order mark.
    ByteOrderMark = "byte-order-mark",
    /// An object has the same key twice.
    DuplicateKey = "duplicate-key",
    /// A string holds half of a surrogate pair, which has no UTF-8 form.
    LoneSurrogate = "lone-surrogate",
    /// A number is beyond the range of a double.
    NumberOutOfRange = "number-out-of-range",
    /// Containers are nested deeper than 128.
    TooDeep = "too-deep",
    /// The document is larger than 64 MiB, or a lockfile or config has more than 4,000,000 values.
    DocumentTooLarge = "document-too-large",
    /// A surface has more than 100,000 tools.
    TooManyTools = "too-many-tools",
    /// A host's object has no JSON form.
    NotJson = "not-json",
    /// The value is no tool surface.
    NotASurface = "not-a-surface",
    /// A tools/list result says that more pages follow.
    IncompleteSurface = "incomplete-surface",
    /// A tool is no object with a name.
    InvalidTool = "invalid-tool",
    /// Two tools of a surface have the same name.
    DuplicateTool = "duplicate-tool",
    /// The list of servers, or one of them, has the wrong shape.
    InvalidServer = "invalid-server",
    /// Two servers have the same name.
    DuplicateServer = "duplicate-server",
    /// The lockfile has the wrong shape.
    InvalidLockfile = "invalid-lockfile",
    /// The lockfile is of a newer version than this library understands.
    UnsupportedLockfileVersion = "unsupported-lockfile-version",
    /// The lockfile is in the other format of the npm package mcp-agentgate.
    ForeignLockfile = "foreign-lockfile",
    /// The snapshot has the wrong shape, or contradicts itself.
    InvalidSnapshot = "invalid-snapshot",
    /// The snapshot is of a newer version than this library understands.
    UnsupportedSnapshotVersion = "unsupported-snapshot-version",
    /// The document is a snapshot neither of gatewright nor of mcplock.
    ForeignSnapshot = "foreign-snapshot",
    /// An argument or option has the wrong shape.
    InvalidArgument = "invalid-argument",
    /// There is no rule of that name.
    UnknownRule = "unknown-rule",
    /// There is no operation of that name.
    UnknownOperation = "unknown-operation",
    /// A defect of this library; please report it.
    InternalError = "internal-error",
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What was wrong, how to mend it, and where.
///
/// `message` and `help` are single lines, safe to print to a terminal: what they quote of the input is
/// escaped and cut short.
///
/// ```
/// let error = gatewright::canonicalize(br#"{"a":1,"a":2}"#).unwrap_err();
/// assert_eq!(error.code().as_str(), "duplicate-key");
/// assert_eq!((error.pointer(), error.line(), error.column()), (Some("/a"), Some(1), Some(8)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Error {
    code: Code,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
}

impl Error {
    /// An error with a place yet to be told.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, pointer: None, line: None, column: None }
    }

    /// Adds how to mend it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds how to mend it, if that is not told yet.
    pub(crate) fn or_help(self, help: &str) -> Self {
        if self.help.is_some() { self } else { self.with_help(help) }
    }

    /// Adds the JSON Pointer (RFC 6901) of the value in question.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Says in which of several documents it is.
    pub(crate) fn within(mut self, document: &str) -> Self {
        self.message = format!("{document}: {}", self.message);
        self
    }

    pub(crate) fn on(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// The stable reason.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// What is wrong: one sentence, lower case, without a full stop.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// How to mend it, where there is more to say than the message does.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The JSON Pointer of the value in question; `""` is the whole document.
    #[must_use]
    pub fn pointer(&self) -> Option<&str> {
        self.pointer.as_deref()
    }

    /// The line, counted from 1; a line ends with U+000A.
    #[must_use]
    pub const fn line(&self) -> Option<u32> {
        self.line
    }

    /// The column, counted in characters from 1.
    #[must_use]
    pub const fn column(&self) -> Option<u32> {
        self.column
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, " (line {line}, column {column}")?;
            match self.pointer() {
                None | Some("") => f.write_str(")"),
                Some(pointer) => write!(f, ", at {})", escape::quoted(pointer)),
            }?;
        } else if let Some(pointer) = self.pointer().filter(|pointer| !pointer.is_empty()) {
            write!(f, " (at {})", escape::quoted(pointer))?;
        }
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn codes_are_unique_and_kebab_case() {
        for (index, code) in Code::ALL.iter().enumerate() {
            let text = code.as_str();
            assert!(text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{text}");
            assert!(Code::ALL.iter().skip(index + 1).all(|other| other.as_str() != text), "{text}");
            assert!(code.summary().ends_with('.') || code.summary().ends_with("it"), "{text}");
        }
    }
}
