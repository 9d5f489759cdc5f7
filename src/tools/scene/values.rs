//! Name, colour, tempo and meter of a scene: what a call asks, and writing it.

use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{int, number, rounded};
use crate::tools::arguments::lists;
use crate::tools::arguments::values::{self, Color, SceneMeter, SceneTempo};
use crate::tools::error::ToolError;
use crate::tools::report::write_log::WriteLog;
use crate::tools::scene::name::{shown_name, written_name};
use serde::Deserialize;

/// What can be said of a scene that is there or about to be made.
#[derive(Deserialize)]
pub struct SceneArgs {
    pub name: Option<String>,
    pub color: Option<String>,
    pub tempo: Option<f64>,
    #[serde(rename = "timeSignature")]
    pub time_signature: Option<String>,
}

/// The same, checked and spread over the targets.
pub struct SceneValues {
    names: Option<lists::ValueList>,
    colors: Option<Vec<Color>>,
    tempo: Option<SceneTempo>,
    meters: Option<Vec<SceneMeter>>,
}

impl SceneValues {
    pub fn read(args: &SceneArgs, count: usize) -> Result<SceneValues, ToolError> {
        Ok(SceneValues {
            names: lists::spread("name", args.name.as_ref(), count)?,
            colors: values::colors(args.color.as_ref(), count)?,
            tempo: args.tempo.map(values::scene_tempo).transpose()?,
            meters: values::each("timeSignature", args.time_signature.as_ref(), count, values::scene_meter)?,
        })
    }

    /// Nothing was sent.
    pub fn is_empty(&self) -> bool {
        self.names.is_none() && self.colors.is_none() && self.tempo.is_none() && self.meters.is_none()
    }

    /// Writes the values of the target at that position.
    pub fn write(
        &self,
        session: &mut dyn Session,
        scene: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if let Some(names) = &self.names {
            let name = written_name(session, scene, names.at(at))?;
            log.record("name", session.set(scene, "name", name.as_str().into()))?;
            log.entry.insert("name".to_owned(), shown_name(session, scene)?.into());
        }
        if let Some(color) = self.colors.as_ref().and_then(|colors| colors.get(at)) {
            log.color(session, scene, *color)?;
        }
        match self.tempo {
            Some(SceneTempo::Disabled) => log.record("tempo", session.set(scene, "tempo_enabled", false.into()))?,
            Some(SceneTempo::Own(bpm)) => {
                log.record("tempo", session.set(scene, "tempo", bpm.into()))?;
                let kept = number(session, scene, "tempo")?;
                if !values::same(kept, bpm) {
                    log.record_kept("tempo", rounded(kept));
                }
            }
            None => {}
        }
        match self.meters.as_ref().and_then(|meters| meters.get(at)) {
            Some(SceneMeter::Disabled) => {
                log.record("timeSignature", session.set(scene, "time_signature_enabled", false.into()))?;
            }
            Some(SceneMeter::Own(meter)) => {
                let numerator = i64::from(meter.numerator());
                log.record("timeSignature", session.set(scene, "time_signature_numerator", numerator.into()))?;
                session.set(scene, "time_signature_denominator", i64::from(meter.denominator()).into())?;
                let kept = signature(session, scene)?;
                if kept != meter.to_string() {
                    log.record_kept("timeSignature", kept);
                }
            }
            None => {}
        }
        Ok(())
    }
}

/// The scene's own meter, where it has one.
pub fn signature(session: &dyn Session, scene: ObjectId) -> Result<String, ToolError> {
    let (n, d) = (int(session, scene, "time_signature_numerator")?, int(session, scene, "time_signature_denominator")?);
    Ok(format!("{n}/{d}"))
}
