//! The envelope of a note: attack, decay, sustain, release.

use super::four::{Four, ZEROS};
use super::four_lanes::FourLanes;
use super::math::approach;
use super::span::{Lane, TICK};

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
pub const ATTACK_AIM: f32 = 1.3;
/// ln(1.3 / 0.3): time constants until the attack arrives.
pub const ATTACK_CONSTANTS: f32 = 1.466_337;
/// ln(1000): time constants of 60 dB.
pub const CONSTANTS_OF_60_DB: f32 = 6.907_755;
/// Shorter attacks click.
pub const SHORTEST_ATTACK: f32 = 0.000_7;
/// Shorter releases click.
pub const SHORTEST_RELEASE: f32 = 0.006;
/// Whatever falls ends here, 90 dB below.
pub const END: f32 = 3e-5;

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

    /// The next values; those beyond `frames` are 0.
    pub fn lane(&mut self, frames: usize) -> Lane {
        let mut lane = [0.0; TICK];
        let Some((target, part)) = self.way() else { return lane };
        let mut level = self.level;
        for value in lane.iter_mut().take(frames) {
            level += (target - level) * part;
            *value = level;
        }
        if self.stays(level) {
            self.level = level;
        } else {
            lane.iter_mut().take(frames).for_each(|value| *value = self.next_value());
        }
        lane
    }

    /// `frames` values later.
    pub fn skip(&mut self, frames: usize) -> f32 {
        let Some((target, part)) = self.way() else { return self.level };
        let mut level = self.level;
        for _ in 0..frames {
            level += (target - level) * part;
        }
        if self.stays(level) {
            self.level = level;
        } else {
            (0..frames).for_each(|_| _ = self.next_value());
        }
        self.level
    }

    /// The next values of four, or fewer, side by side; those beyond `frames` are 0. Four others are as many values
    /// later: what waits for its own last value waits together.
    pub fn lanes(
        mut envelopes: [Option<&mut Envelope>; 4],
        mut others: [Option<&mut Envelope>; 4],
        frames: usize,
    ) -> FourLanes {
        let mut lanes = [ZEROS; TICK];
        let (mut level, target, part) = Envelope::ways(&envelopes);
        let (mut other_level, other_target, other_part) = Envelope::ways(&others);
        for values in lanes.iter_mut().take(frames) {
            level += (target - level) * part;
            other_level += (other_target - other_level) * other_part;
            *values = level;
        }
        for (at, (envelope, level)) in envelopes.iter_mut().zip(level.to_array()).enumerate() {
            let Some(envelope) = envelope else { continue };
            if envelope.stays(level) {
                envelope.level = level;
                continue;
            }
            for (values, value) in lanes.iter_mut().zip(envelope.lane(frames)) {
                if let Some(place) = values.as_array_mut().get_mut(at) {
                    *place = value;
                }
            }
        }
        for (envelope, level) in others.iter_mut().zip(other_level.to_array()) {
            let Some(envelope) = envelope else { continue };
            if envelope.stays(level) {
                envelope.level = level;
            } else {
                envelope.skip(frames);
            }
        }
        lanes
    }

    /// Where four are, where they go, and which part of the way at once.
    fn ways(envelopes: &[Option<&mut Envelope>; 4]) -> (Four, Four, Four) {
        let (mut levels, mut targets, mut parts) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        let places = levels.iter_mut().zip(&mut targets).zip(&mut parts);
        for (envelope, ((level, target), part)) in envelopes.iter().zip(places) {
            if let Some((envelope, way)) = envelope.as_ref().and_then(|envelope| Some((envelope, envelope.way()?))) {
                (*level, (*target, *part)) = (envelope.level, way);
            }
        }
        (Four::new(levels), Four::new(targets), Four::new(parts))
    }

    /// Where its stage goes, and which part of the way it goes at once.
    fn way(&self) -> Option<(f32, f32)> {
        match self.stage {
            Stage::Attack => Some((ATTACK_AIM, self.attack)),
            Stage::Decay => Some((self.sustain, self.decay)),
            Stage::Release => Some((0.0, self.release)),
            Stage::Over => None,
        }
    }

    /// Whether a level lies within its stage. All stages go one way, so those before it did too.
    fn stays(&self, level: f32) -> bool {
        match self.stage {
            Stage::Attack => level < 1.0,
            Stage::Decay => level >= END || self.sustain >= END,
            Stage::Release => level >= END,
            Stage::Over => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_is_as_many_values() {
        let times = EnvelopeTimes { attack: 0.003, decay: 0.01, sustain: 0.0, release: 0.02 };
        for (sustain, held) in [(0.0, 400), (0.4, 300), (0.9, 5)] {
            let mut one = Envelope::start(&EnvelopeTimes { sustain, ..times }, 48_000.0);
            let (mut many, mut skipped) = (one, one);
            for round in 0..800 {
                if round == held {
                    [&mut one, &mut many, &mut skipped].into_iter().for_each(Envelope::release);
                }
                let frames = 1 + round % TICK;
                let values: Lane = std::array::from_fn(|at| if at < frames { one.next_value() } else { 0.0 });
                assert_eq!(many.lane(frames), values, "round {round}");
                assert_eq!(skipped.skip(frames), one.level());
            }
            assert!(many.is_over() && skipped.is_over());
        }
    }

    #[test]
    fn four_side_by_side_are_as_each_alone() {
        let times = EnvelopeTimes { attack: 0.003, decay: 0.01, sustain: 0.4, release: 0.02 };
        let all = [0.0, 0.4, 0.9].map(|sustain| Envelope::start(&EnvelopeTimes { sustain, ..times }, 48_000.0));
        let (mut alone, mut together, mut skipped) = (all, all, all);
        for round in 0..800 {
            for (at, envelopes) in alone.iter_mut().zip(&mut together).zip(&mut skipped).enumerate() {
                if round == 300 * at {
                    let ((one, two), three) = envelopes;
                    [one, two, three].into_iter().for_each(Envelope::release);
                }
            }
            let frames = 1 + round % TICK;
            let [a, b, c] = &mut together;
            let [d, e, f] = &mut skipped;
            let all = Envelope::lanes([Some(a), None, Some(b), Some(c)], [Some(d), Some(e), None, Some(f)], frames);
            let lanes = super::super::four_lanes::apart(&all);
            let [a, b, c] = alone.each_mut().map(|envelope| envelope.lane(frames));
            assert_eq!(lanes, [a, [0.0; TICK], b, c], "round {round}");
            assert_eq!(skipped.map(|envelope| envelope.level()), alone.map(|envelope| envelope.level()));
        }
        assert!(together.iter().all(Envelope::is_over) && skipped.iter().all(Envelope::is_over));
    }

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
