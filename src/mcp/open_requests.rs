//! The requests that are being answered, so that one of them can be cancelled.
//!
//! There are no sessions, so a client is known by nothing but the ids of its requests, and clients count them alike. A
//! `notifications/cancelled` therefore ends a request only while no other of that id is open: the wrong one is never
//! cancelled. Whoever closes the connection cancels without naming anything.

use parking_lot::Mutex;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::watch;

/// Among a request's extensions: lets a handler learn that nobody waits for its answer any more.
#[derive(Clone)]
pub struct ClientGone(watch::Receiver<()>);

impl ClientGone {
    /// Ends when the client is gone or has cancelled the request.
    pub async fn wait(mut self) {
        // The sender never sends; it can only be dropped.
        while self.0.changed().await.is_ok() {}
    }
}

/// The requests of an endpoint that are being answered.
#[derive(Clone, Default)]
pub struct OpenRequests(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    last_number: u64,
    /// By id, as JSON. Dropping a sender ends its request.
    senders: HashMap<String, HashMap<u64, watch::Sender<()>>>,
}

/// A request is open as long as this lives.
pub struct OpenRequest {
    requests: OpenRequests,
    id: String,
    number: u64,
}

impl OpenRequests {
    pub fn open(&self, id: &Value) -> (OpenRequest, ClientGone) {
        let (sender, gone) = watch::channel(());
        let mut open = self.0.lock();
        open.last_number = open.last_number.wrapping_add(1);
        let (number, id) = (open.last_number, id.to_string());
        open.senders.entry(id.clone()).or_default().insert(number, sender);
        (OpenRequest { requests: self.clone(), id, number }, ClientGone(gone))
    }

    /// Ends the request of that id, if there is one and only one.
    pub fn cancel(&self, id: &Value) {
        let mut open = self.0.lock();
        if let Some(senders) = open.senders.get_mut(&id.to_string()).filter(|senders| senders.len() == 1) {
            senders.clear();
        }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let mut open = self.requests.0.lock();
        if let Some(senders) = open.senders.get_mut(&self.id) {
            senders.remove(&self.number);
            if senders.is_empty() {
                open.senders.remove(&self.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn is_over(gone: &ClientGone) -> bool {
        gone.0.has_changed().is_err()
    }

    #[test]
    fn only_one_that_cannot_be_mistaken_is_cancelled() {
        let requests = OpenRequests::default();
        let (first, first_gone) = requests.open(&json!(1));
        let (text, text_gone) = requests.open(&json!("1"));
        let (second, second_gone) = requests.open(&json!(1));
        requests.cancel(&json!(1));
        assert!(!is_over(&first_gone) && !is_over(&second_gone), "two clients count alike");
        drop(second);
        assert!(is_over(&second_gone) && !is_over(&first_gone));
        requests.cancel(&json!(2));
        requests.cancel(&json!(1));
        assert!(is_over(&first_gone) && !is_over(&text_gone));
        drop((first, text));
        assert!(requests.0.lock().senders.is_empty());
    }
}
