//! What the tests share: processes, clients, hosts, and the hostile clients.

pub mod child;
pub mod fake_live;
pub mod fake_live_process;
pub mod http;
pub mod script;
pub mod script_side;
pub mod torture;

#[cfg(target_os = "linux")]
pub mod api;
#[cfg(target_os = "linux")]
pub mod ardour;
#[cfg(target_os = "linux")]
pub mod clap_host;
#[cfg(target_os = "linux")]
pub mod display;
#[cfg(target_os = "linux")]
pub mod own_process;
#[cfg(target_os = "linux")]
pub mod song;
#[cfg(target_os = "linux")]
pub mod song_sound;
#[cfg(target_os = "linux")]
pub mod vst3_host;
