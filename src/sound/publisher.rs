//! How plans reach the audio thread, and how old ones leave it: three buffers take turns, as snapshots of the Set do.
//! Who publishes frees what comes back.

use super::audible_changes::sounds_alike;
use super::control::SoundControl;
use super::delays::delay_tracks;
use super::envelopes::table::EnvelopeTable;
use super::mix::{Mix, MixMaker, OutputTrack, OutputTracks};
use super::samples::SampleCache;
use crate::object_model::faders::volume_db;
use crate::set::document::Document;
use crate::set::document::ids::Serial;
use crate::set::runtime::levels::{Level, Levels, Meter};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use svc_sound::dsp::math::gain_of_db;
use svc_sound::mixer::Meters;
use svc_sound::plan::{Plan, StateStore};
use triple_buffer::Input;

/// What the one plan fades the next one is without: it has to be played for so long.
const FADE: Duration = Duration::from_millis(25);
/// A plan that nobody took within this time is not waited for: nobody plays.
const NOBODY: Duration = Duration::from_millis(100);

/// A plan and what goes with it.
pub struct PlayablePlan {
    pub plan: Plan,
    /// What its clips and its Arrangement move.
    pub envelopes: EnvelopeTable,
    /// Whose the outputs of single tracks are.
    pub outputs: OutputTracks,
    /// Frames a second.
    pub rate: f32,
    /// Of the metronome, a factor.
    pub cue_gain: f32,
    /// See [`SoundControl::ends`].
    pub ends: u64,
}

/// The end of who makes plans.
pub struct PlanPublisher {
    input: Input<Option<PlayablePlan>>,
    control: Arc<SoundControl>,
    levels: Arc<Levels>,
    making: Option<Making>,
}

/// What plans of one sample rate are made with, until the sound is switched off.
struct Making {
    rate: f32,
    ends: u64,
    store: StateStore,
    mixes: MixMaker,
    /// What the newest plan was made of.
    document: Document,
    published: Instant,
    /// What the newest plan still fades is to go with the next.
    is_fading: bool,
    is_first: bool,
}

impl Making {
    fn fits(&self, rate: f32, ends: u64) -> bool {
        self.rate == rate && self.ends == ends
    }
}

impl PlanPublisher {
    pub(super) fn new(
        input: Input<Option<PlayablePlan>>,
        control: Arc<SoundControl>,
        levels: Arc<Levels>,
    ) -> PlanPublisher {
        PlanPublisher { input, control, levels, making: None }
    }

    /// Whether the newest plan is another one than that of `document`.
    pub fn is_outdated(&mut self, document: &Document, rate: f32) -> bool {
        let ends = self.control.ends();
        let Some(making) = self.making.as_mut().filter(|making| making.fits(rate, ends)) else { return true };
        let alike = sounds_alike(&making.document, document);
        if alike {
            // What is compared next is mostly shared with this one, and the older one can go.
            making.document = document.clone();
        }
        !alike
    }

    /// How long it takes until the newest plan has been played for as long as its fades take; `None`: a plan may come.
    pub fn wait(&self) -> Option<Duration> {
        let age = self.making.as_ref()?.published.elapsed();
        let wait = if self.input.consumed() { FADE } else { NOBODY };
        wait.checked_sub(age).filter(|left| !left.is_zero())
    }

    /// Makes the plan of `document`, and has it played from the next block on. Frees plans that came back.
    pub fn publish(&mut self, document: &Document, rate: f32, samples: &SampleCache) {
        let ends = self.control.ends();
        let making = match self.making.take().filter(|making| making.fits(rate, ends)) {
            Some(making) => self.making.insert(making),
            None => self.making.insert(Making {
                rate,
                ends,
                store: StateStore::new(rate),
                mixes: MixMaker::default(),
                document: document.clone(),
                published: Instant::now(),
                is_fading: false,
                is_first: true,
            }),
        };
        let Mix { settings: mut mix, envelopes, outputs } = making.mixes.mix(document, samples);
        making.store.keep_latency(delay_tracks(&mut mix, document, rate));
        let tracks: Vec<Serial> = mix.tracks.iter().map(|track| track.id).chain([mix.main.id]).collect();
        let plan = Plan::new(mix, &mut making.store);
        let outputs = outputs.map(|track| track.map(|id| OutputTrack { id, late_frames: plan.late_by(id) }));
        let meters = tracks.iter().filter_map(|track| Some((*track, making.store.meters(*track)?))).collect();
        (making.document, making.published) = (document.clone(), Instant::now());
        (making.is_fading, making.is_first) = (!making.is_first, false);
        let cue_gain = volume_db(document.main.mixer.cue_volume).map_or(0.0, |db| gain_of_db(db as f32));
        self.input.write(Some(PlayablePlan { plan, envelopes, outputs, rate, cue_gain, ends }));
        self.levels.tell_by(Some(self.meter(meters)));
        self.control.count_plan();
    }

    /// Publishes the newest plan once more, without what it fades.
    pub fn settle(&mut self, document: &Document, rate: f32, samples: &SampleCache) {
        self.publish(document, rate, samples);
        if let Some(making) = &mut self.making {
            making.is_fading = false;
        }
    }

    /// How soon the plan is to be published once more, without what it fades; `None` where it fades nothing.
    pub fn settle_in(&self) -> Option<Duration> {
        let making = self.making.as_ref().filter(|making| making.is_fading)?;
        Some(NOBODY.saturating_sub(making.published.elapsed()))
    }

    /// Nothing is played any more, and nothing remembered.
    pub fn fall_silent(&mut self) {
        if self.making.take().is_some() {
            self.input.write(None);
            self.levels.tell_by(None);
        }
    }

    /// Whether the sound was switched off since the newest plan was made.
    pub fn is_ended(&self) -> bool {
        self.making.as_ref().is_some_and(|making| making.ends != self.control.ends())
    }

    /// Whether there is a plan to play.
    pub fn has_plan(&self) -> bool {
        self.making.is_some()
    }

    fn meter(&self, meters: BTreeMap<Serial, Arc<Meters>>) -> Box<Meter> {
        let control = self.control.clone();
        Box::new(move |track| {
            let (left, right) = meters.get(&track).filter(|_| control.is_running())?.level();
            Some(Level { left, right })
        })
    }
}
