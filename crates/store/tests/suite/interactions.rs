//! Interactions: what they can be answered with, and the answers.

use kaiwa_domain::port::Store;
use kaiwa_domain::{
    Button, ButtonLook, EffectBody, InteractionId, OfferId, ResponseHandle, Timestamp, Trigger,
    TurnId, UserId,
};

use super::{AWAY, Engine, HOME, admit, effect, only, queue, turn};

const COMMAND: InteractionId = InteractionId::new(5);

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

pub(super) async fn a_handle_is_kept_while_it_can_be_used<E: Engine>(engine: E) {
    let store = engine.open().await;
    let handle = ResponseHandle::new(7, "token".to_owned());
    store
        .keep_handle(HOME, COMMAND, &handle, at(900))
        .await
        .unwrap();
    // An interaction that comes twice has one handle.
    let other = ResponseHandle::new(8, "other".to_owned());
    store
        .keep_handle(HOME, COMMAND, &other, at(999))
        .await
        .unwrap();
    let found = store.handle(HOME, COMMAND, at(899)).await;
    assert_eq!(found, Ok(Some(handle)));
    for (scope, interaction, now) in [
        (HOME, COMMAND, 900),
        (AWAY, COMMAND, 0),
        (HOME, InteractionId::new(6), 0),
    ] {
        let found = store.handle(scope, interaction, at(now)).await;
        assert_eq!(found, Ok(None), "{scope} {interaction} {now}");
    }
}

pub(super) async fn an_answer_comes_back_with_its_buttons<E: Engine>(engine: E) {
    let store = engine.open().await;
    let mut command = turn(HOME, 1);
    command.id = TurnId::first(Trigger::Interaction(COMMAND));
    admit(&*store, &command).await;
    let looks = [
        ButtonLook::Primary,
        ButtonLook::Secondary,
        ButtonLook::Danger,
    ];
    let buttons = looks.map(|look| Button {
        control: format!("k1/stop/{look:?}"),
        label: "停止".to_owned(),
        look,
    });
    let body = EffectBody::Respond {
        text: "Done.".to_owned(),
        buttons: buttons.to_vec(),
        waits: Some(OfferId::new(8)),
        undo: Some(OfferId::new(7)),
        file: Some(kaiwa_domain::PersonalFile::Facts(UserId::new(30))),
    };
    let answer = effect(&command, 0, body);
    queue(&*store, &answer).await.unwrap();
    assert_eq!(only(&*store).await.effects, [answer]);
}

pub(super) async fn the_last_question_of_a_channel_is_known<E: Engine>(engine: E) {
    let store = engine.open().await;
    let ada = turn(HOME, 10);
    let mut again = ada.clone();
    again.id.take = 1;
    let mut ben = turn(HOME, 20);
    ben.asker = UserId::new(31);
    let away = turn(AWAY, 30);
    for turn in [&ada, &again, &ben, &away] {
        admit(&*store, turn).await;
    }
    // What is said about a stop is no question, and neither is a command.
    let about = turn(HOME, 40);
    store.admit(&about, Some("you were stopped")).await.unwrap();
    let mut command = turn(HOME, 1);
    command.id = TurnId::first(Trigger::Interaction(COMMAND));
    admit(&*store, &command).await;
    for (asker, expected) in [
        (Some(ada.asker), Some(again.id)),
        (Some(ben.asker), Some(ben.id)),
        (None, Some(ben.id)),
        (Some(UserId::new(99)), None),
    ] {
        let last = store.last_turn(HOME, ada.channel, asker).await.unwrap();
        assert_eq!(last.map(|turn| turn.id), expected, "{asker:?}");
    }
}
