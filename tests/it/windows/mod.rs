//! What is built for Windows, under wine: what it needs, the device and its files and consoles, the plugins in hosts.
//!
//! `cargo xtask test` names the folder with all of it in `SVC_WINDOWS`, wine in `SVC_WINE` and wine's own folder in
//! `SVC_WINE_PREFIX`. Without them these tests say that they are skipped. `docs/windows.md` lists what wine cannot
//! show.

mod consoles;
mod device;
mod files;
mod imports;
mod pictures;
mod plugins;
mod wine;
