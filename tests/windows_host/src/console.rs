//! A program in a console of its own, and what a user does to that console.

use std::io::{BufRead, Write};
use std::process::Command;
use windows_sys::Win32::System::Console::{
    AllocConsole, CTRL_BREAK_EVENT, CTRL_C_EVENT, FreeConsole, GenerateConsoleCtrlEvent, GetConsoleWindow,
    SetConsoleCtrlHandler,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{PostMessageW, WM_CLOSE};

/// Survives what is meant for the program: a close would end this one before the program's end can be told.
unsafe extern "system" fn ignore(event: u32) -> i32 {
    if event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT {
        loop {
            std::thread::park();
        }
    }
    1
}

/// Starts the program in a new console, with our stdout and stderr, and does what each line on stdin says: `ctrl-c`,
/// `ctrl-break` or `close`. When the program has ended it says `ended` and its exit code.
pub fn run(program: &str, arguments: &[&str]) {
    // SAFETY: these take no pointers but the handler, which lives as long as the program.
    unsafe {
        FreeConsole();
        assert!(AllocConsole() != 0, "a console: {}", std::io::Error::last_os_error());
        assert!(SetConsoleCtrlHandler(Some(ignore), 1) != 0);
    }
    let mut child = Command::new(program).args(arguments).spawn().expect("the program starts");
    std::thread::spawn(|| {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            raise(&line);
        }
    });
    let status = child.wait().expect("the program can be waited for");
    println!("ended {}", status.code().map_or("without a code".to_owned(), |code| format!("{code:#x}")));
    std::io::stdout().flush().expect("stdout takes it");
    // The console goes with it, and our own handler waits for ever.
    std::process::exit(0);
}

fn raise(what: &str) {
    // SAFETY: no pointers are handed over.
    unsafe {
        match what {
            "ctrl-c" => assert!(GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0) != 0),
            "ctrl-break" => assert!(GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, 0) != 0),
            "close" => assert!(PostMessageW(GetConsoleWindow(), WM_CLOSE, 0, 0) != 0, "a console's window"),
            other => panic!("{other:?} is nothing that is done to a console"),
        }
    }
}
