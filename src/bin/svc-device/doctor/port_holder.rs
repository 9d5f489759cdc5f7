//! Who listens on a port of this machine, by name and process id, as far as this user may see it.
//!
//! The commands in `xtask/` look at ports, too, and use this very file; so it needs the standard library alone.

use std::fs;
use std::process::{Command, Stdio};

/// Such as `python3 (process 123)`.
pub fn holder(port: u16) -> Option<String> {
    match std::env::consts::OS {
        "linux" => holder_by_proc(port),
        "windows" => {
            let process = netstat_holder(&output("netstat", &["-ano", "-p", "TCP"])?, port)?;
            let filter = format!("PID eq {process}");
            let list = output("tasklist", &["/FI", &filter, "/FO", "CSV", "/NH"]).unwrap_or_default();
            Some(format!("{} (process {process})", tasklist_name(&list).unwrap_or("a program")))
        }
        _ => lsof_holder(&output("lsof", &["-nP", "-Fpc", &format!("-iTCP:{port}"), "-sTCP:LISTEN"])?),
    }
}

/// What a command prints that succeeds; `None` also where there is no such command.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn holder_by_proc(port: u16) -> Option<String> {
    let inodes: Vec<u64> = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .filter_map(|table| fs::read_to_string(table).ok())
        .flat_map(|text| listening_inodes(&text, port))
        .collect();
    let wanted: Vec<String> = inodes.iter().map(|inode| format!("socket:[{inode}]")).collect();
    for process in fs::read_dir("/proc").ok()?.flatten() {
        let Ok(id) = process.file_name().to_string_lossy().parse::<u32>() else { continue };
        let Ok(descriptors) = fs::read_dir(process.path().join("fd")) else { continue };
        let holds = descriptors
            .flatten()
            .filter_map(|descriptor| fs::read_link(descriptor.path()).ok())
            .any(|link| wanted.iter().any(|socket| link.as_os_str() == socket.as_str()));
        if holds {
            let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
            return Some(format!("{} (process {id})", name.trim()));
        }
    }
    None
}

/// The inodes of the sockets that listen on this port of the loopback or of every address, from the text of
/// `/proc/net/tcp` or `tcp6`.
fn listening_inodes(table: &str, port: u16) -> Vec<u64> {
    const LISTENING: &str = "0A";
    // The kernel writes addresses as the machine's own words, here those of little-endian machines.
    const ADDRESSES: [&str; 5] = [
        "0100007F",
        "00000000",
        "00000000000000000000000000000000",
        "00000000000000000000000001000000",
        "0000000000000000FFFF00000100007F",
    ];
    table
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (address, hex_port) = fields.get(1)?.split_once(':')?;
            let matches = fields.get(3) == Some(&LISTENING)
                && ADDRESSES.contains(&address)
                && u16::from_str_radix(hex_port, 16) == Ok(port);
            if matches { fields.get(9)?.parse().ok() } else { None }
        })
        .collect()
}

/// From `lsof -Fpc`: a line `p` + process id, then a line `c` + name.
fn lsof_holder(text: &str) -> Option<String> {
    let field = |letter: char| text.lines().find_map(|line| line.strip_prefix(letter));
    Some(format!("{} (process {})", field('c')?, field('p')?))
}

/// From `netstat -ano -p TCP`. The word for *listening* is in the user's language; the other side's port 0 is not.
fn netstat_holder(text: &str, port: u16) -> Option<u32> {
    text.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, own, other, .., process] = fields.as_slice() else { return None };
        let (address, own_port) = own.rsplit_once(':')?;
        let matches = matches!(address, "127.0.0.1" | "0.0.0.0") && own_port.parse() == Ok(port);
        (matches && other.ends_with(":0")).then(|| process.parse().ok()).flatten()
    })
}

/// From `tasklist /FO CSV /NH`: the name comes first, in quotes.
fn tasklist_name(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.trim().strip_prefix('"')?.split_once('"').map(|(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0D16 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0000 100 0 0 10 0
   1: 00000000:0D16 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 222 1 0000 100 0 0 10 0
   2: 0100007F:0D16 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 333 1 0000 100 0 0 10 0
   3: 0100007F:0D17 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 444 1 0000 100 0 0 10 0
   4: 0A00000A:0D16 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 555 1 0000 100 0 0 10 0
   5: 00000000000000000000000001000000:0D16 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 666 1
   6: broken
";

    #[test]
    fn listeners_are_told_from_connections_other_ports_and_other_addresses() {
        assert_eq!(listening_inodes(TABLE, 3350), [111, 222, 666]);
        assert_eq!(listening_inodes(TABLE, 3351), [444]);
        assert_eq!(listening_inodes(TABLE, 1), [0_u64; 0]);
    }

    #[test]
    fn lsof_lines_give_name_and_process() {
        assert_eq!(lsof_holder("p42\ncReaper\nf9\n").as_deref(), Some("Reaper (process 42)"));
        assert_eq!(lsof_holder(""), None);
    }

    #[test]
    fn windows_tables_give_process_and_name_in_any_language() {
        let table = "\r\nAktive Verbindungen\r\n\r\n  Proto  Lokale Adresse   Remoteadresse   Status    PID\r\n\
                     \x20 TCP    127.0.0.1:33500   0.0.0.0:0         ABHÖREN         1\r\n\
                     \x20 TCP    127.0.0.1:3350    127.0.0.1:51000   HERGESTELLT     2\r\n\
                     \x20 TCP    127.0.0.1:3350    0.0.0.0:0         ABHÖREN         4242\r\n\
                     \x20 TCP    192.168.0.2:3351  0.0.0.0:0         LISTENING       5\r\n";
        for (port, process) in [(3350, Some(4242)), (33500, Some(1)), (3351, None), (51000, None)] {
            assert_eq!(netstat_holder(table, port), process, "{port}");
        }
        assert_eq!(tasklist_name("\r\n\"Ableton Live.exe\",\"4242\",\"Console\"\r\n"), Some("Ableton Live.exe"));
        assert_eq!(tasklist_name("INFO: No tasks are running\r\n"), None);
    }
}
