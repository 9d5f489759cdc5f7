//! One connection to the script: requests out, their answers and the beats in.

use super::frames::{FrameCutter, pack};
use super::messages::{Beat, BridgeNews, Hello};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often the script hears from the device at least; after ten seconds without a byte it closes.
const BEAT_EVERY: Duration = Duration::from_secs(1);
/// A script that takes no byte for so long is gone.
const WRITE_WITHIN: Duration = Duration::from_secs(3);
/// How much longer than the request lives its answer is waited for: it says whether the request had begun.
const ANSWER_GRACE: Duration = Duration::from_millis(500);

/// What is said to who waited for an answer then.
const LOST_MEANWHILE: &str = "the link to Ableton Live was lost before it answered; it comes back by itself when Live \
                              has a Set open and SvcDevice is its Control Surface";

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// The script, or Live, refused. `started`: earlier steps may have been carried out.
    #[error("{text}")]
    Refused { code: String, text: String, about: Map<String, Value>, started: bool },
    /// Nothing was asked: the time was up, or there is no link.
    #[error("{0}")]
    NotAsked(String),
    /// It was asked, and no answer came: what became of it is not known.
    #[error("{0}")]
    NoAnswer(String),
}

/// A connection whose script has said who it is.
pub struct Link {
    pub hello: Hello,
    stream: Arc<TcpStream>,
    writing: Mutex<TcpStream>,
    pending: Mutex<Option<Pending>>,
    last_id: AtomicU64,
    heard: Mutex<(Instant, Beat)>,
}

/// Who waits for which answer.
type Pending = HashMap<u64, Sender<Map<String, Value>>>;

impl Link {
    pub fn new(stream: Arc<TcpStream>, hello: Hello) -> std::io::Result<Link> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_WITHIN))?;
        stream.set_read_timeout(Some(BEAT_EVERY / 4))?;
        Ok(Link {
            hello,
            writing: Mutex::new(stream.try_clone()?),
            stream,
            pending: Mutex::new(Some(HashMap::new())),
            last_id: AtomicU64::new(0),
            heard: Mutex::new((Instant::now(), Beat::default())),
        })
    }

    /// Welcomes the script once `enter` has made the link known: who was welcomed may be called at once, and no request
    /// comes before the welcome.
    pub fn welcome(&self, frame: &[u8], enter: impl FnOnce()) {
        let mut writing = self.writing.lock();
        enter();
        let taken = writing.write_all(frame);
        drop(writing);
        if taken.is_err() {
            self.close();
        }
    }

    /// Sends a request and waits for its answer. `message` is a request without its number and its time.
    pub fn request(
        &self,
        mut message: Map<String, Value>,
        deadline: Instant,
    ) -> Result<Map<String, Value>, RequestError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(RequestError::NotAsked("the time for it had passed".to_owned()));
        }
        let id = self.last_id.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        message.insert("id".to_owned(), json!(id));
        message.insert("expires_at_ms".to_owned(), json!(wall_clock_ms(left)));
        let frame = pack(&message).map_err(|error| RequestError::NotAsked(error.to_string()))?;
        let answered = self.expect(id)?;
        if let Err(error) = self.writing.lock().write_all(&frame) {
            self.close();
            return Err(RequestError::NoAnswer(format!("Live did not take the request: {error}")));
        }
        match answered.recv_deadline(deadline + ANSWER_GRACE) {
            Ok(answer) => result(answer),
            Err(RecvTimeoutError::Timeout) => {
                self.forget(id);
                self.send(&json!({ "kind": "cancel", "id": id }));
                Err(RequestError::NoAnswer("Live did not answer in time".to_owned()))
            }
            Err(RecvTimeoutError::Disconnected) => Err(RequestError::NoAnswer(LOST_MEANWHILE.to_owned())),
        }
    }

    fn expect(&self, id: u64) -> Result<Receiver<Map<String, Value>>, RequestError> {
        let (answer, answered) = bounded(1);
        match &mut *self.pending.lock() {
            Some(pending) => drop(pending.insert(id, answer)),
            None => return Err(RequestError::NotAsked("the link to Ableton Live was lost".to_owned())),
        }
        Ok(answered)
    }

    fn forget(&self, id: u64) {
        if let Some(pending) = &mut *self.pending.lock() {
            pending.remove(&id);
        }
    }

    /// What is sent beside requests may be lost with the link.
    fn send(&self, message: &Value) {
        if let Ok(frame) = pack(message)
            && self.writing.lock().write_all(&frame).is_err()
        {
            self.close();
        }
    }

    /// Reads until the link is lost; gives why. `on_news` is told of each beat of the script, and of marks.
    pub fn read(&self, cutter: &mut FrameCutter, on_news: impl Fn(BridgeNews)) -> String {
        let mut sent = Instant::now();
        let why = loop {
            if sent.elapsed() >= BEAT_EVERY {
                sent = Instant::now();
                self.send(&json!({ "kind": "beat" }));
            }
            match cutter.next(&mut &*self.stream) {
                Ok(message) => {
                    self.heard.lock().0 = Instant::now();
                    match message.get("kind").and_then(Value::as_str) {
                        Some("answer") => self.take_answer(message),
                        Some("beat") => {
                            self.heard.lock().1 = serde_json::from_value(Value::Object(message)).unwrap_or_default();
                            on_news(BridgeNews::Link);
                        }
                        Some("marks") => on_news(BridgeNews::Changed),
                        Some("bye") => break "the script was switched off, or another Set is being opened".to_owned(),
                        // A newer script may tell more.
                        _ => {}
                    }
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    on_news(BridgeNews::Link);
                }
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => break "Live closed the link".to_owned(),
                Err(error) => break error.to_string(),
            }
        };
        self.close();
        why
    }

    fn take_answer(&self, answer: Map<String, Value>) {
        let id = answer.get("id").and_then(Value::as_u64);
        let waiting = match &mut *self.pending.lock() {
            Some(pending) => id.and_then(|id| pending.remove(&id)),
            None => None,
        };
        if let Some(waiting) = waiting {
            // Who waited may have given up.
            let _ = waiting.send(answer);
        }
    }

    /// Ends the link: everyone who waits is told.
    pub fn close(&self) {
        self.pending.lock().take();
        // It may be closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// When the script was last heard, and its last beat.
    pub fn heard(&self) -> (Instant, Beat) {
        self.heard.lock().clone()
    }
}

/// The time of day, so many milliseconds from now: what both processes know.
fn wall_clock_ms(from_now: Duration) -> u64 {
    let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().saturating_add(from_now);
    u64::try_from(at.as_millis()).unwrap_or(u64::MAX)
}

fn result(mut answer: Map<String, Value>) -> Result<Map<String, Value>, RequestError> {
    if answer.get("ok") == Some(&Value::Bool(true)) {
        return Ok(answer);
    }
    let mut about = match answer.remove("error") {
        Some(Value::Object(about)) => about,
        _ => Map::new(),
    };
    let mut text = |name: &str| match about.remove(name) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let (code, text) = (text("code"), text("text"));
    let started = about.remove("started") == Some(Value::Bool(true));
    Err(RequestError::Refused { code, text, about, started })
}
