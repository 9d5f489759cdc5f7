//! The arguments of a call, read and checked: which action, which searches, and that nothing is sent that the action
//! does not read.

use super::search_request::{DEFAULT_RESULTS, FilterArgs, ResultLimit, SearchEntry, SearchRequest, nonblank};
use crate::library::normalized_path;
use crate::tools::arguments::action_params::{ParamScope, refuse_out_of_scope};
use crate::tools::error::ToolError;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Searches of one call at most.
const MAX_SEARCHES: usize = 20;
const DEFAULT_TAGS: usize = 200;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Args {
    action: Option<String>,
    #[serde(flatten)]
    filter: FilterArgs,
    searches: Option<Vec<SearchEntry>>,
    similar_to: Option<String>,
    category: Option<String>,
    vendor: Option<String>,
    format: Option<String>,
    subcategory: Option<String>,
}

/// A call, read and checked.
pub struct LibraryRequest {
    pub action: LibraryAction,
    /// A warning about the whole call.
    pub warning: Option<String>,
}

/// What the call asks for.
pub enum LibraryAction {
    Search(Box<SearchRequest>),
    /// Several at once, each with its label.
    Searches(Vec<(String, SearchRequest)>),
    ListTags(ResultLimit),
    ListCategories(Option<String>, ResultLimit),
    ListPlugins(Box<PluginSearch>),
    FindSimilar(PathBuf, Box<SearchRequest>),
    FindDuplicates(Box<SearchRequest>),
    Reindex,
}

/// What `list-plugins` looks for; an empty text fits everything.
pub struct PluginSearch {
    pub query: String,
    pub vendor: String,
    pub subcategory: String,
    pub format: Option<String>,
    /// `Instrument` or `Audio Effect`.
    pub category: Option<&'static str>,
    pub limit: ResultLimit,
}

impl LibraryRequest {
    pub fn read(args: Args) -> Result<LibraryRequest, ToolError> {
        let sent_action = nonblank(args.action.as_ref()).unwrap_or("search");
        let action = current_action_name(sent_action);
        let warning = matches!(sent_action, "search-batch" | "searchBatch").then(|| {
            format!(
                "action {sent_action} is deprecated and will be removed; send action: \"search\" with searches instead"
            )
        });
        args.refuse_out_of_scope(action)?;
        let Args { filter, searches, .. } = &args;
        let limit = |or| ResultLimit::read(filter.limit, or);
        let text = |text: &Option<String>| nonblank(text.as_ref()).unwrap_or_default().to_owned();
        let action = match action {
            "list-tags" => LibraryAction::ListTags(limit(DEFAULT_TAGS)),
            "list-categories" => {
                LibraryAction::ListCategories(nonblank(args.category.as_ref()).map(str::to_owned), limit(DEFAULT_TAGS))
            }
            "list-plugins" => {
                let category = match nonblank(filter.device_kind.as_ref()) {
                    Some("instrument") => Some("Instrument"),
                    Some("audiofx") => Some("Audio Effect"),
                    Some(other) => {
                        return Err(ToolError::new(format!(
                            "deviceKind: list-plugins takes instrument or audiofx, not {other}: plug-ins are no MIDI effects"
                        )));
                    }
                    None => None,
                };
                LibraryAction::ListPlugins(Box::new(PluginSearch {
                    query: text(&filter.query),
                    vendor: text(&args.vendor),
                    subcategory: text(&args.subcategory),
                    format: nonblank(args.format.as_ref()).map(str::to_owned),
                    category,
                    limit: limit(DEFAULT_RESULTS),
                }))
            }
            "find-similar" => {
                let seed = nonblank(args.similar_to.as_ref()).ok_or_else(|| {
                    ToolError::new(
                        "find-similar needs similarTo, the absolute path of a sample; svc-library search gives paths",
                    )
                })?;
                if !Path::new(seed).is_absolute() {
                    return Err(ToolError::new(format!(
                        "similarTo: \"{seed}\" is no absolute path, such as /folder/kick.wav"
                    )));
                }
                LibraryAction::FindSimilar(normalized_path(seed), Box::new(filter.read("")?))
            }
            "reindex" => LibraryAction::Reindex,
            "find-duplicates" => LibraryAction::FindDuplicates(Box::new(filter.read("")?)),
            _ => match searches.as_deref() {
                None => LibraryAction::Search(Box::new(filter.read("")?)),
                Some([]) => return Err(ToolError::new("searches is empty; name at least one search, or leave it out")),
                Some(list) if list.len() > MAX_SEARCHES => {
                    return Err(ToolError::new(format!(
                        "searches has {} entries; one call takes at most {MAX_SEARCHES}",
                        list.len()
                    )));
                }
                Some([one]) => LibraryAction::Search(Box::new(one.read(0)?.1)),
                Some(list) => LibraryAction::Searches(
                    list.iter().enumerate().map(|(at, entry)| entry.read(at)).collect::<Result<_, _>>()?,
                ),
            },
        };
        Ok(LibraryRequest { action, warning })
    }
}

impl Args {
    /// Refuses what only other actions read, and filters beside a list of searches.
    fn refuse_out_of_scope(&self, action: &str) -> Result<(), ToolError> {
        const FINDING: [&str; 3] = ["search", "find-similar", "find-duplicates"];
        const NAMED: [&str; 4] = ["search", "find-similar", "find-duplicates", "list-plugins"];
        let sent = |text: &Option<String>| nonblank(text.as_ref()).is_some();
        let Args { filter, .. } = self;
        let belongs = |parameter, sent, to| ParamScope { parameter, sent, read_by: to };
        let other_kind = nonblank(filter.kind.as_ref()).is_some_and(|kind| kind != "audio");
        let verify = filter.verify_paths == Some(true);
        let filters = [
            belongs("query", sent(&filter.query), &NAMED[..]),
            belongs("deviceKind", sent(&filter.device_kind), &NAMED),
            belongs("tags", sent(&filter.tags), &FINDING),
            belongs("type", sent(&filter.sample_type), &FINDING),
            belongs("source", sent(&filter.source), &FINDING),
            belongs("inFolder", sent(&filter.in_folder), &FINDING),
            belongs("kind", other_kind, &FINDING),
            belongs("sort", sent(&filter.sort), &["search"]),
            belongs("verifyPaths", verify, &["search"]),
        ];
        refuse_out_of_scope("action", Some(action), &filters)?;
        refuse_out_of_scope(
            "action",
            Some(action),
            &[
                belongs("searches", self.searches.is_some(), &["search"]),
                belongs("similarTo", sent(&self.similar_to), &["find-similar"]),
                belongs("category", sent(&self.category), &["list-categories"]),
                belongs("vendor", sent(&self.vendor), &["list-plugins"]),
                belongs("format", sent(&self.format), &["list-plugins"]),
                belongs("subcategory", sent(&self.subcategory), &["list-plugins"]),
            ],
        )?;
        if self.searches.is_some() {
            let mut beside: Vec<&str> = filters.iter().filter(|f| f.sent).map(|f| f.parameter).collect();
            beside.extend(filter.limit.is_some().then_some("limit"));
            if !beside.is_empty() {
                return Err(ToolError::new(format!(
                    "{} beside searches: each entry of searches holds its own filters",
                    beside.join(", ")
                )));
            }
        }
        Ok(())
    }
}

/// The present name of an action.
fn current_action_name(action: &str) -> &str {
    match action {
        "listTags" => "list-tags",
        "listCategories" => "list-categories",
        "listPlugins" => "list-plugins",
        "findSimilar" => "find-similar",
        "findDuplicates" => "find-duplicates",
        "searchBatch" | "search-batch" => "search",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(args: Value) -> Result<LibraryRequest, String> {
        let args: Args = serde_json::from_value(args).unwrap();
        LibraryRequest::read(args).map_err(|e| e.to_string())
    }

    #[test]
    fn parameters_of_another_action_are_refused() {
        let all = [
            ("similarTo", json!("/a.wav"), &["find-similar"][..]),
            ("category", json!("Drums"), &["list-categories"]),
            ("vendor", json!("x"), &["list-plugins"]),
            ("format", json!("VST3"), &["list-plugins"]),
            ("subcategory", json!("x"), &["list-plugins"]),
            ("sort", json!("name"), &["search"]),
            ("verifyPaths", json!(true), &["search"]),
            ("searches", json!([{}]), &["search"]),
            ("tags", json!("Kick"), &["search", "find-similar", "find-duplicates"]),
            ("type", json!("loop"), &["search", "find-similar", "find-duplicates"]),
            ("source", json!("user"), &["search", "find-similar", "find-duplicates"]),
            ("inFolder", json!("/smp"), &["search", "find-similar", "find-duplicates"]),
            ("kind", json!("midi"), &["search", "find-similar", "find-duplicates"]),
            ("query", json!("x"), &["search", "find-similar", "find-duplicates", "list-plugins"]),
            ("deviceKind", json!("audiofx"), &["search", "find-similar", "find-duplicates", "list-plugins"]),
        ];
        for action in super::super::choices::ACTIONS {
            for (parameter, value, readers) in &all {
                let mut args = json!({ "action": action, *parameter: value });
                if action == "find-similar" {
                    args["similarTo"] = json!("/a.wav");
                }
                let read = read(args);
                assert_eq!(read.is_ok(), readers.contains(&action), "{action} {parameter} {:?}", read.err());
            }
            // These count as not sent.
            let mut args =
                json!({ "action": action, "kind": "audio", "query": " ", "category": "null", "verifyPaths": false });
            if action == "find-similar" {
                args["similarTo"] = json!("/a.wav");
            }
            assert!(read(args).is_ok(), "{action}");
        }
        let refused = read(json!({ "vendor": "x" })).err().unwrap();
        assert_eq!(refused, "vendor belongs to action list-plugins; this call has action search");
    }

    #[test]
    fn whole_calls_that_are_refused() {
        for args in [
            json!({ "action": "find-similar" }),
            json!({ "action": "find-similar", "similarTo": "kick.wav" }),
            json!({ "action": "list-plugins", "deviceKind": "midifx" }),
            json!({ "inFolder": "Drums" }),
            json!({ "tags": "a,,b" }),
            json!({ "searches": [] }),
            json!({ "searches": (0..21).map(|_| json!({})).collect::<Vec<_>>() }),
            json!({ "searches": [{}], "query": "x" }),
            json!({ "searches": [{}], "limit": 5 }),
            json!({ "searches": [{}], "verifyPaths": true }),
            json!({ "searches": [{ "inFolder": "x" }] }),
        ] {
            assert!(read(args.clone()).is_err(), "{args}");
        }
        assert!(read(json!({ "searches": [{}], "kind": "audio", "query": "" })).is_ok());
    }

    #[test]
    fn retired_spellings() {
        for (sent, warns) in
            [("listTags", false), ("findDuplicates", false), ("search-batch", true), ("searchBatch", true)]
        {
            assert_eq!(read(json!({ "action": sent })).unwrap().warning.is_some(), warns, "{sent}");
        }
        assert!(matches!(read(json!({ "action": "listTags" })).unwrap().action, LibraryAction::ListTags(_)));
    }

    #[test]
    fn limits() {
        for (sent, most, remarked) in [
            (json!(null), 50, false),
            (json!(7), 7, false),
            (json!(0), 1, true),
            (json!(-3), 1, true),
            (json!(5000), 1000, true),
            (json!(2.5), 2, true),
        ] {
            let LibraryAction::Search(search) = read(json!({ "limit": sent })).unwrap().action else {
                panic!("a search")
            };
            assert_eq!((search.limit.most, search.limit.remark.is_some()), (most, remarked), "{sent}");
        }
        let LibraryAction::ListTags(limit) = read(json!({ "action": "list-tags" })).unwrap().action else {
            panic!("tags")
        };
        assert_eq!(limit.most, 200);
    }

    #[test]
    fn several_searches_have_labels() {
        let request = read(json!({ "searches": [{ "query": "a" }, { "label": "hats", "tags": "Hihat", "odd": 1 }] }));
        let LibraryAction::Searches(list) = request.unwrap().action else { panic!("searches") };
        assert_eq!(list.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>(), ["0", "hats"]);
        assert!(list[0].1.remarks.is_empty());
        assert_eq!(list[1].1.remarks, ["ignored unexpected argument(s): odd"]);
    }
}
