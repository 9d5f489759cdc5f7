//! `svc-device`: the device without a DAW.
//!
//! It has a clock of its own ([`output`]), keeps settings and Set in a file ([`state_file`]), and shows the same window as
//! the plugin ([`window_face`]). [`stdio`] joins it, or one that runs already, to a client on stdin and stdout. Exit codes: 0 asked to end, 1 it cannot run (stderr says why and what to do), 2 wrong
//! arguments.

mod arguments;
mod bell;
mod output;
mod say;
mod state_file;
mod stdio;
mod window_face;

use arguments::{Command, Options};
use bell::{Bell, Wake};
use egui_baseview::RepaintNotifier;
use output::Output;
use say::{print, say};
use state_file::{Lock, StateFile};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use stdio::{Found, Stdio};
use svc_device::device::{Config, Device, Keeping, RETRYING, ServerStatus};
use svc_device::service::pump::Turner;

/// How long a window may take to close once everything behind it has ended.
const WINDOW_LIMIT: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    match arguments::parse(std::env::args_os().skip(1)) {
        Ok(Command::Help) => {
            print(arguments::HELP);
            ExitCode::SUCCESS
        }
        Ok(Command::Version) => {
            print(&format!("svc-device {}", svc_device::VERSION));
            ExitCode::SUCCESS
        }
        Ok(Command::Run(options)) => run(options).unwrap_or_else(fail),
        Ok(Command::Mcp(options, headers)) => serve_stdio(options, headers).unwrap_or_else(fail),
        Err(why) => {
            say(&format!("{why}\nTry: svc-device --help"));
            ExitCode::from(2)
        }
    }
}

fn fail(why: String) -> ExitCode {
    say(&why);
    ExitCode::FAILURE
}

/// A device that was started.
struct Running {
    device: Arc<Device>,
    output: Output,
    lock: Lock,
    bell: Bell,
    repaint: RepaintNotifier,
}

fn start(data_dir: Option<PathBuf>, open: Option<PathBuf>, port: Option<u16>) -> Result<Running, String> {
    let StateFile { store, settings, document, held, lock } = state_file::open(data_dir, open)?;
    let bell = Bell::default();
    // From here on the end is orderly.
    bell::end_on_signals(bell.clone()).map_err(|e| format!("cannot listen for signals: {e}"))?;
    let repaint = RepaintNotifier::new();
    let on_news = {
        let (bell, repaint) = (bell.clone(), repaint.clone());
        Box::new(move || {
            bell.news();
            repaint.request_repaint();
        })
    };
    let file = store.file().display().to_string();
    let (device, engine) = Device::new(Config {
        instance: format!("standalone, process {}", std::process::id()),
        settings,
        document,
        own_clock: true,
        port_override: port,
        keeping: Keeping::File(store),
        on_news,
    });
    if let Some(held) = held {
        say(&format!("{file}: {}. The file stays as it is.", held.why));
        device.keeper.hold(held);
    }
    let output = Output::start(engine)?;
    device.start(Turner::ModelThread)?;
    Ok(Running { device, output, lock, bell, repaint })
}

fn run(options: Options) -> Result<ExitCode, String> {
    let Running { device, output, lock, bell, repaint } = start(options.data_dir, options.open, options.port)?;
    let announce = |port| print(&listening(port));
    let windowed = !options.headless && window_face::has_display();
    if !options.headless && !windowed {
        say("there is no display: running without a window, as with --headless");
    }
    if !windowed {
        let end = watch(&device, &bell, false, announce);
        close_down(&device, output);
        drop(lock);
        return end.map(|()| ExitCode::SUCCESS);
    }
    let watcher = {
        let (device, bell, repaint) = (device.clone(), bell.clone(), repaint.clone());
        let watcher = std::thread::Builder::new().name("svc-watch".to_owned()).spawn(move || {
            // With a window it ends only when asked to.
            let _ = watch(&device, &bell, true, announce);
            close_down(&device, output);
            drop(lock);
            repaint.request_repaint();
        });
        watcher.map_err(|e| format!("cannot start a thread: {e}"))?
    };
    exit_past_window(bell.clone(), watcher, || window_face::run(device, bell, repaint))
}

fn listening(port: u16) -> String {
    format!("svc-device listening on http://127.0.0.1:{port}")
}

/// Serves a client on stdin and stdout: by the device that runs already, or by one of our own.
fn serve_stdio(options: Options, headers: Vec<(String, String)>) -> Result<ExitCode, String> {
    let port = options.port.unwrap_or(svc_device::service::Settings::default().port);
    let stdio = Stdio::new(headers)?;
    match stdio.look(port) {
        Found::Device => return stdio.serve(port).map(|()| ExitCode::SUCCESS),
        Found::Other => {
            return Err(format!(
                "something other than svc-device answers on port {port}; choose the device's with --port N"
            ));
        }
        Found::Nothing => {}
    }
    let running = match start(options.data_dir, options.open, Some(port)) {
        Ok(running) => running,
        // Another one of us may be starting on the same files.
        Err(_) if stdio.comes_up(port) => return stdio.serve(port).map(|()| ExitCode::SUCCESS),
        Err(why) => return Err(format!("{why}; if it listens on another port, name that with --port N")),
    };
    let Running { device, output, lock, bell, .. } = running;
    let (ready, started) = std::sync::mpsc::channel();
    let client = {
        let bell = bell.clone();
        std::thread::Builder::new().name("svc-stdio".to_owned()).spawn(move || {
            if let Ok(port) = started.recv()
                && let Err(why) = stdio.serve(port)
            {
                say(&why);
            }
            bell.end();
        })
    };
    client.map_err(|e| format!("cannot start a thread: {e}"))?;
    let end = watch(&device, &bell, false, |port| {
        // Stdout belongs to the protocol.
        say(&listening(port));
        let _ = ready.send(port);
    });
    close_down(&device, output);
    drop(lock);
    end.map(|()| ExitCode::SUCCESS)
}

/// Says where the device listens, until it is asked to end. Where no window could show that it cannot listen, that ends
/// it, with the reason.
fn watch(device: &Device, bell: &Bell, windowed: bool, announce: impl Fn(u16)) -> Result<(), String> {
    let mut told = ServerStatus::Off;
    loop {
        let status = device.server_status();
        if status != told {
            match &status {
                ServerStatus::Off => {}
                ServerStatus::Listening { port } => announce(*port),
                ServerStatus::Waiting { why } if windowed => say(why),
                ServerStatus::Waiting { why } => {
                    let why = why.strip_suffix(RETRYING).unwrap_or(why);
                    return Err(format!("{why}\nTo choose: --port N, or --port 0 for any free one"));
                }
            }
            told = status;
        }
        if bell.wait() == Wake::End {
            return Ok(());
        }
    }
}

/// Silence first, then the answers to all calls, then the file.
fn close_down(device: &Device, output: Output) {
    output.stop();
    if !device.stop() {
        say("a thread did not end in time");
    }
}

/// Runs the window; the process ends when the window is closed, and when it is asked to even if the window does not
/// close. A window that fails leaves the device running without one.
fn exit_past_window(
    bell: Bell,
    watcher: JoinHandle<()>,
    window: impl FnOnce() -> Result<(), String>,
) -> Result<ExitCode, String> {
    let closed = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let guard = {
        let closed = closed.clone();
        std::thread::Builder::new().name("svc-exit".to_owned()).spawn(move || {
            let _ = watcher.join();
            let limit = Instant::now() + WINDOW_LIMIT;
            while !closed.load(std::sync::atomic::Ordering::Acquire) && Instant::now() < limit {
                std::thread::sleep(Duration::from_millis(5));
            }
            if !closed.load(std::sync::atomic::Ordering::Acquire) {
                std::process::exit(0);
            }
        })
    };
    let guard = guard.map_err(|e| format!("cannot start a thread: {e}"))?;
    let shown = window();
    closed.store(true, std::sync::atomic::Ordering::Release);
    match shown {
        Ok(()) => bell.end(),
        Err(why) => say(&format!("no window ({why}); running without it")),
    }
    let _ = guard.join();
    Ok(ExitCode::SUCCESS)
}
