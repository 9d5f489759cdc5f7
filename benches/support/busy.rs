//! Programs that take all the processor time they are given, as a DAW and its plugins do.

use std::io::Read;
use std::process::{Child, Command, Stdio};

const SPIN: &str = "--spin";

/// For the first line of `main`: whether this process is one of them. It has then been spinning until it was let go.
pub fn was_one() -> bool {
    if std::env::args().nth(1).as_deref() != Some(SPIN) {
        return false;
    }
    std::thread::spawn(|| {
        loop {
            std::hint::spin_loop();
        }
    });
    // Ends when whoever started it does, too.
    let _ = std::io::stdin().read(&mut [0]);
    true
}

/// Two of them, until it is dropped.
pub struct Busy(Vec<Child>);

impl Busy {
    pub fn start() -> Busy {
        let program = std::env::current_exe().expect("this program has a path");
        let spin = || Command::new(&program).arg(SPIN).stdin(Stdio::piped()).spawn().expect("it starts again");
        Busy((0..2).map(|_| spin()).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for mut child in self.0.drain(..) {
            drop(child.stdin.take());
            // It has nothing to tell.
            let _ = child.wait();
        }
    }
}
