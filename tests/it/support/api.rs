//! A device as a script sees it, and its state as a host keeps it.

use super::http::{Client, Reply};
use super::own_process::eventually;
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

/// Ports of each process that asks for one.
const PORTS: u16 = 20;

/// A port that nobody listens on and no other process of these tests is given. Below the range that systems give to
/// outgoing connections, and another one each time until all are used.
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = own_ports();
    loop {
        let port = first + NEXT.fetch_add(1, Ordering::Relaxed) % PORTS;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
}

/// The first of the ports that are this process's as long as it lives: it holds the UDP port of that number, which no
/// device opens. Process ids alone do not keep processes apart, as their numbers soon come round.
pub fn own_ports() -> u16 {
    static HELD: OnceLock<(u16, UdpSocket)> = OnceLock::new();
    HELD.get_or_init(|| {
        let start = u16::try_from(std::process::id() % 1000).expect("below 1000");
        (0..1000)
            .map(|step| 10_000 + (start + step) % 1000 * PORTS)
            .find_map(|first| UdpSocket::bind((Ipv4Addr::LOCALHOST, first)).ok().map(|held| (first, held)))
            .expect("twenty ports for this process")
    })
    .0
}

pub fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

pub fn listens(port: u16) -> bool {
    TcpStream::connect(local(port)).is_ok()
}

/// Calls tools over one connection that stays open.
pub struct Api {
    client: Client,
}

impl Api {
    /// Waits for the server, which opens its port a moment after the host activated the plugin.
    pub fn connect(port: u16) -> Api {
        eventually(&format!("a server on port {port}"), Duration::from_secs(5), || listens(port));
        Api { client: Client::connect(local(port)) }
    }

    /// Any call, with whatever comes of it. `query` is empty or starts with `?`.
    pub fn post(&mut self, tool: &str, query: &str, arguments: &Value) -> Reply {
        let headers = "x-svc-notation: midi-json\r\nx-svc-live-api: true\r\n";
        self.client.request("POST", &format!("/api/tools/{tool}{query}"), headers, &arguments.to_string())
    }

    /// A call that works; its result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let reply = self.post(tool, "", &arguments);
        let mut body = reply.json();
        assert_eq!((reply.status, &body["isError"]), (200, &json!(false)), "{tool} {arguments}: {body}");
        body["result"].take()
    }

    /// A call that the tool refuses; the reason.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let reply = self.post(tool, "", &arguments);
        let body = reply.json();
        assert_eq!((reply.status, &body["isError"]), (200, &json!(true)), "{tool} {arguments}: {body}");
        body["result"].as_str().expect("an error is a text").to_owned()
    }

    pub fn configure(&mut self, members: Value) -> Value {
        let reply = self.client.request("POST", "/config", "", &members.to_string());
        assert_eq!(reply.status, 200, "{members}: {}", reply.json());
        reply.json()
    }

    pub fn config(&mut self) -> Value {
        self.client.request("GET", "/config", "", "").json()
    }

    /// Everything that reading shows of the Set.
    pub fn read_all(&mut self) -> Value {
        let set = self.call("svc-read-live-set", json!({ "include": ["*"] }));
        let count = set["tracks"].as_array().expect("the tracks").len();
        let paths: Vec<String> = (0..count).map(|at| format!("t{at}")).collect();
        let tracks = self.call("svc-read-track", json!({ "path": paths.join(","), "include": ["*"] }));
        json!({ "set": set, "tracks": tracks })
    }
}

/// A saved plugin state: a JSON object of the plugin framework, in which the device's own text lies as a JSON string
/// that is itself written as a string. In CLAP the object's length comes first.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    length_first: bool,
    outer: Value,
    /// The device's own text.
    pub text: String,
}

impl Saved {
    pub fn read(bytes: &[u8]) -> Saved {
        let length_first = bytes.first() != Some(&b'{');
        let object = if length_first {
            let (length, object) = bytes.split_first_chunk().expect("8 bytes of length");
            assert_eq!(u64::from_le_bytes(*length), object.len() as u64);
            object
        } else {
            bytes
        };
        let outer: Value = serde_json::from_slice(object).expect("a state is JSON");
        let field = outer["fields"]["device"].as_str().unwrap_or_else(|| panic!("no device in {outer}"));
        let text = serde_json::from_str(field).expect("the field is JSON");
        Saved { length_first, outer, text }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut outer = self.outer.clone();
        outer["fields"]["device"] = json!(json!(self.text).to_string());
        let object = outer.to_string().into_bytes();
        let length = (object.len() as u64).to_le_bytes();
        if self.length_first { [&length, &object[..]].concat() } else { object }
    }

    /// With another text in the same wrapping.
    pub fn with_text(&self, text: impl Into<String>) -> Saved {
        Saved { text: text.into(), ..self.clone() }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("the device's text is JSON")
    }

    /// With the first track later by so many samples than the others, below 0 earlier.
    pub fn with_delay(&self, samples: i64) -> Saved {
        let mut json = self.json();
        json["set"]["tracks"][0]["delay"] = json!({ "samples": samples });
        self.with_text(json.to_string())
    }

    pub fn with_port(&self, port: u16) -> Saved {
        let mut json = self.json();
        json["settings"]["port"] = json!(port);
        self.with_text(json.to_string())
    }
}
