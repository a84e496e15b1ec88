//! Hashing in batches: the messages of several tools are laid into one buffer and hashed together,
//! which lets WebAssembly hash them side by side.

use core::ops::Range;

use super::Detail;
use super::tool::{BeyondHashes, Parts, ToolHashes, or_null};
use crate::digest::{self, Digest};

/// Messages are hashed once they fill this many bytes, so that they are still in the processor's cache.
const BATCH_BYTES: usize = 64 * 1024;

pub(super) struct Batch {
    detail: Detail,
    buffer: Vec<u8>,
    messages: Vec<Range<usize>>,
    digests: Vec<Digest>,
    hashed: Vec<(ToolHashes, Option<Box<BeyondHashes>>)>,
}

impl Batch {
    pub(super) fn new(detail: Detail) -> Self {
        Self { detail, buffer: Vec::new(), messages: Vec::new(), digests: Vec::new(), hashed: Vec::new() }
    }

    /// Adds a tool whose members stand in `out`.
    ///
    /// The whole tool is laid down once; description, schema and name are hashed where they stand in it.
    pub(super) fn add(&mut self, parts: &Parts, out: &[u8]) {
        let start = self.buffer.len();
        self.buffer.extend_from_slice(b"{\"description\":");
        let description = self.push(or_null(parts.description.as_ref(), out));
        self.buffer.extend_from_slice(b",\"inputSchema\":");
        let input_schema = self.push(or_null(parts.input_schema.as_ref(), out));
        self.buffer.extend_from_slice(b",\"name\":");
        let name = self.push(out.get(parts.name.clone()).unwrap_or_default());
        self.buffer.push(b'}');
        self.messages.extend([start..self.buffer.len(), name, description, input_schema]);
        if self.detail == Detail::Everything {
            let annotations = self.push(or_null(parts.annotations.as_ref(), out));
            let extras = self.buffer.len();
            self.buffer.push(b'{');
            for (index, member) in parts.extras.iter().enumerate() {
                if index > 0 {
                    self.buffer.push(b',');
                }
                self.buffer.extend_from_slice(out.get(member.clone()).unwrap_or_default());
            }
            self.buffer.push(b'}');
            self.messages.extend([annotations, extras..self.buffer.len()]);
        }
        if self.buffer.len() >= BATCH_BYTES {
            self.hash();
        }
    }

    fn push(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.buffer.len();
        self.buffer.extend_from_slice(bytes);
        start..self.buffer.len()
    }

    fn hash(&mut self) {
        self.digests.clear();
        self.digests.resize(self.messages.len(), Digest::ZERO);
        digest::of_each(&self.buffer, &self.messages, |index, digest| {
            if let Some(place) = self.digests.get_mut(index) {
                *place = digest;
            }
        });
        let of_a_tool = |hash, name_hash, description_hash, input_schema_hash| ToolHashes {
            hash,
            name_hash,
            description_hash,
            input_schema_hash,
        };
        match self.detail {
            Detail::Lockfile => self.hashed.extend(
                self.digests.as_chunks::<4>().0.iter().map(|[tool, n, d, s]| (of_a_tool(*tool, *n, *d, *s), None)),
            ),
            Detail::Everything => {
                self.hashed.extend(self.digests.as_chunks::<6>().0.iter().map(
                    |[tool, n, d, s, annotations, extras]| {
                        let beyond = BeyondHashes { annotations_hash: *annotations, extras_hash: *extras };
                        (of_a_tool(*tool, *n, *d, *s), Some(Box::new(beyond)))
                    },
                ));
            }
        }
        self.buffer.clear();
        self.messages.clear();
    }

    /// The hashes of the tools, in the order in which they were added.
    pub(super) fn finish(mut self) -> Vec<(ToolHashes, Option<Box<BeyondHashes>>)> {
        self.hash();
        self.hashed
    }
}
