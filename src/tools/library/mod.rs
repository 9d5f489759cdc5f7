//! `svc-library`: what is in the user's sample folders, and which plug-ins are installed.
//!
//! Everything is looked up while the call is prepared, on a worker; the Set is not needed. [`request`] reads and
//! refuses arguments, [`answer`] searches the library and puts the answer together.

mod answer;
mod choices;
mod plugin_answer;
mod remarks;
mod request;
mod result_json;
mod search_answer;
mod search_request;
mod sound_answer;

use crate::tools::call::{arguments, prepared};
use crate::tools::tool::{AliasRule, ParamAlias};
use crate::tools::tool::{Kind, Param, Tool};
use choices::{ACTIONS, DEVICE_KINDS, FORMATS, KINDS, RETIRED_ACTIONS, SORTS, SOURCES, TYPES};
use request::LibraryRequest;
use serde_json::{Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-library",
    title: "Library",
    read_only: true,
    destructive: false,
    description: |_| {
        "Finds samples and other files in the user's sample folder; results carry absolute paths for sampleFile. Also tags, \
         similar and identical samples, and installed plug-ins."
            .to_owned()
    },
    params: &[
        Param::new("action", Kind::Choice(&ACTIONS), "what to look for; search when omitted")
            .small_model_drops(&["list-categories", "list-plugins", "find-similar", "find-duplicates"])
            .unpublished(&RETIRED_ACTIONS),
        Param::new("query", Kind::Text, "part of a name; * stands for anything"),
        Param::new("tags", Kind::Text, "tags, comma-separated; all of them are needed"),
        Param::new("kind", Kind::Choice(&KINDS), "audio when omitted").small_model_drops(&[
            "live-clip",
            "m4l-device",
            "live-set",
            "plugin",
            "image",
            "video",
            "folder",
        ]),
        Param::new("type", Kind::Choice(&TYPES), "how a sample is played"),
        Param::new("source", Kind::Choice(&SOURCES), "where it lies; user is the other allowed folders")
            .unpublished(&["sampleFolder"]),
        Param::new("inFolder", Kind::Text, "absolute folder: only what lies right in it"),
        Param::new("limit", Kind::Number, "most results, 1 to 1000; 50 when omitted, 200 for list-tags"),
        Param::new("deviceKind", Kind::Choice(&DEVICE_KINDS), "list-plugins: instrument or audiofx")
            .hidden_in_small_model(),
        Param::new("sort", Kind::Choice(&SORTS), "search; most used first when omitted")
            .unpublished(&["use_count", "mod_date"])
            .hidden_in_small_model(),
        Param::new("verifyPaths", Kind::Boolean, "search: tell of each file whether it exists now")
            .hidden_in_small_model(),
        Param::new("searches", Kind::Schema(searches_schema), "search: up to 20 searches in one call")
            .hidden_in_small_model(),
        Param::new("similarTo", Kind::Text, "find-similar: absolute path of a sample").hidden_in_small_model(),
        Param::new("category", Kind::Text, "list-categories: the category to open").hidden_in_small_model(),
        Param::new("vendor", Kind::Text, "list-plugins: part of the maker's name").hidden_in_small_model(),
        Param::new("format", Kind::Choice(&FORMATS), "list-plugins").unpublished(&["CLAP"]).hidden_in_small_model(),
        Param::new("subcategory", Kind::Text, "list-plugins: part of a subcategory").hidden_in_small_model(),
    ],
    hidden: &[ParamAlias {
        params: &[Param::new("queries", Kind::Schema(searches_schema), "")],
        into: "searches",
        fold: AliasRule::Alias,
    }],
    withheld_in_small_model: false,
    reads_files: |_| true,
    prepare: |map, view| {
        let request = LibraryRequest::read(arguments(map)?)?;
        let result = answer::answer(&request, &view.device.library)?;
        let warning = request.warning;
        Ok(prepared(move |_, call| {
            call.warnings.extend(warning);
            Ok(result)
        }))
    },
};

fn searches_schema() -> Value {
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "label": { "type": "string" },
                "query": { "type": "string" },
                "tags": { "type": "string" },
                "kind": { "type": "string", "enum": KINDS },
                "type": { "type": "string", "enum": TYPES },
                "deviceKind": { "type": "string", "enum": DEVICE_KINDS },
                "source": { "type": "string", "enum": SOURCES },
                "inFolder": { "type": "string" },
                "sort": { "type": "string", "enum": SORTS },
                "verifyPaths": { "type": "boolean" },
                "limit": { "type": "number" },
            },
        },
    })
}
