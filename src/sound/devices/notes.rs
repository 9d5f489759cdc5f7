//! Note effects by their class.

use super::note_scales::{ScaleChoice, chosen_scale};
use crate::set::document::device_tree::Device;
use crate::sound::device_values::DeviceValues;
use svc_sound::note_effects::{
    ArpeggiatorSettings, ArpeggioStyle, ChordNote, ChordSettings, LengthTrigger, NoteEffectSettings, NoteLength,
    NoteLengthSettings, OutsideRange, PitchSet, PitchSettings, RandomSettings, RandomSign, Retrigger, ScaleSettings,
    Shift, StepRate, Swing, VelocityMode, VelocityRun, VelocitySettings,
};

/// Quarter beats of a whole note, as which rates count, and of a bar.
const WHOLE: f64 = 4.0;

/// In the order of the styles' labels.
const STYLES: [ArpeggioStyle; 18] = [
    ArpeggioStyle::Up,
    ArpeggioStyle::Down,
    ArpeggioStyle::UpDown,
    ArpeggioStyle::DownUp,
    ArpeggioStyle::UpAndDown,
    ArpeggioStyle::DownAndUp,
    ArpeggioStyle::Converge,
    ArpeggioStyle::Diverge,
    ArpeggioStyle::ConAndDiverge,
    ArpeggioStyle::PinkyUp,
    ArpeggioStyle::PinkyUpDown,
    ArpeggioStyle::ThumbUp,
    ArpeggioStyle::ThumbUpDown,
    ArpeggioStyle::PlayOrder,
    ArpeggioStyle::ChordTrigger,
    ArpeggioStyle::Random,
    ArpeggioStyle::RandomOther,
    ArpeggioStyle::RandomOnce,
];

/// What an effect on notes is to the engine, `current` being the Set's scale; `None`: it has no code.
pub fn note_effect(device: &Device, current: Option<PitchSet>) -> Option<NoteEffectSettings> {
    let values = &DeviceValues::of(device);
    let seed = u64::from(device.serial);
    Some(match device.class_name.as_str() {
        "MidiArpeggiator" => NoteEffectSettings::Arpeggiator(arpeggiator(values, current, seed)),
        "MidiChord" => NoteEffectSettings::Chord(chord(values, current, seed)),
        "MidiNoteLength" => NoteEffectSettings::NoteLength(note_length(values)),
        "MidiPitcher" => NoteEffectSettings::Pitch(pitch(values, current)),
        "MidiRandom" => NoteEffectSettings::Random(random(values, current, seed)),
        "MidiScale" => NoteEffectSettings::Scale(scale(values, current)),
        "MidiVelocity" => NoteEffectSettings::Velocity(velocity(values, seed)),
        _ => return None,
    })
}

fn whole(values: &DeviceValues, name: &str) -> i16 {
    values.number(name).round() as i16
}

/// A number that lies in 0 to 127.
fn small(values: &DeviceValues, name: &str) -> u8 {
    values.number(name).round().clamp(0.0, 128.0) as u8
}

/// A label such as `1/16` or `2`, times so many quarter beats.
fn beats(values: &DeviceValues, name: &str, of: f64) -> f64 {
    let label = values.step_label(name);
    let number = match label.split_once('/') {
        Some((over, under)) => {
            over.trim().parse::<f64>().ok().zip(under.trim().parse::<f64>().ok()).map(|(a, b)| a / b)
        }
        None => label.trim().parse().ok(),
    };
    number.unwrap_or(1.0) * of
}

/// In steps of the Set's scale where that is chosen, else in semitones.
fn shift(values: &DeviceValues, semitones: &str, degrees: &str, current: Option<PitchSet>) -> Shift {
    match current.filter(|_| values.is_on("Use Current Scale")) {
        Some(scale) => Shift::Degrees(whole(values, degrees), scale),
        None => Shift::Semitones(whole(values, semitones)),
    }
}

fn arpeggiator(values: &DeviceValues, current: Option<PitchSet>, seed: u64) -> ArpeggiatorSettings {
    let swings = [Swing::Straight, Swing::Eighths, Swing::Sixteenths, Swing::ThirtySeconds];
    let scale = match current.filter(|_| values.is_on("Use Current Scale")) {
        Some(scale) => Some(scale),
        None => chosen_scale(&ScaleChoice { list: values.step("Tranpose Mode"), root: small(values, "Tranpose Key") }),
    };
    let distance = whole(values, "Transp. Dist.");
    ArpeggiatorSettings {
        style: STYLES.get(values.step("Style")).copied().unwrap_or_default(),
        offset: i8::try_from(whole(values, "Offset")).unwrap_or_default(),
        repeats: u16::try_from(values.step("Repeats")).ok().filter(|passes| *passes > 0),
        rate: match values.is_on("Sync On") {
            true => StepRate::Beats(beats(values, "Synced Rate", WHOLE)),
            false => StepRate::Seconds(f64::from(values.seconds("Free Rate"))),
        },
        swing: swings.get(values.step("Groove")).copied().unwrap_or_default(),
        swing_amount: 1.0,
        gate: values.part("Gate"),
        retrigger: match values.step("Retrigger Mode") {
            1 => Retrigger::Note,
            2 => Retrigger::Beats(beats(values, "Ret. Interval", WHOLE)),
            _ => Retrigger::Off,
        },
        hold: values.is_on("Hold On"),
        transpositions: u8::try_from(values.step("Transp. Steps")).unwrap_or_default(),
        distance: scale.map_or(Shift::Semitones(distance), |scale| Shift::Degrees(distance, scale)),
        velocity: values.is_on("Velocity On").then(|| VelocityRun {
            target: values.number("Velocity Target") / 127.0,
            seconds: values.seconds("Velocity Decay"),
            retrigger: values.is_on("Vel. Retrigger"),
        }),
        seed,
    }
}

fn chord(values: &DeviceValues, current: Option<PitchSet>, seed: u64) -> ChordSettings {
    let note = |index: usize| {
        let name = |what: &str, end: &str| format!("{what}{}{end}", index + 1);
        ChordNote {
            shift: shift(values, &name("Shift", ""), &name("Shift", " Scale Degrees"), current),
            velocity: values.part(&name("Velocity", "")),
            chance: values.part(&name("Chance", "")),
        }
    };
    ChordSettings {
        notes: std::array::from_fn(note),
        strum_ms: values.number("Strum"),
        tension: values.part("Strum Tension"),
        crescendo: values.part("Strum Crescendo"),
        seed,
    }
}

fn note_length(values: &DeviceValues) -> NoteLengthSettings {
    let at_end = values.is_on("Trigger Source");
    NoteLengthSettings {
        trigger: match at_end {
            true => LengthTrigger::KeyUp {
                decay_s: values.seconds("Decay Time"),
                key_scale: values.number("Decay Key Scale"),
            },
            false => LengthTrigger::KeyDown { latch: values.is_on("Latch") },
        },
        length: match values.is_on("Sync On") {
            true => NoteLength::Beats(beats(values, "Synced Length", WHOLE) as f32),
            false => NoteLength::Seconds(values.seconds("Time Length")),
        },
        gate: values.part("Gate"),
    }
}

fn pitch(values: &DeviceValues, current: Option<PitchSet>) -> PitchSettings {
    let modes = [OutsideRange::Block, OutsideRange::Fold, OutsideRange::Limit];
    PitchSettings {
        shift: shift(values, "Pitch", "Pitch Scale Degrees", current),
        lowest: small(values, "Lowest"),
        range: small(values, "Range"),
        outside: modes.get(values.step("Mode")).copied().unwrap_or_default(),
    }
}

fn random(values: &DeviceValues, current: Option<PitchSet>, seed: u64) -> RandomSettings {
    let signs = [RandomSign::Up, RandomSign::Down, RandomSign::Both];
    RandomSettings {
        chance: values.part("Chance"),
        choices: small(values, "Choices"),
        interval: small(values, "Interval"),
        sign: signs.get(values.step("Sign")).copied().unwrap_or_default(),
        in_turn: values.is_on("Mode"),
        scale: current.filter(|_| values.is_on("Use Current Scale")),
        seed,
    }
}

fn scale(values: &DeviceValues, current: Option<PitchSet>) -> ScaleSettings {
    let base = small(values, "Base");
    let of_list = chosen_scale(&ScaleChoice { list: values.step("InternalScale"), root: base });
    let chosen = current.filter(|_| values.is_on("Use Current Scale")).or(of_list);
    let map = match chosen {
        // What lies beside the scale goes to its step below.
        Some(set) => std::array::from_fn(|above| {
            let below = (0..=above).rev().find(|step| set.semitones & (1 << step) != 0);
            below.and_then(|step| u8::try_from(step).ok())
        }),
        None => std::array::from_fn(|above| {
            let to = whole(values, &format!("Map {above}"));
            u8::try_from(to).ok()
        }),
    };
    ScaleSettings {
        map,
        base: chosen.map_or(base, |set| set.root),
        semitones: i8::try_from(whole(values, "Transpose")).unwrap_or_default(),
        fold: values.is_on("Fold"),
        lowest: small(values, "Lowest"),
        range: small(values, "Range"),
    }
}

fn velocity(values: &DeviceValues, seed: u64) -> VelocitySettings {
    let modes = [VelocityMode::Clip, VelocityMode::Gate, VelocityMode::Fixed];
    // Operations on release velocities alone change nothing that is heard.
    if values.step("Operation") == 1 {
        return VelocitySettings { seed, ..VelocitySettings::default() };
    }
    VelocitySettings {
        drive: values.number("Drive"),
        compand: values.number("Compand"),
        random: values.number("Random"),
        mode: modes.get(values.step("Mode")).copied().unwrap_or_default(),
        out_high: values.number("Out Hi"),
        out_low: values.number("Out Low"),
        lowest: values.number("Lowest"),
        range: values.number("Range"),
        seed,
    }
}
