//! The product from outside: over HTTP, as a process, as a plugin in hosts.

#[cfg(target_os = "linux")]
mod ardour;
mod bundle;
mod doctor;
mod examples;
mod http_torture;
#[cfg(target_os = "linux")]
mod jack_notes;
mod live_faults;
mod live_host;
mod live_install;
mod live_script;
mod live_set_file;
mod mcp_clients;
#[cfg(target_os = "linux")]
mod mcp_conformance;
mod mcp_rmcp;
#[cfg(target_os = "linux")]
mod openapi;
mod plugin_clap;
#[cfg(target_os = "linux")]
mod plugin_pedalboard;
#[cfg(target_os = "linux")]
mod plugin_vst3;
mod readme;
mod render;
#[cfg(unix)]
mod saving;
#[cfg(target_os = "linux")]
mod set_file_kills;
#[cfg(target_os = "linux")]
mod sound_out;
mod standalone;
mod stdio;
mod strangers;
mod support;
#[cfg(target_os = "linux")]
mod windows;
