//! A stream that goes on as long as its request may: one that shows no token that is in force any more ends, and is
//! told nothing more.

use super::bearer;
use crate::service::access::AccessCell;
use axum::http::HeaderMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::watch;

type Change = Pin<Box<dyn Future<Output = watch::Receiver<()>> + Send>>;

/// What the request of a stream showed.
pub struct Shown {
    access: Arc<AccessCell>,
    token: Option<Box<[u8]>>,
}

impl Shown {
    pub fn by(headers: &HeaderMap, access: &Arc<AccessCell>) -> Shown {
        Shown { access: access.clone(), token: bearer::shown(headers).map(Box::from) }
    }

    /// From now on.
    pub fn watched(self) -> Watched {
        let change = next_change(self.access.changes());
        Watched { shown: self, change }
    }

    fn is_allowed(&self) -> bool {
        self.access.allows(self.token.as_deref())
    }
}

/// What a stream showed, and what wakes it when that is no longer enough.
pub struct Watched {
    shown: Shown,
    change: Change,
}

impl Watched {
    /// Whether the stream is over. If not, it is polled again when that may be otherwise.
    pub fn is_over(&mut self, cx: &mut Context<'_>) -> bool {
        while let Poll::Ready(changes) = self.change.as_mut().poll(cx) {
            self.change = next_change(changes);
        }
        !self.shown.is_allowed()
    }
}

fn next_change(mut changes: watch::Receiver<()>) -> Change {
    Box::pin(async move {
        // The cell lives as long as what was shown, so its sender is there.
        if changes.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
        changes
    })
}
