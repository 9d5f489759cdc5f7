//! The accept loops and the list of connections.
//!
//! At the cap, a new client takes the place of the connection that has been idle longest; if none is idle it reads 503.
//! So clients that only hold connections open never lock anybody out.

use super::connection;
use super::door::{Door, House};
use super::errors::Refusal;
use super::watchdog::{Phase, Stage, Vitals};
use parking_lot::Mutex;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener as StdListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Clients past the cap that are being told so.
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

/// All connections of one server.
pub struct Hall {
    house: Arc<House>,
    members: Mutex<Vec<Arc<Vitals>>>,
    refusals: AtomicUsize,
    left: Notify,
}

impl Hall {
    pub fn new(house: Arc<House>) -> Self {
        Hall { house, members: Mutex::new(Vec::new()), refusals: AtomicUsize::new(0), left: Notify::new() }
    }

    /// Accepts until the task is dropped.
    pub async fn accept(self: Arc<Self>, listener: TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => self.admit(stream),
                Err(error) if is_of_the_client(error.kind()) => {}
                // Out of descriptors, most likely: some will come back.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn admit(self: &Arc<Self>, stream: TcpStream) {
        // A client that is gone already is found out at the first read.
        let _ = stream.set_nodelay(true);
        let vitals = Arc::new(Vitals::new());
        let hall = self.clone();
        if self.make_room() {
            let seat = Seat { hall: self.clone(), vitals: vitals.clone() };
            self.members.lock().push(vitals.clone());
            tokio::spawn(async move {
                let _seat = seat;
                let door = Door::new(hall.house.clone(), vitals.clone());
                connection::serve(stream, door, vitals, hall.house.limits()).await;
            });
        } else if self.refusals.fetch_add(1, Ordering::Relaxed) < MAX_REFUSALS_AT_A_TIME {
            tokio::spawn(async move {
                vitals.enter(Phase::Parting);
                let limits = hall.house.limits();
                connection::part(stream, Some(Refusal::TooManyConnections), &vitals, limits).await;
                hall.refusals.fetch_sub(1, Ordering::Relaxed);
            });
        } else {
            self.refusals.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Whether one more connection fits, if need be in the place of the one that is idle longest.
    fn make_room(&self) -> bool {
        let mut members = self.members.lock();
        if members.len() < self.house.limits().connections {
            return true;
        }
        let oldest = members
            .iter()
            .enumerate()
            .filter(|(_, vitals)| matches!(vitals.phase(), Phase::Idle | Phase::Parting))
            .min_by_key(|(_, vitals)| vitals.since())
            .map(|(index, _)| index);
        match oldest {
            Some(index) => {
                members.remove(index).set_stage(Stage::Evicted);
                true
            }
            None => false,
        }
    }

    /// Lets what is under way end, then answers the rest 503, each within the stop grace.
    pub async fn close(&self) {
        for stage in [Stage::Draining, Stage::Cancelled] {
            for vitals in self.members.lock().clone() {
                vitals.set_stage(stage);
            }
            let grace = match stage {
                Stage::Draining => self.house.limits().stop_grace,
                _ => self.house.limits().stop_grace / 2,
            };
            let _ = timeout(grace, self.emptied()).await;
        }
    }

    async fn emptied(&self) {
        while !self.members.lock().is_empty() {
            self.left.notified().await;
        }
    }
}

fn is_of_the_client(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted)
}

/// A connection's place in the list; given back however its task ends.
struct Seat {
    hall: Arc<Hall>,
    vitals: Arc<Vitals>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.hall.members.lock().retain(|member| !Arc::ptr_eq(member, &self.vitals));
        self.hall.left.notify_one();
    }
}
