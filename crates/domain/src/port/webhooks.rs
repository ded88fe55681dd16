//! The webhooks by which personas speak.

use super::Pending;
use crate::{ChannelId, Scope, StoreError, Timestamp, WebhookHandle, WebhookId};

/// Where webhooks of ours are kept, one in use for each channel, with their
/// tokens sealed.
pub trait Webhooks: Send + Sync {
    /// What personas speak by in a channel, if anything is kept.
    fn webhook(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Pending<'_, Result<Option<WebhookHandle>, StoreError>>;

    /// Keeps what personas speak by in a channel from here on.
    fn keep_webhook<'a>(
        &'a self,
        scope: Scope,
        channel: ChannelId,
        webhook: &'a WebhookHandle,
        at: Timestamp,
    ) -> Pending<'a, Result<(), StoreError>>;

    /// A webhook no longer works. That it was ours is known for a while.
    fn forget_webhook(
        &self,
        scope: Scope,
        webhook: WebhookId,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>>;

    /// Those of `webhooks` that are ours, or were.
    fn our_webhooks<'a>(
        &'a self,
        scope: Scope,
        webhooks: &'a [WebhookId],
    ) -> Pending<'a, Result<Vec<WebhookId>, StoreError>>;

    /// Discord lets us have no webhook in a channel, for the reason that `code`
    /// tells.
    fn refuse_webhook(
        &self,
        scope: Scope,
        channel: ChannelId,
        code: u32,
        at: Timestamp,
    ) -> Pending<'_, Result<(), StoreError>>;

    /// Why we can have no webhook in a channel, if nobody was told yet; from
    /// here on somebody was.
    fn take_refusal(
        &self,
        scope: Scope,
        channel: ChannelId,
    ) -> Pending<'_, Result<Option<u32>, StoreError>>;
}
