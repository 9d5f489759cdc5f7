//! `svc-device live`: the script in Ableton Live installed, looked at, removed; and the check that a person with Live
//! goes through.

mod check;
mod script;

pub use script::{INSTALL, sentence, setup};

use crate::arguments::{LiveAction, Options};
use crate::device_client::{DeviceClient, PortAnswer};
use std::process::ExitCode;
use svc_device::service::access::Token;

/// Runs it. The error is a sentence for the user.
pub fn run(action: LiveAction, options: &Options, token: Option<Token>) -> Result<ExitCode, String> {
    match action {
        LiveAction::Install => script::install(options),
        LiveAction::Status => script::status(options, token.as_ref()),
        LiveAction::Remove => script::remove(options),
        LiveAction::Check => {
            let port = options.port.unwrap_or(svc_device::service::Settings::default().port);
            let client = DeviceClient::new(port, token)?;
            match client.who() {
                PortAnswer::Device { .. } => Ok(check::run(&client, options)),
                PortAnswer::Other => Err(format!(
                    "something other than svc-device answers on port {port}; choose the device's with --port N"
                )),
                PortAnswer::Silence => Err(format!(
                    "no device answers on port {port}: open the plugin in Live, or start one with `svc-device --headless`; \
                     if it listens elsewhere, name its port with --port N"
                )),
            }
        }
    }
}
