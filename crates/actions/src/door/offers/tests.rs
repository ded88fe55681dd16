//! What waits for a click, and for whose.

use std::sync::{Arc, Mutex};

use kaiwa_domain::port::{
    ActionHost, ActionLog, ActionPolicy, ControlRequest, Entrance, Offers, Pending,
};
use kaiwa_domain::{
    Acknowledgement, Author, AuthorKind, GuildId, Interaction, InteractionId, InteractionKind,
    MessageId, ResponseHandle, Rights, Scope, Trigger, TurnId,
};
use kaiwa_twins::{MemoryStore, StillClock};
use schemars::JsonSchema;

use super::*;
use crate::door::tests::{ASKER, BOT, Held, MODEL_ASKED, Policy, call, turn};
use crate::{Action, Declaration, Done, DoorPorts, EffectClass, Grant, Registry};

const GUILD: Scope = Scope::Guild(GuildId::new(3));
const STRANGER: UserId = UserId::new(77);
const TAINTED: Entrance<'static> = Entrance::Model {
    tainted: true,
    carries: false,
};
const CARRYING: Entrance<'static> = Entrance::Model {
    tainted: true,
    carries: true,
};

/// Writes a line down, and can strike it out.
struct Write {
    declaration: Declaration,
    lines: Arc<Mutex<Vec<String>>>,
    undo: bool,
}

#[derive(Deserialize, JsonSchema)]
struct WriteArguments {
    line: String,
}

impl Action for Write {
    type Arguments = WriteArguments;

    fn declaration(&self) -> Declaration {
        self.declaration
    }

    fn run<'a>(
        &'a self,
        _: Grant<'a>,
        WriteArguments { line }: WriteArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            self.lines.lock().unwrap().push(line.clone());
            let done = Done::new(format!("wrote {line}"));
            let struck = serde_json::json!({ "line": format!("-{line}") });
            Ok(match self.undo {
                true => done.undone_by("write", &struck),
                false => done,
            })
        })
    }
}

struct Desk {
    door: Door,
    store: Arc<MemoryStore>,
    clock: Arc<StillClock>,
    held: Arc<Held>,
    policy: Arc<Policy>,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Desk {
    fn new(class: EffectClass, settlement: Settlement, undo: bool) -> Self {
        Self::under(ActionPolicy::default(), class, settlement, undo)
    }

    fn under(policy: ActionPolicy, class: EffectClass, settlement: Settlement, undo: bool) -> Self {
        let held = Held::new(Rights::ALL, Rights::ALL);
        let clock = Arc::new(StillClock::new(Timestamp::from_millis(1_794_783_600_000)));
        let store = Arc::new(MemoryStore::new(clock.clone()));
        let lines = Arc::new(Mutex::default());
        let registry = Registry::new().with(Write {
            declaration: Declaration {
                class,
                settlement,
                asker_needs: Rights::ADD_REACTIONS,
                ..Declaration::reading("write", "Writes it down.")
            },
            lines: Arc::clone(&lines),
            undo,
        });
        let policy = Arc::new(Policy(Mutex::new(policy)));
        let ports = DoorPorts {
            bot: BOT,
            permissions: held.clone(),
            policies: policy.clone(),
            offers: store.clone(),
            conversations: Arc::new(kaiwa_twins::StagedConversations::default()),
            audit: store.clone(),
            clock: clock.clone(),
        };
        Self {
            door: Door::new(registry, ports),
            store,
            clock,
            held,
            policy,
            lines,
        }
    }

    fn of(class: EffectClass) -> Self {
        Self::new(class, Settlement::Idempotent, false)
    }

    async fn ask(&self, line: &str, entrance: Entrance<'_>) -> ActionReply {
        let arguments = format!(r#"{{"line": "{line}"}}"#);
        let call = call("write", &arguments);
        self.door.run(&turn(GUILD), &call, entrance).await.unwrap()
    }

    /// Somebody uses a button, as interaction number `id`.
    async fn click(
        &self,
        button: &Button,
        user: UserId,
        id: u64,
    ) -> (Acknowledgement, Result<ActionReply, ToolError>) {
        let id = InteractionId::new(id);
        let interaction = Interaction {
            id,
            handle: ResponseHandle::new(1, String::new()),
            scope: GUILD,
            channel: turn(GUILD).channel,
            user: Author {
                id: user,
                name: "somebody".into(),
                kind: AuthorKind::Human,
                roles: Vec::new(),
            },
            locale: "en-US".into(),
            kind: InteractionKind::Component {
                control: button.control.clone(),
                values: Vec::new(),
                message: MessageId::new(9),
            },
        };
        let turn = Turn {
            id: TurnId::first(Trigger::Component(id)),
            asker: user,
            ..turn(GUILD)
        };
        let Some(ControlRequest::Call {
            call,
            acknowledgement,
        }) = self.door.request(&turn, &interaction).await
        else {
            panic!("{button:?} is no call");
        };
        let entrance = Entrance::Control { locale: "en-US" };
        let outcome = self.door.run(&turn, &call, entrance).await;
        (acknowledgement, outcome)
    }

    async fn shown_after(&self, button: &Button, id: u64) -> String {
        self.click(button, ASKER, id).await.1.unwrap().shown
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }
}

#[tokio::test]
async fn what_asks_first_depends_on_what_it_does_and_on_whose_word() {
    use EffectClass::{Changes, Dangerous, Reads, ReadsPrivate, Speaks};
    for (class, entrance, asks) in [
        (Reads, TAINTED, false),
        // It sends nothing away.
        (Reads, CARRYING, false),
        (Speaks, TAINTED, false),
        (ReadsPrivate, MODEL_ASKED, false),
        (ReadsPrivate, TAINTED, true),
        (Changes, MODEL_ASKED, false),
        (Changes, TAINTED, true),
        (Dangerous, MODEL_ASKED, true),
        (Dangerous, TAINTED, true),
    ] {
        let desk = Desk::of(class);
        let reply = desk.ask("tea", entrance).await;
        assert_eq!(reply.waits.is_some(), asks, "{class:?} {entrance:?}");
        assert_eq!(reply.buttons.len(), if asks { 2 } else { 0 });
        assert_eq!(desk.lines().is_empty(), asks, "{class:?} {entrance:?}");
    }
}

#[tokio::test]
async fn a_click_of_the_asker_does_it_once() {
    let desk = Desk::of(EffectClass::Dangerous);
    let reply = desk.ask("tea", MODEL_ASKED).await;
    assert!(reply.told.contains("Not done yet"), "{}", reply.told);
    let [approve, cancel] = &reply.buttons[..] else {
        panic!("{reply:?}");
    };
    let (acknowledgement, outcome) = desk.click(approve, STRANGER, 100).await;
    let alone = Acknowledgement::Deferred { ephemeral: true };
    assert_eq!(
        (acknowledgement, outcome),
        (alone, Err(ToolError::NotYours))
    );
    assert!(desk.lines().is_empty());

    let (acknowledgement, outcome) = desk.click(approve, ASKER, 101).await;
    assert_eq!(acknowledgement, Acknowledgement::Unchanged);
    assert_eq!(outcome.unwrap().shown, "wrote tea");
    // Neither a second click nor another button changes that.
    assert_eq!(desk.shown_after(approve, 102).await, "");
    assert_eq!(desk.shown_after(cancel, 103).await, "");
    assert_eq!(desk.lines(), ["tea"]);
}

#[tokio::test]
async fn what_is_cancelled_or_late_is_not_done() {
    let desk = Desk::of(EffectClass::Dangerous);
    let reply = desk.ask("tea", MODEL_ASKED).await;
    let cancelled = desk.shown_after(&reply.buttons[1], 100).await;
    assert_eq!(cancelled, "Cancelled. Nothing was done.");
    assert_eq!(desk.shown_after(&reply.buttons[0], 101).await, "");

    let late = desk.ask("late tea", MODEL_ASKED).await;
    desk.clock.advance(CONFIRMED_WITHIN);
    let expired = desk.shown_after(&late.buttons[0], 102).await;
    assert_eq!(expired, desk.door.expired("en-US"));
    assert!(desk.lines().is_empty());
}

#[tokio::test]
async fn rights_are_looked_up_when_it_is_done() {
    let desk = Desk::of(EffectClass::Dangerous);
    let reply = desk.ask("tea", MODEL_ASKED).await;
    desk.held.take_away(Rights::ADD_REACTIONS);
    let (_, outcome) = desk.click(&reply.buttons[0], ASKER, 100).await;
    assert!(matches!(outcome, Err(ToolError::Lacking { .. })));
    assert!(desk.lines().is_empty());
}

#[tokio::test]
async fn a_click_that_was_cut_short_is_settled_by_the_kind_of_the_action() {
    for (settlement, lines) in [(Settlement::Idempotent, 2), (Settlement::AtMostOnce, 1)] {
        let desk = Desk::new(EffectClass::Dangerous, settlement, false);
        let reply = desk.ask("tea", MODEL_ASKED).await;
        // The same turn again, as after a crash.
        desk.shown_after(&reply.buttons[0], 100).await;
        desk.shown_after(&reply.buttons[0], 100).await;
        assert_eq!(desk.lines().len(), lines, "{settlement:?}");
    }
}

#[tokio::test]
async fn what_was_done_can_be_taken_back_for_a_day() {
    let desk = Desk::new(EffectClass::Changes, Settlement::Idempotent, true);
    let reply = desk.ask("tea", MODEL_ASKED).await;
    let undo = &reply.buttons[0];
    assert_eq!((undo.label.as_str(), reply.waits), ("Undo", None));
    let (_, outcome) = desk.click(undo, STRANGER, 100).await;
    assert_eq!(outcome, Err(ToolError::NotYours));
    desk.shown_after(undo, 101).await;
    assert_eq!(desk.lines(), ["tea", "-tea"]);

    let reply = desk.ask("late tea", MODEL_ASKED).await;
    desk.clock.advance(UNDONE_WITHIN);
    // It says again and again that nothing was taken back.
    for id in [102, 103] {
        let told = desk.shown_after(&reply.buttons[0], id).await;
        assert_eq!(told, "That is too long ago. Nothing was done.");
    }
    assert_eq!(desk.lines(), ["tea", "-tea", "late tea"]);
}

#[tokio::test]
async fn a_button_stands_for_one_call_alone() {
    let desk = Desk::of(EffectClass::Dangerous);
    let reply = desk.ask("tea", MODEL_ASKED).await;
    let id = reply.waits.unwrap();
    let (offer, _) = desk.store.offer(GUILD, id).await.unwrap().unwrap();
    assert_eq!(digest_of(&offer), id);
    let others = [
        Offer {
            arguments: r#"{"line": "coffee"}"#.into(),
            ..offer.clone()
        },
        Offer {
            asker: STRANGER,
            ..offer.clone()
        },
        Offer {
            kind: OfferKind::Undo,
            ..offer
        },
    ];
    for other in others {
        assert_ne!(digest_of(&other), id, "{other:?}");
    }
}

#[tokio::test]
async fn a_model_cannot_click() {
    let desk = Desk::of(EffectClass::Dangerous);
    let reply = desk.ask("tea", MODEL_ASKED).await;
    let offer = reply.waits.unwrap();
    let arguments = format!(r#"{{"offer": "{offer}", "by": "{ASKER}"}}"#);
    for name in ["approve", "undo", "cancel"] {
        let call = call(name, &arguments);
        let outcome = desk.door.run(&turn(GUILD), &call, MODEL_ASKED).await;
        assert!(matches!(outcome, Err(ToolError::Unknown { .. })), "{name}");
    }
    assert!(desk.lines().is_empty());
}

#[tokio::test]
async fn what_changes_something_is_on_record() {
    let since = Timestamp::from_millis(0);
    for (class, recorded) in [(EffectClass::Reads, 0), (EffectClass::Changes, 1)] {
        let desk = Desk::of(class);
        desk.ask("tea", MODEL_ASKED).await;
        let audited = desk.store.audited(GUILD, since, 9).await.unwrap();
        assert_eq!(audited.len(), recorded, "{class:?}");
        for entry in audited {
            assert_eq!((entry.asker, entry.result.as_str()), (ASKER, "wrote tea"));
        }
    }
}

/// The model has no other way to learn what a click let it look up.
#[tokio::test]
async fn what_was_looked_up_after_a_click_is_known_to_later_answers() {
    let desk = Desk::of(EffectClass::ReadsPrivate);
    let reply = desk.ask("tea", TAINTED).await;
    desk.click(&reply.buttons[0], ASKER, 100).await.1.unwrap();
    let since = Timestamp::from_millis(0);
    let audited = desk.store.audited(GUILD, since, 9).await.unwrap();
    let [entry] = &audited[..] else {
        panic!("{audited:?}");
    };
    assert_eq!(entry.result, "wrote tea");
    // Nothing was changed that moderators would have to hear of.
    assert_eq!(desk.door.report(entry), None);
}

/// Everybody but the asker holds what the bot holds, see [`Held`].
#[tokio::test]
async fn a_moderator_confirms_for_others_where_that_is_allowed() {
    let policy = ActionPolicy {
        moderators_confirm: true,
        ..ActionPolicy::default()
    };
    let class = EffectClass::Dangerous;
    let desk = Desk::under(policy, class, Settlement::Idempotent, false);
    let reply = desk.ask("tea", MODEL_ASKED).await;
    // With the asker's rights, not with their own.
    desk.held.take_away(Rights::ADD_REACTIONS);
    let (_, outcome) = desk.click(&reply.buttons[0], STRANGER, 100).await;
    assert!(matches!(outcome, Err(ToolError::Lacking { .. })));
    desk.held.take_away(Rights::NONE);
    let reply = desk.ask("more tea", MODEL_ASKED).await;
    let (_, outcome) = desk.click(&reply.buttons[0], STRANGER, 101).await;
    assert_eq!(outcome.unwrap().shown, "wrote more tea");
    desk.held.take_away(Rights::MANAGE_MESSAGES);
    let reply = desk.ask("last tea", MODEL_ASKED).await;
    let (_, outcome) = desk.click(&reply.buttons[0], STRANGER, 102).await;
    assert_eq!(outcome, Err(ToolError::NotYours));
}

#[tokio::test]
async fn what_is_switched_off_is_neither_shown_nor_done() {
    let policy = ActionPolicy {
        off: vec!["write".into()],
        ..ActionPolicy::default()
    };
    let desk = Desk::under(policy, EffectClass::Reads, Settlement::Idempotent, false);
    assert!(desk.door.tools(&turn(GUILD)).await.is_empty());
    let call = call("write", r#"{"line": "tea"}"#);
    let outcome = desk.door.run(&turn(GUILD), &call, MODEL_ASKED).await;
    assert_eq!(outcome, Err(ToolError::SwitchedOff));
    let told = desk.door.explain(&ToolError::SwitchedOff, "en-US");
    assert_eq!(told, "That is switched off here.");
}

/// Also if it was asked for, or done, before.
#[tokio::test]
async fn what_is_switched_off_meanwhile_is_not_done_after_a_click() {
    for (class, undo) in [
        (EffectClass::Dangerous, false),
        (EffectClass::Changes, true),
    ] {
        let desk = Desk::new(class, Settlement::Idempotent, undo);
        let reply = desk.ask("tea", MODEL_ASKED).await;
        let before = desk.lines();
        desk.policy.0.lock().unwrap().off.push("write".into());
        let (_, outcome) = desk.click(&reply.buttons[0], ASKER, 100).await;
        assert_eq!(outcome, Err(ToolError::SwitchedOff), "{class:?}");
        assert_eq!(desk.lines(), before);
    }
}
