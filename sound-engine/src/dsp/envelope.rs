//! The envelope of a note: attack, decay, sustain, release.

use super::math::approach;

/// The times of an envelope in seconds, its sustain as a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnvelopeTimes {
    pub attack: f32,
    /// To 60 dB below, had it no sustain.
    pub decay: f32,
    pub sustain: f32,
    /// To 60 dB below.
    pub release: f32,
}

impl EnvelopeTimes {
    /// A gate that is open while the note is held.
    pub const GATE: EnvelopeTimes = EnvelopeTimes { attack: 0.0, decay: 0.1, sustain: 1.0, release: 0.03 };
}

/// An attack aims this far, so that it bends like a capacitor's and still arrives.
const ATTACK_AIM: f32 = 1.3;
/// ln(1.3 / 0.3): time constants until the attack arrives.
const ATTACK_CONSTANTS: f32 = 1.466_337;
/// ln(1000): time constants of 60 dB.
const CONSTANTS_OF_60_DB: f32 = 6.907_755;
/// Shorter attacks click.
const SHORTEST_ATTACK: f32 = 0.000_7;
/// Shorter releases click.
const SHORTEST_RELEASE: f32 = 0.006;
/// A release ends here, 90 dB below.
const END: f32 = 3e-5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Attack,
    Decay,
    Release,
    Over,
}

/// An envelope on its way.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    stage: Stage,
    level: f32,
    sustain: f32,
    attack: f32,
    decay: f32,
    release: f32,
}

impl Envelope {
    pub const OVER: Envelope =
        Envelope { stage: Stage::Over, level: 0.0, sustain: 0.0, attack: 1.0, decay: 1.0, release: 1.0 };

    /// Begins its attack.
    pub fn start(times: &EnvelopeTimes, rate: f32) -> Envelope {
        Envelope {
            stage: Stage::Attack,
            level: 0.0,
            sustain: times.sustain.clamp(0.0, 1.0),
            attack: approach(times.attack.max(SHORTEST_ATTACK) * rate / ATTACK_CONSTANTS),
            decay: approach(times.decay.max(0.001) * rate / CONSTANTS_OF_60_DB),
            release: approach(times.release.max(SHORTEST_RELEASE) * rate / CONSTANTS_OF_60_DB),
        }
    }

    pub fn release(&mut self) {
        if self.stage != Stage::Over {
            self.stage = Stage::Release;
        }
    }

    /// Begins again from the level it has.
    pub fn retrigger(&mut self) {
        self.stage = Stage::Attack;
    }

    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    pub fn level(&self) -> f32 {
        self.level
    }

    #[inline]
    pub fn next_value(&mut self) -> f32 {
        match self.stage {
            Stage::Attack => {
                self.level += (ATTACK_AIM - self.level) * self.attack;
                if self.level >= 1.0 {
                    self.level = 1.0;
                    self.stage = Stage::Decay;
                }
            }
            Stage::Decay => {
                self.level += (self.sustain - self.level) * self.decay;
                if self.level < END && self.sustain < END {
                    (self.level, self.stage) = (0.0, Stage::Over);
                }
            }
            Stage::Release => {
                self.level -= self.level * self.release;
                if self.level < END {
                    (self.level, self.stage) = (0.0, Stage::Over);
                }
            }
            Stage::Over => {}
        }
        self.level
    }

    /// `frames` values later.
    pub fn skip(&mut self, frames: usize) -> f32 {
        for _ in 0..frames {
            self.next_value();
        }
        self.level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_what_they_are_told() {
        let times = EnvelopeTimes { attack: 0.1, decay: 0.5, sustain: 0.0, release: 0.2 };
        let mut envelope = Envelope::start(&times, 48_000.0);
        let arrives = (0..).take_while(|_| envelope.next_value() < 1.0).count();
        assert!((4_780..4_820).contains(&arrives), "{arrives}");
        assert!((20.0 * envelope.skip(24_000).log10() + 60.0).abs() < 0.3, "{}", envelope.level());
        let mut envelope = Envelope::start(&EnvelopeTimes { sustain: 1.0, ..times }, 48_000.0);
        envelope.skip(10_000);
        envelope.release();
        assert!((20.0 * envelope.skip(9_600).log10() + 60.0).abs() < 0.3);
        envelope.skip(9_600);
        assert!(envelope.is_over() && envelope.level() == 0.0);
    }
}
