//! `/api/files`: files that come from a browser and leave for one. A file passes through in pieces, each of them
//! written or read on another thread than the server's, so that none is held whole and no disk is waited for.

use super::backend::Backend;
use super::body::refusal_for;
use super::errors::{Refusal, check_method};
use super::origin::is_own_page;
use super::query::one_value;
use super::response::{Streamed, ok};
use crate::transfers::{
    Arrived, DownloadFile, MAX_UPLOAD_BYTES, SET_ENDINGS, SOUND_ENDINGS, TransferError, Transfers, Upload,
};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue};
use axum::http::{Method, Response};
use axum::routing::any;
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use serde_json::json;
use std::fmt::Write;
use std::future::Future;
use std::io::Read;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Where files come and are listed.
pub const PATH: &str = "/api/files";

/// The least that a file comes with, on average, behind the first seconds: 4 kB a second.
const LEAST_BYTES_PER_MS: u64 = 4;
const SLOW_FOR: Duration = Duration::from_secs(15);
/// Bytes that pass from one thread to the other at once.
const PIECE_BYTES: usize = 256 * 1024;
const MEDIA_TYPE: &str = "application/octet-stream";

pub fn routes<B: Backend>() -> Router<Arc<B>> {
    Router::new().route(PATH, any(files::<B>)).route("/api/files/{name}", any(file::<B>))
}

async fn files<B: Backend>(State(backend): State<Arc<B>>, request: Request) -> Result<Response<Body>, Refusal> {
    let transfers = || backend.transfers().cloned().ok_or(Refusal::Transfer(TransferError::NoFolder));
    if request.method() != Method::POST {
        check_method(request.method(), "GET, HEAD, POST, OPTIONS")?;
        return list(&*backend, transfers()?).await;
    }
    let (parts, body) = request.into_parts();
    if !is_own_page(&parts.headers) {
        return Err(Refusal::FileOrigin);
    }
    check_media_type(&parts.headers)?;
    let name = one_value(parts.uri.query().unwrap_or_default(), "name")?;
    let name = name.filter(|name| !name.trim().is_empty()).ok_or(Refusal::NoFileName)?;
    let announced = parts.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let transfers = transfers()?;
    let begun = backend.off_thread(move || transfers.begin(&name, announced)).await;
    let Arrived { file, name, bytes, is_for } = take_in(&*backend, in_time(begun)?, body).await?;
    let answer = json!({ "file": file, "name": name, "bytes": bytes, "use": is_for.name() });
    Ok(ok(answer.to_string()))
}

/// Insists on plain bytes: what no form of another page can send without being asked about first.
fn check_media_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let is_bytes =
        types.next().is_some_and(|kind| kind.as_bytes().trim_ascii().eq_ignore_ascii_case(MEDIA_TYPE.as_bytes()));
    let is_plain = headers.get_all(CONTENT_ENCODING).iter().all(|coding| coding == "identity");
    if is_bytes && is_plain && types.next().is_none() { Ok(()) } else { Err(Refusal::FileMediaType) }
}

fn in_time<T>(done: Option<Result<T, TransferError>>) -> Result<T, Refusal> {
    done.ok_or(Refusal::Internal)?.map_err(Refusal::Transfer)
}

/// Writes the body piece by piece. Whatever ends this early drops the upload, and with it what was written.
async fn take_in(backend: &impl Backend, mut upload: Upload, mut body: Body) -> Result<Arrived, Refusal> {
    let mut piece = Vec::new();
    let (begun, mut bytes) = (Instant::now(), 0_u64);
    loop {
        // Who sends slower has no place for a file any longer: there are few, and others wait for them.
        let latest = begun + SLOW_FOR + Duration::from_millis(bytes / LEAST_BYTES_PER_MS);
        let frame = timeout_at(latest, body.frame()).await.map_err(|_| Refusal::FileTooSlow)?;
        let Some(frame) = frame else { break };
        let Ok(data) = frame.map_err(refusal_for)?.into_data() else { continue };
        bytes = bytes.saturating_add(data.len() as u64);
        piece.extend_from_slice(&data);
        if piece.len() >= PIECE_BYTES {
            let full = std::mem::take(&mut piece);
            let written = backend.off_thread(move || {
                upload.write(&full)?;
                Ok((upload, full))
            });
            (upload, piece) = in_time(written.await)?;
            piece.clear();
        }
    }
    let finished = backend.off_thread(move || {
        upload.write(&piece)?;
        upload.finish()
    });
    in_time(finished.await)
}

async fn list(backend: &impl Backend, transfers: Arc<Transfers>) -> Result<Response<Body>, Refusal> {
    let listed = backend.off_thread(move || Ok((transfers.download_folder()?, transfers.downloads())));
    let (folder, downloads) = in_time(listed.await)?;
    let files = downloads.iter().map(|file| {
        json!({ "name": file.name, "bytes": file.bytes, "href": format!("{PATH}/{}", percent_encoded(&file.name)) })
    });
    let answer = json!({
        "folder": folder,
        "files": files.collect::<Vec<_>>(),
        "maxBytes": MAX_UPLOAD_BYTES,
        "setEndings": SET_ENDINGS,
        "sampleEndings": SOUND_ENDINGS,
    });
    Ok(ok(answer.to_string()))
}

async fn file<B: Backend>(
    State(backend): State<Arc<B>>,
    name: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    check_method(request.method(), "GET, HEAD, OPTIONS")?;
    let transfers = backend.transfers().cloned().ok_or(Refusal::Transfer(TransferError::NoFolder))?;
    let Ok(Path(name)) = name else { return Err(Refusal::Transfer(TransferError::NotThere(String::new()))) };
    let DownloadFile { file, name, bytes } = in_time(backend.off_thread(move || transfers.open(&name)).await)?;
    let mut response = Response::new(Body::new(FileBody { left: bytes, next: None, rest: Some(file), backend }));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    let disposition = format!("attachment; filename*=UTF-8''{}", percent_encoded(&name));
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(CONTENT_DISPOSITION, disposition);
    }
    response.extensions_mut().insert(Streamed);
    Ok(response)
}

/// A part of a path, and the text that `filename*` of RFC 8187 has.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            let written = write!(encoded, "%{byte:02X}");
            debug_assert!(written.is_ok(), "a String takes every write");
        }
    }
    encoded
}

type NextPiece = Pin<Box<dyn Future<Output = std::io::Result<(std::fs::File, Vec<u8>)>> + Send>>;

/// A file as an answer, of as many bytes as it had when it was opened. The next piece is read when the one before has
/// left.
struct FileBody<B> {
    left: u64,
    next: Option<NextPiece>,
    /// Between two reads.
    rest: Option<std::fs::File>,
    backend: Arc<B>,
}

async fn next_piece<B: Backend>(
    backend: Arc<B>,
    mut file: std::fs::File,
    left: u64,
) -> std::io::Result<(std::fs::File, Vec<u8>)> {
    let read = move || {
        let mut piece = Vec::new();
        let wanted = left.min(PIECE_BYTES as u64);
        (&mut file).take(wanted).read_to_end(&mut piece)?;
        // One that has become shorter cannot be told otherwise than by breaking off.
        if piece.is_empty() { Err(std::io::ErrorKind::UnexpectedEof.into()) } else { Ok((file, piece)) }
    };
    backend.off_thread(read).await.unwrap_or_else(|| Err(std::io::ErrorKind::Interrupted.into()))
}

impl<B: Backend> HttpBody for FileBody<B> {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<std::io::Result<Frame<Bytes>>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        if let Some(file) = self.rest.take() {
            self.next = Some(Box::pin(next_piece(self.backend.clone(), file, self.left)));
        }
        let Some(next) = &mut self.next else { return Poll::Ready(None) };
        let piece = ready!(next.as_mut().poll(cx));
        self.next = None;
        let (file, piece) = piece?;
        self.left = self.left.saturating_sub(piece.len() as u64);
        self.rest = Some(file);
        Poll::Ready(Some(Ok(Frame::data(piece.into()))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
