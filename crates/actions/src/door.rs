//! The one way to every action.

mod answers;
mod clicks;
mod forms;
mod offers;
mod usable;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kaiwa_domain::limits::CHOICES;
use kaiwa_domain::port::{
    ActionHost, ActionLog, ActionPolicies, ActionPolicy, ActionReply, Clock, ControlRequest,
    Conversations, Entrance, Offers, Pending, Permissions, SaidMessage, SentAbroad,
};
use kaiwa_domain::{
    Acknowledgement, ActionRecord, Button, ChannelId, ChatError, Interaction, InteractionKind,
    OptionChoice, RateClass, RateLimiter, RecordedOutcome, Rights, RightsHolder, Scope, Settlement,
    SlashCommand, StoreError, Timestamp, Tool, ToolCall, ToolError, Trigger, Turn, TurnId, UserId,
};
use serde_json::{Map, Value};

use crate::action::{Done, TypedCall};
use crate::command::{commands, read_control};
use crate::moderation::explain_standing;
use crate::phrase::Phrase;
use crate::registry::RegisteredAction;
use crate::{Declaration, EffectClass, Registry};
use clicks::{Click, called};
use forms::lacks_form;
use usable::RunningCalls;

/// A call that takes longer than this is worth a look.
const SLOW: Duration = Duration::from_secs(5);

/// Lets in what may be done.
///
/// The model is told of the actions that may be used in the place where a turn
/// is, without those for which asker or bot are [known](Permissions::known) to
/// lack a right. Discord is asked only when an action is about to run: most
/// turns run none, and what was true when the model was asked need not be true
/// any more.
pub struct Door {
    registry: Registry,
    ports: DoorPorts,
    limiter: Mutex<RateLimiter>,
    /// What is under way of the actions that run [alone](Declaration::alone).
    running: RunningCalls,
}

/// What the door goes by.
#[derive(Clone)]
pub struct DoorPorts {
    /// As whom actions are done.
    pub bot: UserId,
    /// What people may do.
    pub permissions: Arc<dyn Permissions>,
    /// What places allow.
    pub policies: Arc<dyn ActionPolicies>,
    /// Where it is kept what waits for a click.
    pub offers: Arc<dyn Offers>,
    /// The answers that are being given.
    pub conversations: Arc<dyn Conversations>,
    /// Where it is kept what was done.
    pub audit: Arc<dyn ActionLog>,
    /// Time.
    pub clock: Arc<dyn Clock>,
}

/// A call that has passed the door. Nothing else can make one:
///
/// ```compile_fail,E0451
/// fn forged(turn: &kaiwa_domain::Turn) -> kaiwa_actions::Grant<'_> {
///     let entrance = kaiwa_domain::port::Entrance::Control { locale: "" };
///     kaiwa_actions::Grant { turn, asked: turn.id, entrance }
/// }
/// ```
pub struct Grant<'a> {
    turn: &'a Turn,
    asked: TurnId,
    entrance: Entrance<'a>,
}

impl<'a> Grant<'a> {
    /// The turn that the call belongs to.
    pub const fn turn(&self) -> &'a Turn {
        self.turn
    }

    /// The turn in which it was asked for: another one, if it was confirmed
    /// since.
    pub const fn asked(&self) -> TurnId {
        self.asked
    }

    /// The language of whoever asked, by Discord's name for it; empty if it is
    /// not known.
    pub const fn locale(&self) -> &'a str {
        self.entrance.locale()
    }

    /// Whether the model calls it, and its answer follows. What somebody
    /// confirms with a button has no answer to follow.
    pub const fn in_words(&self) -> bool {
        matches!(self.entrance, Entrance::Model { .. })
    }
}

impl Door {
    /// To the actions of `registry`.
    pub fn new(registry: Registry, ports: DoorPorts) -> Self {
        Self {
            registry,
            ports,
            limiter: Mutex::default(),
            running: RunningCalls::default(),
        }
    }

    async fn pass(
        &self,
        turn: &Turn,
        call: &ToolCall,
        entrance: Entrance<'_>,
    ) -> Result<ActionReply, ToolError> {
        if let Some(click) = Click::of(&call.name) {
            return self.clicked(turn, click, call, entrance).await;
        }
        let entry = self.registry.find(&call.name);
        let entry = entry.ok_or_else(|| unknown(call))?;
        self.open(turn, &entry.declaration, entrance).await?;
        self.enter(turn, entry, call, entrance, None).await
    }

    /// Whether an action can be asked for in this way and place.
    async fn open(
        &self,
        turn: &Turn,
        declaration: &Declaration,
        entrance: Entrance<'_>,
    ) -> Result<(), ToolError> {
        if !is_open(declaration, turn, entrance) {
            let name = declaration.name.to_owned();
            return Err(ToolError::Unknown { name });
        }
        match self.is_off(turn, declaration).await {
            true => Err(ToolError::SwitchedOff),
            false => Ok(()),
        }
    }

    /// Whether whoever runs this place has switched an action off.
    async fn is_off(&self, turn: &Turn, declaration: &Declaration) -> bool {
        let off = self.policy(turn).await.off;
        off.iter().any(|it| it == declaration.name)
    }

    /// Whether a call would be let in, whatever it asks for. Nothing is
    /// counted.
    async fn admits(&self, turn: &Turn, declaration: &Declaration) -> Result<(), ToolError> {
        let (asker_needs, bot_needs) = (declaration.asker_needs, declaration.bot_needs);
        self.check(turn, turn.asker, RightsHolder::Asker, asker_needs)
            .await?;
        self.check(turn, self.ports.bot, RightsHolder::Bot, bot_needs)
            .await?;
        if self.running.holds(turn, declaration) {
            return Err(ToolError::Running);
        }
        let wait = declaration.rate.and_then(|class| {
            let limiter = self.limiter.lock().unwrap_or_else(PoisonError::into_inner);
            let now = self.ports.clock.moment();
            limiter.wait(class, turn.asker, class.default_limit(), now)
        });
        wait.map_or(Ok(()), |wait| Err(ToolError::TooOften { wait }))
    }

    async fn policy(&self, turn: &Turn) -> ActionPolicy {
        let policies = &self.ports.policies;
        policies.policy(turn.scope, turn.channel).await
    }

    /// Lets a call in whose action may be used here. `confirmed` is the turn in
    /// which it was asked for, where somebody was shown since what would happen.
    async fn enter(
        &self,
        turn: &Turn,
        entry: &RegisteredAction,
        call: &ToolCall,
        entrance: Entrance<'_>,
        confirmed: Option<TurnId>,
    ) -> Result<ActionReply, ToolError> {
        let declaration = &entry.declaration;
        let typed = entry.action.read(&call.arguments);
        let unread = typed.is_err();
        let clock = &self.ports.clock;
        let begun = clock.now();
        let allowed = async {
            match typed {
                Ok(typed) => {
                    self.run_if_allowed(turn, entrance, entry, call, typed, confirmed)
                        .await
                }
                // Whoever got no form is told why.
                Err(problem) if lacks_form(entry, call) => {
                    self.admits(turn, declaration).await.and(Err(problem))
                }
                Err(problem) => Err(problem),
            }
        };
        let result = tokio::select! {
            biased;
            result = allowed => result,
            () = clock.sleep(declaration.timeout) => Err(ToolError::Failed {
                reason: "it took too long".to_owned(),
            }),
        };
        let took = clock.now().since(begun);
        if took > SLOW {
            tracing::warn!(turn = %turn.id, action = declaration.name, ?took, "an action was slow");
        }
        let nothing = match &result {
            Ok(reply) => reply.waits.is_some(),
            Err(error) => unread && !error.is_denial(),
        };
        // What somebody let be looked up is told to nobody but later answers.
        let recorded = declaration.class.is_recorded() || confirmed.is_some();
        if recorded && declaration.on_record && !nothing {
            self.put_on_record(turn, call, &result).await;
        }
        result
    }

    async fn run_if_allowed<'a>(
        &'a self,
        turn: &'a Turn,
        entrance: Entrance<'a>,
        entry: &'a RegisteredAction,
        call: &ToolCall,
        typed: Box<dyn TypedCall<'a> + 'a>,
        confirmed: Option<TurnId>,
    ) -> Result<ActionReply, ToolError> {
        let declaration = &entry.declaration;
        let needs = typed.needs();
        let asker_needs = declaration.asker_needs.with(needs.asker);
        let bot_needs = declaration.bot_needs.with(needs.bot);
        self.check(turn, turn.asker, RightsHolder::Asker, asker_needs)
            .await?;
        self.check(turn, self.ports.bot, RightsHolder::Bot, bot_needs)
            .await?;
        let locale = entrance.locale();
        if confirmed.is_none() {
            self.count(turn, declaration)?;
            let (tainted, carries) = match entrance {
                Entrance::Model { tainted, carries } => (tainted, carries),
                Entrance::Control { .. } => (false, false),
            };
            let leaves = carries && typed.sends().is_some();
            if leaves || declaration.class.asks_first(tainted) {
                let described = typed.describe(turn).await?;
                return self.ask_first(turn, call, described, locale).await;
            }
        }
        let _place = self.running.begin(turn, declaration)?;
        let done = typed.run(Grant {
            turn,
            asked: confirmed.unwrap_or(turn.id),
            entrance,
        });
        let done = done.await?;
        self.reply(turn, declaration, done, locale).await
    }

    async fn reply(
        &self,
        turn: &Turn,
        declaration: &Declaration,
        done: Done,
        locale: &str,
    ) -> Result<ActionReply, ToolError> {
        let shown = done.shown.map(|phrase| phrase.text(locale));
        let mut buttons = done.buttons;
        let undo = match &done.undo {
            Some(undo) => self.offer_undo(turn, undo, locale).await,
            None => None,
        };
        let (undo_button, undo) = undo.unzip();
        buttons.extend(undo_button);
        Ok(ActionReply {
            file: done.file,
            shown: shown.unwrap_or_else(|| done.told.clone()),
            told: done.told,
            buttons,
            waits: None,
            undo,
            untrusted: declaration.taints || done.quotes_others,
            afterwards: done.afterwards,
        })
    }

    /// Keeps what became of a call. That it cannot be kept is no reason to say
    /// that it was not done.
    async fn put_on_record(
        &self,
        turn: &Turn,
        call: &ToolCall,
        result: &Result<ActionReply, ToolError>,
    ) {
        let (outcome, result) = match result {
            Ok(reply) => (RecordedOutcome::Done, reply.told.clone()),
            Err(error) if error.is_denial() => (RecordedOutcome::Denied, error.to_string()),
            Err(error) => (RecordedOutcome::Failed, error.to_string()),
        };
        tracing::info!(
            turn = %turn.id,
            scope = %turn.scope,
            asker = %turn.asker,
            action = call.name,
            outcome = outcome.name(),
            "an action that changes something was asked for"
        );
        let entry = ActionRecord {
            scope: turn.scope,
            channel: turn.channel,
            turn: turn.id,
            asker: turn.asker,
            action: call.name.clone(),
            arguments: call.arguments.clone(),
            outcome,
            result: result.chars().take(RECORDED_CHARS).collect(),
            at: self.ports.clock.now(),
        };
        if let Err(error) = self.ports.audit.audit(&entry).await {
            tracing::error!(%error, turn = %turn.id, "an action is not on record");
        }
    }

    /// Counts a call of a class that is limited.
    fn count(&self, turn: &Turn, declaration: &Declaration) -> Result<(), ToolError> {
        match declaration.rate {
            Some(class) => self.count_class(turn, class),
            None => Ok(()),
        }
    }

    fn count_class(&self, turn: &Turn, class: RateClass) -> Result<(), ToolError> {
        let mut limiter = self.limiter.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.ports.clock.moment();
        limiter
            .count(class, turn.asker, class.default_limit(), now)
            .map_err(|wait| ToolError::TooOften { wait })
    }

    /// What `user` may not do of what is needed.
    async fn missing(
        &self,
        scope: Scope,
        channel: ChannelId,
        user: UserId,
        needs: Rights,
    ) -> Result<Rights, ChatError> {
        if needs.is_empty() {
            return Ok(needs);
        }
        let held = self.ports.permissions.of(scope, channel, user).await?;
        Ok(needs.without(held))
    }

    /// Whether `user` may do what is needed. What cannot be found out is not
    /// allowed.
    async fn check(
        &self,
        turn: &Turn,
        user: UserId,
        who: RightsHolder,
        needs: Rights,
    ) -> Result<(), ToolError> {
        let missing = self.missing(turn.scope, turn.channel, user, needs).await;
        let missing = match missing {
            Ok(missing) => missing,
            Err(error @ ChatError::Refused { .. }) => {
                return Err(ToolError::Denied {
                    reason: error.to_string(),
                });
            }
            Err(error) => {
                return Err(ToolError::Failed {
                    reason: format!("what {who} may do could not be found out: {error}"),
                });
            }
        };
        if missing.is_empty() {
            return Ok(());
        }
        tracing::info!(turn = %turn.id, %who, %missing, "an action is not allowed");
        Err(ToolError::Lacking { who, missing })
    }
}

/// The model, whatever it has read.
const MODEL: Entrance<'static> = Entrance::Model {
    tainted: true,
    carries: true,
};

/// Whether an action can be asked for in this way and place.
fn is_open(declaration: &Declaration, turn: &Turn, entrance: Entrance<'_>) -> bool {
    let entered = match entrance {
        Entrance::Model { .. } => declaration.model,
        Entrance::Control { .. } => declaration.command.is_some(),
    };
    let unattended = matches!(turn.id.trigger, Trigger::Schedule(_) | Trigger::Reminder(_));
    entered && declaration.place.includes(turn.scope) && !(declaration.attended && unattended)
}

/// What is wrong with arguments, for people. Those that do not even have the right
/// form are described by the library that reads them, in words for machines.
fn problem_of(problem: &str) -> Option<Phrase> {
    let named = |text: &str| text.split('`').nth(1).map(str::to_owned);
    if problem.starts_with("missing field") {
        return Some(Phrase::new("problem-missing").with("option", named(problem)?));
    }
    let (option, rest) = problem.split_once(": ")?;
    if let Some(rest) = rest.strip_prefix("unknown variant") {
        // Every second part stands in backticks; the first of those is what was given.
        let choices: Vec<&str> = rest.split('`').skip(1).step_by(2).skip(1).collect();
        return Some(
            Phrase::new("problem-choice")
                .with("option", option)
                .with("choices", choices.join(", ")),
        );
    }
    let unfit = ["invalid type", "invalid value", "invalid length"];
    let unfit = unfit.iter().any(|it| rest.starts_with(it));
    unfit.then(|| Phrase::new("problem-unfit").with("option", option))
}

/// The most of a result that is kept on record, in characters.
const RECORDED_CHARS: usize = 600;

/// The most of arguments and result that moderators read, in characters.
const REPORTED_CHARS: usize = 600;

/// What moderators read about something that was done.
fn report(record: &ActionRecord) -> Phrase {
    let short = |text: &str| -> String {
        let kept = text.chars().filter(|c| !c.is_control() && *c != '`');
        kept.take(REPORTED_CHARS).collect()
    };
    let key = match record.outcome {
        RecordedOutcome::Done => "report-done",
        RecordedOutcome::Denied => "report-denied",
        RecordedOutcome::Failed => "report-failed",
    };
    Phrase::new(key)
        .with("action", record.action.as_str())
        .with("asker", format!("<@{}>", record.asker))
        .with("channel", format!("<#{}>", record.channel))
        .with("arguments", short(&record.arguments))
        .with("result", short(&record.result))
}

fn unknown(call: &ToolCall) -> ToolError {
    ToolError::Unknown {
        name: call.name.clone(),
    }
}

/// The arguments that come with a control, those of a form included.
fn arguments(known: &str, fields: Option<&str>) -> Option<Map<String, Value>> {
    let mut known: Map<String, Value> = serde_json::from_str(known).ok()?;
    if let Some(fields) = fields {
        known.append(&mut serde_json::from_str(fields).ok()?);
    }
    Some(known)
}

impl Door {
    async fn requested(&self, turn: &Turn, interaction: &Interaction) -> Option<ControlRequest> {
        let (entry, known) = match &interaction.kind {
            InteractionKind::Command(call) | InteractionKind::Completion { call, .. } => {
                let entry = self.registry.behind(&call.name)?;
                (entry, arguments(&call.arguments, None)?)
            }
            InteractionKind::Component { control, .. } => {
                let (name, known) = read_control(control)?;
                if let Some(click) = Click::of(name) {
                    return Some(click.request(interaction, known));
                }
                (self.registry.find(name)?, arguments(known, None)?)
            }
            InteractionKind::Form { control, fields } => {
                let (name, known) = read_control(control)?;
                (self.registry.find(name)?, arguments(known, Some(fields))?)
            }
        };
        match self.form(turn, entry, interaction, &known).await {
            Some(form) => Some(ControlRequest::Form(form)),
            None => Some(self.call_of(entry, interaction, &known)),
        }
    }

    fn call_of(
        &self,
        entry: &RegisteredAction,
        interaction: &Interaction,
        arguments: &Map<String, Value>,
    ) -> ControlRequest {
        let ephemeral = entry.declaration.command.is_some_and(|it| it.ephemeral);
        ControlRequest::Call {
            call: called(
                interaction,
                entry.declaration.name,
                Value::Object(arguments.clone()).to_string(),
            ),
            acknowledgement: match interaction.kind {
                InteractionKind::Component { .. } => Acknowledgement::Unchanged,
                _ => Acknowledgement::Deferred { ephemeral },
            },
        }
    }
}

impl ActionHost for Door {
    fn tools<'a>(&'a self, turn: &'a Turn) -> Pending<'a, Vec<Tool>> {
        Box::pin(async move {
            let off = self.policy(turn).await.off;
            let held = self.known(turn);
            let open = self.registry.all().filter(|it| {
                let name = it.declaration.name;
                self.is_usable(&it.declaration, turn, held) && !off.iter().any(|off| off == name)
            });
            open.map(|it| it.tool.clone()).collect()
        })
    }

    fn settlement(&self, name: &str) -> Settlement {
        let entry = self.registry.find(name);
        match entry {
            // Such a call asks, and a question may be asked again.
            Some(entry) if entry.declaration.class == EffectClass::Dangerous => {
                Settlement::Idempotent
            }
            Some(entry) => entry.declaration.settlement,
            None => Click::of(name).map_or(Settlement::AtMostOnce, Click::settlement),
        }
    }

    fn changes(&self, name: &str) -> bool {
        let entry = self.registry.find(name);
        entry.is_some_and(|it| it.declaration.class.changes())
    }

    fn sends(&self, call: &ToolCall) -> Option<SentAbroad> {
        let entry = self.registry.find(&call.name)?;
        entry.action.read(&call.arguments).ok()?.sends()
    }

    fn progress(&self, call: &ToolCall) -> String {
        let entry = self.registry.find(&call.name);
        let typed = entry.and_then(|it| it.action.read(&call.arguments).ok());
        let phrase = typed.map_or_else(|| Phrase::new("progress-working"), |it| it.progress());
        phrase.text("")
    }

    fn run<'a>(
        &'a self,
        turn: &'a Turn,
        call: &'a ToolCall,
        entrance: Entrance<'a>,
    ) -> Pending<'a, Result<ActionReply, ToolError>> {
        Box::pin(self.pass(turn, call, entrance))
    }

    fn commands(&self) -> Vec<SlashCommand> {
        commands(&self.registry)
    }

    fn request<'a>(
        &'a self,
        turn: &'a Turn,
        interaction: &'a Interaction,
    ) -> Pending<'a, Option<ControlRequest>> {
        Box::pin(self.requested(turn, interaction))
    }

    fn is_private(&self, name: &str) -> bool {
        match self.registry.find(name) {
            Some(entry) => entry.declaration.command.is_none_or(|it| it.ephemeral),
            None => !matches!(Click::of(name), Some(Click::Offer(_))),
        }
    }

    fn complete<'a>(&'a self, interaction: &'a Interaction) -> Pending<'a, Vec<OptionChoice>> {
        Box::pin(async move {
            let InteractionKind::Completion {
                call,
                option,
                typed,
            } = &interaction.kind
            else {
                return Vec::new();
            };
            let completes = |it: &&RegisteredAction| {
                it.declaration.place.includes(interaction.scope)
                    && it.declaration.command.and_then(|it| it.completes) == Some(option)
            };
            let Some(entry) = self.registry.behind(&call.name).filter(completes) else {
                return Vec::new();
            };
            let Interaction { scope, channel, .. } = *interaction;
            let (user, needs) = (interaction.user.id, entry.declaration.asker_needs);
            // What is proposed may be for them alone who may use the command.
            let missing = self.missing(scope, channel, user, needs).await;
            if !missing.is_ok_and(Rights::is_empty) {
                return Vec::new();
            }
            let fitting = entry.action.fitting(scope, user, typed);
            let mut fitting = fitting.await;
            fitting.truncate(CHOICES);
            fitting
        })
    }

    fn report(&self, record: &ActionRecord) -> Option<String> {
        let declaration = self.registry.find(&record.action)?.declaration;
        let private = declaration.command.is_none_or(|it| it.ephemeral);
        let changed = declaration.class.is_recorded();
        if !changed || private && declaration.asker_needs.is_empty() {
            return None;
        }
        Some(report(record).text(""))
    }

    fn expired(&self, locale: &str) -> String {
        Phrase::new("offer-expired").text(locale)
    }

    fn stop_button(&self, turn: &Turn) -> Option<Button> {
        answers::stop_button(turn)
    }

    fn answer_buttons<'a>(
        &'a self,
        turn: &'a Turn,
        said: &'a SaidMessage,
        again: bool,
        until: Timestamp,
    ) -> Pending<'a, Result<Vec<Button>, StoreError>> {
        Box::pin(self.offer_more(turn, said, again, until))
    }

    fn explain(&self, error: &ToolError, locale: &str) -> String {
        let phrase = match error {
            ToolError::Unknown { name } if name.is_empty() => Phrase::new("control-gone"),
            ToolError::Unknown { .. } => Phrase::new("not-here"),
            ToolError::BadArguments { problem } => {
                let said = problem_of(problem).map(|it| it.text(locale));
                Phrase::new("bad-arguments").with("problem", said.unwrap_or(problem.clone()))
            }
            ToolError::Lacking { who, missing } => match who {
                RightsHolder::Asker => Phrase::new("you-lack"),
                RightsHolder::Bot => Phrase::new("i-lack"),
            }
            .with("missing", missing.to_string()),
            ToolError::TooOften { wait } => {
                let seconds = wait.as_millis().div_ceil(1000).max(1);
                let seconds = usize::try_from(seconds).unwrap_or(usize::MAX);
                Phrase::new("slow-down").with("seconds", seconds)
            }
            ToolError::SwitchedOff => Phrase::new("switched-off"),
            ToolError::Running => Phrase::new("running-already"),
            ToolError::Protected { who, standing } => explain_standing(*who, *standing),
            ToolError::Unsettled => Phrase::new("offer-unknown"),
            ToolError::NotYours => Phrase::new("not-yours"),
            ToolError::Denied { .. } => Phrase::new("denied"),
            ToolError::Failed { .. } => Phrase::new("failed"),
        };
        phrase.text(locale)
    }
}
