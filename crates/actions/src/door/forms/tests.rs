//! Who gets a form, and what anybody else hears instead.

use std::sync::Arc;
use std::time::Duration;

use std::sync::Mutex;

use kaiwa_domain::port::{ActionHost, ActionPolicy, ActionReply, ControlRequest, Pending};
use kaiwa_domain::{
    Author, AuthorKind, CommandCall, GuildId, InteractionId, MessageId, RateClass, ResponseHandle,
    Rights, RightsHolder, Timestamp, ToolError, Trigger, TurnId,
};
use kaiwa_twins::{MemoryStore, StagedConversations, StillClock};
use schemars::JsonSchema;
use serde::Deserialize;

use super::*;
use crate::door::DoorPorts;
use crate::door::tests::{ASKER, BOT, Held, Policy, turn};
use crate::{Action, Availability, Declaration, Done, EffectClass, Grant, Registry};

const GUILD: Scope = Scope::Guild(GuildId::new(3));
const DM: Scope = Scope::Dm(ASKER);
const PIN: Rights = Rights::MANAGE_MESSAGES;

/// Writes a letter, for which a form asks; the draft is there already.
struct Letter(Declaration);

#[derive(Deserialize, JsonSchema)]
struct LetterArguments {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct DraftArguments {
    name: String,
    #[serde(default)]
    text: Option<String>,
}

const LETTER: Declaration = Declaration {
    place: Availability::Guild,
    asker_needs: PIN,
    bot_needs: Rights::VIEW_CHANNEL,
    class: EffectClass::Changes,
    rate: Some(RateClass::Moderation),
    ..Declaration::reading("letter", "Writes a letter.").as_command(CommandEntrance {
        form: &["text"],
        ..CommandEntrance::private("letter")
    })
};

impl Action for Letter {
    type Arguments = LetterArguments;

    fn declaration(&self) -> Declaration {
        self.0
    }

    fn run<'a>(
        &'a self,
        _: Grant<'a>,
        LetterArguments { text }: LetterArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            if text == "endless" {
                std::future::pending::<()>().await;
            }
            Ok(Done::new(format!("wrote {text}")))
        })
    }
}

struct Draft(Declaration);

impl Action for Draft {
    type Arguments = DraftArguments;

    fn declaration(&self) -> Declaration {
        let command = CommandEntrance {
            completes: Some("name"),
            fills_in: &["text"],
            ..CommandEntrance::private("draft")
        };
        Declaration {
            name: "draft",
            command: Some(command),
            ..self.0
        }
    }

    fn current<'a>(
        &'a self,
        _: Scope,
        arguments: &'a DraftArguments,
    ) -> Pending<'a, Vec<(&'static str, String)>> {
        let there = format!("Dear {}", arguments.name);
        Box::pin(std::future::ready(vec![("text", there)]))
    }

    fn run<'a>(
        &'a self,
        _: Grant<'a>,
        arguments: DraftArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        let text = arguments.text.unwrap_or_default();
        Box::pin(std::future::ready(Ok(Done::new(format!("wrote {text}")))))
    }
}

fn door(declaration: Declaration, held: Arc<Held>, off: &[&str]) -> Door {
    let clock = Arc::new(StillClock::new(Timestamp::from_millis(1_794_783_600_000)));
    let store = Arc::new(MemoryStore::new(clock.clone()));
    let off = off.iter().map(|it| (*it).to_owned()).collect();
    let registry = Registry::new()
        .with(Letter(declaration))
        .with(Draft(declaration));
    let ports = DoorPorts {
        bot: BOT,
        permissions: held,
        policies: Arc::new(Policy(Mutex::new(ActionPolicy {
            off,
            ..ActionPolicy::default()
        }))),
        offers: store.clone(),
        conversations: Arc::new(StagedConversations::default()),
        audit: store,
        clock,
    };
    Door::new(registry, ports)
}

fn interaction(scope: Scope, kind: InteractionKind) -> Interaction {
    Interaction {
        id: InteractionId::new(900),
        handle: ResponseHandle::new(1, String::new()),
        scope,
        channel: turn(scope).channel,
        user: Author {
            id: ASKER,
            name: "somebody".into(),
            kind: AuthorKind::Human,
            roles: Vec::new(),
        },
        locale: "en-US".into(),
        kind,
    }
}

fn used(command: &str, arguments: &str) -> InteractionKind {
    InteractionKind::Command(CommandCall {
        name: command.into(),
        arguments: arguments.into(),
    })
}

/// What somebody gets for a control: a form, or what they hear.
async fn gets(
    door: &Door,
    scope: Scope,
    kind: InteractionKind,
) -> Result<Form, Result<ActionReply, ToolError>> {
    let interaction = interaction(scope, kind);
    let turn = Turn {
        id: TurnId::first(Trigger::Interaction(interaction.id)),
        ..turn(scope)
    };
    match door.request(&turn, &interaction).await.unwrap() {
        ControlRequest::Form(form) => Ok(form),
        ControlRequest::Call { call, .. } => {
            let entrance = Entrance::Control { locale: "en-US" };
            Err(door.run(&turn, &call, entrance).await)
        }
    }
}

/// All the ways to a form, with what it begins with.
fn ways() -> [(InteractionKind, &'static str); 3] {
    let button = InteractionKind::Component {
        control: "k1/letter/{}".into(),
        values: Vec::new(),
        message: MessageId::new(9),
    };
    [
        (used("letter", "{}"), ""),
        (button, ""),
        (used("draft", r#"{"name":"Ben"}"#), "Dear Ben"),
    ]
}

#[tokio::test]
async fn a_form_is_for_whoever_may_and_anybody_else_hears_why_not() {
    let all = || Held::new(Rights::ALL, Rights::ALL);
    let lacks = |who, missing| ToolError::Lacking { who, missing };
    for (kind, value) in ways() {
        let form = gets(&door(LETTER, all(), &[]), GUILD, kind.clone()).await;
        assert_eq!(form.unwrap().fields[0].value, value);

        let check = async |door: Door, scope, expected: ToolError| {
            let heard = gets(&door, scope, kind.clone()).await;
            assert_eq!(heard.unwrap_err(), Err(expected), "{kind:?}");
        };
        let no_pin = Held::new(Rights::ALL.without(PIN), Rights::ALL);
        let expected = lacks(RightsHolder::Asker, PIN);
        check(door(LETTER, no_pin, &[]), GUILD, expected).await;
        let blind = Held::new(Rights::ALL, Rights::NONE);
        let expected = lacks(RightsHolder::Bot, Rights::VIEW_CHANNEL);
        check(door(LETTER, blind, &[]), GUILD, expected).await;
        let off = door(LETTER, all(), &["letter", "draft"]);
        check(off, GUILD, ToolError::SwitchedOff).await;
        let name = match &kind {
            InteractionKind::Command(call) => call.name.clone(),
            _ => "letter".to_owned(),
        };
        let elsewhere = ToolError::Unknown { name };
        check(door(LETTER, all(), &[]), DM, elsewhere).await;
        let busy = door(LETTER, all(), &[]);
        let (most, wait) = RateClass::Moderation.default_limit();
        for _ in 0..most {
            let sent = used("draft", r#"{"name":"Ben","text":"x"}"#);
            assert!(gets(&busy, GUILD, sent).await.unwrap_err().is_ok());
        }
        check(busy, GUILD, ToolError::TooOften { wait }).await;
    }
}

#[tokio::test]
async fn what_runs_alone_has_no_form_meanwhile() {
    let alone = Declaration {
        alone: true,
        timeout: Duration::from_secs(60),
        ..LETTER
    };
    let door = door(alone, Held::new(Rights::ALL, Rights::ALL), &[]);
    let endless = gets(&door, GUILD, used("letter", r#"{"text":"endless"}"#));
    tokio::pin!(endless);
    assert!(is_waiting(endless.as_mut()).await);
    let heard = gets(&door, GUILD, used("letter", "{}")).await;
    assert_eq!(heard.unwrap_err(), Err(ToolError::Running));
}

/// Whether a future has more to wait for after its first step.
async fn is_waiting<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
    std::future::poll_fn(|context| {
        let pending = future.as_mut().poll(context).is_pending();
        std::task::Poll::Ready(pending)
    })
    .await
}

#[tokio::test]
async fn what_comes_back_is_asked_again() {
    let held = Held::new(Rights::ALL, Rights::ALL);
    let door = door(LETTER, held.clone(), &[]);
    let form = gets(&door, GUILD, used("letter", "{}")).await.unwrap();
    let filled = |fields: &str| InteractionKind::Form {
        control: form.control.clone(),
        fields: fields.to_owned(),
    };
    held.take_away(PIN);
    let heard = gets(&door, GUILD, filled(r#"{"text":"x"}"#)).await;
    let (who, missing) = (RightsHolder::Asker, PIN);
    let lacking = ToolError::Lacking { who, missing };
    assert_eq!(heard.unwrap_err(), Err(lacking));
    held.take_away(Rights::NONE);
    let heard = gets(&door, GUILD, filled(r#"{"text":"x"}"#)).await;
    assert_eq!(heard.unwrap_err().unwrap().told, "wrote x");
    // A form is never the answer to one.
    let heard = gets(&door, GUILD, filled("{}")).await.unwrap_err();
    assert!(matches!(heard, Err(ToolError::BadArguments { .. })));
}
