//! A message that is edited in place while the answer is written.
//!
//! Its row holds the newest text: the side that thinks writes it down before
//! the side that sends shows it, and the row is settled once the last text is
//! up. So whoever goes on after a crash knows what the message says, or is
//! about to say, and no message is left half-written: one that is stopped is
//! closed and marked.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

use kaiwa_domain::limits::MESSAGE_UTF16;
use kaiwa_domain::port::{OnWire, Urgency};
use kaiwa_domain::{
    ChatError, Disposition, Effect, EffectBody, EffectState, LiveMessage, MessageId, Moment,
    Notice, StoreError,
};
use kaiwa_failpoint::{self as failpoint, Failpoint};
use kaiwa_pipeline::deliver::LiveView;
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use crate::send::{PutUp, Sender, Sent, mark, refusal_code};
use crate::{Bot, Halt};

/// The pause after an edit whose fate is unknown.
const PAUSE: Duration = Duration::from_secs(1);

/// The row of a message that is edited in place.
pub(crate) struct LiveRow {
    effect: Mutex<Effect>,
    /// Both sides write to the journal, one after the other.
    writing: Semaphore,
}

/// How far the text has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LiveStage {
    /// There is a newer text: so many there were.
    Growing(u32),
    /// The text is the last one.
    Complete,
    /// The process ends, and the next one goes on.
    Left,
}

/// What the side that thinks holds of a live message.
pub(crate) struct LiveHandle {
    row: Arc<LiveRow>,
    stage: watch::Sender<LiveStage>,
}

/// What the side that sends is given of it.
pub(crate) struct LiveFeed {
    row: Arc<LiveRow>,
    /// How much somebody waits for its first text.
    urgency: Urgency,
    stage: watch::Receiver<LiveStage>,
}

/// Both sides of a live message whose row is in the journal, and whose first
/// text is so urgent.
pub(crate) fn live(effect: Effect, urgency: Urgency) -> (LiveHandle, LiveFeed) {
    let row = Arc::new(LiveRow {
        effect: Mutex::new(effect),
        writing: Semaphore::new(1),
    });
    let (sender, stage) = watch::channel(LiveStage::Growing(0));
    let handle = LiveHandle {
        row: row.clone(),
        stage: sender,
    };
    let feed = LiveFeed {
        row,
        urgency,
        stage,
    };
    (handle, feed)
}

/// The live message that an effect is.
pub(crate) const fn live_of(effect: &Effect) -> Option<&LiveMessage> {
    match &effect.body {
        EffectBody::Live(live) => Some(live),
        _ => None,
    }
}

impl LiveHandle {
    /// Lets the message say this next.
    pub(crate) async fn show(&self, bot: &Bot, view: LiveView) -> Result<(), StoreError> {
        let grown = self.row.revise(bot, &[], |live| {
            let grows = live.text != view.text;
            live.text = view.text;
            live.closing = u16::try_from(view.closing).unwrap_or_default();
            live.blank = view.blank;
            grows
        });
        if grown.await? {
            self.stage.send_modify(|stage| {
                if let LiveStage::Growing(count) = stage {
                    *count += 1;
                }
            });
        }
        Ok(())
    }

    /// Lets the message say this at last; nothing takes it down.
    pub(crate) async fn complete(self, bot: &Bot, text: String) -> Result<(), StoreError> {
        self.row.finish(bot, |live| live.text = text).await?;
        self.stage.send_replace(LiveStage::Complete);
        Ok(())
    }

    /// Leaves the message to the next process.
    pub(crate) fn leave(self) {
        self.stage.send_replace(LiveStage::Left);
    }
}

impl LiveRow {
    fn effect(&self) -> Effect {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Effect> {
        self.effect.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the row if `change` says that it has, and says so too.
    async fn revise(
        &self,
        bot: &Bot,
        messages: &[MessageId],
        change: impl FnOnce(&mut LiveMessage) -> bool,
    ) -> Result<bool, StoreError> {
        let _turn = self.writing.acquire().await;
        let changed = {
            let mut effect = self.lock();
            let changed = match &mut effect.body {
                EffectBody::Live(live) => change(live),
                _ => false,
            };
            changed.then(|| effect.clone())
        };
        match changed {
            Some(effect) => write_down(bot, &effect, messages).await.map(|()| true),
            None => Ok(false),
        }
    }

    /// Writes the last text down.
    async fn finish(
        &self,
        bot: &Bot,
        change: impl FnOnce(&mut LiveMessage),
    ) -> Result<(), StoreError> {
        let finished = self.revise(bot, &[], |live| {
            change(live);
            live.closing = 0;
            live.blank.clear();
            live.complete = true;
            true
        });
        finished.await.map(drop)
    }

    async fn created(&self, bot: &Bot, message: MessageId) -> Result<(), StoreError> {
        self.lock().state = EffectState::Started { attempt: 1 };
        let messages = [message];
        let created = self.revise(bot, &messages, |live| {
            live.message = Some(message);
            true
        });
        created.await.map(drop)
    }
}

async fn write_down(bot: &Bot, effect: &Effect, messages: &[MessageId]) -> Result<(), StoreError> {
    let at = bot.clock.now();
    bot.persist(|| bot.store.revise(effect, messages, at))
        .await?;
    failpoint::hit(Failpoint::LiveRevised);
    Ok(())
}

/// A text with a word about why it ends, if there is room for it.
pub(crate) fn marked(text: &str, notice: Notice) -> String {
    let marked = format!("{text}\n{}", notice.text());
    match marked.encode_utf16().count() <= MESSAGE_UTF16 {
        true => marked,
        false => text.to_owned(),
    }
}

impl Sender<'_> {
    /// Nothing more of a turn is shown: a live message that is up is closed,
    /// one that is not never will be.
    pub(crate) async fn give_up_live(&self, feed: LiveFeed) -> Result<(), StoreError> {
        let effect = feed.row.effect();
        match live_of(&effect).and_then(|live| live.message) {
            Some(_) => self.stop_live(&feed.row).await.map(drop),
            None => mark(self.bot, &effect, EffectState::Expired).await,
        }
    }

    /// Shows a live message until its last text is up. `up` is called once
    /// there is something to see.
    pub(crate) async fn send_live(
        &self,
        mut feed: LiveFeed,
        up: impl FnOnce(),
    ) -> Result<Sent, StoreError> {
        let row = &feed.row;
        let mut effect = row.effect();
        let mut shown = None;
        // Since when there is a text to be shown.
        let mut since = None;
        if live_of(&effect).is_some_and(|live| live.message.is_none()) {
            let first = live_of(&effect).map(|live| live.first.clone());
            match self.put_up_as(effect.clone(), feed.urgency).await? {
                PutUp::Up(messages) => {
                    self.first_words(&effect);
                    let message = messages.first().copied().unwrap_or(MessageId::new(0));
                    row.created(self.bot, message).await?;
                    self.is_up(&effect, &messages);
                    shown = first;
                }
                PutUp::Not(sent) => return Ok(sent),
            }
        }
        up();
        loop {
            let stage = *feed.stage.borrow_and_update();
            effect = row.effect();
            if self.signals.stopped.is_cancelled() {
                return self.stop_live(row).await;
            }
            let text = live_of(&effect).map(|live| live.text.clone());
            match stage {
                LiveStage::Complete if text == shown => return self.settle_live(&effect).await,
                LiveStage::Complete => return self.finish_live(effect).await,
                LiveStage::Left => return self.leave_live(effect).await,
                LiveStage::Growing(_) if text != shown => {
                    let begun = *since.get_or_insert_with(|| self.bot.clock.moment());
                    match self.edit(&effect, begun, &mut feed.stage).await? {
                        EditOutcome::Shown(message) => {
                            if live_of(&effect).and_then(|live| live.message) != message
                                && let Some(message) = message
                            {
                                row.created(self.bot, message).await?;
                                self.is_up(&effect, &[message]);
                            }
                            (shown, since) = (text, None);
                        }
                        EditOutcome::Overtaken => {}
                        EditOutcome::Not(sent) => return Ok(sent),
                    }
                }
                LiveStage::Growing(_) => {
                    let changed = tokio::select! {
                        biased;
                        () = self.signals.stopped.cancelled() => true,
                        changed = feed.stage.changed() => changed.is_ok(),
                    };
                    if !changed && !self.signals.stopped.is_cancelled() {
                        // Whoever wrote it has ended without a word.
                        return Ok(Sent::Left);
                    }
                }
            }
        }
    }

    /// Shows a newer text once. It gives way to the last one.
    async fn edit(
        &self,
        effect: &Effect,
        since: Moment,
        stage: &mut watch::Receiver<LiveStage>,
    ) -> Result<EditOutcome, StoreError> {
        let error = match self.try_edit(effect, since, stage).await {
            Ok(messages) => {
                failpoint::hit(Failpoint::LiveEdited);
                return Ok(EditOutcome::Shown(messages.first().copied()));
            }
            Err(ChatError::Withdrawn) => return Ok(EditOutcome::Overtaken),
            Err(error) => error,
        };
        tracing::info!(turn = %effect.turn, index = effect.index, %error, "an edit was not made");
        let pause = match error.disposition() {
            Disposition::Settled => return Ok(EditOutcome::Overtaken),
            Disposition::RetrySame | Disposition::RetryWithoutReply => PAUSE,
            Disposition::Wait(wait) => wait,
            Disposition::Halt => {
                let reason = error.to_string();
                self.signals.halt(Halt::Token { reason });
                return Ok(EditOutcome::Not(Sent::Left));
            }
            disposition => {
                return self
                    .refused(effect, &error, disposition)
                    .await
                    .map(EditOutcome::Not);
            }
        };
        tokio::select! {
            () = self.bot.clock.sleep(pause) => {}
            () = self.signals.stopped.cancelled() => {}
            _ = stage.wait_for(|stage| !matches!(stage, LiveStage::Growing(_))) => {}
        }
        Ok(EditOutcome::Overtaken)
    }

    /// Makes the request. While it waits for Discord's limits a newer text takes
    /// its place, so that nobody is shown an old one first; one that is on the
    /// wire is waited for.
    async fn try_edit(
        &self,
        effect: &Effect,
        since: Moment,
        stage: &mut watch::Receiver<LiveStage>,
    ) -> Result<Vec<MessageId>, ChatError> {
        let wire = OnWire::of(effect.scope, Urgency::Edit).in_place_since(since);
        let mut posting = self.bot.chat.post(effect, &wire);
        let mut overtaken = false;
        loop {
            let outcome = poll_fn(|context| match posting.as_mut().poll(context) {
                Poll::Ready(outcome) => Poll::Ready(Some(outcome)),
                Poll::Pending if overtaken && wire.is_waiting() => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            });
            tokio::select! {
                biased;
                // First, so that nothing begins any more once it is unwanted.
                () = self.signals.stopped.cancelled() => break,
                changed = stage.changed() => {
                    if changed.is_err() || !matches!(*stage.borrow(), LiveStage::Growing(_)) {
                        break;
                    }
                    overtaken = true;
                }
                outcome = outcome => match outcome {
                    Some(outcome) => return outcome,
                    None => break,
                },
            }
        }
        match wire.withdraw() {
            true => posting.await,
            false => Err(ChatError::Withdrawn),
        }
    }

    /// Nothing more can be shown in the message. Whoever deletes it wants
    /// silence.
    async fn refused(
        &self,
        effect: &Effect,
        error: &ChatError,
        disposition: Disposition,
    ) -> Result<Sent, StoreError> {
        let code = refusal_code(error);
        mark(self.bot, effect, EffectState::Refused { code }).await?;
        Ok(match disposition {
            Disposition::StopTurn => Sent::Closed,
            _ => Sent::Refused,
        })
    }

    /// The answer is no longer wanted: what is there of it is closed and marked.
    async fn stop_live(&self, row: &LiveRow) -> Result<Sent, StoreError> {
        let notice = Notice::StoppedHere;
        let marks = |live: &mut LiveMessage| live.text = marked(&live.text, notice);
        row.finish(self.bot, marks).await?;
        let effect = row.effect();
        let signals = self.signals.unstoppable();
        self.with(&signals).finish_live(effect).await?;
        Ok(Sent::Stopped)
    }

    /// The process ends: people are told so in the message itself.
    async fn leave_live(&self, mut effect: Effect) -> Result<Sent, StoreError> {
        if let EffectBody::Live(live) = &mut effect.body {
            live.text = marked(&live.text, Notice::Restarting);
        }
        if let Err(error) = self.post(&effect, &CancellationToken::new()).await {
            tracing::info!(turn = %effect.turn, %error, "an edit was not made");
        }
        Ok(Sent::Left)
    }

    /// Sends an effect, whether or not it is a live message.
    pub(crate) async fn send_any(&self, effect: Effect) -> Result<Sent, StoreError> {
        match live_of(&effect) {
            Some(_) => self.finish_live(effect).await,
            None => self.send(effect).await,
        }
    }

    /// Shows the last text of a live message, from wherever it was left.
    pub(crate) async fn finish_live(&self, mut effect: Effect) -> Result<Sent, StoreError> {
        match self.raise_live(&mut effect).await? {
            Sent::Done => {}
            other => return Ok(other),
        }
        match self.put_up(effect.clone()).await? {
            PutUp::Up(messages) => {
                if let (EffectBody::Live(live), Some(message)) =
                    (&mut effect.body, messages.first())
                {
                    live.message = Some(*message);
                }
                self.settle_live(&effect).await
            }
            PutUp::Not(sent) => Ok(sent),
        }
    }

    /// Makes sure that a live message is up, as far as it was written.
    pub(crate) async fn raise_live(&self, effect: &mut Effect) -> Result<Sent, StoreError> {
        if live_of(effect).is_none_or(|live| live.message.is_some()) {
            return Ok(Sent::Done);
        }
        match self.put_up(effect.clone()).await? {
            PutUp::Up(messages) => {
                if let EffectBody::Live(live) = &mut effect.body {
                    live.message = messages.first().copied();
                }
                effect.state = EffectState::Started { attempt: 1 };
                write_down(self.bot, effect, &messages).await?;
                Ok(Sent::Done)
            }
            PutUp::Not(sent) => Ok(sent),
        }
    }

    async fn settle_live(&self, effect: &Effect) -> Result<Sent, StoreError> {
        let message = live_of(effect).and_then(|live| live.message);
        let messages: Vec<MessageId> = message.into_iter().collect();
        self.done(effect, &messages).await
    }
}

/// Ends what a live message says, for good.
pub(crate) async fn conclude(
    bot: &Bot,
    effect: &mut Effect,
    notice: Option<Notice>,
) -> Result<(), StoreError> {
    if let EffectBody::Live(live) = &mut effect.body {
        live.complete = true;
        live.closing = 0;
        live.blank.clear();
        if let Some(notice) = notice {
            live.text = marked(&live.text, notice);
        }
        write_down(bot, effect, &[]).await?;
    }
    Ok(())
}

/// What became of an edit.
enum EditOutcome {
    /// It is up, in this message: another one, if the first took no more edits.
    Shown(Option<MessageId>),
    /// It is to be looked at again: a newer text may be there.
    Overtaken,
    /// Nothing more can be shown.
    Not(Sent),
}
