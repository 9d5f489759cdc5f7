//! The check under way: the device that is called, and what is known and was made so far.

use crate::device_client::{Called, DeviceClient};
use serde_json::{Value, json};
use std::time::Duration;

/// The check under way.
pub struct Walk<'a> {
    client: &'a DeviceClient,
    pub any_host: bool,
    /// Somebody answers the questions.
    pub is_attended: bool,
    /// What the report begins with.
    pub facts: Vec<(&'static str, String)>,
    /// The Set before anything was done.
    pub before: Value,
    /// The track that was made, as a path.
    pub track: Option<String>,
    /// Steps of undo that take back what was changed.
    pub undo_steps: usize,
    /// The clip was launched and not stopped.
    pub is_playing: bool,
}

impl<'a> Walk<'a> {
    pub fn new(client: &'a DeviceClient, any_host: bool, is_attended: bool) -> Walk<'a> {
        Walk {
            client,
            any_host,
            is_attended,
            facts: Vec::new(),
            before: Value::Null,
            track: None,
            undo_steps: 0,
            is_playing: false,
        }
    }

    /// How the device says that it stands with its link to Live; `None` of one that does not say.
    pub fn link(&self) -> Option<Value> {
        self.client.config().ok()?.pointer("/host/live").filter(|live| !live.is_null()).cloned()
    }

    /// The result of a call, and how long it took.
    pub fn call(&self, tool: &str, arguments: Value) -> Result<(Value, Duration), String> {
        let called = self.called(tool, &arguments)?;
        Ok((called.result, called.took))
    }

    fn called(&self, tool: &str, arguments: &Value) -> Result<Called, String> {
        let called = self.client.call(tool, arguments).map_err(|why| format!("{tool} {arguments}: {why}"))?;
        match called.warnings.first() {
            Some(_) if called.result.is_null() => Err(format!("{tool}: {}", called.warnings.join("; "))),
            _ => Ok(called),
        }
    }

    /// As [`Walk::call`], for a call that undo takes back.
    pub fn change(&mut self, tool: &str, arguments: Value) -> Result<(Value, Duration), String> {
        let called = self.called(tool, &arguments)?;
        self.undo_steps += undo_steps_of(&called.warnings);
        Ok((called.result, called.took))
    }

    /// Stops and undoes what a check that ended early left; a sentence, where there is anything.
    pub fn clean_up(&mut self) -> Option<String> {
        if self.is_playing {
            // What it says is of no use now.
            let _ = self.call("svc-playback", json!({ "action": "stop-all-session-clips" }));
            let _ = self.call("svc-playback", json!({ "action": "stop" }));
        }
        (self.undo_steps > 0).then(|| self.take_back().unwrap_or_else(|why| why))
    }

    /// Undoes what was made, as many steps as the calls said.
    pub fn take_back(&mut self) -> Result<String, String> {
        let steps = std::mem::take(&mut self.undo_steps);
        let mut took = Duration::ZERO;
        for step in 0..steps {
            let left = |why: String| format!("{why}; {} of {steps} steps are not undone", steps - step);
            took += self.call("svc-manage", json!({ "action": "undo" })).map_err(left)?.1;
        }
        Ok(format!("{steps} steps undone in {} ms", took.as_millis()))
    }
}

/// Of how many steps of undo a call is: of one, unless its warning says another number.
fn undo_steps_of(warnings: &[String]) -> usize {
    let told = warnings.iter().find_map(|warning| {
        let rest = warning.split_once("Live's undo takes this call back in ")?.1;
        rest.split(' ').next()?.parse().ok()
    });
    told.unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_may_be_several_steps() {
        let warned = |text: &str| undo_steps_of(&[text.to_owned()]);
        assert_eq!((undo_steps_of(&[]), warned("not heard")), (1, 1));
        assert_eq!(warned("Live's undo takes this call back in 3 steps"), 3);
    }
}
