//! Where the script inside Live connects: a listener on this machine alone, the file that says where, and the link that
//! is open.

use super::bridge_file::{BridgeFile, DeviceKind, NoBridgeFile, new_token};
use super::frames::{FrameCutter, pack};
use super::link::{Link, RequestError};
use super::messages::{Beat, BridgeNews, Greeting, Hello, PROTOCOL};
use crate::user_store::Token;
use arc_swap::ArcSwapOption;
use parking_lot::Mutex;
use serde_json::{Map, Value};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A Live that was not heard for so long gives way to another one.
const GONE_AFTER: Duration = Duration::from_secs(20);
/// More ids than a script gives without telling them.
const UNTOLD_IDS: u64 = 1_000;
/// How long a connection has for its first frame, and how long that may be: nobody knows yet who it is.
const GREETED_WITHIN: Duration = Duration::from_secs(3);
const MOST_HELLO_BYTES: usize = 64 * 1024;
/// How many connections there may be, the link among them.
const MOST_CONNECTIONS: usize = 16;
/// The script tells of itself each second; when it does not for so long, Live is busy.
pub const STALLED_AFTER: Duration = Duration::from_millis(2_500);

/// Why a call does not go on.
const ANOTHER_SET: &str =
    "another Set was opened in Live, or the script in it started anew, while the call was under way";

/// How it stands with the link to Live.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkState {
    /// The device listens for no script: it was told to use its own Set, or cannot.
    NotListening {
        why: String,
    },
    /// No script was seen since the device runs.
    NotSeen,
    /// A script was refused: it speaks another protocol.
    Refused {
        script_version: String,
        why: String,
    },
    Linked {
        live_version: String,
        script_version: String,
    },
    /// Linked, and Live gives its scripts no turn: a dialog is open, a Set is loaded.
    Stalled {
        for_ms: u64,
        dialog: String,
    },
    Lost {
        why: String,
    },
}

/// See the [module](self).
pub struct Bridge {
    shared: Arc<Shared>,
    address: SocketAddr,
    file: Mutex<BridgeFile>,
    listening: Mutex<Option<JoinHandle<()>>>,
    exchanges: AtomicU64,
    answers: AtomicU64,
}

struct Shared {
    token: Token,
    link: ArcSwapOption<Link>,
    /// How it stands while there is no link.
    without: Mutex<LinkState>,
    /// The next id that no script has given yet.
    next_id: AtomicU64,
    /// Which Set Live had open when it linked last, and how many there were.
    set: Mutex<String>,
    sets: Arc<AtomicU64>,
    links: AtomicU64,
    is_stopped: AtomicBool,
    connections: Mutex<Vec<Connection>>,
    on_news: Box<dyn Fn(BridgeNews) + Send + Sync>,
}

/// A connection and the thread that serves it, which closes it at its end.
struct Connection {
    stream: Weak<TcpStream>,
    thread: JoinHandle<()>,
}

impl Bridge {
    /// Listens, and writes the bridge file into the user's folder. `sets` counts the Sets of Live that link: ids of the
    /// one before mean nothing in the next. `on_news` must not wait.
    pub fn start(
        user_folder: &Path,
        kind: DeviceKind,
        sets: Arc<AtomicU64>,
        on_news: impl Fn(BridgeNews) + Send + Sync + 'static,
    ) -> Result<Bridge, NoBridgeFile> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let token = new_token()?;
        let file = BridgeFile::write(user_folder, kind, address.port(), &token, PROTOCOL)?;
        let shared = Arc::new(Shared {
            token: Token::new(&token).map_err(io::Error::other)?,
            link: ArcSwapOption::empty(),
            without: Mutex::new(LinkState::NotSeen),
            next_id: AtomicU64::new(1),
            set: Mutex::default(),
            sets,
            links: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
            connections: Mutex::default(),
            on_news: Box::new(on_news),
        });
        let listening = shared.clone();
        let thread = std::thread::Builder::new().name("svc-bridge".to_owned());
        let thread = thread.spawn(move || listening.listen(&listener))?;
        Ok(Bridge {
            shared,
            address,
            file: Mutex::new(file),
            listening: Mutex::new(Some(thread)),
            exchanges: AtomicU64::new(0),
            answers: AtomicU64::new(0),
        })
    }

    /// The file by which the script finds this device.
    pub fn file(&self) -> PathBuf {
        self.file.lock().path().to_owned()
    }

    /// Says in that file where the device takes calls.
    pub fn tell_http_port(&self, port: u16) -> io::Result<()> {
        self.file.lock().tell_http_port(port)
    }

    pub fn state(&self) -> LinkState {
        let Some(link) = self.shared.link.load_full() else { return self.shared.without.lock().clone() };
        let (heard, beat) = link.heard();
        let silent = heard.elapsed();
        if silent >= STALLED_AFTER {
            let for_ms = u64::try_from(silent.as_millis()).unwrap_or(u64::MAX);
            return LinkState::Stalled { for_ms, dialog: beat.dialog };
        }
        let Hello { live_version, script_version, .. } = &link.hello;
        LinkState::Linked { live_version: live_version.clone(), script_version: script_version.clone() }
    }

    /// Who is linked.
    pub fn hello(&self) -> Option<Hello> {
        self.shared.link.load().as_ref().map(|link| link.hello.clone())
    }

    /// What the script told of itself last.
    pub fn beat(&self) -> Option<Beat> {
        self.shared.link.load().as_ref().map(|link| link.heard().1)
    }

    /// Sends a request about the Set of that number, see [`Bridge::sets`], and waits for its answer. Never called on a
    /// thread of Live's.
    pub fn request(
        &self,
        set: u64,
        message: Map<String, Value>,
        deadline: Instant,
    ) -> Result<Map<String, Value>, RequestError> {
        self.exchanges.fetch_add(1, Ordering::Relaxed);
        let link = self.shared.link.load_full();
        // A Set is counted before its link takes the place of the one before.
        if self.sets() != set {
            return Err(RequestError::NotAsked(ANOTHER_SET.to_owned()));
        }
        match link {
            Some(link) => {
                let answer = link.request(message, deadline);
                if !matches!(answer, Err(RequestError::NotAsked(_) | RequestError::NoAnswer(_))) {
                    self.answers.fetch_add(1, Ordering::AcqRel);
                }
                answer
            }
            None => Err(RequestError::NotAsked(self.shared.without.lock().sentence())),
        }
    }

    /// How many Sets of Live there were: the number of the one that is linked, or was last.
    pub fn sets(&self) -> u64 {
        self.shared.sets.load(Ordering::Acquire)
    }

    /// An id that a script gave: a script that comes later goes on behind it.
    pub fn note_id(&self, id: u64) {
        self.shared.next_id.fetch_max(id.saturating_add(1), Ordering::AcqRel);
    }

    /// An id that no script has given, for an object that is about to be made. The script may have given some that were
    /// not told yet.
    pub fn take_id(&self) -> u64 {
        self.shared.next_id.fetch_add(UNTOLD_IDS, Ordering::AcqRel).saturating_add(UNTOLD_IDS - 1)
    }

    /// How many links there were.
    pub fn links(&self) -> u64 {
        self.shared.links.load(Ordering::Acquire)
    }

    /// How many of them were answered, if only with a refusal.
    pub fn answers(&self) -> u64 {
        self.answers.load(Ordering::Acquire)
    }

    /// How many requests were sent since the device listens.
    pub fn exchanges(&self) -> u64 {
        self.exchanges.load(Ordering::Relaxed)
    }
}

impl Bridge {
    /// Listens no more and ends the link: who waits for an answer is told. Joins every thread, and
    /// leaves the bridge file to whoever wants it.
    pub fn close(&self) {
        self.shared.is_stopped.store(true, Ordering::Release);
        // What serves a connection may be the last to hold the bridge.
        let me = std::thread::current().id();
        if let Some(thread) = self.listening.lock().take() {
            // The thread waits for a connection; this one is its last.
            let _ = TcpStream::connect(self.address);
            let _ = thread.join();
        }
        // Nobody adds to them any more.
        let connections = std::mem::take(&mut *self.shared.connections.lock());
        for stream in connections.iter().filter_map(|connection| connection.stream.upgrade()) {
            // It may be closed already.
            let _ = stream.shutdown(Shutdown::Both);
        }
        for connection in connections.into_iter().filter(|connection| connection.thread.thread().id() != me) {
            let _ = connection.thread.join();
        }
        self.file.lock().remove();
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        self.close();
    }
}

impl LinkState {
    /// A word for programs.
    pub fn name(&self) -> &'static str {
        match self {
            LinkState::NotListening { .. } => "notListening",
            LinkState::NotSeen => "notSeen",
            LinkState::Refused { .. } => "refused",
            LinkState::Linked { .. } => "linked",
            LinkState::Stalled { .. } => "stalled",
            LinkState::Lost { .. } => "lost",
        }
    }

    /// What it is, and what mends it.
    pub fn sentence(&self) -> String {
        match self {
            LinkState::NotListening { why } => why.clone(),
            LinkState::NotSeen => {
                "Ableton Live was not seen yet: open Live and choose SvcDevice as a Control Surface under \
                                   Settings > Link, Tempo & MIDI"
                    .to_owned()
            }
            LinkState::Refused { script_version, why } => format!(
                "the script {script_version} in Live was refused: {why}; run `svc-device live install`, then restart Live"
            ),
            LinkState::Linked { live_version, .. } => format!("linked with Ableton Live {live_version}"),
            LinkState::Stalled { for_ms, dialog } if dialog.is_empty() => {
                format!("Ableton Live has not answered for {for_ms} ms: it is busy, or a dialog is open in it")
            }
            LinkState::Stalled { for_ms, dialog } => {
                format!("Ableton Live has not answered for {for_ms} ms; a dialog is open in it: {dialog}")
            }
            LinkState::Lost { why } => format!(
                "the link to Ableton Live was lost: {why}; it comes back by itself when Live has a Set open and SvcDevice is \
                 its Control Surface"
            ),
        }
    }
}

impl Shared {
    fn listen(self: Arc<Shared>, listener: &TcpListener) {
        for stream in listener.incoming() {
            if self.is_stopped.load(Ordering::Acquire) {
                return;
            }
            // A connection that failed at once is the other side's to try again.
            let Ok(stream) = stream else { continue };
            let mut connections = self.connections.lock();
            // Those that have ended were joined by nobody.
            connections.retain(|connection| !connection.thread.is_finished());
            if connections.len() >= MOST_CONNECTIONS {
                continue;
            }
            let (stream, serving) = (Arc::new(stream), self.clone());
            let to_close = Arc::downgrade(&stream);
            let thread = std::thread::Builder::new().name("svc-bridge-link".to_owned());
            // Without a thread it is closed, and the script tries again a second later.
            if let Ok(thread) = thread.spawn(move || serving.serve(stream)) {
                connections.push(Connection { stream: to_close, thread });
            }
        }
    }

    /// One connection, from its first frame to its end.
    fn serve(&self, stream: Arc<TcpStream>) {
        let mut cutter = FrameCutter::default();
        let Ok(Some((hello, welcome))) = self.greet(&stream, &mut cutter) else { return };
        let set = hello.set.clone();
        let Ok(link) = Link::new(stream, hello).map(Arc::new) else { return };
        link.welcome(&welcome, || {
            if std::mem::replace(&mut *self.set.lock(), set.clone()) != set {
                self.sets.fetch_add(1, Ordering::AcqRel);
            }
            if let Some(before) = self.link.swap(Some(link.clone())) {
                before.close();
            }
            self.links.fetch_add(1, Ordering::AcqRel);
        });
        (self.on_news)(BridgeNews::Link);
        let why = link.read(&mut cutter, &self.on_news);
        let last = Some(link);
        // Another one may have taken its place.
        let current = self.link.compare_and_swap(&last, None);
        if current.as_ref().zip(last.as_ref()).is_some_and(|(a, b)| Arc::ptr_eq(a, b)) {
            *self.without.lock() = LinkState::Lost { why };
            (self.on_news)(BridgeNews::Link);
        }
    }

    /// Why a Live may not link: another one is linked, and was heard a moment ago. The same one loads another Set.
    fn other_live(&self, pid: Option<u64>) -> Option<String> {
        let link = self.link.load_full()?;
        let linked = link.hello.pid;
        let is_other = pid != Some(u64::from(linked)) && link.heard().0.elapsed() < GONE_AFTER;
        is_other.then(|| format!("another Live, process {linked}, is linked with this device"))
    }

    /// Reads the first frame; gives who says it and the frame that welcomes them, `None` for who was refused.
    fn greet(&self, mut stream: &TcpStream, cutter: &mut FrameCutter) -> io::Result<Option<(Hello, Vec<u8>)>> {
        stream.set_write_timeout(Some(GREETED_WITHIN))?;
        let mut in_time = Until { stream, end: Instant::now() + GREETED_WITHIN };
        let first = cutter.next_of_at_most(MOST_HELLO_BYTES, &mut in_time)?;
        // Who does not know the token is told nothing.
        let shown = first.get("token").and_then(Value::as_str).unwrap_or_default();
        if !self.token.matches(shown.as_bytes()) {
            return Ok(None);
        }
        let spoken = first.get("protocol").and_then(Value::as_u64).unwrap_or_default();
        let version = first.get("script_version").and_then(Value::as_str).unwrap_or_default().to_owned();
        let refusal = match spoken == u64::from(PROTOCOL) {
            true => None,
            false => Some(format!("it speaks protocol {spoken}, and this device {PROTOCOL}")),
        };
        let refusal = refusal.or_else(|| self.other_live(first.get("pid").and_then(Value::as_u64)));
        let hello = match refusal {
            None => serde_json::from_value::<Hello>(Value::Object(first)).map_err(|error| error.to_string()),
            Some(why) => Err(why),
        };
        let greeting = match &hello {
            Ok(hello) => Greeting::Welcome {
                protocol: PROTOCOL,
                first_id: self.next_id.load(Ordering::Acquire),
                keep_ids: *self.set.lock() == hello.set,
            },
            Err(why) => Greeting::Refuse { text: why.clone() },
        };
        let greeting = pack(&greeting)?;
        match hello {
            Ok(hello) => Ok(Some((hello, greeting))),
            Err(why) => {
                stream.write_all(&greeting)?;
                // Who is linked stays so.
                if self.link.load().is_none() {
                    *self.without.lock() = LinkState::Refused { script_version: version, why };
                    (self.on_news)(BridgeNews::Link);
                }
                Ok(None)
            }
        }
    }
}

/// Reads until a moment and no longer, however slowly it comes.
struct Until<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl Read for Until<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        (&mut &*self.stream).read(buffer)
    }
}
