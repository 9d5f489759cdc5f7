//! What somebody asks to have rendered, read against the Set that it is about.

use super::stretch::Stretch;
use crate::music::excerpt::excerpt;
use crate::music::{Beats, Meter, duration, locator_names, position};
use crate::set::Document;
use crate::set::document::{CuePoint, Scene, Signature};
use crate::set::model::ObjectRef;
use std::sync::Arc;

/// The longest stretch.
pub const LONGEST_S: f64 = 3_600.0;

/// A stretch in words. Nothing of it: all of the Arrangement, or the only scene where that is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wish {
    /// A scene by its place, `s0`, or its name; else the Arrangement is meant.
    pub scene: Option<String>,
    /// Of the Arrangement: `5|1`, or a locator, `loc:End`.
    pub from: Option<String>,
    pub to: Option<String>,
    /// `8bar`: instead of `to`, or of a scene.
    pub length: Option<String>,
    /// The same as a number of bars.
    pub bars: Option<f64>,
}

/// A part of a [`Wish`], or of what goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Scene,
    From,
    To,
    Length,
}

/// What cannot be rendered: which part of what was asked, and a clause that says why and what can.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfit {
    pub asked: Asked,
    pub why: String,
}

fn unfit(asked: Asked, why: impl Into<String>) -> Unfit {
    Unfit { asked, why: why.into() }
}

impl Wish {
    /// The stretch that is meant.
    pub fn stretch(&self, document: &Document) -> Result<Stretch, Unfit> {
        let stretch = match &self.scene {
            Some(named) => self.of_scene(document, named)?,
            None => self.of_arrangement(document)?,
        };
        let seconds = stretch.seconds(document);
        if seconds > LONGEST_S {
            let asked = if self.to.is_some() { Asked::To } else { Asked::Length };
            let why = format!("{seconds:.0} s are too long: at most {LONGEST_S:.0} s are rendered at once");
            return Err(unfit(asked, why));
        }
        Ok(stretch)
    }

    /// The length that is asked for.
    fn beats(&self, signature: Signature) -> Result<Option<Beats>, Unfit> {
        if let Some(bars) = self.bars {
            return Ok(Some(bars * meter(signature).bar_length()));
        }
        let Some(length) = &self.length else { return Ok(None) };
        let beats = duration::parse(length, meter(signature)).map_err(|why| unfit(Asked::Length, why.to_string()))?;
        if beats > 0.0 { Ok(Some(beats)) } else { Err(unfit(Asked::Length, format!("{length} is no length above 0"))) }
    }

    fn of_scene(&self, document: &Document, named: &str) -> Result<Stretch, Unfit> {
        for (asked, sent) in [(Asked::From, &self.from), (Asked::To, &self.to)] {
            if sent.is_some() {
                return Err(unfit(asked, "it is a place in the Arrangement, and a scene is to be rendered"));
            }
        }
        let scene = scene(document, named)?;
        let signature = scene.signature.unwrap_or(document.song.signature);
        match self.beats(signature)? {
            Some(beats) => Ok(Stretch::Scene { scene: scene.serial, beats }),
            None => Stretch::whole_scene(document, scene)
                .ok_or_else(|| unfit(Asked::Scene, format!("{named} has no clip, so its length is not known"))),
        }
    }

    fn of_arrangement(&self, document: &Document) -> Result<Stretch, Unfit> {
        let signature = document.song.signature;
        let at = |asked: Asked, text: &Option<String>| -> Result<Option<Beats>, Unfit> {
            let Some(text) = text else { return Ok(None) };
            if let Some(named) = locator_names::name_in(text) {
                return locator(document, named).map(Some).map_err(|why| unfit(asked, why));
            }
            let read = position::parse(text.trim(), meter(signature)).map_err(|why| unfit(asked, why.to_string()))?;
            if read.beats < 0.0 { Err(unfit(asked, "it lies before 1|1")) } else { Ok(Some(read.beats)) }
        };
        let from = at(Asked::From, &self.from)?.unwrap_or(0.0);
        let to = match (at(Asked::To, &self.to)?, self.beats(signature)?) {
            (Some(_), Some(_)) => return Err(unfit(Asked::Length, "give an end or a length, not both")),
            (Some(to), None) => to,
            (None, Some(length)) => from + length,
            (None, None) => match Stretch::whole_arrangement(document) {
                Some(whole) => whole.beats(),
                None if self.from.is_none() => return only_scene(document),
                None => {
                    return Err(unfit(
                        Asked::From,
                        format!("there is no clip in the Arrangement{}", in_scenes(document)),
                    ));
                }
            },
        };
        if to <= from {
            return Err(match self.to {
                Some(_) => unfit(Asked::To, "the end has to lie behind the beginning"),
                // A length is above 0.
                None => unfit(Asked::From, format!("the last clip ends at {}", position::format(to, meter(signature)))),
            });
        }
        Ok(Stretch::Arrangement { from, to })
    }
}

/// The scenes that have clips, by their places.
fn filled_scenes(document: &Document) -> Vec<(usize, Stretch)> {
    let whole = |(at, scene)| Some((at, Stretch::whole_scene(document, scene)?));
    document.scenes.iter().enumerate().filter_map(whole).collect()
}

/// Behind the word that the Arrangement has no clip: where there are some. Empty where there are none.
pub fn in_scenes(document: &Document) -> String {
    match filled_scenes(document).first() {
        Some((first, _)) => format!("; the clips are in scenes, such as s{first}: name one to hear it"),
        None => String::new(),
    }
}

/// Of a Set without an Arrangement.
fn only_scene(document: &Document) -> Result<Stretch, Unfit> {
    let filled = filled_scenes(document);
    match filled.as_slice() {
        [(_, only)] => Ok(*only),
        [] => Err(unfit(Asked::Scene, "there is no clip in this Set")),
        [(first, _), .., (last, _)] => Err(unfit(
            Asked::Scene,
            format!("the Arrangement is empty; name a scene that has clips, such as s{first} or s{last}"),
        )),
    }
}

/// The moment of the locator of that name, else of that id.
fn locator(document: &Document, name_or_id: &str) -> Result<Beats, String> {
    let id_of = |cue: &CuePoint| ObjectRef::CuePoint(cue.serial).id().to_string();
    let called = locator_names::called(document.cue_points.iter().map(|cue| cue.name.as_ref()), name_or_id);
    let named: Vec<&CuePoint> = called.into_iter().filter_map(|at| document.cue_points.get(at)).collect();
    let by_id = || document.cue_points.iter().find(|cue| id_of(cue) == name_or_id.trim());
    match named.as_slice() {
        [one] => Ok(one.time),
        [] => by_id()
            .map(|cue| cue.time)
            .ok_or_else(|| format!("no locator has the id or name \"{}\"", excerpt(name_or_id.trim()))),
        several => {
            let first = several.iter().take(locator_names::MOST_NAMESAKES).map(|cue| (id_of(cue), cue.time));
            let first: Vec<(String, Beats)> = first.collect();
            let text = excerpt(name_or_id);
            Err(locator_names::ambiguous(&text, several.len(), &first, meter(document.song.signature)))
        }
    }
}

/// By its place or its name.
fn scene<'a>(document: &'a Document, named: &str) -> Result<&'a Arc<Scene>, Unfit> {
    let place = named.strip_prefix('s').and_then(|place| place.parse::<usize>().ok());
    let by_place = place.and_then(|place| document.scenes.get(place));
    let found = by_place.or_else(|| document.scenes.iter().find(|scene| scene.name == named));
    found.ok_or_else(|| {
        let last = document.scenes.len().saturating_sub(1);
        unfit(Asked::Scene, format!("there is no scene {named}; it is s0 to s{last}, or a scene's name"))
    })
}

fn meter(signature: Signature) -> Meter {
    Meter::new(signature.numerator.into(), signature.denominator.into()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locators_are_named_as_everywhere() {
        let id = |serial| ObjectRef::CuePoint(serial).id().to_string();
        // The second one is called as the first one's id.
        let names = ["Drop".to_owned(), id(1), " x".to_owned(), "a,b".to_owned(), "a]".to_owned(), "y".to_owned()];
        let mut document = Document::new_set();
        let cues = names.into_iter().zip(1..).map(|(name, serial)| CuePoint { serial, name, time: serial as f64 });
        document.cue_points = Arc::new(cues.collect());
        let start = |from: String| {
            let wish = Wish { from: Some(from), length: Some("1bar".to_owned()), ..Wish::default() };
            wish.stretch(&document).map(|stretch| match stretch {
                Stretch::Arrangement { from, .. } => from,
                Stretch::Scene { .. } => panic!("no scene was named"),
            })
        };
        for (named, at) in [
            ("Drop", 1.0),
            ("Drop ", 1.0),
            (&id(1), 2.0),
            (&id(3), 3.0),
            (" x", 3.0),
            ("x", 3.0),
            ("a,b", 4.0),
            ("a\\,b", 4.0),
            ("a\\]", 5.0),
        ] {
            for opens in ["loc:", "locator:", " loc:"] {
                assert_eq!(start(format!("{opens}{named}")), Ok(at), "{opens}{named}");
            }
        }
        let why = start("loc:z".to_owned()).expect_err("no such locator").why;
        assert_eq!(why, "no locator has the id or name \"z\"");
    }
}
