//! What the device waits for: news to look at, and the wish that it ends.

use parking_lot::{Condvar, Mutex};
use std::sync::Arc;

#[derive(Default)]
struct Rung {
    news: bool,
    end: bool,
}

/// Rung from any thread; ringing waits for nothing that takes time.
#[derive(Clone, Default)]
pub struct Bell {
    rung: Arc<(Mutex<Rung>, Condvar)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// Something changed.
    News,
    End,
}

impl Bell {
    pub fn news(&self) {
        self.rung.0.lock().news = true;
        self.rung.1.notify_all();
    }

    /// Asks the device to end; for good.
    pub fn end(&self) {
        self.rung.0.lock().end = true;
        self.rung.1.notify_all();
    }

    pub fn is_ending(&self) -> bool {
        self.rung.0.lock().end
    }

    /// Waits for the next ring.
    pub fn wait(&self) -> Wake {
        let mut rung = self.rung.0.lock();
        loop {
            if rung.end {
                return Wake::End;
            }
            if std::mem::take(&mut rung.news) {
                return Wake::News;
            }
            self.rung.1.wait(&mut rung);
        }
    }
}

/// From now on the signals that ask a program to end ring the bell instead.
#[cfg(unix)]
pub fn end_on_signals(bell: Bell) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new().name("svc-signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            bell.end();
        }
    })?;
    Ok(())
}

/// Windows knows Ctrl-C only, and its handler may do no more than raise a flag.
#[cfg(not(unix))]
pub fn end_on_signals(bell: Bell) -> std::io::Result<()> {
    use std::sync::atomic::{AtomicBool, Ordering};
    let raised = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, raised.clone())?;
    }
    std::thread::Builder::new().name("svc-signals".to_owned()).spawn(move || {
        while !raised.load(Ordering::Acquire) {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        bell.end();
    })?;
    Ok(())
}
