//! What one search found.

use super::remarks::{index_remarks, missing_folder_remark};
use super::result_json::{add_detail, hit_json};
use super::search_request::SearchRequest;
use crate::library::kind::{ContentKind, FileSource};
use crate::library::{Filter, Library, MatchKind, SearchResults};
use crate::user_store::Presets;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// How long a search that found nothing waits for a rescan for files that have just come.
const MAX_RESCAN_WAIT: Duration = Duration::from_millis(500);

/// What one search found, with remarks. `rescanned` is whether the rescan of the call was done in time, if it had one.
pub fn search_result(
    (library, presets): (&Library, &Presets),
    search: &SearchRequest,
    rescanned: &mut Option<bool>,
) -> Map<String, Value> {
    let mut remarks = search.remarks.clone();
    let mut result = Map::new();
    remarks.extend(search.limit.remark.clone());
    if let Some(nothing) = search.impossible {
        remarks.insert(0, nothing.to_owned());
        result.insert("items".to_owned(), json!([]));
    } else {
        let hits = search_with_rescan(library, search, rescanned);
        let mut items = device_presets(presets, search);
        let total = hits.total.saturating_add(items.len());
        let has_presets = !items.is_empty();
        if !has_presets {
            remarks.extend(match_remark(&hits, &search.filter.query));
        }
        // What only comes near does not stand beside a preset that fits.
        let is_near = has_presets && hits.match_kind == MatchKind::Nearest;
        items.extend(hits.items.iter().filter(|_| !is_near).map(|hit| hit_json(hit, search.verify_paths)));
        items.truncate(search.limit.most);
        if total > items.len() && !is_near {
            remarks.push(format!("{} of {total} are shown; narrow the search or raise limit", items.len()));
        }
        let no_folder = items.is_empty().then(|| missing_folder_remark(library, search)).flatten();
        let unsure = *rescanned == Some(false);
        remarks.extend(index_remarks(library, items.is_empty() && no_folder.is_none(), unsure));
        remarks.extend(no_folder);
        if has_presets {
            remarks.push("what has device is a device preset: send its preset to svc-create-device".to_owned());
        } else if search.filter.kind == ContentKind::Preset {
            remarks.push(
                "these are files in the sample folders; svc-create-device without device lists the device presets"
                    .to_owned(),
            );
        }
        result.insert("items".to_owned(), json!(items));
    }
    if search.needs_live_browser {
        result.insert("dbAvailable".to_owned(), json!(false));
    }
    add_detail(&mut result, remarks);
    result
}

/// The user's device presets that a search for presets finds: those whose device and name hold every part of the query.
/// They lie in no sample folder and have no tags.
fn device_presets(presets: &Presets, search: &SearchRequest) -> Vec<Value> {
    let Filter { query, tags, kind, sample_type, source, in_folder } = &search.filter;
    let of_files = !tags.is_empty() || sample_type.is_some() || in_folder.is_some();
    if *kind != ContentKind::Preset || of_files || *source == Some(FileSource::SampleFolder) {
        return Vec::new();
    }
    let query = query.to_lowercase();
    let parts: Vec<&str> = query.split(|c: char| c == '*' || c.is_whitespace()).collect();
    let mut found = Vec::new();
    for (device, names) in presets.list() {
        for name in names {
            let text = format!("{device} {name}").to_lowercase();
            if parts.iter().all(|part| text.contains(part)) {
                let preset = format!("{device}/{name}");
                found.push(json!({ "name": name, "kind": "preset", "device": device, "preset": preset }));
            }
        }
    }
    found
}

/// Searches; when no name fits, once more after a rescan for files that have just come. One rescan serves all searches
/// of a call.
fn search_with_rescan(library: &Library, search: &SearchRequest, rescanned: &mut Option<bool>) -> SearchResults {
    let search_now =
        || library.with_searcher(|searcher| searcher.search(&search.filter, search.sort, search.limit.most));
    let hits = search_now();
    if rescanned.is_some() || (!hits.items.is_empty() && hits.match_kind == MatchKind::Name) {
        return hits;
    }
    *rescanned = Some(library.rescan(MAX_RESCAN_WAIT));
    search_now()
}

/// What to say when no name holds the query as it stands.
fn match_remark(hits: &SearchResults, query: &str) -> Option<String> {
    match hits.match_kind {
        _ if hits.items.is_empty() => None,
        MatchKind::Name => None,
        MatchKind::Words => Some(format!(
            "no name holds \"{query}\"; these have its words, or others for them, in name, folder and tags"
        )),
        MatchKind::Nearest => Some(format!("nothing holds \"{query}\"; these come nearest")),
    }
}
