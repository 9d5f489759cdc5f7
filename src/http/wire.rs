//! The socket as the HTTP parser sees it: each byte counted in the connection's [`Vitals`], one write an answer, the
//! parser's own empty refusals kept back (the connection says them as JSON), and the end of the stream held back for a
//! moment while a request is under way, so that a client that only closed its sending side still reads its answer.

use super::watchdog::Vitals;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

pub struct Wire<S> {
    stream: S,
    vitals: Arc<Vitals>,
}

impl<S> Wire<S> {
    pub fn new(stream: S, vitals: Arc<Vitals>) -> Self {
        Wire { stream, vitals }
    }

    pub fn into_stream(self) -> S {
        self.stream
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if !self.vitals.eof_seen() {
            let before = buf.filled().len();
            ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
            let came = buf.filled().get(before..).unwrap_or_default();
            if !came.is_empty() {
                self.vitals.received(came);
                return Poll::Ready(Ok(()));
            }
        }
        // Pending without a waker of the socket: the next look is due when the answer has left or the grace is over,
        // and both run the connection's task.
        if self.vitals.eof_counts() { Poll::Ready(Ok(())) } else { Poll::Pending }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if !self.vitals.in_request() {
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(cx))?;
        self.vitals.flushed(cx);
        Poll::Ready(Ok(()))
    }

    /// Nothing yet: the connection says its last words and closes the stream itself.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Makes the parser gather head and body into one buffer, thus one write.
    fn is_write_vectored(&self) -> bool {
        false
    }
}
