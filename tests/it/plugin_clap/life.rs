//! Instances that come and go: ports, threads, sockets.

use super::{Api, Build, Library, Saved, Service, clap, eventually, in_own_process, listens, started};
use super::{open_files, plugin_threads, with_free_port};
use crate::support::api::{free_port, local};
use crate::support::http::Client;
use crate::support::own_process::thread_count;
use serde_json::json;
use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn the_second_of_two_instances_takes_the_port_over() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let (mut first, port) = started(&library);
        let name = |api: &mut Api| api.config()["instance"].as_str().expect("a name").to_owned();
        let mut to_first = Api::connect(port);
        let first_name = name(&mut to_first);

        let mut second = library.instance();
        let mut saved = Saved::read(&second.save()).with_port(port).json();
        saved["settings"]["projectContext"] = json!("the second");
        let saved = Saved::read(&second.save()).with_text(saved.to_string());
        second.load(&saved.bytes());
        second.activate();
        // Both work; the port stays the first one's.
        for _ in 0..20 {
            assert_eq!(name(&mut Api::connect(port)), first_name);
        }
        first.run(Service::AtOnce, |_| to_first.call("svc-create-track", json!({})));
        assert_eq!(Saved::read(&second.save()).json()["settings"]["port"], json!(port), "it goes on wanting it");

        drop(to_first);
        drop(first);
        eventually("the second takes over", Duration::from_secs(2), || listens(port));
        let mut api = Api::connect(port);
        assert_ne!(name(&mut api), first_name);
        assert_eq!(api.config()["projectContext"], json!("the second"));
        second.run(Service::AtOnce, |_| api.read_all());
    });
}

#[test]
fn an_instance_that_goes_answers_everyone_and_leaves_nothing() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Checked));
        let files = open_files();
        let (instance, port) = started(&library);
        // A thread gives itself its name once it runs.
        let named = || {
            let served: BTreeMap<String, usize> = plugin_threads();
            served.contains_key("svc-waker") && served.contains_key("svc-supervisor")
        };
        eventually("both threads run", Duration::from_secs(5), named);

        let mut idle: Vec<Client> = (0..3).map(|_| Client::connect(local(port))).collect();
        assert_eq!(idle[0].request("GET", "/api/tools", "", "").status, 200);
        let mut stalled = Client::connect(local(port));
        stalled.send(b"POST /api/tools/svc-read-live-set HTTP/1.1\r\nHost: loc");
        let begin = |body: &str| {
            let mut client = Client::connect(local(port));
            let head = format!(
                "POST /api/tools/svc-test HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\n\r\n",
                body.len()
            );
            client.send((head + body).as_bytes());
            client
        };
        let mut running = begin(r#"{"behave":"sleep","sleep":"300"}"#);
        // Nobody tells that a call has begun; this is ample.
        thread::sleep(Duration::from_millis(100));
        let mut waiting: Vec<Client> = (0..4).map(|_| begin(r#"{"behave":"well"}"#)).collect();
        thread::sleep(Duration::from_millis(50));

        let before = Instant::now();
        drop(instance);
        assert!(before.elapsed() < Duration::from_millis(1500), "{:?}", before.elapsed());
        assert_eq!(plugin_threads(), BTreeMap::new(), "every thread is joined");
        assert!(!listens(port));

        let reply = running.reply().expect("the running call is answered");
        assert!(matches!(reply.status, 200 | 500 | 503), "{}", reply.status);
        assert!(reply.json().is_object());
        for client in &mut waiting {
            let reply = client.reply().expect("a waiting call is answered");
            assert!(matches!(reply.status, 500 | 503), "{}: {}", reply.status, reply.json());
            assert!(reply.json()["error"].is_string());
            // A 500 is of the queue, which does not know of the connection; 503 is of the server that closes.
            assert!(reply.status == 500 || reply.closes(), "it says that the connection ends");
        }
        // A head that never came to its end may be told so.
        if let Some(reply) = stalled.reply() {
            assert!(reply.status >= 400, "{}", reply.status);
        }
        for client in idle.iter_mut().chain([&mut running, &mut stalled]).chain(&mut waiting) {
            assert!(client.closed(), "closed, with nothing after the answer");
        }
        drop((idle, running, waiting, stalled));
        assert_eq!(open_files(), files, "sockets, and files in all");
    });
}

/// The framework holds the plugin while it asks the host for its main thread; whoever holds it last drops it.
#[test]
fn an_instance_that_goes_while_it_asks_for_a_slice_is_gone() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let mut instance = library.instance_in_host(Duration::from_millis(100));
        let port = free_port();
        let saved = Saved::read(&instance.save()).with_port(port);
        instance.load(&saved.bytes());
        instance.activate();
        eventually("the server", Duration::from_secs(5), || listens(port));
        let mut client = Client::connect(local(port));
        client.send(
            format!(
                "POST /api/tools/svc-select HTTP/1.1\r\nHost: localhost:{port}\r\n\
                 Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
            )
            .as_bytes(),
        );
        instance.wait_for_request();
        drop(instance);
        assert_eq!(plugin_threads(), BTreeMap::new(), "every thread is joined");
        assert!(!listens(port));
    });
}

/// A thread that cannot end in time runs on in code that the host believes unloaded: that code must still be there.
/// (The C library of Linux keeps it by itself, so what can fail here is the time it takes and what becomes of the
/// thread.)
#[test]
fn a_call_that_hangs_neither_holds_up_the_host_nor_crashes_it() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Checked));
        let (instance, port) = started(&library);
        let mut client = Client::connect(local(port));
        let body = r#"{"behave":"sleep","sleep":"2500"}"#;
        let head = format!(
            "POST /api/tools/svc-test HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        client.send((head + body).as_bytes());
        // Nobody tells that a call has begun; this is ample.
        thread::sleep(Duration::from_millis(150));
        let before = Instant::now();
        drop(instance);
        assert!(before.elapsed() < Duration::from_millis(2000), "{:?}", before.elapsed());
        assert!(plugin_threads().contains_key("svc-waker"), "the test needs a thread that hangs");
        drop(library);
        let reply = client.reply();
        assert!(reply.is_none_or(|reply| reply.status >= 500));
        eventually("the thread runs out", Duration::from_secs(5), || plugin_threads().is_empty());
    });
}

#[test]
fn activating_and_deactivating_starts_and_leaves_nothing_more() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let (mut instance, port) = started(&library);
        let mut api = Api::connect(port);
        instance.run(Service::AtOnce, |_| api.read_all());
        let steady = (plugin_threads(), thread_count(), open_files());
        for _ in 0..100 {
            instance.deactivate();
            instance.activate();
        }
        instance.run(Service::AtOnce, |_| api.read_all());
        assert_eq!((plugin_threads(), thread_count(), open_files()), steady);
    });
}

#[test]
fn thirty_instances_one_after_the_other_leave_nothing() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let once = |port: Option<u16>| {
            let (mut instance, free) = with_free_port(&library);
            if let Some(port) = port {
                let saved = Saved::read(&instance.save()).with_port(port);
                instance.load(&saved.bytes());
            }
            instance.activate();
            let mut api = Api::connect(port.unwrap_or(free));
            instance.run(Service::AtOnce, |_| api.read_all());
        };
        once(None);
        let steady = (thread_count(), open_files());
        // The same port every time: it is free at once, though connections to it were open a moment ago.
        let port = free_port();
        for _ in 0..30 {
            once(Some(port));
        }
        assert!(plugin_threads().is_empty(), "{:?}", plugin_threads());
        assert_eq!((thread_count(), open_files()), steady);
    });
}
