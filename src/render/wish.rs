//! What somebody asks to have rendered, read against the Set that it is about.

use super::stretch::Stretch;
use crate::music::excerpt::excerpt;
use crate::music::{Beats, Meter, duration, position};
use crate::set::Document;
use crate::set::document::{Scene, Signature};
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
            if let Some(named) = text.trim().strip_prefix("loc:") {
                return locator(document, named.trim()).map(Some).map_err(|why| unfit(asked, why));
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

/// The moment of the locator of that id, else of that name.
fn locator(document: &Document, id_or_name: &str) -> Result<Beats, String> {
    let by_id = document.cue_points.iter().find(|cue| ObjectRef::CuePoint(cue.serial).id().to_string() == id_or_name);
    let mut named = document.cue_points.iter().filter(|cue| cue.name == id_or_name);
    match (by_id.or_else(|| named.next()), named.next()) {
        (Some(_), Some(_)) if by_id.is_none() => {
            Err(format!("several locators are called \"{}\"; write the bar|beat", excerpt(id_or_name)))
        }
        (Some(cue), _) => Ok(cue.time),
        (None, _) => Err(format!("no locator has the id or name \"{}\"", excerpt(id_or_name))),
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
