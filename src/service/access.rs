//! Who may call: everybody on this machine, or who shows the user's token.

use arc_swap::ArcSwap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// It was changed and is to be kept.
    unsaved: AtomicBool,
}

impl AccessCell {
    /// Puts in place what was read.
    pub fn restore(&self, access: Access) {
        self.access.store(Arc::new(access));
    }

    /// Sets or takes away the token, by an act of the user.
    pub fn set(&self, token: Option<Token>) {
        self.restore(token.map_or(Access::Open, Access::Token));
        self.unsaved.store(true, Ordering::Release);
    }

    /// The token to be kept, if it was changed since this was asked last; `Some(None)`: it was taken away.
    pub fn take_unsaved(&self) -> Option<Option<Token>> {
        if !self.unsaved.swap(false, Ordering::AcqRel) {
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

    /// Whether a call may go on that shows this.
    pub fn allows(&self, shown: Option<&[u8]>) -> bool {
        match &**self.access.load() {
            Access::Open => true,
            Access::Token(token) => shown.is_some_and(|shown| token.matches(shown)),
            Access::Closed => false,
        }
    }
}
