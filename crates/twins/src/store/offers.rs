//! What waits for a click, and what was done.

use kaiwa_domain::port::{ActionLog, Offers, Pending, Retention};
use kaiwa_domain::{
    ActionRecord, DataSubject, Effect, MessageId, Offer, OfferId, OfferState, Scope, StoreError,
    Timestamp, UserId,
};

use super::MemoryStore;
use super::memory::scope_of;

#[derive(Default)]
pub(super) struct OfferTables {
    offers: Vec<(Offer, OfferState)>,
    audit: Vec<ActionRecord>,
    /// Those of them that moderators were told of.
    told: Vec<ActionRecord>,
}

impl OfferTables {
    fn find(&mut self, scope: Scope, id: OfferId) -> Option<&mut (Offer, OfferState)> {
        let mut offers = self.offers.iter_mut();
        offers.find(|(offer, _)| offer.scope == scope && offer.id == id)
    }

    /// An effect that shows an offer was sent.
    pub(super) fn shown(&mut self, effect: &Effect, messages: &[MessageId]) {
        if let Some(id) = effect.body.offer()
            && let Some((offer, _)) = self.find(effect.scope, id)
        {
            offer.message = messages.last().copied();
        }
    }

    pub(super) fn sweep(&mut self, retention: &Retention, now: Timestamp) {
        self.offers
            .retain(|(offer, _)| now.since(offer.until) <= retention.turns);
        self.audit
            .retain(|entry| now.since(entry.at) <= retention.expenses);
    }

    pub(super) fn erase(&mut self, subject: DataSubject) {
        let scope = scope_of(subject);
        let is_theirs = |user: UserId| subject == DataSubject::User(user);
        self.offers
            .retain(|(it, _)| it.scope != scope && !is_theirs(it.asker));
        self.audit
            .retain(|it| it.scope != scope && !is_theirs(it.asker));
    }

    pub(super) fn row_counts(&self) -> Vec<(&'static str, usize)> {
        vec![("offer", self.offers.len()), ("audit", self.audit.len())]
    }
}

impl Offers for MemoryStore {
    fn make_offer<'a>(&'a self, offer: &'a Offer) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            if state.offers.find(offer.scope, offer.id).is_none() {
                state.offers.offers.push((offer.clone(), OfferState::Open));
            }
            Ok(())
        })
    }

    fn offer(
        &self,
        scope: Scope,
        id: OfferId,
    ) -> Pending<'_, Result<Option<(Offer, OfferState)>, StoreError>> {
        self.call(move |state| Ok(state.offers.find(scope, id).cloned()))
    }

    fn settle_offer(
        &self,
        scope: Scope,
        id: OfferId,
        settled: OfferState,
    ) -> Pending<'_, Result<OfferState, StoreError>> {
        self.call(move |state| {
            let Some((_, state)) = state.offers.find(scope, id) else {
                return Ok(OfferState::Expired);
            };
            if *state == OfferState::Open {
                *state = settled;
            }
            Ok(*state)
        })
    }

    fn expiring_offers(&self, limit: u16) -> Pending<'_, Result<Vec<Offer>, StoreError>> {
        self.call(move |state| {
            let offers = state.offers.offers.iter();
            let open = offers.filter(|(_, state)| *state == OfferState::Open);
            let mut open: Vec<Offer> = open.map(|(offer, _)| offer.clone()).collect();
            open.sort_by_key(|offer| offer.until);
            open.truncate(limit.into());
            Ok(open)
        })
    }
}

impl ActionLog for MemoryStore {
    fn audit<'a>(&'a self, entry: &'a ActionRecord) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            let audit = &mut state.offers.audit;
            audit.retain(|it| !is_same(it, entry));
            audit.push(entry.clone());
            state.offers.told.retain(|it| !is_same(it, entry));
            Ok(())
        })
    }

    fn untold(&self, limit: u16) -> Pending<'_, Result<Vec<ActionRecord>, StoreError>> {
        self.call(move |state| {
            let OfferTables { audit, told, .. } = &state.offers;
            let is_told = |it: &&ActionRecord| told.iter().any(|told| is_same(told, it));
            let untold = audit.iter().filter(|it| !is_told(it));
            let mut untold: Vec<ActionRecord> = untold.cloned().collect();
            untold.sort_by_key(|it| it.at);
            untold.truncate(limit.into());
            Ok(untold)
        })
    }

    fn told<'a>(&'a self, entry: &'a ActionRecord) -> Pending<'a, Result<(), StoreError>> {
        self.call(move |state| {
            state.offers.told.push(entry.clone());
            Ok(())
        })
    }

    fn audited(
        &self,
        scope: Scope,
        since: Timestamp,
        limit: u16,
    ) -> Pending<'_, Result<Vec<ActionRecord>, StoreError>> {
        self.call(move |state| {
            let audit = state.offers.audit.iter();
            let here = audit.filter(|it| it.scope == scope && it.at >= since);
            let mut here: Vec<ActionRecord> = here.cloned().collect();
            here.sort_by_key(|it| std::cmp::Reverse(it.at));
            here.truncate(limit.into());
            Ok(here)
        })
    }
}

/// Whether two entries are about one call.
fn is_same(one: &ActionRecord, other: &ActionRecord) -> bool {
    (one.scope, one.turn, &one.action, &one.arguments)
        == (other.scope, other.turn, &other.action, &other.arguments)
}
