//! A report in words: what a listener would remark on, and nothing that is as it should be.

use crate::key::Key;
use crate::levels::{Levels, Side};
use crate::mix::{HiddenTrack, MixReport, Role, TrackReport};

/// A track so much softer than the loudest is remarked on.
const SOFT_LU: f64 = 8.0;
/// So is a part of a track: the drums of a kit lie further apart.
const SOFT_PART_LU: f64 = 10.0;
/// Bent by so much, the overtones of a sine are 60 dB below it (docs/decisions.md, D236).
const LEAST_BENT_DB: f64 = 0.03;
const LOUDEST_TRUE_PEAK_DBTP: f64 = -1.0;
/// Below, much is lost when both channels are played as one.
const LEAST_CORRELATION: f64 = -0.2;
const UNEVEN_SIDES_DB: f64 = 6.0;
/// One band with more of the power than this, in dB of the whole.
const HEAVY_LOWS_DB: f64 = -0.2;
/// Highs below are missing.
const DULL_HIGHS_DB: f64 = -45.0;
const HARSH_HIGHS_DB: f64 = -6.0;
const TEMPO_TOLERANCE: f64 = 0.02;
const LEAST_CONFIDENCE: f64 = 0.3;
const MANY: usize = 6;

/// What the Set says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Expected {
    pub tempo_bpm: Option<f64>,
    /// Of its scale, where one is set: the root from 0 (C), and the pitch classes as bits from that root.
    pub scale: Option<(u8, u16)>,
    /// Of the main output before a gain that gave it its loudness; `None` where there was none.
    pub before_gain: Option<Levels>,
    /// What a safety clip in front of that gain bent of the main output; `None`: nothing.
    pub bent: Option<BentMix>,
}

/// What a safety clip bent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BentMix {
    pub times: u64,
    pub first_s: f64,
    /// By how much the largest sample was made smaller.
    pub most_db: f64,
    /// By how much all would have to be softer for nothing to be bent.
    pub excess_db: f64,
}

const NAMES: [&str; 12] = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];
const MAJOR_STEPS: u16 = 0b1010_1011_0101;
const MINOR_STEPS: u16 = 0b0101_1010_1101;

/// `A minor`.
pub fn key_name(key: &Key) -> String {
    let tonic = NAMES.get(usize::from(key.tonic)).copied().unwrap_or_default();
    format!("{tonic} {}", if key.is_minor { "minor" } else { "major" })
}

/// Sentences without their full stops, the gravest first.
pub fn remarks(report: &MixReport, expected: &Expected) -> Vec<String> {
    if report.main.is_silent() {
        return vec!["nothing sounds".to_owned()];
    }
    let mut remarks = Vec::new();
    clipping(report, expected.before_gain.as_ref(), &mut remarks);
    remarks.extend(
        expected
            .bent
            .filter(|bent| bent.most_db >= LEAST_BENT_DB)
            .map(|bent| bending(&bent, expected.before_gain.is_some())),
    );
    if let Some(peak) = report.main.next_to_silent() {
        remarks.push(format!("the mix is next to silent: its true peak is {peak:.1} dBTP"));
        return remarks;
    }
    faults(report, &mut remarks);
    loudness(&report.tracks, &mut remarks);
    hiding(report, &mut remarks);
    colour(report, &mut remarks);
    heard(report, expected, &mut remarks);
    remarks
}

/// A gain that gives the mix its loudness undoes whatever the main volume does, but no clipping before it.
fn clipping(report: &MixReport, before_gain: Option<&Levels>, remarks: &mut Vec<String>) {
    let of = |levels: &Levels| match (levels.clipped_stretches, levels.first_clipped_s) {
        (count @ 1.., Some(first)) => Some(format!("{}, first at {first:.2} s", times(count as usize))),
        _ => None,
    };
    if let Some(clips) = before_gain.and_then(of) {
        remarks.push(format!("the mix clips {clips}, before it is normalized: lower the main volume"));
    }
    match (of(&report.main.levels), before_gain) {
        (Some(clips), None) => remarks.push(format!("the mix clips {clips}: lower the main volume")),
        (Some(clips), Some(_)) => remarks.push(format!(
            "normalized, the mix clips {clips}: normalize to less, or tame its peaks with a Limiter on the main track"
        )),
        (None, _) => {
            let peak = report.main.loudness.true_peak_dbtp.filter(|peak| *peak > LOUDEST_TRUE_PEAK_DBTP);
            remarks.extend(peak.map(|peak| {
                format!("the true peak is {peak:.1} dBTP: above {LOUDEST_TRUE_PEAK_DBTP} dBTP encoders may clip")
            }));
        }
    }
}

fn bending(bent: &BentMix, is_normalized: bool) -> String {
    let BentMix { times: count, first_s, most_db, excess_db } = *bent;
    let digits = if most_db < 0.1 { 2 } else { 1 };
    format!(
        "the mix goes above -1 dBFS, where the safety clip of the main track distorts it: {}, first at {first_s:.2} s, \
         by up to {most_db:.digits$} dB{}; lower the main volume by {:.1} dB to keep it clean",
        times(count as usize),
        if is_normalized { ", before it is normalized" } else { "" },
        // What is said is enough.
        (excess_db * 10.0).ceil() / 10.0
    )
}

fn faults(report: &MixReport, remarks: &mut Vec<String>) {
    let levels = &report.main.levels;
    if let Some(first) = report.clicks_s.first() {
        remarks
            .push(format!("{} heard, first at {first:.2} s", counted(report.clicks_s.len(), "click is", "clicks are")));
    }
    let side = |name: &str, levels: &Levels, remarks: &mut Vec<String>| {
        if let Some(correlation) = levels.correlation.filter(|c| *c < LEAST_CORRELATION) {
            remarks.push(format!(
                "left and right of {name} cancel each other (correlation {correlation:.2}): much is lost in mono"
            ));
        }
        if let Some(right) = levels.right_over_left_db.filter(|db| db.abs() > UNEVEN_SIDES_DB) {
            let (loud, soft) = if right > 0.0 { ("right", "left") } else { ("left", "right") };
            remarks.push(format!("{name} is {:.0} dB louder on the {loud} than on the {soft}", right.abs()));
        }
        if let Some(side) = levels.only_side {
            let side = if side == Side::Left { "left" } else { "right" };
            remarks.push(format!("only the {side} side of {name} sounds"));
        }
    };
    side("the mix", levels, remarks);
}

fn loudness(tracks: &[TrackReport], remarks: &mut Vec<String>) {
    let alone: Vec<&TrackReport> = tracks.iter().filter(|track| track.role == Role::Track).collect();
    let silent: Vec<&str> = alone.iter().filter(|t| t.signal.is_silent()).map(|t| t.name.as_str()).collect();
    if !silent.is_empty() {
        let verb = if silent.len() == 1 { "is" } else { "are" };
        remarks.push(format!("{} {verb} silent", listed(&silent)));
    }
    soft(&alone, SOFT_LU, "", remarks);
    for (at, track) in tracks.iter().enumerate() {
        let parts: Vec<&TrackReport> = tracks.iter().filter(|part| part.role == Role::Part { of: at }).collect();
        soft(&parts, SOFT_PART_LU, &format!("in {}, ", track.name), remarks);
    }
}

/// Those that are so much softer than the loudest of them.
fn soft(tracks: &[&TrackReport], by_lu: f64, place: &str, remarks: &mut Vec<String>) {
    let lufs = |track: &TrackReport| track.signal.loudness.integrated_lufs;
    let loudest = tracks.iter().filter_map(|t| Some((t, lufs(t)?))).max_by(|a, b| a.1.total_cmp(&b.1));
    let Some((loudest, top)) = loudest else { return };
    for track in tracks {
        if let Some(below) = lufs(track).map(|lufs| top - lufs).filter(|below| *below >= by_lu) {
            remarks.push(format!("{place}{} is {below:.0} LU below {}", track.name, loudest.name));
        }
        if let Some(peak) = inaudible(track) {
            let below = loudest.signal.loudness.true_peak_dbtp.map(|top| top - peak).filter(|below| *below > 0.0);
            let below =
                below.map(|below| format!(", {below:.0} dB below that of {}", loudest.name)).unwrap_or_default();
            remarks.push(format!("{place}{} is inaudible: its true peak is {peak:.0} dBTP{below}", track.name));
        }
    }
}

/// The true peak of a track that sounds, and so softly that it has no loudness beside others.
fn inaudible(track: &TrackReport) -> Option<f64> {
    let has_loudness = track.signal.loudness.integrated_lufs.is_some();
    track.signal.next_to_silent().filter(|_| !has_loudness)
}

fn hiding(report: &MixReport, remarks: &mut Vec<String>) {
    // Of what is inaudible anyway, others hide all.
    let is_heard = |hidden: &&HiddenTrack| report.tracks.get(hidden.track).is_none_or(|t| inaudible(t).is_none());
    for HiddenTrack { track, by, masking } in report.hidden.iter().filter(is_heard).take(MANY) {
        let name = |index: usize| report.tracks.get(index).map_or_else(String::new, |track| whole_name(report, track));
        remarks.push(format!(
            "{} hides {:.0} % of {}, most around {:.0} to {:.0} Hz",
            name(*by),
            100.0 * masking.share,
            name(*track),
            masking.from_hz,
            masking.to_hz
        ));
    }
}

/// `Kick of Drums`.
fn whole_name(report: &MixReport, track: &TrackReport) -> String {
    let of = if let Role::Part { of } = track.role { report.tracks.get(of) } else { None };
    of.map_or_else(|| track.name.clone(), |of| format!("{} of {}", track.name, of.name))
}

fn colour(report: &MixReport, remarks: &mut Vec<String>) {
    let [low, _, _, high] = report.main.balance.bands_db;
    if low.is_some_and(|low| low > HEAVY_LOWS_DB) {
        remarks.push("nearly all power lies below 150 Hz: little is heard on small speakers".to_owned());
    }
    match high {
        Some(high) if high > HARSH_HIGHS_DB => {
            remarks.push(format!("the highs above 5 kHz are strong ({high:.0} dB of the whole): it may sound harsh"));
        }
        Some(high) if high < DULL_HIGHS_DB => {
            remarks.push(format!("there is little above 5 kHz ({high:.0} dB of the whole): it sounds dull"));
        }
        _ => {}
    }
}

fn heard(report: &MixReport, expected: &Expected, remarks: &mut Vec<String>) {
    if let (Some(heard), Some(set)) = (report.tempo, expected.tempo_bpm)
        && heard.confidence >= LEAST_CONFIDENCE
    {
        let is = |times: f64| (heard.bpm / (set * times) - 1.0).abs() <= TEMPO_TOLERANCE;
        if is(2.0) || is(0.5) {
            let word = if is(2.0) { "twice" } else { "half" };
            remarks.push(format!("it is heard at {:.0} BPM, {word} the Set's tempo of {set:.0}", heard.bpm));
        } else if !is(1.0) {
            remarks.push(format!("it is heard at {:.1} BPM, and the Set's tempo is {set:.1}", heard.bpm));
        }
    }
    if let (Some(heard), Some((root, steps))) = (report.key, expected.scale)
        && heard.confidence >= LEAST_CONFIDENCE
    {
        let set = pitch_classes(root, steps);
        let own = pitch_classes(heard.tonic, if heard.is_minor { MINOR_STEPS } else { MAJOR_STEPS });
        let outside = (own & !set).count_ones();
        if outside >= 2 {
            remarks.push(format!(
                "it is heard in {}, {outside} of whose notes are not in the Set's scale",
                key_name(&heard)
            ));
        }
    }
}

/// Bits from C on.
fn pitch_classes(root: u8, steps: u16) -> u16 {
    let root = u32::from(root % 12);
    ((steps << root) | (steps >> (12 - root))) & 0xFFF
}

/// Of a track whose own file cuts what is above full scale: in the mix nothing of it is cut.
pub fn stem_clipping(track: &TrackReport) -> Option<String> {
    let levels = &track.signal.levels;
    let first = levels.first_clipped_s?;
    let count = times(levels.clipped_stretches as usize);
    Some(format!(
        "{} clips {count} in its stem, first at {first:.2} s: lower its fader, or write 32 bits; the mix has it whole",
        track.name
    ))
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}
