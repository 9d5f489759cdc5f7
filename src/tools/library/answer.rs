//! Asking the library, and the answer.

use super::request::{Action, Limit, Plugins, Request, Search};
use crate::library::kind::Kind;
use crate::library::plugins::{self, Plugin};
use crate::library::{Hit, Hits, Library, Match, categories, category};
use crate::music::text::counted;
use crate::tools::error::ToolError;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Duration;

/// A look for changed files that is younger than this is good enough.
const FRESH: Duration = Duration::from_secs(5);
/// How long a search that found nothing waits for a look for files that have just come.
const LOOK_AT_MOST: Duration = Duration::from_millis(500);

pub fn answer(request: &Request, library: &Library) -> Result<Value, ToolError> {
    match &request.action {
        Action::Search(search) => {
            check_folder(library, search, "")?;
            let result = searched(library, search, &mut None);
            library.refresh(FRESH);
            Ok(Value::Object(result))
        }
        Action::Searches(list) => {
            for (at, (_, search)) in list.iter().enumerate() {
                check_folder(library, search, &format!("searches[{at}]."))?;
            }
            let mut looked = None;
            let results: Vec<Value> = list
                .iter()
                .map(|(label, search)| {
                    let mut result = searched(library, search, &mut looked);
                    result.shift_remove("dbAvailable");
                    let mut labelled = Map::new();
                    labelled.insert("label".to_owned(), json!(label));
                    labelled.append(&mut result);
                    Value::Object(labelled)
                })
                .collect();
            library.refresh(FRESH);
            let mut result = Map::new();
            result.insert("results".to_owned(), json!(results));
            if list.iter().any(|(_, search)| search.of_live) {
                result.insert("dbAvailable".to_owned(), json!(false));
            }
            Ok(Value::Object(result))
        }
        Action::ListTags(limit) => {
            library.refresh(FRESH);
            let tags = library.ask(|ask| ask.tags());
            let mut remarks = state(library, tags.is_empty(), library.is_looking());
            let tags = tag_list(tags.into_iter(), limit, &mut remarks);
            Ok(with_detail(json!({ "tags": tags }), remarks))
        }
        Action::ListCategories(None, limit) => {
            library.refresh(FRESH);
            let counts = library.ask(|ask| ask.categories());
            let mut remarks = state(library, counts.is_empty(), library.is_looking());
            remarks.push(
                "these are categories of tags; those of a running Live's browser are not on this host".to_owned(),
            );
            let counts = counts.into_iter().map(|(name, count)| (name.to_owned(), count));
            let list = tag_list(counts, limit, &mut remarks);
            Ok(with_detail(json!({ "categories": list }), remarks))
        }
        Action::ListCategories(Some(wanted), limit) => {
            library.refresh(FRESH);
            let known = categories().find(|name| name.eq_ignore_ascii_case(wanted));
            let Some(known) = known else {
                let detail = format!(
                    "there is no category {wanted}: there are {}. Those of a running Live's browser are not on this host",
                    categories().collect::<Vec<_>>().join(", ")
                );
                return Ok(json!({ "category": wanted, "tags": [], "detail": detail }));
            };
            let tags: Vec<(String, usize)> = library.ask(|ask| ask.tags());
            let tags: Vec<(String, usize)> = tags.into_iter().filter(|(tag, _)| category(tag) == known).collect();
            let mut remarks = state(library, tags.is_empty(), library.is_looking());
            let tags = tag_list(tags.into_iter(), limit, &mut remarks);
            Ok(with_detail(json!({ "category": known, "tags": tags }), remarks))
        }
        Action::ListPlugins(wanted) => Ok(list_plugins(wanted)),
        Action::FindSimilar(seed, search) => {
            check_folder(library, search, "")?;
            Ok(find_similar(library, seed, search))
        }
        Action::FindDuplicates(search) => {
            check_folder(library, search, "")?;
            Ok(find_duplicates(library, search))
        }
    }
}

/// Folders are listed only where the user said so.
fn check_folder(library: &Library, search: &Search, place: &str) -> Result<(), ToolError> {
    match &search.filter.in_folder {
        Some(folder) if !library.holds(folder) => Err(ToolError::new(format!(
            "{place}inFolder: \"{}\" lies outside the sample folder and the other allowed folders (settings sampleFolder and \
             allowedFolders)",
            folder.display()
        ))),
        _ => Ok(()),
    }
}

/// `looked` is whether the call's look for files was done in time, if it had one.
fn searched(library: &Library, search: &Search, looked: &mut Option<bool>) -> Map<String, Value> {
    let mut remarks = search.remarks.clone();
    let mut result = Map::new();
    remarks.extend(search.limit.remark.clone());
    if let Some(nothing) = search.nothing {
        remarks.insert(0, nothing.to_owned());
        result.insert("items".to_owned(), json!([]));
    } else {
        let hits = fresh(library, search, looked);
        let items: Vec<Value> = hits.items.iter().map(|hit| item(hit, search.verify_paths)).collect();
        remarks.extend(understood(&hits, &search.filter.query));
        if hits.total > items.len() {
            remarks.push(format!("{} of {} are shown; narrow the search or raise limit", items.len(), hits.total));
        }
        let no_folder = items.is_empty().then(|| no_folder(library, search)).flatten();
        let unsure = *looked == Some(false);
        remarks.extend(state(library, items.is_empty() && no_folder.is_none(), unsure));
        remarks.extend(no_folder);
        if search.filter.kind == Kind::Preset {
            remarks.push(
                "these are files in the sample folders; svc-create-device without device lists the device presets"
                    .to_owned(),
            );
        }
        result.insert("items".to_owned(), json!(items));
    }
    if search.of_live {
        result.insert("dbAvailable".to_owned(), json!(false));
    }
    add_detail(&mut result, remarks);
    result
}

/// Searches; when no name fits, once more after a look for files that have just come. One look serves all searches of a call.
fn fresh(library: &Library, search: &Search, looked: &mut Option<bool>) -> Hits {
    let ask = || library.ask(|ask| ask.search(&search.filter, search.sort, search.limit.most));
    let hits = ask();
    if looked.is_some() || (!hits.items.is_empty() && hits.how == Match::Name) {
        return hits;
    }
    *looked = Some(library.look(LOOK_AT_MOST));
    ask()
}

/// That the folder to search in is not there. The disk is asked only for what the index does not know.
fn no_folder(library: &Library, search: &Search) -> Option<String> {
    let folder = search.filter.in_folder.as_ref()?;
    let known = library.ask(|ask| ask.record(folder).is_some_and(|record| record.kind == Kind::Folder));
    (!known && !folder.is_dir()).then(|| format!("there is no folder {}", folder.display()))
}

/// What to say when a query was not taken by the letter.
fn understood(hits: &Hits, query: &str) -> Option<String> {
    match hits.how {
        _ if hits.items.is_empty() => None,
        Match::Name => None,
        Match::Words => Some(format!(
            "no name holds \"{query}\"; these have its words, or others for them, in name, folder and tags"
        )),
        Match::Near => Some(format!("nothing holds \"{query}\"; these come nearest")),
    }
}

/// What to say of the index: how far it is, and why there may be nothing; `unsure` when there may be files that it does not know.
fn state(library: &Library, empty: bool, unsure: bool) -> Vec<String> {
    let progress = library.progress();
    let mut remarks = Vec::new();
    if let Some(told) = progress.told() {
        remarks.push(format!("the index is not complete yet ({told}); ask again for the rest"));
    }
    if empty && unsure && progress.is_complete() {
        remarks.push("a fresh look for files is under way; ask again in a moment".to_owned());
    }
    if progress.cut {
        remarks.push(format!("the folders hold more than the {} files that are indexed", progress.found));
    }
    if empty {
        let roots = library.roots();
        if roots.is_empty() {
            remarks.push(
                "no folder is indexed: name the folder of your samples in the device's window (Setup, Sample folder) or with POST \
                 /config {\"sampleFolder\": \"/…\"}"
                    .to_owned(),
            );
        } else if roots.iter().all(|root| progress.closed.contains(&root.path)) {
            remarks.push(
                "the sample folder cannot be listed; is it there? (settings sampleFolder and allowedFolders)"
                    .to_owned(),
            );
        } else if progress.is_complete() {
            let broken = match progress.broken {
                0 => String::new(),
                1 => "; 1 audio file that cannot be read is left out".to_owned(),
                count => format!("; {count} audio files that cannot be read are left out"),
            };
            remarks.push(format!("nothing fits among {} files and folders{broken}", progress.found));
        }
    }
    remarks
}

fn tag_list(
    tags: impl ExactSizeIterator<Item = (String, usize)>,
    limit: &Limit,
    remarks: &mut Vec<String>,
) -> Vec<Value> {
    remarks.extend(limit.remark.clone());
    let total = tags.len();
    if total > limit.most {
        remarks.push(format!("{} of {total} are shown; raise limit for more", limit.most));
    }
    tags.take(limit.most).map(|(name, count)| json!({ "name": name, "count": count })).collect()
}

fn item(hit: &Hit, verify: bool) -> Value {
    let record = &hit.record;
    let mut item = Map::new();
    let mut put = |name: &str, value: Value| item.insert(name.to_owned(), value);
    put("name", json!(record.name));
    put("path", json!(record.path.to_string_lossy()));
    put("kind", json!(record.kind.name()));
    if let Some(playback) = record.playback {
        put("type", json!(playback.name()));
    }
    put("tags", json!(record.tags));
    put("useCount", json!(hit.uses));
    put("source", json!(record.source.name()));
    if !record.folder.is_empty() {
        put("folder", json!(record.folder));
    }
    if verify {
        put("pathExists", json!(record.path.exists()));
    }
    if record.odd_name {
        put("detail", json!("the path is not Unicode and cannot be sent back; rename the file to use it"));
    }
    Value::Object(item)
}

fn find_similar(library: &Library, seed: &Path, search: &Search) -> Value {
    let mut remarks = search.remarks.clone();
    remarks.extend(search.limit.remark.clone());
    library.refresh(FRESH);
    let found = seed.is_file();
    let print = if found { library.print_of(seed) } else { None };
    let empty = |why: &str, mut remarks: Vec<String>| {
        remarks.insert(0, why.to_owned());
        with_detail(json!({ "seed": { "path": seed.to_string_lossy(), "found": found }, "items": [] }), remarks)
    };
    let print = match print {
        _ if !found => return empty("there is no such file", remarks),
        None => {
            return empty("the file is no audio that can be read (WAV, AIFF, FLAC, MP3 and Ogg Vorbis can)", remarks);
        }
        Some(None) => return empty("the file is silent; nothing sounds like it", remarks),
        Some(Some(print)) => print,
    };
    if let Some(nothing) = search.nothing {
        return empty(nothing, remarks);
    }
    if search.filter.kind != Kind::Audio {
        return empty("only audio files can sound alike; leave out kind", remarks);
    }
    let near = library.ask(|ask| ask.similar(&print, seed, &search.filter, search.limit.most));
    let items: Vec<Value> = near
        .iter()
        .map(|(hit, near)| {
            let mut item = item(hit, false);
            item["similarity"] = json!((f64::from(*near) * 1000.0).round() / 1000.0);
            item
        })
        .collect();
    remarks.extend(state(library, items.is_empty(), library.is_looking()));
    with_detail(json!({ "seed": { "path": seed.to_string_lossy(), "found": true }, "items": items }), remarks)
}

fn find_duplicates(library: &Library, search: &Search) -> Value {
    let mut remarks = search.remarks.clone();
    remarks.extend(search.limit.remark.clone());
    library.refresh(FRESH);
    let nothing = search
        .nothing
        .or((search.filter.kind != Kind::Audio).then_some("only audio files are compared; leave out kind"));
    if let Some(nothing) = nothing {
        remarks.insert(0, nothing.to_owned());
        return with_detail(json!({ "groups": [] }), remarks);
    }
    let (groups, total) = library.ask(|ask| ask.duplicates(&search.filter, search.limit.most));
    if total > groups.len() {
        remarks.push(format!("{} of {total} groups are shown; raise limit for more", groups.len()));
    }
    let groups: Vec<Value> = groups
        .iter()
        .map(|group| json!({ "count": group.len(), "items": group.iter().map(|hit| item(hit, false)).collect::<Vec<_>>() }))
        .collect();
    // Those that the filter holds were compared, and no others.
    let compared = if groups.is_empty() { library.ask(|ask| ask.search(&search.filter, None, 0).total) } else { 0 };
    let no_folder = (groups.is_empty() && compared == 0).then(|| no_folder(library, search)).flatten();
    let nothing_fits = groups.is_empty() && compared == 0 && no_folder.is_none();
    remarks.extend(state(library, nothing_fits, library.is_looking()));
    remarks.extend(no_folder);
    if compared > 0 {
        remarks.push(format!(
            "among those that the filter holds ({}), no two sound the same",
            counted(compared, "audio file")
        ));
    }
    with_detail(json!({ "groups": groups }), remarks)
}

fn list_plugins(wanted: &Plugins) -> Value {
    let mut remarks: Vec<String> = wanted.limit.remark.clone().into_iter().collect();
    if let Some(format @ ("VST" | "AU")) = wanted.format.as_deref() {
        remarks.insert(0, format!("{format} plug-ins are not listed on this host; VST3 and CLAP ones are"));
        return with_detail(json!({ "plugins": [] }), remarks);
    }
    let all = plugins::installed(&plugins::standard_folders());
    let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let has_part = |text: Option<&String>, part: &str| part.is_empty() || text.is_some_and(|text| has(text, part));
    let fits = |plugin: &&Plugin| {
        has(&plugin.name, &wanted.query)
            && has_part(plugin.vendor.as_ref(), &wanted.vendor)
            && (wanted.subcategory.is_empty() || plugin.subcategories.iter().any(|sub| has(sub, &wanted.subcategory)))
            && wanted.format.as_ref().is_none_or(|format| *format == plugin.format)
            && wanted.category.is_none_or(|category| plugin.category.as_deref() == Some(category))
    };
    let found: Vec<&Plugin> = all.iter().filter(fits).collect();
    if found.len() > wanted.limit.most {
        remarks.push(format!("{} of {} are shown; raise limit for more", wanted.limit.most, found.len()));
    }
    let silent = all.iter().filter(|plugin| plugin.vendor.is_none() && plugin.category.is_none()).count();
    let narrowed = wanted.category.is_some() || !wanted.vendor.is_empty() || !wanted.subcategory.is_empty();
    if silent > 0 && narrowed {
        remarks.push(format!(
            "{silent} installed plug-ins have no description to filter by; nothing is loaded to find out"
        ));
    }
    if found.is_empty() && silent == 0 {
        remarks.push(format!("{} plug-ins are installed in the standard folders; none fits", all.len()));
    }
    let list: Vec<Value> = found
        .iter()
        .take(wanted.limit.most)
        .map(|plugin| {
            json!({
                "name": plugin.name,
                "vendor": plugin.vendor,
                "version": plugin.version,
                "format": plugin.format,
                "category": plugin.category,
                "subcategories": plugin.subcategories,
            })
        })
        .collect();
    with_detail(json!({ "plugins": list }), remarks)
}

fn with_detail(mut result: Value, remarks: Vec<String>) -> Value {
    if let Some(result) = result.as_object_mut() {
        add_detail(result, remarks);
    }
    result
}

fn add_detail(result: &mut Map<String, Value>, remarks: Vec<String>) {
    if !remarks.is_empty() {
        result.insert("detail".to_owned(), json!(remarks.join("; ")));
    }
}
