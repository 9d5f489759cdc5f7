//! What is heard of a sound, in the whole numbers that are stored between runs.

use super::kind::SampleType;
use std::num::{NonZeroU16, NonZeroU32};
use svc_analysis::sample::SampleReport;

pub const TRAITS_BYTES: usize = 11;

/// Stored for a sound that has no loudness.
const NO_LOUDNESS: i16 = i16::MIN;

/// A sound that nothing calls a loop has a tempo if it is heard as surely as this.
const SURE_PERCENT: u8 = 50;
/// How near a heard tempo has to come to that of a name to be the same.
const SAME_TEMPO: f64 = 0.04;
/// How near a loop has to come to whole beats of its heard tempo: of its length, and in beats.
const WHOLE_BEATS: (f64, f64) = (0.01, 0.15);

/// Beats of loops, and how near a length has to come to them, as a share.
const LOOP_BEATS: [f64; 5] = [4.0, 8.0, 16.0, 32.0, 64.0];
const LOOP_SHARE: f64 = 0.01;

/// The beats that a loop of about so many has.
fn loop_beats(about: f64) -> Option<f64> {
    LOOP_BEATS.into_iter().find(|beats| (about / beats - 1.0).abs() <= LOOP_SHARE)
}

/// What is heard of a sound; each is `None` where there is no such thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoundTraits {
    pitch_centihertz: Option<NonZeroU32>,
    brightness_hz: Option<NonZeroU16>,
    loudness_tenths_lufs: Option<i16>,
    tempo_centibpm: Option<NonZeroU16>,
    tempo_sure_percent: u8,
}

impl SoundTraits {
    pub fn of(report: &SampleReport) -> SoundTraits {
        // What is cast lies within: the analysis has its own bounds.
        let hundredths = |value: f64| (value * 100.0).round();
        let tempo = report.tempo;
        SoundTraits {
            pitch_centihertz: report.pitch.and_then(|pitch| NonZeroU32::new(hundredths(pitch.hz) as u32)),
            brightness_hz: report.brightness_hz.and_then(|hz| NonZeroU16::new(hz.round() as u16)),
            loudness_tenths_lufs: report.loudness_lufs.map(|lufs| (lufs * 10.0).round() as i16),
            tempo_centibpm: tempo.and_then(|tempo| NonZeroU16::new(hundredths(tempo.bpm) as u16)),
            tempo_sure_percent: tempo.map_or(0, |tempo| hundredths(tempo.confidence) as u8),
        }
    }

    /// Of the one note that it sounds, to 0.01 Hz.
    pub fn pitch_hz(&self) -> Option<f64> {
        self.pitch_centihertz.map(|hz| f64::from(hz.get()) / 100.0)
    }

    /// The middle of its spectrum by amplitude.
    pub fn brightness_hz(&self) -> Option<u16> {
        self.brightness_hz.map(NonZeroU16::get)
    }

    /// Integrated, to 0.1 LUFS.
    pub fn loudness_lufs(&self) -> Option<f64> {
        self.loudness_tenths_lufs.map(|lufs| f64::from(lufs) / 10.0)
    }

    /// The tempo in BPM, if this is something that has one: a loop, or a long sound that is steady. `named` is the
    /// tempo in the name. Half and twice a tempo sound the same: where the name says one of them, it is that. A loop is
    /// cut to whole beats, which says its tempo more exactly than anybody hears it; so is whatever lasts as many beats
    /// as loops have, or would at 3/2 of what is heard.
    pub fn tempo_of(&self, seconds: f64, sample_type: Option<SampleType>, named: Option<u32>) -> Option<f64> {
        let heard = f64::from(self.tempo_centibpm?.get()) / 100.0;
        let is_loop = sample_type == Some(SampleType::Loop);
        if !is_loop && (sample_type.is_some() || self.tempo_sure_percent < SURE_PERCENT) {
            return None;
        }
        let as_named =
            |factor: &f64| named.is_some_and(|bpm| (heard * factor / f64::from(bpm) - 1.0).abs() <= SAME_TEMPO);
        let named = [1.0, 2.0, 0.5].into_iter().find(as_named);
        let bpm = heard * named.unwrap_or(1.0);
        let beats = seconds * bpm / 60.0;
        // Three beats in the time of two are heard as easily; the name would say so.
        let factors: &[f64] = if named.is_some() { &[1.0] } else { &[1.0, 1.5] };
        if let Some(count) = factors.iter().find_map(|factor| loop_beats(beats * factor)) {
            return Some(count * 60.0 / seconds);
        }
        let (share, most) = WHOLE_BEATS;
        let is_cut = is_loop && (beats - beats.round()).abs() <= (share * beats).min(most);
        Some(if is_cut { bpm * beats.round() / beats } else { bpm })
    }

    pub fn to_bytes(self) -> [u8; TRAITS_BYTES] {
        let [a, b, c, d] = self.pitch_centihertz.map_or(0, NonZeroU32::get).to_le_bytes();
        let [e, f] = self.brightness_hz.map_or(0, NonZeroU16::get).to_le_bytes();
        let [g, h] = self.loudness_tenths_lufs.unwrap_or(NO_LOUDNESS).to_le_bytes();
        let [i, j] = self.tempo_centibpm.map_or(0, NonZeroU16::get).to_le_bytes();
        [a, b, c, d, e, f, g, h, i, j, self.tempo_sure_percent]
    }

    pub fn from_bytes([a, b, c, d, e, f, g, h, i, j, tempo_sure_percent]: [u8; TRAITS_BYTES]) -> SoundTraits {
        SoundTraits {
            pitch_centihertz: NonZeroU32::new(u32::from_le_bytes([a, b, c, d])),
            brightness_hz: NonZeroU16::new(u16::from_le_bytes([e, f])),
            loudness_tenths_lufs: Some(i16::from_le_bytes([g, h])).filter(|lufs| *lufs != NO_LOUDNESS),
            tempo_centibpm: NonZeroU16::new(u16::from_le_bytes([i, j])),
            tempo_sure_percent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use svc_analysis::tempo::Tempo;

    #[test]
    fn heard_tempo_of_loops() {
        const LOOP: Option<SampleType> = Some(SampleType::Loop);
        for (sample_type, seconds, heard, confidence, named, bpm) in [
            (LOOP, 2.0, 119.7, 0.9, None, Some(120.0)),
            (LOOP, 2.0, 119.7, 0.1, None, Some(120.0)),
            // Cut to no whole beats: as it is heard.
            (LOOP, 2.2, 119.7, 0.9, None, Some(119.7)),
            // Heard at half the tempo, or at twice, of the name.
            (LOOP, 240.0 / 174.0 * 2.0, 87.2, 0.9, Some(174), Some(174.0)),
            (LOOP, 240.0 / 70.0, 139.5, 0.9, Some(70), Some(70.0)),
            // 16 beats, heard near to their tempo, whether or not anything calls it a loop.
            (None, 960.0 / 110.0, 110.25, 0.9, None, Some(110.0)),
            (None, 960.0 / 90.0, 90.2, 0.9, None, Some(90.0)),
            (LOOP, 960.0 / 97.0, 97.22, 0.9, None, Some(97.0)),
            (LOOP, 1_920.0 / 97.0, 97.9, 0.9, None, Some(97.0)),
            // Three beats in the time of two.
            (LOOP, 960.0 / 174.0, 116.26, 0.9, None, Some(174.0)),
            (None, 960.0 / 150.0, 100.23, 0.9, None, Some(150.0)),
            (LOOP, 960.0 / 150.0, 100.23, 0.9, Some(100), Some(100.23)),
            // Twelve beats: three bars of four, and eight at two thirds.
            (LOOP, 720.0 / 120.0, 119.9, 0.9, None, Some(120.0)),
            // The name is wrong.
            (LOOP, 2.0, 120.4, 0.9, Some(100), Some(120.0)),
            // Among many beats, a whole number of them is near by chance.
            (LOOP, 30.0, 96.4, 0.8, None, Some(96.4)),
            (LOOP, 30.0, 96.1, 0.8, None, Some(96.0)),
            (None, 30.0, 96.31, 0.8, None, Some(96.31)),
            (None, 30.0, 96.31, 0.2, None, None),
            (Some(SampleType::OneShot), 1.2, 100.0, 0.9, None, None),
            (Some(SampleType::ImpulseResponse), 4.0, 100.0, 0.9, None, None),
        ] {
            let tempo = Some(Tempo { bpm: heard, confidence });
            let traits = SoundTraits::of(&SampleReport { tempo, ..SampleReport::default() });
            let told = traits.tempo_of(seconds, sample_type, named);
            let is_same = match (told, bpm) {
                (Some(told), Some(bpm)) => (told - bpm).abs() < 0.01,
                (told, bpm) => told == bpm,
            };
            assert!(is_same, "{heard} of {seconds} s: {told:?} instead of {bpm:?}");
        }
        assert_eq!(SoundTraits::default().tempo_of(2.0, LOOP, Some(120)), None);
    }
}
