//! Notes on their way from an audio thread, which must not wait, to a MIDI port, which may have it wait: a queue
//! without locks, and a thread that sends each message when it is due.

use super::paced::MidiSink;
use crossbeam_queue::ArrayQueue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Messages that may wait; what a block cannot put in comes again in the next one.
const QUEUE_LENGTH: usize = 4096;
/// How often the queue is looked at: an audio thread must not wake another one.
const LOOK_EVERY: Duration = Duration::from_millis(1);

struct Shared {
    messages: ArrayQueue<(Instant, [u8; 3])>,
    is_over: AtomicBool,
}

/// The audio thread's end.
#[derive(Clone)]
pub struct MidiQueue(Arc<Shared>);

impl MidiQueue {
    /// Puts a message in, to be sent at `due`; false where there is no room now.
    pub fn push(&self, due: Instant, message: [u8; 3]) -> bool {
        self.0.messages.push((due, message)).is_ok()
    }
}

/// The thread that sends.
pub struct MidiSender<P> {
    queue: MidiQueue,
    thread: JoinHandle<P>,
}

impl<P: MidiSink + Send + 'static> MidiSender<P> {
    pub fn start(mut port: P) -> std::io::Result<MidiSender<P>> {
        let shared = Shared { messages: ArrayQueue::new(QUEUE_LENGTH), is_over: AtomicBool::new(false) };
        let queue = MidiQueue(Arc::new(shared));
        let messages = queue.clone();
        let run = move || {
            loop {
                let is_over = messages.0.is_over.load(Ordering::Acquire);
                while let Some((due, message)) = messages.0.messages.pop() {
                    if let Some(left) = due.checked_duration_since(Instant::now()) {
                        std::thread::sleep(left);
                    }
                    port.send(message);
                }
                if is_over {
                    return port;
                }
                std::thread::sleep(LOOK_EVERY);
            }
        };
        let thread = std::thread::Builder::new().name("svc-midi".to_owned()).spawn(run)?;
        Ok(MidiSender { queue, thread })
    }

    pub fn queue(&self) -> MidiQueue {
        self.queue.clone()
    }

    /// Sends what waits, ends, and gives the port back.
    pub fn finish(self) -> Option<P> {
        self.queue.0.is_over.store(true, Ordering::Release);
        // A panic was reported where it happened.
        self.thread.join().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    struct Record(mpsc::Sender<(Instant, [u8; 3])>);

    impl MidiSink for Record {
        fn send(&mut self, message: [u8; 3]) -> bool {
            self.0.send((Instant::now(), message)).is_ok()
        }
    }

    #[test]
    fn messages_leave_in_order_and_none_early() {
        let (sent, record) = mpsc::channel();
        let sender = MidiSender::start(Record(sent)).unwrap();
        let start = Instant::now();
        let due = |n: u8| start + Duration::from_millis(u64::from(n) * 2);
        for n in 0..20 {
            assert!(sender.queue().push(due(n), [0x90, n, 1]));
        }
        sender.finish();
        let sent: Vec<_> = record.iter().collect();
        assert_eq!(sent.len(), 20);
        for (n, (at, message)) in (0..).zip(sent) {
            assert!(message[1] == n && at >= due(n), "{n}");
        }
    }

    #[test]
    fn a_full_queue_says_so() {
        let shared = Shared { messages: ArrayQueue::new(2), is_over: AtomicBool::new(false) };
        let queue = MidiQueue(Arc::new(shared));
        let taken: Vec<bool> = (0..3).map(|n| queue.push(Instant::now(), [0x80, n, 0])).collect();
        assert_eq!(taken, [true, true, false]);
    }
}
