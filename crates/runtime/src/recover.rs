//! Taking up what an earlier process left.
//!
//! | the journal says | what is done |
//! |---|---|
//! | too old | ended as stale, its posts abandoned |
//! | admitted or thinking | asked again, if the question still exists |
//! | speaking | the queued posts go out, then a line says it broke off |
//! | ended, posts left | the queued posts go out |
//!
//! A post whose request may have reached Discord is repeated with its nonce
//! while Discord remembers nonces, and looked up in the channel after that.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::limits::MESSAGE_TARGET_UTF16;
use kaiwa_domain::port::{History, OpenTurn};
use kaiwa_domain::{
    ChatError, Ending, Message, Notice, Outgoing, Post, PostState, StoreError, Turn, TurnState,
};
use kaiwa_pipeline::admit::{Verdict, admit};

use crate::Bot;
use crate::bot::Shutdown;
use crate::channel::Signal;
use crate::dispatch::Dispatch;
use crate::speak::{Fate, mark, put_up};
use crate::turn::{end, post};

/// How long a nonce surely protects against doubles. Discord says "a few
/// minutes".
const NONCE_REMEMBERED: Duration = Duration::from_secs(120);

/// How many messages are searched for a post whose fate is unknown.
const SEARCHED: u16 = 100;

/// Hands every open turn to its channel.
pub(crate) async fn take_up(bot: &Arc<Bot>, dispatch: &mut Dispatch) {
    if let Err(error) = try_take_up(bot, dispatch).await {
        tracing::error!(%error, "could not read what the last run left");
    }
}

async fn try_take_up(bot: &Bot, dispatch: &mut Dispatch) -> Result<(), StoreError> {
    for scope in bot.store.open_scopes().await? {
        for open in bot.store.open_turns(scope).await? {
            let age = bot.clock.now().since(open.turn.admitted_at);
            match open.turn.state {
                _ if age > bot.gate().answer_within => drop_stale(bot, &open).await?,
                TurnState::Admitted | TurnState::Thinking { .. } => {
                    ask_again(bot, dispatch, &open.turn).await?;
                }
                TurnState::Speaking | TurnState::Ended(_) => {
                    dispatch.hand_over(open.turn.channel, Signal::Finish(open));
                }
            }
        }
    }
    Ok(())
}

async fn drop_stale(bot: &Bot, open: &OpenTurn) -> Result<(), StoreError> {
    for post in open.posts.iter().filter(|post| unsettled(post.state)) {
        mark(bot, post, PostState::Abandoned).await?;
    }
    end(bot, &open.turn, Ending::Stale).await
}

async fn ask_again(bot: &Bot, dispatch: &mut Dispatch, turn: &Turn) -> Result<(), StoreError> {
    let question = bot
        .chat
        .message(turn.scope, turn.channel, turn.id.trigger)
        .await;
    let verdict = match question {
        Ok(Some(question)) => admit(&bot.gate(), bot.clock.now(), question),
        Ok(None) | Err(ChatError::Refused { .. }) => {
            return end(bot, turn, Ending::Stale).await;
        }
        Err(error) => {
            tracing::warn!(%error, turn = %turn.id, "left for the next start");
            return Ok(());
        }
    };
    match verdict {
        Verdict::Admitted(admitted) => {
            tracing::info!(turn = %turn.id, "answering what the last run did not");
            dispatch.answer_again(admitted);
            Ok(())
        }
        Verdict::Ignored(_) => end(bot, turn, Ending::Stale).await,
    }
}

/// Finishes the outbox of a turn that had begun to speak.
pub(crate) async fn finish(bot: &Bot, shutdown: &Shutdown, open: OpenTurn) {
    let turn = open.turn.id;
    if let Err(error) = try_finish(bot, shutdown, open).await {
        tracing::error!(%error, %turn, "could not finish what the last run left");
    }
}

async fn try_finish(bot: &Bot, shutdown: &Shutdown, open: OpenTurn) -> Result<(), StoreError> {
    let OpenTurn { turn, mut posts } = open;
    let broke_off = !matches!(turn.state, TurnState::Ended(_));
    if broke_off {
        let next = posts.last().map_or(0, |post| post.index + 1);
        let mark = Outgoing::Say(Notice::AnswerCut.text().to_owned());
        let last = post(bot, &turn, next, mark);
        bot.store.queue(&last).await?;
        posts.push(last);
        end(bot, &turn, Ending::Failed(Notice::AnswerCut)).await?;
    }
    let mut over = false;
    for post in posts {
        if !unsettled(post.state) {
            continue;
        }
        if over {
            mark(bot, &post, PostState::Abandoned).await?;
            continue;
        }
        match finish_post(bot, shutdown, post).await? {
            Fate::Sent | Fate::Dropped => {}
            Fate::TurnOver => over = true,
            Fate::Left => return Ok(()),
        }
    }
    Ok(())
}

async fn finish_post(bot: &Bot, shutdown: &Shutdown, post: Post) -> Result<Fate, StoreError> {
    let age = bot.clock.now().since(post.queued_at);
    if post.state == PostState::Queued || age <= NONCE_REMEMBERED {
        return put_up(bot, shutdown, post).await;
    }
    let point = History::After(post.turn.trigger);
    match bot
        .chat
        .history(post.scope, post.channel, point, SEARCHED)
        .await
    {
        Ok(messages) => match messages.iter().find(|message| shows(bot, message, &post)) {
            Some(message) => {
                mark(bot, &post, PostState::Sent(message.id)).await?;
                Ok(Fate::Sent)
            }
            None => put_up(bot, shutdown, post).await,
        },
        Err(error) => {
            tracing::warn!(%error, turn = %post.turn, "could not look a post up, given up");
            mark(bot, &post, PostState::Abandoned).await?;
            Ok(Fate::TurnOver)
        }
    }
}

/// Whether `message` is what became of `post`.
fn shows(bot: &Bot, message: &Message, post: &Post) -> bool {
    let text = message.text.trim();
    message.author.id == bot.me.id
        && match &post.outgoing {
            Outgoing::Say(said) => text == said.trim(),
            // A picture has no text but its description. As text, a table is
            // complete with its last message.
            Outgoing::Table(table) => {
                let last = table.as_text(MESSAGE_TARGET_UTF16).pop();
                text.trim_matches(['[', ']']) == table.alt() || Some(text) == last.as_deref()
            }
            Outgoing::File(file) => {
                let last = file.as_text(MESSAGE_TARGET_UTF16).pop();
                text.trim_matches(['[', ']']) == file.alt() || Some(text) == last.as_deref()
            }
        }
}

const fn unsettled(state: PostState) -> bool {
    matches!(
        state,
        PostState::Queued | PostState::Started { .. } | PostState::Unknown
    )
}
