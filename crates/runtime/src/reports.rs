//! What was done for people, told to moderators in a channel of their own.
//!
//! The record of actions is the queue: an entry is told once, as a turn that is
//! named after it, so that a line is an effect like any other and survives the
//! process.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Admission, Progress};
use kaiwa_domain::{
    ActionRecord, ChannelId, EffectBody, Ending, OccurrenceId, PersonaId, Rights, StoreError,
    Trigger, Turn, TurnId, TurnState,
};

use crate::Bot;
use crate::outbox::effect;
use crate::send::{Sender, Sent};
use crate::signals::Signals;
use crate::turn::end;

/// How many entries are told at a time.
const AT_ONCE: u16 = 50;

/// How long to wait when the store does not answer.
const PAUSE: Duration = Duration::from_secs(5);

/// Tells what is done until the bot closes.
pub(crate) async fn run(bot: Arc<Bot>, signals: Signals) {
    loop {
        let told = tell_all(&bot, &signals);
        let told = tokio::select! {
            biased;
            () = signals.overdue.cancelled() => return,
            told = told => told,
        };
        let all = told.unwrap_or_else(|error| {
            tracing::warn!(%error, "what was done cannot be told");
            false
        });
        let rested = async {
            match all {
                true => std::future::pending().await,
                false => bot.clock.sleep(PAUSE).await,
            }
        };
        tokio::select! {
            biased;
            () = signals.closing.cancelled() => return,
            () = bot.action_recorded.notified() => {}
            () = rested => {}
        }
    }
}

/// Tells what is to be told. Whether all of it was.
async fn tell_all(bot: &Bot, signals: &Signals) -> Result<bool, StoreError> {
    loop {
        let entries = bot.action_log.untold(AT_ONCE).await?;
        if entries.is_empty() {
            return Ok(true);
        }
        for entry in &entries {
            let report = bot.actions.report(entry);
            let channel = bot.settings.log_channel(entry.scope).await;
            if let (Some(text), Some(channel)) = (report, channel) {
                // Whoever sets the channel must not reach into another guild.
                let held = bot.permissions.of(entry.scope, channel, bot.me.id).await;
                match held {
                    Ok(held) if Rights::VIEW_CHANNEL.without(held).is_empty() => {
                        tell(bot, signals, entry, channel, text).await?;
                    }
                    Ok(_) => {
                        tracing::warn!(%channel, "no reports are told in a channel that is not ours");
                    }
                    Err(error) => {
                        tracing::warn!(%error, %channel, "it is not known whose the channel for reports is");
                        return Ok(false);
                    }
                }
            }
            bot.action_log.told(entry).await?;
        }
    }
}

async fn tell(
    bot: &Bot,
    signals: &Signals,
    entry: &ActionRecord,
    channel: ChannelId,
    text: String,
) -> Result<(), StoreError> {
    let turn = Turn {
        id: TurnId::first(Trigger::Schedule(OccurrenceId::due(
            digest(entry),
            entry.at,
        ))),
        scope: entry.scope,
        channel,
        asker: entry.asker,
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: bot.clock.now(),
    };
    if bot.persist(|| bot.store.admit(&turn, None)).await? == Admission::Duplicate {
        return Ok(());
    }
    let line = effect(bot, &turn, 0, EffectBody::Report { text });
    let effects = std::slice::from_ref(&line);
    let settling = Progress::Settling;
    bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling))
        .await?;
    bot.persist(|| bot.action_log.told(entry)).await?;
    let settings = bot.settings_of(&turn).await;
    let sender = Sender::new(bot, signals, &turn, &settings);
    match sender.send(line).await? {
        Sent::Left => Ok(()),
        _ => end(bot, &turn, Ending::Done).await,
    }
}

/// Tells an entry from others of the same moment (FNV-1a).
fn digest(entry: &ActionRecord) -> u64 {
    let name = format!("{} {} {}", entry.turn, entry.action, entry.arguments);
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.bytes().fold(0xcbf2_9ce4_8422_2325, fold)
}
