//! Playing without an audio device: blocks in real time, each event sent when its time has come.
//!
//! A block is made when it begins and its events are slept for one by one, so nothing is late by more than the system
//! wakes a sleeper late, and nothing is buffered. Clock is counted in frames from a start, so lateness never adds up.

use super::midi;
use std::time::{Duration, Instant};
use svc_device::playback::{Block, Event};

const SAMPLE_RATE: u32 = 48_000;
/// After more than this (the machine slept) the music goes on from where it stood instead of rushing after the clock.
const TOO_LATE: Duration = Duration::from_millis(100);

/// Where messages go.
pub trait MidiSink {
    /// False when it could not be sent now.
    fn send(&mut self, message: [u8; 3]) -> bool;
}

/// Nobody listens.
pub struct NullSink;

impl MidiSink for NullSink {
    fn send(&mut self, _: [u8; 3]) -> bool {
        true
    }
}

/// Clock from a fixed moment on.
pub trait Clock {
    fn now(&mut self) -> Duration;
    /// Returns no earlier than `at`.
    fn sleep_until(&mut self, at: Duration);
}

/// The real one.
pub struct MonotonicClock(Instant);

impl MonotonicClock {
    pub fn start() -> MonotonicClock {
        MonotonicClock(Instant::now())
    }
}

impl Clock for MonotonicClock {
    fn now(&mut self) -> Duration {
        self.0.elapsed()
    }

    fn sleep_until(&mut self, at: Duration) {
        while let Some(left) = at.checked_sub(self.0.elapsed()).filter(|left| !left.is_zero()) {
            std::thread::sleep(left);
        }
    }
}

/// Keeps the pace of blocks of one length.
pub struct BlockPacer<T> {
    time: T,
    block_frames: u32,
    /// When frame 0 was.
    origin: Duration,
    /// Frames made so far.
    frames: u64,
}

impl<T: Clock> BlockPacer<T> {
    pub fn new(mut time: T, block_frames: u32) -> BlockPacer<T> {
        BlockPacer { origin: time.now(), time, block_frames, frames: 0 }
    }

    /// Waits for the next block's start, has it made, and sends what it holds in time.
    pub fn block(&mut self, port: &mut impl MidiSink, make: impl FnOnce(&Block, &mut dyn FnMut(Event) -> bool)) {
        let start = self.when(0);
        self.time.sleep_until(start);
        let late = self.time.now().saturating_sub(start);
        if late > TOO_LATE {
            self.origin = self.origin.saturating_add(late);
        }
        let block = Block { sample_rate: f64::from(SAMPLE_RATE), frames: self.block_frames, host: None };
        make(&block, &mut |event| {
            let (sample, bytes) = midi::message(event);
            let at = self.when(sample);
            self.time.sleep_until(at);
            port.send(bytes)
        });
        self.frames = self.frames.saturating_add(self.block_frames.into());
    }

    /// When a sample of the block being made is.
    fn when(&self, sample: u32) -> Duration {
        let frame = u128::from(self.frames.saturating_add(sample.into()));
        let nanos = frame.saturating_mul(1_000_000_000) / u128::from(SAMPLE_RATE);
        self.origin.saturating_add(Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    /// Wakes a sleeper late, by more each time up to a limit.
    #[derive(Clone)]
    struct LateClock {
        now: Rc<Cell<Duration>>,
        late_by: Duration,
    }

    impl Clock for LateClock {
        fn now(&mut self) -> Duration {
            self.now.get()
        }

        fn sleep_until(&mut self, at: Duration) {
            if at > self.now.get() {
                self.now.set(at + self.late_by);
            }
        }
    }

    struct Record {
        now: Rc<Cell<Duration>>,
        sent: Vec<Duration>,
    }

    impl MidiSink for Record {
        fn send(&mut self, _: [u8; 3]) -> bool {
            self.sent.push(self.now.get());
            true
        }
    }

    fn on(sample: u32) -> Event {
        Event::NoteOn { sample, channel: 0, pitch: 60, velocity: 1.0 }
    }

    #[test]
    fn each_event_is_sent_at_its_time_and_lateness_does_not_add_up() {
        let late_by = Duration::from_micros(80);
        let now = Rc::new(Cell::new(Duration::from_secs(5)));
        let mut pacer = BlockPacer::new(LateClock { now: now.clone(), late_by }, 128);
        let mut record = Record { now, sent: Vec::new() };
        let samples = [0, 1, 64, 127];
        for _ in 0..10_000 {
            pacer.block(&mut record, |block, out| {
                assert_eq!((block.sample_rate, block.frames, block.host), (48_000.0, 128, None));
                for sample in samples {
                    assert!(out(on(sample)));
                }
            });
        }
        let due = (0..10_000_u64).flat_map(|block| samples.map(|sample| block * 128 + u64::from(sample)));
        for (due, sent) in due.zip(&record.sent) {
            let due = Duration::from_secs(5) + Duration::from_nanos(due * 1_000_000_000 / 48_000);
            let late = sent.checked_sub(due).expect("nothing is early");
            assert!(late <= late_by, "{due:?} was sent {late:?} late");
        }
        assert_eq!(record.sent.len(), 40_000);
    }

    #[test]
    fn after_a_long_stop_it_goes_on_at_its_own_pace() {
        let now = Rc::new(Cell::new(Duration::ZERO));
        let mut pacer = BlockPacer::new(LateClock { now: now.clone(), late_by: Duration::ZERO }, 480);
        let mut record = Record { now: now.clone(), sent: Vec::new() };
        let mut step = |pacer: &mut BlockPacer<LateClock>| pacer.block(&mut record, |_, out| assert!(out(on(0))));
        step(&mut pacer);
        now.set(Duration::from_secs(3600));
        for _ in 0..3 {
            step(&mut pacer);
        }
        let ms = |ms| Duration::from_millis(ms);
        assert_eq!(record.sent, [ms(0), ms(3_600_000), ms(3_600_010), ms(3_600_020)]);
        // A short one is caught up with.
        now.set(ms(3_600_095));
        let mut step = |pacer: &mut BlockPacer<LateClock>| pacer.block(&mut record, |_, out| assert!(out(on(0))));
        for _ in 0..8 {
            step(&mut pacer);
        }
        assert_eq!(record.sent.last(), Some(&ms(3_600_100)));
    }
}
