//! `svc-library`: what is in the user's sample folders, and which plug-ins are installed.
//!
//! Everything is looked up while the call is prepared, on a worker; the Set is not needed. [`request`] reads and
//! refuses arguments, [`answer`] searches the library and puts the answer together. Only `reindex` is a job, begun when
//! the call has committed.

mod answer;
mod choices;
mod plugin_answer;
mod reindex;
mod remarks;
mod request;
mod result_json;
mod search_answer;
mod search_request;
mod sound_answer;

use crate::tools::call::{CallContext, arguments, prepared, prepared_read};
use crate::tools::request::RequestContext;
use crate::tools::tool::{AliasRule, ParamAlias};
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use choices::{ACTIONS, DEVICE_KINDS, FORMATS, KINDS, RETIRED_ACTIONS, SORTS, SOURCES, TYPES};
use request::{LibraryAction, LibraryRequest};
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-library",
    title: "Library",
    read_only: true,
    destructive: false,
    description: |_| {
        "Finds samples and other files in the user's sample folder, with absolute paths for sampleFile. Also tags, similar \
         and identical samples, installed plug-ins; reindex looks for changed files."
            .to_owned()
    },
    params: &[
        Param::new("action", ParamKind::Choice(&ACTIONS), "what to look for; search when omitted")
            .small_model_drops(&["list-categories", "list-plugins", "find-similar", "find-duplicates"])
            .unpublished(&RETIRED_ACTIONS),
        Param::new("query", ParamKind::Text, "part of a name; * stands for anything"),
        Param::new("tags", ParamKind::Text, "tags with commas; all of them are needed"),
        Param::new("kind", ParamKind::Choice(&KINDS), "audio when omitted; preset: saved devices too")
            .small_model_drops(&["live-clip", "m4l-device", "live-set", "plugin", "image", "video", "folder"]),
        Param::new("type", ParamKind::Choice(&TYPES), "how a sample is played"),
        Param::new("source", ParamKind::Choice(&SOURCES), "where it lies; user is the other allowed folders")
            .unpublished(&["sampleFolder"]),
        Param::new("inFolder", ParamKind::Text, "absolute folder: only what lies right in it"),
        Param::new("limit", ParamKind::Number, "most results, 1 to 1000; 50 when omitted, 200 for list-tags"),
        Param::new("deviceKind", ParamKind::Choice(&DEVICE_KINDS), "list-plugins: instrument or audiofx")
            .hidden_in_small_model(),
        Param::new("sort", ParamKind::Choice(&SORTS), "search; most used first when omitted")
            .unpublished(&["use_count", "mod_date"])
            .hidden_in_small_model(),
        Param::new("verifyPaths", ParamKind::Boolean, "search: whether each file exists now").hidden_in_small_model(),
        Param::new(
            "searches",
            ParamKind::Wide(searches, searches_taken),
            "up to 20 searches: {label, query, tags, ...}, with the parameters of one",
        )
        .hidden_in_small_model(),
        Param::new("similarTo", ParamKind::Text, "find-similar: absolute path of a sample").hidden_in_small_model(),
        Param::new("category", ParamKind::Text, "list-categories: one to open").hidden_in_small_model(),
        Param::new("vendor", ParamKind::Text, "list-plugins: part of the maker").hidden_in_small_model(),
        Param::new("format", ParamKind::Choice(&FORMATS), "list-plugins")
            .unpublished(&["CLAP"])
            .hidden_in_small_model(),
        Param::new("subcategory", ParamKind::Text, "list-plugins").hidden_in_small_model(),
    ],
    aliases: &[ParamAlias {
        params: &[Param::new("queries", ParamKind::Wide(searches, searches_taken), "")],
        into: "searches",
        rule: AliasRule::Alias,
    }],
    left_out_in_small_model: false,
    reads_files: |_| true,
    small: |_| false,
    prepare: Prepare::Seeing(|map, view| {
        let request = LibraryRequest::read(arguments(map)?)?;
        if let LibraryAction::Reindex = request.action {
            let device = view.device.clone();
            let start = move |(), _: &mut CallContext| reindex::start(&device.jobs, &device.library);
            return Ok(prepared_read(|_, _| Ok(()), start, |_| false));
        }
        let asked = view.device.project.permission_request();
        let RequestContext { device, budget, .. } = view;
        let answered = answer::answer(&request, &device.library, &device.presets, budget);
        let result = answered.map_err(|refusal| match &asked {
            Some(asked) => refusal.and(asked),
            None => refusal,
        })?;
        let warning = request.warning.into_iter().chain(asked);
        Ok(prepared(move |_, call| {
            call.warnings.extend(warning);
            Ok(result)
        }))
    }),
};

/// What a search takes is published with the parameters of one, and looked at when it is read.
fn searches() -> Value {
    json!({ "type": "array", "items": { "type": "object" } })
}

/// `null` is "not sent".
fn searches_taken() -> Value {
    let fields = SEARCH_FIELDS.iter().map(|(name, kind)| ((*name).to_owned(), json!({ "type": [kind, "null"] })));
    json!({ "type": "array", "items": { "type": "object", "properties": fields.collect::<Map<_, _>>() } })
}

/// The fields of a search, with their types.
const SEARCH_FIELDS: [(&str, &str); 11] = [
    ("label", "string"),
    ("query", "string"),
    ("tags", "string"),
    ("kind", "string"),
    ("type", "string"),
    ("deviceKind", "string"),
    ("source", "string"),
    ("inFolder", "string"),
    ("sort", "string"),
    ("verifyPaths", "boolean"),
    ("limit", "number"),
];
