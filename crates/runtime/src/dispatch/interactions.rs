//! Controls: commands, buttons, forms.

use std::sync::Arc;

use kaiwa_domain::port::Ack;
use kaiwa_domain::{Interaction, InteractionKind, Notice, Question};
use kaiwa_pipeline::admit::Decision;
use tokio::sync::Semaphore;

use super::{Asked, Dispatch, ignored};
use crate::dispatch::refuse::notice_of;
use crate::interaction;

/// How many interactions may be under way.
pub(super) const AT_ONCE: usize = 64;

impl Dispatch {
    /// Lets an interaction pass the gate, and deals with it in its own time:
    /// nobody who uses a control waits for an answer of the model.
    pub(super) async fn interaction(&mut self, interaction: Box<Interaction>, ack: Ack) {
        let question = Question::Interaction(interaction);
        let facts = self.bot.gate_facts(&question).await;
        let bot = self.bot.clone();
        let gate = facts.gate(&bot);
        let asked = Asked::of(&question);
        let (now, moment) = (bot.clock.now(), bot.clock.moment());
        let load = bot
            .waiting
            .load(question.scope(), asked.channel, asked.user);
        let Question::Interaction(interaction) = question.clone() else {
            return;
        };
        let admitted = match self.gate.admit(&gate, now, moment, load, question) {
            Decision::Admitted(admitted) => admitted,
            Decision::Ignored(reason) => {
                ignored(reason.name());
                self.note(&asked, "ignored", reason.name());
                ack.acknowledge();
                return;
            }
            Decision::Refused(refusal) => {
                ignored(refusal.name());
                self.note(&asked, "refused", refusal.name());
                self.turn_away(interaction, notice_of(refusal));
                ack.acknowledge();
                return;
            }
        };
        let Ok(place) = Arc::clone(&self.interactions).try_acquire_owned() else {
            ignored("too_many_interactions");
            self.turn_away(interaction, Notice::TooManyWaiting);
            ack.acknowledge();
            return;
        };
        let signals = self.signals.clone();
        if matches!(interaction.kind, InteractionKind::Completion { .. }) {
            self.tasks.spawn("completion", async move {
                interaction::complete(&bot, &interaction).await;
                drop(place);
            });
            ack.acknowledge();
            return;
        }
        self.note(&asked, "admitted", admitted.address().name());
        let turn = admitted.turn();
        let wait = bot.waiting.unstoppable(&turn);
        self.tasks.spawn("interaction", async move {
            let answered = interaction::answer(&bot, &signals, &turn, &interaction, ack);
            if let Err(error) = answered.await {
                tracing::error!(turn = %turn.id, %error, "an interaction was not recorded");
            }
            drop((wait, place));
        });
    }

    fn turn_away(&self, interaction: Box<Interaction>, notice: Notice) {
        let bot = self.bot.clone();
        self.tasks.spawn("refusal", async move {
            interaction::refuse(&bot, &interaction, notice).await;
        });
    }
}

/// Room for as many as may be under way.
pub(super) fn places() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(AT_ONCE))
}
