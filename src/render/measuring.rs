//! What is heard of a rendering is measured on a thread beside the one that makes it: both take about as long.

use super::offline::Signal;
use super::portrait::Portrait;
use super::render_files::CANCELLED;
use crate::picture::sound_picture::Column;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::panic::resume_unwind;
use std::thread::{Builder, Scope, ScopedJoinHandle};
use svc_analysis::mix::{MixMeter, MixReport};

/// Blocks that wait to be measured at most; the rendering waits for the first of them then.
const WAITING_BLOCKS: usize = 4;

/// Where a signal comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    Main,
    /// The place of a track or a part among the meter's sources.
    Source(usize),
}

/// The signals of one block, each with the gain that it is written with.
#[derive(Default)]
pub struct MeasuredBlock {
    signals: Vec<MeasuredSignal>,
    /// So many of them belong to this block; the others are room for the next one's.
    used: usize,
}

struct MeasuredSignal {
    place: Place,
    left: Vec<f32>,
    right: Vec<f32>,
}

impl MeasuredBlock {
    /// Takes a signal in, and gives it with the gain.
    pub fn add(&mut self, place: Place, signal: Signal, gain: f32) -> Signal<'_> {
        if self.used == self.signals.len() {
            self.signals.push(MeasuredSignal { place, left: Vec::new(), right: Vec::new() });
        }
        let at = self.used;
        self.used += 1;
        let Some(added) = self.signals.get_mut(at) else { return Signal { left: &[], right: &[] } };
        added.place = place;
        for (own, channel) in [(&mut added.left, signal.left), (&mut added.right, signal.right)] {
            own.clear();
            own.extend(channel.iter().map(|sample| sample * gain));
        }
        Signal { left: &added.left, right: &added.right }
    }
}

type Measured = Result<(MixReport, Vec<Column>), String>;

/// See the [module](self).
pub struct Measuring<'scope> {
    /// `None` ends it.
    to_measure: Sender<Option<MeasuredBlock>>,
    /// Blocks that were measured: their room is used again.
    measured: Receiver<MeasuredBlock>,
    thread: ScopedJoinHandle<'scope, Measured>,
}

impl<'scope> Measuring<'scope> {
    /// The error is a clause: the system gives no thread.
    pub fn start(
        scope: &'scope Scope<'scope, '_>,
        meter: MixMeter,
        portrait: Portrait,
    ) -> Result<Measuring<'scope>, String> {
        let (to_measure, blocks) = bounded(WAITING_BLOCKS);
        let (give_back, measured) = bounded(WAITING_BLOCKS + 2);
        let thread = Builder::new().name("svc-measure".to_owned());
        let thread = thread.spawn_scoped(scope, move || measure(&blocks, &give_back, meter, portrait));
        let thread = thread.map_err(|error| format!("there is no thread to measure it on: {error}"))?;
        Ok(Measuring { to_measure, measured, thread })
    }

    /// A block without signals.
    pub fn empty_block(&self) -> MeasuredBlock {
        MeasuredBlock { used: 0, ..self.measured.try_recv().unwrap_or_default() }
    }

    /// False where measuring has failed: [`Measuring::finish`] says why.
    pub fn take(&self, block: MeasuredBlock) -> bool {
        self.to_measure.send(Some(block)).is_ok()
    }

    /// Waits for what is left to measure.
    pub fn finish(self) -> Measured {
        let Measuring { to_measure, measured, thread } = self;
        // One that failed is over.
        let _ = to_measure.send(None);
        drop(measured);
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }
}

fn measure(
    blocks: &Receiver<Option<MeasuredBlock>>,
    give_back: &Sender<MeasuredBlock>,
    mut meter: MixMeter,
    mut portrait: Portrait,
) -> Measured {
    loop {
        let block = match blocks.recv() {
            Ok(Some(block)) => block,
            Ok(None) => return Ok((meter.finish()?, portrait.finish())),
            // Nobody wants to know.
            Err(_) => return Err(CANCELLED.to_owned()),
        };
        for MeasuredSignal { place, left, right } in block.signals.iter().take(block.used) {
            match place {
                Place::Main => {
                    meter.push_main(left, right)?;
                    portrait.push(left, right);
                }
                Place::Source(at) => meter.push_track(*at, left, right)?,
            }
        }
        // At the end nobody takes it back.
        let _ = give_back.try_send(block);
    }
}
