//! Readers of a device's events, each a connection and a thread that reads.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

/// They read until this is dropped.
pub struct Readers {
    sockets: Vec<TcpStream>,
    threads: Vec<JoinHandle<()>>,
    bytes: Arc<AtomicU64>,
    pieces: Arc<AtomicU64>,
}

impl Readers {
    pub fn start(port: u16, count: usize) -> Readers {
        Readers::some_stalled(port, count, 0)
    }

    /// So many of which the last ones read no more than what a stream begins with.
    pub fn some_stalled(port: u16, count: usize, stalled: usize) -> Readers {
        let mut readers =
            Readers { sockets: Vec::new(), threads: Vec::new(), bytes: Arc::default(), pieces: Arc::default() };
        for at in 0..count {
            let mut socket = TcpStream::connect(("127.0.0.1", port)).expect("the server accepts");
            let request = format!("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
            socket.write_all(request.as_bytes()).expect("the server reads");
            let mut buffer = vec![0; 64 * 1024];
            // The head and the greeting: from here on it is told all that happens.
            let count = socket.read(&mut buffer).expect("the server answers");
            assert!(buffer[..count].starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&buffer[..count]));
            let (bytes, pieces) = (readers.bytes.clone(), readers.pieces.clone());
            readers.sockets.push(socket.try_clone().expect("a second handle"));
            if at + stalled >= count {
                continue;
            }
            readers.threads.push(std::thread::spawn(move || {
                while let Ok(count @ 1..) = socket.read(&mut buffer) {
                    bytes.fetch_add(count as u64, Ordering::Relaxed);
                    pieces.fetch_add(1, Ordering::Relaxed);
                }
            }));
        }
        readers
    }

    /// In how many pieces: each woke a reader.
    pub fn pieces(&self) -> u64 {
        self.pieces.load(Ordering::Relaxed)
    }

    /// What all of them have read.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        for socket in &self.sockets {
            let _ = socket.shutdown(Shutdown::Both);
        }
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
