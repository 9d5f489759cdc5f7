//! Writing out what was gathered: as text at once, or as a value where the caller needs one. See D54 in
//! `docs/decisions.md`.
//!
//! What repeats is written once: an object that is named again, and the same notes in several clips.

use crate::music::Note;
use crate::notation::{self, Notation};
use crate::picture;
use crate::tools::answer_size;
use crate::tools::answer_text::{AnswerResult, Format, TextWriter};
use crate::tools::budget::{Budget, MAX_ANSWER_BYTES};
use crate::tools::read::gathered::{Field, Gathered, GatheredNotes};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};

/// How an answer is written.
#[derive(Clone, Copy, Debug)]
pub struct AnswerStyle {
    pub notation: Notation,
    /// A JSON answer: `midi-json` gives a real array, its numbers in full precision.
    pub json: bool,
    /// As text, in the format of the answer; else as a value.
    pub as_text: bool,
}

/// The answer of a read while it is written: one entry for each target in call order; a lone one stands alone.
pub struct Entries<'a> {
    lone: bool,
    form: Form,
    out: Writing<'a>,
}

enum Form {
    /// With where each entry begins and ends.
    Text(TextWriter, Vec<(usize, usize)>),
    Values(Vec<Value>),
}

/// What is used while entries are written.
struct Writing<'a> {
    style: AnswerStyle,
    budget: &'a Budget,
    written_notes: WrittenNotes,
}

/// The budget does not last: nothing more is written, and the call ends with it.
struct UsedUp;

impl<'a> Entries<'a> {
    /// For `count` targets.
    pub fn new(style: AnswerStyle, count: usize, budget: &'a Budget) -> Entries<'a> {
        let lone = count == 1;
        let form = if style.as_text {
            let mut writer = TextWriter::new(if style.json { Format::Json } else { Format::Compact });
            if !lone {
                writer.begin_list();
            }
            Form::Text(writer, Vec::new())
        } else {
            Form::Values(Vec::with_capacity(count))
        };
        Entries { lone, form, out: Writing { style, budget, written_notes: WrittenNotes::default() } }
    }

    /// Writes the entry of the next target, as far as the budget lasts: what is used up ends the call, so that what is
    /// left out then is never shown.
    pub fn push(&mut self, one: Gathered) {
        if self.out.budget.used_up().is_some() {
            return;
        }
        let budget = self.out.budget;
        match &mut self.form {
            Form::Text(writer, places) => {
                let from = writer.bytes();
                match one.repeats.and_then(|before| places.get(before).copied()) {
                    Some((from, to)) if budget.spend_answer(to - from).is_ok() => writer.repeat(from, to),
                    Some(_) => {}
                    // A failure is in the budget.
                    None => drop(self.out.object(one, writer)),
                }
                places.push((from, writer.bytes()));
            }
            Form::Values(values) => {
                let value = match one.repeats.and_then(|before| values.get(before)) {
                    Some(before) => {
                        let bytes = answer_size::bytes_up_to(before, MAX_ANSWER_BYTES as usize + 1);
                        budget.spend_answer(bytes).map(|()| before.clone()).unwrap_or_default()
                    }
                    None => self.out.value(one).unwrap_or_default(),
                };
                values.push(value);
            }
        }
    }

    pub fn finish(self) -> AnswerResult {
        match self.form {
            Form::Text(mut writer, _) => {
                if !self.lone {
                    writer.end_list();
                }
                writer.into_result()
            }
            Form::Values(mut values) if self.lone => values.pop().unwrap_or_default().into(),
            Form::Values(values) => Value::Array(values).into(),
        }
    }
}

/// What was gathered as a value, without a budget: for what is a part of something else.
pub fn to_value(one: Gathered, style: AnswerStyle) -> Value {
    let budget = Budget::default();
    let mut entries = Entries::new(AnswerStyle { as_text: false, ..style }, 1, &budget);
    entries.push(one);
    entries.finish().into_value()
}

impl Writing<'_> {
    fn object(&mut self, one: Gathered, writer: &mut TextWriter) -> Result<(), UsedUp> {
        writer.begin_object();
        let mut from = writer.bytes();
        let Finished { fields, notes, behind_notes, lists } = self.finished(one)?;
        for (name, field) in fields {
            writer.key(name);
            match field {
                Field::Text(text) => writer.string(&text),
                Field::Word(word) => writer.string(word),
                Field::Bool(on) => writer.bool(on),
                Field::Number(number) => writer.number(&number),
                Field::Value(value) => writer.value(&value),
                Field::Routings(list) => list.write(writer),
                Field::Object(object) => {
                    self.spend(writer.bytes() - from)?;
                    self.object(*object, writer)?;
                    from = writer.bytes();
                }
            }
        }
        if let Some(notes) = notes {
            writer.key(notes.field());
            match notes {
                NotesOut::Text(text) | NotesOut::SameAs(text) => writer.string(&text),
                NotesOut::List(list) => writer.value(&list),
            }
        }
        if let Some((name, text)) = behind_notes {
            writer.key(name);
            writer.string(&text);
        }
        for (name, list) in lists {
            writer.key(name);
            writer.begin_list();
            self.spend(writer.bytes() - from)?;
            list.into_iter().try_for_each(|item| self.object(item, writer))?;
            from = writer.bytes();
            writer.end_list();
        }
        writer.end_object();
        self.spend(writer.bytes() - from)
    }

    fn value(&mut self, one: Gathered) -> Result<Value, UsedUp> {
        let Finished { fields, notes, behind_notes, lists } = self.finished(one)?;
        let mut members = Map::with_capacity(fields.len() + 1);
        for (name, field) in fields {
            let value = match field {
                Field::Text(text) => text.into(),
                Field::Word(word) => word.into(),
                Field::Bool(on) => on.into(),
                Field::Number(number) => number.into(),
                Field::Value(value) => *value,
                Field::Routings(list) => list.to_value(),
                Field::Object(object) => self.value(*object)?,
            };
            members.insert(name.to_owned(), value);
        }
        if let Some(notes) = notes {
            let field = notes.field().to_owned();
            let notes = match notes {
                NotesOut::Text(text) | NotesOut::SameAs(text) => text.into(),
                NotesOut::List(list) => list,
            };
            members.insert(field, notes);
        }
        if let Some((name, text)) = behind_notes {
            members.insert(name.to_owned(), text.into());
        }
        let longest = MAX_ANSWER_BYTES as usize + 1;
        let own = members.iter().map(|(name, value)| name.len() + answer_size::bytes_up_to(value, longest)).sum();
        self.spend(own)?;
        for (name, list) in lists {
            let list: Vec<Value> = list.into_iter().map(|item| self.value(item)).collect::<Result<_, _>>()?;
            members.insert(name.to_owned(), list.into());
        }
        Ok(Value::Object(members))
    }

    fn spend(&self, bytes: usize) -> Result<(), UsedUp> {
        self.budget.spend_answer(bytes).map_err(|_| UsedUp)
    }

    /// Notes and a picture made of what was gathered. A picture that would come too late is left out with a `detail`.
    fn finished(&mut self, mut one: Gathered) -> Result<Finished, UsedUp> {
        let notes = match one.notes.take().filter(|notes| !notes.notes.is_empty()) {
            Some(notes) => {
                let clip = one.fields.iter().find_map(|(name, field)| match field {
                    Field::Text(id) if *name == "id" => Some(id.as_str()),
                    _ => None,
                });
                let (notes, losses) = self.notes(notes, clip)?;
                if let Some(losses) = losses {
                    one.add_detail(&losses);
                }
                Some(notes)
            }
            None => None,
        };
        let mut notes_left = |notes: usize| self.budget.spend(notes as u64).is_ok() && !self.budget.is_late();
        let behind_notes = match one.roll.take().map(|roll| roll.data_url(&mut notes_left)) {
            Some(Ok(url)) => Some((picture::IMAGE_FIELD, url)),
            Some(Err(why)) if one.fields.iter().any(|(name, _)| *name == "detail") => {
                one.add_detail(&why.to_string());
                None
            }
            Some(Err(why)) => Some(("detail", why.to_string())),
            None => None,
        };
        Ok(Finished { fields: one.fields, notes, behind_notes, lists: one.lists })
    }

    fn notes(&mut self, notes: GatheredNotes, clip: Option<&str>) -> Result<(NotesOut, Option<String>), UsedUp> {
        if self.budget.spend(notes.notes.len() as u64).is_err() || self.budget.check().is_err() {
            return Err(UsedUp);
        }
        Ok(self.written_notes.of(self.style, notes, clip))
    }
}

/// One object, ready to be written.
struct Finished {
    fields: Vec<(&'static str, Field)>,
    notes: Option<NotesOut>,
    /// The picture, or why there is none.
    behind_notes: Option<(&'static str, String)>,
    lists: Vec<(&'static str, Vec<Gathered>)>,
}

#[derive(Clone)]
enum NotesOut {
    Text(String),
    List(Value),
    /// Those of an earlier clip of the answer, by its id.
    SameAs(String),
}

impl NotesOut {
    fn field(&self) -> &'static str {
        match self {
            NotesOut::Text(_) | NotesOut::List(_) => "notes",
            NotesOut::SameAs(_) => "sameNotesAs",
        }
    }

    fn bytes(&self) -> usize {
        match self {
            NotesOut::Text(text) | NotesOut::SameAs(text) => text.len(),
            NotesOut::List(list) if list.as_array().is_some_and(|notes| notes.len() > 1) => usize::MAX,
            NotesOut::List(list) => list.to_string().len(),
        }
    }
}

/// Shorter notes are written again rather than pointed to.
const FEW_NOTES_BYTES: usize = 32;

/// Notes that were written: clips of a Set are often copies of each other.
#[derive(Default)]
struct WrittenNotes {
    /// By a hash of the notes. Of two that share one the later stays.
    by_hash: HashMap<u64, EarlierNotes>,
    hasher: foldhash::fast::FixedState,
    kept_notes: usize,
}

struct EarlierNotes {
    notes: GatheredNotes,
    /// The clip that has them, where it is told.
    clip: Option<String>,
    written: NotesOut,
    /// What they cannot say exactly.
    losses: Option<String>,
}

impl WrittenNotes {
    /// Notes that are kept to be compared with.
    const MOST_KEPT: usize = 100_000;

    /// The notes written, or whose they are; and what cannot be said exactly.
    fn of(&mut self, style: AnswerStyle, notes: GatheredNotes, clip: Option<&str>) -> (NotesOut, Option<String>) {
        let hash = self.hash(&notes);
        if let Some(earlier) = self.by_hash.get(&hash).filter(|earlier| earlier.notes == notes) {
            let pointed = earlier.clip.clone().filter(|_| clip.is_some() && earlier.written.bytes() > FEW_NOTES_BYTES);
            let written = pointed.map_or_else(|| earlier.written.clone(), NotesOut::SameAs);
            return (written, earlier.losses.clone());
        }
        let (written, losses) = match style {
            AnswerStyle { notation: Notation::MidiJson, json: true, .. } => {
                (NotesOut::List(notation::format_array(&notes.notes, notes.meter)), None)
            }
            AnswerStyle { notation, .. } => {
                let written = notation::write(notation, &notes.notes, notes.meter, notes.drums);
                (NotesOut::Text(written.text), written.approximations)
            }
        };
        let kept = self.kept_notes + notes.notes.len();
        if kept <= Self::MOST_KEPT {
            self.kept_notes = kept;
            let clip = clip.map(str::to_owned);
            let earlier = EarlierNotes { notes, clip, written: written.clone(), losses: losses.clone() };
            self.by_hash.insert(hash, earlier);
        }
        (written, losses)
    }

    fn hash(&self, notes: &GatheredNotes) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        for Note { pitch, start, duration, velocity, .. } in &notes.notes {
            (*pitch, start.to_bits(), duration.to_bits(), velocity.to_bits()).hash(&mut hasher);
        }
        hasher.finish()
    }
}
