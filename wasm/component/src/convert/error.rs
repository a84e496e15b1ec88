//! The core's error.

use crate::bindings::exports::gatewright::core::types::Error;

impl From<gatewright::Error> for Error {
    fn from(error: gatewright::Error) -> Self {
        Self {
            code: error.code().as_str().to_owned(),
            message: error.message().to_owned(),
            help: error.help().map(str::to_owned),
            pointer: error.pointer().map(str::to_owned),
            line: error.line(),
            column: error.column(),
        }
    }
}

/// The same, for an input that is one of several.
pub(crate) fn within(input: &str) -> impl Fn(gatewright::Error) -> Error {
    move |error| {
        let mut error = Error::from(error);
        error.message = format!("{input}: {}", error.message);
        error
    }
}
