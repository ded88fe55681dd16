//! The governor against a Discord that counts strictly.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use proptest::prelude::*;

use super::*;

const SAY: &str = "POST /channels/{channel}/messages";
const TYPE: &str = "POST /channels/{channel}/typing";
const PER_SECOND: u64 = 50;

fn at(millis: u64) -> Moment {
    Moment::new(Duration::from_millis(millis))
}

fn errand(route: &'static str, place: u64, urgency: Urgency) -> Errand {
    Errand {
        route,
        place,
        party: 0,
        urgency,
        counted: Counted::Bot,
        jointly: None,
        since: None,
    }
}

fn text(place: u64) -> Errand {
    errand(SAY, place, Urgency::Text)
}

fn headers(limit: u32, remaining: u32, millis: u64) -> BucketHeaders {
    BucketHeaders {
        name: 7,
        limit,
        remaining,
        reset_after: Duration::from_millis(millis),
    }
}

fn granted(governor: &mut Governor, now: u64) -> Vec<Ticket> {
    std::iter::from_fn(|| governor.grant(at(now))).collect()
}

#[test]
fn no_more_than_fifty_count_in_any_second() {
    let mut governor = Governor::new(PER_SECOND);
    let tickets: Vec<Ticket> = (0..120)
        .map(|place| governor.ask(at(0), text(place)).unwrap())
        .collect();
    assert_eq!(granted(&mut governor, 0), tickets[..50]);
    // Answered after 30 ms, so they count until a second after that.
    for ticket in &tickets[..50] {
        governor.answered(at(30), *ticket, LimitNews::Nothing);
    }
    assert_eq!(governor.next_change(at(30)), Some(at(1030)));
    assert_eq!(granted(&mut governor, 1029), []);
    assert_eq!(granted(&mut governor, 1030), tickets[50..100]);
    // Of these nobody hears: they count a little longer.
    assert_eq!(granted(&mut governor, 2529), []);
    assert_eq!(granted(&mut governor, 2530), tickets[100..]);
}

#[test]
fn edits_get_rarer_when_a_bucket_takes_less_and_when_much_waits() {
    let edit = errand(
        "PATCH /channels/{channel}/messages/{message}",
        1,
        Urgency::Edit,
    );
    let pace = |governor: &Governor| governor.edit_pace(&edit).as_millis();
    let mut governor = Governor::new(PER_SECOND);
    assert_eq!(pace(&governor), 1000);
    let ticket = governor.ask(at(0), edit).unwrap();
    assert_eq!(granted(&mut governor, 0), [ticket]);
    let told = LimitNews::Bucket(headers(2, 1, 5000));
    governor.answered(at(10), ticket, told);
    assert_eq!(pace(&governor), 2500);
    let tickets: Vec<Ticket> = (0..149)
        .map(|place| governor.ask(at(20), text(place)).unwrap())
        .collect();
    assert_eq!(granted(&mut governor, 20).len(), 49);
    assert_eq!(pace(&governor), 4000, "a hundred wait");
    for ticket in tickets {
        governor.leave(ticket);
    }
    assert_eq!(pace(&governor), 2500);
}

#[test]
fn what_was_not_sent_does_not_count() {
    let mut governor = Governor::new(1);
    let first = governor.ask(at(0), text(1)).unwrap();
    let second = governor.ask(at(0), text(1)).unwrap();
    assert_eq!(governor.grant(at(0)), Some(first));
    assert_eq!(governor.grant(at(0)), None);
    governor.unsent(first);
    assert_eq!(governor.grant(at(0)), Some(second));
}

#[test]
fn urgency_goes_before_age_and_long_waits_before_urgency() {
    use Urgency::{Control, Edit, FinalText, FirstText, Lookup, Reaction, Text};
    let mut governor = Governor::new(1);
    let all = [
        Reaction, Edit, Text, FinalText, Lookup, FirstText, Control, Text,
    ];
    let tickets: Vec<Ticket> = (0..)
        .zip(all)
        .map(|(place, urgency)| governor.ask(at(0), errand(SAY, place, urgency)).unwrap())
        .collect();
    let mut order = Vec::new();
    for round in 0..8 {
        let now = 2000 * round;
        let ticket = governor.grant(at(now)).unwrap();
        governor.answered(at(now), ticket, LimitNews::Lost);
        order.push(tickets.iter().position(|it| *it == ticket).unwrap());
    }
    assert_eq!(order, [6, 5, 4, 3, 2, 7, 1, 0]);

    let old = governor.ask(at(20_000), errand(SAY, 1, Edit)).unwrap();
    let newer = governor.ask(at(40_001), errand(SAY, 99, Text)).unwrap();
    assert_eq!(governor.grant(at(40_001)), Some(old));
    governor.leave(newer);
}

#[test]
fn servers_and_then_channels_take_turns() {
    let mut governor = Governor::new(1);
    let ask = |governor: &mut Governor, party, place| {
        let errand = Errand {
            party,
            ..text(place)
        };
        governor.ask(at(0), errand).unwrap()
    };
    // A server with three busy channels, and one with a single channel.
    let mut names = HashMap::new();
    for (party, place) in [(1, 11), (1, 11), (1, 12), (1, 13), (2, 21), (2, 21)] {
        names.insert(ask(&mut governor, party, place), place);
    }
    let mut order = Vec::new();
    for round in 0..6 {
        let ticket = governor.grant(at(2000 * round)).unwrap();
        governor.answered(at(2000 * round), ticket, LimitNews::Lost);
        order.push(names[&ticket]);
    }
    assert_eq!(order, [11, 21, 12, 21, 13, 11]);
}

#[test]
fn an_unknown_bucket_is_tried_with_one_request() {
    let mut governor = Governor::new(PER_SECOND);
    let first = governor.ask(at(0), text(1)).unwrap();
    let second = governor.ask(at(0), text(1)).unwrap();
    let third = governor.ask(at(0), text(1)).unwrap();
    assert_eq!(granted(&mut governor, 0), [first]);
    assert_eq!(governor.next_change(at(0)), None);
    governor.answered(at(10), first, LimitNews::Bucket(headers(2, 1, 5000)));
    assert_eq!(granted(&mut governor, 10), [second]);
    governor.answered(at(20), second, LimitNews::Bucket(headers(2, 0, 4990)));
    assert_eq!(governor.next_change(at(20)), Some(at(5010)));
    assert_eq!(
        governor.at_least(at(20), third),
        Duration::from_millis(4990)
    );
    assert_eq!(granted(&mut governor, 5010), [third]);
    // What is known of a route holds in other channels, too.
    let elsewhere = [9, 9, 9].map(|place| governor.ask(at(5010), text(place)).unwrap());
    assert_eq!(granted(&mut governor, 5010), elsewhere[..2]);
}

#[test]
fn routes_that_share_a_bucket_share_its_count() {
    let mut governor = Governor::new(PER_SECOND);
    let other = "PATCH /channels/{channel}/messages/{message}";
    for route in [SAY, other] {
        let ticket = governor
            .ask(at(0), errand(route, 1, Urgency::Text))
            .unwrap();
        assert_eq!(granted(&mut governor, 0), [ticket]);
        governor.answered(at(0), ticket, LimitNews::Bucket(headers(2, 1, 5000)));
    }
    let one = governor.ask(at(1), text(1)).unwrap();
    let two = governor
        .ask(at(1), errand(other, 1, Urgency::Text))
        .unwrap();
    assert_eq!(granted(&mut governor, 1), [one]);
    assert_eq!(granted(&mut governor, 5000), [two]);
}

#[test]
fn a_route_without_a_bucket_has_no_limit_of_its_own() {
    let mut governor = Governor::new(PER_SECOND);
    let probe = governor.ask(at(0), text(1)).unwrap();
    assert_eq!(granted(&mut governor, 0), [probe]);
    governor.answered(at(0), probe, LimitNews::Nothing);
    let more = [1, 1, 1].map(|place| governor.ask(at(0), text(place)).unwrap());
    assert_eq!(granted(&mut governor, 0), more);
}

#[test]
fn a_429_empties_the_bucket_or_quiets_everything() {
    let mut governor = Governor::new(PER_SECOND);
    let first = governor.ask(at(0), text(1)).unwrap();
    assert_eq!(granted(&mut governor, 0), [first]);
    let wait = Duration::from_secs(3);
    let bucket = None;
    governor.answered(at(0), first, LimitNews::Limited { wait, bucket });
    let again = governor.ask(at(0), text(1)).unwrap();
    let elsewhere = governor.ask(at(0), text(2)).unwrap();
    assert_eq!(granted(&mut governor, 0), [elsewhere]);
    governor.answered(at(0), elsewhere, LimitNews::Hush(Duration::from_secs(9)));
    assert_eq!(governor.at_least(at(0), again), Duration::from_secs(9));
    assert_eq!(granted(&mut governor, 8999), []);
    assert_eq!(governor.next_change(at(8999)), Some(at(9000)));
    assert_eq!(granted(&mut governor, 9000), [again]);
}

/// By a webhook of its own, in the channel that has them all.
fn by_webhook(webhook: u64) -> Errand {
    Errand {
        counted: Counted::Address,
        jointly: Some(1),
        ..text(webhook)
    }
}

#[test]
fn the_webhooks_of_a_channel_are_counted_together() {
    let mut governor = Governor::new(PER_SECOND);
    let posts: Vec<Ticket> = (0..40)
        .map(|webhook| governor.ask(at(0), by_webhook(webhook)).unwrap())
        .collect();
    assert_eq!(granted(&mut governor, 0), posts[..30]);
    assert_eq!(governor.next_change(at(0)), None, "the answers are awaited");
    for ticket in &posts[..29] {
        governor.answered(at(100), *ticket, LimitNews::Nothing);
    }
    governor.unsent(posts[29]);
    assert_eq!(granted(&mut governor, 100), posts[30..31]);
    assert_eq!(granted(&mut governor, 60_099), []);
    assert_eq!(governor.next_change(at(60_099)), Some(at(60_100)));
    assert_eq!(granted(&mut governor, 60_100), posts[31..]);
    // Other channels have their own.
    let elsewhere = Errand {
        jointly: Some(2),
        ..by_webhook(77)
    };
    let elsewhere = governor.ask(at(60_100), elsewhere).unwrap();
    assert_eq!(granted(&mut governor, 60_100), [elsewhere]);
}

/// Others speak there too: what Discord says counts, and it is no news of the
/// webhook's own bucket.
#[test]
fn what_discord_says_of_the_webhooks_of_a_channel_counts_more() {
    let mut governor = Governor::new(PER_SECOND);
    let posts: Vec<Ticket> = (0..3)
        .map(|_| governor.ask(at(0), by_webhook(5)).unwrap())
        .collect();
    assert_eq!(granted(&mut governor, 0), posts[..1]);
    let told = LimitNews::Bucket(headers(5, 4, 2000));
    governor.answered(at(10), posts[0], told);
    assert_eq!(granted(&mut governor, 10), posts[1..]);
    let wait = Duration::from_secs(20);
    let bucket = Some(BucketHeaders {
        name: 8,
        ..headers(30, 0, 20_000)
    });
    governor.answered(at(20), posts[1], LimitNews::Shared { wait, bucket });
    governor.answered(at(20), posts[2], LimitNews::Shared { wait, bucket });
    let more: Vec<Ticket> = (0..5)
        .map(|_| governor.ask(at(20), by_webhook(5)).unwrap())
        .collect();
    assert_eq!(governor.at_least(at(20), more[0]), wait);
    assert_eq!(granted(&mut governor, 20_019), []);
    assert_eq!(granted(&mut governor, 20_020), more);
}

#[test]
fn what_the_bot_may_not_send_controls_may_unless_the_wall_says_no() {
    let by_token = |place| Errand {
        counted: Counted::Address,
        ..text(place)
    };
    for (news, answered_after) in [
        (LimitNews::Hush(Duration::from_secs(9)), 0),
        (LimitNews::Wall(Duration::from_secs(9)), 9000),
    ] {
        let mut governor = Governor::new(PER_SECOND);
        let first = governor.ask(at(0), text(1)).unwrap();
        assert_eq!(granted(&mut governor, 0), [first]);
        governor.answered(at(0), first, news);
        let more = governor.ask(at(0), text(2)).unwrap();
        let answer = governor.ask(at(0), by_token(3)).unwrap();
        let wait = Duration::from_millis(answered_after);
        assert_eq!(governor.at_least(at(0), answer), wait, "{news:?}");
        assert_eq!(governor.next_change(at(0)), Some(at(answered_after)));
        if answered_after == 0 {
            assert_eq!(granted(&mut governor, 0), [answer]);
            assert_eq!(granted(&mut governor, 9000), [more]);
        } else {
            assert_eq!(granted(&mut governor, 8999), []);
            assert_eq!(granted(&mut governor, 9000), [more, answer]);
        }
    }
}

#[test]
fn typing_is_left_out_first() {
    let mut governor = Governor::new(PER_SECOND);
    let typing = |place| errand(TYPE, place, Urgency::Typing);
    for place in 0..25 {
        governor.ask(at(0), typing(place)).unwrap();
        assert_eq!(granted(&mut governor, 0).len(), 1);
    }
    assert_eq!(
        governor.ask(at(0), typing(90)),
        Err(TurnedAway::Behind),
        "half of the second is used"
    );
    let texts: Vec<Ticket> = (0..25)
        .map(|place| governor.ask(at(0), text(place)).unwrap())
        .collect();
    assert_eq!(granted(&mut governor, 0), texts, "text takes the rest");
    assert!(governor.ask(at(1500), typing(90)).is_ok());
    assert_eq!(
        governor.ask(at(1500), typing(0)),
        Err(TurnedAway::Behind),
        "its bucket is not known, and one is under way"
    );
}

#[test]
fn requests_that_wait_are_bounded_and_so_is_what_is_remembered() {
    let mut governor = Governor::new(1);
    for place in 0..WAITING_MAX as u64 {
        governor.ask(at(0), text(place)).unwrap();
    }
    assert_eq!(governor.ask(at(0), text(0)), Err(TurnedAway::Crowded));

    let mut governor = Governor::new(1000);
    for place in 0..40_000 {
        let now = at(10 * place);
        let errand = Errand {
            jointly: Some(place),
            ..text(place)
        };
        let ticket = governor.ask(now, errand).unwrap();
        assert_eq!(governor.grant(now), Some(ticket));
        governor.answered(now, ticket, LimitNews::Bucket(headers(5, 4, 600_000)));
    }
    assert!(governor.served.places.len() <= SERVED_MAX);
    assert!(governor.buckets.remembered() <= 8192);
    assert!(governor.under_way.is_empty());
}

/// A Discord that counts strictly: in every second that ends with a request,
/// and in fixed windows for each channel.
#[derive(Default)]
struct StrictDiscord {
    all: VecDeque<u64>,
    windows: HashMap<(&'static str, u64), (u64, u32)>,
    refused: u32,
}

impl StrictDiscord {
    const LIMIT: u32 = 5;
    const WINDOW: u64 = 5000;

    fn take(&mut self, now: u64, errand: &Errand) -> (u32, u64) {
        while self.all.front().is_some_and(|first| first + 1000 <= now) {
            self.all.pop_front();
        }
        self.all.push_back(now);
        let window = self
            .windows
            .entry((errand.route, errand.place))
            .or_insert((now + Self::WINDOW, 0));
        if window.0 <= now {
            *window = (now + Self::WINDOW, 0);
        }
        window.1 += 1;
        let over = window.1 > Self::LIMIT || self.all.len() > PER_SECOND as usize;
        self.refused += u32::from(over);
        (Self::LIMIT.saturating_sub(window.1), window.0 - now)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Happens {
    Arrives(u64, Ticket),
    Answered(Ticket, u32, u64),
    Asks(usize),
    Look,
}

struct Simulated {
    refused: u32,
    /// When each request arrived at Discord, by the order of asking.
    arrived: Vec<Option<u64>>,
}

/// Plays requests `(when, channel, urgency, lag)`; half of the lag is the way
/// there.
fn simulate(asked: &[(u64, u64, Urgency, u64)]) -> Simulated {
    let mut governor = Governor::new(PER_SECOND);
    let mut discord = StrictDiscord::default();
    let mut agenda = BinaryHeap::new();
    for (index, (when, ..)) in asked.iter().enumerate() {
        agenda.push(Reverse((*when, Happens::Asks(index))));
    }
    let mut names: HashMap<Ticket, (usize, Errand)> = HashMap::new();
    let mut arrived = vec![None; asked.len()];
    while let Some(Reverse((now, what))) = agenda.pop() {
        match what {
            Happens::Asks(index) => {
                let (_, place, urgency, _) = asked[index];
                let route = match urgency {
                    Urgency::Typing => TYPE,
                    _ => SAY,
                };
                let errand = errand(route, place, urgency);
                if let Ok(ticket) = governor.ask(at(now), errand) {
                    names.insert(ticket, (index, errand));
                }
            }
            Happens::Arrives(back, ticket) => {
                let (index, errand) = names[&ticket];
                arrived[index] = Some(now);
                let (remaining, reset) = discord.take(now, &errand);
                let answer = Happens::Answered(ticket, remaining, reset);
                agenda.push(Reverse((now + back, answer)));
            }
            Happens::Answered(ticket, remaining, reset) => {
                let told = headers(StrictDiscord::LIMIT, remaining, reset);
                // Each route has its own bucket.
                let name = names[&ticket].1.route.len() as u64;
                let told = LimitNews::Bucket(BucketHeaders { name, ..told });
                governor.answered(at(now), ticket, told);
            }
            Happens::Look => {}
        }
        while let Some(ticket) = governor.grant(at(now)) {
            let lag = asked[names[&ticket].0].3;
            let arrives = Happens::Arrives(lag - lag / 2, ticket);
            agenda.push(Reverse((now + lag / 2, arrives)));
        }
        if let Some(next) = governor.next_change(at(now)) {
            let next = next.since(at(0)).as_millis() as u64;
            assert!(next > now, "it would spin");
            agenda.push(Reverse((next, Happens::Look)));
        }
    }
    Simulated {
        refused: discord.refused,
        arrived,
    }
}

fn requests() -> impl Strategy<Value = Vec<(u64, u64, Urgency, u64)>> {
    let urgency = prop::sample::select(vec![
        Urgency::FirstText,
        Urgency::Text,
        Urgency::FinalText,
        Urgency::Typing,
    ]);
    // Up to twice the lag that is allowed for on one way: half of it counts.
    let one = (0u64..4000, 0u64..40, urgency, 0u64..900);
    prop::collection::vec(one, 1..200)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn discord_never_says_429_and_everything_but_typing_arrives(asked in requests()) {
        let simulated = simulate(&asked);
        prop_assert_eq!(simulated.refused, 0);
        for (request, arrived) in asked.iter().zip(&simulated.arrived) {
            prop_assert!(arrived.is_some() || request.2 == Urgency::Typing);
        }
    }
}

/// A thousand answers at once: nobody waits for more than twice the median.
#[test]
fn a_thousand_first_texts_are_fair() {
    let asked: Vec<_> = (0..1000)
        .map(|place| (2000, place, Urgency::FirstText, 20))
        .collect();
    let simulated = simulate(&asked);
    assert_eq!(simulated.refused, 0);
    let mut waits: Vec<u64> = simulated.arrived.iter().map(|it| it.unwrap()).collect();
    waits.sort_unstable();
    let (median, last) = (waits[500], waits[999]);
    assert!(last <= 2 * median, "{median} {last}");
    assert!(last < 23_000, "{last}");
}

#[test]
fn what_takes_the_place_of_another_has_waited_as_long() {
    let mut governor = Governor::new(1);
    let first = governor.ask(at(0), text(1)).unwrap();
    assert_eq!(governor.grant(at(0)), Some(first), "the second is used up");
    governor.answered(at(0), first, LimitNews::Nothing);
    let edit = errand(SAY, 2, Urgency::Edit);
    let old = governor.ask(at(0), edit).unwrap();
    let urgent = governor.ask(at(19_000), errand(SAY, 3, Urgency::FinalText));
    governor.leave(old);
    let anew = Errand {
        since: Some(at(0)),
        ..edit
    };
    let anew = governor.ask(at(19_900), anew).unwrap();
    assert_eq!(governor.grant(at(20_000)), Some(anew));
    assert_eq!(governor.grant(at(22_000)), Some(urgent.unwrap()));
}

#[test]
fn of_two_that_are_alike_the_one_that_waits_longer_is_first() {
    let mut governor = Governor::new(1);
    let newer = governor.ask(at(5000), text(1)).unwrap();
    // It was merged with another, and so asked anew.
    let merged = Errand {
        since: Some(at(1000)),
        ..text(2)
    };
    let merged = governor.ask(at(6000), merged).unwrap();
    assert_eq!(governor.grant(at(6000)), Some(merged));
    assert_eq!(governor.grant(at(9000)), Some(newer));
}
