//! What of an exchange takes long: reading a body, and writing the answer. Neither touches the protocol, so both can be
//! done on another thread than the one that serves everybody.

use super::long_parts::{LONG_BYTES, LongArguments, LongTexts, are_longer, count_values};
use super::message::{self, RefusedMessage};
use super::protocol::{MAX_MESSAGE_BYTES, MAX_MESSAGE_VALUES};
use super::rpc_error::RpcError;
use axum::body::{Body, Bytes};
use axum::http::Response;
use axum::http::response::Parts;
use serde_json::Value;

/// The messages of a body, as far as they could be read.
pub struct Messages(pub(super) Result<Sent, RefusedMessage>);

pub(super) enum Sent {
    One(Message),
    Batch(Vec<Message>),
}

pub(super) struct Message {
    pub json: Value,
    pub arguments: LongArguments,
}

impl Messages {
    /// Reads a body; of a [long](LONG_BYTES) one that is work for a worker. What is left of it without the arguments of
    /// calls is short, or else refused here, where it is also freed.
    pub fn read(body: &[u8]) -> Messages {
        let is_long = body.len() > LONG_BYTES;
        let message = |mut json: Value| {
            let arguments = if is_long { LongArguments::take_from(&mut json) } else { LongArguments::default() };
            Message { json, arguments }
        };
        let sent = message::read(body).map(|body| match body {
            message::Body::One(json) => Sent::One(message(json)),
            message::Body::Batch(messages) => Sent::Batch(messages.into_iter().map(message).collect()),
        });
        Messages(match sent {
            Ok(sent) if is_long && sent.is_too_long() => {
                Err(RefusedMessage { error: RpcError::TooLong, id: sent.short_id() })
            }
            Ok(sent) => Ok(sent),
            Err(error) => Err(RefusedMessage { error, id: Value::Null }),
        })
    }
}

impl Sent {
    fn is_too_long(&self) -> bool {
        let messages = match self {
            Sent::One(message) => std::slice::from_ref(message),
            Sent::Batch(messages) => messages,
        };
        let messages = || messages.iter().map(|message| &message.json);
        are_longer(messages(), MAX_MESSAGE_BYTES) || messages().map(count_values).sum::<usize>() > MAX_MESSAGE_VALUES
    }

    /// The id of a single message, unless the id is what is long.
    fn short_id(&self) -> Value {
        match self {
            Sent::One(message) if message.json.get("id").is_some_and(|id| !are_longer([id], LONG_BYTES)) => {
                message::id_of(&message.json)
            }
            _ => Value::Null,
        }
    }
}

/// What a POST is answered with.
pub struct EndpointAnswer {
    pub(super) head: Parts,
    pub(super) form: AnswerForm,
}

pub(super) enum AnswerForm {
    Ready(Body),
    One(Bytes, LongTexts),
    Batch(Vec<(Bytes, LongTexts)>),
}

impl From<Response<Body>> for EndpointAnswer {
    fn from(response: Response<Body>) -> Self {
        let (head, body) = response.into_parts();
        EndpointAnswer { head, form: AnswerForm::Ready(body) }
    }
}

impl EndpointAnswer {
    /// Whether [writing](EndpointAnswer::write) it is work for a worker.
    pub fn is_long(&self) -> bool {
        match &self.form {
            AnswerForm::Ready(_) => false,
            AnswerForm::One(..) => true,
            AnswerForm::Batch(answers) => {
                answers.iter().any(|(_, long)| !long.is_empty())
                    || answers.iter().map(|(body, _)| body.len()).sum::<usize>() > LONG_BYTES
            }
        }
    }

    /// The response, with its long parts in their places.
    pub fn write(self) -> Response<Body> {
        let body = match self.form {
            AnswerForm::Ready(body) => body,
            AnswerForm::One(body, long) => Body::from(long.write(&body)),
            AnswerForm::Batch(answers) => {
                let mut list = vec![b'['];
                for (at, (body, long)) in answers.iter().enumerate() {
                    if at > 0 {
                        list.push(b',');
                    }
                    list.extend(long.write(body));
                }
                list.push(b']');
                Body::from(list)
            }
        };
        Response::from_parts(self.head, body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::EventHub;
    use crate::mcp::{Endpoint, Server, Toolbox};
    use crate::service::{Answer, CallFailure, CallRequest, ProfileHeaders, ToolList};
    use axum::http::Request;
    use http_body_util::BodyExt;
    use serde_json::json;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Answers a call with its own arguments.
    struct Echo {
        json: bool,
        off_thread: AtomicUsize,
        hub: Arc<EventHub>,
    }

    impl Default for Echo {
        fn default() -> Echo {
            Echo { json: false, off_thread: AtomicUsize::new(0), hub: EventHub::new(Box::new(|| {})) }
        }
    }

    impl Toolbox for Echo {
        fn tools(&self, _: &ProfileHeaders) -> ToolList {
            Arc::new([])
        }

        fn events(&self) -> &Arc<EventHub> {
            &self.hub
        }

        fn json_output(&self) -> bool {
            self.json
        }

        async fn off_thread<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
            self.off_thread.fetch_add(1, Ordering::Relaxed);
            std::thread::spawn(work).join().ok()
        }

        async fn call(&self, request: CallRequest) -> Result<Answer, CallFailure> {
            let result = Value::Object(request.arguments).into();
            Ok(Answer { result, is_error: false, warnings: vec![], appended: vec![], job: None })
        }

        async fn save_warning(&self) -> Option<String> {
            None
        }
    }

    fn call(id: usize, text: &str) -> Value {
        let params = json!({"name": "echo", "arguments": {"notes": text}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    }

    fn exchange(echo: &Arc<Echo>, sent: &Value) -> (usize, EndpointAnswer) {
        let request = Request::post("/mcp").header("Host", "localhost").header("Content-Type", "application/json");
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let messages = Messages::read(sent.to_string().as_bytes());
        let left = match &messages.0 {
            Ok(Sent::One(message)) => message.json.to_string().len(),
            Ok(Sent::Batch(list)) => list.iter().map(|message| message.json.to_string().len()).sum(),
            Err(refused) => panic!("{}", refused.error),
        };
        let endpoint = Endpoint::new(Server::new(echo.clone()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        (left, runtime.block_on(endpoint.answer_messages(&parts, messages)))
    }

    fn written(answer: EndpointAnswer) -> Value {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let body = runtime.block_on(answer.write().into_body().collect()).unwrap().to_bytes();
        serde_json::from_slice(&body).unwrap()
    }

    #[test]
    fn long_parts_of_an_exchange_are_never_seen_by_rmcp() {
        let text = "C3 \"1|1\"\n".repeat(20_000);
        for json in [false, true] {
            let echo = Arc::new(Echo { json, ..Echo::default() });
            let (left, answer) = exchange(&echo, &call(1, &text));
            assert!(left < 200, "{left} bytes of the message go to `rmcp`");
            let AnswerForm::One(body, _) = &answer.form else { panic!("its answer has long parts") };
            assert!(body.len() < 1_000, "{} bytes of the answer come from it", body.len());
            assert_eq!(echo.off_thread.load(Ordering::Relaxed), 1, "what is long is written elsewhere");
            let answer = written(answer);
            let value = json!({"notes": text});
            let shown = if json { value.to_string() } else { format!("{{notes:{}}}", json!(text)) };
            assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(1), &json!(shown)));
            assert_eq!(answer["result"].get("structuredContent"), json.then_some(&value));
        }
    }

    #[test]
    fn only_call_arguments_may_be_long() {
        let many = json!(vec![json!({"b": 1}); 20_000]);
        let message =
            |method: &str, params: Value| json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let one = |message: &Value| Messages::read(message.to_string().as_bytes()).0;
        for (method, params) in [
            ("initialize", json!({"capabilities": {"experimental": many}})),
            ("tools/call", json!({"_meta": many, "name": "echo", "arguments": {"a": many}})),
            ("tools/call", json!({"name": "echo", "arguments": many})),
            ("tools/call", json!({"name": "x".repeat(70_000), "arguments": {}})),
            ("prompts/get", json!({"name": "x", "arguments": {"a": many}})),
            ("subscriptions/listen", json!({"filter": many})),
            ("notifications/cancelled", json!({"requestId": 1, "x": many})),
        ] {
            let message = message(method, params);
            let refused = one(&message).err().map(|refused| (refused.error, refused.id));
            assert_eq!(refused, Some((RpcError::TooLong, json!(7))), "{method}");
            let refused = one(&json!([message])).err().map(|refused| (refused.error, refused.id));
            assert_eq!(refused, Some((RpcError::TooLong, Value::Null)), "{method} in a batch");
        }
        let values = message("ping", json!({"x": vec![0; 10_000]}));
        assert!(values.to_string().len() < MAX_MESSAGE_BYTES && one(&values).is_err(), "many values take long, too");
        assert!(one(&message("ping", json!({"x": "y".repeat(60_000)}))).is_ok());
        let id = json!({"jsonrpc": "2.0", "id": "x".repeat(70_000), "method": "ping"});
        assert_eq!(one(&id).err().map(|refused| refused.id), Some(Value::Null), "a long id is not repeated");
        let pings: Vec<Value> = (0..90).map(|_| message("ping", json!({"x": "y".repeat(1000)}))).collect();
        assert!(one(&pings[0]).is_ok() && one(&json!(pings)).is_err(), "a batch is counted together");
        assert!(one(&message("tools/call", json!({"name": "echo", "arguments": {"a": many}}))).is_ok());
    }

    #[test]
    fn short_exchanges_take_no_detour() {
        let echo = Arc::new(Echo::default());
        let sent = call(1, "C3 1|1");
        let (left, answer) = exchange(&echo, &sent);
        assert_eq!(left, sent.to_string().len());
        assert!(!answer.is_long() && echo.off_thread.load(Ordering::Relaxed) == 0);
        assert_eq!(written(answer)["result"]["content"][0]["text"], "{notes:\"C3 1|1\"}");
    }

    #[test]
    fn a_batch_has_its_answers_in_order() {
        let (long, short) = ("x".repeat(40_000), "y");
        let batch = json!([call(1, &long), call(2, short), {"jsonrpc": "1.0", "id": 3}, call(4, &long)]);
        let (left, answer) = exchange(&Arc::new(Echo::default()), &batch);
        assert!(left < 1_000 && answer.is_long());
        let answer = written(answer);
        let texts: Vec<Option<usize>> =
            (0..4).map(|at| answer[at]["result"]["content"][0]["text"].as_str().map(str::len)).collect();
        assert_eq!(texts, [Some(40_010), Some(11), None, Some(40_010)]);
        assert_eq!((0..4).map(|at| answer[at]["id"].clone()).collect::<Vec<_>>(), [1, 2, 3, 4].map(Value::from));
    }
}
