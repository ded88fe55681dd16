//! What waits for a click, and what was done.

use super::Pending;
use crate::{ActionRecord, Offer, OfferId, OfferState, Scope, StoreError, Timestamp};

/// The offers that were made to people.
pub trait Offers: Send + Sync {
    /// Keeps an offer. One of the same name stays as it is.
    fn make_offer<'a>(&'a self, offer: &'a Offer) -> Pending<'a, Result<(), StoreError>>;

    /// An offer, and how far it has come.
    fn offer(
        &self,
        scope: Scope,
        id: OfferId,
    ) -> Pending<'_, Result<Option<(Offer, OfferState)>, StoreError>>;

    /// Settles an offer that is open, and returns how it stands then: an offer
    /// that was settled before stays as it was.
    fn settle_offer(
        &self,
        scope: Scope,
        id: OfferId,
        state: OfferState,
    ) -> Pending<'_, Result<OfferState, StoreError>>;

    /// The open offers, the first to expire first. For the clock: it looks in every scope.
    fn expiring_offers(&self, limit: u16) -> Pending<'_, Result<Vec<Offer>, StoreError>>;
}

/// What was done for people.
pub trait ActionLog: Send + Sync {
    /// Writes an entry down. Another one of the same turn, action and
    /// arguments takes its place.
    fn audit<'a>(&'a self, entry: &'a ActionRecord) -> Pending<'a, Result<(), StoreError>>;

    /// The entries that moderators have not been [told](Self::told) of, oldest
    /// first. It looks in every scope.
    fn untold(&self, limit: u16) -> Pending<'_, Result<Vec<ActionRecord>, StoreError>>;

    /// Moderators were told of an entry, or need not be.
    fn told<'a>(&'a self, entry: &'a ActionRecord) -> Pending<'a, Result<(), StoreError>>;

    /// The newest entries of a scope since a moment, newest first.
    fn audited(
        &self,
        scope: Scope,
        since: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<ActionRecord>, StoreError>>;
}
