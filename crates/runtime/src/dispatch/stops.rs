//! Somebody wants silence.

use kaiwa_domain::port::{Admission, StopRequest};
use kaiwa_domain::{
    AuthorKind, ChannelId, Instruction, Message, MessageId, Rights, Scope, Trigger, UserId,
};
use kaiwa_pipeline::admit::stop::stop_request;
use kaiwa_pipeline::admit::{admit_instruction, is_addressed};

use super::{Asked, Dispatch, ignored};
use crate::bot::GateFacts;
use crate::channel::Work;
use crate::settings::StopLine;
use crate::turn;

/// How much of a stop the model is shown, in characters.
const QUOTED: usize = 100;

impl Dispatch {
    /// If a message tells us to stop and its author may, stops, and says
    /// whether that was written down.
    pub(super) async fn heed_stop(&mut self, message: &Message, facts: &GateFacts) -> Option<bool> {
        let (channel, user) = (message.channel, message.author.id);
        let bot = self.bot.clone();
        if message.author.kind != AuthorKind::Human {
            return None;
        }
        let own = bot.waiting.is_awaited(channel, user);
        let age = bot.clock.now().since(message.id.created_at());
        if age > facts.rules.answer_within {
            return None;
        }
        let addressed = own || is_addressed(&facts.gate(&bot), message);
        let reason = stop_request(&message.text, &bot.me.name, addressed)?;
        let askers = match own {
            true => bot
                .waiting
                .stop(channel, user, message.id)
                .then(|| vec![user])?,
            false if self.moderates(message.scope, channel, user).await => {
                bot.waiting.stop_all(channel, message.id)
            }
            false => return None,
        };
        if askers.is_empty() {
            return None;
        }
        ignored("stop");
        let asked = Asked {
            scope: message.scope,
            channel,
            user,
            trigger: Trigger::Message(message.id),
        };
        self.note(&asked, "stop", reason.name());
        let recorded = self.record_stop(message.scope, channel, &askers, message.id);
        let recorded = recorded.await;
        if recorded {
            self.say_stop_line(message).await;
        }
        Some(recorded)
    }

    /// Whether somebody may stop the answers of others.
    pub(super) async fn moderates(&self, scope: Scope, channel: ChannelId, user: UserId) -> bool {
        let rights = self.bot.permissions.of(scope, channel, user).await;
        rights.is_ok_and(|rights| rights.contains(Rights::MANAGE_MESSAGES))
    }

    /// Writes down whose answers were stopped, so that neither a restart nor a
    /// replay of the event revives them.
    pub(super) async fn record_stop(
        &self,
        scope: Scope,
        channel: ChannelId,
        askers: &[UserId],
        event: MessageId,
    ) -> bool {
        tracing::info!(%channel, "told to stop");
        let bot = &self.bot;
        for asker in askers {
            let stop = StopRequest {
                scope,
                channel,
                asker: *asker,
                event,
                at: bot.clock.now(),
            };
            if let Err(error) = bot.persist(|| bot.store.stop(&stop)).await {
                tracing::error!(%error, "a stop was not recorded");
                return false;
            }
        }
        true
    }

    /// Shows that we heard it, as the setting says.
    async fn say_stop_line(&mut self, stop: &Message) {
        let bot = self.bot.clone();
        let settings =
            bot.settings
                .of_turn(stop.scope, stop.channel, kaiwa_domain::PersonaId::MAIN);
        let line = settings.await.stop_line;
        if line == StopLine::Off {
            return;
        }
        let quoted: String = stop.text.chars().take(QUOTED).collect();
        let admitted = admit_instruction(
            bot.clock.now(),
            Instruction {
                trigger: Trigger::Message(stop.id),
                scope: stop.scope,
                channel: stop.channel,
                asker: stop.author.id,
                text: format!(
                    "You were just asked to stop, in these words: \"{quoted}\". Your answer ended where \
                     it was. Say one short line in character that shows you heard it, and do not go on \
                     with the answer."
                ),
            },
        );
        let turn = admitted.turn();
        let words = admitted.question().words();
        match bot
            .persist(|| bot.store.admit(&turn, words.as_deref()))
            .await
        {
            Ok(Admission::New) => {}
            Ok(Admission::Duplicate) => return,
            Err(error) => {
                tracing::warn!(%error, "nothing is said to a stop");
                return;
            }
        }
        if line == StopLine::Stock {
            let (bot, signals) = (bot.clone(), self.signals.clone());
            self.tasks.spawn("stop-line", async move {
                let told = turn::tell(&bot, &signals, &turn, 0, kaiwa_domain::Notice::Stopped);
                if let Err(error) = told.await {
                    tracing::warn!(%error, "nothing was said to a stop");
                }
            });
            return;
        }
        let wait = bot.waiting.unstoppable(&turn);
        let put = |mailbox: &crate::channel::Mailbox, work| mailbox.put_first(work);
        self.hand_over(turn.channel, put, Work::Answer(Box::new(admitted), wait));
    }
}
