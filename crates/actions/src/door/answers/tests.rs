use std::sync::Arc;

use kaiwa_domain::port::{ActionHost as _, Entrance, SaidMessage};
use kaiwa_domain::{
    Acknowledgement, Author, AuthorKind, Button, ChannelId, GuildId, Interaction, InteractionId,
    InteractionKind, MessageId, PersonalFile, ResponseHandle, Rights, Scope, Timestamp, ToolError,
    Trigger, TurnId, UserId,
};
use kaiwa_twins::{MemoryStore, StagedConversations, StillClock};

use crate::door::tests::{ASKER, BOT, Held, Policy, turn};
use crate::{Door, DoorPorts, Registry};

const GUILD: Scope = Scope::Guild(GuildId::new(3));
const BEN: UserId = UserId::new(900);
const ANSWER: MessageId = MessageId::new(70);
const NOON: i64 = 1_794_783_600_000;
const UNTIL: Timestamp = Timestamp::from_millis(NOON + 60_000);

struct Desk {
    door: Door,
    held: Arc<Held>,
    clock: StillClock,
    conversations: StagedConversations,
}

impl Desk {
    fn new() -> Self {
        let held = Held::new(Rights::ALL, Rights::ALL);
        let clock = StillClock::new(Timestamp::from_millis(NOON));
        let store = Arc::new(MemoryStore::new(Arc::new(clock.clone())));
        let conversations = StagedConversations::default();
        let ports = DoorPorts {
            bot: BOT,
            permissions: held.clone(),
            policies: Arc::new(Policy::default()),
            offers: store.clone(),
            conversations: Arc::new(conversations.clone()),
            audit: store,
            clock: Arc::new(clock.clone()),
        };
        Self {
            door: Door::new(Registry::new(), ports),
            held,
            clock,
            conversations,
        }
    }

    async fn buttons(&self, source: Option<&str>) -> Vec<Button> {
        let said = SaidMessage {
            message: ANSWER,
            source: source.map(str::to_owned),
        };
        let turn = turn(GUILD);
        let buttons = self.door.answer_buttons(&turn, &said, true, UNTIL);
        buttons.await.unwrap()
    }

    /// What somebody reads who uses a button, or why they may not.
    async fn click(&self, button: &Button, user: UserId) -> Result<String, ToolError> {
        let shown = self.reply(button, user, turn(GUILD).channel).await?;
        Ok(shown.shown)
    }

    async fn reply(
        &self,
        button: &Button,
        user: UserId,
        channel: ChannelId,
    ) -> Result<kaiwa_domain::port::ActionReply, ToolError> {
        let id = InteractionId::new(900);
        let interaction = Interaction {
            id,
            handle: ResponseHandle::new(1, String::new()),
            scope: GUILD,
            channel,
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
                message: ANSWER,
            },
        };
        let clicked = kaiwa_domain::Turn {
            id: TurnId::first(Trigger::Component(id)),
            asker: user,
            channel,
            ..turn(GUILD)
        };
        let Some(kaiwa_domain::port::ControlRequest::Call {
            call,
            acknowledgement,
        }) = self.door.request(&clicked, &interaction).await
        else {
            panic!("no such control: {}", button.control);
        };
        // An answer must stay what it says.
        let private = Acknowledgement::Deferred { ephemeral: true };
        assert_eq!(acknowledgement, private);
        let entrance = Entrance::Control { locale: "en-US" };
        self.door.run(&clicked, &call, entrance).await
    }
}

#[tokio::test]
async fn an_answer_is_stopped_by_who_asked_and_by_moderators() {
    let desk = Desk::new();
    let asked = turn(GUILD);
    desk.held.take_away(Rights::MANAGE_MESSAGES);
    let stop = desk.door.stop_button(&asked).unwrap();
    assert_eq!(stop.label, "Stop");
    let over = "That answer is over.";
    assert_eq!(desk.click(&stop, ASKER).await.unwrap(), over);

    let waits = || desk.conversations.waits(asked.channel, asked.id, ASKER);
    waits();
    assert_eq!(desk.click(&stop, BEN).await, Err(ToolError::NotYours));
    assert!(desk.conversations.stopped().is_empty());
    assert_eq!(desk.click(&stop, ASKER).await.unwrap(), "Stopped.");
    assert_eq!(desk.click(&stop, ASKER).await.unwrap(), over);
    waits();
    desk.held.take_away(Rights::NONE);
    assert_eq!(desk.click(&stop, BEN).await.unwrap(), "Stopped.");
    assert_eq!(desk.conversations.stopped(), [Some(ASKER), Some(ASKER)]);
}

#[tokio::test]
async fn another_answer_is_for_who_asked_until_the_button_expires() {
    let desk = Desk::new();
    let [again] = desk.buttons(None).await.try_into().unwrap();
    assert_eq!(again.label, "Regenerate");
    assert_eq!(desk.click(&again, BEN).await, Err(ToolError::NotYours));
    for _ in 0..2 {
        let told = desk.click(&again, ASKER).await.unwrap();
        assert_eq!(told, "I will answer that once more.");
    }
    assert_eq!(desk.conversations.answered_again(), [ANSWER, ANSWER]);
    let elsewhere = desk.reply(&again, ASKER, ChannelId::new(1)).await;
    assert!(matches!(elsewhere, Err(ToolError::Unknown { .. })));
    desk.clock.advance(std::time::Duration::from_secs(60));
    let told = desk.click(&again, ASKER).await.unwrap();
    assert_eq!(told, "This button no longer works.");
    assert_eq!(desk.conversations.answered_again().len(), 2);
}

#[tokio::test]
async fn anybody_reads_what_a_table_was_made_from() {
    let desk = Desk::new();
    let short = "| a | b |\n|---|---|\n| 1 | 2 |\n";
    let long = format!("{short}{}", "| 1 | 2 |\n".repeat(300));
    let fenced = "| a |\n|---|\n| ```x``` |\n";
    for (text, attached) in [(short, false), (&*long, true), (fenced, true)] {
        let [again, source] = desk.buttons(Some(text)).await.try_into().unwrap();
        assert_eq!(source.label, "Show source");
        assert_ne!(again.control, source.control);
        let reply = desk.reply(&source, BEN, turn(GUILD).channel).await.unwrap();
        match attached {
            false => assert_eq!(reply.shown, format!("```md\n{}\n```", text.trim_end())),
            true => assert!(matches!(reply.file, Some(PersonalFile::Source(_)))),
        }
        assert_eq!(reply.file.is_some(), attached);
    }
}

/// The model cannot press a button.
#[tokio::test]
async fn only_people_click() {
    let desk = Desk::new();
    let stop = desk.door.stop_button(&turn(GUILD)).unwrap();
    let (name, arguments) = crate::command::read_control(&stop.control).unwrap();
    let call = kaiwa_domain::ToolCall {
        id: "1".into(),
        name: name.into(),
        arguments: arguments.into(),
        signature: None,
    };
    let entrance = Entrance::Model {
        tainted: false,
        carries: false,
    };
    let refused = desk.door.run(&turn(GUILD), &call, entrance).await;
    assert!(matches!(refused, Err(ToolError::Unknown { .. })));
}
