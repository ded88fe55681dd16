//! The webhooks that personas speak by, in memory.

use std::collections::HashMap;
use std::time::Duration;

use kaiwa_domain::port::{Pending, Retention, Webhooks};
use kaiwa_domain::{ChannelId, Scope, StoreError, Timestamp, WebhookHandle, WebhookId};

use super::MemoryStore;

/// How long a refusal is remembered.
const REFUSALS: Duration = Duration::from_secs(30 * 24 * 3600);

#[derive(Default)]
pub(super) struct WebhookTables {
    /// The newest last.
    webhooks: Vec<StoredWebhook>,
    refusals: HashMap<(Scope, ChannelId), StoredRefusal>,
}

struct StoredWebhook {
    scope: Scope,
    channel: ChannelId,
    handle: WebhookHandle,
    gone_at: Option<Timestamp>,
}

struct StoredRefusal {
    code: u32,
    told: bool,
    at: Timestamp,
}

impl WebhookTables {
    pub(super) fn row_counts(&self) -> [(&'static str, usize); 2] {
        [
            ("webhook", self.webhooks.len()),
            ("webhook_refusal", self.refusals.len()),
        ]
    }

    pub(super) fn sweep(&mut self, retention: &Retention, now: Timestamp) {
        self.webhooks
            .retain(|it| it.gone_at.is_none_or(|at| now.since(at) <= retention.turns));
        self.refusals
            .retain(|_, refusal| now.since(refusal.at) <= REFUSALS);
    }

    pub(super) fn erase(&mut self, scope: Scope) {
        self.webhooks.retain(|it| it.scope != scope);
        self.refusals.retain(|(of, _), _| *of != scope);
    }
}

impl Webhooks for MemoryStore {
    fn webhook(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Pending<'_, Result<Option<WebhookHandle>, StoreError>> {
        self.call(move |state| {
            let mut newest_first = state.webhooks.webhooks.iter().rev();
            let usable = newest_first
                .find(|it| it.scope == scope && it.channel == channel && it.gone_at.is_none());
            Ok(usable.map(|it| it.handle.clone()))
        })
    }

    fn keep_webhook<'a>(
        &'a self,
        scope: Scope,
        channel: ChannelId,
        webhook: &'a WebhookHandle,
        _: Timestamp,
    ) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            let tables = &mut state.webhooks;
            tables
                .webhooks
                .retain(|it| it.scope != scope || it.handle.id() != webhook.id());
            tables.webhooks.push(StoredWebhook {
                scope,
                channel,
                handle: webhook.clone(),
                gone_at: None,
            });
            tables.refusals.remove(&(scope, channel));
            Ok(())
        })
    }

    fn forget_webhook(
        &self,
        scope: Scope,
        webhook: WebhookId,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |state| {
            let mut webhooks = state.webhooks.webhooks.iter_mut();
            let gone = webhooks.find(|it| it.scope == scope && it.handle.id() == webhook);
            if let Some(gone) = gone {
                gone.gone_at = Some(at);
            }
            Ok(())
        })
    }

    fn our_webhooks<'a>(
        &'a self,
        scope: Scope,
        webhooks: &'a [WebhookId],
    ) -> Pending<'a, Result<Vec<WebhookId>, StoreError>> {
        self.call(move |state| {
            let here = state
                .webhooks
                .webhooks
                .iter()
                .filter(|it| it.scope == scope);
            let ours = here.map(|it| it.handle.id());
            let mut ours: Vec<WebhookId> = ours.filter(|id| webhooks.contains(id)).collect();
            ours.sort_unstable();
            Ok(ours)
        })
    }

    fn refuse_webhook(
        &self,
        scope: Scope,
        channel: ChannelId,
        code: u32,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>> {
        self.call(move |state| {
            let refusals = &mut state.webhooks.refusals;
            refusals.entry((scope, channel)).or_insert(StoredRefusal {
                code,
                told: false,
                at,
            });
            Ok(())
        })
    }

    fn take_refusal(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Pending<'_, Result<Option<u32>, StoreError>> {
        self.call(move |state| {
            let refusal = state.webhooks.refusals.get_mut(&(scope, channel));
            let untold = refusal.filter(|refusal| !refusal.told);
            Ok(untold.map(|refusal| {
                refusal.told = true;
                refusal.code
            }))
        })
    }
}
