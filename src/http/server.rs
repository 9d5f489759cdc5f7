//! A running server: its thread, from the first socket to the last.

use super::backend::Backend;
use super::connection_service::ServerContext;
use super::listener::{self, ConnectionTable};
use super::options::Options;
use super::{config, event_stream, files, mcp, openapi, page, rest, view};
use std::net::TcpListener as StdListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("port {0} is taken by another program or another device; choose another port or close the other one")]
    PortTaken(u16),
    #[error(
        "Windows keeps port {0} from programs: Hyper-V, WSL and Docker reserve ranges of ports, which `netsh interface ipv4 \
         show excludedportrange protocol=tcp` lists; choose a port outside them"
    )]
    PortReserved(u16),
    #[error("cannot listen on 127.0.0.1:{port}: {reason}")]
    Bind { port: u16, reason: std::io::Error },
    #[error("cannot start the server's thread: {0}")]
    Thread(std::io::Error),
}

impl StartError {
    /// Why a port could not be had.
    pub fn of_bind(port: u16, reason: std::io::Error) -> StartError {
        StartError::of_bind_on(cfg!(windows), port, reason)
    }

    /// The same, on Windows or elsewhere.
    pub fn of_bind_on(windows: bool, port: u16, reason: std::io::Error) -> StartError {
        match reason.kind() {
            std::io::ErrorKind::AddrInUse => StartError::PortTaken(port),
            // Not a matter of rights there, as it is on Unix.
            std::io::ErrorKind::PermissionDenied if windows => StartError::PortReserved(port),
            _ => StartError::Bind { port, reason },
        }
    }
}

/// How a stop went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Stopped {
    /// Every socket is closed and the thread has ended.
    Joined,
    /// The thread hangs in the backend. The library that holds its code must stay loaded.
    StillRunning,
}

/// The longest that [`Server::stop`] waits for its thread.
const STOP_LIMIT: Duration = Duration::from_millis(500);

/// A running server. Stops when dropped.
pub struct Server {
    port: u16,
    running: Option<Running>,
}

struct Running {
    stop: oneshot::Sender<()>,
    ended: Receiver<()>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Listens on 127.0.0.1 and, where it can be had, [::1]. Port 0 picks a free port.
    pub fn start<B: Backend>(backend: Arc<B>, port: u16, options: Options) -> Result<Server, StartError> {
        let (port, listeners) = listener::bind(port).map_err(|reason| StartError::of_bind(port, reason))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(StartError::Thread)?;
        let router = rest::routes::<B>()
            .merge(config::routes::<B>())
            .merge(openapi::routes::<B>())
            .merge(view::routes::<B>())
            .merge(event_stream::routes::<B>())
            .merge(files::routes::<B>())
            .merge(page::routes())
            .merge(mcp::routes(backend.clone()))
            .with_state(backend);
        let context = Arc::new(ServerContext { router, port, options });
        let (stop, stopped) = oneshot::channel();
        let (end, ended) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name("svc-http".to_owned())
            .spawn(move || {
                // Dropped last, when the runtime and all its tasks and sockets are gone.
                let _end: SyncSender<()> = end;
                runtime.block_on(serve(context, listeners, stopped));
                drop(runtime);
            })
            .map_err(StartError::Thread)?;
        Ok(Server { port, running: Some(Running { stop, ended, thread }) })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Closes every socket. Requests under way are answered, with 503 if they don't end at once. Takes at most 500 ms.
    pub fn stop(mut self) -> Stopped {
        self.stop_thread()
    }

    fn stop_thread(&mut self) -> Stopped {
        let Some(Running { stop, ended, thread }) = self.running.take() else {
            return Stopped::Joined;
        };
        // An error means that the thread has ended already.
        let _ = stop.send(());
        match ended.recv_timeout(STOP_LIMIT) {
            Err(RecvTimeoutError::Timeout) => Stopped::StillRunning,
            _ => {
                // A panic was reported where it happened.
                let _ = thread.join();
                Stopped::Joined
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.stop_thread();
    }
}

async fn serve(context: Arc<ServerContext>, listeners: Vec<StdListener>, stopped: oneshot::Receiver<()>) {
    let table = Arc::new(ConnectionTable::new(context));
    let mut loops = Vec::new();
    for listener in listeners {
        // Fails only outside a runtime with I/O.
        if let Ok(listener) = TcpListener::from_std(listener) {
            loops.push(tokio::spawn(table.clone().accept(listener)));
        }
    }
    // An error means that the `Server` is gone, which is a stop too.
    let _ = stopped.await;
    for task in loops {
        task.abort();
        let _ = task.await;
    }
    table.close().await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    #[test]
    fn why_a_port_cannot_be_had_is_told_by_the_system_it_is_on() {
        for (kind, windows, part) in [
            (ErrorKind::AddrInUse, true, "port 3350 is taken by another program"),
            (ErrorKind::AddrInUse, false, "port 3350 is taken by another program"),
            (ErrorKind::PermissionDenied, true, "excludedportrange protocol=tcp` lists; choose a port outside"),
            (ErrorKind::PermissionDenied, false, "cannot listen on 127.0.0.1:3350"),
            (ErrorKind::AddrNotAvailable, true, "cannot listen on 127.0.0.1:3350"),
        ] {
            let text = StartError::of_bind_on(windows, 3350, Error::from(kind)).to_string();
            assert!(text.contains(part), "{kind}: {text}");
        }
    }
}
