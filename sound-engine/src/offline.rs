//! A whole piece at once, with its stems from the same pass: no track is made twice, so stems add up to the mix.

use crate::dsp::span::Bus;
use crate::engine::{Block, Engine, Event, EventKind, Taps};
use crate::plan::Plan;
use std::collections::BTreeMap;

/// Something that happens at a frame of the piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieceEvent {
    pub frame: u64,
    pub track: u32,
    pub kind: EventKind,
}

/// What is to be made.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Ascending by frame; of one frame, in the order in which they act.
    pub events: &'a [PieceEvent],
    pub frames: usize,
    pub tempo_bpm: f64,
    /// Frames of a block, 1 and above: nothing that is heard depends on it.
    pub block: usize,
}

/// Both channels of a signal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stereo {
    pub left: Vec<f32>,
    pub right: Vec<f32>,
}

impl Stereo {
    /// Left and right by turns.
    pub fn interleaved(&self) -> Vec<f32> {
        self.left.iter().zip(&self.right).flat_map(|(left, right)| [*left, *right]).collect()
    }
}

/// The signals of the tracks that are wanted.
pub struct Stems {
    tracks: BTreeMap<u32, Stereo>,
}

impl Stems {
    pub fn of(tracks: impl IntoIterator<Item = u32>) -> Stems {
        Stems { tracks: tracks.into_iter().map(|track| (track, Stereo::default())).collect() }
    }

    pub fn get(&self, track: u32) -> Option<&Stereo> {
        self.tracks.get(&track)
    }
}

impl Taps for Stems {
    fn track(&mut self, id: u32, signal: &Bus, frames: usize) {
        if let Some(stem) = self.tracks.get_mut(&id) {
            stem.left.extend(signal.left.iter().take(frames));
            stem.right.extend(signal.right.iter().take(frames));
        }
    }
}

/// Makes a piece from `engine`'s next frame on; the main output is the answer.
pub fn render(engine: &mut Engine, plan: &mut Plan, piece: &Piece, taps: &mut impl Taps) -> Stereo {
    let mut out = Stereo { left: vec![0.0; piece.frames], right: vec![0.0; piece.frames] };
    let (mut made, mut next, mut events) = (0, 0, Vec::new());
    while made < piece.frames {
        let frames = piece.block.max(1).min(piece.frames - made);
        events.clear();
        while let Some(event) = piece.events.get(next).filter(|event| event.frame < (made + frames) as u64) {
            let frame = event.frame.saturating_sub(made as u64) as u32;
            events.push(Event { frame, track: event.track, kind: event.kind });
            next += 1;
        }
        let block = Block { tempo_bpm: piece.tempo_bpm, events: &events };
        let (Some(left), Some(right)) = (out.left.get_mut(made..made + frames), out.right.get_mut(made..made + frames))
        else {
            break;
        };
        engine.process(plan, &block, (left, right), taps);
        made += frames;
    }
    out
}
