//! Gatewright.
pub mod canon;
pub mod digest;
pub mod error;
mod number;
pub mod surface;
pub mod text;
pub mod wire;
pub use canon::canonicalize;
pub use digest::{Digest, digest};
pub use error::Error;
pub use surface::{SurfaceHashes, ToolHashes, ToolReport, hash_surface, hash_tool};
