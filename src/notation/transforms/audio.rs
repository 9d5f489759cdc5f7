//! Lines carried out on an audio clip: its gain and its pitch.

use super::arithmetic::number_text;
use super::assignment::assigned_value;
use super::code::{Op, Units, Variable};
use super::context::ClipContext;
use super::evaluate::evaluate;
use super::evaluation_error::EvaluationError;
use super::line_context::{LineContext, Subject};
use super::program::Program;
use super::scale_pitches::ScalePitches;
use super::statement::{Body, Parameter};
use crate::music::Random;
use crate::notation::warnings::Warnings;

/// What transforms can change of an audio clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AudioParameters {
    /// -70..=24.
    pub gain_db: f64,
    /// -48..=48.
    pub pitch_shift_semitones: f64,
}

/// What came of an audio clip.
#[derive(Clone, Debug, PartialEq)]
pub struct TransformedAudio {
    pub parameters: AudioParameters,
    pub warnings: Vec<String>,
    /// There were lines, and all of them are for MIDI clips.
    pub all_ignored: bool,
}

impl Program {
    /// Runs on an audio clip: its `gain` and `pitchShift` lines in order, the result brought into range at the end.
    pub fn apply_audio(&self, before: AudioParameters, context: &ClipContext, random: &mut Random) -> TransformedAudio {
        let mut now = before;
        let mut warnings = Warnings::default();
        let mut ran = false;
        let text = self.name();
        self.add_hints(&mut warnings);
        let units = Units::from_meter(context.meter);
        let scale = ScalePitches::new(context.scale);
        let context_of_line =
            LineContext { units, context, scale: &scale, ramp: (0.0, units.beats_per_bar), starts: &[], chords: &[] };
        let mut stack = Vec::new();
        for line in &self.lines {
            let number = line.number;
            let (parameter, assign, value) = match &line.statement.body {
                Body::Assign { parameter, assign, value } if parameter.is_audio() => (*parameter, *assign, value),
                other => {
                    let name = other.name();
                    warnings.add(|| format!("{text} line {number}: {name} is for MIDI clips; the line is ignored"));
                    continue;
                }
            };
            ran = true;
            let selector = &line.statement.selector;
            if selector.pitches.is_some() || selector.times.is_some() || selector.condition.is_some() {
                warnings.add(|| format!("{text} line {number}: selectors have no effect on an audio clip"));
            }
            if context.arrangement_position.is_none() {
                let syncs = |op: &Op| matches!(op, Op::Call { function, keyword: true, .. } if function.is_wave());
                if value.code.iter().any(syncs) {
                    warnings.add(|| format!("{text} line {number}: sync has no effect on a session clip"));
                }
                if value.code.contains(&Op::Variable(Variable::ClipPosition)) {
                    warnings.add(|| format!("{text} line {number}: clip.position is 0 for a session clip"));
                }
            }
            let subject = Subject::Audio { gain_db: now.gain_db, pitch_shift_semitones: now.pitch_shift_semitones };
            let slot = match parameter {
                Parameter::Gain => &mut now.gain_db,
                _ => &mut now.pitch_shift_semitones,
            };
            match evaluate(&value.code, &mut stack, &context_of_line, random, subject) {
                Ok(value) => {
                    let result = assigned_value(*slot, assign, value);
                    if result.is_finite() {
                        *slot = result;
                    } else {
                        warnings.add(|| format!("{text} line {number}: {}", EvaluationError::NotFinite));
                    }
                }
                Err(failure) => warnings.add(|| format!("{text} line {number}: {failure}")),
            }
        }
        for (name, value, (least, most)) in
            [("gain", &mut now.gain_db, (-70.0, 24.0)), ("pitchShift", &mut now.pitch_shift_semitones, (-48.0, 48.0))]
        {
            let kept = value.clamp(least, most);
            if kept != *value {
                let wanted = number_text((*value * 100.0).round() / 100.0);
                warnings
                    .add(|| format!("{name} came to {wanted} and is kept at {kept}: it goes from {least} to {most}"));
                *value = kept;
            }
        }
        TransformedAudio { parameters: now, warnings: warnings.finish(), all_ignored: !ran && !self.is_empty() }
    }
}
