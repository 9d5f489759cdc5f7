//! The `info` text of an object, in Live's layout: one line an item, sections in order, names sorted inside a section.

use super::check::Asker;
use super::class::{self, Access, Class};
use super::error::ModelError;
use super::id::ObjectId;
use super::model::ObjectModel;
use std::fmt::Write;

/// Names of the children and child lists that this very object has and the raw tool reaches, in the table's order.
pub fn children<M: ObjectModel + ?Sized>(model: &M, id: ObjectId) -> Result<Vec<&'static str>, ModelError> {
    let Some(class) = model.class_of(id)?.filter(|class| !lists_nothing(class)) else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for (name, child) in &class.children {
        if Asker::Raw.may_reach(child.reach) && has(model, id, name)? {
            names.push(name.as_str());
        }
    }
    Ok(names)
}

/// Whether the raw tool can read that member of the object.
fn has<M: ObjectModel + ?Sized>(model: &M, id: ObjectId, member: &str) -> Result<bool, ModelError> {
    match model.get_as(Asker::Raw, id, member) {
        Ok(_) => Ok(true),
        Err(error) if error.ends_call() => Err(error),
        Err(_) => Ok(false),
    }
}

/// The text for an object that exists; `No object` for one that does not.
pub fn info<M: ObjectModel + ?Sized>(model: &M, id: ObjectId) -> Result<String, ModelError> {
    let Some(class) = model.class_of(id)? else { return Ok("No object".to_owned()) };
    let mut text = format!("id {id}\ntype {}\ndescription {}\n", class.type_name, description(class));
    let mut lists = Vec::new();
    let mut singles = Vec::new();
    for name in children(model, id)? {
        if let Some(child) = class.children.get(name) {
            let section = if child.list { &mut lists } else { &mut singles };
            // The name that objects call themselves: every view is a `View`.
            let declared = class::class(&child.class);
            // A parent may be of several classes: the one that is there is told.
            let of = match declared {
                Some(declared) => Some(declared),
                None => match model.child_at(id, name, 0)? {
                    Some(own) => model.class_of(own)?,
                    None => None,
                },
            };
            section.push((name, of.map_or(child.class.as_str(), |class| class.type_name.as_str())));
        }
    }
    let mut properties = Vec::new();
    for (name, p) in class.properties.iter().filter(|_| !lists_nothing(class)) {
        if Asker::Raw.may_reach(p.reach) && p.access != Access::ObserveOnly && has(model, id, name)? {
            properties.push((name.as_str(), p.kind.info_name()));
        }
    }
    let mut functions: Vec<_> = class
        .functions
        .iter()
        .filter(|(_, f)| Asker::Raw.may_reach(f.reach) && !lists_nothing(class))
        .map(|(name, _)| name.as_str())
        .collect();
    lists.sort_unstable();
    singles.sort_unstable();
    properties.sort_unstable();
    functions.sort_unstable();
    // Writing into a String cannot fail.
    for (name, of) in lists {
        let _ = writeln!(text, "children {name} {of}");
    }
    for (name, of) in singles {
        let _ = writeln!(text, "child {name} {of}");
    }
    for (name, kind) in properties {
        let _ = writeln!(text, "property {name} {kind}");
    }
    for name in functions {
        let _ = writeln!(text, "function {name}");
    }
    text.push_str("done");
    Ok(text)
}

/// Live lists no member at all of a CC Control, though those of every device can be read and written.
fn lists_nothing(class: &Class) -> bool {
    class.name == "CcControlDevice"
}

fn description(class: &Class) -> String {
    let what = match class.name.as_str() {
        "Application" => "The program that holds the Set.",
        "Song" => "The Set: transport, tracks, scenes and what belongs to all of them.",
        "Track" => "A track: MIDI, audio, group, return or main.",
        "ClipSlot" => "One cell of the Session grid; holds a clip or nothing.",
        "Clip" => "A MIDI or audio clip in the Session or the Arrangement.",
        "Scene" => "A row of the Session grid.",
        "MixerDevice" => "The strip of a track: volume, panning, sends.",
        "DeviceParameter" => "One automatable value of a device or a mixer.",
        name if name.ends_with(".View") => return format!("How the {} is shown.", name.trim_end_matches(".View")),
        _ => return format!("A {}.", class.type_name),
    };
    what.to_owned()
}
