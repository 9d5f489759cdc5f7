//! The answer of a bulk read: tables of objects of one class, with a column for each member that was read.

use super::known::{Known, KnownObject, sorted};
use super::wire_value::note_from_row;
use crate::object_model::ObjectId;
use serde_json::{Map, Value as Json};
use std::collections::HashMap;

/// Objects of one class of which one shape was read.
struct Table {
    of: Vec<ObjectId>,
    told: Map<String, Json>,
    /// By member and object: why it has no place in its column.
    left_out: Map<String, Json>,
}

/// Child lists of the answer: by the object and the list's name.
type Lists = HashMap<(ObjectId, String), Vec<ObjectId>>;

impl Known {
    /// Takes in the answer of a bulk read. Gives the highest id.
    pub fn take_read(&mut self, mut answer: Map<String, Json>) -> u64 {
        if let Some(Json::Object(roots)) = answer.remove("roots") {
            let found = roots.into_iter().filter_map(|(name, id)| Some((name, ObjectId(id.as_u64()?))));
            self.roots.extend(found);
        }
        if let Some(Json::Object(facts)) = answer.remove("facts") {
            self.facts = facts;
        }
        let told = match answer.remove("tables") {
            Some(Json::Array(tables)) => tables,
            _ => Vec::new(),
        };
        let (mut lists, mut moved) = (Lists::new(), Vec::new());
        let mut tables = Vec::with_capacity(told.len());
        for told in told {
            if let Some(table) = Table::new(told, &lists) {
                table.note_lists(&mut lists);
                self.take_places(&table, &mut moved);
                tables.push(table);
            }
        }
        // Before the lists of this answer are taken in, which have the order of now.
        moved.iter().for_each(|path| self.forget_order_around(path));
        let highest = tables.iter().flat_map(|table| &table.of).chain(lists.values().flatten()).map(|id| id.0).max();
        tables.into_iter().for_each(|table| self.take_columns(table));
        highest.unwrap_or_default()
    }

    /// Where the children stand of which a table says that they are in their place.
    fn take_places(&mut self, table: &Table, moved: &mut Vec<String>) {
        let Some(places) = table.told.get("places").and_then(Json::as_object) else { return };
        for (name, classes) in places {
            let Some(column) = table.told.get("children").and_then(|children| children.get(name)) else { continue };
            let mut each = classes.as_array().map(|classes| classes.iter());
            for (parent, children) in table.of.iter().zip(column.as_array().map(Vec::as_slice).unwrap_or_default()) {
                let above = self.path_of(*parent).map(|path| format!("{path} {name}"));
                let single = std::slice::from_ref(children);
                let is_list = children.is_array();
                let children = children.as_array().map_or(single, Vec::as_slice);
                for (at, child) in children.iter().filter_map(id).enumerate() {
                    let class = match &mut each {
                        Some(each) => each.next().and_then(Json::as_str),
                        None => classes.as_str(),
                    };
                    let path = match &above {
                        Some(above) if is_list => format!("{above} {at}"),
                        Some(above) => above.clone(),
                        None => String::new(),
                    };
                    self.place(child, class.unwrap_or_default(), path, moved);
                }
            }
        }
    }

    fn take_columns(&mut self, mut table: Table) {
        for (name, column) in table.columns("get") {
            for (id, value) in table.pairs(&name, column) {
                self.entry(id).read.insert(name.clone(), value);
            }
        }
        for (name, column) in table.columns("count") {
            for (id, value) in table.pairs(&name, column) {
                self.entry(id).counts.insert(name.clone(), value);
            }
        }
        for (name, column) in table.columns("children") {
            for (id, value) in table.pairs(&name, column) {
                let ids = match value {
                    Json::Array(ids) => ids,
                    single => Some(single).filter(|id| id.as_u64() != Some(0)).into_iter().collect(),
                };
                self.entry(id).children.insert(name.clone(), Json::Array(ids));
            }
        }
        for (name, tracks) in table.columns("rows") {
            self.take_rows(&table.of, &name, &tracks);
        }
        for (name, whys) in &table.left_out {
            for (id, why) in whys.as_object().into_iter().flatten().filter(|(_, why)| why.is_string()) {
                if let Ok(id) = id.parse() {
                    self.entry(ObjectId(id)).refused.insert(name.clone(), why.clone());
                }
            }
        }
        let (notes, display) = (table.column("notes"), table.column("display"));
        for (id, rows) in table.of.iter().zip(notes) {
            if let Json::Array(rows) = rows {
                self.entry(*id).notes = Some(sorted(rows.iter().filter_map(note_from_row).collect()));
            }
        }
        for (id, display) in table.of.iter().zip(display) {
            self.entry(*id).display = Some(display);
        }
    }

    /// Lists of scenes that are the rows of lists of those tracks.
    fn take_rows(&mut self, scenes: &[ObjectId], name: &str, tracks: &[Json]) {
        for scene in scenes {
            let place = self.path_of(*scene).and_then(|path| path.rsplit(' ').next()?.parse::<usize>().ok());
            let row = tracks.iter().filter_map(id).filter_map(|track| {
                let column = self.objects.get(&track)?.children.get(name)?;
                Some(column.get(place?)?.clone())
            });
            let row = row.collect();
            self.entry(*scene).children.insert(name.to_owned(), row);
        }
    }

    fn entry(&mut self, id: ObjectId) -> &mut KnownObject {
        self.objects.entry(id).or_default()
    }
}

impl Table {
    /// `lists` are those of the tables before it.
    fn new(told: Json, lists: &Lists) -> Option<Table> {
        let Json::Object(mut told) = told else { return None };
        let of = match told.remove("of")? {
            Json::Array(ids) => ids.iter().filter_map(id).collect(),
            stretch => stretch_of(&stretch, lists)?,
        };
        let left_out = match told.remove("left_out") {
            Some(Json::Object(left_out)) => left_out,
            _ => Map::new(),
        };
        Some(Table { of, told, left_out })
    }

    fn note_lists(&self, lists: &mut Lists) {
        for (name, column) in self.told.get("children").and_then(Json::as_object).into_iter().flatten() {
            for (of, children) in self.of.iter().zip(column.as_array().into_iter().flatten()) {
                if let Some(children) = children.as_array() {
                    lists.insert((*of, name.clone()), children.iter().filter_map(id).collect());
                } else if let Some(child) = id(children) {
                    lists.insert((*of, name.clone()), vec![child]);
                }
            }
        }
    }

    /// The columns of a part, by the names of members.
    fn columns(&mut self, part: &str) -> Vec<(String, Vec<Json>)> {
        let Some(Json::Object(columns)) = self.told.remove(part) else { return Vec::new() };
        let columns = columns.into_iter().filter_map(|(name, column)| match column {
            Json::Array(column) => Some((name, column)),
            _ => None,
        });
        columns.collect()
    }

    /// A column that stands for itself.
    fn column(&mut self, part: &str) -> Vec<Json> {
        match self.told.remove(part) {
            Some(Json::Array(column)) => column,
            _ => Vec::new(),
        }
    }

    /// Each object with its value, but for those that have none.
    fn pairs<'a>(&'a self, name: &str, column: Vec<Json>) -> impl Iterator<Item = (ObjectId, Json)> + use<'a> {
        let left_out = self.left_out.get(name).and_then(Json::as_object);
        let is_there = move |id: &ObjectId| left_out.is_none_or(|left_out| !left_out.contains_key(&id.0.to_string()));
        self.of.iter().copied().zip(column).filter(move |(id, _)| is_there(id))
    }
}

/// The objects of a stretch of child lists, one behind the other.
fn stretch_of(told: &Json, lists: &Lists) -> Option<Vec<ObjectId>> {
    let number = |name: &str| told.get(name)?.as_u64().and_then(|number| usize::try_from(number).ok());
    let name = told.get("name")?.as_str()?;
    let parents = told.get("lists")?.as_array()?.iter().filter_map(id);
    let of = parents.filter_map(|parent| lists.get(&(parent, name.to_owned()))).flatten().copied();
    Some(of.skip(number("from")?).take(number("count")?).collect())
}

fn id(told: &Json) -> Option<ObjectId> {
    told.as_u64().filter(|id| *id > 0).map(ObjectId)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::Value;
    use serde_json::json;

    fn taken(tables: Json) -> Known {
        let mut known = Known::default();
        let mut answer = json!({
            "objects": { "1": ["Song", "live_set"] }, "roots": { "live_set": 1 }, "tables": tables,
        });
        known.tell(answer.as_object_mut().expect("an object"));
        let Json::Object(answer) = answer else { return known };
        assert_eq!(known.take_read(answer), 9);
        known
    }

    fn ids(ids: &[u64]) -> Option<Vec<ObjectId>> {
        Some(ids.iter().copied().map(ObjectId).collect())
    }

    #[test]
    fn a_table_is_taken_object_by_object() {
        let known = taken(json!([
            { "of": [1], "get": { "tempo": [120.0] }, "count": { "cue_points": [2] },
              "children": { "tracks": [[2, 3]], "scenes": [[8, 9]], "master_track": [4] },
              "places": { "tracks": "Track", "scenes": "Scene", "master_track": "Track" } },
            { "of": { "lists": [1], "name": "tracks", "from": 0, "count": 2 },
              "get": { "name": ["A", "B"], "arm": [true, null] },
              "children": { "clip_slots": [[5, 6], [7, 4]], "group_track": [0, 2] },
              "places": { "clip_slots": ["ClipSlot", "ClipSlot", "ClipSlot", "Track"] },
              "left_out": { "arm": { "3": "no arm" }, "group_track": { "2": null } } },
            { "of": [8, 9], "rows": { "clip_slots": [2, 3] } },
            { "of": { "lists": [2, 3], "name": "clip_slots", "from": 1, "count": 2 }, "get": { "has_clip": [true, false] } },
        ]));
        let value = |id, name| known.value(ObjectId(id), name, None);
        assert_eq!(
            (value(2, "name"), value(3, "name")),
            (Some(Value::Text("A".into())), Some(Value::Text("B".into())))
        );
        assert_eq!((value(2, "arm"), value(3, "arm")), (Some(Value::Bool(true)), None));
        assert_eq!(known.refusal(ObjectId(3), "arm"), Some("no arm"));
        assert_eq!(known.refusal(ObjectId(2), "group_track"), None);
        assert_eq!(known.children(ObjectId(2), "group_track"), None);
        assert_eq!(known.children(ObjectId(3), "group_track"), ids(&[2]));
        assert_eq!(known.children(ObjectId(1), "master_track"), ids(&[4]));
        assert_eq!(known.count(ObjectId(1), "cue_points"), Some(2));
        assert_eq!(known.children(ObjectId(8), "clip_slots"), ids(&[5, 7]));
        assert_eq!(known.children(ObjectId(9), "clip_slots"), ids(&[6, 4]));
        assert_eq!(known.path_of(ObjectId(7)), Some("live_set tracks 1 clip_slots 0"));
        assert_eq!(known.path_of(ObjectId(9)), Some("live_set scenes 1"));
        assert_eq!(known.kind_of(ObjectId(4)).map(|class| class.name.as_str()), Some("Track"));
        assert_eq!((value(6, "has_clip"), value(7, "has_clip")), (Some(Value::Bool(true)), Some(Value::Bool(false))));
        assert_eq!(value(5, "has_clip"), None);
    }

    #[test]
    fn what_is_no_table_is_passed_over() {
        let mut known = Known::default();
        for tables in [
            json!(null),
            json!([5, {}, { "of": 5 }, { "of": { "lists": [1], "name": "tracks" } }]),
            json!([{ "of": [1], "get": 5, "places": { "tracks": 5 }, "rows": { "clip_slots": [7] }, "notes": 5 }]),
            json!([{ "of": [1], "children": { "tracks": 5 }, "places": { "tracks": "Track" }, "left_out": { "a": 5 } }]),
        ] {
            let Json::Object(answer) = json!({ "tables": tables }) else { continue };
            known.take_read(answer);
        }
        assert_eq!(known.path_of(ObjectId(1)), None);
    }
}
