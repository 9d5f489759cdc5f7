//! The hostile clients against the real device in a process of its own.

use crate::support::child::Device;
use crate::support::torture::torture;

#[test]
fn the_device_outlives_hostile_clients() {
    let mut device = Device::start();
    let addr = device.addr();
    torture(addr, &mut || device.is_alive());
}
