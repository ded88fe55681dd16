//! One actor per active channel: it does one thing at a time, in order.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::UnfinishedTurn;
use kaiwa_pipeline::admit::Admitted;
use tokio::sync::mpsc;

use crate::signals::Signals;
use crate::stop::Wait;
use crate::tasks::contain;
use crate::{Bot, recover, turn};

/// An actor without work for this long ends; the next message starts another.
const IDLE: Duration = Duration::from_secs(60);

/// What an actor can be given to do, for as long as somebody waits for it.
#[derive(Debug)]
pub(crate) enum Work {
    /// Answer what was admitted.
    Answer(Admitted, Wait),
    /// Finish what an earlier process began.
    Resume(UnfinishedTurn, Wait),
}

/// Serves one channel until it is idle or the bot ends: first what an earlier
/// process left, then what comes.
pub(crate) async fn run(
    bot: Arc<Bot>,
    signals: Signals,
    mut backlog: VecDeque<Work>,
    mut mailbox: mpsc::Receiver<Work>,
) {
    while !signals.closing.is_cancelled() {
        let work = match backlog.pop_front() {
            Some(work) => Some(work),
            None => tokio::select! {
                biased;
                () = signals.closing.cancelled() => return,
                work = mailbox.recv() => work,
                () = bot.clock.sleep(IDLE) => {
                    // What was sent before the door closed is still served.
                    mailbox.close();
                    mailbox.recv().await
                }
            },
        };
        match work {
            Some(work) => perform(&bot, &signals, work).await,
            None => return,
        }
    }
}

async fn perform(bot: &Bot, signals: &Signals, work: Work) {
    let id = match &work {
        Work::Answer(admitted, _) => admitted.turn().id,
        Work::Resume(unfinished, _) => unfinished.turn.id,
    };
    metrics::gauge!("turns_active").increment(1.0);
    let done = match work {
        Work::Answer(admitted, wait) => {
            let signals = signals.of_turn(&wait);
            contain("turn", turn::answer(bot, &signals, &admitted)).await
        }
        Work::Resume(unfinished, wait) => {
            let signals = signals.of_turn(&wait);
            contain("turn", recover::resume(bot, &signals, unfinished)).await
        }
    };
    match done {
        Some(Ok(())) => {}
        Some(Err(error)) => tracing::error!(turn = %id, %error, "a turn was not recorded"),
        // The attempt was counted before the panic, so what always panics is
        // given up after a few starts.
        None => tracing::error!(turn = %id, "a turn crashed"),
    }
    metrics::gauge!("turns_active").decrement(1.0);
}
