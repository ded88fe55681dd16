//! Thinking: drives the conversation, with the model on one side and the
//! outbox on the other.
//!
//! The [`Conversation`] decides; here is done what it says. The model's stream
//! is read only once what it has said is in the outbox, and everything ends by
//! being dropped: streams, tools, timers.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::join_all;
use kaiwa_domain::port::{Answer, History, Pending};
use kaiwa_domain::{
    Brief, Ending, Message, ModelError, Notice, Outgoing, Payer, StoreError, ToolCall, ToolError,
    Turn,
};
use kaiwa_pipeline::admit::Admitted;
use kaiwa_pipeline::brief::{Sources, compose};
use kaiwa_pipeline::converse::{Act, Company, Conversation, Limits, News, Outcome, Verdict};
use kaiwa_pipeline::deliver::{Degree, Deliverer, Settings};

use crate::bot::Shutdown;
use crate::tasks::contain;
use crate::turn::Outlet;
use crate::{Bot, Setup};

/// How long text may be held for the sake of a better cut when nothing more
/// arrives.
const LONGEST_HOLD: Duration = Duration::from_secs(3);

/// A turn that was begun this often and never ended is poison.
const MAX_ATTEMPTS: u32 = 3;

/// How long one call of a tool may take.
const TOOL_TIMEOUT: Duration = Duration::from_secs(30);

/// Asks the model and queues what it says.
pub(crate) async fn think(
    bot: &Bot,
    setup: &Setup,
    shutdown: &Shutdown,
    admitted: &Admitted,
    outlet: Outlet<'_>,
) -> Result<(), StoreError> {
    let question = admitted.message();
    let (attempt, history, sight) = tokio::join!(
        bot.store.think(outlet.turn.scope, outlet.turn.id),
        history(bot, setup, question),
        bot.eyes.look(&*bot.chat, question),
    );
    if attempt? > MAX_ATTEMPTS {
        tracing::warn!(turn = %outlet.turn.id, "given up after {MAX_ATTEMPTS} attempts");
        return outlet.end(Ending::Failed(Notice::Internal)).await;
    }
    let limits = Limits::default();
    let company = Company {
        chat: setup.cast.chat.abilities(),
        reasoner: setup.cast.reasoner.as_ref().map(|it| it.abilities()),
        vision: setup.cast.vision.as_ref().map(|it| it.abilities()),
    };
    let mut brief = Brief {
        tools: bot.tools.tools(&outlet.turn),
        payer: Some(payer(&outlet.turn)),
        ..brief(bot, setup, &history, question)
    };
    sight.show(&mut brief, &setup.cast);
    let settings = delivery(bot, setup, &history, question);
    let talk = Talk {
        bot,
        setup,
        shutdown,
        conversation: Conversation::new(brief, company, limits),
        deliverer: Deliverer::new(settings.clone()),
        settings,
        outlet,
        hearing: None,
        time_up: bot.clock.sleep(limits.wall),
        acted: false,
    };
    talk.run().await
}

/// A conversation under way.
struct Talk<'a> {
    bot: &'a Bot,
    setup: &'a Setup,
    shutdown: &'a Shutdown,
    conversation: Conversation,
    deliverer: Deliverer,
    settings: Settings,
    outlet: Outlet<'a>,
    /// The model that was asked last.
    hearing: Option<Hearing>,
    time_up: Pending<'static, ()>,
    /// Whether anything was done after the reply.
    acted: bool,
}

/// A model that is being listened to.
struct Hearing {
    answer: Answer,
    /// When to give it up, and how long that is.
    patience: Option<(Pending<'static, ()>, Duration)>,
}

/// Why a turn ends although there is more to do.
enum Interruption {
    /// Nothing was said, and the next process can do it.
    Leave,
    /// The grace period is over.
    Overdue,
    /// Nothing more can be shown, or nothing more is wanted.
    Unheard,
}

impl Talk<'_> {
    async fn run(mut self) -> Result<(), StoreError> {
        loop {
            let done = match self.conversation.next_act() {
                Some(Act::End(verdict)) => return self.end(verdict).await,
                Some(act) => self.act(act).await?,
                None => self.listen().await?,
            };
            match done {
                Ok(()) => {}
                Err(Interruption::Leave) => return Ok(()),
                Err(Interruption::Unheard) => return self.outlet.end(Ending::Stopped).await,
                Err(Interruption::Overdue) => {
                    let left = self.deliverer.finish();
                    self.show(left).await?;
                    return self.outlet.end(Ending::Stopped).await;
                }
            }
        }
    }

    async fn act(&mut self, act: Act) -> Result<Result<(), Interruption>, StoreError> {
        match act {
            Act::Ask {
                role,
                brief,
                within,
            } => {
                self.hearing = Some(Hearing {
                    answer: self.setup.cast.of(role).answer(brief),
                    patience: within.map(|within| (self.bot.clock.sleep(within), within)),
                });
            }
            Act::Say(text) => {
                if !text.trim().is_empty() {
                    self.outlet.typing.more();
                }
                let ready = self.deliverer.push(&text);
                self.show(ready).await?;
                if self.deliverer.ended() {
                    tracing::info!(turn = %self.outlet.turn.id, "the model began to speak for somebody else");
                    self.hearing = None;
                    self.conversation.tell(News::Enough);
                }
            }
            Act::Unsay => self.deliverer = Deliverer::new(self.settings.clone()),
            Act::Pause => {
                let ready = self.deliverer.finish();
                self.show(ready).await?;
            }
            Act::Run(calls) => {
                self.hearing = None;
                self.outlet.typing.more();
                return Ok(self.look(&calls).await);
            }
            Act::Perform(calls) => {
                self.hearing = None;
                return Ok(self.perform(&calls).await);
            }
            Act::End(_) => {}
        }
        Ok(Ok(()))
    }

    /// Waits for the model and tells the conversation what it says.
    async fn listen(&mut self) -> Result<Result<(), Interruption>, StoreError> {
        let Some(hearing) = &mut self.hearing else {
            tracing::error!(turn = %self.outlet.turn.id, "nobody was asked");
            self.conversation.tell(News::TimeUp);
            return Ok(Ok(()));
        };
        let news = tokio::select! {
            biased;
            why = interruption(self.shutdown, &self.outlet) => return Ok(Err(why)),
            () = &mut self.time_up => News::TimeUp,
            waited = elapsed(hearing.patience.as_mut()) => {
                News::Heard(Err(ModelError::Silent { waited }))
            }
            arrived = hearing.answer.next() => arrived.map_or(News::HungUp, News::Heard),
            () = self.bot.clock.sleep(LONGEST_HOLD) => {
                let ready = self.deliverer.release();
                self.show(ready).await?;
                return Ok(Ok(()));
            }
        };
        if let News::Heard(Err(error)) = &news {
            tracing::warn!(turn = %self.outlet.turn.id, %error, "the model failed");
        }
        self.conversation.tell(news);
        Ok(Ok(()))
    }

    /// Runs calls that the model waits for, all at once.
    async fn look(&mut self, calls: &[ToolCall]) -> Result<(), Interruption> {
        let turn = &self.outlet.turn;
        let running = join_all(calls.iter().map(|call| run(self.bot, turn, call)));
        let news = tokio::select! {
            biased;
            why = interruption(self.shutdown, &self.outlet) => return Err(why),
            () = &mut self.time_up => News::TimeUp,
            outcomes = running => News::Ran(outcomes),
        };
        self.conversation.tell(news);
        Ok(())
    }

    /// Runs calls one after the other, once all that was said is posted.
    async fn perform(&mut self, calls: &[ToolCall]) -> Result<(), Interruption> {
        let working = async {
            if !self.outlet.settled().await {
                return Err(Interruption::Unheard);
            }
            let mut outcomes = Vec::with_capacity(calls.len());
            for call in calls {
                outcomes.push(run(self.bot, &self.outlet.turn, call).await);
            }
            Ok(outcomes)
        };
        let outcomes = tokio::select! {
            biased;
            () = self.shutdown.stopped.cancelled() => return Err(Interruption::Unheard),
            () = self.shutdown.overdue.cancelled() => return Err(Interruption::Overdue),
            outcomes = working => outcomes?,
        };
        self.acted = true;
        self.conversation.tell(News::Ran(outcomes));
        Ok(())
    }

    /// Queues messages, as many as may be shown.
    async fn show(&mut self, ready: Vec<Outgoing>) -> Result<(), StoreError> {
        for outgoing in ready {
            if !self.conversation.has_room() {
                self.hearing = None;
                self.conversation.tell(News::Full);
                break;
            }
            self.conversation.tell(News::Shown);
            self.outlet.put(outgoing).await?;
        }
        Ok(())
    }

    async fn end(mut self, mut verdict: Verdict) -> Result<(), StoreError> {
        drop(self.hearing.take());
        if verdict == Verdict::DONE && !self.outlet.spoken() && !self.acted {
            // It spoke, but nothing of it was fit to be shown.
            verdict = Verdict::failed(Notice::ModelEmpty);
        }
        if let Some(notice) = verdict.notice {
            let notice = Outgoing::Say(notice.text().to_owned());
            self.outlet.put(notice).await?;
        }
        self.outlet.end(verdict.ending).await
    }
}

/// Completes when the turn has to end early.
async fn interruption(shutdown: &Shutdown, outlet: &Outlet<'_>) -> Interruption {
    tokio::select! {
        biased;
        () = shutdown.closing.cancelled(), if !outlet.spoken() => Interruption::Leave,
        () = shutdown.stopped.cancelled() => Interruption::Unheard,
        () = shutdown.followed_up.cancelled(), if !outlet.spoken() => Interruption::Unheard,
        () = shutdown.overdue.cancelled() => Interruption::Overdue,
        () = outlet.closed() => Interruption::Unheard,
    }
}

/// Completes with the timer and tells its time; never, without one.
async fn elapsed(patience: Option<&mut (Pending<'static, ()>, Duration)>) -> Duration {
    match patience {
        Some((timer, duration)) => {
            timer.await;
            *duration
        }
        None => std::future::pending().await,
    }
}

/// Runs one call. It is given up after a while, and when it is dropped.
async fn run(bot: &Bot, turn: &Turn, call: &ToolCall) -> Outcome {
    let failed = |reason: &str| {
        Err(ToolError::Failed {
            reason: reason.to_owned(),
        })
    };
    let result = tokio::select! {
        result = contain("tool", bot.tools.run(turn, call)) => {
            result.unwrap_or_else(|| failed("it crashed"))
        }
        () = bot.clock.sleep(TOOL_TIMEOUT) => failed("it took too long"),
    };
    let outcome = if result.is_ok() { "ok" } else { "failed" };
    metrics::counter!("tool_calls_total", "tool" => call.name.clone(), "outcome" => outcome)
        .increment(1);
    tracing::info!(turn = %turn.id, tool = call.name, outcome, "a tool ran");
    Outcome {
        call: call.id.clone(),
        result,
    }
}

const fn payer(turn: &Turn) -> Payer {
    Payer {
        turn: turn.id,
        scope: turn.scope,
        channel: turn.channel,
        user: turn.asker,
    }
}

/// What was said before the question.
async fn history(bot: &Bot, setup: &Setup, question: &Message) -> Vec<Message> {
    let point = History::Before(question.id);
    bot.chat
        .history(question.scope, question.channel, point, setup.history)
        .await
        .unwrap_or_else(|error| {
            tracing::warn!(%error, channel = %question.channel, "answering without history");
            Vec::new()
        })
}

/// What the model needs to know.
fn brief(bot: &Bot, setup: &Setup, history: &[Message], question: &Message) -> Brief {
    let today = jiff::Timestamp::from_millisecond(bot.clock.now().as_millis())
        .unwrap_or_default()
        .to_zoned(setup.timezone.clone());
    compose(&Sources {
        me: &bot.me,
        personality: &setup.personality,
        date: &today.strftime("%A, %-d %B %Y").to_string(),
        version: bot.version,
        history,
        question,
    })
}

/// How the answer is made readable.
fn delivery(bot: &Bot, setup: &Setup, history: &[Message], question: &Message) -> Settings {
    let speakers = history.iter().chain([question]);
    let others = speakers.filter(|message| message.author.id != bot.me.id);
    let mut other_names: Vec<_> = others.map(|message| message.author.name.clone()).collect();
    other_names.sort_unstable();
    other_names.dedup();
    let human = setup.degree == Degree::Sentences;
    Settings {
        degree: setup.degree,
        long_code: setup.long_code,
        own_names: vec![bot.me.name.clone()],
        other_names,
        humanize: human.then_some(question.id.get()),
        ..Settings::default()
    }
}
