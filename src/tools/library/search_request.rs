//! One search of a call: its arguments, read and checked.

use super::choices::{DEVICE_KINDS, KINDS, OLD_WORDS, SORTS, SOURCES, TYPES};
use crate::library::kind::{ContentKind, FileSource, SampleType};
use crate::library::{Filter, SortOrder, normalized_path};
use crate::music::excerpt::excerpt;
use crate::tools::arguments::lists;
use crate::tools::error::ToolError;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

const MAX_RESULTS: usize = 1000;
pub const DEFAULT_RESULTS: usize = 50;

/// What a search takes, alone or as one of several.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FilterArgs {
    pub query: Option<String>,
    pub tags: Option<String>,
    pub kind: Option<String>,
    #[serde(rename = "type")]
    pub sample_type: Option<String>,
    pub device_kind: Option<String>,
    pub source: Option<String>,
    pub in_folder: Option<String>,
    pub sort: Option<String>,
    pub verify_paths: Option<bool>,
    pub limit: Option<f64>,
}

/// One of several searches, with its label.
#[derive(Deserialize)]
pub struct SearchEntry {
    label: Option<String>,
    #[serde(flatten)]
    filter: FilterArgs,
    #[serde(flatten)]
    more: Map<String, Value>,
}

/// One search.
pub struct SearchRequest {
    pub filter: Filter,
    /// Why there can be no result here.
    pub impossible: Option<&'static str>,
    /// It asks for what only the browser of a running Live has.
    pub needs_live_browser: bool,
    pub sort: Option<SortOrder>,
    pub verify_paths: bool,
    pub limit: ResultLimit,
    /// Remarks on how it was read.
    pub remarks: Vec<String>,
}

/// How many results at most, and the remark when that is not what was sent.
pub struct ResultLimit {
    pub most: usize,
    pub remark: Option<String>,
}

impl SearchEntry {
    pub fn read(&self, at: usize) -> Result<(String, SearchRequest), ToolError> {
        let label = nonblank(self.label.as_ref()).map_or_else(|| at.to_string(), str::to_owned);
        let mut search = self.filter.read(&format!("searches[{at}]."))?;
        let known =
            ["query", "tags", "kind", "type", "deviceKind", "source", "inFolder", "sort", "verifyPaths", "limit"];
        // Serde hands the fields of the first flattened struct to the second one, too.
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
    /// Refuses words that are none of a filter's: the schema of a lone search states them, that of several does not.
    fn check_words(&self, place: &str) -> Result<(), ToolError> {
        let filters: [(&str, &Option<String>, &[&str]); 5] = [
            ("kind", &self.kind, &KINDS),
            ("type", &self.sample_type, &TYPES),
            ("deviceKind", &self.device_kind, &DEVICE_KINDS),
            ("source", &self.source, &SOURCES),
            ("sort", &self.sort, &SORTS),
        ];
        for (name, sent, words) in filters {
            if let Some(word) = nonblank(sent.as_ref())
                && !words.contains(&word)
                && !OLD_WORDS.contains(&word)
            {
                let (words, word) = (words.join(", "), excerpt(word));
                return Err(ToolError::new(format!("{place}{name} must be one of {words}, not \"{word}\"")));
            }
        }
        Ok(())
    }

    /// Reads the filters; `place` stands before a parameter's name in a refusal.
    pub fn read(&self, place: &str) -> Result<SearchRequest, ToolError> {
        self.check_words(place)?;
        let tags = match nonblank(self.tags.as_ref()) {
            Some(list) => lists::split_targets(&format!("{place}tags"), list)?,
            None => Vec::new(),
        };
        let kind = nonblank(self.kind.as_ref()).unwrap_or("audio");
        let source = nonblank(self.source.as_ref());
        let (source, of_elsewhere) = match source {
            Some("sample-folder" | "sampleFolder") => (Some(FileSource::SampleFolder), false),
            Some("user") => (Some(FileSource::User), false),
            Some(_) => (None, true),
            None => (None, false),
        };
        let devices = nonblank(self.device_kind.as_ref()).is_some();
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
        let in_folder = match nonblank(self.in_folder.as_ref()) {
            Some(folder) if !Path::new(folder).is_absolute() => {
                return Err(ToolError::new(format!("{place}inFolder: \"{folder}\" is no absolute folder path")));
            }
            folder => folder.map(normalized_path),
        };
        let sort = nonblank(self.sort.as_ref()).map(|sort| match sort {
            "mod-date" | "mod_date" => SortOrder::ModDate,
            "name" => SortOrder::Name,
            _ => SortOrder::UseCount,
        });
        Ok(SearchRequest {
            filter: Filter {
                query: nonblank(self.query.as_ref()).unwrap_or_default().to_owned(),
                tags,
                kind: kind_named(kind).unwrap_or(ContentKind::Audio),
                sample_type: nonblank(self.sample_type.as_ref()).map(|playback| match playback {
                    "loop" => SampleType::Loop,
                    "oneshot" => SampleType::OneShot,
                    _ => SampleType::ImpulseResponse,
                }),
                source,
                in_folder,
            },
            impossible: nothing,
            needs_live_browser: of_elsewhere || devices,
            sort,
            verify_paths: self.verify_paths == Some(true),
            limit: ResultLimit::read(self.limit, DEFAULT_RESULTS),
            remarks: Vec::new(),
        })
    }
}

impl ResultLimit {
    pub fn read(sent: Option<f64>, or: usize) -> ResultLimit {
        let Some(sent) = sent else { return ResultLimit { most: or, remark: None } };
        // A fraction of a result counts as none. NaN is not in JSON.
        let most = sent.floor().clamp(1.0, MAX_RESULTS as f64);
        let remark = (most != sent)
            .then(|| format!("limit: {most} is used for {sent}; it is a whole number from 1 to {MAX_RESULTS}"));
        ResultLimit { most: most as usize, remark }
    }
}

fn kind_named(name: &str) -> Option<ContentKind> {
    use ContentKind::{Audio, DeviceGroup, Folder, Image, LiveClip, LiveSet, M4lDevice, Midi, Preset, Video};
    [Audio, Midi, LiveClip, Preset, DeviceGroup, M4lDevice, LiveSet, Image, Video, Folder]
        .into_iter()
        .find(|kind| kind.name() == name)
}

/// A text that was sent; a blank one and `null` count as not sent.
pub fn nonblank(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !matches!(*text, "" | "null"))
}
