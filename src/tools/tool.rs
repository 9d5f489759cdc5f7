//! What a tool declares: its name, its texts, its parameters, and the parameters of old that it still takes.

use super::call::PreparedCall;
use super::error::ToolError;
use super::request::RequestContext;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Reads a call's arguments; what it gives is applied to the Set later.
pub enum Prepare {
    /// From the arguments alone.
    Alone(fn(Map<String, Value>) -> Prepared),
    /// With what the request sees. A batch makes that anew for each of its calls.
    Seeing(fn(Map<String, Value>, &RequestContext) -> Prepared),
}

/// What comes of preparing a call.
pub type Prepared = Result<Box<dyn PreparedCall>, ToolError>;

/// A tool: what it is called, what it takes, how a call of it is prepared.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub read_only: bool,
    pub destructive: bool,
    /// The first sentence says it all: small models are shown no more.
    pub description: fn(&RequestContext) -> String,
    pub params: &'static [Param],
    /// Parameters that are accepted but not published; see [`aliases`](super::aliases).
    pub aliases: &'static [ParamAlias],
    /// Not listed or taught in small-model mode; calls of it are answered.
    pub left_out_in_small_model: bool,
    /// Whether preparing a call with these arguments reads a disk: such a call is prepared on a worker.
    pub reads_files: fn(&Map<String, Value>) -> bool,
    /// Whether applying a call with these arguments takes microseconds on an ordinary Set: such a call may be applied
    /// on the thread that read it. See D52 in `docs/decisions.md`.
    pub small: fn(&Map<String, Value>) -> bool,
    pub prepare: Prepare,
}

impl Tool {
    /// Prepares a call of it.
    pub fn prepare(&self, arguments: Map<String, Value>, view: &RequestContext) -> Prepared {
        match self.prepare {
            Prepare::Alone(prepare) => prepare(arguments),
            Prepare::Seeing(prepare) => prepare(arguments, view),
        }
    }
}

/// Whether a call sends none of these parameters.
pub fn sends_none_of(map: &Map<String, Value>, parameters: &[&str]) -> bool {
    !parameters.iter().any(|parameter| map.contains_key(*parameter))
}

/// The word of an `include` that asks for all of them.
const EVERYTHING: &str = "*";

/// One parameter of a tool.
pub struct Param {
    pub name: &'static str,
    pub kind: ParamKind,
    pub required: bool,
    pub about: About,
    /// Not in the published schema of small-model mode; over REST still accepted.
    pub hidden_in_small_model: bool,
    /// Words that the published schema of small-model mode leaves out; over REST still accepted. See [`Param::drops`].
    pub small_model_drops: &'static [&'static str],
    /// Words that are accepted but never published.
    pub unpublished: &'static [&'static str],
}

/// What a parameter takes. Published as one plain JSON type.
pub enum ParamKind {
    Text,
    /// Note text in the active notation; with `midi-json` an array is taken too.
    Notes,
    /// The same, or an array with one such text (or array) for each target.
    NotesEach,
    /// A whole number that every JSON client keeps exact: from -(2^53-1) to 2^53-1.
    Integer,
    /// A whole number from the one to the other.
    IntegerIn(i64, i64),
    /// A whole number from that one up.
    IntegerFrom(i64),
    Number,
    /// A number from the one to the other.
    NumberIn(f64, f64),
    /// -1 left to 1 right; a text as it is shown is taken too: `20L`, `C`.
    Pan,
    /// Decibels from -70, which is silence, to the one; the word `-inf` is taken too.
    Decibels(f64),
    Boolean,
    /// True or false, which pairs with the targets: a comma list (`true,false`) or an array gives one for each.
    Switch,
    Choice(&'static [&'static str]),
    /// An array of these words.
    Words(&'static [&'static str]),
    /// A schema of its own.
    Schema(fn() -> Value),
    /// A schema to show, and a wider one that is accepted.
    Wide(fn() -> Value, fn() -> Value),
}

/// A description, the same in every profile or following it.
pub enum About {
    Text(&'static str),
    Per(fn(&RequestContext) -> Cow<'static, str>),
}

impl Param {
    pub const fn new(name: &'static str, kind: ParamKind, about: &'static str) -> Param {
        Param::about(name, kind, About::Text(about))
    }

    /// With a description that follows the request.
    pub const fn per(name: &'static str, kind: ParamKind, about: fn(&RequestContext) -> Cow<'static, str>) -> Param {
        Param::about(name, kind, About::Per(about))
    }

    const fn about(name: &'static str, kind: ParamKind, about: About) -> Param {
        Param {
            name,
            kind,
            required: false,
            about,
            hidden_in_small_model: false,
            small_model_drops: &[],
            unpublished: &[],
        }
    }

    pub const fn required(mut self) -> Param {
        self.required = true;
        self
    }

    pub const fn hidden_in_small_model(mut self) -> Param {
        self.hidden_in_small_model = true;
        self
    }

    pub const fn small_model_drops(mut self, words: &'static [&'static str]) -> Param {
        self.small_model_drops = words;
        self
    }

    /// Whether small models are not shown this word: one of the parameter's own, or the `*` of an `include`, with which
    /// they ask for too much.
    pub fn drops(&self, word: &str) -> bool {
        self.small_model_drops.contains(&word) || word == EVERYTHING && matches!(self.kind, ParamKind::Words(_))
    }

    pub const fn unpublished(mut self, words: &'static [&'static str]) -> Param {
        self.unpublished = words;
        self
    }
}

/// Parameters, not published, that say the same thing as a published one.
pub struct ParamAlias {
    pub params: &'static [Param],
    /// The published parameter.
    pub into: &'static str,
    pub rule: AliasRule,
}

/// What should have been sent, from all the arguments; `None` when they say nothing.
pub type PublishedValue = fn(&Map<String, Value>) -> Result<Option<String>, ToolError>;

/// Puts what should have been sent into the call, and gives the warnings.
pub type CallRewrite = fn(&mut Map<String, Value>) -> Result<Vec<String>, ToolError>;

/// How what was sent by an alias becomes the published parameter.
pub enum AliasRule {
    /// Another name for it.
    Alias,
    /// An earlier parameter for the same thing. The function gives the value to send, `None` when what was sent has
    /// none. Sent beside the published parameter it names one target twice and refuses the call, but for the
    /// `modifiers`, which name nothing by themselves.
    Deprecated { value: PublishedValue, modifiers: &'static [&'static str] },
    /// An earlier parameter for the same thing or for a part of it. The function sees the published parameter too,
    /// gives what should have been sent, and refuses what names one target twice.
    Rewrite(PublishedValue),
    /// An earlier parameter that becomes the published one only with the Set at hand, so the tool reads it itself. The
    /// text says what to send instead.
    Kept(&'static str),
    /// How many of what the published parameter names; both may be sent.
    Count { of: &'static str, at_most: usize },
    /// Several parameters that say it only together: the function rewrites the call as a whole.
    Combined(CallRewrite),
    /// As [`AliasRule::Combined`], where some of what was sent may say something else: the function takes out what it
    /// read, and leaves the rest to the next alias.
    Partial(CallRewrite),
}
