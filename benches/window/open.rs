//! A device that plays, with its window open or closed: what its threads take of a core.

use super::client::{Client, request};
use super::support::{Table, rounds};
use egui::{Context, Pos2, RawInput, Rect, Vec2};
use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use svc_device::device::{Config, Device, Persistence, ServerStatus};
use svc_device::playback::Block;
use svc_device::service::Settings;
use svc_device::service::pump::SliceThread;
use svc_device::set::Document;
use svc_device::sound::player::Player;
use svc_device::window::WindowApp;

const TRACKS: usize = 16;
const SCENES: usize = 32;
const FRAMES: u32 = 512;
const SAMPLE_RATE: f64 = 48_000.0;
/// How often the window's framework looks whether there is something to draw (`egui-baseview`).
const POLL: Duration = Duration::from_nanos(1_000_000_000 / 64);
/// Before it is measured: all was read and drawn once.
const WARM: Duration = Duration::from_secs(2);

/// What the threads took while it was measured, as parts of a core.
struct Taken {
    frames: usize,
    seconds: f64,
    threads: HashMap<String, f64>,
}

impl Taken {
    fn of(&self, name: &str) -> f64 {
        self.threads.get(name).copied().unwrap_or_default()
    }

    /// All threads of the device that are none of these.
    fn of_others(&self, named: &[&str]) -> f64 {
        self.threads.iter().filter(|(name, _)| !named.contains(&name.as_str())).map(|(_, part)| part).sum()
    }
}

pub fn run() {
    let redraw = Arc::new(AtomicBool::new(false));
    let (device, player) = Device::new(Config {
        instance: "measured".to_owned(),
        settings: Settings::default(),
        document: Document::new_set(),
        own_clock: true,
        port_override: Some(0),
        host_override: None,
        persistence: Persistence::Nowhere,
        on_change: {
            let redraw = redraw.clone();
            Box::new(move || redraw.store(true, Ordering::Relaxed))
        },
    });
    device.start(SliceThread::Model).expect("the device starts");
    let ServerStatus::Listening { port } = device.wait_for_server(Duration::from_secs(10)) else {
        panic!("the server does not listen");
    };
    furnish(port);
    let ends = Arc::new(AtomicBool::new(false));
    let playing = {
        let ends = ends.clone();
        std::thread::Builder::new().name("player".to_owned()).spawn(move || play(player, &ends)).expect("a thread")
    };
    let head = format!("window of a device, {TRACKS} x {SCENES} clips, parts of a core");
    let columns = ["frames a second", "window", "svc-window", "svc-events", "other threads", "more than closed"];
    let mut table = Table::new(&[&[head.as_str()][..], &columns].concat());
    let call = |body: &str| {
        Client::connect(port).call(&request(port, "svc-playback", body));
    };
    for (what, body) in [("stopped", r#"{"action":"stop"}"#), ("playing", r#"{"action":"play-scene","path":"s0"}"#)] {
        call(body);
        let closed = measured(&device, &redraw, None);
        let row = |name: String, taken: &Taken, more: Option<f64>| {
            let part = |part: f64| format!("{:.2} %", part * 100.0);
            let named = ["window", "svc-window", "svc-events"];
            let parts = named.map(|name| part(taken.of(name))).into_iter();
            let rate = format!("{:.1}", taken.frames as f64 / taken.seconds);
            let cells = std::iter::once(rate).chain(parts).chain([part(taken.of_others(&named))]);
            (name, cells.chain(more.map(part)).collect::<Vec<_>>())
        };
        let (name, cells) = row(format!("{what}, closed"), &closed, None);
        table.row(&name, cells);
        for size in [Vec2::new(1_040.0, 700.0), Vec2::new(1_900.0, 1_100.0)] {
            let open = measured(&device, &redraw, Some(size));
            let more = open.of_others(&[]) - closed.of_others(&[]);
            let (name, cells) = row(format!("{what}, {} x {}", size.x, size.y), &open, Some(more));
            table.row(&name, cells);
        }
    }
    table.print();
    ends.store(true, Ordering::Relaxed);
    playing.join().expect("the player ends");
}

/// A clip in each slot, all tracks audible.
fn furnish(port: u16) {
    let mut client = Client::connect(port);
    let mut call = |tool: &str, body: String| {
        client.call(&request(port, tool, &body));
    };
    call("svc-delete", r#"{"type":"track","path":"t2,t3"}"#.to_owned());
    let more = |sign: &str, count: usize| vec![sign; count].join(",");
    call("svc-create-track", format!(r#"{{"path":"{}","type":"midi"}}"#, more("t+", TRACKS - 2)));
    call("svc-create-scene", format!(r#"{{"path":"{}"}}"#, more("s+", SCENES - 8)));
    for track in 0..TRACKS {
        let paths: Vec<String> = (0..SCENES).map(|scene| format!("t{track}/s{scene}")).collect();
        let notes = "v100 n/8 C3 1|1x8@n/8";
        let (path, name) = (paths.join(","), format!("Clip of {track}"));
        call("svc-create-clip", format!(r#"{{"path":"{path}","name":"{name}","length":"1bar","notes":"{notes}"}}"#));
    }
}

/// Plays blocks when they are due, until it is to end.
fn play(mut player: Player, ends: &AtomicBool) {
    player.control().set_rate(SAMPLE_RATE as f32);
    let (mut left, mut right) = ([0.0; FRAMES as usize], [0.0; FRAMES as usize]);
    let length = Duration::from_secs_f64(f64::from(FRAMES) / SAMPLE_RATE);
    let mut due = Instant::now();
    while !ends.load(Ordering::Relaxed) {
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        due += length;
        let block = Block { sample_rate: SAMPLE_RATE, frames: FRAMES, host: None };
        player.process(&block, &mut |_| true);
        player.render(&block, &mut left, &mut right);
    }
}

/// What threads take while a window of that size is open, or none.
fn measured(device: &Arc<Device>, redraw: &Arc<AtomicBool>, size: Option<Vec2>) -> Taken {
    let (device, redraw) = (device.clone(), redraw.clone());
    let shown = std::thread::Builder::new().name("window".to_owned()).spawn(move || {
        let mut window = size.map(|size| Window::open(&device, size));
        let warm = Instant::now() + WARM;
        let end = warm + Duration::from_secs(rounds(10) as u64);
        let mut begun: Option<(HashMap<String, u64>, Instant, usize)> = None;
        let mut frames = 0;
        while Instant::now() < end {
            std::thread::sleep(POLL);
            if let Some(window) = &mut window {
                frames += usize::from(window.look(&redraw));
            }
            if begun.is_none() && Instant::now() >= warm {
                begun = Some((thread_times(), Instant::now(), frames));
            }
        }
        let (before, since, drawn) = begun.expect("it was measured");
        let seconds = since.elapsed().as_secs_f64();
        let part = |(name, nanoseconds): (String, u64)| {
            let taken = nanoseconds.saturating_sub(before.get(&name).copied().unwrap_or_default());
            (name, taken as f64 / 1e9 / seconds)
        };
        let threads = thread_times().into_iter().map(part).collect();
        Taken { frames: frames - drawn, seconds, threads }
    });
    shown.expect("a thread").join().expect("it was measured")
}

/// A window as its framework has it, but for the renderer.
struct Window {
    app: WindowApp,
    context: Context,
    size: Vec2,
    opened: Instant,
    /// When it asked to be drawn again.
    due: Option<Instant>,
}

impl Window {
    fn open(device: &Arc<Device>, size: Vec2) -> Window {
        let context = Context::default();
        svc_device::window::prepare(&context);
        let now = Instant::now();
        Window { app: WindowApp::new(device.clone()), context, size, opened: now, due: Some(now) }
    }

    /// Draws it if there is a reason to; whether it did.
    fn look(&mut self, redraw: &AtomicBool) -> bool {
        let is_due = self.due.is_some_and(|due| due <= Instant::now());
        if !redraw.swap(false, Ordering::Relaxed) && !is_due {
            return false;
        }
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, self.size));
        let time = Some(self.opened.elapsed().as_secs_f64());
        let Window { app, context, .. } = self;
        let mut output = context.run_ui(RawInput { screen_rect, time, ..RawInput::default() }, |ui| app.ui(ui));
        let primitives = context.tessellate(output.shapes, output.pixels_per_point);
        std::hint::black_box(primitives);
        // Nothing is painted.
        output.textures_delta.clear();
        let delay = output.viewport_output.values().map(|view| view.repaint_delay).min();
        self.due = delay.and_then(|delay| Instant::now().checked_add(delay));
        true
    }
}

/// Nanoseconds that the threads of the device and of the window have had of a core, by their names.
fn thread_times() -> HashMap<String, u64> {
    let mut times = HashMap::new();
    for task in fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let text = |file: &str| fs::read_to_string(task.path().join(file)).unwrap_or_default();
        let name = text("comm").trim().to_owned();
        if name.starts_with("svc-") || name == "window" {
            let time = text("schedstat").split(' ').next().and_then(|number| number.parse().ok());
            *times.entry(name).or_default() += time.unwrap_or(0);
        }
    }
    times
}
