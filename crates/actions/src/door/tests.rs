//! Who gets through the door, and who does not.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use kaiwa_domain::{
    ChannelId, Disposition, GuildId, MessageId, Moment, PersonaId, RoleId, Scope, Standing,
    Timestamp, TurnId, TurnState,
};
use kaiwa_twins::MemoryStore;
use schemars::JsonSchema;
use serde::Deserialize;

use super::*;
use crate::{Action, Availability, CommandEntrance, EffectClass, Needs};

pub(crate) const ASKER: UserId = UserId::new(1);
pub(crate) const BOT: UserId = UserId::new(2);
const GUILD: Scope = Scope::Guild(GuildId::new(3));
const DM: Scope = Scope::Dm(ASKER);

pub(crate) fn turn(scope: Scope) -> Turn {
    Turn {
        id: TurnId::of_message(MessageId::new(7)),
        scope,
        channel: ChannelId::new(5),
        asker: ASKER,
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: Timestamp::from_millis(0),
    }
}

pub(crate) fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: "1".into(),
        name: name.into(),
        arguments: arguments.into(),
        signature: None,
    }
}

/// What two people may do, and who was asked about.
pub(crate) struct Held {
    asker: Result<Rights, ChatError>,
    bot: Result<Rights, ChatError>,
    asked: Mutex<Vec<UserId>>,
    lost: Mutex<Rights>,
    /// Whether it is known without asking.
    pub(crate) known: AtomicBool,
}

impl Held {
    pub(crate) fn new(asker: Rights, bot: Rights) -> Arc<Self> {
        Self::told(Ok(asker), Ok(bot))
    }

    /// The asker may not do this any more.
    pub(crate) fn take_away(&self, rights: Rights) {
        *self.lost.lock().unwrap() = rights;
    }

    fn told(asker: Result<Rights, ChatError>, bot: Result<Rights, ChatError>) -> Arc<Self> {
        Arc::new(Self {
            asker,
            bot,
            asked: Mutex::default(),
            lost: Mutex::new(Rights::NONE),
            known: AtomicBool::new(false),
        })
    }
}

impl Permissions for Held {
    fn of(
        &self,
        _: Scope,
        channel: ChannelId,
        user: UserId,
    ) -> Pending<'_, Result<Rights, ChatError>> {
        assert_eq!(channel, ChannelId::new(5));
        self.asked.lock().unwrap().push(user);
        let held = if user == ASKER {
            &self.asker
        } else {
            &self.bot
        };
        let lost = *self.lost.lock().unwrap();
        let held = held.clone().map(|held| held.without(lost));
        Box::pin(std::future::ready(held))
    }

    fn known(&self, _: Scope, _: ChannelId, user: UserId) -> Option<Rights> {
        let held = if user == ASKER {
            &self.asker
        } else {
            &self.bot
        };
        let known = self.known.load(Ordering::Relaxed);
        held.clone().ok().filter(|_| known)
    }

    fn mentionable<'a>(
        &'a self,
        _: GuildId,
        roles: &'a [RoleId],
    ) -> Pending<'a, Result<Vec<RoleId>, ChatError>> {
        Box::pin(std::future::ready(Ok(roles.to_vec())))
    }

    fn standing(
        &self,
        _: GuildId,
        _: UserId,
        _: UserId,
    ) -> Pending<'_, Result<Standing, ChatError>> {
        Box::pin(std::future::ready(Ok(Standing::Above)))
    }
}

/// Nobody waits for longer than this.
pub(crate) struct Impatient(pub(crate) Duration);

impl Clock for Impatient {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_794_783_600_000)
    }

    fn moment(&self) -> Moment {
        Moment::default()
    }

    fn sleep(&self, duration: Duration) -> Pending<'static, ()> {
        if duration > self.0 {
            return Box::pin(std::future::pending());
        }
        Box::pin(std::future::ready(()))
    }
}

const PLAIN: Declaration = Declaration {
    class: EffectClass::Changes,
    timeout: Duration::from_secs(9),
    ..Declaration::reading("parrot", "Says it again.")
};

struct Parrot(Declaration);

#[derive(Deserialize, JsonSchema)]
struct Words {
    say: String,
}

impl Action for Parrot {
    type Arguments = Words;

    fn declaration(&self) -> Declaration {
        self.0
    }

    fn further_needs(&self, words: &Words) -> Needs {
        let needs = match words.say.as_str() {
            "<:teacup:1>" => Rights::USE_EXTERNAL_EMOJIS,
            _ => Rights::NONE,
        };
        Needs {
            asker: needs,
            bot: needs,
        }
    }

    fn complete<'a>(
        &'a self,
        _: Scope,
        _: UserId,
        typed: &'a str,
    ) -> Pending<'a, Vec<OptionChoice>> {
        let said = OptionChoice {
            name: typed.to_owned(),
            value: typed.to_owned(),
        };
        Box::pin(std::future::ready(vec![said]))
    }

    fn run<'a>(&'a self, _: Grant<'a>, words: Words) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            if words.say == "nothing" {
                std::future::pending::<()>().await;
            }
            Ok(Done::new(format!("{} {}", self.0.summary, words.say)))
        })
    }
}

/// The model calls, and has read nothing but what its asker wrote.
pub(crate) const MODEL_ASKED: Entrance<'static> = Entrance::Model {
    tainted: false,
    carries: false,
};

pub(crate) fn door_to(registry: Registry, held: Arc<Held>, clock: impl Clock + 'static) -> Door {
    let clock: Arc<dyn Clock> = Arc::new(clock);
    let store = Arc::new(MemoryStore::new(clock.clone()));
    let ports = DoorPorts {
        bot: BOT,
        permissions: held,
        policies: Arc::new(Policy::default()),
        offers: store.clone(),
        conversations: Arc::new(kaiwa_twins::StagedConversations::default()),
        audit: store,
        clock,
    };
    Door::new(registry, ports)
}

/// The same everywhere.
#[derive(Default)]
pub(crate) struct Policy(pub(crate) Mutex<ActionPolicy>);

impl ActionPolicies for Policy {
    fn policy(&self, _: Scope, _: ChannelId) -> Pending<'_, ActionPolicy> {
        Box::pin(std::future::ready(self.0.lock().unwrap().clone()))
    }
}

fn door(declaration: Declaration, held: Arc<Held>) -> Door {
    let registry = Registry::new().with(Parrot(declaration));
    door_to(registry, held, Impatient(Duration::ZERO))
}

const HI: &str = r#"{"say": "hi"}"#;
const ADD: Rights = Rights::ADD_REACTIONS;
const VIEW: Rights = Rights::VIEW_CHANNEL;

#[tokio::test]
async fn an_action_is_there_where_it_may_be_used() {
    for (place, scope, there) in [
        (Availability::Anywhere, GUILD, true),
        (Availability::Anywhere, DM, true),
        (Availability::Guild, GUILD, true),
        (Availability::Guild, DM, false),
        (Availability::Dm, GUILD, false),
        (Availability::Dm, DM, true),
    ] {
        let held = Held::new(Rights::ALL, Rights::ALL);
        let door = door(Declaration { place, ..PLAIN }, held);
        let turn = turn(scope);
        assert_eq!(
            door.tools(&turn).await.len(),
            usize::from(there),
            "{place:?} {scope}"
        );
        let result = door.run(&turn, &call("parrot", HI), MODEL_ASKED).await;
        let unknown = matches!(result, Err(ToolError::Unknown { .. }));
        assert_eq!(unknown, !there, "{place:?} {scope}: {result:?}");
    }
}

#[tokio::test]
async fn asker_and_bot_must_both_be_allowed() {
    struct Case {
        asker_needs: Rights,
        bot_needs: Rights,
        asker: Rights,
        bot: Rights,
        say: &'static str,
        denied: Option<&'static str>,
        asked: &'static [UserId],
    }
    let check = async |case: Case| {
        let held = Held::new(case.asker, case.bot);
        let declaration = Declaration {
            asker_needs: case.asker_needs,
            bot_needs: case.bot_needs,
            ..PLAIN
        };
        let door = door(declaration, held.clone());
        let arguments = format!(r#"{{"say": "{}"}}"#, case.say);
        let result = door
            .run(&turn(GUILD), &call("parrot", &arguments), MODEL_ASKED)
            .await;
        let denied = match result {
            Err(ToolError::Lacking { who, missing }) => {
                Some(format!("{who} lacks the permission {missing}"))
            }
            result => {
                assert!(result.is_ok(), "{result:?}");
                None
            }
        };
        assert_eq!(denied.as_deref(), case.denied);
        assert_eq!(*held.asked.lock().unwrap(), case.asked, "{denied:?}");
    };
    let needy = Case {
        asker_needs: ADD.with(VIEW),
        bot_needs: ADD,
        asker: ADD.with(VIEW),
        bot: ADD.with(VIEW),
        say: "hi",
        denied: None,
        asked: &[ASKER, BOT],
    };
    // Who needs nothing is not asked about.
    check(Case {
        asker_needs: Rights::NONE,
        bot_needs: Rights::NONE,
        asker: Rights::NONE,
        bot: Rights::NONE,
        asked: &[],
        ..needy
    })
    .await;
    check(Case { ..needy }).await;
    check(Case {
        asker: VIEW,
        denied: Some("the asker lacks the permission Add Reactions"),
        asked: &[ASKER],
        ..needy
    })
    .await;
    check(Case {
        bot: VIEW,
        denied: Some("the bot lacks the permission Add Reactions"),
        ..needy
    })
    .await;
    // What one may do does not help the other.
    check(Case {
        asker: ADD,
        bot: VIEW,
        denied: Some("the asker lacks the permission View Channels"),
        asked: &[ASKER],
        ..needy
    })
    .await;
    // Arguments can need more.
    check(Case {
        say: "<:teacup:1>",
        denied: Some("the asker lacks the permission Use External Emoji"),
        asked: &[ASKER],
        ..needy
    })
    .await;
    check(Case {
        say: "<:teacup:1>",
        asker: Rights::ALL,
        denied: Some("the bot lacks the permission Use External Emoji"),
        ..needy
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_found_out_is_not_allowed() {
    let refused = ChatError::Refused {
        code: 50001,
        message: "Missing Access".into(),
        disposition: Disposition::StopTurn,
    };
    let unknown = ChatError::Unknown {
        reason: "HTTP 500".into(),
    };
    for (error, denied) in [(refused, true), (unknown, false)] {
        let held = Held::told(Err(error), Ok(Rights::ALL));
        let declaration = Declaration {
            asker_needs: ADD,
            ..PLAIN
        };
        let result = door(declaration, held)
            .run(&turn(GUILD), &call("parrot", HI), MODEL_ASKED)
            .await;
        match result {
            Err(ToolError::Denied { .. }) => assert!(denied),
            Err(ToolError::Failed { .. }) => assert!(!denied),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn bad_arguments_come_back_before_anybody_is_asked_about() {
    let held = Held::new(Rights::NONE, Rights::NONE);
    let declaration = Declaration {
        asker_needs: ADD,
        ..PLAIN
    };
    let door = door(declaration, held.clone());
    for arguments in ["", "hi", "{}", r#"{"say": 5}"#] {
        let result = door
            .run(&turn(GUILD), &call("parrot", arguments), MODEL_ASKED)
            .await;
        assert!(
            matches!(result, Err(ToolError::BadArguments { .. })),
            "{arguments}: {result:?}"
        );
    }
    assert!(held.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn an_action_has_as_long_as_it_declares() {
    let registry = Registry::new().with(Parrot(Declaration {
        class: EffectClass::Reads,
        ..PLAIN
    }));
    for (patience, late) in [(9_000, true), (8_999, false)] {
        let held = Held::new(Rights::ALL, Rights::ALL);
        let clock = Impatient(Duration::from_millis(patience));
        let door = door_to(registry.clone(), held, clock);
        let turn = turn(DM);
        let call = call("parrot", r#"{"say": "nothing"}"#);
        let mut running = door.run(&turn, &call, MODEL_ASKED);
        let result = tokio::select! {
            biased;
            result = &mut running => Some(result),
            () = std::future::ready(()) => None,
        };
        let reason = "it took too long".to_owned();
        let expected = late.then_some(Err(ToolError::Failed { reason }));
        assert_eq!(result, expected, "{patience}");
    }
}

#[tokio::test]
async fn the_last_action_of_a_name_answers_to_it() {
    let green = Declaration {
        summary: "Green:",
        settlement: Settlement::Nonce,
        ..PLAIN
    };
    let others = Registry::new().with(Parrot(green));
    let registry = Registry::new().with(Parrot(PLAIN)).with_all(others);
    let held = Held::new(Rights::ALL, Rights::ALL);
    let door = door_to(registry, held, Impatient(Duration::ZERO));
    let turn = turn(DM);
    assert_eq!(door.tools(&turn).await.len(), 1);
    let said = door.run(&turn, &call("parrot", HI), MODEL_ASKED).await;
    assert_eq!(said.map(|it| it.told), Ok("Green: hi".into()));
    let said = door.run(&turn, &call("Parrot", HI), MODEL_ASKED).await;
    assert!(matches!(said, Err(ToolError::Unknown { .. })), "{said:?}");
    assert_eq!(door.settlement("parrot"), Settlement::Nonce);
    assert_eq!(door.settlement("Parrot"), Settlement::AtMostOnce);
}

#[tokio::test]
async fn the_model_is_not_told_of_what_somebody_is_known_to_lack() {
    let held = [Rights::NONE, ADD, VIEW, ADD.with(VIEW)];
    for (asker, bot) in held.iter().flat_map(|one| held.map(|other| (*one, other))) {
        let rights = Held::new(asker, bot);
        let declaration = Declaration {
            asker_needs: ADD,
            bot_needs: VIEW,
            ..PLAIN
        };
        let door = door(declaration, rights.clone());
        for known in [false, true] {
            rights.known.store(known, Ordering::Relaxed);
            let told = !known || (asker.contains(ADD) && bot.contains(VIEW));
            let tools = door.tools(&turn(GUILD)).await;
            assert_eq!(tools.len(), usize::from(told), "{asker}, {bot}, {known}");
        }
        assert!(rights.asked.lock().unwrap().is_empty(), "nobody is asked");
    }
}

#[tokio::test]
async fn what_a_schedule_asks_makes_no_schedules() {
    let declaration = Declaration {
        attended: true,
        ..PLAIN
    };
    let door = door(declaration, Held::new(Rights::ALL, Rights::ALL));
    let due = kaiwa_domain::OccurrenceId::due(1, Timestamp::from_millis(0));
    for trigger in [Trigger::Schedule(due), Trigger::Reminder(due)] {
        let unattended = Turn {
            id: TurnId::first(trigger),
            ..turn(GUILD)
        };
        assert!(door.tools(&unattended).await.is_empty());
        let call = call("parrot", HI);
        let result = door.run(&unattended, &call, MODEL_ASKED).await;
        assert!(
            matches!(result, Err(ToolError::Unknown { .. })),
            "{result:?}"
        );
    }
    assert_eq!(door.tools(&turn(GUILD)).await.len(), 1);
}

#[tokio::test]
async fn what_runs_alone_waits_for_itself() {
    let declaration = Declaration {
        alone: true,
        ..PLAIN
    };
    let door = door_to(
        Registry::new().with(Parrot(declaration)),
        Held::new(Rights::ALL, Rights::ALL),
        Impatient(Duration::from_secs(1)),
    );
    let (here, endless) = (turn(GUILD), call("parrot", r#"{"say": "nothing"}"#));
    {
        let mut running = door.run(&here, &endless, MODEL_ASKED);
        tokio::select! {
            biased;
            result = &mut running => panic!("{result:?}"),
            () = std::future::ready(()) => {}
        }
        assert!(door.tools(&here).await.is_empty(), "it is not offered");
        let again = door.run(&here, &call("parrot", HI), MODEL_ASKED).await;
        assert_eq!(again, Err(ToolError::Running));
        let told = door.explain(&ToolError::Running, "en-US");
        assert!(told.starts_with("That is already under way"), "{told}");
        let elsewhere = Turn {
            channel: ChannelId::new(6),
            ..turn(GUILD)
        };
        assert_eq!(door.tools(&elsewhere).await.len(), 1);
    }
    // It was given up.
    let again = door.run(&here, &call("parrot", HI), MODEL_ASKED).await;
    assert!(again.is_ok(), "{again:?}");
}

/// Whoever asks, in whatever way: the same rights, limits, validation and
/// result.
#[tokio::test]
async fn every_entrance_decides_alike() {
    let held = [Rights::NONE, ADD, VIEW, ADD.with(VIEW)];
    let said = [HI, "{}", r#"{"say": 5}"#, r#"{"say": "<:teacup:1>"}"#];
    let places = [
        Availability::Anywhere,
        Availability::Guild,
        Availability::Dm,
    ];
    for (asker, bot) in held.iter().flat_map(|one| held.map(|other| (*one, other))) {
        for (place, arguments) in places.iter().flat_map(|it| said.map(|said| (*it, said))) {
            let declaration = Declaration {
                place,
                asker_needs: ADD,
                bot_needs: VIEW,
                rate: Some(kaiwa_domain::RateClass::Moderation),
                ..PLAIN
            }
            .as_command(crate::CommandEntrance::public("parrot"));
            let declaration = Declaration {
                model: true,
                ..declaration
            };
            let outcomes = async |entrance| {
                let door = door(declaration, Held::new(asker, bot));
                let mut outcomes = Vec::new();
                // More often than the class allows.
                for _ in 0..7 {
                    let call = call("parrot", arguments);
                    outcomes.push(door.run(&turn(GUILD), &call, entrance).await);
                }
                outcomes
            };
            let by_model = outcomes(MODEL_ASKED).await;
            let by_command = outcomes(Entrance::Control { locale: "en-US" }).await;
            assert_eq!(by_model, by_command, "{asker} {bot} {place:?} {arguments}");
        }
    }
}

/// What is proposed may be what not everybody may know.
#[tokio::test]
async fn only_who_may_use_a_command_is_proposed_something() {
    let entrance = crate::CommandEntrance {
        completes: Some("say"),
        ..crate::CommandEntrance::public("parrot")
    };
    let declaration = Declaration {
        asker_needs: ADD,
        command: Some(entrance),
        ..PLAIN
    };
    let proposed = async |held: Arc<Held>, option: &str| {
        let typing = Interaction {
            id: kaiwa_domain::InteractionId::new(9),
            handle: kaiwa_domain::ResponseHandle::new(1, String::new()),
            scope: GUILD,
            channel: ChannelId::new(5),
            user: kaiwa_domain::Author {
                id: ASKER,
                name: "somebody".into(),
                kind: kaiwa_domain::AuthorKind::Human,
                roles: Vec::new(),
            },
            locale: "en-US".into(),
            kind: InteractionKind::Completion {
                call: kaiwa_domain::CommandCall {
                    name: "parrot".into(),
                    arguments: "{}".into(),
                },
                option: option.into(),
                typed: "h".into(),
            },
        };
        door(declaration, held).complete(&typing).await.len()
    };
    let down = || {
        Err(ChatError::Unknown {
            reason: "it is down".into(),
        })
    };
    assert_eq!(proposed(Held::new(ADD, Rights::NONE), "say").await, 1);
    assert_eq!(proposed(Held::new(ADD, Rights::NONE), "sing").await, 0);
    assert_eq!(proposed(Held::new(VIEW, Rights::ALL), "say").await, 0);
    assert_eq!(proposed(Held::told(down(), down()), "say").await, 0);
}

#[tokio::test]
async fn people_are_told_in_their_language_what_does_not_fit() {
    let door = door(PLAIN, Held::new(Rights::ALL, Rights::ALL));
    for (problem, english, japanese) in [
        ("missing field `say`", "say is missing", "say がありません"),
        (
            "cups: invalid value: integer `900`, expected u8",
            "cups cannot have that value",
            "cups にその値は使えません",
        ),
        (
            "kind: unknown variant `music`, expected one of `web`, `images`, `news`",
            "kind is one of: web, images, news",
            "kind は次のいずれかです: web, images, news",
        ),
        (
            "guest: that is nobody",
            "guest: that is nobody",
            "guest: that is nobody",
        ),
    ] {
        let problem = problem.to_owned();
        let error = ToolError::BadArguments { problem };
        let told = door.explain(&error, "en-US");
        assert_eq!(told, format!("That does not fit: {english}"));
        let told = door.explain(&error, "ja");
        assert_eq!(told, format!("値が合いません: {japanese}"));
    }
}

/// Says how it was asked for.
struct Ear(EffectClass);

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

impl Action for Ear {
    type Arguments = Nothing;

    fn declaration(&self) -> Declaration {
        Declaration {
            model: true,
            class: self.0,
            ..Declaration::reading("ear", "Listens.").as_command(CommandEntrance::public("ear"))
        }
    }

    fn run<'a>(&'a self, grant: Grant<'a>, _: Nothing) -> Pending<'a, Result<Done, ToolError>> {
        let heard = (grant.in_words(), grant.locale());
        Box::pin(std::future::ready(Ok(Done::new(format!("{heard:?}")))))
    }
}

/// A control whose user's language is not known any more, as after a restart,
/// is a control still.
#[tokio::test]
async fn only_the_model_asks_in_words() {
    let model = |tainted| Entrance::Model {
        tainted,
        carries: false,
    };
    let control = |locale| Entrance::Control { locale };
    for (class, entrance, heard) in [
        (EffectClass::Reads, model(false), r#"(true, "")"#),
        (EffectClass::Reads, model(true), r#"(true, "")"#),
        (EffectClass::Reads, control("ja"), r#"(false, "ja")"#),
        (EffectClass::Reads, control(""), r#"(false, "")"#),
        (EffectClass::Dangerous, model(false), r#"(false, "")"#),
        (EffectClass::Dangerous, control("ja"), r#"(false, "")"#),
    ] {
        let held = Held::new(Rights::ALL, Rights::ALL);
        let door = door_to(
            Registry::new().with(Ear(class)),
            held,
            Impatient(Duration::ZERO),
        );
        let turn = turn(GUILD);
        let mut reply = door.run(&turn, &call("ear", "{}"), entrance).await.unwrap();
        if reply.waits.is_some() {
            let (name, arguments) = read_control(&reply.buttons[0].control).unwrap();
            let click = call(name, arguments);
            reply = door.run(&turn, &click, control("")).await.unwrap();
        }
        assert_eq!(reply.told, heard, "{class:?} {entrance:?}");
    }
}
