//! One turn, from the question to its ending.
//!
//! The conversation reads the model and queues effects in the outbox; beside it
//! the sender takes them from there to Discord. A short queue between them lets
//! the model run ahead a little, and holds it back when Discord is slow.

use std::time::Duration;

use kaiwa_domain::port::{Admission, Entrance, Progress};
use kaiwa_domain::{
    ChannelKind, Effect, EffectBody, Ending, Notice, Question, StoreError, TaskKind, Timestamp,
    Turn,
};
use kaiwa_failpoint::{self as failpoint, Failpoint};
use kaiwa_pipeline::admit::Admitted;
use kaiwa_pipeline::deliver::Degree;
use tokio_util::sync::CancellationToken;

use crate::buttons::{ShownSoFar, dress_answer, offer_stop};
use crate::guises::Guises;
use crate::outbox::{Leftover, Places, effect, next_index, notify, outbox};
use crate::prepare::{Prepared, grows_on, kept_call};
use crate::schedule::{may_still_write, remind};
use crate::send::{Pacing, Sender, Sent, abandon, send_all, take_away};
use crate::signals::{Interrupt, Signals};
use crate::talk::{Talk, Talked, perform_through};
use crate::tasks::apart;
use crate::thoughts::AnswerThoughts;
use crate::typing::Typing;
use crate::{Bot, scene};

/// A turn that was begun this often and never ended is poison. A shutdown does
/// not count.
const MAX_ATTEMPTS: u32 = 5;

/// Answers what was admitted.
pub(crate) async fn answer(
    bot: &Bot,
    signals: &Signals,
    admitted: &Admitted,
) -> Result<(), StoreError> {
    run(bot, signals, &admitted.turn(), admitted.question(), &[]).await
}

/// Runs a turn, or goes on with one of which `earlier` effects are settled.
pub(crate) async fn run(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    question: &Question,
    earlier: &[Effect],
) -> Result<(), StoreError> {
    let spoken = !earlier.is_empty();
    if signals.stopped.is_cancelled() || (signals.followed_up.is_cancelled() && !spoken) {
        return end(bot, turn, Ending::Stopped).await;
    }
    let attempt = bot.persist(|| bot.store.begin(turn.scope, turn.id)).await?;
    if attempt > MAX_ATTEMPTS {
        tracing::warn!(turn = %turn.id, "given up after {MAX_ATTEMPTS} attempts");
        let next = next_index(earlier);
        return tell(bot, signals, turn, next, Notice::Internal).await;
    }

    if let Question::Scheduled(task) = question {
        if earlier.is_empty() && !may_still_write(bot, task).await? {
            return end(bot, turn, Ending::Stale).await;
        }
        if task.kind == TaskKind::Remind {
            return remind(bot, signals, turn, task).await;
        }
    }
    let setup = bot.setup.borrow().clone();
    let mut settings = bot.settings_of(turn).await;
    if grows_on(earlier) {
        settings.live = true;
        settings.degree = Degree::Whole;
    }
    let guises = Guises::of(bot, turn).await;
    let cast = bot.models_of(turn, &setup).await;
    let (shown, places) = (ShownSoFar::new(earlier), Places::after(earlier));
    let sender = Sender::new(bot, signals, turn, &settings).telling(&shown);
    let typing = Typing::new();
    let has_name = guises.has_name();
    let voice = (&places, guises);
    let (outbox, commands) = outbox(bot, turn, earlier, &typing, voice);
    let pacing = Pacing::new(settings.degree, turn);
    // Boxed: each block that it is moved into has room for it twice.
    let talking = Box::pin(async {
        let mut prepared =
            Prepared::gather(bot, &setup, &cast, &settings, turn, question, earlier).await;
        prepared.dress(&outbox.guises, earlier);
        Talk::new(bot, &cast, signals, prepared, outbox).run().await
    });
    let over = CancellationToken::new();
    let both = async {
        let sending = apart(send_all(&sender, commands, &typing, pacing));
        let both = tokio::join!(talking, sending);
        over.cancel();
        both
    };
    let rules = settings.buttons;
    let buttons = apart(offer_stop(&sender, turn, rules, (&shown, &places), &over));
    let all = async { tokio::join!(both, buttons) };
    let ((talked, sent), away) = tokio::select! {
        // The indicator asks first, so that it is up before the model is.
        biased;
        () = apart(typing.show(bot, turn.channel)) => return Ok(()),
        all = all => all,
    };
    let ((talked, leftover), sent) = (talked?, sent?);
    let Leftover {
        unsent,
        mut lines,
        thoughts,
    } = leftover;
    lines.extend(away?);
    if sent != Sent::Left {
        for unsent in &unsent {
            abandon(bot, unsent).await?;
        }
    }
    take_away(&sender, &lines).await?;
    match (talked, sent) {
        (Talked::Whole(ending), Sent::Done) => {
            if has_name {
                own_up(bot, &sender, turn, &places).await?;
            }
            if let (Some((thoughts, took)), Some(log)) = (thoughts, settings.thought_log)
                && let Some(first) = shown.first()
            {
                bot.thoughts.tell(AnswerThoughts {
                    thoughts,
                    log,
                    turn: turn.clone(),
                    first,
                    took,
                });
            }
            if ending == Ending::Done {
                if matches!(question, Question::Message(_)) {
                    let shown = (shown.all(), earlier);
                    dress_answer(&sender, turn, rules, shown, &places).await?;
                }
                let words = question.words();
                scene::cue(bot, signals, turn, words.as_deref()).await?;
            }
            end(bot, turn, ending).await
        }
        (_, Sent::Refused) => tell(bot, signals, turn, places.next(), Notice::AnswerBlocked).await,
        (_, Sent::Expired) => tell(bot, signals, turn, places.next(), Notice::TooLate).await,
        (_, Sent::Closed) => end(bot, turn, Ending::Failed(Notice::AnswerBlocked)).await,
        (Talked::Interrupted(Interrupt::Stop | Interrupt::FollowUp), _) | (_, Sent::Stopped) => {
            end(bot, turn, Ending::Stopped).await
        }
        // The next process goes on.
        (Talked::Interrupted(_), _) | (_, Sent::Left) => {
            bot.persist(|| bot.store.suspend(turn.scope, turn.id)).await
        }
    }
}

/// Says once in a channel that we may have no webhook there.
async fn own_up(
    bot: &Bot,
    sender: &Sender<'_>,
    turn: &Turn,
    places: &Places,
) -> Result<(), StoreError> {
    let place = bot.directory.channel(turn.scope, turn.channel);
    let parent = place
        .filter(|place| place.kind == ChannelKind::Thread)
        .and_then(|place| place.parent);
    let home = parent.unwrap_or(turn.channel);
    let refused = bot
        .persist(|| bot.webhooks.take_refusal(turn.scope, home))
        .await?;
    if refused.is_none() {
        return Ok(());
    }
    let mut body = notify(turn, Notice::NoWebhook);
    body.forget_reply();
    let told = effect(bot, turn, places.next(), body);
    let effects = std::slice::from_ref(&told);
    let settling = Progress::Settling;
    bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling))
        .await?;
    sender.send(told).await?;
    Ok(())
}

/// When a turn is too old to be answered.
pub(crate) fn expiry(turn: &Turn, answer_within: Duration) -> Timestamp {
    let within = i64::try_from(answer_within.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(turn.admitted_at.as_millis().saturating_add(within))
}

/// Tells people the last thing about a turn, and ends it. The notice may take
/// as long again as an answer.
pub(crate) async fn tell(
    bot: &Bot,
    signals: &Signals,
    turn: &Turn,
    index: u16,
    notice: Notice,
) -> Result<(), StoreError> {
    let mut body = notify(turn, notice);
    if index > 0 && notice != Notice::TooLate {
        body.forget_reply();
    }
    let last = effect(bot, turn, index, body);
    let effects = std::slice::from_ref(&last);
    let settling = Progress::Settling;
    bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling))
        .await?;
    let settings = bot.settings_of(turn).await;
    let sender = Sender::new(bot, signals, turn, &settings);
    match sender.send(last).await? {
        Sent::Left => Ok(()),
        _ => end(bot, turn, Ending::Failed(notice)).await,
    }
}

/// Does one thing that needs no model, as a turn of its own.
pub(crate) async fn act(
    bot: &Bot,
    turn: &Turn,
    name: &str,
    arguments: String,
) -> Result<(), StoreError> {
    if bot.store.admit(turn, None).await? == Admission::Duplicate {
        return Ok(());
    }
    let body = EffectBody::Act {
        name: name.to_owned(),
        arguments,
    };
    let action = effect(bot, turn, 0, body);
    let effects = std::slice::from_ref(&action);
    let settling = Progress::Settling;
    bot.persist(|| bot.store.queue(turn.scope, turn.id, effects, settling))
        .await?;
    if let Some(call) = kept_call(&action) {
        let entrance = Entrance::Model {
            tainted: false,
            carries: false,
        };
        let _ = perform_through(bot, turn, &action, &call, entrance).await?;
    }
    end(bot, turn, Ending::Done).await
}

/// Records how a turn ended.
pub(crate) async fn end(bot: &Bot, turn: &Turn, ending: Ending) -> Result<(), StoreError> {
    let ended = Progress::Ended(ending);
    bot.persist(|| bot.store.queue(turn.scope, turn.id, &[], ended))
        .await?;
    bot.turn_ended.notify_waiters();
    failpoint::hit(Failpoint::TurnEnded);
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
    Ok(())
}
