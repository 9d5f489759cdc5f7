//! `svc-device`: the device without a DAW.
//!
//! It has a clock of its own ([`output`]), keeps settings and Set in a file ([`open_state`]), and shows the same window
//! as the plugin ([`window`]). [`stdio`] joins it, or one that runs already, to a client on stdin and stdout. [`live`]
//! looks after the script in Ableton Live, [`doctor`] says what is wrong, [`info`] what a file holds, [`diff`] what
//! is different in another, [`lint`] what is wrong in it, [`convert`]
//! writes it as another, [`render`] as sound. Exit codes: 0 asked to end, or all is well; 1 it cannot run, something is
//! wrong, or the last change could not be saved (stderr says why and what to do); 2 wrong arguments; 3 what was
//! rendered is silent.

mod arguments;
mod console;
mod convert;
mod device_client;
mod diff;
mod doctor;
mod heap;
mod heard_body;
mod help;
mod info;
mod lint;
mod live;
mod open_state;
mod output;
mod render;
mod stdio;
mod wake_signal;
mod window;

use arguments::{Command, LiveAction, Options};
use console::{log, log_lines, print, print_help};
use egui_baseview::RepaintNotifier;
use open_state::OpenState;
use output::Output;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use stdio::{PortUser, Stdio};
use svc_device::device::file_lock::NameLock;
use svc_device::device::recovery::user_folder;
use svc_device::device::{Config, Device, Persistence, RETRYING, ServerStatus};
use svc_device::service::access::{Access, Token, read_token, token_file};
use svc_device::service::pump::SliceThread;
use wake_signal::{Wake, WakeSignal};

/// How long a window may take to close once everything behind it has ended.
const WINDOW_LIMIT: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    wake_signal::outlive_file_limits();
    match arguments::parse(std::env::args_os().skip(1)) {
        Ok(Command::Help(topic)) => {
            print_help(topic.text());
            ExitCode::SUCCESS
        }
        Ok(Command::Version) => {
            print(&format!("svc-device {}", svc_device::VERSION));
            ExitCode::SUCCESS
        }
        Ok(Command::Run(options)) => run(options).unwrap_or_else(fail),
        Ok(Command::Mcp(options, headers)) => serve_stdio(options, headers).unwrap_or_else(fail),
        Ok(Command::Live(action, options)) => run_live(action, &options).unwrap_or_else(fail),
        Ok(Command::Doctor(options)) => doctor::run(&options),
        Ok(Command::Info(file, options)) => info::run(&file, &options).unwrap_or_else(fail),
        Ok(Command::Diff(before, after, options)) => diff::run(&before, &after, options.json),
        Ok(Command::Lint(file, options)) => lint::run(&file, options.json),
        Ok(Command::Convert(from, to, damage)) => convert::run(&from, &to, damage).unwrap_or_else(fail),
        Ok(Command::Render(arguments)) => render::run(&arguments).unwrap_or_else(fail),
        Err(why) => {
            log_lines(&[why.as_str(), "Try: svc-device --help"]);
            ExitCode::from(2)
        }
    }
}

fn run_live(action: LiveAction, options: &Options) -> Result<ExitCode, String> {
    let token = match action {
        LiveAction::Check | LiveAction::Status => shown_token(options)?,
        LiveAction::Install | LiveAction::Remove => None,
    };
    live::run(action, options, token)
}

fn fail(why: String) -> ExitCode {
    log(&why);
    ExitCode::FAILURE
}

/// A device that was started.
struct RunningDevice {
    device: Arc<Device>,
    output: Output,
    lock: NameLock,
    signal: WakeSignal,
    repaint: RepaintNotifier,
}

fn start(options: Options, token: Option<Token>) -> Result<RunningDevice, String> {
    let Options { data_dir, open, port, host, midi_out, damage, .. } = options;
    let opened = open_state::open(data_dir, open, damage)?;
    let OpenState { file, settings, document, id, changes, unreadable, lock } = opened;
    let signal = WakeSignal::default();
    // From here on the end is orderly.
    wake_signal::stop_on_signals(signal.clone()).map_err(|e| format!("cannot listen for signals: {e}"))?;
    let repaint = RepaintNotifier::new();
    let on_change = {
        let (signal, repaint) = (signal.clone(), repaint.clone());
        Box::new(move || {
            signal.raise_change();
            repaint.request_repaint();
        })
    };
    let path = file.path().display().to_string();
    let (device, player) = Device::new(Config {
        instance: format!("standalone, process {}", std::process::id()),
        settings,
        document,
        own_clock: true,
        port_override: port,
        host_override: host,
        persistence: Persistence::File(file),
        on_change,
    });
    device.project.opened(&id, changes);
    if let Some(token) = token {
        device.service.access().restore(Access::Token(token));
    }
    if let Some(unreadable) = unreadable {
        log(&format!("{path}: {}. The file stays as it is.", unreadable.why));
        device.set.keep_unreadable(unreadable);
    }
    let output = Output::start(player, device.set.midi_port().clone(), midi_out.as_deref())?;
    device.start(SliceThread::Model)?;
    Ok(RunningDevice { device, output, lock, signal, repaint })
}

fn run(options: Options) -> Result<ExitCode, String> {
    let headless = options.headless;
    let token = given_token(&options)?;
    let RunningDevice { device, output, lock, signal, repaint } = start(options, token)?;
    let announce = |port| print(&listening_line(port));
    let windowed = !headless && window::has_display();
    if !headless && !windowed {
        log("there is no display: running without a window, as with --headless");
    }
    if !windowed {
        let end = watch_status(&device, &signal, false, announce);
        let saved = shut_down(&device, output);
        drop(lock);
        return end.map(|()| saved.into());
    }
    let watcher = {
        let (device, signal, repaint) = (device.clone(), signal.clone(), repaint.clone());
        let watcher = std::thread::Builder::new().name("svc-watch".to_owned()).spawn(move || {
            // With a window it ends only when asked to.
            let _ = watch_status(&device, &signal, true, announce);
            let saved = shut_down(&device, output);
            drop(lock);
            repaint.request_repaint();
            saved
        });
        watcher.map_err(|e| format!("cannot start a thread: {e}"))?
    };
    run_window(signal.clone(), watcher, || window::run(device, signal, repaint))
}

fn listening_line(port: u16) -> String {
    format!("svc-device listening on http://127.0.0.1:{port}")
}

/// The token in the file that the command line names.
fn given_token(options: &Options) -> Result<Option<Token>, String> {
    let Some(file) = &options.token_file else { return Ok(None) };
    let token = read_token(file).map_err(|why| format!("{why}; write it anew, or leave --token-file out"))?;
    token.map(Some).ok_or_else(|| format!("there is no file {} to read a token from", file.display()))
}

/// The token that the user has set for all devices, if so.
fn kept_token(options: &Options) -> Result<Option<Token>, String> {
    let folder = options.data_dir.clone().or_else(user_folder);
    folder.map_or(Ok(None), |folder| read_token(&token_file(&folder)))
}

/// The token to show to a device that runs: the one that is named, else the one that is set.
fn shown_token(options: &Options) -> Result<Option<Token>, String> {
    match given_token(options)? {
        Some(token) => Ok(Some(token)),
        None => kept_token(options),
    }
}

/// Serves a client on stdin and stdout: by the device that runs already, or by one of our own.
fn serve_stdio(options: Options, mut headers: Vec<(String, String)>) -> Result<ExitCode, String> {
    let port = options.port.unwrap_or(svc_device::service::Settings::default().port);
    let given = given_token(&options)?;
    let token = shown_token(&options)?;
    headers.extend(token.map(|token| ("authorization".to_owned(), format!("Bearer {}", token.as_str()))));
    let stdio = Stdio::new(headers)?;
    match stdio.probe(port) {
        PortUser::Device => return stdio.serve(port).map(|()| ExitCode::SUCCESS),
        PortUser::Other => {
            return Err(format!(
                "something other than svc-device answers on port {port}; choose the device's with --port N"
            ));
        }
        PortUser::Nothing => {}
    }
    let running = match start(Options { port: Some(port), ..options }, given) {
        Ok(running) => running,
        // Another one of us may be starting on the same files.
        Err(_) if stdio.wait_for_device(port) => return stdio.serve(port).map(|()| ExitCode::SUCCESS),
        Err(why) => return Err(format!("{why}; if it listens on another port, name that with --port N")),
    };
    let RunningDevice { device, output, lock, signal, .. } = running;
    let (ready, started) = std::sync::mpsc::channel();
    let client = {
        let signal = signal.clone();
        std::thread::Builder::new().name("svc-stdio".to_owned()).spawn(move || {
            if let Ok(port) = started.recv()
                && let Err(why) = stdio.serve(port)
            {
                log(&why);
            }
            signal.raise_stop();
        })
    };
    client.map_err(|e| format!("cannot start a thread: {e}"))?;
    let end = watch_status(&device, &signal, false, |port| {
        // Stdout belongs to the protocol.
        log(&listening_line(port));
        let _ = ready.send(port);
    });
    let saved = shut_down(&device, output);
    drop(lock);
    end.map(|()| saved.into())
}

/// Says where the device listens, until it is asked to end. Where no window could show that it cannot listen, that ends
/// it, with the reason.
fn watch_status(device: &Device, signal: &WakeSignal, windowed: bool, announce: impl Fn(u16)) -> Result<(), String> {
    let mut announced = ServerStatus::Off;
    let mut heap = heap::HeapWatch::default();
    loop {
        let status = device.server_status();
        if status != announced {
            match &status {
                ServerStatus::Off => {}
                ServerStatus::Listening { port } => announce(*port),
                ServerStatus::Waiting { why } if windowed => log(why),
                ServerStatus::Waiting { why } => {
                    let why = why.strip_suffix(RETRYING).unwrap_or(why);
                    let why = why.trim_end_matches('.');
                    return Err(format!("{why}. To choose: --port N, or --port 0 for any free one"));
                }
            }
            announced = status;
        }
        match signal.wait(heap.trim_at()) {
            Wake::Stop => return Ok(()),
            Wake::Change => heap.changed(),
            Wake::Late => heap.trim(),
        }
    }
}

/// How a device ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Saved,
    /// The last change is not in the file.
    NotSaved,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> ExitCode {
        if ending == Ending::Saved { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Silence first, then the answers to all calls, then the file.
fn shut_down(device: &Device, output: Output) -> Ending {
    output.stop();
    if !device.stop() {
        log("a thread did not end in time");
    }
    match device.save_failure() {
        None => Ending::Saved,
        Some(why) => {
            log(&format!("the last changes are not saved. {why}"));
            Ending::NotSaved
        }
    }
}

/// Runs the window; the process ends when the window is closed, and when it is asked to even if the window does not
/// close. A window that fails leaves the device running without one.
fn run_window(
    signal: WakeSignal,
    watcher: JoinHandle<Ending>,
    show: impl FnOnce() -> Result<(), String>,
) -> Result<ExitCode, String> {
    let closed = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let guard = {
        let closed = closed.clone();
        std::thread::Builder::new().name("svc-exit".to_owned()).spawn(move || {
            // A panic was reported where it happened; what became of the file is not known then.
            let ending = watcher.join().unwrap_or(Ending::NotSaved);
            let limit = Instant::now() + WINDOW_LIMIT;
            while !closed.load(std::sync::atomic::Ordering::Acquire) && Instant::now() < limit {
                std::thread::sleep(Duration::from_millis(5));
            }
            if !closed.load(std::sync::atomic::Ordering::Acquire) {
                std::process::exit(i32::from(ending != Ending::Saved));
            }
            ending
        })
    };
    let guard = guard.map_err(|e| format!("cannot start a thread: {e}"))?;
    let shown = show();
    closed.store(true, std::sync::atomic::Ordering::Release);
    match shown {
        Ok(()) => signal.raise_stop(),
        Err(why) => log(&format!("no window ({why}); running without it")),
    }
    Ok(guard.join().unwrap_or(Ending::NotSaved).into())
}
