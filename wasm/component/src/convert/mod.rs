//! The records of `wit/` and the core's types, one into the other.
//!
//! Every `match` names all cases and every record is taken apart whole, so that what is new in the core does not compile
//! until it has a place in `wit/`.

mod drift;
mod error;
mod finding;
mod hashes;
mod meta;
mod schema;
mod server;

pub(crate) use error::within;
pub(crate) use meta::spec_versions;
pub(crate) use server::servers;
