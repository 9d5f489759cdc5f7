//! Which tracks play the notes of a MIDI track: a track's output may be another one, and another one may take it as its
//! input, in front of its devices or behind them. No note comes back to where it comes from, and a track that is muted
//! gives nothing.

use super::routing_ids::{monitors, track_of};
use crate::set::document::ids::Serial;
use crate::set::document::{Document, Track, TrackKind};
use serde_json::Value;
use std::collections::BTreeMap;

/// The channel of an input that is taken in front of the devices; those behind it are behind them.
const PRE_FX: i64 = 0;

/// The ways of notes in a Set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoteRoutes(BTreeMap<Serial, NoteRoute>);

/// A way to a track that plays another one's notes itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoteTap {
    pub to: Serial,
    /// Takes them behind the devices of the track that gives them.
    pub behind_devices: bool,
}

/// Where the notes of one track go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoteRoute {
    /// Those that take them from this very track, each once.
    pub taps: Vec<NoteTap>,
    /// Its output is another track: its own instrument does not play them.
    pub leads_away: Option<Serial>,
    /// All other tracks that they get to, each once.
    pub heard_by: Vec<Serial>,
    /// A way that leads back is left out.
    pub is_ring: bool,
}

impl NoteRoutes {
    pub fn of(document: &Document) -> NoteRoutes {
        let (mut ways, mut away) = (BTreeMap::<Serial, Vec<NoteTap>>::new(), BTreeMap::new());
        let midi = |serial: Serial| document.tracks.find(serial).filter(|track| track.kind == TrackKind::Midi);
        for track in document.tracks.iter().filter(|track| track.kind == TrackKind::Midi) {
            let chosen = |member: &str| {
                let other = track.stored.get(member).and_then(Value::as_i64).and_then(track_of)?;
                midi(other).filter(|other| other.serial != track.serial)
            };
            if let Some(source) =
                chosen("input_routing_type").filter(|source| monitors(track) && !document.is_muted(source))
            {
                let channel = track.stored.get("input_routing_channel").and_then(Value::as_i64);
                let behind_devices = channel.unwrap_or_default() != PRE_FX;
                tap(ways.entry(source.serial).or_default(), NoteTap { to: track.serial, behind_devices });
            }
            // Of a track with an instrument nothing but sound leaves.
            if let Some(to) = chosen("output_routing_type").filter(|_| !Track::has_instrument(track)) {
                away.insert(track.serial, to.serial);
                if monitors(to) && !document.is_muted(track) {
                    tap(ways.entry(track.serial).or_default(), NoteTap { to: to.serial, behind_devices: true });
                }
            }
        }
        let sources: Vec<Serial> = ways.keys().chain(away.keys()).copied().collect();
        let route = |from: Serial| {
            let taps = ways.get(&from).cloned().unwrap_or_default();
            let mut route = NoteRoute { taps, leads_away: away.get(&from).copied(), ..NoteRoute::default() };
            follow(from, from, &ways, &mut route);
            (from, route)
        };
        NoteRoutes(sources.into_iter().map(route).collect())
    }

    /// `None`: they stay on the track.
    pub fn get(&self, track: Serial) -> Option<&NoteRoute> {
        self.0.get(&track)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What a track sends to another one, that one does not take once more.
fn tap(taps: &mut Vec<NoteTap>, new: NoteTap) {
    match taps.iter_mut().find(|known| known.to == new.to) {
        Some(known) => known.behind_devices |= new.behind_devices,
        None => taps.push(new),
    }
}

fn follow(from: Serial, at: Serial, ways: &BTreeMap<Serial, Vec<NoteTap>>, route: &mut NoteRoute) {
    for NoteTap { to, .. } in ways.get(&at).into_iter().flatten() {
        if *to == from {
            route.is_ring = true;
        } else if !route.heard_by.contains(to) {
            route.heard_by.push(*to);
            follow(from, *to, ways, route);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::model::routing_ids::of_track;
    use std::sync::Arc;

    /// MIDI tracks 10, 11 and so on, each with what it has chosen: member and track.
    fn document(chosen: &[&[(&str, Serial)]]) -> Document {
        let mut document = Document::new_set();
        document.tracks = (10..)
            .zip(chosen)
            .map(|(serial, chosen)| {
                let mut track = Track::new(serial, TrackKind::Midi, 0, 0);
                track.stored.insert("current_monitoring_state".to_owned(), 0.into());
                for (member, other) in *chosen {
                    track.stored.insert((*member).to_owned(), of_track(*other).into());
                }
                Arc::new(track)
            })
            .collect();
        document
    }

    #[test]
    fn notes_go_along_chains_and_never_in_a_ring() {
        const IN: &str = "input_routing_type";
        const OUT: &str = "output_routing_type";
        let routes = |chosen: &[&[(&str, Serial)]]| {
            let routes = NoteRoutes::of(&document(chosen));
            let told = |serial: Serial| {
                let route = routes.get(serial).cloned().unwrap_or_default();
                (route.leads_away, route.heard_by, route.is_ring)
            };
            [told(10), told(11), told(12)]
        };
        let stays = || (None, vec![], false);
        assert_eq!(routes(&[&[], &[(IN, 10)], &[(IN, 10)]]), [(None, vec![11, 12], false), stays(), stays()]);
        assert_eq!(
            routes(&[&[(OUT, 11)], &[(OUT, 12)], &[]]),
            [(Some(11), vec![11, 12], false), (Some(12), vec![12], false), stays()]
        );
        // In a ring, each track once, and never back.
        assert_eq!(
            routes(&[&[(OUT, 11)], &[(OUT, 10)], &[]]),
            [(Some(11), vec![11], true), (Some(10), vec![10], true), stays()]
        );
        // To itself, and to what is not there.
        assert_eq!(routes(&[&[(IN, 10), (OUT, 99)], &[], &[]]), [stays(), stays(), stays()]);
    }

    #[test]
    fn what_does_not_monitor_its_input_hears_nothing() {
        let mut document = document(&[&[("output_routing_type", 11)], &[]]);
        let route = |document: &Document| NoteRoutes::of(document).get(10).cloned().unwrap();
        document.tracks.edit(11, |track| drop(track.stored.remove("current_monitoring_state"))).unwrap();
        assert_eq!((route(&document).leads_away, route(&document).heard_by), (Some(11), vec![]), "Auto, not armed");
        document.tracks.edit(11, |track| track.arm = true).unwrap();
        assert_eq!(route(&document).heard_by, [11]);
        document.tracks.edit(10, |track| track.mute = true).unwrap();
        assert!(route(&document).heard_by.is_empty());
    }

    #[test]
    fn an_input_is_taken_where_its_channel_says_and_an_output_behind_the_devices() {
        let taps = |chosen: &[&[(&str, Serial)]], channel: Option<i64>| {
            let mut document = document(chosen);
            if let Some(channel) = channel {
                let edit = |track: &mut Track| {
                    track.stored.insert("input_routing_channel".to_owned(), channel.into());
                };
                document.tracks.edit(11, edit).unwrap();
            }
            NoteRoutes::of(&document).get(10).map_or(Vec::new(), |route| route.taps.clone())
        };
        let tap = |behind_devices| vec![NoteTap { to: 11, behind_devices }];
        const INPUT: &[(&str, Serial)] = &[("input_routing_type", 10)];
        for (channel, behind_devices) in [(None, false), (Some(0), false), (Some(1), true), (Some(2), true)] {
            assert_eq!(taps(&[&[], INPUT], channel), tap(behind_devices), "{channel:?}");
        }
        let output: &[(&str, Serial)] = &[("output_routing_type", 11)];
        assert_eq!(taps(&[output, &[]], None), tap(true));
        assert_eq!(taps(&[output, INPUT], None), tap(true), "once");
    }
}
