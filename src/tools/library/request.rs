//! The arguments of a call, read and checked: which action, which searches, and that nothing is sent that the action does not
//! read.

use crate::library::kind::{Kind, Playback, Source};
use crate::library::{Filter, Sort, plain_path};
use crate::tools::arguments::action_params::{ParamScope, refuse_out_of_scope};
use crate::tools::arguments::lists;
use crate::tools::error::ToolError;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Searches of one call at most.
const MOST_SEARCHES: usize = 20;
const MOST_RESULTS: usize = 1000;
const RESULTS: usize = 50;
const TAGS: usize = 200;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Args {
    action: Option<String>,
    #[serde(flatten)]
    filter: FilterArgs,
    searches: Option<Vec<Entry>>,
    similar_to: Option<String>,
    category: Option<String>,
    vendor: Option<String>,
    format: Option<String>,
    subcategory: Option<String>,
}

/// What a search takes, alone or as one of several.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FilterArgs {
    query: Option<String>,
    tags: Option<String>,
    kind: Option<String>,
    #[serde(rename = "type")]
    playback: Option<String>,
    device_kind: Option<String>,
    source: Option<String>,
    in_folder: Option<String>,
    sort: Option<String>,
    verify_paths: Option<bool>,
    limit: Option<f64>,
}

#[derive(Deserialize)]
struct Entry {
    label: Option<String>,
    #[serde(flatten)]
    filter: FilterArgs,
    #[serde(flatten)]
    more: Map<String, Value>,
}

/// A call, understood.
pub struct Request {
    pub action: Action,
    /// A whole-call warning.
    pub warning: Option<String>,
}

pub enum Action {
    Search(Box<Search>),
    /// Several at once, each with its label.
    Searches(Vec<(String, Search)>),
    ListTags(Limit),
    ListCategories(Option<String>, Limit),
    ListPlugins(Box<Plugins>),
    FindSimilar(PathBuf, Box<Search>),
    FindDuplicates(Box<Search>),
}

/// One search.
pub struct Search {
    pub filter: Filter,
    /// Why there can be no result here.
    pub nothing: Option<&'static str>,
    /// A running Live's database would have to be asked.
    pub of_live: bool,
    pub sort: Option<Sort>,
    pub verify_paths: bool,
    pub limit: Limit,
    /// Things to say of how it was understood.
    pub remarks: Vec<String>,
}

/// How many results at most, and what is to be said of it.
pub struct Limit {
    pub most: usize,
    pub remark: Option<String>,
}

pub struct Plugins {
    pub query: String,
    pub vendor: String,
    pub subcategory: String,
    pub format: Option<String>,
    /// `Instrument` or `Audio Effect`.
    pub category: Option<&'static str>,
    pub limit: Limit,
}

impl Request {
    pub fn read(args: Args) -> Result<Request, ToolError> {
        let sent_action = said(args.action.as_ref()).unwrap_or("search");
        let action = current(sent_action);
        let warning = matches!(sent_action, "search-batch" | "searchBatch").then(|| {
            format!(
                "action {sent_action} is deprecated and will be removed; send action: \"search\" with searches instead"
            )
        });
        args.refuse_foreign(action)?;
        let Args { filter, searches, .. } = &args;
        let limit = |or| Limit::read(filter.limit, or);
        let text = |text: &Option<String>| said(text.as_ref()).unwrap_or_default().to_owned();
        let action = match action {
            "list-tags" => Action::ListTags(limit(TAGS)),
            "list-categories" => Action::ListCategories(said(args.category.as_ref()).map(str::to_owned), limit(TAGS)),
            "list-plugins" => {
                let category = match said(filter.device_kind.as_ref()) {
                    Some("instrument") => Some("Instrument"),
                    Some("audiofx") => Some("Audio Effect"),
                    Some(other) => {
                        return Err(ToolError::about(
                            "deviceKind",
                            format!(
                                "list-plugins takes instrument or audiofx, not {other}: plug-ins are no MIDI effects"
                            ),
                        ));
                    }
                    None => None,
                };
                Action::ListPlugins(Box::new(Plugins {
                    query: text(&filter.query),
                    vendor: text(&args.vendor),
                    subcategory: text(&args.subcategory),
                    format: said(args.format.as_ref()).map(str::to_owned),
                    category,
                    limit: limit(RESULTS),
                }))
            }
            "find-similar" => {
                let seed = said(args.similar_to.as_ref()).ok_or_else(|| {
                    ToolError::new(
                        "find-similar needs similarTo, the absolute path of a sample; svc-library search gives paths",
                    )
                })?;
                if !Path::new(seed).is_absolute() {
                    return Err(ToolError::about(
                        "similarTo",
                        format!("\"{seed}\" is no absolute path, such as /folder/kick.wav"),
                    ));
                }
                Action::FindSimilar(plain_path(seed), Box::new(filter.read("")?))
            }
            "find-duplicates" => Action::FindDuplicates(Box::new(filter.read("")?)),
            _ => match searches.as_deref() {
                None => Action::Search(Box::new(filter.read("")?)),
                Some([]) => return Err(ToolError::new("searches is empty; name at least one search, or leave it out")),
                Some(list) if list.len() > MOST_SEARCHES => {
                    return Err(ToolError::new(format!(
                        "searches has {} entries; one call takes at most {MOST_SEARCHES}",
                        list.len()
                    )));
                }
                Some([one]) => Action::Search(Box::new(one.read(0)?.1)),
                Some(list) => Action::Searches(
                    list.iter().enumerate().map(|(at, entry)| entry.read(at)).collect::<Result<_, _>>()?,
                ),
            },
        };
        Ok(Request { action, warning })
    }
}

impl Args {
    /// Refuses what only other actions read, and filters beside a list of searches.
    fn refuse_foreign(&self, action: &str) -> Result<(), ToolError> {
        const FINDING: [&str; 3] = ["search", "find-similar", "find-duplicates"];
        const NAMED: [&str; 4] = ["search", "find-similar", "find-duplicates", "list-plugins"];
        let sent = |text: &Option<String>| said(text.as_ref()).is_some();
        let Args { filter, .. } = self;
        let belongs = |parameter, sent, to| ParamScope { parameter, sent, read_by: to };
        let other_kind = said(filter.kind.as_ref()).is_some_and(|kind| kind != "audio");
        let verify = filter.verify_paths == Some(true);
        let filters = [
            belongs("query", sent(&filter.query), &NAMED[..]),
            belongs("deviceKind", sent(&filter.device_kind), &NAMED),
            belongs("tags", sent(&filter.tags), &FINDING),
            belongs("type", sent(&filter.playback), &FINDING),
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

impl Entry {
    fn read(&self, at: usize) -> Result<(String, Search), ToolError> {
        let label = said(self.label.as_ref()).map_or_else(|| at.to_string(), str::to_owned);
        let mut search = self.filter.read(&format!("searches[{at}]."))?;
        let known =
            ["query", "tags", "kind", "type", "deviceKind", "source", "inFolder", "sort", "verifyPaths", "limit"];
        // What is flattened twice comes twice.
        let unknown: Vec<String> = self
            .more
            .keys()
            .filter(|name| !known.contains(&name.as_str()) && *name != "label")
            .map(|name| name.chars().take(80).collect())
            .collect();
        if !unknown.is_empty() {
            search.remarks.push(format!("ignored unexpected argument(s): {}", unknown.join(", ")));
        }
        Ok((label, search))
    }
}

impl FilterArgs {
    /// Reads the filters; `place` stands before a parameter's name in a refusal.
    fn read(&self, place: &str) -> Result<Search, ToolError> {
        let tags = match said(self.tags.as_ref()) {
            Some(list) => lists::split_targets(&format!("{place}tags"), list)?,
            None => Vec::new(),
        };
        let kind = said(self.kind.as_ref()).unwrap_or("audio");
        let source = said(self.source.as_ref());
        let (source, of_elsewhere) = match source {
            Some("sample-folder" | "sampleFolder") => (Some(Source::SampleFolder), false),
            Some("user") => (Some(Source::User), false),
            Some(_) => (None, true),
            None => (None, false),
        };
        let devices = said(self.device_kind.as_ref()).is_some();
        let nothing = if of_elsewhere {
            Some(
                "pack, builtin, cloud and plugin are places in the browser of a running Ableton Live, which this host has not",
            )
        } else if devices {
            Some("devices by their kind are in the browser of a running Ableton Live, which this host has not")
        } else if kind == "plugin" {
            Some("plug-ins are listed by action list-plugins")
        } else {
            None
        };
        let in_folder = match said(self.in_folder.as_ref()) {
            Some(folder) if !Path::new(folder).is_absolute() => {
                return Err(ToolError::new(format!("{place}inFolder: \"{folder}\" is no absolute folder path")));
            }
            folder => folder.map(plain_path),
        };
        let sort = said(self.sort.as_ref()).map(|sort| match sort {
            "mod-date" | "mod_date" => Sort::ModDate,
            "name" => Sort::Name,
            _ => Sort::UseCount,
        });
        Ok(Search {
            filter: Filter {
                query: said(self.query.as_ref()).unwrap_or_default().to_owned(),
                tags,
                kind: kind_named(kind).unwrap_or(Kind::Audio),
                playback: said(self.playback.as_ref()).map(|playback| match playback {
                    "loop" => Playback::Loop,
                    "oneshot" => Playback::OneShot,
                    _ => Playback::ImpulseResponse,
                }),
                source,
                in_folder,
            },
            nothing,
            of_live: of_elsewhere || devices,
            sort,
            verify_paths: self.verify_paths == Some(true),
            limit: Limit::read(self.limit, RESULTS),
            remarks: Vec::new(),
        })
    }
}

impl Limit {
    fn read(sent: Option<f64>, or: usize) -> Limit {
        let Some(sent) = sent else { return Limit { most: or, remark: None } };
        // NaN is no JSON; a fraction of a result is none.
        let most = sent.floor().clamp(1.0, MOST_RESULTS as f64);
        let remark = (most != sent)
            .then(|| format!("limit: {most} is used for {sent}; it is a whole number from 1 to {MOST_RESULTS}"));
        Limit { most: most as usize, remark }
    }
}

fn kind_named(name: &str) -> Option<Kind> {
    use Kind::{Audio, DeviceGroup, Folder, Image, LiveClip, LiveSet, M4lDevice, Midi, Preset, Video};
    [Audio, Midi, LiveClip, Preset, DeviceGroup, M4lDevice, LiveSet, Image, Video, Folder]
        .into_iter()
        .find(|kind| kind.name() == name)
}

/// The spelling of today.
fn current(action: &str) -> &str {
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

/// A text that says something.
fn said(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !matches!(*text, "" | "null"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(args: Value) -> Result<Request, String> {
        let args: Args = serde_json::from_value(args).unwrap();
        Request::read(args).map_err(|e| e.to_string())
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
        for action in super::super::ACTIONS {
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
        assert!(matches!(read(json!({ "action": "listTags" })).unwrap().action, Action::ListTags(_)));
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
            let Action::Search(search) = read(json!({ "limit": sent })).unwrap().action else { panic!("a search") };
            assert_eq!((search.limit.most, search.limit.remark.is_some()), (most, remarked), "{sent}");
        }
        let Action::ListTags(limit) = read(json!({ "action": "list-tags" })).unwrap().action else { panic!("tags") };
        assert_eq!(limit.most, 200);
    }

    #[test]
    fn several_searches_have_labels() {
        let request = read(json!({ "searches": [{ "query": "a" }, { "label": "hats", "tags": "Hihat", "odd": 1 }] }));
        let Action::Searches(list) = request.unwrap().action else { panic!("searches") };
        assert_eq!(list.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>(), ["0", "hats"]);
        assert!(list[0].1.remarks.is_empty());
        assert_eq!(list[1].1.remarks, ["ignored unexpected argument(s): odd"]);
    }
}
