//! The tempo that an audio file states of itself: in the `acid` chunk of a WAV, the `basc` chunk of an AIFF, or a tag.

use super::read_budget::BoundedFile;
use super::sound::StatedTempo;
use std::ops::RangeInclusive;
use symphonia::core::formats::probe::Hint;
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::StandardTag;

/// Tempos that a file may state, in BPM. Many programs write 0, and some nonsense.
const PLAUSIBLE_BPM: RangeInclusive<f64> = 20.0..=999.0;

pub fn is_plausible(bpm: f64) -> bool {
    PLAUSIBLE_BPM.contains(&bpm)
}

/// The tempo of a file that is `seconds` long; none of a one-shot. `again` opens the file once more, for its tags.
pub fn bpm_of<'a>(
    stated: StatedTempo,
    seconds: f64,
    again: impl FnOnce() -> Option<(BoundedFile<'a>, u64)>,
) -> Option<f64> {
    let bpm = match stated {
        StatedTempo::Bpm(bpm) => Some(rounded(bpm)),
        StatedTempo::Beats(beats) => Some(rounded(f64::from(beats) * 60.0 / seconds)),
        StatedTempo::OneShot => None,
        StatedTempo::Missing => again().and_then(|(file, _)| tag_tempo(file)),
    };
    bpm.filter(|bpm| is_plausible(*bpm))
}

/// Tags are read by symphonia; a file that it does not open has none.
fn tag_tempo(file: BoundedFile) -> Option<f64> {
    let stream = MediaSourceStream::new(Box::new(file), Default::default());
    let probe = symphonia::default::get_probe();
    let mut reader = probe.probe(&Hint::new(), stream, Default::default(), Default::default()).ok()?;
    let mut metadata = reader.metadata();
    let revision = metadata.skip_to_latest()?;
    revision.media.tags.iter().find_map(|tag| match tag.std {
        Some(StandardTag::Bpm(bpm)) => Some(bpm as f64),
        _ => None,
    })
}

/// To a thousandth: the file keeps seven digits of it.
fn rounded(bpm: f64) -> f64 {
    (bpm * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_state_a_tempo() {
        for (stated, told) in [
            (StatedTempo::Bpm(174.0), Some(174.0)),
            (StatedTempo::Bpm(1.0), None),
            (StatedTempo::Beats(16), Some(120.0)),
            (StatedTempo::OneShot, None),
            (StatedTempo::Missing, None),
        ] {
            assert_eq!(bpm_of(stated, 8.0, || None), told, "{stated:?}");
        }
    }
}
