//! Scenes: each an element of its own from Live 11 on, a name in a list before.

use super::error::ReadError;
use super::follow_actions::read_follow_action;
use super::limits::{Countable, TEMPOS};
use super::walk::Walk;
use super::xml_reader::Element;
use crate::set::document::{Scene, Signature};

const PASSED_OVER: [&str; 3] = ["LomId", "ClipSlotsListWrapper", "IsContentSelectedInDocument"];

/// Reads `Scenes`, or `SceneNames` as up to Live 10.
pub fn read_scenes(walk: &mut Walk, element: &Element) -> Result<Vec<Scene>, ReadError> {
    let mut scenes = Vec::new();
    while let Some(scene) = walk.next_child(element)? {
        match (scene.name(), element.name()) {
            ("Scene", "SceneNames") => scenes.push(read_named(walk, &scene)?),
            ("Scene", _) => scenes.push(read_scene(walk, &scene)?),
            (name, around) => walk.report.count_unknown(around, name),
        }
    }
    Ok(scenes)
}

/// A scene has a tempo and a time signature where they are switched on.
fn read_scene(walk: &mut Walk, element: &Element) -> Result<Scene, ReadError> {
    walk.count(Countable::Scenes)?;
    let mut scene = Scene::new(walk.serial());
    let (mut tempo, mut signature, mut has_tempo, mut has_signature) = (None, None, false, false);
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Name" => scene.name = walk.text(&child)?,
            "Color" | "ColorIndex" => scene.color = walk.color(&child)?,
            "Tempo" => tempo = Some(walk.text(&child)?),
            "IsTempoEnabled" => has_tempo = walk.boolean(&child)?,
            "TimeSignatureId" => signature = Some(walk.text(&child)?),
            "IsTimeSignatureEnabled" => has_signature = walk.boolean(&child)?,
            "FollowAction" => {
                scene.follow_action = read_follow_action(walk, &child)?;
                walk.report.count_kept("follow actions of scenes", scene.follow_action.is_some().into());
            }
            _ => walk.pass_over("Scene", &child, &PASSED_OVER)?,
        }
    }
    let tempo = tempo.filter(|_| has_tempo);
    scene.tempo_bpm = tempo.map(|text| walk.as_number("Tempo", &text, TEMPOS)).transpose()?;
    let signature = signature.filter(|_| has_signature);
    scene.signature = signature.map(|text| walk.as_signature("TimeSignatureId", &text)).transpose()?;
    Ok(scene)
}

/// A scene up to Live 10: its name is its value, and says its tempo and time signature too.
fn read_named(walk: &mut Walk, element: &Element) -> Result<Scene, ReadError> {
    walk.count(Countable::Scenes)?;
    let mut scene = Scene::new(walk.serial());
    let name = walk.text(element)?;
    if !is_number_alone(&name) {
        (scene.tempo_bpm, scene.signature) = (tempo_in(&name), signature_in(&name));
        scene.name = name;
    }
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            // 0 is no colour there.
            "ColorIndex" | "Color" => scene.color = walk.color(&child)?.filter(|color| *color > 0),
            _ => walk.pass_over("Scene", &child, &PASSED_OVER)?,
        }
    }
    Ok(scene)
}

/// A scene without a name is called by a space and its number.
fn is_number_alone(name: &str) -> bool {
    name.strip_prefix(' ').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The tempo that a name says, as in `Verse 120 BPM` and `96.5bpm`.
fn tempo_in(name: &str) -> Option<f64> {
    let lower = name.to_lowercase();
    lower.match_indices("bpm").find_map(|(at, _)| {
        let before = lower.get(..at)?.trim_end();
        let digits = before.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let number: f64 = before.get(digits.len()..)?.parse().ok()?;
        TEMPOS.contains(&number).then_some(number)
    })
}

/// The time signature that a name says, as in `Bridge 7/8`.
fn signature_in(name: &str) -> Option<Signature> {
    name.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '(' | ')')).find_map(|word| {
        let (numerator, denominator) = word.split_once('/')?;
        let whole = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u8>().ok())?;
        let (numerator, denominator) = (whole(numerator)?, whole(denominator)?);
        let there_is = (1..=99).contains(&numerator) && matches!(denominator, 1 | 2 | 4 | 8 | 16);
        there_is.then_some(Signature { numerator, denominator })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_scene_names_say_their_tempo() {
        for (name, tempo, signature) in [
            ("Verse 120 BPM 4/4", Some(120.0), Some((4, 4))),
            ("96.5bpm", Some(96.5), None),
            ("Bridge 7/8", None, Some((7, 8))),
            ("7/8 (140 Bpm)", Some(140.0), Some((7, 8))),
            ("half 19 BPM 0/4", None, None),
            ("12/7 take 100/4", None, None),
            ("BPM and more", None, None),
            ("in 5,5/4", None, Some((5, 4))),
            ("bpm 90 bpm", Some(90.0), None),
            ("Ω1/4", None, None),
        ] {
            let read = signature_in(name).map(|signature| (signature.numerator, signature.denominator));
            assert_eq!((tempo_in(name), read), (tempo, signature), "{name}");
        }
        for (name, is_blank) in [(" 1", true), (" 12", true), ("1", false), (" ", false), ("", false), (" 1 ", false)] {
            assert_eq!(is_number_alone(name), is_blank, "{name:?}");
        }
    }
}
