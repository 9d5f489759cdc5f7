//! Who may look into a folder of Windows'.
//!
//! Windows' own `icacls` and `whoami` tell it without a call of the system that would take `unsafe`. What they print
//! for people is in the user's language; the form that `icacls` saves (SDDL) is the same everywhere.

use std::path::Path;
use std::process::{Command, Stdio};

/// Who may do something in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rights {
    /// This user, the system and its administrators.
    Own,
    /// These too.
    Others(Vec<String>),
    /// The system does not tell.
    Unknown,
}

/// Asks Windows; anything else does not tell.
pub fn of_folder(folder: &Path) -> Rights {
    if !cfg!(windows) {
        return Rights::Unknown;
    }
    let asked = own_id().zip(saved_list(folder));
    asked.and_then(|(own, list)| others(&list, &own)).map_or(Rights::Unknown, |others| match others.as_slice() {
        [] => Rights::Own,
        _ => Rights::Others(others),
    })
}

/// What gives this user the folder alone, to be typed in a terminal.
pub fn remedy(folder: &Path) -> String {
    let shown = folder.display();
    format!(r#"icacls "{shown}" /inheritance:r /grant:r "%USERNAME%:(OI)(CI)F" "*S-1-5-18:(OI)(CI)F""#)
}

fn own_id() -> Option<String> {
    id_in(&run("whoami", &["/user".as_ref(), "/fo".as_ref(), "csv".as_ref(), "/nh".as_ref()])?)
}

/// The list of rights, as `icacls` writes it into a file.
fn saved_list(folder: &Path) -> Option<String> {
    let file = std::env::temp_dir().join(format!("svc-doctor-{}.txt", std::process::id()));
    let ran = run("icacls", &[folder.as_os_str(), "/save".as_ref(), file.as_os_str(), "/q".as_ref()]);
    let bytes = std::fs::read(&file).ok();
    // Gone, or never made.
    let _ = std::fs::remove_file(&file);
    ran.and(bytes).map(|bytes| text_of(&bytes))
}

fn run(program: &str, arguments: &[&std::ffi::OsStr]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `icacls` writes two bytes a character.
fn text_of(bytes: &[u8]) -> String {
    if !bytes.contains(&0) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let pairs = bytes.chunks_exact(2).filter_map(|pair| Some(u16::from_le_bytes(pair.try_into().ok()?)));
    char::decode_utf16(pairs).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// From `"machine\name","S-1-5-21-…"`.
fn id_in(line: &str) -> Option<String> {
    let at = line.rfind("\"S-1-")? + 1;
    let (id, _) = line.get(at..)?.split_once('"')?;
    Some(id.to_owned())
}

/// Who is allowed something beside the user of this id, the system and its administrators, from a line such as
/// `D:PAI(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)`; `None` where there is no such line.
fn others(list: &str, own: &str) -> Option<Vec<String>> {
    let (_, rights) =
        list.lines().find_map(|line| line.trim().split_once("D:").filter(|(before, _)| before.is_empty()))?;
    // Of a folder without a list everybody may do everything.
    if rights.contains("NO_ACCESS_CONTROL") {
        return Some(vec![name("WD").to_owned()]);
    }
    let entries = rights.split('(').skip(1).filter_map(|entry| entry.split_once(')')).map(|(entry, _)| entry);
    let allowed = entries.filter_map(|entry| {
        let fields: Vec<&str> = entry.split(';').collect();
        let [kind, _, _, _, _, who, ..] = fields.as_slice() else { return None };
        matches!(*kind, "A" | "XA").then_some(*who)
    });
    let mut others: Vec<String> = allowed.filter(|who| !is_own(who, own)).map(|who| name(who).to_owned()).collect();
    others.sort();
    others.dedup();
    Some(others)
}

/// The user, the system, its administrators and services, and whoever made a file.
fn is_own(who: &str, own: &str) -> bool {
    let is_administrator = who == "LA" && own.ends_with("-500");
    let is_service = who.starts_with("S-1-5-80-");
    who == own
        || is_administrator
        || is_service
        || matches!(who, "SY" | "BA" | "CO" | "OW" | "S-1-5-18" | "S-1-5-32-544" | "S-1-3-0" | "S-1-3-4")
}

fn name(who: &str) -> &str {
    match who {
        "WD" | "S-1-1-0" => "everyone",
        "AU" | "S-1-5-11" => "everyone who has logged on",
        "BU" | "S-1-5-32-545" => "all users of this machine",
        "BG" | "S-1-5-32-546" => "guests",
        "DU" => "all users of the domain",
        "AC" | "S-1-15-2-1" => "all apps of the store",
        who => who,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: &str = "S-1-5-21-1-2-3-1001";

    #[test]
    fn who_may_look_is_read_from_the_saved_list() {
        for (list, expected) in [
            (".svc\r\nD:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;S-1-5-21-1-2-3-1001)\r\n", Some(&[][..])),
            ("svc\r\nD:AI(A;OICIID;0x1200a9;;;BU)(A;ID;FA;;;SY)\r\n", Some(&["all users of this machine"])),
            ("D:PAI(A;;FR;;;WD)(D;;FA;;;BG)(A;;FA;;;AU)", Some(&["everyone", "everyone who has logged on"])),
            ("D:(A;;FA;;;S-1-5-21-1-2-3-1002)(A;;FA;;;CO)", Some(&["S-1-5-21-1-2-3-1002"])),
            ("a D:\r\nD:NO_ACCESS_CONTROL", Some(&["everyone"])),
            ("D:PAI", Some(&[])),
            ("nothing of the kind", None),
            ("", None),
        ] {
            let found = others(list, ANN);
            assert_eq!(
                found.as_deref(),
                expected.map(|names| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>()).as_deref(),
                "{list}"
            );
        }
        assert_eq!(others("D:(A;;FA;;;LA)", "S-1-5-21-1-2-3-500"), Some(Vec::new()));
        assert_eq!(others("D:(A;;FA;;;LA)", ANN), Some(vec!["LA".to_owned()]));
    }

    #[test]
    fn the_users_id_and_two_bytes_a_character_are_read() {
        assert_eq!(id_in("\"pc\\ann\",\"S-1-5-21-1-2-3-1001\"\r\n").as_deref(), Some(ANN));
        assert_eq!(id_in("pc\\ann"), None);
        let wide: Vec<u8> = "ü\r\nD:P".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(text_of(&wide), "ü\r\nD:P");
        assert_eq!(text_of(b"D:P"), "D:P");
    }
}
