//! One answer, however many calls it takes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use kaiwa_domain::port::{Answer, Pending};
use kaiwa_domain::{Brief, Delta, Finish, ModelError, Moment, Scope, SeededDice, Spent, Usage};
use metrics::counter;

use crate::exchange::elapsed;
use crate::failure::presentable;

use super::breaker::Permit;
use super::meter::{Account, Meter, cost};
use super::pool::{ModelEndpoint, RouterState};
use super::remedy::{Step, blames_model, pause, step};
use super::shrink::{shrink, suited};
use super::waiting::FirstWordWait;
use super::{
    LONGEST, MAX_CALLS, MAX_HEARD, PATIENCE, PlanIndex, RETRIES, RoutePlan, UnknownPrice, estimate,
};

/// How often the operator hears that nothing was heard.
const WORD_EVERY: Duration = Duration::from_secs(15);

/// How long an answer is expected to be, in tokens, when its price is guessed.
const EXPECTED_OUTPUT: u64 = 500;

/// The state of one answer; dropping it drops the connection.
pub(super) struct Calls {
    shared: Arc<RouterState>,
    plan: Arc<RoutePlan>,
    brief: Arc<Brief>,
    dice: SeededDice,
    phase: CallPhase,
    /// What to pass on before anything else happens.
    ready: VecDeque<Result<Delta, ModelError>>,
    /// Whose turn it is.
    place: PlanIndex,
    calls: u32,
    /// Whether anybody of the present list was asked.
    tried: bool,
    retries: u32,
    shrunk: bool,
    /// Whether the user may have seen something.
    shown: bool,
    /// Whether something was passed on that a new start makes void.
    told: bool,
    began: Option<Moment>,
    /// For the first word.
    wait: Option<FirstWordWait>,
    /// When something was last taken in.
    renewed: Moment,
    /// Something to be taken in was passed on.
    renew: bool,
    /// Goes off when it is time to look whether the answer takes too long.
    alarm: Option<Pending<'static, ()>>,
    /// Why there is no answer, the weightiest first.
    censored: Option<ModelError>,
    over_budget: Option<ModelError>,
    failed: Option<ModelError>,
    skipped: Option<ModelError>,
}

enum CallPhase {
    Choosing,
    Pausing(Pending<'static, ()>),
    Calling(Box<ModelCall>),
    Over,
}

/// One call under way.
struct ModelCall {
    answer: Answer,
    meter: Meter,
    permit: Permit,
    key: usize,
    /// Goes off when it is time to tell the operator that we still wait.
    word: Option<Pending<'static, ()>>,
}

impl Calls {
    pub(super) fn new(shared: Arc<RouterState>, plan: Arc<RoutePlan>, brief: Brief) -> Self {
        Self {
            dice: SeededDice::new(shared.seed(&brief)),
            shared,
            plan,
            brief: Arc::new(brief),
            phase: CallPhase::Choosing,
            ready: VecDeque::new(),
            place: PlanIndex::default(),
            calls: 0,
            tried: false,
            retries: 0,
            shrunk: false,
            shown: false,
            told: false,
            began: None,
            wait: None,
            renewed: Moment::default(),
            renew: false,
            alarm: None,
            censored: None,
            over_budget: None,
            failed: None,
            skipped: None,
        }
    }

    pub(super) fn answer(self) -> Answer {
        Box::pin(stream::unfold(self, |mut calls| async {
            Some((calls.next().await?, calls))
        }))
    }

    async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        if std::mem::take(&mut self.renew) {
            self.renewed = self.shared.clock.moment();
        }
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            match &mut self.phase {
                CallPhase::Choosing => self.choose().await,
                CallPhase::Pausing(pause) => {
                    pause.await;
                    self.phase = CallPhase::Choosing;
                }
                CallPhase::Calling(call) => {
                    let alarm = self
                        .alarm
                        .get_or_insert_with(|| self.shared.clock.sleep(PATIENCE));
                    // Looked at first: no server escapes it by flooding us.
                    tokio::select! {
                        biased;
                        () = alarm => self.ring(),
                        said = call.answer.next() => self.hear(said),
                        () = elapsed(call.word.as_mut()) => self.still_waiting(),
                    }
                }
                CallPhase::Over => return None,
            }
        }
    }

    /// Where it was asked, if that is known.
    fn scope(&self) -> Option<Scope> {
        self.brief.payer.map(|payer| payer.scope)
    }

    fn has_next(&self) -> bool {
        let endpoints = self.plan.endpoints(self.place.on_censored);
        self.place.index + 1 < endpoints.len()
    }

    fn next_model(&mut self) {
        self.place.index += 1;
        self.retries = 0;
    }

    /// Tells the operator that nothing was heard yet.
    fn still_waiting(&mut self) {
        let now = self.shared.clock.moment();
        if let CallPhase::Calling(call) = &mut self.phase
            && let Some(endpoint) = self.plan.endpoint(self.place)
            && let Some(wait) = &self.wait
        {
            let turn = wait.turn().map(tracing::field::display);
            let waited = wait.elapsed(now);
            tracing::info!(
                model = endpoint.name,
                turn,
                ?waited,
                "still waiting for the model"
            );
            call.word = Some(self.shared.clock.sleep(WORD_EVERY));
        }
    }

    /// Nothing was heard for as long as people wait.
    fn run_out(&mut self, waited: Duration) {
        if let Some(ModelError::Silent { waited: last }) = &mut self.failed {
            *last = waited;
        }
        self.failed.get_or_insert(ModelError::Silent { waited });
        self.give_up();
    }

    /// Nobody is left to ask.
    fn give_up(&mut self) {
        self.phase = CallPhase::Over;
        let reasons = [
            &mut self.censored,
            &mut self.over_budget,
            &mut self.failed,
            &mut self.skipped,
        ];
        let error = reasons.into_iter().find_map(Option::take);
        let error = error.unwrap_or(ModelError::Busy { retry_after: None });
        self.ready.push_back(Err(error));
    }

    /// Begins the next call, or moves on.
    async fn choose(&mut self) {
        let now = self.shared.clock.moment();
        let began = *self.began.get_or_insert(now);
        let plan = Arc::clone(&self.plan);
        let probe = plan.endpoint(self.place).is_none();
        if probe {
            match self.out_of_order(now) {
                Some(index) => self.place.index = index,
                None => return self.give_up(),
            }
            self.tried = true;
        }
        let endpoint = match plan.endpoint(self.place) {
            Some(next) if self.calls < MAX_CALLS && now.since(began) < LONGEST => next,
            _ => return self.give_up(),
        };
        let wait = self.wait.get_or_insert_with(|| {
            let turn = self.brief.payer.map(|payer| payer.turn);
            FirstWordWait::begin(&self.shared, turn, plan.role, plan.first_word_within, now)
        });
        let others = match probe {
            true => 0,
            false => plan.endpoints(self.place.on_censored).len() - self.place.index - 1,
        };
        let Some(patience) = wait.next(endpoint.first_token_timeout, others, now) else {
            let waited = wait.elapsed(now);
            return self.run_out(waited);
        };
        match self.call(endpoint, probe, patience, now).await {
            Ok(call) => {
                self.calls += 1;
                self.tried = true;
                self.renewed = now;
                self.phase = CallPhase::Calling(Box::new(call));
                if std::mem::take(&mut self.told) {
                    self.ready.push_back(Ok(Delta::Anew));
                }
            }
            Err(error) => {
                let reason = match error {
                    ModelError::OverBudget { .. } | ModelError::LargerThanBudget { .. } => {
                        &mut self.over_budget
                    }
                    _ => &mut self.skipped,
                };
                reason.get_or_insert(error);
                self.next_model();
            }
        }
    }

    /// The model to try though it is out of order, because everybody is: the
    /// one that has had the most time to recover.
    fn out_of_order(&self, now: Moment) -> Option<usize> {
        if self.tried {
            return None;
        }
        let endpoints = self.plan.endpoints(self.place.on_censored);
        let since = endpoints
            .iter()
            .enumerate()
            .filter_map(|(index, endpoint)| {
                let breaker = &endpoint.condition.breaker;
                Some((breaker.refused_since(self.scope(), now)?, index))
            });
        since.min().map(|(_, index)| index)
    }

    /// Makes a call, also if the model is out of order and this is a `probe`.
    async fn call(
        &mut self,
        endpoint: &ModelEndpoint,
        probe: bool,
        patience: Duration,
        now: Moment,
    ) -> Result<ModelCall, ModelError> {
        let scope = self.scope();
        let breaker = &endpoint.condition.breaker;
        let permit = match probe {
            true => breaker.enter_anyway(scope),
            false => breaker.enter(scope, now)?,
        };
        let (key, model) = endpoint.awake(scope, now)?;
        let mut input = estimate::brief(&self.brief);
        let context = endpoint.context.map_or(u64::MAX, u64::from);
        if input > context && !self.shrunk {
            // It would only say so itself.
            self.shrunk = shrink(Arc::make_mut(&mut self.brief));
            input = estimate::brief(&self.brief);
        }
        let account = match (&self.shared.accounts, self.brief.payer) {
            (Some(accounts), Some(payer)) => {
                let budget = self.plan.budget;
                if endpoint.price.is_none()
                    && budget.limits_cost()
                    && budget.unknown_price == UnknownPrice::Refuse
                {
                    let model = endpoint.name.clone();
                    return Err(ModelError::Unpriced { model });
                }
                let amount = expected(endpoint, &self.brief, input);
                let pledge = accounts.pledge(payer, budget, amount).await?;
                Some(Account {
                    accounts: Arc::clone(accounts),
                    payer,
                    pledge,
                })
            }
            _ => None,
        };
        let bill_to = (endpoint.name.clone(), endpoint.price);
        let clock = Arc::clone(&self.shared.clock);
        Ok(ModelCall {
            answer: model.answer_within(patience, &suited(&self.brief, endpoint.abilities())),
            meter: Meter::new(self.plan.role, bill_to, input, clock, account),
            permit,
            key,
            word: self
                .wait
                .as_ref()
                .filter(|wait| wait.is_open())
                .map(|_| self.shared.clock.sleep(WORD_EVERY)),
        })
    }

    /// Takes what arrived.
    fn hear(&mut self, said: Option<Result<Delta, ModelError>>) {
        let CallPhase::Calling(call) = &mut self.phase else {
            return;
        };
        let delta = match said {
            Some(Ok(delta)) => delta,
            Some(Err(error)) => return self.fail(error),
            None => return self.fail(cut("the answer has no end")),
        };
        let heard = call.meter.hear(&delta);
        if heard > MAX_HEARD {
            return self.fail(excessive("the answer does not end"));
        }
        if heard > 0 {
            call.permit.answered();
        }
        if !matches!(delta, Delta::Heartbeat | Delta::Usage(_)) {
            call.word = None;
            if let Some(wait) = &mut self.wait {
                wait.heard();
            }
        }
        match delta {
            Delta::Finish {
                finish: Finish::Refused,
                word,
            } if !self.shown && !self.plan.on_censored.is_empty() => {
                let message = format!("the answer was withheld ({word})");
                let censored = ModelError::Censored { message };
                return self.fail(presentable(censored, None, None));
            }
            Delta::Finish { .. } => return self.finish(delta),
            Delta::Text(_) | Delta::Refusal(_) | Delta::ToolCall(_) => {
                self.shown = true;
                self.renew = true;
            }
            Delta::Thought(_) | Delta::Signature(_) | Delta::ToolPiece(_) => self.told = true,
            Delta::Usage(_) | Delta::Heartbeat | Delta::Anew | Delta::Spent(_) => {}
        }
        self.ready.push_back(Ok(delta));
    }

    /// The answer is whole.
    fn finish(&mut self, finish: Delta) {
        if let CallPhase::Calling(call) = std::mem::replace(&mut self.phase, CallPhase::Over) {
            call.permit.succeeded();
            let bill = call.meter.end(None);
            self.ready.push_back(Ok(Delta::Spent(bill)));
        }
        self.ready.push_back(Ok(finish));
    }

    /// The alarm went off.
    fn ring(&mut self) {
        let now = self.shared.clock.moment();
        let (quiet, whole) = (
            now.since(self.renewed),
            now.since(self.began.unwrap_or(now)),
        );
        self.alarm = None;
        if whole >= LONGEST {
            return self.fail(excessive("the answer took longer than 15 minutes"));
        }
        if quiet >= PATIENCE {
            // Five minutes were enough of this model.
            self.retries = RETRIES;
            return self.fail(ModelError::Silent { waited: PATIENCE });
        }
        let next = (PATIENCE - quiet).min(LONGEST - whole);
        self.alarm = Some(self.shared.clock.sleep(next));
    }

    /// The call failed: do what helps.
    fn fail(&mut self, error: ModelError) {
        let CallPhase::Calling(call) = std::mem::replace(&mut self.phase, CallPhase::Choosing)
        else {
            return;
        };
        let ModelCall {
            answer,
            meter,
            permit,
            key,
            word: _,
        } = *call;
        drop(answer);
        self.ready
            .push_back(Ok(Delta::Spent(meter.end(Some(&error)))));
        let now = self.shared.clock.moment();
        match blames_model(&error) {
            true => permit.failed(&error, now),
            false => permit.succeeded(),
        }
        if self.shown {
            self.phase = CallPhase::Over;
            self.ready.push_back(Err(error));
            return;
        }
        let step = match step(&error, self.retries, self.shrunk) {
            // Who is silent has cost time enough, if there is another.
            Step::Retry if matches!(error, ModelError::Silent { .. }) && self.has_next() => {
                Step::NextModel
            }
            step => step,
        };
        counter!("provider_remedies_total", "step" => step.name()).increment(1);
        if let Some(endpoint) = self.plan.endpoint(self.place) {
            tracing::info!(model = endpoint.name, %error, step = step.name(), "a call failed");
            if step == Step::NextKey {
                endpoint.rest(key, self.scope(), &error, now);
            }
        }
        self.take(step, &error);
        self.failed = Some(error);
    }

    fn take(&mut self, step: Step, error: &ModelError) {
        match step {
            Step::Retry => {
                let pause = pause(self.retries, &mut self.dice);
                self.retries += 1;
                self.phase = CallPhase::Pausing(self.shared.clock.sleep(pause));
            }
            Step::Wait(wait) => {
                self.retries += 1;
                self.phase = CallPhase::Pausing(self.shared.clock.sleep(wait));
            }
            // The next call takes the first key that is awake.
            Step::NextKey => {}
            Step::Shrink => {
                self.shrunk = true;
                if !shrink(Arc::make_mut(&mut self.brief)) {
                    self.next_model();
                }
            }
            Step::NextModel => self.next_model(),
            Step::Uncensored => {
                self.censored.get_or_insert_with(|| error.clone());
                match self.place.on_censored {
                    true => self.next_model(),
                    false => {
                        self.place = PlanIndex {
                            on_censored: true,
                            index: 0,
                        };
                        self.retries = 0;
                        self.tried = false;
                    }
                }
            }
            Step::GiveUp => {
                self.phase = CallPhase::Over;
                self.ready.push_back(Err(error.clone()));
            }
        }
    }
}

/// What a call is expected to cost.
fn expected(endpoint: &ModelEndpoint, brief: &Brief, input: u64) -> Spent {
    let limit = brief.manner.max_output_tokens;
    let limit = limit.map_or(u64::MAX, u64::from);
    let usage = Usage {
        input,
        output: EXPECTED_OUTPUT.min(limit),
        ..Usage::default()
    };
    Spent {
        tokens: usage.input + usage.output,
        cost: endpoint.price.map_or(0, |price| cost(price, usage)),
    }
}

fn excessive(reason: &str) -> ModelError {
    ModelError::Excessive {
        reason: reason.to_owned(),
    }
}

fn cut(reason: &str) -> ModelError {
    ModelError::Cut {
        reason: reason.to_owned(),
    }
}
