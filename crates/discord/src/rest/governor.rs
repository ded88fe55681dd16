//! Which request may be sent next, and when.
//!
//! Discord counts requests: those of the whole bot in a second, and those of
//! each of its *buckets*, which it tells about in the headers of its answers.
//! The governor knows what was sent and what the answers said, and lets no more
//! through than Discord takes. What has to wait is ordered:
//!
//! 1. by [`Urgency`]; who has waited for [`LONG`] is as urgent as a first text;
//! 2. between servers, then between channels: who was served longest ago is
//!    next;
//! 3. as it came; what takes the place of something that waited has waited as
//!    long.
//!
//! Typing never waits: it is let through while half of what the bot may send
//! in a second is free, and refused otherwise.
//!
//! It is a state machine: it reads no clock and does nothing by itself. At most
//! [`WAITING_MAX`] requests wait, and what is remembered is bounded.

mod bucket;
mod joint;
mod pace;
mod pool;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use kaiwa_domain::Moment;
use kaiwa_domain::port::Urgency;

pub(super) use bucket::BucketHeaders;
use bucket::{BucketBook, BucketKey, Readiness};
use pace::EditLoad;
use pool::RequestPool;

/// How many requests may wait.
const WAITING_MAX: usize = 4096;

/// Who has waited for so long is no longer overtaken by what is more urgent.
const LONG: Duration = Duration::from_secs(20);

/// How many servers and channels are remembered that were served.
const SERVED_MAX: usize = 8192;

/// Names a request from the moment it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Ticket(u64);

/// What the governor has to know of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Errand {
    /// Method and path, without ids.
    pub(super) route: &'static str,
    /// The channel, guild or webhook that its bucket belongs to.
    pub(super) place: u64,
    /// The server it is for, or the place again.
    pub(super) party: u64,
    pub(super) urgency: Urgency,
    pub(super) counted: Counted,
    /// The channel whose webhooks are counted together with it.
    pub(super) jointly: Option<u64>,
    /// Since when it waits, if it takes the place of another.
    pub(super) since: Option<Moment>,
}

/// Which count of requests in a second it belongs to, beside its bucket's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counted {
    /// The bot's.
    Bot,
    /// That of our address: the path has a token of its own.
    Address,
}

/// Why a request is not even asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TurnedAway {
    /// Too many wait.
    Crowded,
    /// There is no room for what is left out first.
    Behind,
}

/// What an answer told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LimitNews {
    /// How its bucket is.
    Bucket(BucketHeaders),
    /// Nothing about buckets.
    Nothing,
    /// There was no answer.
    Lost,
    /// Too many of the kind: wait.
    Limited {
        wait: Duration,
        bucket: Option<BucketHeaders>,
    },
    /// The same, and not of us alone.
    Shared {
        wait: Duration,
        bucket: Option<BucketHeaders>,
    },
    /// Too many of what is counted together: wait.
    Hush(Duration),
    /// The wall in front of Discord lets nothing of ours through: wait.
    Wall(Duration),
}

#[derive(Debug)]
struct QueuedRequest {
    errand: Errand,
    since: Moment,
}

#[derive(Debug)]
struct SentRequest {
    errand: Errand,
    bucket: BucketKey,
    at: Moment,
}

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Governor {
    bot: RequestLane,
    address: RequestLane,
    buckets: BucketBook,
    under_way: HashMap<Ticket, SentRequest>,
    served: Served,
    last_ticket: u64,
}

/// What is counted together, and waits for that count.
#[derive(Debug)]
struct RequestLane {
    pool: RequestPool,
    waiting: BTreeMap<Ticket, QueuedRequest>,
    quiet_until: Option<Moment>,
}

/// Who was served, and in which order.
#[derive(Debug, Default)]
struct Served {
    serial: u64,
    parties: HashMap<u64, u64>,
    places: HashMap<u64, u64>,
}

impl Governor {
    /// For a bot that may send so many requests in a second.
    pub(super) fn new(per_second: u64) -> Self {
        Self {
            bot: RequestLane::new(per_second),
            address: RequestLane::new(per_second),
            buckets: BucketBook::default(),
            under_way: HashMap::new(),
            served: Served::default(),
            last_ticket: 0,
        }
    }

    /// Asks for a request to be let through.
    pub(super) fn ask(&mut self, now: Moment, errand: Errand) -> Result<Ticket, TurnedAway> {
        if self.bot.waiting.len() + self.address.waiting.len() >= WAITING_MAX {
            return Err(TurnedAway::Crowded);
        }
        if errand.urgency == Urgency::Typing && !self.has_room(now, &errand) {
            return Err(TurnedAway::Behind);
        }
        self.last_ticket += 1;
        let ticket = Ticket(self.last_ticket);
        let since = errand.since.map_or(now, |since| since.min(now));
        let request = QueuedRequest { errand, since };
        self.lane(errand.counted).waiting.insert(ticket, request);
        Ok(ticket)
    }

    /// A request that waits is no longer wanted.
    pub(super) fn leave(&mut self, ticket: Ticket) {
        self.bot.waiting.remove(&ticket);
        self.address.waiting.remove(&ticket);
    }

    /// The next request that may be sent now. It counts as sent.
    pub(super) fn grant(&mut self, now: Moment) -> Option<Ticket> {
        let Self {
            bot,
            address,
            buckets,
            served,
            ..
        } = self;
        let (ticket, errand) = [bot, address]
            .into_iter()
            .find_map(|lane| lane.grant(now, buckets, served))?;
        let bucket = self.buckets.key(errand.route, errand.place);
        self.buckets.take(&errand, bucket, now);
        self.served.note(&errand);
        let sent = SentRequest {
            errand,
            bucket,
            at: now,
        };
        self.under_way.insert(ticket, sent);
        Some(ticket)
    }

    /// A request that was let through was not sent.
    pub(super) fn unsent(&mut self, ticket: Ticket) {
        if let Some(sent) = self.under_way.remove(&ticket) {
            self.lane(sent.errand.counted).pool.give_back(ticket);
            self.buckets.give_back(&sent);
        }
    }

    /// A request was answered, or will not be.
    pub(super) fn answered(&mut self, now: Moment, ticket: Ticket, told: LimitNews) {
        let Some(sent) = self.under_way.remove(&ticket) else {
            return;
        };
        self.lane(sent.errand.counted).pool.answered(now, ticket);
        match told {
            LimitNews::Hush(wait) => self.lane(sent.errand.counted).hush(now.after(wait)),
            LimitNews::Wall(wait) => self.walled(now, wait),
            LimitNews::Bucket(_)
            | LimitNews::Nothing
            | LimitNews::Lost
            | LimitNews::Limited { .. }
            | LimitNews::Shared { .. } => {}
        }
        self.buckets.answered(now, &sent, told);
    }

    /// What does not wait here ran against the wall.
    pub(super) fn walled(&mut self, now: Moment, wait: Duration) {
        self.bot.hush(now.after(wait));
        self.address.hush(now.after(wait));
    }

    /// When something may be let through that may not be now. None if only an
    /// answer can change that, or nothing waits.
    pub(super) fn next_change(&mut self, now: Moment) -> Option<Moment> {
        let Self {
            bot,
            address,
            buckets,
            ..
        } = self;
        let changes = [bot, address].map(|lane| lane.next_change(now, buckets));
        changes.into_iter().flatten().min()
    }

    /// How long a request that waits has to, as far as Discord said.
    pub(super) fn at_least(&self, now: Moment, ticket: Ticket) -> Duration {
        let lanes = [&self.bot, &self.address].into_iter();
        let mut found = lanes.filter_map(|lane| Some((lane, lane.waiting.get(&ticket)?)));
        let Some((lane, request)) = found.next() else {
            return Duration::ZERO;
        };
        let quiet = lane.quiet_until.map_or(Duration::ZERO, |it| it.since(now));
        match self.buckets.readiness(&request.errand, now) {
            Readiness::At(at) => at.since(now).max(quiet),
            Readiness::Now | Readiness::AfterAnswer => quiet,
        }
    }

    /// How far apart edits like this one are to be.
    pub(super) fn edit_pace(&self, edit: &Errand) -> Duration {
        let lane = match edit.counted {
            Counted::Bot => &self.bot,
            Counted::Address => &self.address,
        };
        let same =
            |it: &&QueuedRequest| it.errand.route == edit.route && it.errand.place == edit.place;
        let load = EditLoad {
            bucket: self.buckets.usual(edit.route),
            here: lane.waiting.values().filter(same).count(),
            waiting: lane.waiting.len(),
            per_second: lane.pool.most(),
        };
        load.pace()
    }

    fn has_room(&mut self, now: Moment, errand: &Errand) -> bool {
        let lane = self.lane(errand.counted);
        !lane.is_quiet(now)
            && lane.pool.is_half_free(now)
            && self.buckets.readiness(errand, now) == Readiness::Now
    }

    const fn lane(&mut self, counted: Counted) -> &mut RequestLane {
        match counted {
            Counted::Bot => &mut self.bot,
            Counted::Address => &mut self.address,
        }
    }
}

impl RequestLane {
    fn new(per_second: u64) -> Self {
        Self {
            pool: RequestPool::new(per_second),
            waiting: BTreeMap::new(),
            quiet_until: None,
        }
    }

    fn hush(&mut self, until: Moment) {
        self.quiet_until = self.quiet_until.max(Some(until));
    }

    fn is_quiet(&self, now: Moment) -> bool {
        self.quiet_until.is_some_and(|until| until > now)
    }

    fn grant(
        &mut self,
        now: Moment,
        buckets: &BucketBook,
        served: &Served,
    ) -> Option<(Ticket, Errand)> {
        if self.waiting.is_empty() || self.is_quiet(now) || self.pool.is_full(now) {
            return None;
        }
        let ready = self
            .waiting
            .iter()
            .filter(|(_, request)| buckets.readiness(&request.errand, now) == Readiness::Now);
        let (ticket, _) = ready.min_by_key(|(ticket, request)| {
            let urgency = request.urgency(now);
            (urgency, served.of(&request.errand), request.since, **ticket)
        })?;
        let ticket = *ticket;
        let QueuedRequest { errand, .. } = self.waiting.remove(&ticket)?;
        self.pool.take(now, ticket);
        Some((ticket, errand))
    }

    fn next_change(&mut self, now: Moment, buckets: &BucketBook) -> Option<Moment> {
        if self.waiting.is_empty() {
            return None;
        }
        let next = if self.pool.is_full(now) {
            Some(self.pool.opens(now))
        } else {
            let waiting = self.waiting.values();
            let changes = waiting.filter_map(|it| match buckets.readiness(&it.errand, now) {
                Readiness::Now => Some(now),
                Readiness::At(at) => Some(at),
                Readiness::AfterAnswer => None,
            });
            changes.min()
        };
        next.map(|next| self.quiet_until.map_or(next, |quiet| quiet.max(next)))
    }
}

impl QueuedRequest {
    fn urgency(&self, now: Moment) -> Urgency {
        match now.since(self.since) >= LONG {
            true => self.errand.urgency.min(Urgency::FirstText),
            false => self.errand.urgency,
        }
    }
}

impl Served {
    /// When the server and the channel were served last.
    fn of(&self, errand: &Errand) -> (u64, u64) {
        let last = |of: &HashMap<u64, u64>, id| of.get(&id).copied().unwrap_or(0);
        (
            last(&self.parties, errand.party),
            last(&self.places, errand.place),
        )
    }

    fn note(&mut self, errand: &Errand) {
        self.serial += 1;
        let serial = self.serial;
        for (known, id) in [
            (&mut self.parties, errand.party),
            (&mut self.places, errand.place),
        ] {
            if known.len() >= SERVED_MAX {
                let recent = serial.saturating_sub(SERVED_MAX as u64 / 2);
                known.retain(|_, served| *served > recent);
            }
            known.insert(id, serial);
        }
    }
}

#[cfg(test)]
mod tests;
