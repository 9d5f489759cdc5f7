//! Clips: of the Session and of the Arrangement, with notes or a sample.

use super::audio::AudioParts;
use super::automation::{count_modulations, read_drawn};
use super::error::ReadError;
use super::follow_actions::{FollowParts, read_follow_action};
use super::limits::Countable;
use super::notes::read_notes;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::music::{Beats, LONGEST_CLIP_BEATS, Meter};
use crate::object_model::limits::ARRANGEMENT_END_BEATS;
use crate::set::document::{Clip, Content, PlacedClip, Signature, TrackKind};
use std::sync::Arc;

/// How far from a clip's beat 0 anything stands.
const FAR: Beats = 2.0 * LONGEST_CLIP_BEATS;

/// A bar, where nothing says how long a clip or its loop is.
const USUAL_LENGTH: Beats = 4.0;

/// What says nothing of the music: state of views, and what Live works out anew.
const PASSED_OVER: [&str; 26] = [
    "LomId",
    "LomIdView",
    "ScrollerTimePreserver",
    "TimeSelection",
    "Grid",
    "ExpressionGrid",
    "FreezeStart",
    "FreezeEnd",
    "TakeId",
    "ScaleInformation",
    "NoteEditorFoldInZoom",
    "NoteEditorFoldInScroll",
    "NoteEditorFoldOutZoom",
    "NoteEditorFoldOutScroll",
    "NoteEditorFoldScaleZoom",
    "NoteEditorFoldScaleScroll",
    "NoteSpellingPreference",
    "AccidentalSpellingPreference",
    "PreferFlatRootNote",
    "IsContentSelectedInDocument",
    "ClipEnvelopeChooserViewState",
    "ViewData",
    "StartWithSongTempo",
    // MIDI clips have these up to Live 10.
    "WarpMarkers",
    "MarkersGenerated",
    "IsSongTempoMaster",
];

/// The region of a clip as Live writes it.
#[derive(Default)]
struct LoopParts {
    start: Beats,
    end: Beats,
    start_relative: Beats,
    on: bool,
    out_marker: Option<Beats>,
    /// The loop that is there again once looping is switched on.
    hidden: (Option<Beats>, Option<Beats>),
}

/// A clip that is being read.
struct ClipParts {
    clip: Clip,
    is_audio: bool,
    length: (Option<Beats>, Option<Beats>),
    region: Option<LoopParts>,
    audio: AudioParts,
    /// As it stands in clips up to Live 10.
    follow: FollowParts,
}

/// Whether an element is a clip of its track's kind.
pub fn is_clip(walk: &mut Walk, element: &Element, kind: TrackKind) -> Result<bool, ReadError> {
    match (element.name(), kind) {
        ("MidiClip", TrackKind::Midi) | ("AudioClip", TrackKind::Audio) => Ok(true),
        ("MidiClip" | "AudioClip", _) => {
            walk.report.count_left_out("clips on a track of another kind", 1);
            Ok(false)
        }
        (name, _) => {
            walk.report.count_unknown("clips", name);
            Ok(false)
        }
    }
}

/// A clip of the Session; `None` for one that has no place here, which is counted.
pub fn read_clip(walk: &mut Walk, element: &Element) -> Result<Option<Clip>, ReadError> {
    let parts = read_parts(walk, element)?;
    finish(walk, parts)
}

/// A clip of the Arrangement, at its place. One that does not say how long it is lies there as long as its loop; one
/// that ends before it begins is turned.
pub fn read_placed_clip(walk: &mut Walk, element: &Element) -> Result<Option<PlacedClip>, ReadError> {
    let start = walk.attribute_number(element, "Time", 0.0..=ARRANGEMENT_END_BEATS)?;
    let parts = read_parts(walk, element)?;
    let length = parts.length.0.zip(parts.length.1).map(|(from, to)| to - from);
    let length = match length.filter(|length| *length != 0.0) {
        Some(length) if length > 0.0 => length,
        Some(length) => {
            walk.mend("CurrentEnd", Some(&length.to_string()), "the length from its end to its start");
            -length
        }
        None => {
            walk.mend("CurrentEnd", None, "the length of the clip's loop");
            parts.region.as_ref().map_or(USUAL_LENGTH, |region| region.end - region.start)
        }
    };
    let clip = finish(walk, parts)?;
    Ok(clip.map(|clip| PlacedClip { start, end: start + length, clip: Arc::new(clip) }))
}

fn read_parts(walk: &mut Walk, element: &Element) -> Result<ClipParts, ReadError> {
    walk.stay_within(Countable::Clips)?;
    let clip = Clip::midi(walk.serial(), 1.0, 0, Meter::COMMON.into());
    let is_audio = element.name() == "AudioClip";
    let (audio, follow) = (AudioParts::default(), FollowParts::default());
    let mut parts = ClipParts { clip, is_audio, length: (None, None), region: None, audio, follow };
    while let Some(child) = walk.next_child(element)? {
        read_part(walk, &child, &mut parts)?;
    }
    Ok(parts)
}

fn read_part(walk: &mut Walk, child: &Element, parts: &mut ClipParts) -> Result<(), ReadError> {
    let clip = &mut parts.clip;
    match child.name() {
        "CurrentStart" => parts.length.0 = Some(walk.number(child, -FAR..=FAR)?),
        "CurrentEnd" => parts.length.1 = Some(walk.number(child, -FAR..=FAR)?),
        "Loop" => parts.region = Some(read_loop(walk, child)?),
        "Name" => clip.name = walk.text(child)?,
        "Color" | "ColorIndex" => clip.color = walk.color(child)?.unwrap_or_default(),
        "LaunchMode" => clip.launch_mode = walk.small(child, 3)?,
        "LaunchQuantisation" => clip.launch_quantization = walk.small(child, 14)?,
        "Legato" => clip.legato = walk.boolean(child)?,
        "Disabled" => clip.muted = walk.boolean(child)?,
        "Ram" => parts.audio.ram_mode = walk.boolean(child)?,
        "IsWarped" => parts.audio.warping = walk.boolean(child)?,
        "VelocityAmount" => {
            let amount = walk.number(child, 0.0..=1.0)?;
            if amount > 0.0 {
                clip.stored.insert("velocity_amount".to_owned(), amount.into());
            }
        }
        "TimeSignature" => clip.signature = read_signatures(walk, child)?.unwrap_or(clip.signature),
        "Notes" if !parts.is_audio => {
            let (notes, expression) = read_notes(walk, child)?;
            (clip.content, clip.expression) = (Content::Midi(Arc::new(notes)), Arc::new(expression));
        }
        "Envelopes" => read_drawn(walk, child, clip.serial)?,
        // As Live 8 writes them.
        "ModulationList" => count_modulations(walk, child)?,
        "FollowAction" => clip.follow_action = read_follow_action(walk, child)?,
        "GrooveSettings" => {
            while let Some(setting) = walk.next_child(child)? {
                if setting.name() == "GrooveId" {
                    let id = walk.whole(&setting, -1..=i64::MAX)?;
                    walk.grooves_of_clips.extend((id >= 0).then_some((clip.serial, id)));
                }
            }
        }
        "IsInKey" if walk.boolean(child)? => walk.report.count_left_out("scales of clips", 1),
        "BankSelectCoarse" | "BankSelectFine" | "ProgramChange" if walk.whole(child, -1..=16_383)? >= 0 => {
            walk.report.count_left_out("bank and program changes", 1);
        }
        "IsInKey" | "BankSelectCoarse" | "BankSelectFine" | "ProgramChange" => {}
        _ if parts.is_audio && parts.audio.read(walk, child)? => {}
        _ if parts.follow.read(walk, child)? => {}
        _ => walk.pass_over(if parts.is_audio { "AudioClip" } else { "MidiClip" }, child, &PASSED_OVER)?,
    }
    Ok(())
}

fn read_loop(walk: &mut Walk, element: &Element) -> Result<LoopParts, ReadError> {
    let (mut parts, mut ends) = (LoopParts::default(), (None, None));
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "LoopStart" => ends.0 = Some(walk.number(&child, -FAR..=FAR)?),
            "LoopEnd" => ends.1 = Some(walk.number(&child, -FAR..=FAR)?),
            "StartRelative" => parts.start_relative = walk.number(&child, -FAR..=FAR)?,
            "LoopOn" => parts.on = walk.boolean(&child)?,
            "OutMarker" => parts.out_marker = Some(walk.number(&child, -FAR..=FAR)?),
            "HiddenLoopStart" => parts.hidden.0 = Some(walk.number(&child, -FAR..=FAR)?),
            "HiddenLoopEnd" => parts.hidden.1 = Some(walk.number(&child, -FAR..=FAR)?),
            name => walk.report.count_unknown("Loop", name),
        }
    }
    if ends.0.is_none() || ends.1.is_none() {
        walk.mend("LoopEnd", None, "a bar behind the start of the loop");
    }
    let start = ends.0.unwrap_or_else(|| ends.1.map_or(0.0, |end| end - USUAL_LENGTH));
    let mut end = ends.1.unwrap_or(start + USUAL_LENGTH);
    if start > end {
        walk.mend("LoopEnd", Some(&end.to_string()), "the start of the loop, and that as its end");
        return Ok(LoopParts { start: end, end: start, ..parts });
    }
    if start == end {
        walk.mend("LoopEnd", Some(&end.to_string()), "a bar behind the start of the loop, which is off");
        (end, parts.on) = (start + USUAL_LENGTH, false);
    }
    Ok(LoopParts { start, end, ..parts })
}

/// The first of a clip's time signatures; Live writes a list, and shows one.
fn read_signatures(walk: &mut Walk, element: &Element) -> Result<Option<Signature>, ReadError> {
    let mut first = None;
    while let Some(list) = walk.next_child(element)? {
        while let Some(signature) = walk.next_child(&list)? {
            let (mut numerator, mut denominator) = (None, None);
            while let Some(part) = walk.next_child(&signature)? {
                match part.name() {
                    "Numerator" => numerator = Some(walk.whole(&part, 1..=99)?),
                    "Denominator" => denominator = Some(walk.whole(&part, 1..=16)?),
                    _ => walk.pass_over("RemoteableTimeSignature", &part, &["Time"])?,
                }
            }
            let (numerator, denominator) = (numerator.unwrap_or(4), denominator.unwrap_or(4));
            let meter = Meter::new(numerator, denominator).unwrap_or_else(|_| {
                walk.mend("Denominator", Some(&denominator.to_string()), "4/4");
                Meter::COMMON
            });
            match first {
                None => first = Some(meter.into()),
                Some(_) => walk.report.count_left_out("further time signatures of clips", 1),
            }
        }
    }
    Ok(first)
}

fn finish(walk: &mut Walk, parts: ClipParts) -> Result<Option<Clip>, ReadError> {
    let ClipParts { mut clip, is_audio, region, audio, follow, .. } = parts;
    clip.follow_action = clip.follow_action.or(follow.finish());
    walk.report.count_kept("follow actions of clips", clip.follow_action.is_some().into());
    let region = region.unwrap_or_else(|| {
        walk.mend("Loop", None, "one of a bar");
        LoopParts { end: USUAL_LENGTH, on: !is_audio, ..LoopParts::default() }
    });
    let unwarped = is_audio && !audio.warping;
    if is_audio {
        match audio.finish(walk) {
            Some(audio) => clip.content = Content::Audio(Arc::new(audio)),
            None => {
                walk.report.count_left_out("audio clips whose sample has no known length", 1);
                return Ok(None);
            }
        }
    }
    if unwarped && region.on {
        walk.report.count_left_out("loops of clips that are not warped", 1);
    }
    clip.looping = region.on && !unwarped;
    clip.start_marker = region.start + region.start_relative;
    let end_marker = region.out_marker.filter(|_| clip.looping).unwrap_or(region.end);
    let hidden = region.hidden.0.zip(region.hidden.1).filter(|(start, end)| start < end);
    let own = (region.start, region.end);
    (clip.loop_start, clip.loop_end) = if clip.looping || unwarped { own } else { hidden.unwrap_or(own) };
    clip.end_marker = end_marker;
    if clip.start_marker >= clip.end_marker && !unwarped {
        walk.report.count_left_out("end markers that stood before their start marker", 1);
        clip.end_marker = clip.start_marker + (region.end - region.start);
    }
    walk.report.count_read(if is_audio { "audio clips" } else { "MIDI clips" });
    Ok(Some(clip))
}
