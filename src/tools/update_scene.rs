//! `svc-update-scene`: names, colours, and scenes' own tempo and meter.

use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{number, rounded};
use crate::tools::address::targets::{self, TargetKind};
use crate::tools::aliases::fold::{IDS, PATHS};
use crate::tools::arguments::lists;
use crate::tools::arguments::values::Color;
use crate::tools::arguments::values::{self, SceneMeter, SceneTempo};
use crate::tools::call::{arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::read::scene_fields;
use crate::tools::report::write_log::WriteLog;
use crate::tools::report::write_targets;
use crate::tools::tool::{Kind, Param, Tool};
use serde::Deserialize;

pub static TOOL: Tool = Tool {
    name: "svc-update-scene",
    title: "Update Scene",
    read_only: false,
    destructive: true,
    description: |_| "Renames and colours scenes, and sets the tempo and meter that launching them brings.".to_owned(),
    params: &[
        Param::new("id", Kind::Text, "scene id(s), comma-separated"),
        Param::new("path", Kind::Text, "scene path(s), comma-separated: s0 is the first"),
        Param::new("name", Kind::Text, "name(s); an empty text leaves only the number"),
        Param::new("color", Kind::Text, "#RRGGBB; the nearest palette colour is taken"),
        Param::new("tempo", Kind::Number, "20 to 999 BPM; -1: none of its own"),
        Param::new("timeSignature", Kind::Text, "N/D, such as 7/8; disabled: none of its own"),
    ],
    hidden: &[IDS, PATHS],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, _| {
        let args: Args = arguments(map)?;
        let targets = targets::read(TargetKind::Scene, args.id.as_ref(), args.path.as_ref())?;
        let values = SceneValues::read(&args.values, targets.len())?;
        if values.is_empty() {
            return Err(ToolError::new("nothing to write: send name, color, tempo or timeSignature beside the scenes"));
        }
        Ok(prepared(move |session, call| {
            write_targets::write_each(session, call, &targets, TargetKind::Scene, |session, _, at, scene| {
                let mut steps = WriteLog::on(session, scene)?;
                let outcome = values.write(session, scene, at, &mut steps);
                steps.end(outcome)
            })
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    id: Option<String>,
    path: Option<String>,
    #[serde(flatten)]
    values: SceneArgs,
}

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

    fn is_empty(&self) -> bool {
        self.names.is_none() && self.colors.is_none() && self.tempo.is_none() && self.meters.is_none()
    }

    /// Writes the values of the target at that position.
    pub fn write(
        &self,
        session: &mut dyn Session,
        scene: ObjectId,
        at: usize,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if let Some(names) = &self.names {
            let name = scene_fields::written_name(session, scene, names.at(at))?;
            steps.record("name", session.set(scene, "name", name.as_str().into()))?;
        }
        if let Some(color) = self.colors.as_ref().and_then(|colors| colors.get(at)) {
            steps.color(session, scene, *color)?;
        }
        match self.tempo {
            Some(SceneTempo::Disabled) => steps.record("tempo", session.set(scene, "tempo_enabled", false.into()))?,
            Some(SceneTempo::Own(bpm)) => {
                steps.record("tempo", session.set(scene, "tempo", bpm.into()))?;
                let kept = number(session, scene, "tempo")?;
                if !values::same(kept, bpm) {
                    steps.record_kept("tempo", rounded(kept));
                }
            }
            None => {}
        }
        match self.meters.as_ref().and_then(|meters| meters.get(at)) {
            Some(SceneMeter::Disabled) => {
                steps.record("timeSignature", session.set(scene, "time_signature_enabled", false.into()))?;
            }
            Some(SceneMeter::Own(meter)) => {
                let numerator = i64::from(meter.numerator());
                steps.record("timeSignature", session.set(scene, "time_signature_numerator", numerator.into()))?;
                session.set(scene, "time_signature_denominator", i64::from(meter.denominator()).into())?;
                let kept = scene_fields::signature(session, scene)?;
                if kept != meter.to_string() {
                    steps.record_kept("timeSignature", kept);
                }
            }
            None => {}
        }
        Ok(())
    }
}
