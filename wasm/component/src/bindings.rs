//! What `wit-bindgen` makes of `wit/`, and the exports themselves.

#![allow(missing_docs, unreachable_pub, unsafe_code, reason = "generated code")]
#![allow(clippy::all, clippy::pedantic, clippy::restriction, reason = "generated code")]

#[cfg(target_arch = "wasm32")]
use super::Component;

wit_bindgen::generate!({ path: "../../wit", world: "gatewright" });

// The names of the exports have an `@` in them, which the linkers of other targets take for a symbol's version.
#[cfg(target_arch = "wasm32")]
export!(Component with_types_in self);
