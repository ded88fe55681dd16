//! One question and its answer over HTTP, in any wire format.
//!
//! ```text
//! asking ──status, content type──▶ reading ──last event or end──▶ over
//!  │ ▲└────────────── first-token timeout ─────────┘
//!  └─┘ without what is not supported └─ idle timeout between bytes
//! ```
//!
//! The first-token timeout runs until the answer itself begins: keep-alives do
//! not stop it. The idle timeout begins with the first byte of the body and
//! starts anew with every other, keep-alives included.
//!
//! Once the model has spoken, whatever fails has cut its answer off, so the
//! error is [`ModelError::Cut`]; only silence stays silence.

use std::future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream;
use kaiwa_domain::port::{Alarm, Answer, Clock, Pending};
use kaiwa_domain::{Brief, Delta, ModelError, Timestamp};
use metrics::{counter, histogram};
use reqwest::Response;

use crate::Endpoint;
use crate::answer_decoder::AnswerDecoder;
use crate::question::PendingRequest;
use crate::{failure, http};

/// What an answer may come as. What it is shows when it is read.
const CONTENT_TYPES: [&str; 5] = [
    "text/event-stream",
    "application/json",
    "application/x-ndjson",
    "application/jsonl",
    // Of proxies that do not care.
    "text/plain",
];

/// The state of one exchange; dropping it drops the connection.
pub(crate) struct Exchange {
    endpoint: Arc<Endpoint>,
    clock: Arc<dyn Clock>,
    /// What was asked.
    sent: Arc<Brief>,
    decoder: AnswerDecoder,
    phase: ExchangePhase,
    /// What ends the answer once everything heard was given.
    failure: Option<ModelError>,
    /// Whether the user may have seen something.
    spoke: bool,
    account: ExchangeMetrics,
    /// How long the first piece of the answer may take.
    patience: Duration,
    /// Runs from the question to the first piece of the answer.
    first_token: Option<Pending<'static, ()>>,
    /// Rings when nothing arrives any more.
    idle: Alarm,
}

enum ExchangePhase {
    Asking(Box<PendingRequest>),
    Reading {
        response: Response,
        /// Whether a byte of the body has arrived.
        begun: bool,
    },
    Over,
}

impl Exchange {
    pub(crate) fn new(
        endpoint: Arc<Endpoint>,
        clock: Arc<dyn Clock>,
        question: PendingRequest,
        decoder: AnswerDecoder,
        patience: Duration,
    ) -> Self {
        Self {
            sent: question.brief(),
            patience,
            endpoint,
            clock,
            decoder,
            phase: ExchangePhase::Asking(Box::new(question)),
            failure: None,
            spoke: false,
            account: ExchangeMetrics::default(),
            first_token: None,
            idle: Alarm::default(),
        }
    }

    pub(crate) fn answer(self) -> Answer {
        Box::pin(stream::unfold(self, |mut exchange| async {
            Some((exchange.next().await?, exchange))
        }))
    }

    async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        loop {
            if let Some(delta) = self.decoder.next() {
                self.spoke |= matches!(delta, Delta::Text(_) | Delta::Refusal(_));
                self.account.delta(&delta);
                return Some(Ok(delta));
            }
            if let Some(error) = self.failure.take() {
                let error = self.as_seen(error);
                self.account.outcome = Some(failure::name(&error));
                return Some(Err(error));
            }
            let step = match std::mem::replace(&mut self.phase, ExchangePhase::Over) {
                ExchangePhase::Asking(question) => self.ask(question).await,
                ExchangePhase::Reading { response, begun } => self.read(response, begun).await,
                ExchangePhase::Over => return None,
            };
            match step {
                Ok(phase) => self.phase = phase,
                Err(error) => self.failure = Some(error),
            }
        }
    }

    async fn ask(
        &mut self,
        mut question: Box<PendingRequest>,
    ) -> Result<ExchangePhase, ModelError> {
        let patience = self.patience;
        self.account.asked_at.get_or_insert(self.clock.now());
        let clock = &self.clock;
        let deadline = self
            .first_token
            .get_or_insert_with(|| clock.sleep(patience));
        let base_url = &self.endpoint.base_url;
        let mut response = tokio::select! {
            biased;
            () = &mut *deadline => return Err(ModelError::Silent { waited: patience }),
            sent = question.request().send() => sent.map_err(|error| http::unreachable(base_url, &error))?,
        };
        if !response.status().is_success() {
            let now = Some(self.clock.now());
            let error = tokio::select! {
                biased;
                () = deadline => ModelError::Silent { waited: patience },
                error = http::refused(&mut response, now, Some(&self.sent)) => error,
            };
            return match question.reconsider(&error) {
                true => Ok(ExchangePhase::Asking(question)),
                false => Err(error),
            };
        }
        question.accepted();
        match http::content_type(&response) {
            Some(other) if !CONTENT_TYPES.contains(&&*other) => Err(ModelError::Garbled {
                reason: format!("it sent {other} instead of an event stream"),
            }),
            _ => Ok(ExchangePhase::Reading {
                response,
                begun: false,
            }),
        }
    }

    async fn read(
        &mut self,
        mut response: Response,
        begun: bool,
    ) -> Result<ExchangePhase, ModelError> {
        // From when we begin to wait, so that a slow listener costs the model
        // nothing.
        self.idle.put_off(&*self.clock);
        let silent = |waited: Duration| ModelError::Silent { waited };
        // The deadline is looked at before the bytes: a server cannot escape
        // it by flooding us with comments.
        let cause = tokio::select! {
            biased;
            () = elapsed(self.first_token.as_mut()) => silent(self.patience),
            read = response.chunk() => match read {
                Ok(Some(bytes)) => {
                    self.decoder.push(&bytes);
                    if self.decoder.transcript().has_begun() {
                        self.begin();
                    }
                    if !self.decoder.is_over() {
                        return Ok(ExchangePhase::Reading { response, begun: true });
                    }
                    cut("the stream ended without an answer")
                }
                Ok(None) => cut("the connection closed before the answer was whole"),
                Err(error) => cut(&http::innermost(&error)),
            },
            () = self.idle.rings(&*self.clock, self.endpoint.idle_timeout), if begun => {
                silent(self.endpoint.idle_timeout)
            }
        };
        self.decoder.end(cause);
        if self.decoder.transcript().has_begun() {
            self.begin();
        }
        match self.decoder.transcript().failure() {
            Some(error) => Err(error.clone()),
            None => Ok(ExchangePhase::Over),
        }
    }

    /// The answer has begun.
    fn begin(&mut self) {
        if self.first_token.take().is_some() {
            self.account.begun(self.clock.now());
        }
    }

    fn as_seen(&self, error: ModelError) -> ModelError {
        let error = match error {
            ModelError::Silent { .. } | ModelError::Cut { .. } | ModelError::Excessive { .. } => {
                error
            }
            other if self.spoke => cut(&other.to_string()),
            other => other,
        };
        failure::presentable(error, self.endpoint.key.as_ref(), Some(&self.sent))
    }
}

/// Completes with the timer; never, without one.
pub(crate) async fn elapsed(timer: Option<impl Future<Output = ()>>) {
    match timer {
        Some(timer) => timer.await,
        None => future::pending().await,
    }
}

fn cut(reason: &str) -> ModelError {
    ModelError::Cut {
        reason: reason.to_owned(),
    }
}

/// What the metrics are told of one exchange, whichever way it ends.
#[derive(Default)]
struct ExchangeMetrics {
    asked_at: Option<Timestamp>,
    outcome: Option<&'static str>,
}

impl ExchangeMetrics {
    fn begun(&self, now: Timestamp) {
        if let Some(asked_at) = self.asked_at {
            histogram!("provider_first_token_seconds").record(now.since(asked_at).as_secs_f64());
        }
    }

    fn delta(&mut self, delta: &Delta) {
        match delta {
            Delta::Usage(usage) => {
                let tokens =
                    |direction| counter!("provider_tokens_total", "direction" => direction);
                tokens("input").increment(usage.input);
                tokens("output").increment(usage.output);
            }
            Delta::Finish { .. } => self.outcome = Some("ok"),
            _ => {}
        }
    }
}

impl Drop for ExchangeMetrics {
    fn drop(&mut self) {
        if self.asked_at.is_some() {
            let outcome = self.outcome.unwrap_or("dropped");
            counter!("provider_requests_total", "outcome" => outcome).increment(1);
            tracing::debug!(outcome, "the model was asked");
        }
    }
}
