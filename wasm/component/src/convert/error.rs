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
