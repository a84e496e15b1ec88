//! The bounds on hostile input. They are the same in every host and cannot be raised: an answer that
//! depends on a setting is two answers.

/// The largest document, in bytes of UTF-8: 64 MiB.
pub const MAX_DOCUMENT_BYTES: usize = 64 * 1024 * 1024;

/// How many containers (arrays and objects) may be nested: 128 pass, 129 do not.
pub const MAX_DEPTH: u32 = 128;

/// How many tools one surface may have.
pub const MAX_TOOLS: usize = 100_000;

/// How many values a lockfile, a config or an options object may have: three times what a lockfile of
/// 100,000 tools has. A tree takes some 100 bytes for each.
pub(crate) const MAX_TREE_VALUES: usize = 4_000_000;

/// The longest JSON Pointer in an error, in bytes. Beyond it the pointer names the nearest ancestor that fits.
pub(crate) const MAX_POINTER_BYTES: usize = 4096;
