//! The gateway: sessions, resumes, receipts and goodbyes.

use std::sync::atomic::Ordering;
use std::time::Duration;

use kaiwa_discord::GatewayError;
use kaiwa_domain::Event;
use kaiwa_domain::port::Session;
use serde_json::json;

use super::fake::TOKEN;
use super::peer::{ListeningBot, Peer, Server};

fn session(server: &Server, sequence: u64, shards: u32) -> Session {
    Session {
        id: "session-0".to_owned(),
        sequence,
        resume_url: server.url(),
        shards,
    }
}

#[tokio::test]
async fn a_new_session_identifies_and_brings_messages() {
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let mut peer = server.accept().await;
    let identify = peer.receive().await;
    assert_eq!(identify["op"], 2);
    assert_eq!(identify["d"]["token"], format!("Bot {TOKEN}"));
    // GUILDS, emoji and stickers, webhooks, messages and reactions in guilds and
    // DMs, MESSAGE_CONTENT.
    let intents: i64 = [0, 3, 5, 9, 10, 12, 13, 15]
        .iter()
        .map(|bit| 1 << bit)
        .sum();
    assert_eq!(identify["d"]["intents"], intents);
    assert_eq!(identify["d"]["shard"], json!([0, 1]));
    peer.ready(&server.url()).await;
    assert_eq!(bot.next_ready().await, "kaiwa");
    server.sessions.reaches(1).await;
    peer.message(2, "hello").await;
    assert_eq!(bot.next_text().await, "hello");
}

#[tokio::test]
async fn a_cut_connection_resumes_without_loss_or_double() {
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let mut peer = server.accept_new_session().await;
    assert_eq!(bot.next_ready().await, "kaiwa");
    peer.message(2, "before the cut").await;
    assert_eq!(bot.next_text().await, "before the cut");
    drop(peer);
    let mut peer = server.accept().await;
    let resume = peer.receive().await;
    assert_eq!(resume["op"], 6);
    assert_eq!(resume["d"]["session_id"], "session-1");
    assert_eq!(resume["d"]["seq"], 2);
    peer.message(3, "during the cut").await;
    peer.dispatch("RESUMED", 4, json!({})).await;
    peer.message(5, "after the cut").await;
    assert_eq!(bot.next_ready().await, "kaiwa");
    assert_eq!(bot.next_text().await, "during the cut");
    assert_eq!(bot.next_text().await, "after the cut");
}

/// The next event must be a guild: whether what was said there before is lost.
async fn is_of_a_new_session(bot: &mut ListeningBot) -> bool {
    match bot.events.recv().await.expect("an event").event {
        Event::Guild(guild) => guild.is_new_session,
        other => panic!("no guild but {other:?}"),
    }
}

/// The next event must say that events flow: whether none is lost.
async fn is_resumed(bot: &mut ListeningBot) -> bool {
    match bot.next().await.event {
        Event::Ready { resumed, .. } => resumed,
        other => panic!("not ready but {other:?}"),
    }
}

/// What is replayed comes before Discord says that it resumes.
#[tokio::test]
async fn a_session_that_is_resumed_begins_nothing_but_what_it_still_owes() {
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let mut peer = server.accept().await;
    peer.receive().await;
    peer.ready_in(&server.url(), &["3", "8"]).await;
    peer.guild(2, "3").await;
    assert!(!is_resumed(&mut bot).await);
    assert!(is_of_a_new_session(&mut bot).await);
    drop(peer);
    let mut peer = server.accept().await;
    assert_eq!(peer.receive().await["op"], 6);
    peer.guild(3, "3").await;
    peer.guild(4, "8").await;
    peer.dispatch("RESUMED", 5, json!({})).await;
    assert!(is_resumed(&mut bot).await);
    assert!(!is_of_a_new_session(&mut bot).await, "it was there before");
    assert!(is_of_a_new_session(&mut bot).await, "it had not come yet");
    peer.send(&json!({"op": 9, "d": false})).await;
    peer.closed().await;
    let mut peer = server.accept_new_session().await;
    peer.guild(2, "8").await;
    assert!(!is_resumed(&mut bot).await);
    assert!(is_of_a_new_session(&mut bot).await);
}

#[tokio::test]
async fn a_connection_that_stays_down_is_told_once_and_so_is_its_return() {
    const SAVE_EVERY: Duration = Duration::from_secs(5);
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let peer = server.accept_new_session().await;
    bot.next_ready().await;
    drop(peer);
    let mut peer = server.accept().await;
    assert_eq!(peer.receive().await["op"], 6);
    for _ in 0..4 {
        server.clock.asleep(1, SAVE_EVERY).await;
        server.clock.advance(SAVE_EVERY);
    }
    server.clock.asleep(1, SAVE_EVERY).await;
    assert_eq!(bot.next().await.event, Event::Disconnected { shard: 0 });
    peer.dispatch("RESUMED", 2, json!({})).await;
    assert_eq!(bot.next_ready().await, "kaiwa");
    server.clock.advance(SAVE_EVERY);
    peer.message(3, "after").await;
    assert_eq!(bot.next_text().await, "after");
}

#[tokio::test]
async fn discord_may_ask_to_reconnect() {
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let mut peer = server.accept_new_session().await;
    bot.next_ready().await;
    peer.send(&json!({"op": 7, "d": null})).await;
    assert_eq!(peer.closed().await, 4000);
    let mut peer = server.accept().await;
    assert_eq!(peer.receive().await["op"], 6);
    peer.dispatch("RESUMED", 2, json!({})).await;
    assert_eq!(bot.next_ready().await, "kaiwa");
}

#[tokio::test]
async fn a_restart_resumes_where_the_last_process_stopped() {
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let mut peer = server.accept_new_session().await;
    bot.next_ready().await;
    peer.message(2, "first").await;
    bot.next_text().await;
    let code = bot.stop(peer).await;
    assert_eq!(code, 4000, "1000 and 1001 would end the session");

    let mut bot = server.bot();
    let mut peer = server.accept().await;
    let resume = peer.receive().await;
    assert_eq!(resume["op"], 6);
    assert_eq!(resume["d"]["seq"], 2);
    peer.message(3, "while we were away").await;
    peer.dispatch("RESUMED", 4, json!({})).await;
    assert_eq!(bot.next_ready().await, "from-rest");
    assert_eq!(bot.next_text().await, "while we were away");
    server.sessions.reaches(4).await;
}

/// Who starts too many sessions has the token reset, so the last ones are not
/// started: nothing but a heartbeat comes until Discord counts anew.
#[tokio::test]
async fn a_session_waits_while_almost_none_are_left() {
    const HOUR: Duration = Duration::from_secs(3600);
    const SAVE_EVERY: Duration = Duration::from_secs(5);
    let mut server = Server::start().await;
    let mut bot = server.bot_with(64, 99, HOUR);
    let mut peer = server.accept().await;
    for _ in 0..3 {
        server.clock.asleep(1, SAVE_EVERY).await;
        server.clock.advance(SAVE_EVERY);
    }
    server.clock.asleep(1, SAVE_EVERY).await;
    // A heartbeat that is asked for is answered before anything else is sent.
    peer.send(&json!({"op": 1, "d": null})).await;
    assert_eq!(peer.receive().await["op"], 1, "no IDENTIFY");
    server.clock.advance(HOUR);
    assert_eq!(peer.receive().await["op"], 2, "an IDENTIFY");
    peer.ready(&server.url()).await;
    // After a minute down and a day it may still be one of the last.
    loop {
        match bot.next().await.event {
            Event::Ready { .. } => break,
            Event::Disconnected { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_session_is_resumed_while_almost_none_are_left() {
    let mut server = Server::start().await;
    server.sessions.put(session(&server, 7, 1));
    let mut bot = server.bot_with(64, 0, Duration::from_secs(3600));
    let mut peer = server.accept().await;
    assert_eq!(peer.receive().await["op"], 6, "a RESUME");
    peer.dispatch("RESUMED", 8, json!({})).await;
    bot.next_ready().await;
}

#[tokio::test]
async fn what_was_not_dealt_with_comes_again() {
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let mut peer = server.accept_new_session().await;
    bot.next_ready().await;
    peer.message(2, "still in hand").await;
    peer.message(3, "done").await;
    peer.dispatch("TYPING_START", 4, json!({})).await;
    let in_hand = bot.next().await;
    assert_eq!(bot.next_text().await, "done");
    bot.stop(peer).await;
    assert_eq!(server.sessions.get().unwrap().sequence, 1);
    drop(in_hand);

    let mut bot = server.bot();
    let mut peer = server.accept().await;
    assert_eq!(peer.receive().await["d"]["seq"], 1);
    peer.message(2, "still in hand").await;
    bot.next_ready().await;
    assert_eq!(bot.next_text().await, "still in hand");
}

#[tokio::test]
async fn progress_is_saved_every_five_seconds() {
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let mut peer = server.accept_new_session().await;
    bot.next_ready().await;
    peer.message(2, "hello").await;
    bot.next_text().await;
    assert_eq!(server.sessions.get().unwrap().sequence, 1);
    server.clock.advance(Duration::from_secs(5));
    server.sessions.reaches(2).await;
}

#[tokio::test]
async fn an_invalid_session_is_replaced() {
    let mut server = Server::start().await;
    server.sessions.put(session(&server, 7, 1));
    let mut bot = server.bot();
    let mut peer = server.accept().await;
    assert_eq!(peer.receive().await["d"]["seq"], 7);
    peer.send(&json!({"op": 9, "d": false})).await;
    peer.closed().await;
    let _peer = server.accept_new_session().await;
    assert_eq!(bot.next_ready().await, "kaiwa");
    server.sessions.reaches(1).await;
    assert_eq!(server.sessions.get().unwrap().id, "session-1");
}

#[tokio::test]
async fn a_session_of_another_shard_count_is_not_resumed() {
    let mut server = Server::start().await;
    server.sessions.put(session(&server, 7, 2));
    let _bot = server.bot();
    server.accept_new_session().await;
}

#[tokio::test]
async fn a_saved_address_that_is_garbled_is_not_used() {
    let mut server = Server::start().await;
    let garbled = Session {
        resume_url: "not an address".to_owned(),
        ..session(&server, 7, 1)
    };
    server.sessions.put(garbled);
    let _bot = server.bot();
    server.accept_new_session().await;
}

#[tokio::test]
async fn fatal_closes_say_what_to_do() {
    for (code, words) in [
        (4004, "check DISCORD_TOKEN"),
        (4011, "restart"),
        (4014, "discord.message_content = false"),
    ] {
        let mut server = Server::start().await;
        let bot = server.bot();
        let mut peer = server.accept().await;
        peer.receive().await;
        peer.close(code).await;
        let error: GatewayError = bot.task.await.unwrap().unwrap_err();
        assert!(error.to_string().contains(words), "{code}: {error}");
    }
}

#[tokio::test]
async fn other_closes_reconnect() {
    for code in [1000, 4000, 4009] {
        let mut server = Server::start().await;
        let mut bot = server.bot();
        let peer = server.accept_new_session().await;
        bot.next_ready().await;
        peer.close(code).await;
        let mut peer = server.accept().await;
        assert_eq!(peer.receive().await["op"], 6, "{code}");
    }
}

#[tokio::test]
async fn heartbeats_flow_while_the_listener_lags() {
    let mut server = Server::start().await;
    let mut bot = server.bot_with_room(1);
    let mut peer = server.accept_new_session().await;
    for sequence in 2..22 {
        peer.message(sequence, &sequence.to_string()).await;
    }
    peer.send(&json!({"op": 1, "d": null})).await;
    let heartbeat = peer.receive().await;
    assert_eq!((&heartbeat["op"], &heartbeat["d"]), (&json!(1), &json!(21)));
    bot.next_ready().await;
    for sequence in 2..22 {
        assert_eq!(bot.next_text().await, sequence.to_string());
    }
}

#[tokio::test]
async fn heartbeats_flow_while_a_session_is_saved() {
    let mut server = Server::start().await;
    server.sessions.stuck.store(true, Ordering::Relaxed);
    let mut bot = server.bot();
    let mut peer = server.accept_new_session().await;
    bot.next_ready().await;
    server.clock.advance(Duration::from_secs(5));
    peer.message(2, "hello").await;
    assert_eq!(bot.next_text().await, "hello");
    peer.send(&json!({"op": 1, "d": null})).await;
    assert_eq!(peer.receive().await["op"], 1);
}

/// How long a connection stays open from which nobody takes anything.
const UNREAD: Duration = Duration::from_secs(10);

/// A bot that was sent so many messages and whose listener took nothing, once
/// its connection is closed. `text` is told the number of each event.
async fn paused(server: &mut Server, messages: u64, text: impl Fn(u64) -> String) -> ListeningBot {
    let mut bot = server.bot_with_room(1);
    let mut peer = server.accept_new_session().await;
    for sequence in 2..2 + messages {
        peer.message(sequence, &text(sequence)).await;
    }
    server.clock.asleep(1, UNREAD).await;
    server.clock.advance(UNREAD);
    assert_eq!(peer.closed().await, 4000, "a code that keeps the session");
    let told = bot.paused.wait_for(|shards| shards.contains(&0)).await;
    assert_eq!(told.unwrap().len(), 1);
    bot
}

/// Takes what a paused bot holds until it is back, and gives its connection and
/// what was heard.
async fn back(server: &mut Server, bot: &mut ListeningBot) -> (Peer, Vec<String>) {
    bot.next_ready().await;
    let mut heard = Vec::new();
    let mut accept = std::pin::pin!(server.accept());
    loop {
        tokio::select! {
            biased;
            text = bot.next_text() => heard.push(text),
            peer = &mut accept => return (peer, heard),
        }
    }
}

#[tokio::test]
async fn what_nobody_takes_is_left_to_discord_and_comes_once_there_is_room() {
    let mut server = Server::start().await;
    let mut bot = paused(&mut server, 1_200, |sequence| sequence.to_string()).await;
    assert_eq!(
        server.sessions.get().unwrap().sequence,
        1,
        "nothing is done"
    );

    let (mut peer, mut heard) = back(&mut server, &mut bot).await;
    let resume = peer.receive().await;
    assert_eq!(
        (&resume["op"], &resume["d"]["session_id"]),
        (&json!(6), &json!("session-1"))
    );
    let held = resume["d"]["seq"].as_u64().unwrap();
    assert!((1_000..1_100).contains(&held), "bounded, but {held}");
    for sequence in held + 1..=1_201 {
        peer.message(sequence, &sequence.to_string()).await;
    }
    peer.dispatch("RESUMED", 1_202, json!({})).await;
    while heard.len() < 1_200 {
        let inbound = bot.next().await;
        inbound.ack.acknowledge();
        match inbound.event {
            Event::Message(message) => heard.push(message.text),
            Event::Ready { resumed, .. } => assert!(resumed, "nothing is lost"),
            _ => {}
        }
    }
    let all: Vec<String> = (2..=1_201).map(|sequence| sequence.to_string()).collect();
    assert_eq!(heard, all, "once and in order");
    assert!(bot.paused.borrow().is_empty());
    server.clock.advance(Duration::from_secs(5));
    server.sessions.reaches(1_202).await;
}

#[tokio::test]
async fn large_events_fill_the_room_sooner() {
    let mut server = Server::start().await;
    let long = "x".repeat(400_000);
    // The last one stays on the wire, where there is room for it.
    let mut bot = paused(&mut server, 22, |_| long.clone()).await;
    let (mut peer, _) = back(&mut server, &mut bot).await;
    let held = peer.receive().await["d"]["seq"].as_u64().unwrap();
    assert_eq!(held, 1 + 21, "READY, and 8 MB");
}

/// Whoever takes something now and then is waited for, connected.
#[tokio::test]
async fn a_listener_that_lags_keeps_its_connection() {
    let mut server = Server::start().await;
    let mut bot = server.bot_with_room(1);
    let mut peer = server.accept_new_session().await;
    for sequence in 2..1_202 {
        peer.message(sequence, &sequence.to_string()).await;
    }
    server.clock.asleep(1, UNREAD).await;
    server.clock.advance(Duration::from_secs(9));
    bot.next_ready().await;
    for sequence in 2..1_202 {
        assert_eq!(bot.next_text().await, sequence.to_string());
    }
    server.clock.advance(Duration::from_secs(9));
    peer.send(&json!({"op": 1, "d": null})).await;
    assert_eq!(peer.receive().await["op"], 1, "the same connection");
    assert!(bot.paused.borrow().is_empty());
}

#[tokio::test]
async fn a_paused_shard_that_is_not_taken_back_begins_anew() {
    let mut server = Server::start().await;
    let mut bot = paused(&mut server, 1_200, |sequence| sequence.to_string()).await;
    let (mut peer, _) = back(&mut server, &mut bot).await;
    assert_eq!(peer.receive().await["op"], 6);
    peer.send(&json!({"op": 9, "d": false})).await;
    peer.closed().await;
    let _peer = server.accept_new_session().await;
    loop {
        if let Event::Ready { resumed, .. } = bot.next().await.event {
            assert!(!resumed, "what was missed has to be read");
            break;
        }
    }
    assert!(bot.paused.borrow().is_empty());
}

/// What is held comes again after a restart, as it is not dealt with.
#[tokio::test]
async fn a_paused_shard_may_stop() {
    let mut server = Server::start().await;
    let bot = paused(&mut server, 1_200, |sequence| sequence.to_string()).await;
    bot.shutdown.cancel();
    assert_eq!(bot.task.await.unwrap(), Ok(()));
    let _bot = server.bot();
    assert_eq!(server.accept().await.receive().await["d"]["seq"], 1);
}

#[tokio::test]
async fn shutdown_does_not_wait_for_a_silent_server() {
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let _peer = server.accept_new_session().await;
    bot.next_ready().await;
    bot.shutdown.cancel();
    let goodbye = Duration::from_secs(2);
    server.clock.asleep(1, goodbye).await;
    server.clock.advance(goodbye);
    assert_eq!(bot.task.await.unwrap(), Ok(()));
    assert_eq!(server.sessions.get().unwrap().sequence, 1);
}

#[tokio::test]
async fn an_unreadable_message_is_passed_over() {
    let mut server = Server::start().await;
    let mut bot = server.bot();
    let mut peer = server.accept_new_session().await;
    bot.next_ready().await;
    peer.dispatch("MESSAGE_CREATE", 2, json!({"id": {}})).await;
    peer.message(3, "readable").await;
    assert_eq!(bot.next_text().await, "readable");
    bot.stop(peer).await;
    assert_eq!(server.sessions.get().unwrap().sequence, 3);
}
