//! The tests' own hosts, song and clients.

#[path = "../../it/support/api.rs"]
pub mod api;
#[path = "../../it/support/clap_host.rs"]
pub mod clap_host;
#[path = "../../it/support/http.rs"]
pub mod http;
#[path = "../../it/support/own_process.rs"]
pub mod own_process;
#[path = "../../it/support/song.rs"]
pub mod song;
#[path = "../../it/support/vst3_host.rs"]
pub mod vst3_host;
