//! Frames: four bytes of length, big end first, then that many bytes of UTF-8 JSON.

use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{Error, ErrorKind, Read, Result};

/// Checked before a frame is read, on both sides.
pub const MAX_FRAME_BYTES: usize = 8 * 1024 * 1024;

/// A message as a frame. Fails where it is longer than a frame may be.
pub fn pack(message: &impl Serialize) -> Result<Vec<u8>> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = frame.len().saturating_sub(4);
    let head = u32::try_from(length).ok().filter(|_| length <= MAX_FRAME_BYTES);
    let head = head.ok_or_else(|| Error::new(ErrorKind::InvalidData, format!("a frame of {length} bytes")))?;
    frame.splice(..4, head.to_be_bytes());
    Ok(frame)
}

/// Cuts what comes into messages. A read that times out in the middle of a frame loses nothing of it.
#[derive(Default)]
pub struct FrameCutter {
    bytes: Vec<u8>,
}

impl FrameCutter {
    /// The next message; reads until it is whole.
    ///
    /// # Errors
    ///
    /// What the reader fails with, `UnexpectedEof` where the other side closed, `InvalidData` for what is no frame:
    /// then nothing says where the next one begins.
    pub fn next(&mut self, from: &mut impl Read) -> Result<Map<String, Value>> {
        self.next_of_at_most(MAX_FRAME_BYTES, from)
    }

    /// The same, where the message may have so many bytes.
    pub fn next_of_at_most(&mut self, most: usize, from: &mut impl Read) -> Result<Map<String, Value>> {
        let mut chunk = [0; 16 * 1024];
        loop {
            if let Some(message) = self.cut(most)? {
                return Ok(message);
            }
            match from.read(&mut chunk) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.bytes.extend_from_slice(chunk.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn cut(&mut self, most: usize) -> Result<Option<Map<String, Value>>> {
        let Some((head, rest)) = self.bytes.split_first_chunk::<4>() else { return Ok(None) };
        let invalid = |what: String| Error::new(ErrorKind::InvalidData, what);
        let length = usize::try_from(u32::from_be_bytes(*head)).unwrap_or(usize::MAX);
        if length > most {
            return Err(invalid(format!("a frame of {length} bytes")));
        }
        let Some(body) = rest.get(..length) else { return Ok(None) };
        let message =
            serde_json::from_slice(body).map_err(|error| invalid(format!("a frame that is no object: {error}")))?;
        self.bytes.drain(..length.saturating_add(4));
        Ok(Some(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Gives a few bytes at a time, and a time-out now and then.
    struct Slow(Vec<u8>, usize);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(3) {
                return Err(ErrorKind::TimedOut.into());
            }
            let count = self.0.len().min(5).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0.drain(..count);
            Ok(count)
        }
    }

    #[test]
    fn frames_come_whole_however_they_are_split() {
        let messages = [json!({"kind": "beat", "name": "Bässe"}), json!({}), json!({"kind": "answer", "id": 7})];
        let bytes: Vec<u8> = messages.iter().flat_map(|message| pack(message).unwrap()).collect();
        let (mut slow, mut cutter, mut came) = (Slow(bytes, 0), FrameCutter::default(), Vec::new());
        loop {
            match cutter.next(&mut slow) {
                Ok(message) => came.push(Value::Object(message)),
                Err(error) if error.kind() == ErrorKind::TimedOut => {}
                Err(error) => break assert_eq!(error.kind(), ErrorKind::UnexpectedEof),
            }
        }
        assert_eq!(came, messages);
    }

    #[test]
    fn what_is_no_frame_ends_the_link() {
        let long = u32::try_from(MAX_FRAME_BYTES + 1).unwrap().to_be_bytes();
        for bytes in [&long[..], b"\0\0\0\x02[]", b"\0\0\0\x03{\"a", b"GET / HTTP/1.1\r\n\r\n"] {
            let error = FrameCutter::default().next(&mut &*bytes).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData, "{bytes:?}");
        }
        assert!(pack(&"x".repeat(MAX_FRAME_BYTES)).is_err());
    }
}
