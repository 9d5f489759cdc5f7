//! `transforms`: lines that change notes (`C3-E3 1|1-<3|1: velocity += 10`), or an audio clip's gain and pitch.
//!
//! A text is read once ([`Program::parse`]), may be asked what is wrong with it for a kind of clip and a meter
//! ([`Program::check`], [`Program::check_in_meter`]), and is then run on any number of clips: on notes through a
//! [`TransformRun`], which also counts what came of them, on audio through [`Program::apply_audio`]. Running never
//! makes a note that a clip could not hold, and its work is bounded: what would take too long or make too many notes is
//! refused.
//!
//! [`program`] reads a text; [`statement`], [`selector`], [`expression`] and [`lexemes`] know the grammar, [`problem`]
//! the mistakes, [`argument_checks`] what constants are wrong. [`evaluate`] computes values; [`run`] carries out lines
//! on notes, by [`assignment`] and [`operations`], and [`audio`] on an audio clip.

mod argument_checks;
mod arithmetic;
mod assignment;
mod audio;
mod code;
mod context;
mod evaluate;
mod evaluation_error;
mod expression;
mod functions;
mod lexemes;
mod line_context;
mod operations;
mod problem;
mod program;
mod run;
mod runner;
mod scale_pitches;
mod selector;
mod sharp_comment;
mod statement;
mod suggestions;
mod times;
mod working_note;

pub use audio::{AudioParameters, TransformedAudio};
pub use context::{ClipContext, ClipKind};
pub use program::Program;
pub use run::{LineCounts, TransformRun, TransformedNotes, UntouchedNotes};

#[cfg(test)]
mod tests;
