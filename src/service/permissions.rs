//! What a project can ask for and only this user can give: folders to read and write, and the raw tool for every
//! client.
//!
//! A project file is somebody else's. What it states of permissions is *held* when it is loaded: it stays in the
//! settings, and is saved with them again, but is not in force until this user has granted it to this project with
//! these very values, now or before. See D46 in `docs/decisions.md`.

use super::held_look::HeldLook;
use super::settings::{HeldPermissions, MAX_FOLDERS, Settings, check_folder, check_listed_folder};
use crate::tools::live_api::LIVE_API_TOOL;
use serde_json::{Map, Value, json};

/// The member of `/config` that shows what is held, and that grants it (`grant`) or drops it (`dismiss`).
pub const PERMISSION_REQUEST: &str = "permissionRequest";

/// A longer path is no folder's.
const MAX_PATH_BYTES: usize = 4096;
/// Folders that a request shows; it says how many more there are.
const MAX_SHOWN_FOLDERS: usize = 5;

impl Settings {
    /// The folder of the user's samples, empty for none.
    pub fn sample_folder(&self) -> &str {
        if self.held.sample_folder { "" } else { &self.sample_folder }
    }

    /// The other folders that may be listed and written.
    pub fn allowed_folders(&self) -> &[String] {
        if self.held.allowed_folders { &[] } else { &self.allowed_folders }
    }

    /// All folders whose contents callers may know: the allowed ones, then that of the samples, if one is named.
    pub fn opened_folders(&self) -> impl Iterator<Item = &str> {
        let sample_folder = Some(self.sample_folder()).filter(|folder| !folder.is_empty());
        self.allowed_folders().iter().map(String::as_str).chain(sample_folder)
    }

    /// Whether the raw tool is there for every client.
    pub fn live_api_enabled(&self) -> bool {
        self.live_api_enabled && !self.held.live_api
    }

    /// Sets the sample folder, by an act of the user.
    pub fn set_sample_folder(&mut self, folder: String) {
        self.sample_folder = folder;
        self.held.sample_folder = false;
    }

    /// Sets the other folders, by an act of the user.
    pub fn set_allowed_folders(&mut self, folders: Vec<String>) {
        self.allowed_folders = folders;
        self.held.allowed_folders = false;
    }

    /// Switches the raw tool, by an act of the user.
    pub fn set_live_api_enabled(&mut self, on: bool) {
        self.live_api_enabled = on;
        self.held.live_api = false;
    }

    /// Holds every permission that these settings state, but those that were granted before: `is_granted` is asked with
    /// each, as [`Settings::permissions`] gives it.
    pub fn hold_permissions(&mut self, set: &str, copied_from: &str, is_granted: impl Fn(&Value) -> bool) {
        self.held = HeldPermissions {
            set: set.to_owned(),
            copied_from: copied_from.to_owned(),
            sample_folder: !self.sample_folder.is_empty(),
            allowed_folders: !self.allowed_folders.is_empty(),
            live_api: self.live_api_enabled,
            look: HeldLook::default(),
        };
        self.release(is_granted);
        self.held.look = self.look_at_held(false);
    }

    /// Asks the disk for what is held and well written; for servers only `by_the_user`.
    pub fn look_at_held(&self, by_the_user: bool) -> HeldLook {
        let is_asked = self.held.sample_folder && self.sample_folder_fault().is_none();
        let are_asked = self.held.allowed_folders && self.allowed_folders_fault().is_none();
        let allowed = if are_asked { self.allowed_folders.as_slice() } else { &[] };
        HeldLook::at(is_asked.then_some(self.sample_folder.as_str()), allowed, by_the_user)
    }

    /// Notes what the disk says of what is held.
    pub fn set_held_look(&mut self, look: HeldLook) {
        self.held.look = look;
    }

    /// Puts in force what is held and can be granted, by an act of the user. The error says why nothing can.
    pub fn grant(&mut self) -> Result<(), String> {
        let HeldPermissions { sample_folder, allowed_folders, live_api, .. } = self.held;
        let faults = self.permission_faults();
        let of = |member: &str| faults.iter().any(|fault| fault.starts_with(member));
        let is_refused = |permission: &Value| permission.as_object().is_some_and(|p| p.keys().any(|name| of(name)));
        self.release(|permission| !is_refused(permission));
        let held = [self.held.sample_folder, self.held.allowed_folders, self.held.live_api];
        let is_the_same = held == [sample_folder, allowed_folders, live_api];
        if is_the_same && !faults.is_empty() { Err(faults.join("; ")) } else { Ok(()) }
    }

    /// Puts in force what is held and fits, as far as `may` says so.
    pub fn release(&mut self, may: impl Fn(&Value) -> bool) {
        let [sample_folder, allowed_folders, live_api] = self.permissions();
        let released = |permission: Option<Value>| permission.is_some_and(|permission| may(&permission));
        self.held.sample_folder &= self.sample_folder_fault().is_some() || !released(sample_folder);
        self.held.allowed_folders &= self.allowed_folders_fault().is_some() || !released(allowed_folders);
        self.held.live_api &= !released(live_api);
    }

    /// Drops what is held.
    pub fn drop_held(&mut self) {
        if self.held.sample_folder {
            self.set_sample_folder(String::new());
        }
        if self.held.allowed_folders {
            self.set_allowed_folders(Vec::new());
        }
        if self.held.live_api {
            self.set_live_api_enabled(false);
        }
    }

    /// Each permission that is stated, held or not, with its value.
    fn permissions(&self) -> [Option<Value>; 3] {
        [
            (!self.sample_folder.is_empty()).then(|| json!({ "sampleFolder": self.sample_folder })),
            (!self.allowed_folders.is_empty()).then(|| json!({ "allowedFolders": self.allowed_folders })),
            self.live_api_enabled.then(|| json!({ "liveApiEnabled": true })),
        ]
    }

    /// The permissions in force, each with its value: what the user has granted to the open Set.
    pub fn permissions_in_force(&self) -> Vec<Value> {
        let held = [self.held.sample_folder, self.held.allowed_folders, self.held.live_api];
        let stated = self.permissions().into_iter().zip(held);
        stated.filter(|(_, held)| !held).filter_map(|(permission, _)| permission).collect()
    }

    /// What the project asks for, in a sentence without its full stop; `None` when nothing is held.
    pub fn permission_request(&self) -> Option<String> {
        let held = &self.held;
        let folders = || list_of(&self.allowed_folders, |folder| held.look.shown(folder));
        let asked = [
            held.sample_folder.then(|| format!("to read the samples in {}", held.look.shown(&self.sample_folder))),
            held.allowed_folders.then(|| format!("to list and write {}", folders())),
            held.live_api.then(|| format!("to open {LIVE_API_TOOL} to every client")),
        ];
        let asked: Vec<String> = asked.into_iter().flatten().collect();
        if asked.is_empty() {
            return None;
        }
        let mut text = format!("this project asks {}", asked.join(", and "));
        for fault in self.permission_faults() {
            text.push_str(&format!("; {fault}, so that cannot be granted"));
        }
        Some(text)
    }

    /// The same with what to do about it.
    pub fn permission_advice(&self) -> Option<String> {
        let text = self.permission_request()?;
        Some(format!(
            "{text}. Nothing of it is in force until the user allows it: in the device's window, or with POST /config \
             {{\"{PERMISSION_REQUEST}\": \"grant\"}}"
        ))
    }

    /// The request as `/config` shows it; `null` when nothing is held.
    pub fn permission_request_json(&self) -> Value {
        let Some(text) = self.permission_request() else { return Value::Null };
        let mut request = Map::new();
        let faults = self.permission_faults();
        let can_be = |member: &str| !faults.iter().any(|fault| fault.starts_with(member));
        if self.held.sample_folder && can_be("sampleFolder") {
            request.insert("sampleFolder".to_owned(), json!(self.sample_folder));
        }
        if self.held.allowed_folders && can_be("allowedFolders") {
            request.insert("allowedFolders".to_owned(), json!(self.allowed_folders));
        }
        if self.held.live_api {
            request.insert("liveApiEnabled".to_owned(), json!(true));
        }
        request.insert("text".to_owned(), json!(text));
        Value::Object(request)
    }

    /// Why what is held cannot be granted, where it cannot.
    fn permission_faults(&self) -> Vec<String> {
        let look = &self.held.look;
        let sample_folder = self.sample_folder_fault().or_else(|| look.sample_folder_fault());
        let allowed_folders = self.allowed_folders_fault().or_else(|| look.allowed_folders_fault());
        let sample_folder = sample_folder.filter(|_| self.held.sample_folder);
        let allowed_folders = allowed_folders.filter(|_| self.held.allowed_folders);
        sample_folder.into_iter().chain(allowed_folders).collect()
    }

    fn sample_folder_fault(&self) -> Option<String> {
        folder_fault(&self.sample_folder).map(|why| format!("sampleFolder {why}"))
    }

    fn allowed_folders_fault(&self) -> Option<String> {
        if self.allowed_folders.len() > MAX_FOLDERS {
            return Some(format!("allowedFolders takes at most {MAX_FOLDERS} folders"));
        }
        let fault = |folder: &String| match folder.is_empty() {
            true => check_listed_folder(String::new()).err(),
            false => folder_fault(folder),
        };
        self.allowed_folders.iter().find_map(fault).map(|why| format!("allowedFolders {why}"))
    }
}

/// The first of some folders, and how many more there are.
fn list_of(folders: &[String], shown: impl Fn(&str) -> String) -> String {
    let list: Vec<String> = folders.iter().take(MAX_SHOWN_FOLDERS).map(|folder| shown(folder)).collect();
    match folders.len().saturating_sub(list.len()) {
        0 => list.join(", "),
        more => format!("{} and {more} more", list.join(", ")),
    }
}

fn folder_fault(folder: &str) -> Option<&'static str> {
    if folder.len() > MAX_PATH_BYTES {
        return Some("is too long for the path of a folder");
    }
    check_folder(folder.to_owned()).err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking() -> Settings {
        let mut settings = Settings {
            sample_folder: "/samples".to_owned(),
            allowed_folders: vec!["/a".to_owned(), "/b".to_owned()],
            live_api_enabled: true,
            ..Settings::default()
        };
        settings.hold_permissions("set", "set", |_| false);
        settings
    }

    fn in_force(settings: &Settings) -> (&str, usize, bool) {
        (settings.sample_folder(), settings.allowed_folders().len(), settings.live_api_enabled())
    }

    #[test]
    fn nothing_is_in_force_until_it_is_granted_with_these_values() {
        let mut settings = asking();
        assert_eq!(in_force(&settings), ("", 0, false));
        assert_eq!(settings.permissions_in_force(), Vec::<Value>::new());
        let text = settings.permission_request().unwrap();
        for part in ["/samples", "\"/a\", \"/b\"", "svc-live-api"] {
            assert!(text.contains(part), "{text}");
        }
        settings.release(|permission| *permission == json!({ "allowedFolders": ["/b", "/a"] }));
        assert_eq!(in_force(&settings), ("", 0, false), "the list in another order is another list");
        settings.release(|permission| *permission == json!({ "allowedFolders": ["/a", "/b"] }));
        assert_eq!(in_force(&settings), ("", 2, false));
        settings.release(|_| true);
        assert_eq!(in_force(&settings), ("/samples", 2, true));
        assert_eq!(settings.permission_request(), None);
        assert_eq!(settings.permission_request_json(), Value::Null);
    }

    #[test]
    fn what_is_held_is_saved_as_it_was_stated() {
        let settings = asking();
        let saved = serde_json::to_value(&settings).unwrap();
        assert_eq!((&saved["sampleFolder"], &saved["liveApiEnabled"]), (&json!("/samples"), &json!(true)));
        assert_eq!(saved["allowedFolders"], json!(["/a", "/b"]));
        assert_eq!(saved.get("held"), None);
        let mut dropped = settings;
        dropped.drop_held();
        assert_eq!((dropped.sample_folder.as_str(), dropped.live_api_enabled), ("", false));
        assert_eq!(dropped.permission_request(), None);
    }

    #[test]
    fn what_the_settings_would_refuse_is_never_granted() {
        let many: Vec<String> = (0..=MAX_FOLDERS).map(|n| format!("/{n}")).collect();
        let cases = [
            (Settings { sample_folder: "samples".to_owned(), ..Settings::default() }, "absolute"),
            (Settings { sample_folder: "/".to_owned(), ..Settings::default() }, "root"),
            (Settings { sample_folder: format!("/{}", "x".repeat(5000)), ..Settings::default() }, "too long"),
            (Settings { allowed_folders: vec!["/a".to_owned(), "/..".to_owned()], ..Settings::default() }, "root"),
            (Settings { allowed_folders: many, ..Settings::default() }, "at most 100"),
        ];
        for (mut settings, why) in cases {
            settings.hold_permissions("set", "set", |_| true);
            assert_eq!(in_force(&settings), ("", 0, false), "{why}");
            let request = settings.permission_request_json();
            let text = request["text"].as_str().unwrap();
            assert!(text.contains(why) && text.len() < 600, "{text}");
            assert_eq!(request.as_object().map(Map::len), Some(1), "{request}");
        }
    }
}
