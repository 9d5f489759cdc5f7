//! The library in the plugin bundles: the entries by which CLAP and VST3 hosts find the device, and nothing else.
//!
//! It is a package of its own so that the device is a plain Rust library. Cargo leaves link-time optimisation out for a
//! crate that is `cdylib` and `rlib` at once, gives both feature sets of such a crate one file name, and links the
//! `cdylib` for every program and test that only wants the `rlib`.

use nice_plug::prelude::*;
use svc_device::SvcDevice;

nice_export_clap!(SvcDevice);
nice_export_vst3!(SvcDevice);
