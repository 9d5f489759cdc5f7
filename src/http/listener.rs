//! The accept loops and the list of connections.
//!
//! Seats are few. Slow requests lose theirs before the last ones are taken, so that some are left for the quick. At the
//! cap, a new client takes the seat of a slow one, else of the connection that has been idle longest; if there is none
//! it waits a moment for a seat, and then reads 503. So clients that hold connections open, or send or read next to
//! nothing on them, never lock anybody out.

use super::connection;
use super::connection_service::{ConnectionService, ServerContext};
use super::connection_state::{ConnectionState, Phase, ShutdownStage};
use super::errors::Refusal;
use super::limits::SEATS_PER_RESERVED_ONE;
use parking_lot::Mutex;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener as StdListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout, timeout_at};

/// Clients past the cap that wait for a seat or are being refused one.
const MAX_WAITING: usize = 64;
/// How often a client that waits for a seat looks for one that it can have.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

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
    waiting: AtomicUsize,
    /// Notified when a connection has ended.
    ended: Notify,
    /// As [`ConnectionTable::ended`], for one of those who wait for a seat.
    seat_left: Notify,
}

/// Whose seat a new client may take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Victims {
    /// A slow one's; an idle one's unless half of all wait for their clients, some of which will be slow in a moment.
    Slow,
    SlowOrIdle,
}

impl ConnectionTable {
    pub fn new(context: Arc<ServerContext>) -> Self {
        ConnectionTable {
            context,
            connections: Mutex::new(Vec::new()),
            waiting: AtomicUsize::new(0),
            ended: Notify::new(),
            seat_left: Notify::new(),
        }
    }

    /// Accepts until the task is dropped.
    pub async fn accept(self: Arc<Self>, listener: TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    self.add(stream);
                    // Whoever sits down reads what has come for it before the next one may ask for its seat.
                    tokio::task::yield_now().await;
                }
                Err(error) if is_client_fault(error.kind()) => {}
                // Out of descriptors, most likely: some will come back.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Serves one more client, or lets it wait for a seat.
    fn add(self: &Arc<Self>, stream: TcpStream) {
        // A client that is gone already is found out at the first read.
        let _ = stream.set_nodelay(true);
        if self.make_room(Victims::Slow) {
            let slot = self.take_seat();
            tokio::spawn(self.clone().serve(stream, slot));
        } else if self.waiting.fetch_add(1, Ordering::Relaxed) < MAX_WAITING {
            let table = self.clone();
            tokio::spawn(async move {
                match table.wait_for_seat().await {
                    Some(slot) => {
                        table.waiting.fetch_sub(1, Ordering::Relaxed);
                        table.serve(stream, slot).await;
                    }
                    None => {
                        let limits = table.context.limits();
                        let state = ConnectionState::new(limits);
                        state.enter(Phase::Closing);
                        connection::close(stream, Some(Refusal::TooManyConnections), &state, limits).await;
                        table.waiting.fetch_sub(1, Ordering::Relaxed);
                    }
                }
            });
        } else {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
    }

    async fn serve(self: Arc<Self>, stream: TcpStream, slot: ConnectionSlot) {
        let state = slot.state.clone();
        let service = ConnectionService::new(self.context.clone(), state.clone());
        connection::serve(stream, service, state, self.context.limits()).await;
    }

    /// A seat for a connection; [`ConnectionTable::make_room`] comes first.
    fn take_seat(self: &Arc<Self>) -> ConnectionSlot {
        let state = Arc::new(ConnectionState::new(self.context.limits()));
        self.connections.lock().push(state.clone());
        ConnectionSlot { table: self.clone(), state }
    }

    /// The first seat that is free within the time that a client waits for one.
    async fn wait_for_seat(self: &Arc<Self>) -> Option<ConnectionSlot> {
        let patience = self.context.limits().seat_wait;
        let limit = Instant::now() + patience;
        loop {
            let now = Instant::now();
            if self.make_room(if now < limit - patience / 2 { Victims::Slow } else { Victims::SlowOrIdle }) {
                return Some(self.take_seat());
            }
            if now >= limit {
                return None;
            }
            // A connection that turns slow or idle tells nobody. That nobody left in time is no error.
            let _ = timeout_at(limit.min(now + LOOK_AGAIN), self.seat_left.notified()).await;
        }
    }

    /// Whether one more connection fits, if need be in the seat of another.
    fn make_room(&self, victims: Victims) -> bool {
        let mut connections = self.connections.lock();
        let cap = self.context.limits().connections;
        if connections.len() < cap.saturating_sub(cap / SEATS_PER_RESERVED_ONE) {
            return true;
        }
        let under_way = connections.iter().enumerate().filter_map(|(index, state)| Some((state.slow_from()?, index)));
        let under_way: Vec<(Instant, usize)> = under_way.collect();
        let slow = under_way.iter().min().filter(|(from, _)| *from <= Instant::now());
        if slow.is_none() && connections.len() < cap {
            return true;
        }
        let idle = || {
            let idle = connections.iter().enumerate();
            idle.filter(|(_, state)| matches!(state.phase(), Phase::Idle | Phase::Closing))
                .min_by_key(|(_, state)| state.since())
                .map(|(index, _)| index)
        };
        let may_be_idle = victims == Victims::SlowOrIdle || under_way.len() < cap.div_ceil(2);
        match slow.map(|(_, index)| *index).or_else(|| idle().filter(|_| may_be_idle)) {
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
        self.table.seat_left.notify_one();
    }
}
