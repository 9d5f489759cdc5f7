//! Whether a port of this machine is free, and if not, who has it.

// One answer for a developer and for a user: the device's own doctor asks in the same way.
#[path = "../../src/bin/svc-device/doctor/port_holder.rs"]
mod port_holder;

use port_holder::holder;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

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
