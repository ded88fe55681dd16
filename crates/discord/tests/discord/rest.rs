//! REST: what is sent, and what is made of the answers.

use std::time::Duration;

use kaiwa_discord::{ApplicationId, Rest};
use kaiwa_domain::port::{Chat, History, OnWire};
use kaiwa_domain::{
    ChannelId, ChatError, Disposition, Effect, EffectBody, EffectState, GuildId, MessageId,
    Outgoing, PersonaId, Pings, RoleId, Scope, Timestamp, TurnId,
};
use serde_json::{Value, json};

use super::fake::{Fake, Reply, TOKEN};

const SCOPE: Scope = Scope::Guild(GuildId::new(3));

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub fn post(channel: u64, reply_to: Option<u64>) -> Effect {
    let outgoing = Outgoing::Say("hello @everyone".to_owned());
    shown(channel, reply_to, outgoing)
}

pub fn shown(channel: u64, reply_to: Option<u64>, outgoing: Outgoing) -> Effect {
    Effect {
        turn: TurnId::of_message(MessageId::new(36)),
        index: 1,
        scope: SCOPE,
        channel: ChannelId::new(channel),
        persona: PersonaId::MAIN,
        identity: None,
        body: EffectBody::Say {
            outgoing,
            reply_to: reply_to.map(MessageId::new),
        },
        state: EffectState::Queued,
        queued_at: Timestamp::from_millis(0),
        pings: Pings::default(),
    }
}

/// Shows an effect, and returns the last message of it.
pub async fn show(rest: &Rest, effect: &Effect) -> Result<MessageId, ChatError> {
    let messages = rest.post(effect, &OnWire::new()).await?;
    Ok(*messages.last().expect("a message"))
}

/// How long a request waits for Discord's limits.
const PATIENCE: Duration = Duration::from_secs(60);

fn posted() -> Reply {
    Reply::json(200, &json!({"id": "77"}))
}

fn limited(headers: Vec<(&'static str, &'static str)>) -> Reply {
    let body = json!({"message": "slow down", "retry_after": 1, "global": false});
    Reply::Now(429, headers, body.to_string())
}

#[tokio::test]
async fn a_post_says_whom_it_may_mention_and_which_post_it_is() {
    let (fake, rest, _) = Fake::start([posted(), posted()]).await;
    let nonce = "0000000000001000000001";
    assert_eq!(show(&rest, &post(5, None)).await, Ok(MessageId::new(77)));
    let pinging = Effect {
        pings: Pings {
            replied: true,
            roles: vec![RoleId::new(9)],
        },
        ..post(5, Some(36))
    };
    assert_eq!(show(&rest, &pinging).await, Ok(MessageId::new(77)));
    let requests = fake.requests();
    assert_eq!(
        requests[0].json(),
        json!({
            "content": "hello @everyone",
            "nonce": nonce,
            "enforce_nonce": true,
            "allowed_mentions": {"parse": [], "replied_user": false},
        })
    );
    assert_eq!(
        requests[1].json(),
        json!({
            "content": "hello @everyone",
            "nonce": nonce,
            "enforce_nonce": true,
            "allowed_mentions": {"parse": [], "roles": ["9"], "replied_user": true},
            "message_reference": {"message_id": "36", "fail_if_not_exists": false},
        })
    );
    assert_eq!(requests[0].method, "POST");
    assert_eq!(requests[0].path, "/api/v10/channels/5/messages");
    let headers = &requests[0].headers;
    assert_eq!(headers["authorization"], format!("Bot {TOKEN}").as_str());
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["user-agent"], "DiscordBot (kaiwa, 0.1.0)");
}

#[tokio::test]
async fn a_reaction_names_its_emoji_and_is_repeated_when_unanswered() {
    let done = || Reply::Now(204, vec![], String::new());
    let broken = Reply::Now(502, vec![], String::new());
    let (fake, rest, clock) = Fake::start([done(), broken, done()]).await;
    let (channel, message) = (ChannelId::new(5), MessageId::new(36));
    assert_eq!(rest.react(channel, message, "👍").await, Ok(()));
    let (outcome, ()) = tokio::join!(rest.react(channel, message, "tea:9"), async {
        clock.asleep(1, Duration::from_millis(500)).await;
        clock.advance(Duration::from_millis(500));
    });
    assert_eq!(outcome, Ok(()));
    let requests = fake.requests();
    let paths: Vec<_> = requests.iter().map(|request| &*request.path).collect();
    let under = "/api/v10/channels/5/messages/36/reactions";
    assert_eq!(
        paths,
        [
            format!("{under}/%F0%9F%91%8D/@me"),
            format!("{under}/tea:9/@me"),
            format!("{under}/tea:9/@me"),
        ]
    );
    assert!(requests.iter().all(|request| request.method == "PUT"));
}

#[tokio::test]
async fn a_clock_that_is_set_back_prolongs_no_wait() {
    let global = limited(vec![("retry-after", "2"), ("x-ratelimit-scope", "global")]);
    let (_fake, rest, clock) = Fake::start([global, posted(), posted()]).await;
    let (here, there) = (post(5, None), post(6, None));
    let (first, second) = tokio::join!(show(&rest, &here), async {
        clock.asleep(1, secs(2)).await;
        clock.set_back(secs(3600));
        let mut second = Box::pin(show(&rest, &there));
        let outcome = tokio::select! {
            outcome = &mut second => Some(outcome),
            () = clock.asleep(2, PATIENCE) => None,
        };
        clock.advance(secs(2));
        match outcome {
            Some(outcome) => outcome,
            None => second.await,
        }
    });
    assert_eq!((first.is_ok(), second), (true, Ok(MessageId::new(77))));
}

#[tokio::test]
async fn the_date_of_an_answer_sets_our_clock() {
    let dated = |date| {
        let me = json!({"id": "9", "username": "kaiwa"});
        Reply::Now(200, vec![("date", date)], me.to_string())
    };
    let check = async |date, expect: Option<i64>| {
        let (_fake, rest, clock) = Fake::start([dated(date)]).await;
        rest.me().await.unwrap();
        let learnt = clock
            .learnt()
            .map(|(from, to)| (from.as_millis(), to.as_millis()));
        // Nothing moved the clock while we asked.
        let expect = expect.map(|at| (at * 1000, at * 1000 + 1000));
        assert_eq!(learnt, expect, "{date}");
    };
    check("Tue, 14 Nov 2023 22:13:20 GMT", Some(1_700_000_000)).await;
    check("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)).await;
    check("yesterday", None).await;
}

#[tokio::test]
async fn a_rate_limit_is_waited_out_and_the_same_post_sent_again() {
    let (fake, rest, clock) = Fake::start([limited(vec![("retry-after", "2")]), posted()]).await;
    let post = post(5, None);
    let (outcome, ()) = tokio::join!(show(&rest, &post), async {
        clock.asleep(1, secs(2)).await;
        assert_eq!(fake.requests().len(), 1);
        clock.advance(secs(2));
    });
    assert_eq!(outcome, Ok(MessageId::new(77)));
    let requests = fake.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].body, requests[1].body);
}

#[tokio::test]
async fn rate_limits_are_not_waited_for_without_end() {
    let six = (0..6).map(|_| limited(vec![("retry-after", "3")]));
    let (fake, rest, clock) = Fake::start(six).await;
    let post = post(5, None);
    let (outcome, ()) = tokio::join!(show(&rest, &post), async {
        for _ in 0..5 {
            clock.asleep(1, secs(3)).await;
            clock.advance(secs(3));
        }
    });
    let retry_after = secs(3);
    assert_eq!(outcome, Err(ChatError::Limited { retry_after }));
    assert_eq!(fake.requests().len(), 6);
}

#[tokio::test]
async fn a_long_limit_goes_back_to_the_caller() {
    let (fake, rest, _) = Fake::start([limited(vec![("retry-after", "61")])]).await;
    let retry_after = secs(61);
    let outcome = show(&rest, &post(5, None)).await;
    assert_eq!(outcome, Err(ChatError::Limited { retry_after }));
    assert_eq!(fake.requests().len(), 1);
}

#[tokio::test]
async fn a_global_limit_quiets_every_channel() {
    let global = limited(vec![("retry-after", "3"), ("x-ratelimit-scope", "global")]);
    let (fake, rest, clock) = Fake::start([global, posted(), posted()]).await;
    let (here, there) = (post(5, None), post(6, None));
    let (first, second, ()) = tokio::join!(
        show(&rest, &here),
        async {
            clock.asleep(1, secs(3)).await;
            show(&rest, &there).await
        },
        async {
            clock.asleep(2, PATIENCE).await;
            assert_eq!(fake.requests().len(), 1);
            clock.advance(secs(3));
        }
    );
    assert_eq!((first.is_ok(), second.is_ok()), (true, true));
    assert_eq!(fake.requests().len(), 3);
}

#[tokio::test]
async fn a_wall_in_front_of_discord_quiets_every_channel() {
    let wall = Reply::Now(429, vec![("retry-after", "900")], "<html>".to_owned());
    let (fake, rest, clock) = Fake::start([wall]).await;
    for (channel, left) in [(5, 900), (6, 890)] {
        let retry_after = secs(left);
        let outcome = show(&rest, &post(channel, None)).await;
        assert_eq!(outcome, Err(ChatError::Limited { retry_after }));
        clock.advance(secs(10));
    }
    assert_eq!(fake.requests().len(), 1);
}

#[tokio::test]
async fn a_missing_permission_is_not_asked_for_again_soon() {
    let forbidden = || {
        Reply::json(
            403,
            &json!({"code": 50013, "message": "Missing Permissions"}),
        )
    };
    let (fake, rest, clock) = Fake::start([forbidden(), posted(), posted()]).await;
    for _ in 0..3 {
        let error = show(&rest, &post(5, None)).await.unwrap_err();
        assert!(matches!(error, ChatError::Refused { code: 50013, .. }));
        assert_eq!(error.disposition(), Disposition::StopTurn);
    }
    assert_eq!(fake.requests().len(), 1);
    assert!(show(&rest, &post(6, None)).await.is_ok(), "another channel");
    clock.advance(secs(600));
    assert!(
        show(&rest, &post(5, None)).await.is_ok(),
        "ten minutes later"
    );
}

#[tokio::test]
async fn what_may_have_been_posted_is_unknown_and_not_repeated() {
    // A good answer, if it were shorter.
    let padding = " ".repeat(8 * 1024 * 1024);
    let too_large = format!("{{\"id\": \"77\"}}{padding}");
    for (status, body) in [
        (500, String::new()),
        (502, "<html>".to_owned()),
        (200, "{\"id\": ".to_owned()),
        (200, too_large),
    ] {
        let (fake, rest, _) = Fake::start([Reply::Now(status, Vec::new(), body)]).await;
        let error = show(&rest, &post(5, None)).await.unwrap_err();
        assert!(matches!(error, ChatError::Unknown { .. }), "{error}");
        assert_eq!(error.disposition(), Disposition::RetrySame);
        assert_eq!(fake.requests().len(), 1);
    }
}

#[tokio::test]
async fn silence_is_unknown_after_twenty_seconds() {
    let (fake, rest, clock) = Fake::start([Reply::Never]).await;
    let post = post(5, None);
    let (outcome, ()) = tokio::join!(show(&rest, &post), async {
        clock.asleep(1, secs(20)).await;
        clock.advance(secs(20));
    });
    assert!(matches!(outcome, Err(ChatError::Unknown { .. })));
    assert!(fake.requests().len() <= 1);
}

#[tokio::test]
async fn reading_is_tried_three_times() {
    let fail = || Reply::json(502, &json!({}));
    let me = Reply::json(200, &json!({"id": "9", "username": "kaiwa"}));
    let (fake, rest, clock) = Fake::start([fail(), fail(), me, fail(), fail(), fail()]).await;
    for expected in [true, false] {
        let (outcome, ()) = tokio::join!(rest.me(), async {
            for pause in [Duration::from_millis(500), secs(2)] {
                clock.asleep(1, pause).await;
                clock.advance(pause);
            }
        });
        assert_eq!(outcome.is_ok(), expected, "{outcome:?}");
    }
    assert_eq!(fake.requests().len(), 6);
}

#[tokio::test]
async fn a_dead_token_halts() {
    let body = json!({"code": 0, "message": "401: Unauthorized"});
    let (_, rest, _) = Fake::start([Reply::json(401, &body)]).await;
    let error = rest.me().await.unwrap_err();
    assert_eq!(error.disposition(), Disposition::Halt);
}

fn raw_message(id: &str) -> Value {
    json!({"id": id, "channel_id": "5", "content": id, "type": 0,
           "author": {"id": "4", "username": "ann"}})
}

#[tokio::test]
async fn history_is_oldest_first_and_skips_what_it_cannot_read() {
    let page = json!([raw_message("30"), {"id": "not a number"}, raw_message("9")]);
    let (fake, rest, _) =
        Fake::start([Reply::json(200, &page), Reply::json(200, &json!([]))]).await;
    let channel = ChannelId::new(5);
    let before = History::Before(MessageId::new(40));
    let messages = rest.history(SCOPE, channel, before, 500).await.unwrap();
    let seen: Vec<_> = messages.iter().map(|m| (m.id.get(), m.scope)).collect();
    assert_eq!(seen, [(9, SCOPE), (30, SCOPE)]);
    let after = History::After(MessageId::new(40));
    assert_eq!(rest.history(SCOPE, channel, after, 7).await, Ok(vec![]));
    assert_eq!(rest.history(SCOPE, channel, after, 0).await, Ok(vec![]));
    let paths: Vec<_> = fake.requests().into_iter().map(|r| r.path).collect();
    assert_eq!(
        paths,
        [
            "/api/v10/channels/5/messages?before=40&limit=100",
            "/api/v10/channels/5/messages?after=40&limit=7",
        ]
    );
}

#[tokio::test]
async fn a_message_that_is_gone_is_none() {
    let gone = Reply::json(404, &json!({"code": 10008, "message": "Unknown Message"}));
    let no_channel = Reply::json(404, &json!({"code": 10003, "message": "Unknown Channel"}));
    let found = Reply::json(200, &raw_message("30"));
    let (_, rest, _) = Fake::start([gone, found, no_channel]).await;
    let ask = || rest.message(SCOPE, ChannelId::new(5), MessageId::new(30));
    assert_eq!(ask().await, Ok(None));
    assert_eq!(ask().await.unwrap().unwrap().text, "30");
    assert!(ask().await.is_err());
}

#[tokio::test]
async fn typing_is_a_bare_post() {
    let (fake, rest, _) = Fake::start([Reply::Now(204, Vec::new(), String::new())]).await;
    assert_eq!(rest.typing(ChannelId::new(5)).await, Ok(()));
    let request = &fake.requests()[0];
    assert_eq!(request.method, "POST");
    assert_eq!(request.path, "/api/v10/channels/5/typing");
    assert!(request.body.is_empty());
}

#[tokio::test]
async fn the_portal_says_what_we_may_receive() {
    async fn check(flags: Value, content: bool, members: bool) {
        let body = json!({"id": "8", "name": "Kaiwa", "flags": flags});
        let (_, rest, _) = Fake::start([Reply::json(200, &body)]).await;
        let application = rest.application().await.unwrap();
        assert_eq!(application.id, ApplicationId::new(8));
        assert_eq!(application.message_content, content, "{flags}");
        assert_eq!(application.guild_members, members, "{flags}");
    }
    check(json!(0), false, false).await;
    check(json!(1 << 18), true, false).await;
    check(json!(1 << 19), true, false).await;
    check(json!(1 << 14), false, true).await;
    check(json!(1 << 15), false, true).await;
    check(json!((1 << 18) | (1 << 14)), true, true).await;
    check(json!(1 << 12), false, false).await;
}

#[tokio::test]
async fn the_gateway_address_comes_with_its_limits() {
    let body = json!({
        "url": "wss://gateway.discord.gg", "shards": 2,
        "session_start_limit":
            {"total": 1000, "remaining": 999, "reset_after": 14400000, "max_concurrency": 1},
    });
    let (_, rest, _) = Fake::start([Reply::json(200, &body)]).await;
    let address = rest.gateway().await.unwrap();
    assert_eq!((address.shards, address.max_concurrency), (2, 1));
    assert_eq!((address.remaining, address.total), (999, 1000));
    assert_eq!(address.reset_after, secs(14400));
}

#[tokio::test]
async fn guilds_come_with_what_is_missing_there() {
    let all = kaiwa_discord::needed_permissions();
    let body = json!([
        {"id": "1", "name": "Open", "permissions": all.to_string()},
        {"id": "2", "name": "Mute", "permissions": (all & !(1 << 11)).to_string()},
    ]);
    let (_, rest, _) = Fake::start([Reply::json(200, &body)]).await;
    let guilds = rest.guilds().await.unwrap();
    let missing: Vec<Vec<_>> = guilds
        .iter()
        .map(|guild| guild.missing.iter().map(|need| need.name).collect())
        .collect();
    assert_eq!(missing, [vec![], vec!["Send Messages"]]);
}

/// Whoever is missing from the list is taken to be left: a part of it is none.
#[tokio::test]
async fn guilds_are_listed_to_the_end_or_not_at_all() {
    let page = |ids: std::ops::Range<u64>| {
        let guild = |id| json!({"id": format!("{id}"), "name": "", "permissions": "0"});
        Reply::json(200, &ids.map(guild).collect())
    };
    let (fake, rest, _) = Fake::start([page(1..201), page(201..401), page(401..402)]).await;
    assert_eq!(rest.our_guilds().await.unwrap().len(), 401);
    let asked: Vec<String> = fake.requests().into_iter().map(|it| it.path).collect();
    assert!(
        asked[1].ends_with("/users/@me/guilds?after=200&limit=200"),
        "{asked:?}"
    );
    assert!(
        asked[2].ends_with("/users/@me/guilds?after=400&limit=200"),
        "{asked:?}"
    );

    let refused = json!({"message": "401: Unauthorized", "code": 0});
    let (_, rest, _) = Fake::start([page(1..201), Reply::json(401, &refused)]).await;
    assert!(rest.our_guilds().await.is_err());
}
