//! The file by which the script inside Live finds a device: where it listens, and the token that both know.
//!
//! `bridge/PID.json` in the user's folder, readable by nobody else: who could write it could have Live driven by
//! another program, and who could read it could drive Live.

use crate::user_store::{Access, write_atomically};
use serde_json::json;
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

/// A bridge file, removed when it is dropped.
#[derive(Debug)]
pub struct BridgeFile {
    path: PathBuf,
}

impl BridgeFile {
    /// Writes it. One of the same process, from another device in it, is replaced.
    pub fn write(
        user_folder: &Path,
        kind: DeviceKind,
        port: u16,
        token: &str,
        protocol: u32,
    ) -> io::Result<BridgeFile> {
        let pid = std::process::id();
        let path = user_folder.join(FOLDER).join(format!("{pid}.json"));
        let told = json!({ "port": port, "token": token, "protocol": protocol, "pid": pid, "kind": kind.name() });
        write_atomically(&path, told.to_string().as_bytes(), Access::OwnerOnly)?;
        Ok(BridgeFile { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for BridgeFile {
    fn drop(&mut self) {
        // One that stays behind names a port where nobody listens; the script tries it and goes on.
        let _ = std::fs::remove_file(&self.path);
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
    use serde_json::Value;

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
        drop(file);
        assert!(!path.exists());
    }
}
