//! Carrying out a request.

use super::plugin_answer::list_plugins;
use super::remarks::index_remarks;
use super::request::{LibraryAction, LibraryRequest};
use super::result_json::with_detail;
use super::search_answer::search_result;
use super::search_request::{ResultLimit, SearchRequest};
use super::sound_answer::{find_duplicates, find_similar};
use crate::library::{Library, tag_categories, tag_category};
use crate::music::excerpt::excerpt;
use crate::tools::budget::Budget;
use crate::tools::error::ToolError;
use crate::user_store::Presets;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A walk for changed files that is younger than this is good enough.
const MAX_SCAN_AGE: Duration = Duration::from_secs(5);

/// The answer to a request. Refused where a search names a folder that is not indexed.
pub fn answer(
    request: &LibraryRequest,
    library: &Library,
    presets: &Presets,
    budget: &Budget,
) -> Result<Value, ToolError> {
    match &request.action {
        LibraryAction::Search(search) => {
            check_folder(library, search, "")?;
            let result = search_result((library, presets), search, &mut None);
            library.refresh(MAX_SCAN_AGE);
            Ok(Value::Object(result))
        }
        LibraryAction::Searches(list) => {
            for (at, (_, search)) in list.iter().enumerate() {
                check_folder(library, search, &format!("searches[{at}]."))?;
            }
            let mut rescanned = None;
            let results: Vec<Value> = list
                .iter()
                .map(|(label, search)| {
                    let mut result = search_result((library, presets), search, &mut rescanned);
                    result.shift_remove("dbAvailable");
                    let mut labelled = Map::new();
                    labelled.insert("label".to_owned(), json!(label));
                    labelled.append(&mut result);
                    Value::Object(labelled)
                })
                .collect();
            library.refresh(MAX_SCAN_AGE);
            let mut result = Map::new();
            result.insert("results".to_owned(), json!(results));
            if list.iter().any(|(_, search)| search.needs_live_browser) {
                result.insert("dbAvailable".to_owned(), json!(false));
            }
            Ok(Value::Object(result))
        }
        LibraryAction::ListTags(limit) => {
            library.refresh(MAX_SCAN_AGE);
            let tags = library.with_searcher(|searcher| searcher.tag_counts());
            let mut remarks = index_remarks(library, tags.is_empty(), library.is_scanning());
            let tags = tag_list(tags.into_iter(), limit, &mut remarks);
            Ok(with_detail(json!({ "tags": tags }), remarks))
        }
        LibraryAction::ListCategories(None, limit) => Ok(list_categories(library, limit)),
        LibraryAction::ListCategories(Some(wanted), limit) => Ok(list_tags_of(library, wanted, limit)),
        LibraryAction::ListPlugins(wanted) => Ok(list_plugins(wanted)),
        LibraryAction::FindSimilar(seed, search) => {
            check_folder(library, search, "")?;
            library.refresh(MAX_SCAN_AGE);
            Ok(find_similar(library, seed, search, budget))
        }
        // It is answered by its job.
        LibraryAction::Reindex => Ok(Value::Null),
        LibraryAction::FindDuplicates(search) => {
            check_folder(library, search, "")?;
            library.refresh(MAX_SCAN_AGE);
            Ok(find_duplicates(library, search))
        }
    }
}

fn list_categories(library: &Library, limit: &ResultLimit) -> Value {
    library.refresh(MAX_SCAN_AGE);
    let counts = library.with_searcher(|searcher| searcher.category_counts());
    let mut remarks = index_remarks(library, counts.is_empty(), library.is_scanning());
    remarks.push("these are categories of tags; those of a running Live's browser are not on this host".to_owned());
    let counts = counts.into_iter().map(|(name, count)| (name.to_owned(), count));
    let list = tag_list(counts, limit, &mut remarks);
    with_detail(json!({ "categories": list }), remarks)
}

/// The tags of one category.
fn list_tags_of(library: &Library, wanted: &str, limit: &ResultLimit) -> Value {
    library.refresh(MAX_SCAN_AGE);
    let known = tag_categories().find(|name| name.eq_ignore_ascii_case(wanted));
    let Some(known) = known else {
        let wanted = excerpt(wanted);
        let detail = format!(
            "there is no category {wanted}: there are {}. Those of a running Live's browser are not on this host",
            tag_categories().collect::<Vec<_>>().join(", ")
        );
        return json!({ "category": wanted, "tags": [], "detail": detail });
    };
    let tags: Vec<(String, usize)> = library.with_searcher(|searcher| searcher.tag_counts());
    let tags: Vec<(String, usize)> = tags.into_iter().filter(|(tag, _)| tag_category(tag) == known).collect();
    let mut remarks = index_remarks(library, tags.is_empty(), library.is_scanning());
    let tags = tag_list(tags.into_iter(), limit, &mut remarks);
    with_detail(json!({ "category": known, "tags": tags }), remarks)
}

/// Folders are listed only where the user said so.
fn check_folder(library: &Library, search: &SearchRequest, place: &str) -> Result<(), ToolError> {
    match &search.filter.in_folder {
        Some(folder) if !library.contains_folder(folder) => Err(ToolError::new(format!(
            "{place}inFolder: \"{}\" lies outside the sample folder and the other allowed folders (settings sampleFolder and \
             allowedFolders)",
            folder.display()
        ))),
        _ => Ok(()),
    }
}

/// The first tags with their counts; remarks say what was left out.
fn tag_list(
    tags: impl ExactSizeIterator<Item = (String, usize)>,
    limit: &ResultLimit,
    remarks: &mut Vec<String>,
) -> Vec<Value> {
    remarks.extend(limit.remark.clone());
    let total = tags.len();
    if total > limit.most {
        remarks.push(format!("{} of {total} are shown; raise limit for more", limit.most));
    }
    tags.take(limit.most).map(|(name, count)| json!({ "name": name, "count": count })).collect()
}
