//! What is outside stays outside, whatever lies in the way: each kind of path, for each tool that takes one.

use crate::render::render;
use crate::set_files::in_folder;
use crate::support::Api;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use svc_device::service::Settings;

fn half() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/audio/half.wav")
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A folder that is allowed, with every kind of thing in it, and one outside that holds a file.
struct Place {
    inside: tempfile::TempDir,
    outside: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { inside: tempfile::tempdir().unwrap(), outside: tempfile::tempdir().unwrap() };
        fs::write(place.outside.path().join("precious"), "precious").unwrap();
        for ending in ["wav", "flac", "mid", "svcset", "adg"] {
            symlink(place.outside.path().join("precious"), place.at(&format!("link.{ending}"))).unwrap();
            symlink(place.outside.path().join("new"), place.at(&format!("lost.{ending}"))).unwrap();
            pipe(&place.at(&format!("pipe.{ending}")));
            symlink("/dev/zero", place.at(&format!("device.{ending}"))).unwrap();
            fs::create_dir(place.at(&format!("folder.{ending}"))).unwrap();
        }
        symlink(place.outside.path(), place.at("out")).unwrap();
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.inside.path().join(name)
    }

    fn is_untouched(&self) {
        let names: Vec<_> =
            fs::read_dir(self.outside.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["precious"]);
        assert_eq!(fs::read_to_string(self.outside.path().join("precious")).unwrap(), "precious");
    }
}

#[test]
fn no_path_leads_out_of_the_folders() {
    let place = Place::new();
    let api = in_folder(place.inside.path());
    for kind in ["link", "lost", "pipe", "device", "folder", "out/new", "../new", "no/new"] {
        let named = |ending: &str| format!("{}/{kind}.{ending}", place.inside.path().display());
        for ending in ["wav", "flac", "mid"] {
            let refused = api.refused("svc-render", json!({"path": "s0", "file": named(ending), "length": "1bar"}));
            assert!(!refused.is_empty(), "{kind}.{ending}");
        }
        for action in ["save", "export", "open", "import"] {
            api.refused("svc-manage", json!({"action": action, "file": named("svcset")}));
        }
        api.refused("svc-create-device", json!({"path": "t1", "preset": named("adg")}));
        place.is_untouched();
    }
    for stems in ["link.wav", "pipe.wav", "out"] {
        api.refused("svc-render", json!({"path": "s0", "stems": place.at(stems), "length": "1bar"}));
        place.is_untouched();
    }
}

#[test]
fn folders_are_judged_where_they_lead() {
    let place = Place::new();
    let (root, file) = (place.at("root"), place.at("link.wav"));
    symlink("/", &root).unwrap();
    let api = Api::new();
    for bad in ["", "/", "relative", "/usr/..", "/nowhere/at/all", "/dev/null", &text(&root), &text(&file)] {
        let reply = api.post("/config", "", &json!({"allowedFolders": [bad]}));
        assert_eq!(reply.status, 400, "{bad}: {}", reply.json());
        if !bad.is_empty() {
            assert_eq!(api.post("/config", "", &json!({"sampleFolder": bad})).status, 400, "{bad}");
        }
    }
    let reply = api.post("/config", "", &json!({"allowedFolders": [place.inside.path()]}));
    assert_eq!(reply.status, 200, "{}", reply.json());
}

/// What a project states is not asked about when it is read: it is judged when it is used.
#[test]
fn a_folder_that_became_the_root_opens_nothing() {
    let (root, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let link = root.path().join("link");
    symlink("/", &link).unwrap();
    for stated in ["", "/", &text(&link)] {
        let allowed_folders = vec![stated.to_owned()];
        let api = Api::with(Settings { allowed_folders, ..Settings::default() });
        let refused = api.refused("svc-manage", json!({"action": "save", "file": out.path().join("x.svcset")}));
        assert!(refused.contains("allowedFolders"), "{stated}: {refused}");
        api.refused("svc-render", json!({"path": "s0", "file": out.path().join("x.wav"), "length": "1bar"}));
        assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0, "{stated}");
    }
}

#[test]
fn a_rendering_replaces_what_it_wrote_alone() {
    let folder = tempfile::tempdir().unwrap();
    let api = in_folder(folder.path());
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    for name in ["take.wav", "take.flac", "take.mid"] {
        let file = folder.path().join(name);
        fs::copy(half(), &file).unwrap();
        let call = |overwrite: bool| json!({"path": "s0", "file": file, "length": "1bar", "overwrite": overwrite});
        let refused = api.refused("svc-render", call(false));
        assert!(refused.contains("overwrite: true"), "{refused}");
        assert_eq!(fs::read(&file).unwrap(), fs::read(half()).unwrap(), "{name}");
        render(&api, call(true));
        assert_ne!(fs::read(&file).unwrap(), fs::read(half()).unwrap(), "{name}");
        render(&api, call(false));
        // The user has worked on it since.
        fs::copy(half(), &file).unwrap();
        api.refused("svc-render", call(false));
    }
    let stems = folder.path().join("stems");
    fs::create_dir(&stems).unwrap();
    let written = render(&api, json!({"path": "s0", "stems": stems, "length": "1bar"}));
    let stem = PathBuf::from(written["stems"][0].as_str().unwrap());
    render(&api, json!({"path": "s0", "stems": stems, "length": "1bar"}));
    fs::copy(half(), &stem).unwrap();
    let refused = api.refused("svc-render", json!({"path": "s0", "stems": stems, "length": "1bar"}));
    assert!(refused.contains("stems") && refused.contains("overwrite: true"), "{refused}");
}

/// A Set that names a file a sample.
fn naming(api: &Api, folder: &Path, sample: &Path) -> PathBuf {
    let own = folder.join("half.wav");
    fs::copy(half(), &own).unwrap();
    let track = api.ok("svc-create-track", json!({"path": "t+", "type": "audio"}));
    let slot = format!("{}/s0", track["path"].as_str().unwrap());
    api.ok("svc-create-clip", json!({"path": slot, "sampleFile": own}));
    let state = api.saved().replace(&text(&own), &text(sample));
    let file = folder.join("evil.svcset");
    fs::write(&file, state).unwrap();
    file
}

#[test]
fn an_export_copies_sound_of_the_folders_alone() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (folder, outside) = (folder.path(), outside.path());
    fs::write(outside.join("key"), "-----BEGIN OPENSSH PRIVATE KEY-----\n").unwrap();
    fs::copy(half(), outside.join("private.wav")).unwrap();
    fs::write(folder.join("text.wav"), "no sound").unwrap();
    symlink(outside.join("private.wav"), folder.join("link.wav")).unwrap();
    pipe(&folder.join("pipe.wav"));
    fs::copy(half(), folder.join("mine.wav")).unwrap();
    fs::set_permissions(folder.join("mine.wav"), fs::Permissions::from_mode(0o600)).unwrap();
    for (sample, is_copied) in [
        (outside.join("key"), false),
        (outside.join("private.wav"), false),
        (folder.join("text.wav"), false),
        (folder.join("link.wav"), false),
        (folder.join("pipe.wav"), false),
        (folder.to_owned(), false),
        (PathBuf::from("/proc/self/environ"), false),
        (PathBuf::from("/dev/zero"), false),
        (folder.join("mine.wav"), true),
    ] {
        let api = in_folder(folder);
        let file = naming(&api, folder, &sample);
        api.ok("svc-manage", json!({"action": "open", "file": file}));
        let told = api.ok("svc-manage", json!({"action": "export", "file": folder.join("out.svcset")}));
        let copy = folder.join("out Samples/mine.wav");
        assert_eq!(told["samples"], json!(usize::from(is_copied)), "{}: {told}", sample.display());
        assert_eq!(folder.join("out Samples").exists(), is_copied, "{}", sample.display());
        if is_copied {
            assert_eq!(fs::metadata(copy).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}

#[test]
fn an_export_goes_through_no_link() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let api = in_folder(folder.path());
    naming(&api, folder.path(), &folder.path().join("half.wav"));
    symlink(outside.path(), folder.path().join("x Samples")).unwrap();
    let refused = api.refused("svc-manage", json!({"action": "export", "file": folder.path().join("x.svcset")}));
    assert!(refused.contains("is no folder"), "{refused}");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    assert!(!folder.path().join("x.svcset").exists());
}

#[test]
fn nothing_is_saved_where_uploads_go() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    let sets = root.path().join("transfers/sets");
    fs::create_dir_all(&sets).unwrap();
    let refused = api.refused("svc-manage", json!({"action": "save", "file": sets.join("mine.svcset")}));
    assert!(refused.contains("goes again when more comes"), "{refused}");
    let downloads = root.path().join("transfers/downloads");
    fs::create_dir_all(&downloads).unwrap();
    let saved = api.ok("svc-manage", json!({"action": "save", "file": downloads.join("mine.svcset")}));
    assert!(saved["detail"].as_str().is_some_and(|detail| detail.contains("after a day")), "{saved}");
}

/// The hints say what a tool can do: one that only reads takes no file to be written, and changes no Set.
#[test]
fn hints_of_tools_are_what_they_do() {
    for tool in svc_device::tools::registry::all() {
        assert!(!(tool.read_only && tool.destructive), "{}", tool.name);
        let writes = tool.params.iter().any(|param| ["overwrite", "stems", "force"].contains(&param.name));
        assert!(!(writes && tool.read_only), "{}", tool.name);
        assert!(!writes || tool.destructive, "{}", tool.name);
    }
}

#[test]
fn references_of_a_batch_are_bounded() {
    let api = Api::new();
    let many = vec!["t0"; 1000].join(",");
    let read = json!({"tool": "svc-read-track", "arguments": {"path": many}});
    let write = json!({"tool": "svc-update-track", "arguments": {"path": "$1.id,".repeat(20_000), "name": "x"}});
    let refused = api.refused("svc-batch", json!({"calls": [read, write]}));
    assert!(refused.contains("references stand for is longer than 2 MB"), "{refused}");
    let _: Value = api.ok("svc-read-track", json!({"path": "t0"}));
}

#[test]
fn long_stored_values_are_refused() {
    use svc_device::object_model::{ObjectModel, Value as Model};
    use svc_device::set::model::SetState;
    let mut set = SetState::alone();
    for path in ["live_set", "live_set tracks 0"] {
        let id = set.resolve(path).unwrap().unwrap();
        let mut put = |count: usize| set.call(id, "set_data", &["mine".into(), Model::Ints(vec![0; count])]);
        assert_eq!(put(10_000), Ok(Model::Nothing));
        assert!(put(10_001).unwrap_err().to_string().contains("more than 10000 values"));
    }
    let api = Api::new();
    let mut state: Value = serde_json::from_str(&api.saved()).unwrap();
    for place in ["/set/song", "/set/tracks/0", "/set/scenes/0", "/set/main"] {
        for (count, fits) in [(10_000, true), (10_001, false)] {
            state.pointer_mut(place).unwrap()["stored"] = json!({"mine": vec![0; count]});
            let loaded = svc_device::device::state::load(&state.to_string());
            assert_eq!(loaded.is_ok(), fits, "{place}");
            let why = loaded.err().map(|why| why.to_string()).unwrap_or_default();
            assert!(fits || why.contains("its stored mine holds more than 10000 values"), "{why}");
        }
        state.pointer_mut(place).unwrap()["stored"] = json!({});
    }
}

#[test]
fn saved_sets_outlast_renderings() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    let downloads = PathBuf::from(api.request("GET", "/api/files", "", "").json()["folder"].as_str().unwrap());
    let song = downloads.join("My Song.svcset");
    api.ok("svc-manage", json!({"action": "save", "file": song}));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1"}));
    for number in 0..22 {
        let file = downloads.join(format!("{number}.mid"));
        render(&api, json!({"path": "s0", "file": file, "length": "1bar"}));
    }
    assert!(song.exists() && !downloads.join("0.mid").exists());
}

#[test]
fn presets_replace_presets_alone() {
    let root = tempfile::tempdir().unwrap();
    let api = Api::in_folder(root.path());
    api.ok("svc-create-device", json!({"path": "t0", "device": "Simpler"}));
    let folder = root.path().join("presets/Simpler");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("Mine.svcpreset.json");
    fs::write(&file, "my own text").unwrap();
    let save = || api.ok("svc-update-device", json!({"path": "t0/d0", "actions": ["savePreset(\"Mine\")"]}));
    let refused = save();
    assert_eq!(refused["actions"][0]["ok"], false, "{refused}");
    assert!(refused["actions"][0]["detail"].as_str().is_some_and(|why| why.contains("another name")), "{refused}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "my own text");
    fs::remove_file(&file).unwrap();
    assert_eq!(save()["actions"][0]["preset"], "Simpler/Mine");
    assert_eq!(save()["actions"][0]["detail"], "replaced the preset of that name");
}
