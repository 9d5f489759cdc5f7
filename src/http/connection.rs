//! One connection from its first byte to its close: the parser at work, the deadlines of its [`Vitals`], and the last
//! words to a client whose bytes never became a request. The close is polite: our side first, then whatever the client
//! still sends is read and thrown away for a moment, because closing over unread bytes would destroy the answer.

use super::door::Door;
use super::errors::{Refusal, shown};
use super::framing;
use super::limits::{Limits, MAX_DRAIN_BYTES, MAX_HEAD_BYTES, MAX_HEADERS};
use super::watchdog::{Expiry, Phase, Stage, Vitals};
use super::wire::Wire;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, Sleep, sleep_until, timeout};

/// How the parser's work ended.
enum End {
    /// The last answer left, or the client closed between requests.
    Complete,
    Broken(hyper::Error),
    Expired(Phase),
    /// The server wants its place back.
    Dismissed,
}

/// Serves one stream until it ends.
pub async fn serve<S>(stream: S, door: Door, vitals: Arc<Vitals>, limits: &Limits)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut parser = http1::Builder::new()
        .max_headers(MAX_HEADERS)
        .max_header_size(MAX_HEAD_BYTES)
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(Wire::new(stream, vitals.clone())), door);
    let end = {
        let mut timer = pin!(sleep_until(Instant::now()));
        let mut draining = false;
        poll_fn(|cx| {
            vitals.listen(cx);
            loop {
                let stage = vitals.stage();
                if stage >= Stage::Draining && !draining {
                    draining = true;
                    Pin::new(&mut parser).graceful_shutdown();
                }
                if let Poll::Ready(done) = Pin::new(&mut parser).poll(cx) {
                    return Poll::Ready(done.map_or_else(End::Broken, |()| End::Complete));
                }
                if stage >= Stage::Cancelled && matches!(vitals.phase(), Phase::Idle | Phase::Head) {
                    return Poll::Ready(End::Dismissed);
                }
                match ready!(poll_deadline(timer.as_mut(), &vitals, limits, cx)) {
                    Expiry::Told => {}
                    Expiry::End(phase) => return Poll::Ready(End::Expired(phase)),
                }
            }
        })
        .await
    };
    let phase = vitals.phase();
    // Drops a request still under way, and with it its call.
    let stream = parser.into_parts().io.into_inner().into_stream();
    vitals.enter(Phase::Parting);
    let words = match end {
        End::Complete => None,
        End::Dismissed => return,
        End::Expired(Phase::Head) => Some(Refusal::HeadTimeout(limits.head.as_secs())),
        End::Expired(Phase::Idle) => None,
        End::Expired(_) => return,
        End::Broken(error) if matches!(phase, Phase::Idle | Phase::Head) => match refusal_of(&error, &vitals) {
            Some(refusal) => Some(refusal),
            None => return,
        },
        End::Broken(_) => return,
    };
    part(stream, words, &vitals, limits).await;
}

/// Ready when the present phase has lasted too long. Moves the timer only when it must.
fn poll_deadline(mut timer: Pin<&mut Sleep>, vitals: &Vitals, limits: &Limits, cx: &mut Context<'_>) -> Poll<Expiry> {
    loop {
        let Some(deadline) = vitals.deadline(limits) else {
            return Poll::Pending;
        };
        if timer.deadline() > deadline {
            timer.as_mut().reset(deadline);
        }
        ready!(timer.as_mut().poll(cx));
        let now = Instant::now();
        if now >= deadline {
            return Poll::Ready(vitals.expire(limits, now));
        }
        timer.as_mut().reset(deadline);
    }
}

/// What the parser stumbled over; `None` when nobody is there to be told.
fn refusal_of(error: &hyper::Error, vitals: &Vitals) -> Option<Refusal> {
    if error.is_incomplete_message() {
        return Some(Refusal::HeadIncomplete);
    }
    if !error.is_parse() {
        return None;
    }
    // The parser tells these two apart in its text alone.
    let text = error.to_string();
    Some(if error.is_parse_version_h2() || text.contains("HTTP version") {
        Refusal::Version
    } else if error.is_parse_too_large() && text.contains("URI") {
        Refusal::TargetTooLong
    } else if error.is_parse_too_large() {
        // The parser has one word for a large head and for a length near 2^64.
        if vitals.with_head(framing::head_fits) { Refusal::BodyTooLarge } else { Refusal::HeadTooLarge }
    } else {
        Refusal::NotHttp(shown(&text))
    })
}

/// Says the last words, closes our side, and lets the client finish.
pub async fn part<S>(mut stream: S, words: Option<Refusal>, vitals: &Vitals, limits: &Limits)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let farewell = async {
        if let Some(words) = words {
            stream.write_all(&words.last_words()).await?;
        }
        stream.shutdown().await?;
        if vitals.eof_seen() {
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
    let mut farewell = pin!(timeout(limits.drain, farewell));
    // A client that is gone, slow or hostile changes nothing any more: the result has no reader.
    let _ = poll_fn(|cx| {
        vitals.listen(cx);
        if vitals.stage() >= Stage::Cancelled { Poll::Ready(None) } else { farewell.as_mut().poll(cx).map(Some) }
    })
    .await;
}
