//! The frame of a call that copies: find the sources, look up where each copy goes, make it, name and colour it, and
//! say what came of it. What differs between tracks, clips, devices and so on is a [`CopyKind`].

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::path_format;
use crate::tools::address::target_origin::look_ahead;
use crate::tools::address::targets::{Target, TargetKind};
use crate::tools::arguments::lists::{ListEntry, ValueList};
use crate::tools::arguments::values::Color;
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::read::settled::settled;
use crate::tools::report::target_result::{self, LeftTo, Mention, TargetResult, add_detail, or_detail, result_of};
use crate::tools::report::write_log::WriteLog;
use serde_json::{Value, json};
use std::collections::VecDeque;

/// What all copies of a call share.
pub struct Batch {
    pub sources: Vec<Target>,
    pub wanted: TargetKind,
    /// In call order.
    pub copies: Vec<CopyRequest>,
    pub labels: Labels,
    /// What every entry says of texts that are blank.
    pub blank: Option<String>,
}

/// One copy that is asked for, by positions in the lists of the call.
pub struct CopyRequest {
    pub source: usize,
    /// `None` where no `toPath` was sent.
    pub destination: Option<usize>,
}

/// Names and colours over all copies.
pub struct Labels {
    pub names: Option<ValueList>,
    pub colors: Option<Vec<Color>>,
}

/// A copy that is about to be made.
pub struct Candidate {
    /// Where it goes, as answers spell it. `None` where no place was sent: a skip then names the source.
    pub place: Option<String>,
    /// What is copied, or why this copy cannot be made.
    pub source: Result<ObjectId, String>,
}

/// The copy that is being made.
pub struct CopyTask<'a> {
    pub batch: &'a Batch,
    pub call: &'a CallContext,
    /// Its position in the call.
    pub at: usize,
    pub request: &'a CopyRequest,
    pub source: ObjectId,
}

/// What came of one copy: its entry, and those of what was made besides.
pub struct CopyResult {
    pub entry: TargetResult,
    pub further: Vec<TargetResult>,
}

/// What one kind of object fills into the frame. The methods are called in the order in which they stand here.
pub trait CopyKind: Send {
    /// The object that a source names, or why it names none. Sets `warning` where it is spelled as answers do not.
    fn find_source(
        &self,
        session: &dyn Session,
        source: &Target,
        wanted: TargetKind,
        warning: &mut Option<String>,
    ) -> Result<ObjectId, ToolError> {
        source.find_with_warning(session, wanted, warning)
    }

    /// A warning where `toPath` is spelled as answers do not.
    fn spelling_warning(&self, _session: &dyn Session) -> Result<Option<String>, ToolError> {
        Ok(None)
    }

    /// Looks up where each copy goes, all before the first write; `found` has the sources in call order. An error
    /// refuses the call.
    fn look_up(
        &mut self,
        session: &dyn Session,
        call: &mut CallContext,
        batch: &Batch,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Candidate>, ToolError>;

    /// The order in which the copies are made, by their positions in the call.
    fn order(&self, count: usize) -> Vec<usize> {
        (0..count).collect()
    }

    /// The later copy that takes all of this one's place, so that this one is not made.
    fn replaced_by(&self, _at: usize, _is_late: bool) -> Option<usize> {
        None
    }

    /// Whether [`copy`](CopyKind::copy) looks at the time itself; else no copy is begun once the time has run out.
    fn checks_time(&self) -> bool {
        false
    }

    /// Makes one copy, and writes its name and colour. An error before anything is recorded in `log` makes the copy a
    /// skip.
    fn copy(&mut self, session: &mut dyn Session, task: &CopyTask, log: &mut WriteLog) -> Result<(), ToolError>;

    /// Says of each copy what can be known only when all are made.
    fn report(&self, _session: &dyn Session, _results: &mut [CopyResult]) -> Result<(), ToolError> {
        Ok(())
    }
}

impl Labels {
    pub fn write(
        &self,
        session: &mut dyn Session,
        id: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        self.write_name(session, id, at, log)?;
        self.write_color(session, id, at, log)
    }

    pub fn write_name(
        &self,
        session: &mut dyn Session,
        id: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        match &self.names {
            Some(names) => log.name(session, id, names.at(at)),
            None => Ok(()),
        }
    }

    pub fn write_color(
        &self,
        session: &mut dyn Session,
        id: ObjectId,
        at: usize,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        match self.colors.as_ref().and_then(|colors| colors.get(at)) {
            Some(color) => log.color(session, id, *color),
            None => Ok(()),
        }
    }
}

impl Batch {
    /// Carries the call out, and gives its answer.
    pub fn run(
        &self,
        kind: &mut dyn CopyKind,
        session: &mut dyn Session,
        call: &mut CallContext,
    ) -> Result<(Value, Option<String>), ToolError> {
        let mut warning = None;
        let mut found = Vec::new();
        look_ahead(session, &self.sources)?;
        for source in &self.sources {
            found.push(or_detail(kind.find_source(session, source, self.wanted, &mut warning))?);
        }
        if warning.is_none() {
            warning = kind.spelling_warning(session)?;
        }
        let candidates = kind.look_up(session, call, self, &found)?;
        let mut made: Vec<Option<TargetResult>> = candidates.iter().map(|_| None).collect();
        for at in kind.order(candidates.len()) {
            session.begin_target(at);
            let result = self.copy_one(kind, session, call, &candidates, at);
            if let Some(slot) = made.get_mut(at) {
                *slot = Some(result);
            }
        }
        for landed in session.land()? {
            let place = candidates.get(landed.target).and_then(|candidate| candidate.place.as_deref());
            if let Some(Some(entry)) = made.get_mut(landed.target) {
                entry.take_late_failures(self.mention(landed.target, place), &landed);
            }
        }
        let mut results: Vec<CopyResult> =
            made.into_iter().flatten().map(|entry| CopyResult { entry, further: Vec::new() }).collect();
        kind.report(session, &mut results)?;
        Ok((settled(session, answer(results))?, warning))
    }

    fn copy_one(
        &self,
        kind: &mut dyn CopyKind,
        session: &mut dyn Session,
        call: &CallContext,
        candidates: &[Candidate],
        at: usize,
    ) -> TargetResult {
        let place = |at: usize| candidates.get(at).and_then(|candidate| candidate.place.as_deref());
        let mention = self.mention(at, place(at));
        let (Some(candidate), Some(request)) = (candidates.get(at), self.copies.get(at)) else {
            return TargetResult::skip(mention.key, mention.spelling, target_result::NOT_REACHED);
        };
        let found = candidate.source.as_ref().map_err(String::as_str);
        let left_to = found.ok().and_then(|_| kind.replaced_by(at, call.is_late()));
        let left_to = left_to.map(|by| {
            let same_source = candidates.get(by).is_some_and(|other| other.source == candidate.source);
            if same_source && place(by) == place(at) {
                return LeftTo::SamePlace(by);
            }
            LeftTo::Over { by, place: place(by).unwrap_or_default().to_owned() }
        });
        let is_late = !kind.checks_time() && call.is_late();
        result_of(mention, left_to, found, is_late, |source| {
            let mut log = WriteLog::default();
            let task = CopyTask { batch: self, call, at, request, source: *source };
            let outcome = kind.copy(session, &task, &mut log);
            let mut entry = log.end(outcome)?;
            self.blank.iter().for_each(|said| add_detail(&mut entry, said));
            Ok(entry)
        })
    }

    /// What the result of a copy names: its place, or where it has none its source.
    fn mention<'a>(&'a self, at: usize, place: Option<&'a str>) -> Mention<'a> {
        let source = self.copies.get(at).and_then(|copy| self.sources.get(copy.source));
        match (place, source) {
            (None, Some(source)) => source.into(),
            (place, _) => Mention { key: "path", spelling: place.unwrap_or_default() },
        }
    }

    /// As [`Batch::candidates`], with the places as the caller spelled them; one that cannot be read fails its copies.
    pub fn candidates_at<T>(&self, found: &[Result<ObjectId, String>], places: &[ListEntry<T>]) -> Vec<Candidate> {
        let place_of = |copy: &CopyRequest| copy.destination.and_then(|at| places.get(at));
        let mut candidates = self.candidates(found, |at| places.get(at).map(|place| place.spelling.clone()));
        for (candidate, copy) in candidates.iter_mut().zip(&self.copies) {
            if let (Ok(_), Some(Err(why))) = (&candidate.source, place_of(copy).map(|place| place.read.as_ref())) {
                candidate.source = Err(why.text.clone());
            }
        }
        candidates
    }

    /// Every copy with its source, and with its place where `spell` knows the destination.
    pub fn candidates(
        &self,
        found: &[Result<ObjectId, String>],
        spell: impl Fn(usize) -> Option<String>,
    ) -> Vec<Candidate> {
        let candidate = |copy: &CopyRequest| match found.get(copy.source) {
            Some(Ok(source)) => Candidate { place: copy.destination.and_then(&spell), source: Ok(*source) },
            Some(Err(why)) => Candidate { place: None, source: Err(why.clone()) },
            None => Candidate { place: None, source: Err("no source is named for it".to_owned()) },
        };
        self.copies.iter().map(candidate).collect()
    }
}

/// The order in which every source is read before a copy changes it: `goes_first` says that the first of two copies
/// reads what the other one writes into. `None` where each waits for another.
pub fn sequence(count: usize, goes_first: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut sequence = Vec::with_capacity(count);
    while !left.is_empty() {
        let is_free = |at: &usize| !left.iter().any(|other| other != at && goes_first(*other, *at));
        let free = left.iter().position(is_free)?;
        sequence.push(left.remove(free));
    }
    Some(sequence)
}

/// As [`sequence`], of copies into what stands inside sources: of each copy what it is made from, and what it goes into
/// where that may be inside a source. Copies that all wait for each other are made in call order.
pub fn sequence_of_nested(
    session: &dyn Session,
    copies: &[(Vec<ObjectId>, Option<ObjectId>)],
) -> Result<Vec<usize>, ToolError> {
    let in_call_order = || (0..copies.len()).collect();
    if copies.len() < 2 || copies.iter().all(|(_, onto)| onto.is_none()) {
        return Ok(in_call_order());
    }
    let mut paths = Vec::new();
    for (sources, onto) in copies {
        let from = sources.iter().filter_map(|source| session.path_of(*source).transpose());
        let from = from.collect::<Result<Vec<_>, _>>()?;
        paths.push((from, onto.map_or(Ok(None), |onto| session.path_of(onto))?));
    }
    let holds = |source: &String, onto: &str| {
        onto.strip_prefix(source.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let goes_first = |first: usize, then: usize| match (paths.get(first), paths.get(then)) {
        (Some((sources, _)), Some((_, Some(onto)))) => sources.iter().any(|source| holds(source, onto)),
        _ => false,
    };
    Ok(sequence(copies.len(), goes_first).unwrap_or_else(in_call_order))
}

/// Whether a place may be inside something that is copied.
pub fn is_nested(spelling: &str) -> bool {
    spelling.matches('/').count() > 1
}

/// The copies of one source that are made together, because each stands right behind the source, before those made
/// earlier.
pub struct SourceCopies<T> {
    source: Option<usize>,
    /// Still to be written, in the order in which they stand.
    made: VecDeque<T>,
    /// Why the missing ones are not there.
    why_missing: String,
}

impl<T> Default for SourceCopies<T> {
    fn default() -> Self {
        SourceCopies { source: None, made: VecDeque::new(), why_missing: String::new() }
    }
}

impl<T> SourceCopies<T> {
    /// Whether this is the first copy of its source.
    pub fn begins(&mut self, task: &CopyTask) -> bool {
        let is_first = self.source != Some(task.request.source);
        if is_first {
            self.source = Some(task.request.source);
            self.made.clear();
        }
        is_first
    }

    /// Makes `count` copies, as far as there is time and none fails.
    pub fn make(&mut self, call: &CallContext, count: usize, mut copy: impl FnMut() -> Result<T, ToolError>) {
        target_result::NOT_REACHED.clone_into(&mut self.why_missing);
        for _ in 0..count {
            if call.is_late() {
                break;
            }
            match copy() {
                Ok(copy) => self.made.push_front(copy),
                Err(error) => {
                    self.why_missing = error.text;
                    break;
                }
            }
        }
    }

    /// None of them can be made.
    pub fn refuse(&mut self, why: String) {
        self.why_missing = why;
    }

    /// The next one, or why there is none.
    pub fn next(&mut self) -> Result<T, ToolError> {
        self.made.pop_front().ok_or_else(|| ToolError::new(self.why_missing.clone()))
    }
}

/// `[{id, path}]` of clips whose paths are looked up when all copies are made.
pub fn clip_list_bare(clips: &[ObjectId]) -> Value {
    clips.iter().map(|clip| json!({ "id": clip.to_string(), "path": "" })).collect()
}

/// `[{id, path}]` of clips.
pub fn clip_list(session: &dyn Session, clips: &[ObjectId]) -> Result<Value, ModelError> {
    Ok(path_format::ids_and_paths(session, clips)?.into_iter().map(Value::Object).collect())
}

fn answer(results: Vec<CopyResult>) -> Result<Value, ToolError> {
    let is_lone = results.len() == 1 && results.iter().all(|one| one.further.is_empty());
    let (entries, further): (Vec<TargetResult>, Vec<Vec<TargetResult>>) =
        results.into_iter().map(|one| (one.entry, one.further)).unzip();
    if is_lone {
        return target_result::answer(entries);
    }
    let all = target_result::values(entries).into_iter().zip(further);
    let flat = all.flat_map(|(entry, further)| std::iter::once(entry).chain(target_result::values(further)));
    Ok(Value::Array(flat.collect()))
}
