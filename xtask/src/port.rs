//! Whether a port of this machine is free, and if not, who has it.

use crate::shell::{capture, find_program};
use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::Command;
use std::time::Duration;

/// Long enough for a loopback connection on a busy machine.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, PartialEq)]
pub enum Port {
    Free,
    /// Something listens; the text says who, as far as this user may see it.
    Taken(String),
    /// Neither could be told, because of this.
    Unclear(String),
}

pub fn look(port: u16) -> Port {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    match TcpStream::connect_timeout(&address, PATIENCE) {
        Ok(_) => Port::Taken(holder(port).unwrap_or_else(|| "a program that this user can't see".to_owned())),
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => Port::Free,
        Err(error) => Port::Unclear(error.to_string()),
    }
}

fn holder(port: u16) -> Option<String> {
    if cfg!(target_os = "linux") { holder_by_proc(port) } else { holder_by_lsof(port) }
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

fn holder_by_lsof(port: u16) -> Option<String> {
    find_program("lsof")?;
    let arguments = ["-nP", "-Fpc", &format!("-iTCP:{port}"), "-sTCP:LISTEN"];
    lsof_holder(&capture(Command::new("lsof").args(arguments))?)
}

/// From `lsof -Fpc`: a line `p` + process id, then a line `c` + name.
fn lsof_holder(text: &str) -> Option<String> {
    let field = |letter: char| text.lines().find_map(|line| line.strip_prefix(letter));
    Some(format!("{} (process {})", field('c')?, field('p')?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

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
    fn a_listener_of_our_own_is_seen_and_then_gone() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let Port::Taken(holder) = look(port) else { panic!("the port is taken") };
        if cfg!(target_os = "linux") {
            assert!(holder.ends_with(&format!("(process {})", std::process::id())), "{holder}");
        }
        drop(listener);
        assert_eq!(look(port), Port::Free);
    }
}
