//! Keeps this library mapped for the rest of the process: the last resort when a thread of ours would not end.

#[cfg(unix)]
pub fn pin_library() {
    use std::ffi::{c_char, c_int, c_void};

    #[repr(C)]
    struct DlInfo {
        file_name: *const c_char,
        file_base: *mut c_void,
        symbol_name: *const c_char,
        symbol_address: *mut c_void,
    }

    unsafe extern "C" {
        fn dladdr(address: *const c_void, info: *mut DlInfo) -> c_int;
        fn dlopen(file_name: *const c_char, flags: c_int) -> *mut c_void;
    }

    const RTLD_LAZY: c_int = 1;
    #[cfg(target_os = "macos")]
    const RTLD_NODELETE: c_int = 0x80;
    #[cfg(not(target_os = "macos"))]
    const RTLD_NODELETE: c_int = 0x1000;

    let mut info = DlInfo {
        file_name: std::ptr::null(),
        file_base: std::ptr::null_mut(),
        symbol_name: std::ptr::null(),
        symbol_address: std::ptr::null_mut(),
    };
    // SAFETY: `dladdr` only reads the address and fills `info`, whose layout is that of `Dl_info` in both C libraries.
    // The name it gives is a C string owned by the loader, valid while the library is mapped, which it is: it runs
    // this.
    unsafe {
        if dladdr(pin_library as *const c_void, &mut info) != 0 && !info.file_name.is_null() {
            dlopen(info.file_name, RTLD_LAZY | RTLD_NODELETE);
        }
    }
}

#[cfg(windows)]
pub fn pin_library() {
    use std::ffi::c_void;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetModuleHandleExW(flags: u32, name: *const u16, module: *mut *mut c_void) -> i32;
    }

    const PIN: u32 = 1;
    const FROM_ADDRESS: u32 = 4;
    let mut module = std::ptr::null_mut();
    // SAFETY: with FROM_ADDRESS the name is any address inside the module; the function's own is one.
    unsafe {
        GetModuleHandleExW(PIN | FROM_ADDRESS, pin_library as *const u16, &mut module);
    }
}
