//! `call`: the core's operations for scripts. One request a line comes in, one answer a line goes out.

use std::io::{self, BufRead as _, Write as _};

use gatewright::wire;
use serde::Deserialize;
use serde_json::json;

use crate::Result;

#[derive(Deserialize)]
struct Request {
    operation: String,
    inputs: Vec<String>,
}

/// Answers `{"operation", "inputs": [text, …]}` with `{"answer": text}` or `{"error": {…}}`.
pub(crate) fn run() -> Result {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|why| why.to_string())?;
        let request: Request =
            serde_json::from_str(&line).map_err(|why| format!("a request is not understood: {why}"))?;
        let inputs: Vec<&[u8]> = request.inputs.iter().map(String::as_bytes).collect();
        let answer = match wire::call(&request.operation, &inputs) {
            Ok(answer) => json!({ "answer": answer }),
            Err(error) => json!({ "error": error }),
        };
        writeln!(out, "{answer}").map_err(|why| why.to_string())?;
    }
    Ok(())
}
