use super::*;
use crate::platform::Format;
use crate::shell::capture;
use components::{CARGO, Component};
use std::collections::BTreeSet;
use std::process::Command;

/// Stand-ins for what a build makes, in a folder that goes with the test.
struct Built {
    folder: PathBuf,
    bundles: Bundles,
    program: PathBuf,
    components: Components,
}

impl Built {
    fn new(name: &str, platform: Platform) -> Built {
        let folder = std::env::temp_dir().join(format!("svc-xtask-package-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let file = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().expect("inside")).expect("a folder");
            fs::write(&path, text).expect("written");
            path
        };
        let bundle = |format: Format| {
            let bundle = folder.join("built").join(format.bundle_file("SVC Device"));
            let inside = format.library_inside(platform, "SVC Device");
            let library = if inside.as_os_str().is_empty() { bundle.clone() } else { bundle.join(inside) };
            file(library, "\0GLIBC_2.17\0");
            bundle
        };
        let bundles = Bundles { clap: bundle(Format::Clap), vst3: bundle(Format::Vst3) };
        let program = file(folder.join(format!("built/svc-device{}", platform.program_ending())), "\0GLIBC_2.34\0");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).expect("a mode");
        }
        let component = Component {
            registry: CARGO,
            text: None,
            name: "serde".to_owned(),
            version: "1.0.0".to_owned(),
            licence: "MIT".to_owned(),
            sha256: Some("ab".repeat(32)),
        };
        Built { folder, bundles, program, components: Components(vec![component]) }
    }

    fn contents(&self, platform: Platform) -> Contents<'_> {
        let Built { bundles, program, components, .. } = self;
        Contents { bundles, program, platform, version: "1.2.3", components }
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn linux() -> Platform {
    Platform::from_triple("x86_64-unknown-linux-gnu").expect("known")
}

/// What Python finds in an archive: mode and name of each file.
fn listed(archive: &Path) -> String {
    let script = "import sys, zipfile\nfor i in zipfile.ZipFile(sys.argv[1]).infolist():\n \
                  print(oct(i.external_attr >> 16), i.filename, i.file_size > 0)";
    capture(Command::new("python3").args(["-c", script]).arg(archive)).expect("Python reads the archive")
}

#[test]
fn an_archive_holds_plugins_program_and_how_to_install_them() {
    let workspace = Workspace::open().expect("the workspace");
    let built = Built::new("zip", linux());
    let staged = built.folder.join("svc-device-1.2.3-linux-x86_64");
    fs::create_dir_all(&staged).expect("a folder");
    built.contents(linux()).lay_out(&workspace, &staged).expect("laid out");
    let archives = [built.folder.join("one.zip"), built.folder.join("two.zip")];
    for zip in &archives {
        archive::zip(&workspace, &staged, zip).expect("packed");
    }
    let names: BTreeSet<String> = listed(&archives[0]).lines().map(str::to_owned).collect();
    let top = "svc-device-1.2.3-linux-x86_64";
    let wanted = [
        format!("0o100644 {top}/LICENSE-APACHE.txt True"),
        format!("0o100644 {top}/LICENSE-MIT.txt True"),
        format!("0o100644 {top}/README.txt True"),
        format!("0o100644 {top}/SVC Device.clap True"),
        format!("0o100644 {top}/SVC Device.vst3/Contents/x86_64-linux/SVC Device.so True"),
        format!("0o100644 {top}/THIRD-PARTY-LICENSES.txt True"),
        format!("0o100755 {top}/svc-device True"),
    ];
    assert_eq!(names, wanted.into_iter().collect::<BTreeSet<_>>());
    let read = |file: &Path| fs::read(file).expect("readable");
    assert!(read(&archives[0]) == read(&archives[1]), "the same files are the same archive");

    let sums = built.folder.join("sums");
    fs::create_dir_all(&sums).expect("a folder");
    fs::write(sums.join("a"), "abc").expect("written");
    let file = archive::write_sums(&sums).expect("summed");
    let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n";
    assert_eq!(fs::read_to_string(&file).expect("there"), known);
    assert_eq!(archive::write_sums(&sums).expect("summed again"), file);
    assert_eq!(fs::read_to_string(&file).expect("there"), known, "its own sum is none of them");
}

#[test]
fn an_archive_for_windows_holds_a_program_and_a_bundle_of_windows() {
    let workspace = Workspace::open().expect("the workspace");
    let windows = Platform::from_triple("x86_64-pc-windows-gnu").expect("known");
    let built = Built::new("windows", windows);
    let staged = built.folder.join("staged");
    fs::create_dir_all(&staged).expect("a folder");
    built.contents(windows).lay_out(&workspace, &staged).expect("laid out");
    for name in ["svc-device.exe", "SVC Device.clap", "SVC Device.vst3/Contents/x86_64-win/SVC Device.vst3"] {
        assert!(staged.join(name).is_file(), "{name}");
    }
    let text = fs::read_to_string(staged.join("README.txt")).expect("there");
    // As PowerShell needs it, and the old terminal takes it.
    assert!(text.contains(r"`.\svc-device doctor`"), "{text}");
}

#[test]
fn the_read_me_is_two_lines_and_names_this_systems_folders() {
    for (system, folder) in [
        (System::Linux, "~/.vst3"),
        (System::Windows, r"C:\Program Files\Common Files\VST3"),
        (System::MacOs, "~/Library/Audio/Plug-Ins/VST3"),
    ] {
        let text = contents::read_me(system);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.contains(folder) && text.contains("doctor") && text.contains("https://"), "{text}");
    }
}

/// Only where Debian's own tool is.
#[test]
fn a_debian_package_installs_for_every_user() {
    if crate::shell::find_program("dpkg-deb").is_none() {
        return;
    }
    let workspace = Workspace::open().expect("the workspace");
    let built = Built::new("deb", linux());
    let tree = built.folder.join("tree");
    fs::create_dir_all(&tree).expect("a folder");
    let package = debian::package(&workspace, &built.contents(linux()), &tree, &built.folder).expect("packed");
    assert!(package.ends_with("svc-device_1.2.3_amd64.deb"), "{}", package.display());
    let ask = |words: &[&str]| {
        capture(Command::new("dpkg-deb").args(words).arg(&package)).expect("dpkg-deb reads the package")
    };
    let fields = ask(&["--field"]);
    for field in ["Package: svc-device", "Version: 1.2.3", "Architecture: amd64", "Depends: libc6 (>= 2.34), "] {
        assert!(fields.lines().any(|line| line.starts_with(field)), "{field}: {fields}");
    }
    let files = ask(&["--contents"]);
    for (mode, name) in [
        ("-rwxr-xr-x root/root", "./usr/bin/svc-device"),
        ("-rw-r--r-- root/root", "./usr/lib/clap/SVC Device.clap"),
        ("-rw-r--r-- root/root", "./usr/lib/vst3/SVC Device.vst3/Contents/x86_64-linux/SVC Device.so"),
        ("-rw-r--r-- root/root", "./usr/share/doc/svc-device/copyright"),
    ] {
        assert!(files.lines().any(|line| line.starts_with(mode) && line.ends_with(name)), "{mode} {name}: {files}");
    }
}

#[test]
fn the_bill_of_materials_is_json_of_what_is_linked() {
    let workspace = Workspace::open().expect("the workspace");
    let built = Built::new("bill", linux());
    let bill = built.folder.join("bill.json");
    fs::write(&bill, sbom::cyclone_dx(&workspace, &built.components)).expect("written");
    let script = "import json, sys\nb = json.load(open(sys.argv[1]))\nc, = b['components']\n\
                  print(b['bomFormat'], b['specVersion'], b['metadata']['component']['name'], c['purl'], \
                  c['hashes'][0]['alg'], c['licenses'][0]['expression'])";
    let said = capture(Command::new("python3").args(["-c", script]).arg(&bill)).expect("Python reads the bill");
    assert_eq!(said.trim(), "CycloneDX 1.5 svc-device pkg:cargo/serde@1.0.0 SHA-256 MIT");
}

#[test]
fn file_names_tell_the_system() {
    for (triple, expected) in [
        ("x86_64-unknown-linux-gnu", "linux-x86_64"),
        ("x86_64-pc-windows-gnu", "windows-x86_64"),
        (UNIVERSAL_TRIPLE, "macos-universal"),
        ("aarch64-apple-darwin", "macos-aarch64"),
    ] {
        assert_eq!(label(Some(triple), Platform::from_triple(triple).expect("known")), expected);
    }
}
