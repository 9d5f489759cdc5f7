//! What the built files need: nothing that Windows does not have.

use super::wine::Wine;
use object::read::pe::{ImageNtHeaders, ImageOptionalHeader, PeFile64};
use std::fs;

/// Windows' own libraries that our files ask for. A new one is looked up before it is added: is it on every Windows 10?
/// `msvcrt.dll` is Windows' own C runtime, not the one of a compiler.
const OF_WINDOWS: [&str; 24] = [
    "advapi32.dll",
    "bcrypt.dll",
    "bcryptprimitives.dll",
    "combase.dll",
    "dwmapi.dll",
    "gdi32.dll",
    "imm32.dll",
    "kernel32.dll",
    "msvcrt.dll",
    "ntdll.dll",
    "mmdevapi.dll",
    "ole32.dll",
    "oleaut32.dll",
    "opengl32.dll",
    "propsys.dll",
    "rpcrt4.dll",
    "shell32.dll",
    "shlwapi.dll",
    "user32.dll",
    "userenv.dll",
    "uxtheme.dll",
    "winmm.dll",
    "ws2_32.dll",
    "dbghelp.dll",
];

/// The libraries a file imports, in small letters, and the names it exports.
fn imports_and_exports(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let file = PeFile64::parse(bytes).expect("a file of Windows' of 64 bits");
    assert_ne!(file.nt_headers().optional_header().address_of_entry_point(), 0);
    let mut libraries = Vec::new();
    let table = file.import_table().expect("a table of imports").expect("imports");
    let mut descriptors = table.descriptors().expect("descriptors");
    while let Some(descriptor) = descriptors.next().expect("a descriptor") {
        let name = table.name(descriptor.name.get(object::LittleEndian)).expect("a name");
        libraries.push(String::from_utf8_lossy(name).to_lowercase());
    }
    let exports = file.export_table().expect("a table of exports").map_or_else(Vec::new, |table| {
        let exports = table.exports().expect("exports");
        exports.iter().filter_map(|export| Some(String::from_utf8_lossy(export.name?).into_owned())).collect()
    });
    libraries.sort();
    libraries.dedup();
    (libraries, exports)
}

#[test]
fn nothing_is_needed_but_windows_and_both_entries_are_there() {
    let Some(wine) = Wine::here() else { return };
    let plugin: &[&str] = &["clap_entry", "GetPluginFactory"];
    let files = [(wine.built("SVC Device.clap"), plugin), (wine.vst3(), plugin), (wine.built("svc-device.exe"), &[])];
    for (path, entries) in files {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (libraries, exports) = imports_and_exports(&bytes);
        assert!(libraries.iter().any(|name| name == "kernel32.dll"), "{}: {libraries:?}", path.display());
        // Sets of functions that Windows itself leads to one of its libraries.
        let is_known = |name: &String| OF_WINDOWS.contains(&name.as_str()) || name.starts_with("api-ms-win-");
        let extra: Vec<_> = libraries.iter().filter(|name| !is_known(name)).collect();
        assert!(extra.is_empty(), "{} needs {extra:?}", path.display());
        // MIDI belongs to the program alone, as ALSA and JACK do on Linux.
        if !entries.is_empty() {
            assert!(!libraries.iter().any(|name| name == "winmm.dll"), "{}: {libraries:?}", path.display());
        }
        for entry in entries {
            assert!(exports.iter().any(|name| name == entry), "{} does not export {entry}", path.display());
        }
    }
}

#[test]
fn no_bundle_holds_what_wine_is_given() {
    let Some(wine) = Wine::here() else { return };
    let mut names: Vec<String> = fs::read_dir(wine.built(""))
        .expect("the folder of what was built")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["SVC Device.clap", "SVC Device.vst3", "svc-device-windows-host.exe", "svc-device.exe"]);
}
