//! What a running Live says of itself and of its objects beside their members.

use super::bridge::LinkState;
use super::exchange::unreadable;
use super::known::Known;
use super::refusals::{NO_MODULATION, NO_PRESETS};
use super::session::LiveSession;
use super::wire_value::reference;
use crate::object_model::model::{Clock, EnvelopePoint};
use crate::object_model::scope::{Part, Shape};
use crate::object_model::{HostFacts, ModelError, ObjectId, ObjectModel, Scope, Session, Value};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The most labels that the script gives in one step.
const MOST_LABELS: usize = 1_024;

impl HostFacts for LiveSession {
    fn kind(&self) -> &'static str {
        "live"
    }

    fn live_version(&self) -> &str {
        &self.live_version
    }

    fn set_name(&self) -> Result<String, ModelError> {
        Ok(self.fact("name")?.as_str().unwrap_or_default().to_owned())
    }

    fn clock(&self) -> Result<Clock, ModelError> {
        let whole = |name: &str| -> Result<u32, ModelError> {
            self.fact(name)?.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or_else(unreadable)
        };
        Ok(Clock {
            led_by_daw: false,
            playing: self.fact("is_playing")?.as_bool().ok_or_else(unreadable)?,
            tempo_bpm: self.fact("tempo")?.as_f64().ok_or_else(unreadable)?,
            meter: (whole("signature_numerator")?, whole("signature_denominator")?),
        })
    }

    fn label_of(&self, parameter: ObjectId, raw: f64) -> Result<Option<String>, ModelError> {
        Ok(self.labels_of(parameter, &[raw])?.into_iter().next().flatten())
    }

    fn labels_of(&self, parameter: ObjectId, raws: &[f64]) -> Result<Vec<Option<String>>, ModelError> {
        if !self.is_read(parameter) {
            self.look_at(parameter)?;
        }
        let of_known = |known: &Known| raws.iter().map(|raw| known.label(parameter, *raw).map(str::to_owned)).collect();
        let found: Vec<Option<String>> = of_known(&self.exchanges.lock().known);
        let missing: Vec<f64> =
            raws.iter().zip(&found).filter(|(_, label)| label.is_none()).map(|(raw, _)| *raw).collect();
        for values in missing.chunks(MOST_LABELS) {
            let labels = self.read(json!({ "do": "labels", "of": reference(parameter), "values": values }))?;
            let labels = labels.as_array().ok_or_else(unreadable)?;
            let mut exchanges = self.exchanges.lock();
            for (raw, label) in values.iter().zip(labels) {
                exchanges.known.keep_label(parameter, *raw, label.as_str().unwrap_or_default());
            }
        }
        Ok(of_known(&self.exchanges.lock().known))
    }

    fn save_device(&self, _: ObjectId) -> Result<Json, ModelError> {
        Err(ModelError::Unable(NO_PRESETS.to_owned()))
    }

    fn reachable(&self) -> Result<(), ModelError> {
        let bridge = self.link.bridge.as_ref().map_err(|why| ModelError::Unreachable(why.clone()))?;
        match bridge.state() {
            LinkState::Linked { .. } => Ok(()),
            state => Err(ModelError::Unreachable(state.sentence())),
        }
    }

    fn link_facts(&self) -> Option<Json> {
        let bridge = match &self.link.bridge {
            Ok(bridge) => bridge,
            Err(why) => return Some(json!({ "state": "notListening", "text": why })),
        };
        let state = bridge.state();
        let mut facts = json!({ "state": state.name(), "text": state.sentence() });
        if let Some(hello) = bridge.hello() {
            facts["scriptVersion"] = hello.script_version.into();
            facts["tick"] = hello.tick.into();
            facts["liveVersion"] = hello.live_version.into();
        }
        Some(facts)
    }

    fn own_devices(&self) -> Result<Vec<ObjectId>, ModelError> {
        if let Some(own) = &self.exchanges.lock().own_devices {
            return Ok(own.clone());
        }
        self.look(|_, plan| plan.scope(vec![Part::of_path("live_set", with_devices())]))?;
        let mut exchanges = self.exchanges.lock();
        let own = exchanges.known.find(|class, name| class == "PluginDevice" && name.contains(PRODUCT));
        exchanges.own_devices = Some(own.clone());
        Ok(own)
    }

    /// What is fetched is known to this session too.
    fn snapshot(&self, scope: &Scope<'_>) -> Result<Option<Box<dyn Session + Send>>, ModelError> {
        let parts = scope.parts()?;
        self.look(|_, plan| plan.scope(parts))?;
        let link = self.link.clone();
        let (live_version, exchanges) = (self.live_version.clone(), self.exchanges.clone());
        Ok(Some(Box::new(LiveSession { link, live_version, exchanges })))
    }
}

impl LiveSession {
    /// The envelopes of a clip, as the embedded Set gives them: each with its parameter and its points.
    pub(super) fn envelopes(&self, clip: ObjectId) -> Result<Value, ModelError> {
        let found = self.read(json!({ "do": "envelopes", "of": reference(clip) }))?;
        let found = found.as_array().ok_or_else(unreadable)?;
        if found.is_empty() && self.get(clip, "has_envelopes")?.as_bool() == Some(true) {
            return Err(ModelError::refused(NO_MODULATION));
        }
        let number = |row: &Json, at: usize| row.get(at).and_then(Json::as_f64).ok_or_else(unreadable);
        let point = |row: &Json| -> Result<EnvelopePoint, ModelError> {
            Ok(EnvelopePoint { time: number(row, 0)?, value: number(row, 1)?, curve: number(row, 2)? })
        };
        let envelope = |one: &Json| -> Result<Json, ModelError> {
            let rows = one.get("points").and_then(Json::as_array).ok_or_else(unreadable)?;
            let points = rows.iter().map(point).collect::<Result<Vec<_>, _>>()?;
            Ok(json!({ "parameter": one.get("parameter"), "points": points }))
        };
        let all = found.iter().map(envelope).collect::<Result<Vec<_>, _>>()?;
        Ok(Value::Struct(json!({ "automation_envelopes": all })))
    }

    /// A fact of the song, as the last bulk read told it or as it is.
    fn fact(&self, name: &str) -> Result<Json, ModelError> {
        if let Some(fact) = self.known(|known| known.facts.get(name).cloned()) {
            return Ok(fact);
        }
        self.look(|_, plan| plan.path("live_set"))?;
        self.known(|known| known.facts.get(name).cloned()).ok_or_else(unreadable)
    }
}

/// What Live calls the plugin, unless its user renamed it.
const PRODUCT: &str = "SVC Device";

/// The tracks of a Set with all their devices, four racks deep.
fn with_devices() -> Shape {
    let device = || Shape::of(&["name", "class_display_name", "class_name"]);
    let holding = |device: Shape| Shape::default().below("devices", device);
    let deepest = (0..4).fold(device(), |inner, _| device().below("chains", holding(inner)));
    let track = Arc::new(holding(deepest));
    let lists = ["tracks", "return_tracks", "master_track"];
    lists.into_iter().fold(Shape::default(), |song, list| song.below(list, track.clone()))
}
