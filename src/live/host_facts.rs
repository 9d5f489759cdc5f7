//! What a running Live says of itself and of its objects beside their members.

use super::bridge::LinkState;
use super::exchange::{Ask, unreadable};
use super::known::Known;
use super::refusals::{NO_MODULATION, NO_PRESETS};
use super::session::LiveSession;
use super::wire_value::reference;
use crate::music::pitch::Spelling;
use crate::music::scale::{self, Scale};
use crate::object_model::host_values::{Clock, EnvelopePoint};
use crate::object_model::scope::{Part, Shape};
use crate::object_model::{HostFacts, ModelError, ObjectId, ObjectModel, Scope, Session, Value};
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The most labels that the script gives in one step.
const MOST_LABELS: usize = 1_024;
/// The columns of Wavetable's modulation matrix.
const MODULATION_SOURCES: usize = 13;

impl HostFacts for LiveSession {
    fn kind(&self) -> &'static str {
        "live"
    }

    fn live_version(&self) -> &str {
        &self.live_version
    }

    /// As the last bulk read told of the scale; who spells pitches has read their clip or device.
    fn spelling(&self) -> Spelling {
        let fact = |name: &str| self.known(|known| known.facts.get(name).cloned());
        let kind = fact("scale_name").and_then(|name| scale::kind_named(name.as_str()?));
        let root = fact("root_note").and_then(|root| u8::try_from(root.as_u64()?).ok());
        match (fact("scale_mode"), kind, root) {
            (Some(Json::Bool(true)), Some(kind), Some(root)) => Scale { root, kind }.spelling(),
            _ => Spelling::default(),
        }
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

    /// A row of the matrix is asked for as a whole, as each look takes an exchange.
    fn modulation(&self, device: ObjectId, row: usize, source: usize) -> Result<Option<f64>, ModelError> {
        if let Some(amounts) = self.known(|known| known.amounts(device, row)) {
            return Ok(amounts.get(source).copied());
        }
        let amount = |source: usize| {
            let args = json!([row, source]);
            json!({ "do": "call", "of": reference(device), "function": "get_modulation_value", "args": args })
        };
        let steps = (0..MODULATION_SOURCES).map(amount).collect();
        let mut exchanges = self.exchanges.lock();
        let answers = exchanges.exchange(&self.link, Ask { steps, ..Ask::default() }, |_| ())?;
        let amounts = answers.into_iter().map(|amount| Ok(amount?.as_f64().unwrap_or_default()));
        let amounts = amounts.collect::<Result<Vec<f64>, ModelError>>()?;
        let found = amounts.get(source).copied();
        exchanges.known.keep_amounts(device, row, amounts);
        Ok(found)
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
