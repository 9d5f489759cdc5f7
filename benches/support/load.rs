//! Many connections that call a server at once.

use crate::client::answer_length;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Calls a second that `connections` make together, each one call at a time and each of `requests` in its turn, all
/// driven by this thread.
pub fn calls_per_second(port: u16, requests: &[Vec<u8>], connections: usize, time: Duration) -> f64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime");
    let tasks = tokio::task::LocalSet::new();
    let start = Instant::now();
    let counts: Vec<_> =
        (0..connections).map(|_| tasks.spawn_local(keep_calling(port, requests.to_vec(), start + time))).collect();
    let calls = runtime.block_on(tasks.run_until(async {
        let mut calls = 0;
        for count in counts {
            calls += count.await.expect("a client ends well");
        }
        calls
    }));
    calls as f64 / start.elapsed().as_secs_f64()
}

async fn keep_calling(port: u16, requests: Vec<Vec<u8>>, until: Instant) -> u64 {
    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.expect("the server accepts");
    stream.set_nodelay(true).expect("a socket option");
    let (mut calls, mut answer) = (0, Vec::with_capacity(4096));
    for request in requests.iter().cycle() {
        if Instant::now() >= until {
            break;
        }
        stream.write_all(request).await.expect("the server reads");
        answer.clear();
        while answer_length(&answer) != Some(answer.len()) {
            let count = stream.read_buf(&mut answer).await.expect("the server answers");
            assert!(count > 0, "the server closed");
        }
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
        calls += 1;
    }
    calls
}
