//! The socket as the HTTP parser sees it. Each byte is noted in the connection's [`ConnectionState`], and each answer
//! is one write. The parser's own empty refusals are kept back: the connection answers them as JSON. While a request is
//! under way the end of the stream is kept back for a moment, so that a client that only closed its sending side still
//! reads its answer.

use super::connection_state::ConnectionState;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A connection's stream, wrapped for the parser.
pub struct ParserStream<S> {
    stream: S,
    state: Arc<ConnectionState>,
}

impl<S> ParserStream<S> {
    pub fn new(stream: S, state: Arc<ConnectionState>) -> Self {
        ParserStream { stream, state }
    }

    pub fn into_stream(self) -> S {
        self.stream
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ParserStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if !self.state.eof_seen() {
            let before = buf.filled().len();
            ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
            let received = buf.filled().get(before..).unwrap_or_default();
            if !received.is_empty() {
                self.state.received(received);
                return Poll::Ready(Ok(()));
            }
        }
        // Pending without a waker of the socket: the next look is due when the answer has left or the grace is over,
        // and both run the connection's task.
        if self.state.eof_counts() { Poll::Ready(Ok(())) } else { Poll::Pending }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ParserStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if !self.state.in_request() {
            return Poll::Ready(Ok(bytes.len()));
        }
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        match &written {
            Poll::Ready(Ok(count)) => self.state.sent(*count),
            Poll::Ready(Err(_)) => {}
            Poll::Pending => self.state.write_waits(),
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(cx))?;
        self.state.flushed(cx);
        Poll::Ready(Ok(()))
    }

    /// Nothing yet: the connection writes its refusal and closes the stream itself.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Makes the parser gather head and body into one buffer, thus one write. See D31 in `docs/decisions.md`.
    fn is_write_vectored(&self) -> bool {
        false
    }
}
