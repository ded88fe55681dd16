//! `kaiwa inspect`: what a model was told for a turn, and why the messages of
//! a channel were answered or not.
//!
//! While the bot runs, it is asked; if it does not run, or cannot be asked, its
//! database is read.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use kaiwa_domain::port::Database;
use kaiwa_domain::{Bill, ChannelId, DecisionRecord, PromptSnapshot, TurnId};
use kaiwa_runtime::Decisions;
use kaiwa_store::OpenError;
use kaiwa_web::{InspectError, Inspection, Inspector, inspect_at};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::args::InspectArgs;
use crate::assembly::{open, open_beside};
use crate::config::Config;
use crate::{console, exit};

/// How many decisions of a channel are shown.
const DECISIONS: u16 = 100;

pub(crate) async fn inspect(args: InspectArgs) -> Result<()> {
    let config = Config::find(args.home.config.as_deref())?;
    let path = match (&args.turn, args.channel) {
        (Some(turn), None) => format!("/inspect/turns/{turn}"),
        (None, Some(channel)) => format!("/inspect/channels/{channel}"),
        _ => bail!(exit::needs_a_person(
            "name a turn, as the log does, or a channel: `kaiwa inspect 1234-0` or `kaiwa inspect --channel 5678`"
        )),
    };
    let data = args.home.data.as_ref().unwrap_or(&config.storage.data);
    let found = match open(data).await {
        Ok(store) => {
            let found = Kept::alone(store.clone()).find(&args).await;
            store.close().await?;
            found
        }
        Err(error) if matches!(error.downcast_ref(), Some(OpenError::InUse { .. })) => {
            beside_the_bot(&config, data, &args, &path).await?
        }
        Err(error) => return Err(error),
    };
    match found {
        Some(found) => show(&found),
        None => bail!(exit::needs_a_person(
            "nothing is known of that: prompts are kept for a few days (storage.keep_snapshots), decisions as long as turns"
        )),
    }
    Ok(())
}

/// Asks the running bot, and if it cannot be asked looks into its database.
async fn beside_the_bot(
    config: &Config,
    data: &Path,
    args: &InspectArgs,
    path: &str,
) -> Result<Option<Value>> {
    let why = match config.web.listen {
        None => "web.listen is off".to_owned(),
        Some(address) if !address.ip().is_loopback() => {
            format!("web.listen is {address}, which others reach")
        }
        Some(address) => match inspect_at(address, path).await {
            Ok(found) => return Ok(Some(found)),
            Err(InspectError::Unreachable { .. }) => format!("nobody answers at {address}"),
            Err(error @ InspectError::Unknown { .. }) => return Err(error.into()),
        },
    };
    let store = open_beside(data)?;
    let missing = match args.turn {
        Some(_) => "",
        None => "; what it left alone is known to it alone and missing here",
    };
    console::say(format_args!(
        "the bot is running and cannot be asked ({why}): this is from its database{missing}"
    ));
    Ok(Kept::alone(store).find(args).await)
}

fn show(found: &Value) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for section in found["sections"].as_array().into_iter().flatten() {
        let (title, tokens) = (text(&section["title"]), &section["tokens"]);
        console::print(format_args!("== {title} (about {tokens} tokens)"));
        console::print(format_args!("{}\n", text(&section["text"])));
    }
    for call in found["calls"].as_array().into_iter().flatten() {
        let (model, role) = (text(&call["model"]), text(&call["role"]));
        let (input, output) = (&call["input"], &call["output"]);
        let cost = call["cost_usd"].as_f64();
        let cost = cost.map_or("unknown".to_owned(), |cost| format!("${cost:.6}"));
        console::print(format_args!(
            "== {model} for {role}: {input} tokens in, {output} out, cost {cost}"
        ));
    }
    for decision in found["decisions"].as_array().into_iter().flatten() {
        let [at, event, user, outcome, reason] =
            ["at", "event", "user", "outcome", "reason"].map(|key| text(&decision[key]));
        console::print(format_args!(
            "{at}  {event}  by {user}: {outcome}, {reason}"
        ));
    }
}

/// What this process, or one before it, kept.
pub(crate) struct Kept {
    pub(crate) store: Arc<dyn Database>,
    pub(crate) decisions: Decisions,
}

/// What is kept now: a bot that is restarted opens its database anew.
#[derive(Clone)]
pub(crate) struct KeptNow(watch::Sender<Arc<Kept>>);

impl KeptNow {
    pub(crate) fn new(kept: Kept) -> Self {
        Self(watch::Sender::new(Arc::new(kept)))
    }

    pub(crate) fn replace(&self, kept: Kept) {
        self.0.send_replace(Arc::new(kept));
    }

    fn now(&self) -> Arc<Kept> {
        self.0.borrow().clone()
    }
}

impl Inspector for KeptNow {
    fn turn<'a>(&'a self, turn: &'a str) -> Inspection<'a> {
        let kept = self.now();
        Box::pin(async move { kept.turn(turn).await })
    }

    fn channel<'a>(&'a self, channel: &'a str) -> Inspection<'a> {
        let kept = self.now();
        Box::pin(async move { kept.channel(channel).await })
    }
}

impl Kept {
    /// What is in a database, without what a process has in mind.
    fn alone(store: Arc<dyn Database>) -> Self {
        Self {
            store,
            decisions: Decisions::default(),
        }
    }

    async fn find(&self, args: &InspectArgs) -> Option<Value> {
        match (&args.turn, args.channel) {
            (Some(turn), _) => self.turn(&turn.to_string()).await,
            (_, Some(channel)) => self.channel(&channel.to_string()).await,
            _ => None,
        }
    }

    /// The last turn that a decision led to.
    async fn turn_of(&self, decision: &DecisionRecord) -> Option<TurnId> {
        let message = decision.trigger.message()?;
        if decision.outcome != "admitted" {
            return None;
        }
        let turn = self.store.latest_turn(decision.scope, message).await;
        turn.ok().flatten().map(|turn| turn.id)
    }
}

impl Inspector for Kept {
    fn turn<'a>(&'a self, turn: &'a str) -> Inspection<'a> {
        Box::pin(async move {
            let turn: TurnId = turn.parse().ok()?;
            let snapshot = self.store.snapshot(turn).await.ok().flatten()?;
            let bills = self.store.bills(turn).await.unwrap_or_default();
            Some(told(&snapshot, &bills))
        })
    }

    fn channel<'a>(&'a self, channel: &'a str) -> Inspection<'a> {
        Box::pin(async move {
            let channel: ChannelId = channel.parse().ok()?;
            let mut decisions = self.decisions.of_channel(channel, DECISIONS.into());
            let kept = self.store.decisions(channel, DECISIONS).await;
            let known = decisions.iter().map(|it| it.trigger).collect::<Vec<_>>();
            let before = kept.unwrap_or_default().into_iter();
            decisions.extend(before.filter(|it| !known.contains(&it.trigger)));
            decisions.sort_by_key(|it| std::cmp::Reverse(it.at));
            decisions.truncate(DECISIONS.into());
            let mut shown: Vec<Value> = Vec::with_capacity(decisions.len());
            for decision in &decisions {
                shown.push(decided(decision, self.turn_of(decision).await));
            }
            Some(json!({"channel": channel.to_string(), "decisions": shown}))
        })
    }
}

fn told(snapshot: &PromptSnapshot, bills: &[Bill]) -> Value {
    let sections = snapshot.sections.iter().map(
        |section| json!({"title": section.title, "tokens": section.tokens, "text": section.text}),
    );
    json!({
        "turn": snapshot.turn.to_string(),
        "channel": snapshot.channel.to_string(),
        "sections": sections.collect::<Vec<_>>(),
        "calls": bills.iter().map(call).collect::<Vec<_>>(),
    })
}

/// One call of a model. A cost that is not known is null.
fn call(bill: &Bill) -> Value {
    json!({
        "model": bill.model,
        "role": bill.role.name(),
        "input": bill.usage.input,
        "cached": bill.usage.cached,
        "output": bill.usage.output,
        "thinking": bill.usage.thinking,
        "estimated": bill.estimated,
        "cost_usd": bill.cost.map(|millionths| millionths as f64 / 1_000_000.0),
    })
}

fn decided(decision: &DecisionRecord, turn: Option<TurnId>) -> Value {
    let at = jiff::Timestamp::from_millisecond(decision.at.as_millis());
    json!({
        "at": at.map(|at| at.to_string()).unwrap_or_default(),
        "event": decision.trigger.number().to_string(),
        "user": decision.user.to_string(),
        "outcome": decision.outcome,
        "reason": decision.reason,
        "turn": turn.map(|turn| turn.to_string()),
    })
}
