//! `svc-device mcp`: the protocol over stdin and stdout, by a device that runs already or by its own.

use crate::support::api::free_port;
use crate::support::child::{Device, Heard, PATIENCE, Start, ended, wait_until};
use crate::support::http::once;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

/// One that was started as a client starts it.
struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Heard,
    stderr: Heard,
}

impl Server {
    fn start(port: u16, data_dir: &Path, more: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_svc-device"))
            .args([OsStr::new("mcp"), OsStr::new("--port"), OsStr::new(&port.to_string())])
            .args([OsStr::new("--data-dir"), data_dir.as_os_str()])
            .args(more)
            .env("JACK_DEFAULT_SERVER", "svc-device-test-without-server")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("svc-device starts");
        let stdin = child.stdin.take();
        let stdout = Heard::listen(child.stdout.take().expect("stdout is piped"));
        let stderr = Heard::listen(child.stderr.take().expect("stderr is piped"));
        Server { child, stdin, stdout, stderr }
    }

    fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(line.as_bytes()).and_then(|()| stdin.write_all(b"\n")).expect("it reads");
    }

    /// The answer to a request.
    fn answer(&self, id: &Value) -> Value {
        let found = self.stdout.wait(|lines| {
            let answers = lines.iter().map(|line| serde_json::from_str::<Value>(line).expect("only answers"));
            answers.into_iter().find(|answer| answer["id"] == *id)
        });
        found.unwrap_or_else(|| panic!("{id} is not answered; it says {:?}", self.stderr.so_far()))
    }

    fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        self.answer(&json!(id))
    }

    fn shake_hands(&mut self) {
        let params =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let agreed = self.ask(0, "initialize", params);
        assert_eq!(agreed["result"]["protocolVersion"], "2025-06-18", "{agreed}");
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    fn call(&mut self, id: u64, tool: &str, arguments: Value) -> Value {
        let mut answer = self.ask(id, "tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        answer["result"].take()
    }

    /// Closes its stdin; it must end well. Every line that it wrote.
    fn close(mut self) -> Vec<Value> {
        drop(self.stdin.take());
        let status = ended(&mut self.child, PATIENCE);
        assert_eq!(status.and_then(|status| status.code()), Some(0), "{}", self.stderr.so_far());
        self.stdout.all().lines().map(|line| serde_json::from_str(line).expect("only answers")).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_running_device_is_used() {
    let (device, folder) = (Device::start(), tempfile::tempdir().expect("a folder"));
    let mut server = Server::start(device.addr().port(), folder.path(), &["--header", "x-svc-format:json"]);
    server.shake_hands();
    server.call(1, "svc-update-live-set", json!({"tempo": 97}));
    assert_eq!(device.call("svc-read-live-set", json!({}))["tempo"], 97);
    let read = server.call(2, "svc-read-live-set", json!({}));
    assert_eq!(read["structuredContent"]["tempo"], 97, "the profile header is sent: {read}");
    // The generation without a handshake, a name that no header carries as it is, and what is no message at all.
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = server.ask(3, "server/discover", json!({"_meta": meta}));
    assert!(found["result"]["supportedVersions"].is_array(), "{found}");
    let unknown = server.ask(4, "tools/call", json!({"name": "Bäss\n", "arguments": {}, "_meta": meta}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    server.send("{ nonsense");
    assert_eq!(server.answer(&Value::Null)["error"]["code"], -32700);
    // Asked at the last moment, answered all the same.
    server.send(r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#);
    let all = server.close();
    assert!(all.iter().any(|answer| answer["id"] == "last"), "{all:?}");
    assert_eq!(all.len(), 7, "{all:?}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "the other device has the Set");
}

#[test]
fn the_token_of_the_user_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("token"), "0123456789abcdef").expect("a token");
    let device = Start::new().data_dir(folder.path()).start();
    assert_eq!(once(device.addr(), "GET", "/config", "", "").status, 401);
    let mut server = Server::start(device.addr().port(), folder.path(), &[]);
    server.shake_hands();
    server.call(1, "svc-read-live-set", json!({}));
    let other = tempfile::tempdir().expect("a folder");
    let mut without = Server::start(device.addr().port(), other.path(), &[]);
    let refused = without.ask(1, "ping", json!({}));
    assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("401")), "{refused}");
}

/// A client waits for the id of its request, and HTTP has none for a body that it did not read.
#[test]
fn what_http_refuses_is_answered_to_its_request() {
    let (device, folder) = (Device::start(), tempfile::tempdir().expect("a folder"));
    let mut server = Server::start(device.addr().port(), folder.path(), &[]);
    server.shake_hands();
    let large = server.ask(1, "tools/call", json!({"name": "svc-connect", "arguments": {"a": "x".repeat(3_000_000)}}));
    assert_eq!(large["error"]["code"], -32600, "{large}");
    assert!(large["error"]["message"].as_str().is_some_and(|text| text.contains("2097152 bytes")), "{large}");
    // A name that fills more than the headers may.
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let long = server.ask(2, "tools/call", json!({"name": "x".repeat(500_000), "arguments": {}, "_meta": meta}));
    assert!(long["error"]["code"].is_i64(), "{long}");
    // No request and no notification either.
    server.send("{}");
    assert_eq!(server.answer(&Value::Null)["error"]["code"], -32600);
    server.call(3, "svc-read-live-set", json!({}));
    assert_eq!(server.close().len(), 5);
}

#[test]
fn without_a_device_it_is_one() {
    let (port, folder) = (free_port(), tempfile::tempdir().expect("a folder"));
    let mut server = Server::start(port, folder.path(), &[]);
    server.shake_hands();
    server.call(1, "svc-update-live-set", json!({"tempo": 98}));
    // Others find it, a second client too.
    let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    assert_eq!(once(addr, "GET", "/", "", "").json()["name"], "svc-device");
    let mut second = Server::start(port, folder.path(), &[]);
    second.shake_hands();
    let read = second.call(1, "svc-read-live-set", json!({}));
    assert!(read["content"][0]["text"].as_str().is_some_and(|text| text.contains("tempo:98")), "{read}");
    second.close();
    server.close();
    // What was made is there the next time.
    let mut server = Server::start(port, folder.path(), &[]);
    server.shake_hands();
    let read = server.call(1, "svc-read-live-set", json!({}));
    assert!(read["content"][0]["text"].as_str().is_some_and(|text| text.contains("tempo:98")), "{read}");
}

#[test]
fn a_device_that_goes_is_named() {
    let (mut device, folder) = (Device::start(), tempfile::tempdir().expect("a folder"));
    let mut server = Server::start(device.addr().port(), folder.path(), &[]);
    server.shake_hands();
    device.kill();
    let error = server.ask(1, "tools/list", json!({}));
    assert_eq!(error["error"]["code"], -32603);
    let text = error["error"]["message"].as_str().unwrap_or_default();
    assert!(text.contains(&device.addr().to_string()) && text.contains("open its project again"), "{text}");
}

#[test]
fn something_else_on_the_port_is_told_apart() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
            let _ = (&connection).write_all(answer);
        }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(port, folder.path(), &[]);
    let status = wait_until(PATIENCE, || server.child.try_wait().expect("it can be waited for"));
    assert_eq!(status.and_then(|status| status.code()), Some(1));
    assert!(server.stderr.all().contains("--port N"), "{}", server.stderr.so_far());
    assert_eq!(server.stdout.all(), "");
}
