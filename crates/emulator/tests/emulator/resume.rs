//! Sessions over several connections.

use kaiwa_emulator::Cut;
use serde_json::{Value, json};

use crate::house::{ALL, Gateway, House};

#[tokio::test]
async fn a_resume_replays_what_was_missed_in_order() {
    for compress in ["", "zlib-stream", "zstd-stream"] {
        let house = House::open().await;
        let (bot, ben, general) = (house.bot(), house.human("Ben"), house.channel("general"));
        let mut first = bot.join(ALL).await;
        ben.say(general, "seen").await;
        first.event("MESSAGE_CREATE").await;
        assert_eq!(house.emulator.faults().cut_gateway(&bot.id, Cut::Abrupt), 1);
        assert_eq!(first.close_code().await, None);
        for text in ["one", "two", "three"] {
            ben.say(general, text).await;
        }

        let mut second = Gateway::connect(&house, compress).await;
        second.seq = first.seq;
        second.resume(&bot.token, &first.session, first.seq).await;
        for text in ["one", "two", "three"] {
            assert_eq!(second.event("MESSAGE_CREATE").await["content"], text);
        }
        second.event("RESUMED").await;
        ben.say(general, "live").await;
        assert_eq!(second.event("MESSAGE_CREATE").await["content"], "live");
        assert_eq!(house.emulator.counts().resumes, 1);
    }
}

#[tokio::test]
async fn an_event_that_the_client_did_not_count_is_sent_again() {
    let house = House::open().await;
    let (bot, ben, general) = (house.bot(), house.human("Ben"), house.channel("general"));
    let mut first = bot.join(ALL).await;
    ben.say(general, "unsaved").await;
    first.event("MESSAGE_CREATE").await;
    let mut second = Gateway::connect(&house, "").await;
    second.seq = first.seq - 1;
    second
        .resume(&bot.token, &first.session, first.seq - 1)
        .await;
    assert_eq!(second.event("MESSAGE_CREATE").await["content"], "unsaved");
    second.event("RESUMED").await;
    assert_eq!(
        first.close_code().await,
        Some(4009),
        "a session has one connection"
    );
}

/// Asks to resume and expects to be told that the session is gone.
async fn expect_invalid(house: &House, token: &str, session: &str, seq: u64) -> Gateway {
    let mut gateway = Gateway::connect(house, "").await;
    gateway.resume(token, session, seq).await;
    let frame = gateway.frame().await;
    assert_eq!(
        (&frame["op"], &frame["d"]),
        (&json!(9), &Value::Bool(false))
    );
    gateway
}

#[tokio::test]
async fn a_session_that_is_gone_is_invalid_and_the_connection_may_identify() {
    let house = House::open().await;
    let bot = house.bot();
    let mut gateway = expect_invalid(&house, &bot.token, "never", 3).await;
    gateway.identify(&bot.token, ALL).await;
    gateway.event("READY").await;
    for _ in &house.ready.guilds {
        gateway.event("GUILD_CREATE").await;
    }

    // someone else's
    expect_invalid(&house, &house.human("Ada").token, &gateway.session, 1).await;

    // forgotten
    house.emulator.faults().drop_sessions();
    gateway.heartbeat().await;
    expect_invalid(&house, &bot.token, &gateway.session, gateway.seq).await;

    // given up by the client
    let goodbye = bot.join(ALL).await;
    let (session, seq) = (goodbye.session.clone(), goodbye.seq);
    goodbye.close(1000).await;
    expect_invalid(&house, &bot.token, &session, seq).await;
}

#[tokio::test]
async fn a_client_that_closes_with_another_code_keeps_its_session() {
    let house = House::open().await;
    let bot = house.bot();
    let gateway = bot.join(ALL).await;
    let (session, seq) = (gateway.session.clone(), gateway.seq);
    gateway.close(4900).await;
    house.emulator.faults().refuse_resumes(1);
    expect_invalid(&house, &bot.token, &session, seq).await;
    let mut again = Gateway::connect(&house, "").await;
    again.seq = seq;
    again.resume(&bot.token, &session, seq).await;
    again.event("RESUMED").await;
}

#[tokio::test]
async fn a_resume_beyond_the_last_event_is_refused() {
    let house = House::open().await;
    let first = house.bot().join(ALL).await;
    let mut second = Gateway::connect(&house, "").await;
    second
        .resume(&house.ready.bot.token, &first.session, first.seq + 1)
        .await;
    assert_eq!(second.close_code().await, Some(4007));
}

#[tokio::test]
async fn more_events_than_are_kept_end_the_session() {
    let house = House::open().await;
    let (bot, ben) = (house.bot(), house.human("Ben"));
    let gateway = bot.join(ALL).await;
    let (session, seq) = (gateway.session.clone(), gateway.seq);
    gateway.close(4900).await;
    let path = format!("/channels/{}/typing", house.channel("general"));
    for _ in 0..1001 {
        assert_eq!(ben.post(&path, Value::Null).await.status, 204);
    }
    expect_invalid(&house, &bot.token, &session, seq).await;
}

#[tokio::test]
async fn the_gateway_can_close_with_a_code_or_ask_to_reconnect() {
    let house = House::open().await;
    let bot = house.bot();
    let mut gateway = bot.join(ALL).await;
    house.emulator.faults().cut_gateway(&bot.id, Cut::Reconnect);
    assert_eq!(gateway.frame().await["op"], 7);
    gateway.heartbeat().await;
    house
        .emulator
        .faults()
        .cut_gateway(&bot.id, Cut::Close(4000));
    assert_eq!(gateway.close_code().await, Some(4000));
}
