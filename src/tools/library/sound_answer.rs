//! What sounds alike, and what sounds the same.

use super::remarks::{index_remarks, missing_folder_remark};
use super::result_json::{hit_json, with_detail};
use super::search_request::SearchRequest;
use crate::files::spellings::spelled_as_there;
use crate::library::Library;
use crate::library::kind::ContentKind;
use crate::music::excerpt::long_excerpt;
use crate::music::text::counted;
use crate::paths::{AllowedFolders, NOT_TOLD};
use crate::tools::budget::Budget;
use serde_json::{Value, json};
use std::path::Path;

/// Files that sound most like the one at `seed`.
pub fn find_similar(library: &Library, seed: &Path, search: &SearchRequest, budget: &Budget) -> Value {
    let mut remarks = search.remarks.clone();
    remarks.extend(search.limit.remark.clone());
    let folders = AllowedFolders::new(library.folders().into_iter().map(|root| root.path));
    let may_ask = folders.may_ask(seed);
    let there = if may_ask { spelled_as_there(seed) } else { seed.into() };
    let is_there = may_ask && there.is_file();
    let (asked, seed) = (seed, &*there);
    let fingerprint = if is_there { library.fingerprint_of(seed, &|| budget.is_over()) } else { Ok(None) };
    // Of other files it is not told either whether they are there.
    let is_told = folders.holds(asked) || folders.holds(seed);
    let found = is_there && (is_told || fingerprint.is_ok());
    let empty = |why: &str, mut remarks: Vec<String>| {
        remarks.insert(0, why.to_owned());
        // A path that leads nowhere may have any length.
        let path = if found { seed.to_string_lossy().into_owned() } else { long_excerpt(&seed.to_string_lossy()) };
        with_detail(json!({ "seed": { "path": path, "found": found }, "items": [] }), remarks)
    };
    let fingerprint = match fingerprint {
        _ if !found && !is_told => return empty(NOT_TOLD, remarks),
        _ if !found => return empty("there is no such file", remarks),
        Err(why) => return empty(&format!("the file cannot be read: {why}"), remarks),
        Ok(None) => return empty("the file is silent; nothing sounds like it", remarks),
        Ok(Some(fingerprint)) => fingerprint,
    };
    if let Some(impossible) = search.impossible {
        return empty(impossible, remarks);
    }
    if search.filter.kind != ContentKind::Audio {
        return empty("only audio files can sound alike; leave out kind", remarks);
    }
    let near =
        library.with_searcher(|searcher| searcher.similar(&fingerprint, seed, &search.filter, search.limit.most));
    let items: Vec<Value> = near
        .iter()
        .map(|(hit, near)| {
            let mut item = hit_json(hit, false);
            item["similarity"] = json!((f64::from(*near) * 1000.0).round() / 1000.0);
            item
        })
        .collect();
    remarks.extend(index_remarks(library, items.is_empty(), library.is_scanning()));
    with_detail(json!({ "seed": { "path": seed.to_string_lossy(), "found": true }, "items": items }), remarks)
}

/// Groups of files with the same sound.
pub fn find_duplicates(library: &Library, search: &SearchRequest) -> Value {
    let mut remarks = search.remarks.clone();
    remarks.extend(search.limit.remark.clone());
    let impossible = search
        .impossible
        .or((search.filter.kind != ContentKind::Audio).then_some("only audio files are compared; leave out kind"));
    if let Some(impossible) = impossible {
        remarks.insert(0, impossible.to_owned());
        return with_detail(json!({ "groups": [] }), remarks);
    }
    let (groups, total) = library.with_searcher(|searcher| searcher.duplicates(&search.filter, search.limit.most));
    if total > groups.len() {
        remarks.push(format!("{} of {total} groups are shown; raise limit for more", groups.len()));
    }
    let groups: Vec<Value> = groups
        .iter()
        .map(|group| json!({ "count": group.len(), "items": group.iter().map(|hit| hit_json(hit, false)).collect::<Vec<_>>() }))
        .collect();
    // Only what the filter holds was compared.
    let compared = if groups.is_empty() {
        library.with_searcher(|searcher| searcher.search(&search.filter, None, 0).total)
    } else {
        0
    };
    let no_folder = (groups.is_empty() && compared == 0).then(|| missing_folder_remark(library, search)).flatten();
    let nothing_fits = groups.is_empty() && compared == 0 && no_folder.is_none();
    remarks.extend(index_remarks(library, nothing_fits, library.is_scanning()));
    remarks.extend(no_folder);
    if compared > 0 {
        remarks.push(format!(
            "among those that the filter holds ({}), no two sound the same",
            counted(compared, "audio file")
        ));
    }
    with_detail(json!({ "groups": groups }), remarks)
}
