//! One argument of a call, as the bytes that the core reads.
//!
//! `bytes` and ASCII `str` are borrowed. A `str` with other characters has no UTF-8 of its own, and asking Python for it
//! would leave a second copy inside the object for as long as the caller keeps it; so it is encoded into a temporary.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The core refuses longer documents. One unit more is enough for it to see that, so the rest is not even copied.
const LONGEST: usize = 64 * 1024 * 1024;

pub(crate) enum Input<'py> {
    Bytes(Bound<'py, PyBytes>),
    Ascii(Bound<'py, PyString>),
}

impl<'py> Input<'py> {
    pub(crate) fn new(argument: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = argument.cast::<PyString>() {
            if text.call_method0("isascii")?.is_truthy()? {
                return Ok(Self::Ascii(text.clone()));
            }
            let mut text = text.clone().into_any();
            if text.len()? > LONGEST {
                text = text.get_item(pyo3::types::PySlice::new(text.py(), 0, isize::try_from(LONGEST + 1)?, 1))?;
            }
            // A lone surrogate has no UTF-8 form. Passed on as it is, the core refuses it and says where it stands.
            let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
            return Ok(Self::Bytes(bytes.cast_into()?));
        }
        if let Ok(bytes) = argument.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone()));
        }
        // bytearray and memoryview can change under us, and the stable ABI of 3.10 has no buffer protocol: copy.
        let bytes = argument.py().get_type::<PyBytes>().call1((memory_view(argument)?,))?;
        Ok(Self::Bytes(bytes.cast_into()?))
    }

    pub(crate) fn bytes(&self) -> PyResult<&[u8]> {
        let bytes = match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            Self::Ascii(text) => text.to_str()?.as_bytes(),
        };
        Ok(bytes.get(..=LONGEST).unwrap_or(bytes))
    }
}

/// Only what has a buffer passes: `bytes(5)` would be five zero bytes, `bytes([…])` a list taken for text.
fn memory_view<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    pyo3::types::PyMemoryView::from(argument).map(Bound::into_any)
}
