//! One turn: think and speak at the same time.
//!
//! *Think* reads the model and queues posts in the journal; *speak* takes them
//! from there to Discord. A short queue between them lets the model run ahead
//! a little, and holds it back when Discord is slow.

use std::time::Duration;

use futures_util::StreamExt;
use kaiwa_domain::port::History;
use kaiwa_domain::{
    Brief, Ending, Message, Notice, Outgoing, Post, PostState, Scope, StoreError, Turn,
};
use kaiwa_pipeline::admit::Admitted;
use kaiwa_pipeline::brief::{Sources, compose};
use kaiwa_pipeline::converse::{Conversation, Step, Verdict};
use kaiwa_pipeline::deliver::{Degree, Deliverer, Settings};
use tokio::sync::mpsc;

use crate::bot::Shutdown;
use crate::speak::{Pacing, mark, speak};
use crate::typing::{Mark, Typing};
use crate::{Bot, Setup};

/// How many posts the model may be ahead of Discord.
const POSTS_AHEAD: usize = 4;

/// How long text may be held for the sake of a better cut when nothing more
/// arrives.
const LONGEST_HOLD: Duration = Duration::from_secs(3);

/// A turn that was begun this often and never ended is poison.
const MAX_ATTEMPTS: u32 = 3;

/// Answers one message.
pub(crate) async fn answer(
    bot: &Bot,
    shutdown: &Shutdown,
    admitted: &Admitted,
) -> Result<(), StoreError> {
    let turn = admitted.turn();
    let typing = Typing::new();
    let (queue, posts) = mpsc::channel(POSTS_AHEAD);
    let setup = bot.setup.borrow().clone();
    let pacing = Pacing::new(setup.degree, turn.id);
    let outlet = Outlet::new(bot, turn.clone(), queue, &typing);
    let working = async {
        tokio::join!(
            think(bot, &setup, shutdown, admitted, outlet),
            speak(bot, shutdown, posts, &typing, pacing),
        )
    };
    tokio::select! {
        // The indicator asks first, so that it is up before the model is.
        biased;
        () = typing.show(bot, turn.channel) => Ok(()),
        (thought, spoken) = working => thought.and(spoken),
    }
}

/// Asks the model and queues what it says.
async fn think(
    bot: &Bot,
    setup: &Setup,
    shutdown: &Shutdown,
    admitted: &Admitted,
    mut outlet: Outlet<'_>,
) -> Result<(), StoreError> {
    let question = admitted.message();
    let (attempt, history) = tokio::join!(
        bot.store.think(outlet.turn.scope, outlet.turn.id),
        history(bot, setup, question),
    );
    if attempt? > MAX_ATTEMPTS {
        tracing::warn!(turn = %outlet.turn.id, "given up after {MAX_ATTEMPTS} attempts");
        return outlet.end(Ending::Failed(Notice::Internal)).await;
    }
    let mut answer = setup.model.answer(brief(bot, setup, &history, question));
    let mut conversation = Conversation::new();
    let mut deliverer = Deliverer::new(delivery(bot, setup, &history, question));
    let verdict = loop {
        let arrived = tokio::select! {
            biased;
            () = shutdown.closing.cancelled(), if !outlet.spoken() => return Ok(()),
            () = shutdown.overdue.cancelled() => {
                outlet.put_all(deliverer.finish()).await?;
                return outlet.end(Ending::Stopped).await;
            }
            () = outlet.closed() => return outlet.end(Ending::Stopped).await,
            arrived = answer.next() => arrived,
            () = bot.clock.sleep(LONGEST_HOLD) => {
                outlet.put_all(deliverer.release()).await?;
                continue;
            }
        };
        let step = match arrived {
            Some(arrived) => {
                if let Err(error) = &arrived {
                    tracing::warn!(turn = %outlet.turn.id, %error, "the model failed");
                }
                conversation.hear(arrived)
            }
            None => Step::End(conversation.hang_up()),
        };
        match step {
            Step::Say(text) => {
                if !text.trim().is_empty() {
                    outlet.typing.more();
                }
                outlet.put_all(deliverer.push(&text)).await?;
                if deliverer.ended() {
                    tracing::info!(turn = %outlet.turn.id, "the model began to speak for somebody else");
                    break Verdict::DONE;
                }
            }
            Step::Listen => {}
            Step::End(verdict) => break verdict,
        }
    };
    drop(answer);
    outlet.put_all(deliverer.finish()).await?;
    if let Some(notice) = verdict.notice {
        outlet.put(Outgoing::Say(notice.text().to_owned())).await?;
    }
    outlet.end(verdict.ending).await
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

/// Where a turn puts what it has to show: first the journal, then the queue.
pub(crate) struct Outlet<'a> {
    bot: &'a Bot,
    turn: Turn,
    next: u32,
    queue: mpsc::Sender<(Post, Mark)>,
    typing: &'a Typing,
}

impl<'a> Outlet<'a> {
    const fn new(
        bot: &'a Bot,
        turn: Turn,
        queue: mpsc::Sender<(Post, Mark)>,
        typing: &'a Typing,
    ) -> Self {
        Self {
            bot,
            turn,
            next: 0,
            queue,
            typing,
        }
    }

    /// Whether anything was queued.
    const fn spoken(&self) -> bool {
        self.next > 0
    }

    /// Completes when the speaking side has given up.
    async fn closed(&self) {
        self.queue.closed().await;
    }

    async fn put_all(&mut self, outgoing: Vec<Outgoing>) -> Result<(), StoreError> {
        for outgoing in outgoing {
            self.put(outgoing).await?;
        }
        Ok(())
    }

    async fn put(&mut self, outgoing: Outgoing) -> Result<(), StoreError> {
        let post = post(self.bot, &self.turn, self.next, outgoing);
        self.next += 1;
        self.bot.store.queue(&post).await?;
        match self.queue.send((post, self.typing.mark())).await {
            Ok(()) => Ok(()),
            Err(mpsc::error::SendError((post, _))) => {
                mark(self.bot, &post, PostState::Abandoned).await
            }
        }
    }

    async fn end(self, ending: Ending) -> Result<(), StoreError> {
        end(self.bot, &self.turn, ending).await
    }
}

/// Post `index` of `turn`. The first one replies to the question, except in
/// direct messages, where there is nobody else to answer.
pub(crate) fn post(bot: &Bot, turn: &Turn, index: u32, outgoing: Outgoing) -> Post {
    let in_guild = matches!(turn.scope, Scope::Guild(_));
    Post {
        turn: turn.id,
        index,
        scope: turn.scope,
        channel: turn.channel,
        reply_to: (index == 0 && in_guild).then_some(turn.id.trigger),
        outgoing,
        state: PostState::Queued,
        queued_at: bot.clock.now(),
    }
}

/// Records how a turn ended.
pub(crate) async fn end(bot: &Bot, turn: &Turn, ending: Ending) -> Result<(), StoreError> {
    let word = match ending {
        Ending::Done => "done",
        Ending::Stopped => "stopped",
        Ending::Stale => "stale",
        Ending::Failed(notice) => notice.name(),
    };
    metrics::counter!("turns_total", "ending" => word).increment(1);
    let took = bot.clock.now().since(turn.admitted_at);
    metrics::histogram!("turn_seconds").record(took.as_secs_f64());
    tracing::info!(turn = %turn.id, scope = %turn.scope, ending = word, "turn ended");
    bot.store.end(turn.scope, turn.id, ending).await
}
