//! Telling people that they are not answered.

use kaiwa_domain::port::Admission;
use kaiwa_domain::{Ending, Notice, PersonaId, Turn, TurnId, TurnState};
use kaiwa_pipeline::admit::AdmitRefusal;

use super::{Asked, Dispatch};
use crate::turn;

impl Dispatch {
    /// Tells whoever asked why there will be no answer, once in a while, and
    /// without waiting for the answers before it.
    pub(super) fn refuse(&mut self, asked: &Asked, refusal: AdmitRefusal) {
        let moment = self.bot.clock.moment();
        if !self.gate.tells(moment, asked.channel, asked.user) {
            return;
        }
        let notice = notice_of(refusal);
        let turn = Turn {
            id: TurnId::first(asked.trigger),
            scope: asked.scope,
            channel: asked.channel,
            asker: asked.user,
            persona: PersonaId::MAIN,
            state: TurnState::Admitted,
            admitted_at: self.bot.clock.now(),
        };
        let (bot, signals) = (self.bot.clone(), self.signals.clone());
        self.tasks.spawn("refusal", async move {
            let told = async {
                match bot.store.admit(&turn, None).await? {
                    Admission::New => turn::tell(&bot, &signals, &turn, 0, notice).await,
                    Admission::Duplicate => Ok(()),
                }
            };
            if let Err(error) = told.await {
                tracing::warn!(%error, "somebody was not told why they are not answered");
                let _ = turn::end(&bot, &turn, Ending::Failed(notice)).await;
            }
        });
    }
}

/// What people are told about a refusal.
pub(super) fn notice_of(refusal: AdmitRefusal) -> Notice {
    match refusal {
        AdmitRefusal::SlowDown { wait } => {
            let seconds = wait.as_millis().div_ceil(1000).clamp(1, 9999);
            Notice::SlowDown {
                seconds: u16::try_from(seconds).unwrap_or(u16::MAX),
            }
        }
        AdmitRefusal::UserBusy | AdmitRefusal::GuildBusy | AdmitRefusal::ChannelBusy => {
            Notice::TooManyWaiting
        }
        AdmitRefusal::WrongPlace => Notice::WrongPlace,
        AdmitRefusal::Unreadable => Notice::CannotRead,
    }
}
