//! Which plug-ins are installed.

use super::request::PluginSearch;
use super::result_json::with_detail;
use crate::library::plugins::{self, InstalledPlugin};
use serde_json::{Value, json};

/// The installed plug-ins that fit.
pub fn list_plugins(wanted: &PluginSearch) -> Value {
    let mut remarks: Vec<String> = wanted.limit.remark.clone().into_iter().collect();
    if let Some(format @ ("VST" | "AU")) = wanted.format.as_deref() {
        remarks.insert(0, format!("{format} plug-ins are not listed on this host; VST3 and CLAP ones are"));
        return with_detail(json!({ "plugins": [] }), remarks);
    }
    let all = plugins::installed(&plugins::standard_folders());
    let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let has_part = |text: Option<&String>, part: &str| part.is_empty() || text.is_some_and(|text| has(text, part));
    let fits = |plugin: &&InstalledPlugin| {
        has(&plugin.name, &wanted.query)
            && has_part(plugin.vendor.as_ref(), &wanted.vendor)
            && (wanted.subcategory.is_empty() || plugin.subcategories.iter().any(|sub| has(sub, &wanted.subcategory)))
            && wanted.format.as_ref().is_none_or(|format| *format == plugin.format)
            && wanted.category.is_none_or(|category| plugin.category.as_deref() == Some(category))
    };
    let found: Vec<&InstalledPlugin> = all.iter().filter(fits).collect();
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
