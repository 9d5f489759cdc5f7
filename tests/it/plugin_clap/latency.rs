//! What a host is told of how late the plugin is.

use crate::bundle::{Build, clap};
use crate::support::api::{Saved, free_port};
use crate::support::clap_host::{Library, Service};
use crate::support::own_process::{eventually, in_own_process};
use crate::support::song::Daw;
use std::time::Duration;

/// A track that is early makes all else late: the host hears of it when it activates the plugin, and is asked for a
/// restart when that changes while it plays.
#[test]
fn a_host_is_told_how_late_the_plugin_is() {
    in_own_process(|| {
        let library = Library::load(&clap(Build::Release));
        let mut instance = library.instance();
        let saved = Saved::read(&instance.save()).with_port(free_port());
        for (samples, latency) in [(-480, 480), (480, 0), (-37, 37)] {
            instance.load(&saved.with_delay(samples).bytes());
            instance.activate();
            assert_eq!(instance.latency(), latency, "a first track of {samples} samples");
            instance.deactivate();
        }
        let told = instance.latency_changes();
        assert!(told.0 >= 2, "the host is told that it changed: {told:?}");
        // While it plays, nothing is later than was said, and the host is asked to begin anew.
        instance.activate();
        let before = instance.latency_changes().1;
        instance.load(&saved.with_delay(-960).bytes());
        eventually("a restart is asked for", Duration::from_secs(10), || {
            instance.run(Service::AtOnce, |audio| Daw::new(audio, 120.0).blocks(4));
            instance.latency_changes().1 > before
        });
        assert_eq!(instance.latency(), 37, "until then it is what was said");
        instance.deactivate();
        instance.activate();
        assert_eq!(instance.latency(), 960);
    });
}
