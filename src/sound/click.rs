//! The metronome's click: a short tone on each beat, a higher one where a bar begins. It is no part of the mix.

use svc_sound::dsp::math::{exp2, log2, sin_turns};

/// Beats of one block that are heard.
const MOST_BEATS: usize = 64;
const BAR_HZ: f32 = 1760.0;
const BEAT_HZ: f32 = 880.0;
/// -9 dB.
const PEAK: f32 = 0.35;
/// The tone falls to a third of its level in each of these.
const FALL_SECONDS: f32 = 0.008;
const LENGTH_SECONDS: f32 = 0.06;
const ATTACK_SECONDS: f32 = 0.001;

pub struct Click {
    /// In order: the frame of this block, or of those after it, and whether a bar begins.
    beats: Vec<(u32, bool)>,
    /// The block before was heard.
    is_heard: bool,
    /// Frames since the beat; beyond its length it is silent.
    age: u32,
    hz: f32,
}

impl Click {
    pub fn new() -> Click {
        Click { beats: Vec::with_capacity(MOST_BEATS), is_heard: false, age: u32::MAX, hz: BEAT_HZ }
    }

    pub fn begin_block(&mut self) {
        if !std::mem::take(&mut self.is_heard) {
            self.beats.clear();
        }
    }

    /// A frame beyond the block is one of those after it.
    pub fn beat(&mut self, sample: u32, is_bar: bool) {
        if self.beats.len() < MOST_BEATS {
            self.beats.push((sample, is_bar));
        }
    }

    /// Adds the block's clicks, `gain` a factor.
    pub fn render(&mut self, rate: f32, gain: f32, left: &mut [f32], right: &mut [f32]) {
        self.is_heard = true;
        let length = (LENGTH_SECONDS * rate) as u32;
        if self.beats.is_empty() && self.age >= length {
            return;
        }
        let fall = 1.0 - 1.0 / (FALL_SECONDS * rate).max(1.0);
        let mut level = PEAK * gain * exp2(log2(fall) * self.age.min(length) as f32);
        let frames = left.len() as u32;
        let mut beats = self.beats.iter().peekable();
        for (frame, (left, right)) in (0..).zip(left.iter_mut().zip(right)) {
            if let Some((_, is_bar)) = beats.next_if(|(at, _)| *at <= frame) {
                (self.age, self.hz, level) = (0, if *is_bar { BAR_HZ } else { BEAT_HZ }, PEAK * gain);
            }
            if self.age < length {
                let seconds = self.age as f32 / rate;
                let rise = (seconds / ATTACK_SECONDS).min(1.0);
                // Nothing is left over at the end, so that it does not click itself.
                let rest = 1.0 - self.age as f32 / length as f32;
                let value = sin_turns((seconds * self.hz).fract()) * level * rise * rest;
                *left += value;
                *right += value;
                level *= fall;
                self.age += 1;
            }
        }
        self.beats.retain_mut(|(at, _)| {
            let is_to_come = *at >= frames;
            *at = at.saturating_sub(frames);
            is_to_come
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(block: usize, beats: &[(u32, bool)]) -> Vec<f32> {
        let (mut click, mut out) = (Click::new(), Vec::new());
        for start in (0..24_000).step_by(block) {
            let frames = block.min(24_000 - start);
            let (mut left, mut right) = (vec![0.0; frames], vec![0.0; frames]);
            click.begin_block();
            for (at, is_bar) in beats.iter().filter(|(at, _)| (start..start + frames).contains(&(*at as usize))) {
                click.beat(*at - start as u32, *is_bar);
            }
            click.render(48_000.0, 1.0, &mut left, &mut right);
            assert_eq!(left, right);
            out.extend(left);
        }
        out
    }

    #[test]
    fn it_begins_at_its_beat_ends_and_steps_nowhere() {
        let out = render(512, &[(100, true), (12_000, false)]);
        assert!(out[..=100].iter().all(|value| *value == 0.0) && out[101..148].iter().any(|value| *value != 0.0));
        assert!(out[3_500..=12_000].iter().all(|value| *value == 0.0));
        let peak = out.iter().fold(0.0f32, |peak, value| peak.max(value.abs()));
        assert!((0.15..=PEAK).contains(&peak), "{peak}");
        let step = out.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0f32, f32::max);
        assert!(step < 0.09, "no more than the tone's own: {step}");
    }

    #[test]
    fn a_beat_beyond_its_block_is_heard_when_it_is_due() {
        let meant = render(512, &[(1_000, true)]);
        for block in [17, 64, 512] {
            let (mut click, mut out) = (Click::new(), Vec::new());
            click.begin_block();
            click.beat(1_000, true);
            while out.len() < 4_000 {
                let (mut left, mut right) = (vec![0.0; block], vec![0.0; block]);
                click.render(48_000.0, 1.0, &mut left, &mut right);
                click.begin_block();
                out.extend(left);
            }
            // A block begins with a level that is worked out anew.
            let is_near = out.iter().zip(&meant).all(|(is, meant)| (is - meant).abs() < 1e-5);
            assert!(is_near, "blocks of {block}");
            click.begin_block();
            assert!(click.beats.is_empty());
        }
    }

    #[test]
    fn blocks_make_no_difference() {
        let beats = [(100, true), (700, false), (12_000, false)];
        let meant = render(24_000, &beats);
        for block in [1, 64, 1000] {
            let apart = render(block, &beats).iter().zip(&meant).map(|(a, b)| (a - b).abs()).fold(0.0f32, f32::max);
            assert!(apart < 1e-4, "{block}: {apart}");
        }
    }
}
