//! The device in a console: what its user does there ends it in order.

use super::wine::Wine;
use serde_json::json;

/// A change is saved, the lock goes, and the exit code is 0, whatever tells of the end. A device that Windows has to
/// end has another code: it came back from a close before it was done, or was not done in 5 s.
#[test]
fn a_console_ends_the_device_in_order() {
    let Some(wine) = Wine::here() else { return };
    for what in ["ctrl-c", "ctrl-break", "close", "logoff", "shutdown"] {
        let folder = wine.folder();
        let mut console = wine.device_in_console(&folder.there);
        console.api().call("svc-update-track", json!({ "path": "t0", "name": what }));
        console.say(what);
        console.wait_for("ended 0x0");
        assert_eq!(folder.names(""), ["state.json"], "{what}");
        let state = std::fs::read_to_string(folder.here().join("state.json")).expect("a state");
        assert!(state.contains(what), "{what}");
    }
}
