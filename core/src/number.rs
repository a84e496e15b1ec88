//! Numbers in canonical form: ECMAScript's `Number::toString` (RFC 8785, 3.2.2.3).

/// Integers of up to 15 digits are exact in a double and written as they are read.
const EXACT_DIGITS: usize = 15;

pub(crate) const OUT_OF_RANGE: &str = "a number is beyond the range of a double";

/// Writes a JSON number, given by its spelling, in canonical form; false if it is beyond a double.
pub(crate) fn write_canonical(spelling: &[u8], out: &mut Vec<u8>) -> bool {
    let digits = spelling.strip_prefix(b"-").unwrap_or(spelling);
    if digits.len() <= EXACT_DIGITS && digits.iter().all(u8::is_ascii_digit) && spelling != b"-0" {
        out.extend_from_slice(spelling);
        return true;
    }
    let value = core::str::from_utf8(spelling).ok().and_then(|text| text.parse::<f64>().ok());
    match value {
        Some(value) if value.is_finite() => {
            write_f64(value, out);
            true
        }
        _ => false,
    }
}

/// Writes a finite double. `zmij` finds the shortest digits that read back to the same double, of those
/// the closest, and of two as close the even ones: what ECMAScript asks for. Only the layout differs.
pub(crate) fn write_f64(value: f64, out: &mut Vec<u8>) {
    if value == 0.0 {
        out.push(b'0');
        return;
    }
    if value < 0.0 {
        out.push(b'-');
    }
    let (digits, point) = digits(value.abs());
    let count = i32::try_from(digits.len()).unwrap_or(0);
    let zeros = |n: i32| core::iter::repeat_n(b'0', usize::try_from(n).unwrap_or(0));
    match point {
        1..=21 if count <= point => {
            out.extend_from_slice(&digits);
            out.extend(zeros(point - count));
        }
        1..=21 => {
            let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
            out.extend_from_slice(whole);
            out.push(b'.');
            out.extend_from_slice(fraction);
        }
        -5..=0 => {
            out.extend_from_slice(b"0.");
            out.extend(zeros(-point));
            out.extend_from_slice(&digits);
        }
        _ => {
            let (first, rest) = digits.split_at(1);
            out.extend_from_slice(first);
            if !rest.is_empty() {
                out.push(b'.');
                out.extend_from_slice(rest);
            }
            let exponent = point - 1;
            out.extend_from_slice(if exponent < 0 { b"e-" } else { b"e+" });
            out.extend_from_slice(exponent.unsigned_abs().to_string().as_bytes());
        }
    }
}

/// The digits of a positive double, without zeros at either end, and the place of the point before digit
/// number `point`, counted from 0: the value is 0.digits × 10^point.
fn digits(value: f64) -> (Vec<u8>, i32) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(value);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = || whole.bytes().chain(fraction.bytes());
    let leading = all().take_while(|digit| *digit == b'0').count();
    let mut digits: Vec<u8> = all().skip(leading).collect();
    while digits.pop_if(|digit| *digit == b'0').is_some() {}
    let shift = i32::try_from(whole.len()).unwrap_or(0) - i32::try_from(leading).unwrap_or(0);
    (digits, exponent.trim_start_matches('+').parse::<i32>().unwrap_or(0) + shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(spelling: &str) -> Option<String> {
        let mut out = Vec::new();
        write_canonical(spelling.as_bytes(), &mut out).then(|| String::from_utf8(out).expect("ASCII"))
    }

    #[test]
    fn follows_ecmascript() {
        for (spelling, expected) in [
            ("-0", "0"),
            ("-0.0", "0"),
            ("1.0", "1"),
            ("1e21", "1e+21"),
            ("100000000000000000000", "100000000000000000000"),
            ("333333333.33333329", "333333333.3333333"),
            ("9.999999999999997e-7", "9.999999999999997e-7"),
            ("0.000001", "0.000001"),
            ("1e-7", "1e-7"),
            ("5e-324", "5e-324"),
            ("1e-400", "0"),
            ("9007199254740993", "9007199254740992"),
            ("-123456789012345", "-123456789012345"),
            ("4.50", "4.5"),
            ("2e-3", "0.002"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("1000000000000000.25", "1000000000000000.2"),
            ("2.98023223876953125e-8", "2.9802322387695312e-8"),
        ] {
            assert_eq!(canonical(spelling).as_deref(), Some(expected), "{spelling}");
        }
        assert_eq!(canonical("1e400"), None);
        assert_eq!(canonical(&"9".repeat(400)), None);
    }
}
