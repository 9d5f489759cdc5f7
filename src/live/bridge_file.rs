//! The file by which the script inside Live finds a device: where it listens, and the token that both know.
//!
//! `bridge/PID.json` in the user's folder, readable by nobody else: who could write it could have Live driven by
//! another program, and who could read it could drive Live.

use crate::disk::{Access, make_folder, private_file};
use crate::user_store::write_atomically;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of bridge files in the user's folder.
pub const FOLDER: &str = "bridge";

/// What kind of device listens: the script takes a plugin in its own process first, then the newest standalone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    Plugin,
    Standalone,
}

impl DeviceKind {
    pub fn name(self) -> &'static str {
        match self {
            DeviceKind::Plugin => "plugin",
            DeviceKind::Standalone => "standalone",
        }
    }
}

/// Why there is no bridge file.
#[derive(Debug, thiserror::Error)]
pub enum NoBridgeFile {
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Another device of this process has it: two plugins in one Live. Its HTTP port, if it told.
    #[error("another SVC Device in this process listens for it{}", port_clause(*.0))]
    Taken(Option<u16>),
}

fn port_clause(port: Option<u16>) -> String {
    port.map_or_else(String::new, |port| format!(", on port {port}"))
}

/// A bridge file, removed when it is dropped.
#[derive(Debug)]
pub struct BridgeFile {
    path: PathBuf,
    told: Map<String, Value>,
    /// Held as long as the file is this device's.
    lock: PathBuf,
    /// Open, and locked, until it is removed.
    locked: Option<File>,
    /// Another device of this process may have written one of the same name since.
    is_removed: bool,
}

impl BridgeFile {
    /// Writes it; the first device of a process has it.
    pub fn write(
        user_folder: &Path,
        kind: DeviceKind,
        port: u16,
        token: &str,
        protocol: u32,
    ) -> Result<BridgeFile, NoBridgeFile> {
        let pid = std::process::id();
        let folder = user_folder.join(FOLDER);
        let path = folder.join(format!("{pid}.json"));
        let lock = folder.join(format!("{pid}.lock"));
        make_folder(&folder, Access::OwnerOnly)?;
        remove_left_behind(&folder);
        let locked = private_file().create(true).truncate(false).write(true).open(&lock)?;
        if locked.try_lock().is_err() {
            return Err(NoBridgeFile::Taken(http_port_in(&path)));
        }
        let told = json!({ "port": port, "token": token, "protocol": protocol, "pid": pid, "kind": kind.name() });
        let told = told.as_object().cloned().unwrap_or_default();
        let file = BridgeFile { path, told, lock, locked: Some(locked), is_removed: false };
        file.put()?;
        Ok(file)
    }

    /// Says on which port the device takes calls, for another device of this process.
    pub fn tell_http_port(&mut self, port: u16) -> io::Result<()> {
        if self.is_removed || self.told.insert(HTTP_PORT.to_owned(), port.into()) == Some(port.into()) {
            return Ok(());
        }
        self.put()
    }

    /// Takes the file away, so that another device of this process can have it.
    pub fn remove(&mut self) {
        if std::mem::replace(&mut self.is_removed, true) {
            return;
        }
        // One that stays behind names a port where nobody listens; the script tries it and goes on.
        let _ = std::fs::remove_file(&self.path);
        // What is open keeps its folder on Windows; elsewhere nobody may find the lock free while it still has a name.
        if cfg!(windows) {
            self.locked = None;
        }
        let _ = std::fs::remove_file(&self.lock);
        // Not while there are others in it.
        let _ = self.lock.parent().map(std::fs::remove_dir);
        self.locked = None;
    }

    fn put(&self) -> io::Result<()> {
        let text = Value::Object(self.told.clone()).to_string();
        write_atomically(&self.path, text.as_bytes(), Access::OwnerOnly)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// What a bridge file says beside what the script reads.
const HTTP_PORT: &str = "http_port";

/// On which ports the devices of a user take calls, as their bridge files tell.
pub fn http_ports(user_folder: &Path) -> Vec<u16> {
    let entries = std::fs::read_dir(user_folder.join(FOLDER)).into_iter().flatten().flatten();
    let files =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let mut ports: Vec<u16> = files.filter_map(|path| http_port_in(&path)).collect();
    ports.sort_unstable();
    ports.dedup();
    ports
}

fn http_port_in(path: &Path) -> Option<u16> {
    let told: Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    u16::try_from(told.get(HTTP_PORT)?.as_u64()?).ok()
}

impl Drop for BridgeFile {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Removes the files of processes that were killed: nobody has their locks.
fn remove_left_behind(folder: &Path) {
    let own = format!("{}.lock", std::process::id());
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let lock = entry.path();
        let is_lock = lock.extension().is_some_and(|ending| ending == "lock");
        if !is_lock || entry.file_name() == own.as_str() {
            continue;
        }
        let is_free = File::options().write(true).open(&lock).is_ok_and(|file| file.try_lock().is_ok());
        if is_free {
            // Whatever stays costs nothing but a look.
            let _ = std::fs::remove_file(lock.with_extension("json"));
            let _ = std::fs::remove_file(&lock);
        }
    }
}

/// A token: 32 random bytes in hexadecimal.
pub fn new_token() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_there_while_the_device_is_and_for_its_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let token = new_token().unwrap();
        assert!(token.len() == 64 && token != new_token().unwrap());
        let file = BridgeFile::write(folder.path(), DeviceKind::Standalone, 4711, &token, 1).unwrap();
        let path = file.path().to_owned();
        let told: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let pid = std::process::id();
        assert_eq!(told, json!({"port": 4711, "token": token, "protocol": 1, "pid": pid, "kind": "standalone"}));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        }
        let second = || BridgeFile::write(folder.path(), DeviceKind::Plugin, 4712, &token, 1);
        let refused = second().unwrap_err().to_string();
        assert_eq!(refused, "another SVC Device in this process listens for it");
        let mut file = file;
        file.tell_http_port(3350).unwrap();
        assert_eq!(second().unwrap_err().to_string(), format!("{refused}, on port 3350"));
        assert_eq!(http_ports(folder.path()), [3350]);
        drop(file);
        assert_eq!(http_ports(folder.path()), [0_u16; 0]);
        assert!(!path.parent().unwrap().exists(), "nothing stays");
        // What a killed device left is removed by the next one.
        let bridge = folder.path().join(FOLDER);
        std::fs::create_dir(&bridge).unwrap();
        for name in ["1.json", "1.lock"] {
            std::fs::write(bridge.join(name), "{}").unwrap();
        }
        let next = second().unwrap();
        assert!(!bridge.join("1.json").exists() && !bridge.join("1.lock").exists() && next.path().exists());
    }
}
