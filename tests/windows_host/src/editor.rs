//! The plugin's window inside a window of the host's.

use crate::messages;
use crate::support::clap_host::Library;
use crate::support::vst3_host::Module;
use clack_extensions::gui::{GuiApiType, GuiConfiguration, PluginGui, Window};
use std::ffi::c_void;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use vst3::ComPtr;
use vst3::Steinberg::Vst::IEditControllerTrait;
use vst3::Steinberg::{IPlugView, IPlugViewTrait, ViewRect, kResultOk, kResultTrue};
use windows_sys::Win32::Foundation::{HWND, RECT};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    CreateWindowExW, DestroyWindow, GW_CHILD, GetClientRect, GetWindow, WS_CLIPCHILDREN, WS_OVERLAPPEDWINDOW,
    WS_VISIBLE,
};

/// How often the editor is opened.
const TIMES: usize = 2;

struct HostWindow(HWND);

impl HostWindow {
    fn open(width: i32, height: i32) -> HostWindow {
        let text = |text: &str| text.encode_utf16().chain([0]).collect::<Vec<u16>>();
        let (class, title) = (text("STATIC"), text("SVC test host"));
        let style = WS_OVERLAPPEDWINDOW | WS_VISIBLE | WS_CLIPCHILDREN;
        let none = std::ptr::null_mut();
        // SAFETY: the texts end with a zero and live until the call ends; everything else may be null.
        let window = unsafe {
            CreateWindowExW(
                0,
                class.as_ptr(),
                title.as_ptr(),
                style,
                20,
                20,
                width,
                height,
                none,
                none,
                none,
                std::ptr::null(),
            )
        };
        assert!(!window.is_null(), "a window: {}", std::io::Error::last_os_error());
        HostWindow(window)
    }

    /// Width and height of the plugin's window in it.
    fn child_size(&self) -> Option<(i32, i32)> {
        // SAFETY: the window is ours and there.
        unsafe {
            let child = GetWindow(self.0, GW_CHILD);
            let mut area = RECT { left: 0, top: 0, right: 0, bottom: 0 };
            (!child.is_null() && GetClientRect(child, &mut area) != 0).then_some((area.right, area.bottom))
        }
    }
}

impl Drop for HostWindow {
    fn drop(&mut self) {
        // SAFETY: nobody else destroys it.
        unsafe { DestroyWindow(self.0) };
        messages::take();
    }
}

/// Says how large the editor is, and shows it until a line comes on stdin.
fn show(window: &HostWindow) {
    messages::take();
    let (width, height) = window.child_size().expect("the plugin has a window in the host's");
    println!("editor {width} {height}");
    std::io::stdout().flush().expect("stdout takes it");
    static IS_SEEN: AtomicBool = AtomicBool::new(false);
    IS_SEEN.store(false, Ordering::Release);
    std::thread::spawn(|| {
        std::io::stdin().read_line(&mut String::new()).expect("a line on stdin");
        IS_SEEN.store(true, Ordering::Release);
    });
    while !IS_SEEN.load(Ordering::Acquire) {
        messages::take();
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub fn clap(library: &Path) {
    let library = Library::load(library);
    let mut instance = library.instance();
    for _ in 0..TIMES {
        let handle = instance.handle();
        let gui: PluginGui = handle.get_extension().expect("the plugin has a window");
        let kind = GuiConfiguration { api_type: GuiApiType::WIN32, is_floating: false };
        assert!(gui.is_api_supported(&handle, kind), "it goes into windows of Windows'");
        gui.create(&handle, kind).expect("an editor");
        let size = gui.get_size(&handle).expect("a size");
        let window = HostWindow::open(size.width as i32 + 40, size.height as i32 + 60);
        // SAFETY: the window outlives the editor.
        unsafe { gui.set_parent(&handle, Window::from_win32_hwnd(window.0)) }.expect("it takes the window");
        // A plugin may take its parent as enough.
        let _ = gui.show(&handle);
        show(&window);
        gui.destroy(&handle);
        assert!(window.child_size().is_none(), "its window goes with it");
    }
}

pub fn vst3(library: &Path) {
    let module = Module::load(library);
    let instance = module.instance();
    let controller = instance.controller();
    for _ in 0..TIMES {
        // SAFETY: the view is ours from here on; the window outlives it; the texts end with a zero.
        unsafe {
            let view: ComPtr<IPlugView> =
                ComPtr::from_raw(controller.createView(c"editor".as_ptr())).expect("the plugin has a window");
            assert_eq!(view.isPlatformTypeSupported(c"HWND".as_ptr()), kResultTrue);
            let mut area = ViewRect { left: 0, top: 0, right: 0, bottom: 0 };
            assert_eq!(view.getSize(&mut area), kResultOk);
            let window = HostWindow::open(area.right - area.left + 40, area.bottom - area.top + 60);
            assert_eq!(view.attached(window.0 as *mut c_void, c"HWND".as_ptr()), kResultOk);
            show(&window);
            assert_eq!(view.removed(), kResultOk);
            assert!(window.child_size().is_none(), "its window goes with it");
        }
    }
}
