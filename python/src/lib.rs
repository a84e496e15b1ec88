//! The module `gatewright._core`: one function over `gatewright::wire`. What is public, typed and documented is the
//! Python package around it.
//!
//! Nothing is decided here. This crate moves bytes: it borrows the caller's text where Python allows that, lets other
//! threads run during long calls, and turns the core's answer or error into Python objects.

mod error;
mod input;
mod json;

use gatewright::wire::{self, Answer};
use input::Input;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

/// Above this many bytes of input a call may take longer than a thread switch, so the interpreter is released.
const DETACH_ABOVE: usize = 16 * 1024;

fn run(py: Python<'_>, operation: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<String> {
    let inputs = arguments.iter_borrowed().map(|argument| Input::new(&argument)).collect::<PyResult<Vec<_>>>()?;
    let slices = inputs.iter().map(Input::bytes).collect::<PyResult<Vec<_>>>()?;
    let size: usize = slices.iter().map(|slice| slice.len()).sum();
    let answer =
        if size > DETACH_ABOVE { py.detach(|| wire::call(operation, &slices)) } else { wire::call(operation, &slices) };
    answer.map_err(|error| error::raise(py, &error))
    // `inputs` ends here: a temporary copy of the input is gone before the answer becomes Python objects.
}

/// Calls an operation of the core. Its answer is a `str` where it is text, and plain objects where it is JSON.
#[pyfunction]
#[pyo3(signature = (operation, /, *inputs))]
fn call<'py>(py: Python<'py>, operation: &str, inputs: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    let answer = run(py, operation, inputs)?;
    match wire::operation(operation).map(|operation| operation.answer) {
        Some(Answer::Json) => json::to_python(py, &answer),
        Some(Answer::Text) | None => Ok(PyString::new(py, &answer).into_any()),
    }
}

/// The compiled part of the package `gatewright`.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(call, module)?)
}
