//! A device in this process, on a port that is free, which keeps nothing on the disk.

use std::sync::Arc;
use std::time::Duration;
use svc_device::device::{Config, Device, Persistence, ServerStatus};
use svc_device::service::Settings;
use svc_device::service::pump::SliceThread;
use svc_device::set::Document;
use svc_device::sound::player::Player;

/// The device that listens, who plays it, and its port.
pub fn start(document: Document) -> (Arc<Device>, Player, u16) {
    let (device, player) = Device::new(Config {
        instance: "measured".to_owned(),
        settings: Settings::default(),
        document,
        own_clock: true,
        port_override: Some(0),
        host_override: None,
        persistence: Persistence::Nowhere,
        on_change: Box::new(|| {}),
    });
    device.start(SliceThread::Model).expect("the device starts");
    match device.wait_for_server(Duration::from_secs(10)) {
        ServerStatus::Listening { port } => (device, player, port),
        other => panic!("the server does not listen: {other:?}"),
    }
}
