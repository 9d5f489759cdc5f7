//! One connection from its first byte to its close: the parser at work, the deadlines of its [`ConnectionState`], and
//! the refusal to a client whose bytes never became a request. The close is polite: our side first, then whatever the
//! client still sends is read and thrown away for a moment, because closing over unread bytes would destroy the answer.

use super::connection_service::ConnectionService;
use super::connection_state::{ConnectionState, Expiry, Phase, ShutdownStage};
use super::errors::Refusal;
use super::framing;
use super::limits::{Limits, MAX_DRAIN_BYTES, MAX_HEAD_BYTES, MAX_HEADERS};
use super::parser_stream::ParserStream;
use crate::service::excerpt;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, Sleep, sleep_until, timeout};

/// How the parser's work ended.
enum ParserEnd {
    /// The last answer left, or the client closed between requests.
    Complete,
    Broken(hyper::Error),
    Expired(Phase),
    /// The server stops.
    Cancelled,
    /// The seat was given to another client.
    Evicted,
}

/// Serves one stream until it ends.
pub async fn serve<S>(stream: S, service: ConnectionService, state: Arc<ConnectionState>, limits: &Limits)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut parser = http1::Builder::new()
        .max_headers(MAX_HEADERS)
        .max_header_size(MAX_HEAD_BYTES)
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(ParserStream::new(stream, state.clone())), service);
    let end = {
        let mut timer = pin!(sleep_until(Instant::now()));
        let mut draining = false;
        poll_fn(|cx| {
            state.listen(cx);
            loop {
                let stage = state.shutdown_stage();
                if stage >= ShutdownStage::Draining && !draining {
                    draining = true;
                    Pin::new(&mut parser).graceful_shutdown();
                }
                if let Poll::Ready(done) = Pin::new(&mut parser).poll(cx) {
                    return Poll::Ready(done.map_or_else(ParserEnd::Broken, |()| ParserEnd::Complete));
                }
                match (stage, state.phase()) {
                    (ShutdownStage::Cancelled, Phase::Idle | Phase::Head) => return Poll::Ready(ParserEnd::Cancelled),
                    (ShutdownStage::Evicted, Phase::Call) => {}
                    (ShutdownStage::Evicted, _) => return Poll::Ready(ParserEnd::Evicted),
                    _ => {}
                }
                match ready!(poll_deadline(timer.as_mut(), &state, limits, cx)) {
                    Expiry::Answering => {}
                    Expiry::End(phase) => return Poll::Ready(ParserEnd::Expired(phase)),
                }
            }
        })
        .await
    };
    let phase = state.phase();
    // Drops a request still under way, and with it its call.
    let stream = parser.into_parts().io.into_inner().into_stream();
    state.enter(Phase::Closing);
    let refusal = match end {
        ParserEnd::Complete => None,
        ParserEnd::Cancelled => return,
        ParserEnd::Evicted if phase == Phase::Head => Some(Refusal::TooSlow),
        ParserEnd::Evicted => return,
        ParserEnd::Expired(Phase::Head) => Some(Refusal::HeadTimeout(limits.head.as_secs())),
        ParserEnd::Expired(Phase::Idle) => None,
        ParserEnd::Expired(_) => return,
        ParserEnd::Broken(error) if matches!(phase, Phase::Idle | Phase::Head) => match refusal_for(&error, &state) {
            Some(refusal) => Some(refusal),
            None => return,
        },
        ParserEnd::Broken(_) => return,
    };
    close(stream, refusal, &state, limits).await;
}

/// Ready when the present phase has lasted too long. Moves the timer only when it must.
fn poll_deadline(
    mut timer: Pin<&mut Sleep>,
    state: &ConnectionState,
    limits: &Limits,
    cx: &mut Context<'_>,
) -> Poll<Expiry> {
    loop {
        let Some(deadline) = state.deadline(limits) else {
            return Poll::Pending;
        };
        if timer.deadline() > deadline {
            timer.as_mut().reset(deadline);
        }
        ready!(timer.as_mut().poll(cx));
        let now = Instant::now();
        if now >= deadline {
            return Poll::Ready(state.expire(limits, now));
        }
        timer.as_mut().reset(deadline);
    }
}

/// The answer to what the parser could not read; `None` when nobody is there to read it.
fn refusal_for(error: &hyper::Error, state: &ConnectionState) -> Option<Refusal> {
    if error.is_incomplete_message() {
        return Some(Refusal::HeadIncomplete);
    }
    if !error.is_parse() {
        return None;
    }
    // The parser distinguishes these two only in the text of its error.
    let text = error.to_string();
    Some(if error.is_parse_version_h2() || text.contains("HTTP version") {
        Refusal::Version
    } else if error.is_parse_too_large() && text.contains("URI") {
        Refusal::TargetTooLong
    } else if error.is_parse_too_large() {
        // The parser has one error for a large head and for a length near 2^64.
        if state.with_head(framing::head_fits) { Refusal::BodyTooLarge } else { Refusal::HeadTooLarge }
    } else {
        Refusal::NotHttp(excerpt(&text))
    })
}

/// Writes the refusal, closes our side, and lets the client finish.
pub async fn close<S>(mut stream: S, refusal: Option<Refusal>, state: &ConnectionState, limits: &Limits)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let closing = async {
        if let Some(refusal) = refusal {
            stream.write_all(&refusal.to_raw_bytes()).await?;
        }
        stream.shutdown().await?;
        if state.eof_seen() {
            return Ok(());
        }
        let mut waste = [0_u8; 8192];
        let mut drained = 0_u64;
        while drained < MAX_DRAIN_BYTES {
            match stream.read(&mut waste).await? {
                0 => break,
                count => drained = drained.saturating_add(count as u64),
            }
        }
        std::io::Result::Ok(())
    };
    let mut closing = pin!(timeout(limits.drain, closing));
    // A client that is gone, slow or hostile changes nothing any more: the result has no reader.
    let _ = poll_fn(|cx| {
        state.listen(cx);
        // What can be said at once is said in any case.
        match closing.as_mut().poll(cx) {
            Poll::Ready(closed) => Poll::Ready(Some(closed)),
            Poll::Pending if state.shutdown_stage() >= ShutdownStage::Cancelled => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await;
}
