//! The settings in force, and who is told of others.

use super::Settings;
use super::keeper::Keeper;
use crate::tools::error::ToolError;
use crate::tools::request::Project;
use arc_swap::{ArcSwap, Guard};
use std::sync::Arc;

/// Changed without a lock: a host's thread puts settings in place too.
pub struct Current {
    settings: ArcSwap<Settings>,
    keeper: Arc<Keeper>,
    on_settings: Box<dyn Fn(&Settings) + Send + Sync>,
}

impl Current {
    pub fn new(settings: Settings, keeper: Arc<Keeper>, on_settings: Box<dyn Fn(&Settings) + Send + Sync>) -> Current {
        Current { settings: ArcSwap::from_pointee(settings), keeper, on_settings }
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
        self.tell(&before);
    }

    /// Puts in place what `change` makes of the settings, which nobody else changes in between; it may be asked again.
    pub fn change<T, E>(&self, mut change: impl FnMut(&Settings) -> Result<(Settings, T), E>) -> Result<T, E> {
        loop {
            let before = self.settings.load_full();
            let (next, said) = change(&before)?;
            let found = self.settings.compare_and_swap(&before, Arc::new(next));
            if Arc::ptr_eq(&found, &before) {
                self.tell(&before);
                return Ok(said);
            }
        }
    }

    fn tell(&self, before: &Settings) {
        let after = self.settings.load();
        if *before != **after {
            (self.on_settings)(&after);
        }
    }
}

impl Project for Current {
    fn context(&self) -> String {
        self.settings.load().project_context.clone()
    }

    fn set_context(&self, text: &str, generation: u64) -> Result<(), ToolError> {
        if let Some(held) = self.keeper.held() {
            return Err(ToolError::new(format!("nothing was written: {}", held.why)));
        }
        if self.keeper.generation() != generation {
            return Err(ToolError::new("nothing was written: another project was loaded meanwhile; send it again"));
        }
        self.change(|settings| Ok((Settings { project_context: text.to_owned(), ..settings.clone() }, ())))
    }
}
