//! Pictures of clips and of sound, where looking beats reading.
//!
//! [`sound_picture`] draws what was rendered, pixel by pixel. [`piano_roll`] draws a clip's notes as SVG, with letters
//! of its own ([`glyphs`]: no fonts are needed anywhere); [`png`] makes it the kind of image that every client shows.
//! An answer carries a picture as a data URL in its field [`IMAGE_FIELD`]; [`take_pictures`] takes pictures out of an
//! answer for those who carry them apart. Drawing never needs the Set: it is done on a worker from what was read. See
//! D21 in `docs/decisions.md`.

mod glyphs;
pub mod piano_roll;
mod png;
pub mod sound_picture;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

pub use piano_roll::PianoRoll;
use png::Canvas;
pub use png::PictureError;
pub use sound_picture::SoundPicture;

/// The field of an answer that holds a picture.
pub const IMAGE_FIELD: &str = "image";
/// A call may ask for this many pictures: each costs its reader as much as a page of text.
pub const MAX_PER_CALL: usize = 8;

const PREFIX: &str = "data:image/png;base64,";

/// A PNG image, in base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Png(pub String);

impl PianoRoll {
    /// The picture as a data URL. `may_draw` is asked before each few hundred notes are drawn, and ends it.
    pub fn data_url(&self, may_draw: &mut dyn FnMut(usize) -> bool) -> Result<String, PictureError> {
        let mut canvas = Canvas::default();
        for layer in self.layers() {
            if !may_draw(layer.notes) {
                return Err(PictureError::Stopped);
            }
            canvas.draw(&layer.svg)?;
        }
        Ok(format!("{PREFIX}{}", STANDARD.encode(canvas.into_png()?)))
    }
}

/// Takes the pictures out of an answer, in order. Each is replaced by its number: `picture 1`, …
pub fn take_pictures(answer: &mut Value) -> Vec<Png> {
    let mut taken = Vec::new();
    take_from(answer, &mut taken);
    taken
}

/// An answer may hold those of several calls.
fn take_from(value: &mut Value, taken: &mut Vec<Png>) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|item| take_from(item, taken)),
        Value::Object(members) => {
            for (name, member) in members {
                match data_of(name, member) {
                    Some(data) => {
                        taken.push(Png(data.to_owned()));
                        *member = format!("picture {}", taken.len()).into();
                    }
                    None => take_from(member, taken),
                }
            }
        }
        _ => {}
    }
}

fn data_of<'a>(name: &str, member: &'a Value) -> Option<&'a str> {
    member.as_str().filter(|_| name == IMAGE_FIELD)?.strip_prefix(PREFIX)
}

/// How many pictures an answer has.
pub fn count_pictures(answer: &Value) -> usize {
    match answer {
        Value::Array(list) => list.iter().map(count_pictures).sum(),
        Value::Object(members) => {
            let own = |(name, member): (&String, &Value)| match data_of(name, member) {
                Some(_) => 1,
                None => count_pictures(member),
            };
            members.iter().map(own).sum()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pictures_are_taken_out_in_order() {
        let url = |data: &str| format!("{PREFIX}{data}");
        let cases = [
            (json!({"id": "1", "image": url("AA")}), json!({"id": "1", "image": "picture 1"}), vec!["AA"]),
            (
                json!([{"image": url("AA")}, {"id": "2"}, {"image": url("BB")}]),
                json!([{"image": "picture 1"}, {"id": "2"}, {"image": "picture 2"}]),
                vec!["AA", "BB"],
            ),
            (json!({"image": "of a dog"}), json!({"image": "of a dog"}), vec![]),
            (json!("text"), json!("text"), vec![]),
        ];
        for (mut answer, left, pictures) in cases {
            assert_eq!(count_pictures(&answer), pictures.len(), "{answer}");
            let taken: Vec<String> = take_pictures(&mut answer).into_iter().map(|png| png.0).collect();
            assert_eq!((answer, taken), (left, pictures.into_iter().map(str::to_owned).collect()));
        }
    }
}
