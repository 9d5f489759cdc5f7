//! What the main thread sleeps on: a change of the device, and the request to stop.

use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::time::Instant;

#[derive(Default)]
struct Pending {
    change: bool,
    stop: bool,
}

/// Raised from any thread; raising it never waits long.
#[derive(Clone, Default)]
pub struct WakeSignal {
    pending: Arc<(Mutex<Pending>, Condvar)>,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// Something changed.
    Change,
    Stop,
    /// The time came first.
    Late,
}

impl WakeSignal {
    pub fn raise_change(&self) {
        self.pending.0.lock().change = true;
        self.pending.1.notify_all();
    }

    /// Asks the device to stop; for good.
    pub fn raise_stop(&self) {
        self.pending.0.lock().stop = true;
        self.pending.1.notify_all();
    }

    pub fn is_stopping(&self) -> bool {
        self.pending.0.lock().stop
    }

    /// Waits until it is raised, or until then.
    pub fn wait(&self, until: Option<Instant>) -> Wake {
        let mut pending = self.pending.0.lock();
        loop {
            if pending.stop {
                return Wake::Stop;
            }
            if std::mem::take(&mut pending.change) {
                return Wake::Change;
            }
            match until {
                None => self.pending.1.wait(&mut pending),
                Some(until) if self.pending.1.wait_until(&mut pending, until).timed_out() => return Wake::Late,
                Some(_) => {}
            }
        }
    }
}

/// A file that reaches the limit of its size does not end the program from now on: writing fails with a reason, which
/// is told.
#[cfg(unix)]
pub fn outlive_file_limits() {
    // Without it the system's own way of ending is left.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Windows has no such limit.
#[cfg(windows)]
pub fn outlive_file_limits() {}

/// From now on the signals of the system that ask a program to end raise a stop instead.
#[cfg(unix)]
pub fn stop_on_signals(signal: WakeSignal) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new().name("svc-signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            signal.raise_stop();
        }
    })?;
    Ok(())
}

/// From now on Ctrl+C, Ctrl+Break, a closed console and the end of the session raise a stop instead. After a close
/// Windows gives the program 5 s: whoever told it of the event holds it up until the process has ended by itself.
#[cfg(windows)]
pub fn stop_on_signals(signal: WakeSignal) -> std::io::Result<()> {
    use tokio::runtime::Builder;
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown};
    let runtime = Builder::new_current_thread().build()?;
    let (mut c, mut pause, mut close) = (ctrl_c()?, ctrl_break()?, ctrl_close()?);
    let (mut logoff, mut shutdown) = (ctrl_logoff()?, ctrl_shutdown()?);
    std::thread::Builder::new().name("svc-signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            // As long as somebody listens, Windows does not end the program by itself.
            loop {
                tokio::select! {
                    _ = c.recv() => {}
                    _ = pause.recv() => {}
                    _ = close.recv() => {}
                    _ = logoff.recv() => {}
                    _ = shutdown.recv() => {}
                }
                signal.raise_stop();
            }
        });
    })?;
    Ok(())
}
