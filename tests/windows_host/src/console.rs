//! A program in a console of its own, and what happens to that console.
//!
//! Windows tells a program of each of these by a thread that it starts in it, at `CtrlRoutine`; when that thread has
//! returned from a close, or after 5 s, Windows ends the program. Wine does the first for Ctrl+C alone, so the other
//! events are told here the way Windows tells them.

use std::io::{BufRead, Write};
use std::os::windows::io::AsRawHandle;
use std::process::{Child, Command};
use windows_sys::Win32::Foundation::{HANDLE, WAIT_OBJECT_0, WAIT_TIMEOUT};
use windows_sys::Win32::System::Console::{
    AllocConsole, CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT, CTRL_SHUTDOWN_EVENT,
    FreeConsole, GenerateConsoleCtrlEvent, GetStdHandle, STD_ERROR_HANDLE, STD_HANDLE, STD_INPUT_HANDLE,
    STD_OUTPUT_HANDLE, SetConsoleCtrlHandler, SetStdHandle,
};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleA, GetProcAddress};
use windows_sys::Win32::System::Threading::{
    CreateRemoteThread, GetExitCodeThread, TerminateProcess, WaitForMultipleObjects,
};

const PIPES: [STD_HANDLE; 3] = [STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE];
/// What Windows leaves a program after a close.
const CLOSE_MILLISECONDS: u32 = 5000;
/// The exit code of a program that Windows had to end.
const ENDED_BY_WINDOWS: u32 = 0xC000_013A;

/// What is meant for the program does not end this one.
unsafe extern "system" fn ignore(_: u32) -> i32 {
    1
}

/// Starts the program in a new console, with our stdout and stderr, and does what a line on stdin says: `ctrl-c`,
/// `ctrl-break`, `close`, `logoff` or `shutdown`. When the program has ended it says `ended` and its exit code.
pub fn run(program: &str, arguments: &[&str]) {
    // SAFETY: these take no pointers but the handler, which lives as long as the program, and handles that stay open.
    unsafe {
        let ours = PIPES.map(|pipe| GetStdHandle(pipe));
        FreeConsole();
        assert!(AllocConsole() != 0, "a console: {}", std::io::Error::last_os_error());
        // The new console takes their places.
        for (pipe, handle) in PIPES.into_iter().zip(ours) {
            assert!(SetStdHandle(pipe, handle) != 0);
        }
        assert!(SetConsoleCtrlHandler(Some(ignore), 1) != 0);
    }
    let mut child = Command::new(program).args(arguments).spawn().expect("the program starts");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).expect("a line on stdin");
    match line.trim() {
        // SAFETY: no pointers are handed over.
        "ctrl-c" => assert!(unsafe { GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0) } != 0),
        "ctrl-break" => _ = tell(&child, CTRL_BREAK_EVENT),
        "close" => tell_and_end(&child, CTRL_CLOSE_EVENT),
        "logoff" => tell_and_end(&child, CTRL_LOGOFF_EVENT),
        "shutdown" => tell_and_end(&child, CTRL_SHUTDOWN_EVENT),
        other => panic!("{other:?} is nothing that happens to a console"),
    }
    let status = child.wait().expect("the program can be waited for");
    println!("ended {}", status.code().map_or("without a code".to_owned(), |code| format!("{code:#x}")));
    std::io::stdout().flush().expect("stdout takes it");
}

/// Tells the program of an event; gives the thread that does.
fn tell(child: &Child, event: u32) -> HANDLE {
    // SAFETY: the library and its function are there in every process of the session, at one address; the handle is the
    // program's, which is not waited for yet.
    unsafe {
        let routine =
            GetProcAddress(GetModuleHandleA(c"kernelbase.dll".as_ptr().cast()), c"CtrlRoutine".as_ptr().cast());
        let routine = routine.expect("what Windows starts such threads at");
        let routine = std::mem::transmute::<
            unsafe extern "system" fn() -> isize,
            unsafe extern "system" fn(*mut std::ffi::c_void) -> u32,
        >(routine);
        let (none, argument) = (std::ptr::null(), event as usize as *const std::ffi::c_void);
        let thread =
            CreateRemoteThread(child.as_raw_handle(), none, 0, Some(routine), argument, 0, std::ptr::null_mut());
        assert!(!thread.is_null(), "a thread in it: {}", std::io::Error::last_os_error());
        thread
    }
}

/// As [`tell`]; then ends the program as Windows does, if it has not ended by itself.
fn tell_and_end(child: &Child, event: u32) {
    let thread = tell(child, event);
    let both = [child.as_raw_handle(), thread];
    // SAFETY: both handles are open.
    unsafe {
        let first = WaitForMultipleObjects(2, both.as_ptr(), 0, CLOSE_MILLISECONDS);
        // A program that ends takes its threads with it, and its own code becomes theirs. One that came back gave 1.
        let mut code = 0;
        assert!(GetExitCodeThread(thread, &mut code) != 0);
        let came_back = first == WAIT_OBJECT_0 + 1 && code == 1;
        if came_back || first == WAIT_TIMEOUT {
            TerminateProcess(child.as_raw_handle(), ENDED_BY_WINDOWS);
        }
    }
}
