//! The side of a live message that thinks: when the text so far is shown.

use kaiwa_domain::port::{Pending, Urgency};
use kaiwa_domain::{EffectBody, Outgoing, StoreError};
use kaiwa_pipeline::converse::News;
use kaiwa_pipeline::deliver::LiveView;

use crate::Bot;
use crate::live::LiveHandle;
use crate::talk::Talk;

/// The message that grows, if one does.
#[derive(Default)]
pub(crate) struct Growing {
    open: Option<LiveHandle>,
    /// When the next view may be shown.
    next: Option<Pending<'static, ()>>,
    /// Whether there is more text than was shown.
    stale: bool,
    /// Whether a message was taken down.
    taken_down: bool,
    /// Whether any other was shown.
    stands: bool,
}

impl Growing {
    pub(crate) const fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether all that was ever shown was taken down again.
    pub(crate) const fn nothing_stands(&self) -> bool {
        self.taken_down && !self.stands
    }

    /// Completes when there is something new to show, and it may be shown.
    pub(crate) async fn due(&mut self) {
        match &mut self.next {
            Some(next) if self.stale => next.await,
            _ => std::future::pending().await,
        }
        self.next = None;
    }

    /// Takes down a message of which nothing is left.
    pub(crate) async fn take_down(&mut self, bot: &Bot) -> Result<(), StoreError> {
        self.stale = false;
        if let Some(open) = self.open.take() {
            open.complete(bot, String::new()).await?;
            self.taken_down = true;
        }
        Ok(())
    }

    async fn complete(&mut self, bot: &Bot, text: String) -> Result<(), StoreError> {
        self.stale = false;
        self.stands = true;
        if let Some(open) = self.open.take() {
            open.complete(bot, text).await?;
        }
        Ok(())
    }
}

impl Talk<'_> {
    /// Goes on with the message that an earlier process was writing.
    pub(crate) async fn grow_on(&mut self) {
        self.growing.stands = self.outbox.spoken();
        let Some(effect) = self.prepared.open.take() else {
            return;
        };
        if let EffectBody::Live(live) = &effect.body {
            // It fits a message, so nothing of it is complete.
            self.deliverer.push(&live.written());
        }
        self.growing.open = Some(self.outbox.feed(effect, Urgency::Text).await);
    }

    /// Shows how far the text has come, if it is time to.
    pub(crate) async fn grow(&mut self) -> Result<(), StoreError> {
        if !self.prepared.is_live() {
            return Ok(());
        }
        self.growing.stale = true;
        if self.growing.next.is_some() {
            return Ok(());
        }
        if !self.growing.is_open() && !self.conversation.has_room() {
            return Ok(());
        }
        let Some(view) = self.deliverer.view() else {
            return Ok(());
        };
        let pace = self.bot.chat.edit_pace(self.outbox.turn.channel);
        self.growing.next = Some(self.bot.clock.sleep(pace));
        if view.may_vanish && !self.growing.is_open() {
            return Ok(());
        }
        let view = LiveView {
            text: self.guarded(view.text),
            ..view
        };
        match &self.growing.open {
            Some(open) => open.show(self.bot, view).await?,
            None => {
                self.conversation.tell(News::Shown);
                let look = self.deliverer.look();
                let open = self.outbox.put_live(view, look).await?;
                self.growing.open = Some(open);
            }
        }
        self.growing.stale = false;
        Ok(())
    }

    /// Lets a message that is whole be the one that grew. What it is not is
    /// given back.
    pub(crate) async fn grown(
        &mut self,
        outgoing: Outgoing,
    ) -> Result<Option<Outgoing>, StoreError> {
        match outgoing {
            Outgoing::Say(text) if self.growing.is_open() => {
                let text = self.guarded(text);
                self.growing.complete(self.bot, text).await?;
                Ok(None)
            }
            other => {
                self.growing.take_down(self.bot).await?;
                self.growing.stands = true;
                Ok(Some(other))
            }
        }
    }

    /// The process ends: the message is left to the next one. False if there
    /// is none.
    pub(crate) async fn leave_growing(&mut self) -> Result<bool, StoreError> {
        self.growing.next = None;
        self.grow().await?;
        let Some(open) = self.growing.open.take() else {
            return Ok(false);
        };
        open.leave();
        self.outbox.settled().await;
        Ok(true)
    }
}
