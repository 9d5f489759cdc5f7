//! `svc-render`: what the Set sounds like, in numbers and words, and as a file. The work of a job, on the Set as it was
//! when the call came.

use crate::object_model::Session;
use crate::object_model::host_values::{Capability, SetVersion};
use crate::picture;
use crate::tools::aliases::fold::{OBJECT_INDICES, PATHS};
use crate::tools::arguments::values::refuse_blank;
use crate::tools::call::{CallContext, arguments, prepared_read};
use crate::tools::error::ToolError;
use crate::tools::file_work::{allowed, job};
use crate::tools::request::{RenderOrder, RequestContext};
use crate::tools::tool::{Param, ParamKind, Prepare, Prepared, Tool};
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub static TOOL: Tool = Tool {
    name: "svc-render",
    title: "Render",
    read_only: false,
    destructive: true,
    description: |_| {
        "How loud a scene or the arrangement is, its tracks and drums, what is silent or masked; writes files."
            .to_owned()
    },
    params: &[
        Param::new("path", ParamKind::Text, "s0; arrangement when omitted"),
        Param::new("start", ParamKind::Text, "bar|beat, loc:"),
        Param::new("length", ParamKind::Text, "such as 8bar"),
        Param::new("file", ParamKind::Text, "absolute WAV, FLAC, MID"),
        Param::new("stems", ParamKind::Text, "folder"),
        Param::new("rate", ParamKind::Integer, "Hz"),
        Param::new("bits", ParamKind::Integer, "16, 24, 32 (WAV)"),
        Param::new("tail", ParamKind::Number, "seconds"),
        Param::new("normalize", ParamKind::Text, "-14LUFS, -1dBTP"),
        Param::new("seed", ParamKind::Integer, "for chance"),
        Param::new("strict", ParamKind::Boolean, "exact only"),
        Param::new("overwrite", ParamKind::Boolean, "replace files it did not write"),
        Param::new("include", ParamKind::Words(&[picture::IMAGE_FIELD]), "a picture"),
    ],
    aliases: &[PATHS, OBJECT_INDICES],
    left_out_in_small_model: true,
    reads_files: |arguments| arguments.contains_key("file") || arguments.contains_key("stems"),
    small: |_| false,
    prepare: Prepare::Seeing(|map, view| prepare(arguments(map)?, view)),
};

const WHAT: &str = "sound is written";

#[derive(Deserialize)]
struct Args {
    path: Option<String>,
    start: Option<String>,
    length: Option<String>,
    file: Option<String>,
    stems: Option<String>,
    rate: Option<i64>,
    bits: Option<i64>,
    tail: Option<f64>,
    normalize: Option<String>,
    seed: Option<i64>,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    overwrite: bool,
    #[serde(default)]
    include: Vec<String>,
}

fn prepare(args: Args, view: &RequestContext) -> Prepared {
    // Before anything is said of what was sent.
    (view.at_rest.0)().capability(Capability::Rendering)?;
    let blanks = [("start", &args.start), ("length", &args.length), ("file", &args.file), ("stems", &args.stems)];
    for (parameter, text) in blanks.into_iter().chain([("normalize", &args.normalize)]) {
        refuse_blank(parameter, text.as_ref())?;
    }
    let sent = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let file = sent(args.file).map(|file| output(&file, view)).transpose()?;
    let stems = sent(args.stems).map(|folder| allowed::to_write("stems", &folder, WHAT, view)).transpose()?;
    if stems.is_none() && file.as_deref().is_some_and(holds_notes) {
        let without_sound = [("bits", args.bits.is_some()), ("normalize", args.normalize.is_some())];
        if let Some((parameter, _)) = without_sound.into_iter().find(|(_, is_sent)| *is_sent) {
            let why = "a .mid holds notes, and no samples; leave it out, or name a .wav or .flac as file";
            return Err(ToolError::about(parameter, why));
        }
    }
    let mut order = RenderOrder {
        scene: sent(args.path),
        // Blanks at its ends may be those of a locator's name.
        start: args.start.filter(|start| !start.trim().is_empty()),
        length: sent(args.length),
        file,
        stems,
        rate_hz: args.rate.unwrap_or(48_000),
        bits: args.bits.unwrap_or(24),
        tail_seconds: args.tail,
        normalize: sent(args.normalize),
        // As many draws as there are numbers.
        seed: args.seed.unwrap_or(1).cast_unsigned(),
        strict: args.strict,
        overwrites: args.overwrite,
        image: args.include.iter().any(|word| word == picture::IMAGE_FIELD),
        ..RenderOrder::default()
    };
    order.title = match &order.scene {
        Some(scene) => format!("rendering {scene}"),
        None => "rendering".to_owned(),
    };
    let device = view.device.clone();
    let gather = |session: &mut dyn Session, _: &mut CallContext| {
        session.capability(Capability::Rendering)?;
        session.version().ok_or_else(|| ToolError::new("there is no Set to render"))
    };
    let finish = move |set: SetVersion, call: &mut CallContext| {
        call.budget.check()?;
        let facts = device.clone();
        let title = order.title.clone();
        job::start(&device, TOOL.name, &title, move |work| {
            let answer = facts.renderer.render(&set, &order, &facts.allowed_folders(), work);
            answer.map(Value::Object).map_err(|refused| match refused.parameter {
                Some(parameter) => ToolError::about(parameter, refused.why),
                None => ToolError::new(refused.why),
            })
        })
    };
    Ok(prepared_read(gather, finish, |_| false))
}

fn holds_notes(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mid"))
}

/// The sound, or the notes.
fn output(file: &str, view: &RequestContext) -> Result<PathBuf, ToolError> {
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !["wav", "flac", "mid"].iter().any(|known| ending.eq_ignore_ascii_case(known)) {
        return Err(allowed::about("file", file, "it ends in .wav or .flac, or in .mid for the notes"));
    }
    allowed::to_write("file", file, WHAT, view)
}
