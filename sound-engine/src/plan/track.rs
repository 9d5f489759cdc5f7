//! What the engine does with a track of a plan.

use super::prepare::TrackNode;
use crate::dsp::span::{Bus, Lane, Span};

impl TrackNode {
    pub(crate) fn start_clip(&self, clip: u64, time: f64, now: u64, tempo_bpm: f64) {
        let found = self.clips.binary_search_by_key(&clip, |clip| clip.id).ok();
        if let Some(clip) = found.and_then(|index| self.clips.get(index))
            && let Ok(mut state) = self.state.try_borrow_mut()
        {
            state.clips.start(clip, time, now, tempo_bpm);
        }
    }

    pub(crate) fn stop_clip(&self) {
        if let Ok(mut state) = self.state.try_borrow_mut() {
            state.clips.stop();
        }
    }

    /// Adds what its audio clips play.
    pub(crate) fn render_clips(&self, span: &Span, tempo_bpm: f64, bus: &mut Bus) {
        if let Ok(mut state) = self.state.try_borrow_mut()
            && !state.clips.is_silent()
        {
            state.clips.render(&self.clips, span, tempo_bpm, bus);
        }
    }

    /// Takes the signal through the strip, and gives it to where it goes: `give(track, signal, gains)`.
    pub(crate) fn strip(
        &self,
        span: &Span,
        crossfade: f32,
        bus: &mut Bus,
        mut give: impl FnMut(usize, &Bus, Option<&Lane>),
    ) {
        let Ok(mut state) = self.state.try_borrow_mut() else { return };
        let strip = &mut state.strip;
        strip.aim(&self.strip, crossfade, self.sends.iter().map(|send| send.gain));
        let before = strip.process(span, bus);
        if let Some(output) = self.output {
            give(output, bus, None);
        }
        for (index, send) in self.sends.iter().enumerate() {
            if let Some(gains) = strip.send(index, span) {
                give(send.to, if send.before_fader { &before } else { bus }, Some(&gains));
            }
        }
    }
}
