//! How much a JSON text that comes out of a compressed file is: a few megabytes can be inflated to more than any memory
//! holds. What is counted is what takes memory when it is read: bytes, values, and the longest text.

/// How much there may be.
#[derive(Clone, Copy, Debug)]
pub struct JsonLimits {
    pub bytes: u64,
    /// Members of objects and elements of lists, at whatever depth.
    pub values: u64,
    /// Bytes of one text.
    pub text_bytes: u64,
}

impl JsonLimits {
    /// Far more than a Set with as many notes as there can be, of which each is ten values, and than a text that a call
    /// can bring.
    pub const STATE: JsonLimits = JsonLimits { bytes: 2 << 30, values: 40_000_000, text_bytes: 16 << 20 };
}

/// See the [module](self). Takes the text piece by piece.
pub struct JsonMeter {
    limits: JsonLimits,
    bytes: u64,
    values: u64,
    /// Bytes of the text that has begun.
    text: Option<u64>,
    is_escaped: bool,
}

impl JsonMeter {
    pub fn new(limits: JsonLimits) -> JsonMeter {
        JsonMeter { limits, bytes: 0, values: 0, text: None, is_escaped: false }
    }

    /// The next piece; the error is a clause.
    pub fn take(&mut self, piece: &[u8]) -> Result<(), String> {
        self.bytes = self.bytes.saturating_add(piece.len() as u64);
        let mut rest = piece;
        while !rest.is_empty() {
            rest = if self.text.is_some() { self.in_text(rest)? } else { self.between(rest) };
        }
        let JsonLimits { bytes, values, .. } = self.limits;
        if self.bytes > bytes {
            return Err(format!("it holds more than {bytes} bytes"));
        }
        if self.values > values {
            return Err(format!("it holds more than {values} values"));
        }
        Ok(())
    }

    /// Counts up to where a text begins; gives what is left behind its quotation mark.
    fn between<'a>(&mut self, piece: &'a [u8]) -> &'a [u8] {
        let end = memchr::memchr(b'"', piece);
        let (outside, rest) = piece.split_at(end.unwrap_or(piece.len()));
        self.values += outside.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count() as u64;
        if end.is_some() {
            self.text = Some(0);
        }
        rest.get(1..).unwrap_or_default()
    }

    /// Goes on in a text up to its end; gives what is left behind that.
    fn in_text<'a>(&mut self, piece: &'a [u8]) -> Result<&'a [u8], String> {
        let (mut at, mut ended) = (0, false);
        if self.is_escaped {
            (at, self.is_escaped) = (1, false);
        }
        while let Some(found) = piece.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
            at += found + 1;
            ended = piece.get(at - 1) == Some(&b'"');
            if ended {
                break;
            }
            // What follows a backslash is no end.
            self.is_escaped = at >= piece.len();
            at += 1;
        }
        let read = if ended { at } else { piece.len() };
        let length = self.text.unwrap_or_default().saturating_add(read as u64);
        if length > self.limits.text_bytes {
            return Err(format!("it holds a text of more than {} bytes", self.limits.text_bytes));
        }
        self.text = (!ended).then_some(length);
        Ok(piece.get(read..).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: JsonLimits = JsonLimits { bytes: 60, values: 5, text_bytes: 9 };

    #[test]
    fn what_is_too_much_is_said_wherever_the_pieces_end() {
        for (json, fault) in [
            (r#"{"a":[1,2,3,4],"b":"x"}"#, Some("values")),
            (r#"{"a":[1,2],"b":"x"}"#, None),
            // Within texts nothing counts, escaped or not.
            (r#"{"a":"[,,,,,","b":"\",,"}"#, None),
            (r#"{"a":"\\",,,,,"#, Some("values")),
            (r#"{"a":"123456789"}"#, Some("text")),
            (r#"{"a":"12345678"}"#, None),
            (r#"["a\\\"b"]"#, None),
            ("                                                             ", Some("bytes")),
            (r#"[[[[[["#, Some("values")),
        ] {
            for size in 1..=json.len() {
                let mut meter = JsonMeter::new(LIMITS);
                let found = json.as_bytes().chunks(size).try_for_each(|piece| meter.take(piece));
                match fault {
                    None => assert_eq!(found, Ok(()), "{json} by {size}"),
                    Some(what) => assert!(found.clone().unwrap_err().contains(what), "{json} by {size}: {found:?}"),
                }
            }
        }
    }
}
