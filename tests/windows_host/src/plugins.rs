//! The plugins in a host: the song, note for note; ports, states and instances that come and go.

use crate::messages;
use crate::support::api::{Api, Saved, free_port, listens};
use crate::support::clap_host::{self, Library, Service};
use crate::support::own_process::eventually;
use crate::support::song;
use crate::support::vst3_host::{self, Module};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(20);

/// An active instance whose server is up on a port of its own.
fn started_clap(library: &Library) -> (clap_host::Instance, u16) {
    let mut instance = library.instance();
    let port = free_port();
    let saved = Saved::read(&instance.save()).with_port(port);
    instance.load(&saved.bytes());
    assert!(!listens(port), "not before activate");
    instance.activate();
    eventually("the server", SOON, || listens(port));
    (instance, port)
}

pub fn clap_song(library: &Path) {
    let library = Library::load(library);
    let (mut instance, port) = started_clap(&library);
    instance.run(Service::AtOnce, |audio| {
        let mut api = Api::connect(port);
        song::write(&mut api);
        song::perform(audio, &mut api);
    });
}

/// Serves from the first activate to the end; keeps its Set in a state; shares a port; is switched on a hundred times.
pub fn clap_life(library: &Path) {
    let library = Library::load(library);
    let (mut first, port) = started_clap(&library);
    let mut to_first = Api::connect(port);
    first.deactivate();
    first.run(Service::AtOnce, |_| to_first.call("svc-create-track", json!({ "name": "Kept" })));
    let saved = first.save();

    let mut second = library.instance();
    second.load(&saved);
    second.activate();
    assert!(Saved::read(&second.save()).text.contains("Kept"), "the Set is in the state");
    let first_name = to_first.config()["instance"].clone();
    first.activate();
    for _ in 0..100 {
        first.deactivate();
        first.activate();
    }
    assert_eq!(Api::connect(port).config()["instance"], first_name, "the port stays the first one's");
    drop(to_first);
    drop(first);
    eventually("the second takes over", SOON, || listens(port));
    let mut to_second = Api::connect(port);
    assert_ne!(to_second.config()["instance"], first_name);
    let tracks = second.run(Service::AtOnce, |_| to_second.read_all().to_string());
    assert!(tracks.contains("Kept"), "{tracks}");
    // A connection that stays open does not keep it.
    drop(second);
    assert!(!listens(port), "not after the end");
    assert!(library.entry().get_plugin_factory().is_some(), "the library still answers");
}

fn started_vst3(module: &Module) -> (vst3_host::Instance, u16) {
    let mut instance = module.instance();
    let port = free_port();
    instance.load(&Saved::read(&instance.save()).with_port(port).bytes());
    assert!(!listens(port), "not before it is active");
    instance.activate();
    eventually("the server", SOON, || listens(port));
    (instance, port)
}

/// Once in a host whose main thread takes its messages, once in one whose main thread is busy.
pub fn vst3_song(library: &Path) {
    let module = Module::load(library);
    for serves_messages in [true, false] {
        let (mut instance, port) = started_vst3(&module);
        let meanwhile: fn() = if serves_messages { messages::take } else { || () };
        instance.run_beside(meanwhile, |audio| {
            let mut api = Api::connect(port);
            song::write(&mut api);
            song::perform(audio, &mut api);
        });
    }
}

/// As [`clap_life`].
pub fn vst3_life(library: &Path) {
    let module = Module::load(library);
    let (mut first, port) = started_vst3(&module);
    let mut to_first = Api::connect(port);
    first.run_beside(messages::take, |_| to_first.call("svc-create-track", json!({ "name": "Kept" })));
    let saved = first.save();
    let mut second = module.instance();
    second.load(&saved);
    second.activate();
    assert!(Saved::read(&second.save()).text.contains("Kept"), "the Set is in the state");
    let first_name = to_first.config()["instance"].clone();
    for _ in 0..100 {
        first.deactivate();
        first.activate();
    }
    assert_eq!(Api::connect(port).config()["instance"], first_name, "the port stays the first one's");
    drop(to_first);
    drop(first);
    eventually("the second takes over", SOON, || listens(port));
    let mut to_second = Api::connect(port);
    assert_ne!(to_second.config()["instance"], first_name);
    let tracks = second.run_beside(messages::take, |_| to_second.read_all().to_string());
    assert!(tracks.contains("Kept"), "{tracks}");
    drop(second);
    assert!(!listens(port), "not after the end");
}
