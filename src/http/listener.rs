//! The accept loops and the list of connections.
//!
//! At the cap, a new client takes the place of the connection that has been idle longest; if none is idle it reads 503.
//! So clients that only hold connections open never lock anybody out.

use super::connection;
use super::connection_service::{ConnectionService, ServerContext};
use super::connection_state::{ConnectionState, Phase, ShutdownStage};
use super::errors::Refusal;
use parking_lot::Mutex;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener as StdListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Clients past the cap that are being refused.
const MAX_REFUSALS_AT_A_TIME: usize = 64;

/// Binds 127.0.0.1 and, where it can be had, [::1] on the same port. Port 0 picks a free one.
pub fn bind(port: u16) -> std::io::Result<(u16, Vec<StdListener>)> {
    let v4 = StdListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    let port = v4.local_addr()?.port();
    let mut listeners = vec![v4];
    // A machine without IPv6 is normal, and so is somebody else on the other address.
    listeners.extend(StdListener::bind(SocketAddr::from((Ipv6Addr::LOCALHOST, port))));
    for listener in &listeners {
        listener.set_nonblocking(true)?;
    }
    Ok((port, listeners))
}

/// The open connections of one server.
pub struct ConnectionTable {
    context: Arc<ServerContext>,
    connections: Mutex<Vec<Arc<ConnectionState>>>,
    refusals: AtomicUsize,
    /// Notified when a connection has ended.
    ended: Notify,
}

impl ConnectionTable {
    pub fn new(context: Arc<ServerContext>) -> Self {
        ConnectionTable {
            context,
            connections: Mutex::new(Vec::new()),
            refusals: AtomicUsize::new(0),
            ended: Notify::new(),
        }
    }

    /// Accepts until the task is dropped.
    pub async fn accept(self: Arc<Self>, listener: TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => self.add(stream),
                Err(error) if is_client_fault(error.kind()) => {}
                // Out of descriptors, most likely: some will come back.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Serves one more client, or refuses it where none can leave its place to it.
    fn add(self: &Arc<Self>, stream: TcpStream) {
        // A client that is gone already is found out at the first read.
        let _ = stream.set_nodelay(true);
        let state = Arc::new(ConnectionState::new());
        let table = self.clone();
        if self.make_room() {
            let slot = ConnectionSlot { table: self.clone(), state: state.clone() };
            self.connections.lock().push(state.clone());
            tokio::spawn(async move {
                let _slot = slot;
                let service = ConnectionService::new(table.context.clone(), state.clone());
                connection::serve(stream, service, state, table.context.limits()).await;
            });
        } else if self.refusals.fetch_add(1, Ordering::Relaxed) < MAX_REFUSALS_AT_A_TIME {
            tokio::spawn(async move {
                state.enter(Phase::Closing);
                let limits = table.context.limits();
                connection::close(stream, Some(Refusal::TooManyConnections), &state, limits).await;
                table.refusals.fetch_sub(1, Ordering::Relaxed);
            });
        } else {
            self.refusals.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Whether one more connection fits, if need be in the place of the one that is idle longest.
    fn make_room(&self) -> bool {
        let mut connections = self.connections.lock();
        if connections.len() < self.context.limits().connections {
            return true;
        }
        let oldest = connections
            .iter()
            .enumerate()
            .filter(|(_, state)| matches!(state.phase(), Phase::Idle | Phase::Closing))
            .min_by_key(|(_, state)| state.since())
            .map(|(index, _)| index);
        match oldest {
            Some(index) => {
                connections.remove(index).set_shutdown_stage(ShutdownStage::Evicted);
                true
            }
            None => false,
        }
    }

    /// Lets what is under way end, then answers the rest 503, each within the stop grace.
    pub async fn close(&self) {
        for stage in [ShutdownStage::Draining, ShutdownStage::Cancelled] {
            for state in self.connections.lock().clone() {
                state.set_shutdown_stage(stage);
            }
            let grace = match stage {
                ShutdownStage::Draining => self.context.limits().stop_grace,
                _ => self.context.limits().stop_grace / 2,
            };
            let _ = timeout(grace, self.wait_until_empty()).await;
        }
    }

    async fn wait_until_empty(&self) {
        while !self.connections.lock().is_empty() {
            self.ended.notified().await;
        }
    }
}

fn is_client_fault(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted)
}

/// A connection's place in the list; given back however its task ends.
struct ConnectionSlot {
    table: Arc<ConnectionTable>,
    state: Arc<ConnectionState>,
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.table.connections.lock().retain(|other| !Arc::ptr_eq(other, &self.state));
        self.table.ended.notify_one();
    }
}
