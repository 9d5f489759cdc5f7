//! `svc-device`: the device without a DAW.
//!
//! It has a clock of its own ([`output`]), keeps settings and Set in a file ([`state_file`]), and shows the same window as
//! the plugin ([`window_face`]). Exit codes: 0 asked to end, 1 it cannot run (stderr says why and what to do), 2 wrong
//! arguments.

mod arguments;
mod bell;
mod output;
mod say;
mod state_file;
mod window_face;

use arguments::{Command, Options};
use bell::{Bell, Wake};
use egui_baseview::RepaintNotifier;
use output::Output;
use say::{print, say};
use state_file::StateFile;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
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
        Ok(Command::Run(options)) => run(options).unwrap_or_else(|why| {
            say(&why);
            ExitCode::FAILURE
        }),
        Err(why) => {
            say(&format!("{why}\nTry: svc-device --help"));
            ExitCode::from(2)
        }
    }
}

fn run(options: Options) -> Result<ExitCode, String> {
    let StateFile { store, settings, document, held, lock } = state_file::open(options.data_dir, options.open)?;
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
        port_override: options.port,
        keeping: Keeping::File(store),
        on_news,
    });
    if let Some(held) = held {
        say(&format!("{file}: {}. The file stays as it is.", held.why));
        device.keeper.hold(held);
    }
    let output = Output::start(engine)?;
    device.start(Turner::ModelThread)?;

    let windowed = !options.headless && window_face::has_display();
    if !options.headless && !windowed {
        say("there is no display: running without a window, as with --headless");
    }
    if !windowed {
        let end = watch(&device, &bell, false);
        close_down(&device, output);
        drop(lock);
        return end.map(|()| ExitCode::SUCCESS);
    }
    let watcher = {
        let (device, bell, repaint) = (device.clone(), bell.clone(), repaint.clone());
        let watcher = std::thread::Builder::new().name("svc-watch".to_owned()).spawn(move || {
            // With a window it ends only when asked to.
            let _ = watch(&device, &bell, true);
            close_down(&device, output);
            drop(lock);
            repaint.request_repaint();
        });
        watcher.map_err(|e| format!("cannot start a thread: {e}"))?
    };
    exit_past_window(bell.clone(), watcher, || window_face::run(device, bell, repaint))
}

/// Says where the device listens, until it is asked to end. Where no window could show that it cannot listen, that ends
/// it, with the reason.
fn watch(device: &Device, bell: &Bell, windowed: bool) -> Result<(), String> {
    let mut told = ServerStatus::Off;
    loop {
        let status = device.server_status();
        if status != told {
            match &status {
                ServerStatus::Off => {}
                ServerStatus::Listening { port } => print(&format!("svc-device listening on http://127.0.0.1:{port}")),
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
