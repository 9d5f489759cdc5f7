//! Who may call: everybody on this machine, or who shows the user's token.

use arc_swap::ArcSwap;
use parking_lot::Mutex;
use std::sync::Arc;
use tokio::sync::watch;

pub use crate::user_store::{Token, read_token, token_file};

/// What a call has to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Nothing.
    #[default]
    Open,
    /// This token.
    Token(Token),
    /// There is a token, and it cannot be read: nobody may call.
    Closed,
}

/// The access in force. Looked at for each request, without a lock.
#[derive(Debug, Default)]
pub struct AccessCell {
    access: ArcSwap<Access>,
    /// It was changed and is to be kept. Held by whoever changes it.
    unsaved: Mutex<bool>,
    /// Wakes those whose answers go on.
    changes: watch::Sender<()>,
}

impl AccessCell {
    /// Puts in place what was read.
    pub fn restore(&self, access: Access) {
        self.access.store(Arc::new(access));
        self.changes.send_replace(());
    }

    /// Puts in place what was kept by somebody else, unless what is in force is newer and waits to be kept. Gives
    /// whether it is in force.
    pub fn follow(&self, access: &Access) -> bool {
        let unsaved = self.unsaved.lock();
        if !*unsaved {
            self.restore(access.clone());
        }
        !*unsaved
    }

    /// Sets or takes away the token, by an act of the user.
    pub fn set(&self, token: Option<Token>) {
        let mut unsaved = self.unsaved.lock();
        self.restore(token.map_or(Access::Open, Access::Token));
        *unsaved = true;
    }

    /// The token to be kept, if it was changed since this was asked last; `Some(None)`: it was taken away.
    pub fn take_unsaved(&self) -> Option<Option<Token>> {
        let mut unsaved = self.unsaved.lock();
        if !std::mem::take(&mut *unsaved) {
            return None;
        }
        match &*self.access.load_full() {
            Access::Token(token) => Some(Some(token.clone())),
            Access::Open => Some(None),
            Access::Closed => None,
        }
    }

    /// Whether calls have to show something.
    pub fn is_restricted(&self) -> bool {
        !matches!(**self.access.load(), Access::Open)
    }

    /// What calls have to show, if that is a token.
    pub fn token(&self) -> Option<Token> {
        match &**self.access.load() {
            Access::Token(token) => Some(token.clone()),
            Access::Open | Access::Closed => None,
        }
    }

    /// Is told when another access is in force.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// Whether a call may go on that shows this.
    pub fn allows(&self, shown: Option<&[u8]>) -> bool {
        match &**self.access.load() {
            Access::Open => true,
            Access::Token(token) => shown.is_some_and(|shown| token.matches(shown)),
            Access::Closed => false,
        }
    }
}
