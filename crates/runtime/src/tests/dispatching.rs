//! What becomes of single events.

use std::sync::Arc;

use kaiwa_domain::port::{Ack, Inbound};
use kaiwa_domain::{
    Author, AuthorKind, ChannelKind, ChannelSnapshot, Event, Message, MessageId, Notice, Reply,
    Scope,
};
use kaiwa_pipeline::deliver::Degree;
use tokio::sync::mpsc;

use super::world::{CHANNEL, Scenario, World};
use crate::dispatch::Dispatch;
use crate::signals::Signals;
use crate::{Bot, Tasks};

pub(super) fn world(direct: bool) -> World {
    World::new(&Scenario {
        name: "",
        lines: vec!["One."],
        action: None,
        degree: Degree::Lines,
        direct,
        lookup: None,
        buttons: false,
    })
}

/// A dispatcher, and its tasks.
pub(super) fn dispatch(bot: &Arc<Bot>) -> (Dispatch, Tasks) {
    let tasks = Tasks::new();
    let (join_ins, _) = mpsc::channel(1);
    let dispatch = Dispatch::new(bot.clone(), tasks.clone(), Signals::default(), join_ins);
    (dispatch, tasks)
}

pub(super) async fn take(dispatch: &mut Dispatch, event: Event) {
    let ack = Ack::none();
    dispatch.take(Inbound { event, ack }).await;
}

/// What somebody said by a webhook, of which only the store knows whether it
/// was a persona of ours.
fn reply_to_a_webhook(world: &World) -> Message {
    let webhook = Author {
        kind: AuthorKind::Webhook,
        ..world.question.author.clone()
    };
    let target = Message {
        id: MessageId::new(7),
        author: webhook,
        ..world.question.clone()
    };
    world.chat.say(Message {
        mentions: Vec::new(),
        reply: Some(Reply {
            to: target.id,
            target: Some(Box::new(target)),
        }),
        ..world.question.clone()
    })
}

#[tokio::test]
async fn what_the_gate_goes_by_is_gathered_once() {
    let world = world(false);
    let bot = Arc::new(world.bot());
    let (mut dispatch, _) = dispatch(&bot);
    let turn = world.admitted(&bot).turn();
    for waited_for in [false, true] {
        let _wait = waited_for.then(|| bot.waiting.wait(&turn));
        let before = world.store.speaker_lookups();
        take(&mut dispatch, Event::Message(reply_to_a_webhook(&world))).await;
        assert_eq!(world.store.speaker_lookups() - before, 1, "{waited_for}");
    }
}

/// Discord has no bots in groups, so nothing but this shows what would be said.
#[tokio::test]
async fn a_group_is_told_once_that_this_is_not_the_place() {
    let world = world(true);
    let bot = Arc::new(world.bot());
    let (mut dispatch, tasks) = dispatch(&bot);
    let scope = world.question.scope;
    assert!(matches!(scope, Scope::Dm(_)));
    let channel = ChannelSnapshot {
        kind: ChannelKind::GroupDm,
        ..ChannelSnapshot::new(CHANNEL)
    };
    take(&mut dispatch, Event::Channel { scope, channel }).await;
    let chatter = world.chat.say(Message {
        mentions: Vec::new(),
        ..world.question.clone()
    });
    take(&mut dispatch, Event::Message(chatter)).await;
    for _ in 0..2 {
        let addressed = world.chat.say(world.question.clone());
        take(&mut dispatch, Event::Message(addressed)).await;
    }
    drop(dispatch);
    tasks.ended().await;
    let said: Vec<String> = world
        .chat
        .said(CHANNEL)
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    assert_eq!(said, [Notice::WrongPlace.text()]);
    assert_eq!(world.asked(), 0);
}
