//! One request, from the send_guard to the answer.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kaiwa_domain::port::{Clock, OnWire};
use kaiwa_domain::{ChannelId, ChatError, Disposition, Moment, Timestamp};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, DATE, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use rustls::pki_types::{CertificateDer, pem::PemObject};
use rustls::{ClientConfig, RootCertStore};
use secrecy::ExposeSecret;
use url::Url;

use super::body::RequestBody;
use crate::known::KnownRights;

use super::codes::{ErrorBody, NO_ACCESS, NO_PERMISSION, TOO_MANY_WEBHOOKS};
use super::governor::LimitNews;
use super::limit::{self, LimitScope, RateLimit};
use super::queue::{RequestQueue, SendPermit};
use super::route::{Operation, Route};
use super::send_guard::SendGuard;
use crate::{Access, AccessError};

/// How we introduce ourselves.
const USER_AGENT: &str = concat!("DiscordBot (kaiwa, ", env!("CARGO_PKG_VERSION"), ")");

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long one request may take, connection and body included.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// How long one call may wait for rate limits, all in all.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a call waits that Discord gives three seconds.
const SHORT_PATIENCE: Duration = Duration::from_secs(1);

/// How many 429s one call may earn.
const LIMITED_MAX: u32 = 5;

/// The pauses before a harmless request is repeated after a failure.
const BACK_OFF: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(2)];

/// What Discord answers to a token that it does not know.
const BAD_TOKEN: u16 = 401;

/// The largest answer that is read.
const BODY_MAX: usize = 8 * 1024 * 1024;

/// The connection to Discord's REST API.
pub(super) struct Wire {
    http: Client,
    base: String,
    authorization: HeaderValue,
    queue: Arc<RequestQueue>,
    send_guard: SendGuard,
    /// Discord does not take our token: nothing more is sent with it.
    token_refused: AtomicBool,
    /// What the gateway tells of rights.
    pub(super) known: KnownRights,
    clock: Arc<dyn Clock>,
}

/// What came back.
struct RawResponse {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Wire {
    pub(super) fn new(access: &Access, clock: Arc<dyn Clock>) -> Result<Self, AccessError> {
        let scheme = access.api_url.scheme();
        if !matches!(scheme, "http" | "https") {
            return Err(AccessError::Scheme {
                scheme: scheme.to_owned(),
            });
        }
        let token = access.token.expose_secret();
        let mut authorization =
            HeaderValue::from_str(&format!("Bot {token}")).map_err(|_| AccessError::Token)?;
        if token.trim().is_empty() {
            return Err(AccessError::Token);
        }
        authorization.set_sensitive(true);
        Ok(Self {
            http: client(access.extra_ca.as_deref())
                .map_err(|reason| AccessError::Client { reason })?,
            base: access.api_url.as_str().trim_end_matches('/').to_owned(),
            authorization,
            queue: Arc::new(RequestQueue::new(access.requests_per_second, clock.clone())),
            send_guard: SendGuard::new(access.invalid_requests),
            token_refused: AtomicBool::new(false),
            known: KnownRights::default(),
            clock,
        })
    }

    /// The time.
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The time, as it passes.
    pub(super) fn moment(&self) -> Moment {
        self.clock.moment()
    }

    /// Waits.
    pub(super) async fn sleep(&self, duration: Duration) {
        self.clock.sleep(duration).await;
    }

    /// How far apart edits by this route are to be.
    pub(super) fn edit_pace(&self, route: Route<'_>) -> Duration {
        self.queue.edit_pace(&route.errand(&OnWire::new()))
    }

    /// Makes a request and returns the body of the answer.
    ///
    /// Rate limits are waited for. Failures are repeated only where that can
    /// do no harm; otherwise the outcome is unknown and the caller decides.
    /// `on_wire` lets the call be withdrawn while it waits.
    pub(super) async fn call(
        &self,
        route: Route<'_>,
        body: Option<&RequestBody>,
        on_wire: &OnWire,
    ) -> Result<Vec<u8>, ChatError> {
        if let Some(refusal) = self.remembered_refusal(route) {
            return Err(refusal);
        }
        let patience = self.clock.moment().after(PATIENCE);
        let mut limited = 0;
        let mut pauses = BACK_OFF.iter();
        loop {
            let permit = match route.is_unlimited() {
                true => None,
                false => Some(self.permit(route, on_wire, patience).await?),
            };
            if !on_wire.begin() {
                return Err(ChatError::Withdrawn);
            }
            let outcome = self.attempt(route, body, permit).await;
            on_wire.end();
            let failure = match outcome {
                Ok(answer) if answer.status == 429 => {
                    let retry_after = self.heed(route, &answer);
                    if on_wire.is_withdrawn() {
                        return Err(ChatError::Withdrawn);
                    }
                    limited += 1;
                    let waits_here = route.is_unlimited();
                    if limited > LIMITED_MAX || waits_here && retry_after > SHORT_PATIENCE {
                        return Err(ChatError::Limited { retry_after });
                    }
                    if waits_here {
                        self.clock.sleep(retry_after).await;
                    }
                    continue;
                }
                Ok(answer) => match self.judge(route, answer) {
                    Err(failure @ ChatError::Unknown { .. }) => failure,
                    verdict => return verdict,
                },
                Err(reason) => ChatError::Unknown { reason },
            };
            match pauses.next() {
                Some(&pause) if route.is_idempotent() => self.clock.sleep(pause).await,
                _ => return Err(failure),
            }
        }
    }

    /// Fetches a file, without saying who we are. The error is why there is none.
    pub(super) async fn fetch(&self, address: Url, max: usize) -> Result<Vec<u8>, String> {
        let exchange = async {
            let response = self.http.get(address).send().await.map_err(innermost)?;
            read(response, max).await
        };
        let answer = tokio::select! {
            answer = exchange => answer?,
            () = self.clock.sleep(REQUEST_TIMEOUT) => {
                return Err(format!("nothing came back within {REQUEST_TIMEOUT:?}"));
            }
        };
        match answer.status {
            200 => Ok(answer.body),
            status => Err(format!("HTTP {status}")),
        }
    }

    /// The webhooks of a channel have changed: there may be room for one.
    pub(super) fn webhooks_changed(&self, channel: ChannelId) {
        let place = (channel, Operation::HaveWebhook);
        self.send_guard.lift(place, TOO_MANY_WEBHOOKS);
    }

    /// What Discord said to our token, or to the same deed here not long ago.
    fn remembered_refusal(&self, route: Route<'_>) -> Option<ChatError> {
        if self.token_refused.load(Ordering::Relaxed) && !route.is_by_token() {
            return Some(ErrorBody::default().refusal(BAD_TOKEN));
        }
        let place = route.operation()?;
        let rights = || self.known.version(place.0);
        let code = self.send_guard.denied(self.clock.moment(), place, rights)?;
        Some(ChatError::Refused {
            code,
            message: "not permitted in this channel, as of a few minutes ago".to_owned(),
            disposition: Disposition::StopTurn,
        })
    }

    /// Waits until nothing speaks against sending.
    async fn permit(
        &self,
        route: Route<'_>,
        on_wire: &OnWire,
        patience: Moment,
    ) -> Result<SendPermit, ChatError> {
        let now = self.clock.moment();
        let tripped = self.send_guard.tripped_for(now);
        // Whoever uses a control is answered as long as Discord takes anything.
        if !tripped.is_zero() && !route.answers_control() {
            return Err(ChatError::Limited {
                retry_after: tripped,
            });
        }
        let errand = route.errand(on_wire);
        self.queue.pass(errand, patience.since(now), on_wire).await
    }

    /// Sends once. The error is why there is no answer.
    async fn attempt(
        &self,
        route: Route<'_>,
        body: Option<&RequestBody>,
        mut permit: Option<SendPermit>,
    ) -> Result<RawResponse, String> {
        let mut request = self
            .http
            .request(route.method(), format!("{}/{}", self.base, route.path()));
        if !route.is_by_token() {
            request = request.header(AUTHORIZATION, self.authorization.clone());
        }
        if let Some(reason) = route.audit_reason() {
            request = request.header("X-Audit-Log-Reason", reason);
        }
        if let Some(body) = body {
            request = request
                .header(CONTENT_TYPE, &body.content_type)
                .body(body.bytes.clone());
        }
        let asked = self.clock.moment();
        let exchange = async {
            let response = request.send().await.map_err(innermost)?;
            self.compare_clocks(&response, asked);
            read(response, BODY_MAX).await
        };
        if let Some(permit) = &mut permit {
            permit.begin();
        }
        let outcome = tokio::select! {
            outcome = exchange => outcome,
            () = self.clock.sleep(REQUEST_TIMEOUT) => {
                Err(format!("nothing came back within {REQUEST_TIMEOUT:?}"))
            }
        };
        if let (Some(permit), Ok(answer)) = (permit, &outcome) {
            permit.answered(told(answer));
        }
        let status = outcome
            .as_ref()
            .map_or_else(|_| "none".to_owned(), |answer| answer.status.to_string());
        tracing::debug!(route = route.template(), status, "request");
        metrics::counter!("discord_requests_total", "route" => route.template(), "status" => status)
            .increment(1);
        outcome
    }

    /// Tells our clock what Discord's shows: `Date` is the second in which the
    /// answer was made, which was after we asked.
    fn compare_clocks(&self, response: &Response, asked: Moment) {
        let date = response.headers().get(DATE);
        let date = date.and_then(|date| date.to_str().ok());
        let date = date.and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
        let Some(date) = date else {
            return;
        };
        let earliest = date.timestamp().as_millisecond();
        let spread = self.clock.moment().since(asked) + Duration::from_secs(1);
        let spread = i64::try_from(spread.as_millis()).unwrap_or(i64::MAX);
        let latest = Timestamp::from_millis(earliest.saturating_add(spread));
        self.clock.learn(Timestamp::from_millis(earliest), latest);
    }

    /// Takes note of a 429 and returns how long to wait.
    fn heed(&self, route: Route<'_>, answer: &RawResponse) -> Duration {
        let limit = answer.limit();
        let now = self.clock.moment();
        if route.is_unlimited() && limit.scope == LimitScope::Wall {
            self.queue.walled(limit.wait);
        }
        if limit.scope != LimitScope::Shared {
            self.send_guard.count_invalid(now);
        }
        metrics::counter!("discord_rate_limited_total").increment(1);
        tracing::info!(
            route = route.template(),
            scope = ?limit.scope,
            wait = ?limit.wait,
            "Discord limits us"
        );
        limit.wait
    }

    /// The body of a good answer, or what a bad one means.
    fn judge(&self, route: Route<'_>, answer: RawResponse) -> Result<Vec<u8>, ChatError> {
        let status = answer.status;
        if (200..300).contains(&status) {
            return Ok(answer.body);
        }
        let body: ErrorBody = serde_json::from_slice(&answer.body).unwrap_or_default();
        if status >= 500 && body.known_code().is_none() {
            return Err(ChatError::Unknown {
                reason: format!("HTTP {status}"),
            });
        }
        let now = self.clock.moment();
        if matches!(status, 401 | 403) {
            self.send_guard.count_invalid(now);
        }
        if let Some(code @ (NO_ACCESS | NO_PERMISSION | TOO_MANY_WEBHOOKS)) = body.known_code()
            && let Some(place) = route.operation()
        {
            let rights = self.known.version(place.0);
            self.send_guard.deny(now, place, code, rights);
        }
        let refusal = body.refusal(status);
        // A control's own token is in the path, and may be what is refused.
        let is_ours = !route.is_by_token() && !route.answers_control();
        if is_ours && refusal.disposition() == Disposition::Halt {
            self.token_refused.store(true, Ordering::Relaxed);
        }
        Err(refusal)
    }
}

/// A client that trusts the public web and whoever else it is told to, and
/// obeys no environment variable.
fn client(extra_ca: Option<&Path>) -> Result<Client, String> {
    let mut roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    if let Some(path) = extra_ca {
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let extra: Result<Vec<_>, _> =
            CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
        for certificate in extra.map_err(|error| at(&error))? {
            roots.add(certificate).map_err(|error| at(&error))?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Client::builder()
        .tls_backend_preconfigured(tls)
        .user_agent(USER_AGENT)
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(Policy::none())
        .no_proxy()
        .build()
        .map_err(innermost)
}

/// What the governor learns from an answer.
fn told(answer: &RawResponse) -> LimitNews {
    let bucket = limit::bucket(&answer.headers);
    if answer.status != 429 {
        return bucket.map_or(LimitNews::Nothing, LimitNews::Bucket);
    }
    let RateLimit { wait, scope } = answer.limit();
    match scope {
        LimitScope::Global => LimitNews::Hush(wait),
        LimitScope::Wall => LimitNews::Wall(wait),
        LimitScope::Bucket => LimitNews::Limited { wait, bucket },
        LimitScope::Shared => LimitNews::Shared { wait, bucket },
    }
}

impl RawResponse {
    /// What it asks for, if it is a 429.
    fn limit(&self) -> RateLimit {
        let body = serde_json::from_slice(&self.body).ok();
        RateLimit::read(&self.headers, body.as_ref())
    }
}

async fn read(mut response: Response, max: usize) -> Result<RawResponse, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(innermost)? {
        if body.len() + chunk.len() > max {
            return Err(format!("the answer is larger than {max} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(RawResponse {
        status: response.status().as_u16(),
        headers: std::mem::take(response.headers_mut()),
        body,
    })
}

/// The innermost cause, which names no address.
fn innermost(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::limits::INVALID_REQUESTS;
    use kaiwa_domain::port::Pending;
    use kaiwa_domain::{InteractionId, ResponseHandle};
    use std::sync::Mutex;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    struct Frozen;

    impl Clock for Frozen {
        fn now(&self) -> Timestamp {
            Timestamp::from_millis(0)
        }

        fn moment(&self) -> Moment {
            Moment::default()
        }

        fn sleep(&self, _: Duration) -> Pending<'static, ()> {
            Box::pin(std::future::pending())
        }
    }

    fn wire() -> Wire {
        let mut access = Access::discord("token".into());
        // Nothing listens here, so whatever is sent comes back as unknown.
        access.api_url = "http://127.0.0.1:1/api/v10".parse().unwrap();
        Wire::new(&access, Arc::new(Frozen)).unwrap()
    }

    async fn typing(wire: &Wire) -> ChatError {
        let route = Route::Typing(ChannelId::new(1));
        wire.call(route, None, &OnWire::new()).await.unwrap_err()
    }

    #[tokio::test]
    async fn too_many_invalid_requests_stop_us_before_discord_does() {
        let wire = wire();
        for _ in 1..INVALID_REQUESTS / 2 {
            wire.send_guard.count_invalid(wire.clock.moment());
        }
        assert!(matches!(typing(&wire).await, ChatError::Unknown { .. }));
        wire.send_guard.count_invalid(wire.clock.moment());
        assert!(matches!(typing(&wire).await, ChatError::Limited { .. }));
    }

    /// A server for one wire that answers one request after the other.
    async fn served() -> (Wire, TcpListener) {
        served_at(Arc::new(Frozen)).await
    }

    async fn served_at(clock: Arc<dyn Clock>) -> (Wire, TcpListener) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut access = Access::discord("token".into());
        let address = listener.local_addr().unwrap();
        access.api_url = format!("http://{address}/api/v10").parse().unwrap();
        (Wire::new(&access, clock).unwrap(), listener)
    }

    /// Reads a request with a body of JSON.
    async fn heard(listener: &TcpListener) -> TcpStream {
        let (mut peer, _) = listener.accept().await.unwrap();
        let mut heard = Vec::new();
        while !heard.ends_with(b"}") {
            peer.read_buf(&mut heard).await.unwrap();
        }
        peer
    }

    async fn answer(peer: &mut TcpStream, head: &str, body: &str) {
        let length = body.len();
        let answer = format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\n\r\n{body}");
        peer.write_all(answer.as_bytes()).await.unwrap();
    }

    fn hello() -> RequestBody {
        RequestBody::of(&serde_json::json!({ "content": "hello" }))
    }

    /// It was on the wire, so its answer is waited for, and not the limit.
    #[tokio::test]
    async fn what_is_withdrawn_waits_for_no_limit() {
        let (wire, listener) = served().await;
        let on_wire = OnWire::new();
        let refuses = async {
            let mut peer = heard(&listener).await;
            assert!(on_wire.withdraw(), "it is under way");
            let body = r#"{"message": "slower", "retry_after": 5.0, "global": true}"#;
            answer(&mut peer, "429 Too Many Requests", body).await;
            peer
        };
        let route = Route::CreateMessage(ChannelId::new(1));
        let body = hello();
        let (outcome, _peer) = tokio::join!(wire.call(route, Some(&body), &on_wire), refuses);
        assert_eq!(outcome, Err(ChatError::Withdrawn));
    }

    const CREATE: Route<'static> = Route::CreateMessage(ChannelId::new(1));

    /// What comes of a request that is answered so, and the wire after it. Nobody
    /// listens any more then.
    async fn answered(
        route: Route<'_>,
        head: &str,
        body: &str,
    ) -> (Wire, Result<Vec<u8>, ChatError>) {
        let (wire, listener) = served().await;
        let answers = async {
            let mut peer = heard(&listener).await;
            answer(&mut peer, head, body).await;
            peer
        };
        let (on_wire, sent) = (OnWire::new(), hello());
        let (outcome, _peer) = tokio::join!(wire.call(route, Some(&sent), &on_wire), answers);
        (wire, outcome)
    }

    #[tokio::test]
    async fn a_token_that_is_refused_is_not_sent_again() {
        let body = r#"{"message": "401: Unauthorized", "code": 0}"#;
        let (wire, first) = answered(CREATE, "401 Unauthorized", body).await;
        assert_eq!(first.unwrap_err().disposition(), Disposition::Halt);
        assert_eq!(typing(&wire).await.disposition(), Disposition::Halt);
    }

    #[tokio::test]
    async fn the_token_of_a_control_is_not_ours() {
        let handle = ResponseHandle::new(5, "token".to_owned());
        let route = Route::EditResponse(&handle);
        let (wire, first) = answered(route, "401 Unauthorized", "{}").await;
        assert_eq!(first.unwrap_err().disposition(), Disposition::Halt);
        assert_eq!(wire.remembered_refusal(CREATE), None);
    }

    #[tokio::test]
    async fn the_wall_stops_everything_once_a_control_ran_into_it() {
        let handle = ResponseHandle::new(5, "token".to_owned());
        let route = Route::Acknowledge {
            interaction: InteractionId::new(6),
            handle: &handle,
        };
        let head = "429 Too Many Requests\r\nretry-after: 90";
        let (wire, first) = answered(route, head, "error code: 1015").await;
        let retry_after = Duration::from_secs(90);
        let limited = ChatError::Limited { retry_after };
        assert_eq!(first, Err(limited.clone()), "once, and no more");
        let (on_wire, sent) = (OnWire::new(), hello());
        let again = wire.call(CREATE, Some(&sent), &on_wire).await;
        assert_eq!(again, Err(limited));
    }

    /// What is soon over is over at once, and noted.
    #[derive(Default)]
    struct Hasty(Mutex<Vec<Duration>>);

    impl Clock for Hasty {
        fn now(&self) -> Timestamp {
            Frozen.now()
        }

        fn moment(&self) -> Moment {
            Frozen.moment()
        }

        fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
            if duration > SHORT_PATIENCE {
                return Frozen.sleep(duration);
            }
            self.0.lock().unwrap().push(duration);
            Box::pin(std::future::ready(()))
        }
    }

    #[tokio::test]
    async fn a_control_waits_for_a_limit_that_is_over_soon() {
        let clock = Arc::new(Hasty::default());
        let (wire, listener) = served_at(clock.clone()).await;
        let handle = ResponseHandle::new(5, "token".to_owned());
        let route = Route::Acknowledge {
            interaction: InteractionId::new(6),
            handle: &handle,
        };
        let answers = async {
            let limited = "429 Too Many Requests\r\nconnection: close";
            for (head, body) in [
                (limited, r#"{"retry_after": 0.5}"#),
                ("200 OK\r\nconnection: close", "{}"),
            ] {
                let mut peer = heard(&listener).await;
                answer(&mut peer, head, body).await;
            }
        };
        let (on_wire, sent) = (OnWire::new(), hello());
        let (outcome, ()) = tokio::join!(wire.call(route, Some(&sent), &on_wire), answers);
        assert_eq!(outcome, Ok(b"{}".to_vec()));
        assert_eq!(*clock.0.lock().unwrap(), [Duration::from_millis(500)]);
    }

    #[tokio::test]
    async fn an_access_that_cannot_work_is_refused() {
        fn check(url: &str, token: &str, expected: &AccessError) {
            let mut access = Access::discord(token.into());
            access.api_url = url.parse().unwrap();
            let found = Wire::new(&access, Arc::new(Frozen)).err();
            assert_eq!(found.as_ref(), Some(expected), "{url} {token:?}");
        }
        check("http://localhost", "", &AccessError::Token);
        check("http://localhost", " ", &AccessError::Token);
        check("http://localhost", "to\nken", &AccessError::Token);
        let scheme = "ws".to_owned();
        check("ws://localhost", "token", &AccessError::Scheme { scheme });
    }
}
