//! When an effect has nothing to do.

use crate::dsp::span::{Bus, Span, TICK};
use crate::effects::EffectContext;

/// Below this, 140 dB under full scale, an effect counts as silent.
const SILENCE: f32 = 1e-7;
/// Frames of silence beyond an effect's memory until it sleeps.
const FRAMES_TO_SLEEP: u64 = 24_000;

#[derive(Default)]
pub(super) struct Sleep {
    pub asleep: bool,
    silent_frames: u64,
    /// Whether anything of this tick was louder.
    sounds: bool,
}

impl Sleep {
    /// Lets an effect work only while it has something to do. When is counted in frames, so that it does not depend on
    /// how spans are cut.
    pub fn process(
        &mut self,
        context: &EffectContext,
        bus: &mut Bus,
        memory_frames: u64,
        mut work: impl FnMut(&EffectContext, &mut Bus),
    ) {
        let span = context.span;
        if self.asleep {
            if bus.is_silent() {
                return;
            }
            let first = (0..span.frames).find(|at| {
                let sounds = |lane: &[f32; TICK]| lane.get(*at).is_some_and(|value| *value != 0.0);
                sounds(&bus.left) || sounds(&bus.right)
            });
            let Some(first) = first else { return };
            // It wakes at the very frame that is not silent.
            (self.asleep, self.silent_frames) = (false, 0);
            let mut rest = Bus::SILENT;
            rest.left[..TICK - first].copy_from_slice(&bus.left[first..]);
            rest.right[..TICK - first].copy_from_slice(&bus.right[first..]);
            let context = EffectContext {
                span: Span { start: span.start + first as u64, frames: span.frames - first },
                ..*context
            };
            self.sounds = self.sounds || rest.reaches(SILENCE, span.frames - first);
            work(&context, &mut rest);
            self.sounds = self.sounds || rest.reaches(SILENCE, span.frames - first);
            bus.left[first..].copy_from_slice(&rest.left[..TICK - first]);
            bus.right[first..].copy_from_slice(&rest.right[..TICK - first]);
        } else {
            self.sounds = self.sounds || bus.reaches(SILENCE, span.frames);
            work(context, bus);
            self.sounds = self.sounds || bus.reaches(SILENCE, span.frames);
        }
        if span.ends_tick() {
            self.silent_frames = if self.sounds { 0 } else { self.silent_frames + TICK as u64 };
            self.sounds = false;
            self.asleep = self.silent_frames > FRAMES_TO_SLEEP + memory_frames;
        }
    }
}
