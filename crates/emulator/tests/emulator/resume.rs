//! Sessions over several connections.

use kaiwa_emulator::Cut;
use serde_json::{Value, json};

use crate::test_emulator::{ALL, Gateway, TestEmulator};

#[tokio::test]
async fn a_resume_replays_what_was_missed_in_order() {
    for compress in ["", "zlib-stream", "zstd-stream"] {
        let server = TestEmulator::open().await;
        let (bot, ben, general) = (server.bot(), server.human("Ben"), server.channel("general"));
        let mut first = bot.join(ALL).await;
        ben.say(general, "seen").await;
        first.event("MESSAGE_CREATE").await;
        assert_eq!(
            server.emulator.faults().cut_gateway(&bot.id, Cut::Abrupt),
            1
        );
        assert_eq!(first.close_code().await, None);
        for text in ["one", "two", "three"] {
            ben.say(general, text).await;
        }

        let mut second = Gateway::connect(&server, compress).await;
        second.seq = first.seq;
        second.resume(&bot.token, &first.session, first.seq).await;
        for text in ["one", "two", "three"] {
            assert_eq!(second.event("MESSAGE_CREATE").await["content"], text);
        }
        second.event("RESUMED").await;
        ben.say(general, "live").await;
        assert_eq!(second.event("MESSAGE_CREATE").await["content"], "live");
        assert_eq!(server.emulator.counts().resumes, 1);
    }
}

#[tokio::test]
async fn an_event_that_the_client_did_not_count_is_sent_again() {
    let server = TestEmulator::open().await;
    let (bot, ben, general) = (server.bot(), server.human("Ben"), server.channel("general"));
    let mut first = bot.join(ALL).await;
    ben.say(general, "unsaved").await;
    first.event("MESSAGE_CREATE").await;
    let mut second = Gateway::connect(&server, "").await;
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
async fn expect_invalid(server: &TestEmulator, token: &str, session: &str, seq: u64) -> Gateway {
    let mut gateway = Gateway::connect(server, "").await;
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
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let mut gateway = expect_invalid(&server, &bot.token, "never", 3).await;
    gateway.identify(&bot.token, ALL).await;
    gateway.event("READY").await;
    for _ in &server.ready.guilds {
        gateway.event("GUILD_CREATE").await;
    }

    // someone else's
    expect_invalid(&server, &server.human("Ada").token, &gateway.session, 1).await;

    // forgotten
    server.emulator.faults().drop_sessions();
    gateway.heartbeat().await;
    expect_invalid(&server, &bot.token, &gateway.session, gateway.seq).await;

    // given up by the client
    let goodbye = bot.join(ALL).await;
    let (session, seq) = (goodbye.session.clone(), goodbye.seq);
    goodbye.close(1000).await;
    expect_invalid(&server, &bot.token, &session, seq).await;
}

#[tokio::test]
async fn a_client_that_closes_with_another_code_keeps_its_session() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let gateway = bot.join(ALL).await;
    let (session, seq) = (gateway.session.clone(), gateway.seq);
    gateway.close(4900).await;
    server.emulator.faults().refuse_resumes(1);
    expect_invalid(&server, &bot.token, &session, seq).await;
    let mut again = Gateway::connect(&server, "").await;
    again.seq = seq;
    again.resume(&bot.token, &session, seq).await;
    again.event("RESUMED").await;
}

#[tokio::test]
async fn a_resume_beyond_the_last_event_is_refused() {
    let server = TestEmulator::open().await;
    let first = server.bot().join(ALL).await;
    let mut second = Gateway::connect(&server, "").await;
    second
        .resume(&server.ready.bot.token, &first.session, first.seq + 1)
        .await;
    assert_eq!(second.close_code().await, Some(4007));
}

#[tokio::test]
async fn more_events_than_are_kept_end_the_session() {
    let server = TestEmulator::open().await;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let gateway = bot.join(ALL).await;
    let (session, seq) = (gateway.session.clone(), gateway.seq);
    gateway.close(4900).await;
    let path = format!("/channels/{}/typing", server.channel("general"));
    for _ in 0..1001 {
        assert_eq!(ben.post(&path, Value::Null).await.status, 204);
    }
    expect_invalid(&server, &bot.token, &session, seq).await;
}

#[tokio::test]
async fn the_gateway_can_close_with_a_code_or_ask_to_reconnect() {
    let server = TestEmulator::open().await;
    let bot = server.bot();
    let mut gateway = bot.join(ALL).await;
    server
        .emulator
        .faults()
        .cut_gateway(&bot.id, Cut::Reconnect);
    assert_eq!(gateway.frame().await["op"], 7);
    gateway.heartbeat().await;
    server
        .emulator
        .faults()
        .cut_gateway(&bot.id, Cut::Close(4000));
    assert_eq!(gateway.close_code().await, Some(4000));
}
