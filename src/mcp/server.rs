//! Our server: a [`Toolbox`] as the protocol shows it, to each request as its own headers ask.

use super::content::ResultForm;
use super::long_parts::{LONG_BYTES, LongArguments, LongTexts};
use super::open_requests::ClientGone;
use super::progress::{self, MayStream};
use super::protocol::{SUPPORTED_VERSIONS, VERSION_HEADER};
use super::resources::ResourceContent;
use super::toolbox::Toolbox;
use super::{content, listening, prompts, resources};
use crate::service::envelope::{self, Format};
use crate::service::{
    Answer, CallFailure, CallRequest, ProfileHeaders, ToolDescriptor, ToolList, answer_of_job, excerpt,
};
use crate::service::{Caller, Via};
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use rmcp::model::*;
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::borrow::Cow;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

/// The tool that explains the others.
const FIRST_TOOL: &str = "svc-connect";

/// The newest version that begins with `initialize`: offered to a client that asks for one that is not served.
const FALLBACK_VERSION: ProtocolVersion = ProtocolVersion::V_2025_11_25;

/// The protocol's methods whose parameters are read before they come here. One of them that still arrives unread had
/// parameters of another form.
const METHODS_WITH_PARAMS: [&str; 7] = [
    "initialize",
    "tools/list",
    "tools/call",
    "resources/read",
    "prompts/get",
    "completion/complete",
    "subscriptions/listen",
];

/// A longer name of a client is cut, in characters.
const LONGEST_CLIENT_NAME: usize = 60;

type Context = RequestContext<RoleServer>;

/// A toolbox as a server of the protocol.
pub struct Server<T>(Arc<T>);

impl<T> Clone for Server<T> {
    fn clone(&self) -> Self {
        Server(self.0.clone())
    }
}

impl<T: Toolbox> Server<T> {
    pub fn new(toolbox: Arc<T>) -> Self {
        Server(toolbox)
    }

    fn tools(&self, context: &Context) -> ToolList {
        self.0.tools(&profile_headers(context))
    }

    fn tool_names(&self, context: &Context) -> Vec<String> {
        self.tools(context).iter().map(|tool| tool.name.clone()).collect()
    }

    /// The server as this request sees it.
    fn info(&self, context: &Context) -> ServerConfig {
        self.get_info().with_instructions(instructions(&self.tool_names(context)))
    }

    /// Runs a tool until it answers or nobody waits for it. A panic becomes a failure: without an answer the request
    /// would stay open for ever.
    async fn run(&self, request: CallRequest, context: &Context) -> Result<Answer, CallFailure> {
        let mut call = pin!(self.0.call(request));
        let guarded = poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(cx))) {
            Ok(poll) => poll,
            Err(_) => Poll::Ready(Err(CallFailure::Internal("the tool failed unexpectedly".to_owned()))),
        });
        tokio::select! {
            biased;
            answer = guarded => answer,
            () = client_gone(context) => Err(CallFailure::Internal("the call was cancelled".to_owned())),
        }
    }

    /// The answer of a call whose job goes on: where the client asked for progress it is told of it, and the call kept
    /// open.
    async fn follow_job(&self, mut answer: Answer, context: &Context) -> Result<Answer, ErrorData> {
        let may_stream =
            context.extensions.get::<Parts>().is_some_and(|parts| parts.extensions.get::<MayStream>().is_some());
        let token = context.meta.get_progress_token().filter(|_| may_stream);
        let (Some(job), Some(token)) = (answer.job.take(), token) else { return Ok(answer) };
        let Some(status) = progress::follow(&job, &context.peer, token, client_gone(context)).await else {
            return Err(ErrorData::internal_error("the call was cancelled", None));
        };
        let mut answer = answer_of_job(answer, &status);
        answer.warnings.extend(self.0.save_warning().await);
        Ok(answer)
    }
}

impl<T: Toolbox> ServerHandler for Server<T> {
    fn get_info(&self) -> ServerConfig {
        let identity = Implementation::new("svc-device", crate::VERSION).with_title("SVC Device");
        ServerConfig::new(capabilities(true)).with_server_info(identity).with_protocol_version(FALLBACK_VERSION)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        let served = |version: &&ProtocolVersion| SUPPORTED_VERSIONS.contains(&version.as_str());
        ProtocolVersion::KNOWN_VERSIONS.iter().filter(served).cloned().collect()
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        if !has_handshake(&context) {
            return Err(ErrorData::method_not_found::<InitializeResultMethod>());
        }
        context.peer.set_peer_info(request.clone());
        let mut info = self.info(&context);
        // These versions subscribe in another way, which there is not: without sessions nobody could be told.
        info.capabilities = capabilities(false);
        info.protocol_version = self.negotiate_initialize(&request)?.protocol_version;
        Ok(info)
    }

    async fn discover(&self, context: Context) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.info(&context)))
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        first_page(page)?;
        let tools = self.tools(&context).iter().map(tool_listing).collect();
        // What a request sees follows its headers and the settings, which a user may change at any time: the hint is to
        // keep nothing, for oneself, and that is what an answer without hints is filled up with.
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        let headers = profile_headers(&context);
        let json = match headers.format.as_deref().map(str::trim).and_then(Format::from_name) {
            Some(format) => format == Format::Json,
            None => self.0.json_output(),
        };
        let form = match json {
            false => ResultForm::Compact,
            true if has_handshake(&context) => ResultForm::JsonAndObject,
            true => ResultForm::JsonAndValue,
        };
        let call = CallRequest {
            tool: request.name.into_owned(),
            arguments: arguments(&context, request.arguments).unwrap_or_default(),
            who: caller(&context, &headers),
            headers,
            timeout: None,
            json,
            // A value is sent along with JSON.
            as_text: form == ResultForm::Compact,
            published_only: true,
            chosen_file: None,
        };
        let result = match self.run(call, &context).await {
            Ok(answer) => {
                // What was told of a job on its way is a stream, which `rmcp` writes.
                let may_stream = answer.job.is_some();
                let answer = self.follow_job(answer, &context).await?;
                if envelope::is_large(&answer) {
                    let long = extension::<LongTexts>(&context).filter(|_| !may_stream);
                    let written = self.0.off_thread(move || {
                        let mut result = content::from_answer(answer, form);
                        if let Some(long) = long {
                            content::take_long_parts(&mut result, &long);
                        }
                        result
                    });
                    written
                        .await
                        .ok_or_else(|| ErrorData::internal_error("the answer could not be put together", None))?
                } else {
                    content::from_answer(answer, form)
                }
            }
            Err(failure) => content::from_failure(failure)?,
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        first_page(page)?;
        let tools = self.tool_names(&context);
        let seen = resources::RESOURCE_KINDS.iter().filter(|kind| tools.iter().any(|tool| tool == kind.tool));
        Ok(ListResourcesResult::with_all_items(seen.filter_map(resources::ResourceKind::resource).collect()))
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        first_page(page)?;
        let tools = self.tool_names(&context);
        let seen = resources::RESOURCE_KINDS.iter().filter(|kind| tools.iter().any(|tool| tool == kind.tool));
        Ok(ListResourceTemplatesResult::with_all_items(seen.filter_map(resources::ResourceKind::template).collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let missing = |why: String| {
            let uri = excerpt(&request.uri);
            ErrorData::resource_not_found(why, Some(serde_json::json!({ "uri": uri })))
        };
        let Some((kind, variable, arguments)) = resources::find(&request.uri) else {
            return Err(missing(
                "There is no such resource; see resources/list and resources/templates/list.".to_owned(),
            ));
        };
        let headers = profile_headers(&context);
        let call = CallRequest {
            tool: kind.tool.to_owned(),
            arguments,
            who: caller(&context, &headers),
            headers,
            timeout: None,
            json: true,
            as_text: true,
            // The arguments are the resource's own, whatever its reader is shown.
            published_only: false,
            chosen_file: None,
        };
        let answer = match self.run(call, &context).await {
            Ok(answer) if answer.is_error => {
                return Err(missing(answer.result.as_str().unwrap_or_default().to_owned()));
            }
            Ok(answer) => answer,
            Err(CallFailure::NoSuchTool(_)) => {
                return Err(missing("This resource is withheld from this request.".to_owned()));
            }
            Err(CallFailure::InvalidArguments { message, .. }) => return Err(missing(message)),
            Err(CallFailure::QueueFull(text) | CallFailure::TimedOut(text) | CallFailure::Internal(text)) => {
                return Err(ErrorData::internal_error(text, None));
            }
        };
        let block = |answer: Answer| answer.appended.into_iter().next().unwrap_or_default();
        let text = match kind.content {
            ResourceContent::WholeResult => answer.result.text(Format::Json).into_owned(),
            ResourceContent::FirstBlock => block(answer),
            ResourceContent::Section => crate::skills::section(&block(answer), variable)
                .ok_or_else(|| missing("The skills that this request sees have no such part.".to_owned()))?,
        };
        let text = match extension::<LongTexts>(&context) {
            Some(long) if text.len() > LONG_BYTES => {
                let put = self.0.off_thread(move || long.put(&text)).await;
                put.ok_or_else(|| ErrorData::internal_error("the answer could not be put together", None))?
            }
            _ => text,
        };
        let contents = ResourceContents::text(text, request.uri.clone()).with_mime_type(kind.mime_type);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(listening::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let request = context.request_context();
        listening::listen(&*self.0, &profile_headers(request), &context, client_gone(request)).await
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        first_page(page)?;
        let tools = self.tool_names(&context);
        let seen = prompts::PROMPT_TEMPLATES.iter().filter(|template| template.is_available(&tools));
        Ok(ListPromptsResult::with_all_items(seen.map(prompts::PromptTemplate::listing).collect()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let tools = self.tool_names(&context);
        let template = prompts::PROMPT_TEMPLATES
            .iter()
            .find(|template| template.name == request.name && template.is_available(&tools));
        let template =
            template.ok_or_else(|| ErrorData::invalid_params("There is no such prompt; see prompts/list.", None))?;
        let written = template.fill(&request.arguments.unwrap_or_default());
        Ok(written.map_err(|why| ErrorData::invalid_params(why, None))?.into())
    }

    async fn on_custom_request(&self, request: CustomRequest, context: Context) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        // The generation without a handshake has no such method.
        let is_gone = method == "initialize" && names_version(&context, ProtocolVersion::V_2026_07_28.as_str());
        if METHODS_WITH_PARAMS.contains(&method.as_str()) && !is_gone {
            let text = format!("The `params` of {method} are missing or not of the form that it takes.");
            return Err(ErrorData::invalid_params(text, None));
        }
        // A sentence is made of it where the answer leaves.
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, excerpt(&method), None))
    }
}

/// What there is here; `listens`: a client can be told of changes.
fn capabilities(listens: bool) -> ServerCapabilities {
    let mut all = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
    let listens = listens.then_some(true);
    if let (Some(tools), Some(resources), Some(prompts)) = (&mut all.tools, &mut all.resources, &mut all.prompts) {
        (tools.list_changed, resources.list_changed, prompts.list_changed) = (listens, listens, listens);
        resources.subscribe = listens;
    }
    all
}

/// Whether the request is of a version that begins with `initialize`. One without says its version in each message.
fn has_handshake(context: &Context) -> bool {
    context.meta.protocol_version().is_none_or(|version| version.has_initialize())
}

/// Whether the request's header says that it is of this version.
fn names_version(context: &Context, version: &str) -> bool {
    let named = context.extensions.get::<Parts>().and_then(|parts| parts.headers.get(VERSION_HEADER));
    named.is_some_and(|named| named == version)
}

/// Lists are given whole, so no cursor was ever handed out.
fn first_page(page: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match page.and_then(|page| page.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params("`cursor` is not one that this server gave.", None)),
    }
}

fn tool_listing(tool: &ToolDescriptor) -> Tool {
    let hints = ToolAnnotations::with_title(tool.title.clone())
        .read_only(tool.annotations.read_only_hint)
        .destructive(tool.annotations.destructive_hint)
        .open_world(false);
    let schema: JsonObject = tool.input_schema.as_object().cloned().unwrap_or_default();
    Tool::new(tool.name.clone(), tool.description.clone(), Arc::new(schema))
        .with_title(tool.title.clone())
        .with_annotations(hints)
}

/// What a client reads of the server before anything else.
fn instructions(tools: &[String]) -> String {
    let what =
        "A music session: tracks, scenes, clips and notes that these tools read and change, and that play at once.";
    if tools.iter().any(|name| name == FIRST_TOOL) {
        format!(
            "{what} Call {FIRST_TOOL} first: it says what is in the session, teaches the note syntax and hands over the \
             user's own context; the other tools expect that you have read it."
        )
    } else {
        what.to_owned()
    }
}

fn profile_headers(context: &Context) -> ProfileHeaders {
    extension(context).unwrap_or_default()
}

/// What the endpoint says of the request beside its message.
fn extension<T: Clone + Send + Sync + 'static>(context: &Context) -> Option<T> {
    context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<T>()).cloned()
}

/// The arguments of a request, also where they went past its message.
fn arguments(context: &Context, in_message: Option<JsonObject>) -> Option<JsonObject> {
    extension::<LongArguments>(context).and_then(|long| long.take()).or(in_message)
}

/// Who makes a request.
fn caller(context: &Context, headers: &ProfileHeaders) -> Caller {
    headers.caller(Via::Mcp, &client_name(context))
}

/// What the client calls itself: in the request, else by the first word of its `User-Agent`.
fn client_name(context: &Context) -> String {
    let headers = context.extensions.get::<Parts>().map(|parts| &parts.headers);
    let agent = || Some(headers?.get(USER_AGENT)?.to_str().ok()?.split_whitespace().next()?.to_owned());
    let name = context.meta.client_info().map(|client| client.name).or_else(agent).unwrap_or_default();
    let name: String = name.trim().chars().filter(|c| !c.is_control()).take(LONGEST_CLIENT_NAME).collect();
    if name.is_empty() { "mcp".to_owned() } else { name }
}

/// Ends when the request's client is gone.
async fn client_gone(context: &Context) {
    match context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<ClientGone>()) {
        Some(gone) => gone.clone().wait().await,
        None => std::future::pending().await,
    }
}
