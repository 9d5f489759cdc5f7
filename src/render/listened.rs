//! What was heard, as an answer tells it.

use super::faithfulness::Faithfulness;
use super::rendered::Rendered;
use super::stretch::{Stretch, bar_beats, tempo_bpm};
use super::tracks::{RenderedPart, RenderedTrack};
use super::wish::in_scenes;
use crate::music::pitch;
use crate::music::scale::SCALES;
use crate::picture::SoundPicture;
use crate::set::Document;
use crate::set::document::{BySolo, Clip, TrackKind};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use svc_analysis::mix::{Role, SignalReport, TrackReport};
use svc_analysis::remarks::{Expected, key_name, remarks, stem_clipping};
use svc_analysis::spectrum::BAND_NAMES;

/// Clicks, and hidden tracks, that are told one by one.
const MOST_TOLD: usize = 12;

/// The report as an answer has it: numbers with their units in the names, silence as `null`.
pub fn told(document: &Document, stretch: &Stretch, rendered: &Rendered, sounds: &Faithfulness) -> Map<String, Value> {
    let report = &rendered.report;
    let mut told = Map::new();
    told.insert("seconds".to_owned(), rounded(report.seconds, 3));
    if rendered.gain_db != 0.0 {
        told.insert("normalizedDb".to_owned(), rounded(rendered.gain_db, 2));
    }
    told.extend(signal(&report.main));
    put_clipped(&mut told, &report.main);
    put_level(&mut told, "loudestLufs", report.main.loudness.momentary_max_lufs);
    put_level(&mut told, "rangeLu", report.main.loudness.range_lu);
    if let Some(bent) = rendered.bent {
        let (most_db, first) = (rounded(bent.most_db, 2), rounded(bent.first_s, 3));
        let by = json!({"times": bent.times, "mostDb": most_db, "firstAtSeconds": first});
        told.insert("bent".to_owned(), by);
    }
    put_number(&mut told, "correlation", report.main.levels.correlation, 2);
    let (mut heard, mut silent) = (Vec::new(), Vec::new());
    for (at, (track, of_track)) in rendered.tracks.iter().zip(&report.tracks).enumerate() {
        let mut entry = Map::new();
        entry.insert("path".to_owned(), json!(track.path));
        entry.insert("name".to_owned(), json!(track.name));
        let own = document.track(track.serial);
        // One whose way leads nowhere has a signal, and is not heard.
        let unheard = own.and_then(|own| sounds.silent(own));
        if of_track.signal.is_silent() || unheard.is_some() {
            let why = unheard.unwrap_or_else(|| why_silent(document, stretch, track, sounds));
            entry.insert("why".to_owned(), json!(why));
            silent.push(Value::Object(entry));
            continue;
        }
        entry.insert("sounds".to_owned(), json!(own.and_then(|own| sounds.sounds(own))));
        entry.extend(signal(&of_track.signal));
        if rendered.stems_are_cut && track.is_stem {
            put_clipped(&mut entry, &of_track.signal);
        }
        // Parts are measured behind the tracks.
        let parts = rendered.parts.iter().zip(report.tracks.iter().skip(rendered.tracks.len()));
        let parts = parts.filter(|(_, part)| part.role == Role::Part { of: at });
        let parts: Vec<Value> = parts.map(|(of, part)| Value::Object(part_told(of, part))).collect();
        if !parts.is_empty() {
            entry.insert("drums".to_owned(), Value::Array(parts));
        }
        heard.push(Value::Object(entry));
    }
    told.insert("tracks".to_owned(), Value::Array(heard));
    if !silent.is_empty() {
        told.insert("silent".to_owned(), Value::Array(silent));
    }
    put_music(&mut told, document, stretch, rendered);
    let hidden = report.hidden.iter().take(MOST_TOLD).map(|hidden| {
        let name = |at: usize| report.tracks.get(at).map(|track| whole_name(&report.tracks, track));
        json!({
            "track": name(hidden.track),
            "by": name(hidden.by),
            "share": rounded(hidden.masking.share, 2),
            "fromHz": hidden.masking.from_hz.round(),
            "toHz": hidden.masking.to_hz.round(),
        })
    });
    told.insert("masked".to_owned(), hidden.collect());
    let clicks = report.clicks_s.iter().take(MOST_TOLD).map(|at| rounded(*at, 3));
    told.insert("clicksAtSeconds".to_owned(), clicks.collect());
    let mut notes = remarks(report, &expected(document, stretch, rendered));
    notes.extend(elsewhere(document, stretch, rendered));
    notes.extend(of_stems(rendered));
    notes.extend(unheard_notes(document, stretch, rendered));
    if let Some(why) = sounds.silent(&document.main) {
        notes.push(format!("the main track is silent: {why}"));
    }
    told.insert("notes".to_owned(), json!(notes));
    told
}

/// The waveform and the spectrogram.
pub fn picture(document: &Document, stretch: &Stretch, rendered: &Rendered, rate_hz: u32) -> SoundPicture {
    let scene = stretch.scene(document);
    let (bar, second) = (bar_beats(document, scene), 60.0 / tempo_bpm(document, scene));
    let first = (stretch.start() / bar - 1e-9).ceil();
    SoundPicture {
        columns: rendered.portrait.clone(),
        seconds: rendered.frames as f64 / f64::from(rate_hz),
        first_bar: ((first * bar - stretch.start()) * second, first as i64 + 1),
        bar_seconds: bar * second,
        end_seconds: rendered.stretch_frames as f64 / f64::from(rate_hz),
    }
}

fn signal(signal: &SignalReport) -> Map<String, Value> {
    let SignalReport { loudness, balance, .. } = signal;
    let mut told = Map::new();
    put_level(&mut told, "lufs", loudness.integrated_lufs);
    put_level(&mut told, "truePeakDbtp", loudness.true_peak_dbtp);
    let bands = BAND_NAMES.iter().zip(balance.bands_db);
    let bands: Map<String, Value> = bands.map(|(name, db)| ((*name).to_owned(), number(db, 0))).collect();
    told.insert("bandsDb".to_owned(), Value::Object(bands));
    told
}

/// Of what is written with a full scale: a track that is above it on its way to the main one loses nothing.
fn put_clipped(told: &mut Map<String, Value>, signal: &SignalReport) {
    if signal.levels.clipped_stretches > 0 {
        told.insert("clipped".to_owned(), json!(signal.levels.clipped_stretches));
    }
}

fn part_told(of: &RenderedPart, part: &TrackReport) -> Map<String, Value> {
    let mut told = Map::new();
    told.insert("name".to_owned(), json!(part.name));
    let keys: Vec<String> = of.pitches.iter().map(|pitch| pitch::name(*pitch)).collect();
    told.insert("keys".to_owned(), json!(keys.join(", ")));
    put_level(&mut told, "lufs", part.signal.loudness.integrated_lufs);
    put_level(&mut told, "truePeakDbtp", part.signal.loudness.true_peak_dbtp);
    told
}

/// Tempo and key, as heard and as set.
fn put_music(told: &mut Map<String, Value>, document: &Document, stretch: &Stretch, rendered: &Rendered) {
    let tempo = tempo_bpm(document, stretch.scene(document));
    let mut of_tempo = Map::from_iter([("set".to_owned(), rounded(tempo, 2))]);
    if let Some(heard) = rendered.report.tempo {
        of_tempo.insert("heard".to_owned(), rounded(heard.bpm, 1));
        of_tempo.insert("confidence".to_owned(), rounded(heard.confidence, 2));
    }
    told.insert("tempoBpm".to_owned(), Value::Object(of_tempo));
    let song = &document.song;
    let mut of_key = Map::new();
    if song.scale_mode {
        let root = pitch::class_name(song.root_note);
        of_key.insert("set".to_owned(), json!(format!("{root} {}", song.scale_name)));
    }
    if let Some(heard) = rendered.report.key {
        of_key.insert("heard".to_owned(), json!(key_name(&heard)));
        of_key.insert("confidence".to_owned(), rounded(heard.confidence, 2));
    }
    if !of_key.is_empty() {
        told.insert("key".to_owned(), Value::Object(of_key));
    }
}

/// Where the clips are, of an Arrangement that has none.
fn elsewhere(document: &Document, stretch: &Stretch, rendered: &Rendered) -> Option<String> {
    let is_meant = matches!(stretch, Stretch::Arrangement { .. })
        && rendered.report.main.is_silent()
        && Stretch::whole_arrangement(document).is_none();
    let where_they_are = is_meant.then(|| in_scenes(document)).filter(|scenes| !scenes.is_empty())?;
    Some(format!("there is no clip in the Arrangement{where_they_are}"))
}

/// What is to be known of stems beside the mix.
fn of_stems(rendered: &Rendered) -> Vec<String> {
    let clipped = rendered.tracks.iter().zip(&rendered.report.tracks);
    let clipped = clipped.filter(|(track, _)| rendered.stems_are_cut && track.is_stem);
    let mut notes: Vec<String> = clipped.filter_map(|(_, heard)| stem_clipping(heard)).collect();
    if rendered.stems_differ && !rendered.stem_files.is_empty() {
        notes.push(
            "the stems add up to what goes into the main track, before its devices, fader and safety clip; the mix is \
             behind them"
                .to_owned(),
        );
    }
    notes
}

/// Of each track, the notes in a stretch that are not heard of its Drum Rack.
fn unheard_notes(document: &Document, stretch: &Stretch, rendered: &Rendered) -> Vec<String> {
    let of = |track: &RenderedTrack| -> Vec<String> {
        let own = document.track(track.serial);
        let notes = own.map(|own| own.unheard_notes(stretch.clips(own).into_iter())).unwrap_or_default();
        notes.iter().map(|notes| format!("{}: {notes}", track.name)).collect()
    };
    rendered.tracks.iter().flat_map(of).collect()
}

/// Why nothing is heard of a track, as far as the Set tells.
fn why_silent(document: &Document, stretch: &Stretch, track: &RenderedTrack, sounds: &Faithfulness) -> String {
    let Some(own) = document.track(track.serial) else { return "it is gone".to_owned() };
    let clips = stretch.clips(own);
    if let Some(why) = sounds.unplayable(&clips) {
        return why;
    }
    let plays_elsewhere = track.gives_notes_away && track.plays;
    if let Some(why) = plays_elsewhere.then(|| sounds.notes_elsewhere(own)).flatten() {
        return why;
    }
    let why = match track.kind {
        TrackKind::Return => "nothing is sent to it",
        TrackKind::Group => "nothing is heard of its tracks",
        _ if !track.plays => "no clip of it plays here",
        _ if document.by_solo(own) == BySolo::SendsAlone => {
            return format!("{}, and it is heard there alone", document.soloed_returns());
        }
        _ if clips.iter().all(|clip| clip.muted) => "its clips are deactivated",
        _ => {
            let notes = own.unheard_notes(clips.iter().copied());
            if !notes.is_empty() {
                return notes.join(", ");
            }
            match (without_notes(&clips), sounds.shut_by_device(own)) {
                (Some(why), _) => why,
                (None, Some(why)) => return why,
                _ => "what plays here is silent: no note or sound of its clips came, or a device lets nothing through",
            }
        }
    };
    why.to_owned()
}

/// Why no note of MIDI clips comes, whatever is drawn for it.
fn without_notes(clips: &[&Arc<Clip>]) -> Option<&'static str> {
    let notes = || clips.iter().filter(|clip| !clip.muted).map(|clip| (clip, clip.notes()));
    if notes().any(|(_, notes)| notes.is_none()) {
        return None;
    }
    let stored = || notes().filter_map(|(clip, notes)| Some((clip, &notes?.list)));
    if stored().all(|(_, list)| list.is_empty()) {
        return Some("its clips here hold no notes");
    }
    if stored().all(|(_, list)| list.iter().all(|stored| stored.note.mute)) {
        return Some("the notes of its clips here are deactivated");
    }
    if stored().all(|(_, list)| list.iter().all(|stored| stored.note.mute || stored.note.probability <= 0.0)) {
        return Some("the notes of its clips here have a chance of 0");
    }
    let is_behind = |clip: &Clip, start: f64| start >= clip.region().1 - 1e-9;
    let all = stored().all(|(clip, list)| list.iter().all(|stored| is_behind(clip, stored.note.start)));
    all.then_some("the notes of its clips here lie behind the end of what is played")
}

fn whole_name(tracks: &[TrackReport], track: &TrackReport) -> String {
    match track.role {
        Role::Part { of } => format!("{} of {}", track.name, tracks.get(of).map_or("", |of| of.name.as_str())),
        Role::Track | Role::Bus => track.name.clone(),
    }
}

fn expected(document: &Document, stretch: &Stretch, rendered: &Rendered) -> Expected {
    let song = &document.song;
    let kind = SCALES.iter().find(|kind| song.scale_mode && kind.name == song.scale_name);
    let steps = |intervals: &[u8]| intervals.iter().fold(0_u16, |steps, interval| steps | 1 << interval);
    // Drums have pitches, and no key.
    let plays_tones = rendered
        .tracks
        .iter()
        .zip(&rendered.report.tracks)
        .any(|(track, heard)| heard.role == Role::Track && !track.is_kit && !heard.signal.is_silent());
    Expected {
        tempo_bpm: Some(tempo_bpm(document, stretch.scene(document))),
        before_gain: rendered.before_gain,
        bent: rendered.bent,
        scale: kind.filter(|_| plays_tones).map(|kind| (song.root_note, steps(kind.intervals))),
    }
}

fn put_level(told: &mut Map<String, Value>, name: &str, value: Option<f64>) {
    put_number(told, name, value, 1);
}

fn put_number(told: &mut Map<String, Value>, name: &str, value: Option<f64>, digits: i32) {
    told.insert(name.to_owned(), number(value, digits));
}

fn number(value: Option<f64>, digits: i32) -> Value {
    value.map_or(Value::Null, |value| rounded(value, digits))
}

fn rounded(value: f64, digits: i32) -> Value {
    let scale = 10.0_f64.powi(digits);
    // Without a minus before 0.
    json!((value * scale).round() / scale + 0.0)
}
