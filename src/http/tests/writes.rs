//! One write an answer, counted under the parser.

use super::Fake;
use crate::events::EventHub;
use crate::http::connection;
use crate::http::connection_service::{ConnectionService, ServerContext};
use crate::http::connection_state::ConnectionState;
use crate::http::{Limits, Options, rest};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadBuf};
use tokio::sync::Notify;

struct Counted(DuplexStream, Arc<AtomicUsize>);

impl AsyncRead for Counted {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }
}

#[test]
fn every_answer_leaves_in_one_write() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let (events, _kept) = std::sync::mpsc::channel();
        let backend = Arc::new(Fake {
            release: Notify::new(),
            events: parking_lot::Mutex::new(events),
            off_thread: Default::default(),
            hub: EventHub::new(Box::new(|| {})),
        });
        let context = Arc::new(ServerContext {
            router: rest::routes::<Fake>().with_state(backend),
            port: 3350,
            options: Options::default(),
        });
        let (mut client, stream) = tokio::io::duplex(16 << 20);
        let writes = Arc::new(AtomicUsize::new(0));
        let state = Arc::new(ConnectionState::new(&Limits::default()));
        let service = ConnectionService::new(context.clone(), state.clone());
        let counted = Counted(stream, writes.clone());
        let serving = tokio::spawn(async move { connection::serve(counted, service, state, context.limits()).await });
        let requests = ["svc-read-live-set", "big", "no-such", "svc-connect", "panic"];
        for (index, tool) in requests.into_iter().enumerate() {
            let request = format!(
                "POST /api/tools/{tool} HTTP/1.1\r\nHost: localhost:3350\r\nContent-Type: application/json\r\n\
                 Content-Length: 2\r\n\r\n{{}}"
            );
            client.write_all(request.as_bytes()).await.expect("sent");
            let mut answer = Vec::new();
            while !is_whole(&answer) {
                assert!(client.read_buf(&mut answer).await.expect("an answer") > 0, "{tool}");
            }
            assert_eq!(writes.load(Ordering::Relaxed), index + 1, "{tool}");
        }
        client.write_all(b"rubbish\r\n\r\n").await.expect("sent");
        let mut rest = Vec::new();
        client.read_to_end(&mut rest).await.expect("the refusal");
        assert!(rest.starts_with(b"HTTP/1.1 400 "));
        assert_eq!(writes.load(Ordering::Relaxed), requests.len() + 1, "the refusal");
        drop(client);
        serving.await.expect("the connection ends");
    });
}

fn is_whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
    body.len() == length.parse::<usize>().expect("a number")
}
