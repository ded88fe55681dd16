//! One actor per active channel: it answers one message at a time, in order.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::OpenTurn;
use kaiwa_pipeline::admit::Admitted;
use tokio::sync::mpsc;

use crate::bot::Shutdown;
use crate::stop::Wait;
use crate::tasks::contain;
use crate::{Bot, recover, turn};

/// An actor without work for this long ends; the next message starts another.
const IDLE: Duration = Duration::from_secs(60);

/// What an actor can be told.
#[derive(Debug)]
pub(crate) enum Signal {
    /// Answer a message, for as long as somebody waits for it.
    Answer(Admitted, Wait),
    /// Finish what an earlier process began to say.
    Finish(OpenTurn),
}

/// Serves one channel until it is idle or the bot ends.
pub(crate) async fn run(bot: Arc<Bot>, shutdown: Shutdown, mut signals: mpsc::Receiver<Signal>) {
    loop {
        let signal = tokio::select! {
            biased;
            () = shutdown.closing.cancelled() => return,
            signal = signals.recv() => signal,
            () = bot.clock.sleep(IDLE) => {
                // What was sent before the door closed is still served.
                signals.close();
                signals.recv().await
            }
        };
        match signal {
            Some(Signal::Answer(admitted, wait)) => {
                answer(&bot, &shutdown.of_turn(&wait), &admitted).await;
            }
            Some(Signal::Finish(open)) => recover::finish(&bot, &shutdown, open).await,
            None => return,
        }
    }
}

async fn answer(bot: &Bot, shutdown: &Shutdown, admitted: &Admitted) {
    let turn = admitted.turn();
    metrics::gauge!("turns_active").increment(1.0);
    match contain("turn", turn::answer(bot, shutdown, admitted)).await {
        Some(Ok(())) => {}
        Some(Err(error)) => tracing::error!(turn = %turn.id, %error, "a turn was not recorded"),
        // The attempt was counted before the panic, so a message that always
        // panics is given up after the next start.
        None => tracing::error!(turn = %turn.id, "a turn crashed"),
    }
    metrics::gauge!("turns_active").decrement(1.0);
}
