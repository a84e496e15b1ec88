//! Compact JSON, laid out for people.

use super::limits::MAX_DEPTH;

/// The JSON text with an indent of two spaces and a newline at the end; nothing if it is nested deeper than
/// may be read. It must be compact and well formed.
pub(crate) fn indented(compact: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(compact.len() + compact.len() / 2);
    let mut depth = 0_u32;
    let new_line = |out: &mut Vec<u8>, depth: u32| {
        out.push(b'\n');
        out.extend(core::iter::repeat_n(b' ', 2 * depth as usize));
    };
    let mut bytes = compact.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                out.push(byte);
                while let Some(inner) = bytes.next() {
                    out.push(inner);
                    match inner {
                        b'\\' => out.extend(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'{' | b'[' => {
                if depth >= MAX_DEPTH {
                    return None;
                }
                out.push(byte);
                if let Some(close) = bytes.next_if(|next| matches!(next, b'}' | b']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(byte);
            }
            b',' => {
                out.push(byte);
                new_line(&mut out, depth);
            }
            b':' => out.extend_from_slice(b": "),
            _ => out.push(byte),
        }
    }
    out.push(b'\n');
    Some(out)
}

#[cfg(test)]
mod tests {
    use crate::text::value::Value;

    #[test]
    fn it_is_laid_out_as_trees_are() {
        for text in [r#"{"a":[],"b":{},"c":[1,{"d":"x\"},[:\\"},[null]]}"#, "[]", "\"a\"", "1", r"[[[]]]"] {
            let tree = Value::parse(text.as_bytes()).unwrap().to_pretty();
            assert_eq!(String::from_utf8(super::indented(text.as_bytes()).unwrap()).unwrap(), tree);
        }
    }
}
