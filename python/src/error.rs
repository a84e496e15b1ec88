//! The core's error as `gatewright.GatewrightError`.
//!
//! The class is written in Python: below 3.12 the stable ABI does not let a compiled class extend an exception.

use gatewright::Error;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    let instance = CLASS.import(py, "gatewright._error", "GatewrightError").and_then(|class| {
        class.call1((
            error.to_string(),
            error.code().as_str(),
            error.message(),
            error.help(),
            error.pointer(),
            error.line(),
            error.column(),
        ))
    });
    match instance {
        Ok(instance) => PyErr::from_value(instance),
        Err(failure) => failure,
    }
}
