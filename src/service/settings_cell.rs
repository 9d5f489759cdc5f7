//! The settings in force, and the callback for a change of them.

use super::set_host::{FIRST_FAR_GENERATION, SetHost};
use super::settings::Settings;
use crate::tools::error::ToolError;
use crate::tools::request::Project;
use arc_swap::{ArcSwap, Guard};
use std::sync::Arc;

/// Changed without a lock: a thread of the plugin host puts settings in place too.
pub struct SettingsCell {
    settings: ArcSwap<Settings>,
    host: Arc<dyn SetHost>,
    on_change: Box<dyn Fn(&Settings) + Send + Sync>,
}

impl SettingsCell {
    /// `on_change` is called with the new settings; it must not wait.
    pub fn new(
        settings: Settings,
        host: Arc<dyn SetHost>,
        on_change: Box<dyn Fn(&Settings) + Send + Sync>,
    ) -> SettingsCell {
        SettingsCell { settings: ArcSwap::from_pointee(settings), host, on_change }
    }

    pub fn load(&self) -> Guard<Arc<Settings>> {
        self.settings.load()
    }

    pub fn load_full(&self) -> Arc<Settings> {
        self.settings.load_full()
    }

    /// Puts other settings in place.
    pub fn set(&self, next: Settings) {
        let before = self.settings.swap(Arc::new(next));
        self.report_change(&before);
    }

    /// Puts in place what `change` makes of the settings, which nobody else changes in between; it may be called again.
    pub fn change<T, E>(&self, mut change: impl FnMut(&Settings) -> Result<(Settings, T), E>) -> Result<T, E> {
        loop {
            let before = self.settings.load_full();
            let (next, given) = change(&before)?;
            let found = self.settings.compare_and_swap(&before, Arc::new(next));
            if Arc::ptr_eq(&found, &before) {
                self.report_change(&before);
                return Ok(given);
            }
        }
    }

    fn report_change(&self, before: &Settings) {
        let after = self.settings.load();
        if *before != **after {
            (self.on_change)(&after);
        }
    }
}

impl Project for SettingsCell {
    fn context(&self) -> String {
        self.settings.load().project_context.clone()
    }

    fn permission_request(&self) -> Option<String> {
        self.settings.load().permission_advice()
    }

    fn folders(&self) -> Vec<String> {
        self.settings.load().opened_folders().map(str::to_owned).collect()
    }

    fn set_context(&self, text: &str, generation: u64) -> Result<(), ToolError> {
        if let Some(why) = self.host.write_refusal() {
            return Err(ToolError::new(format!("nothing was written: {why}")));
        }
        // Of a call on another host there is no telling, and the project is this device's own.
        if generation < FIRST_FAR_GENERATION && self.host.generation() != generation {
            return Err(ToolError::new("nothing was written: another project was loaded meanwhile; send it again"));
        }
        self.change(|settings| Ok((Settings { project_context: text.to_owned(), ..settings.clone() }, ())))
    }
}
