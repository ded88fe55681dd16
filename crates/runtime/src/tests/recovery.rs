//! What is left of a turn that has ended.

use kaiwa_domain::port::{Progress, Store as _};
use kaiwa_domain::{
    ChatError, Disposition, Effect, EffectBody, EffectState, Ending, Outgoing, PersonaId,
};

use kaiwa_pipeline::deliver::Degree;

use super::world::{CHANNEL, Scenario, World};
use crate::recover::{QuestionNow, question, resume, unfinished};
use crate::signals::Signals;

/// A world whose model says one line.
fn world(name: &'static str) -> World {
    World::new(&Scenario {
        name,
        lines: vec!["one"],
        degree: Degree::Lines,
        direct: false,
        lookup: None,
        buttons: false,
        action: None,
    })
}

/// The turn is over, and a post of it is refused: nothing can be added to it.
#[test]
fn a_refused_post_of_an_ended_turn_is_left_at_that() {
    let world = world("ended");
    let bot = world.bot();
    let turn = world.admitted(&bot).turn();
    let effects = [Effect {
        turn: turn.id,
        index: 0,
        scope: turn.scope,
        channel: CHANNEL,
        persona: PersonaId::MAIN,
        identity: None,
        body: EffectBody::Say {
            outgoing: Outgoing::Say("one".to_owned()),
            reply_to: None,
        },
        state: EffectState::Queued,
        queued_at: turn.admitted_at,
        pings: kaiwa_domain::Pings::default(),
    }];
    let ended = Progress::Ended(Ending::Done);
    let queued = world.store.queue(turn.scope, turn.id, &effects, ended);
    world.poll(queued, usize::MAX).unwrap().unwrap();
    world.chat.refuse(Some(ChatError::Refused {
        code: 50_035,
        message: "Invalid Form Body".to_owned(),
        disposition: Disposition::GiveUp,
    }));

    let left = world.poll(unfinished(&bot), usize::MAX).unwrap().unwrap();
    let [left] = <[_; 1]>::try_from(left).unwrap();
    let signals = Signals::default();
    let resumed = world.poll(resume(&bot, &signals, left), usize::MAX);
    assert_eq!(resumed.unwrap(), Ok(()));
    assert!(!world.store.has_work());
    assert_eq!(world.chat.said(CHANNEL), []);
}

/// Lines that wait to be sent are not held up by reading.
#[test]
fn few_questions_are_read_again_at_once() {
    let world = world("reading");
    let bot = world.bot();
    let turn = world.admitted(&bot).turn();
    let signals = Signals::default();
    let asked = (0..9).map(|_| question(&bot, &signals, &turn, None));
    let asked = world.poll(futures_util::future::join_all(asked), usize::MAX);
    let stands = |it: &QuestionNow| matches!(it, QuestionNow::Stands(_));
    assert!(asked.unwrap().iter().all(stands));
    assert_eq!(world.chat.most_read(), 2);
}
