//! The exports behind the npm package: bytes in, text out, over [`gatewright::wire`]. No decision is made here.
//!
//! A surface can be tens of megabytes, so arguments do not cross as `&str` or `&[u8]`, which wasm-bindgen copies out of a
//! JavaScript buffer that first has to exist. [`input`] hands out a place in wasm memory instead, and JavaScript writes the
//! bytes straight into it: one copy, no second buffer.
//!
//! ```js
//! const at = input(length);   // or, of bytes that are there: bytes(array)
//! new Uint8Array(memory.buffer, at, length).set(bytes);
//! const text = call("hashSurface");
//! ```

use std::cell::RefCell;

use js_sys::Uint8Array;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

thread_local! {
    /// The arguments of the next call, in order.
    static INPUTS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Takes the next argument, which JavaScript has as bytes.
#[wasm_bindgen]
pub fn bytes(argument: &Uint8Array) {
    INPUTS.with_borrow_mut(|inputs| inputs.push(argument.to_vec()));
}

/// Opens the next argument, which JavaScript has as a string: `length` zero bytes, for JavaScript to fill. Returns where they are.
#[wasm_bindgen]
#[must_use]
pub fn input(length: usize) -> *const u8 {
    // Room for the characters beyond ASCII that most texts have, so that a little more does not move all of it.
    let mut buffer = Vec::with_capacity(length + length / 8);
    buffer.resize(length, 0);
    let place = buffer.as_ptr();
    INPUTS.with_borrow_mut(|inputs| inputs.push(buffer));
    place
}

/// Changes the length of the argument opened last, keeping what is written, and returns where it is now.
///
/// The UTF-8 length of a JavaScript string is only known after encoding it: JavaScript opens as many bytes as the string has
/// code units, which is exact for ASCII, asks for more when the string does not fit, and cuts at the end.
#[wasm_bindgen]
#[must_use]
pub fn resize(length: usize) -> *const u8 {
    INPUTS.with_borrow_mut(|inputs| match inputs.last_mut() {
        Some(buffer) => {
            buffer.resize(length, 0);
            buffer.as_ptr()
        }
        None => std::ptr::null(),
    })
}

/// Runs one operation on the arguments opened since the last call, and returns its text.
///
/// # Errors
/// Throws the members of [`gatewright::Error`] as a plain object; the package makes its `GatewrightError` of it.
#[wasm_bindgen]
pub fn call(operation: &str) -> Result<String, JsValue> {
    let inputs = INPUTS.take();
    let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
    gatewright::wire::call(operation, &inputs)
        .map_err(|error| serde_wasm_bindgen::to_value(&error).unwrap_or_else(JsValue::from))
}
