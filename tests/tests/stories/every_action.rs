//! Every action that the bot has, by every entrance, to the end.
//!
//! One table says how each is asked for and what is read then. An action that
//! is missing from it fails the tests, so that none is added without. Personas
//! have stories of their own.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a story fails by panicking"
)]

use std::collections::BTreeSet;
use std::time::Duration;

use kaiwa_domain::port::{ActionHost, ControlRequest, Entrance};
use kaiwa_domain::{
    Author, AuthorKind, CommandCall, Interaction, InteractionId, InteractionKind, MessageId,
    PersonaId, ResponseHandle, Rights, Scope, Timestamp, ToolCall, ToolError, Turn, TurnId,
    TurnState,
};
use kaiwa_e2e::story::{Screen, SentMessage, Story};
use kaiwa_pipeline::brief::tokens;
use serde_json::Value;

const PDF: &str = env!("CARGO_BIN_EXE_read_pdf");

/// One action.
#[derive(Clone, Copy)]
struct Row {
    /// The name that the model knows, if it does.
    action: Option<&'static str>,
    /// The command that people use, if they can.
    command: Option<&'static str>,
    /// What it is called with. Names in braces stand for ids.
    arguments: &'static str,
    /// What the model is told, or `+` and the event after the reply.
    told: &'static str,
    /// What people are shown in the end.
    shown: &'static str,
    /// Whether it takes a click.
    confirmed: bool,
}

const fn row(
    action: &'static str,
    command: &'static str,
    arguments: &'static str,
    told: &'static str,
    shown: &'static str,
) -> Row {
    Row {
        action: Some(action),
        command: Some(command),
        arguments,
        told,
        shown,
        confirmed: false,
    }
}

/// For people alone.
const fn control(command: &'static str, arguments: &'static str, shown: &'static str) -> Row {
    Row {
        action: None,
        ..row("", command, arguments, "", shown)
    }
}

const fn confirmed(row: Row) -> Row {
    Row {
        confirmed: true,
        ..row
    }
}

/// All of them, in an order in which each can be done after those before.
const ROWS: &[Row] = &[
    row("now", "now", "{}", "(UTC, UTC+00:00)", "(UTC, UTC+00:00)"),
    row(
        "calculate",
        "calculate",
        r#"{"expression": "2+3*4"}"#,
        "| 14",
        "`2+3*4` = 14",
    ),
    row(
        "random",
        "random",
        r#"{"choices": "tea, tea"}"#,
        "| tea",
        "🎲 tea",
    ),
    row(
        "user_info",
        "user_info",
        r#"{"user": "{Cara}"}"#,
        "Crew",
        "**Cara** (",
    ),
    row(
        "avatar",
        "avatar",
        r#"{"user": "{Cara}"}"#,
        "| http",
        "The picture of **Cara**: http",
    ),
    row(
        "remind",
        "remind",
        r#"{"when": "in 2 hours", "text": "water the tea"}"#,
        "| set for",
        "I will remind you <t:",
    ),
    row(
        "list_reminders",
        "reminders list",
        "{}",
        "water the tea",
        "water the tea",
    ),
    row(
        "delete_reminder",
        "reminders delete",
        r#"{"reminder": "1"}"#,
        "| deleted",
        "I will not remind you of that.",
    ),
    row(
        "remember_this_fact",
        "memory add",
        r#"{"fact": "Olga likes oolong"}"#,
        "| remembered as #1",
        "💡 I will remember: Olga likes oolong (#1)",
    ),
    Row {
        command: None,
        ..row("recall", "", r#"{"query": "oolong"}"#, "likes oolong", "")
    },
    control("memory show", "{}", "Olga likes oolong"),
    row(
        "forget",
        "memory forget",
        r#"{"fact": "1"}"#,
        "| forgotten",
        "Forgotten.",
    ),
    row(
        "web_search",
        "search",
        r#"{"query": "green tea"}"#,
        "| 1. Green tea",
        "Found for \"green tea\":",
    ),
    row(
        "fetch_page",
        "fetch",
        r#"{"url": "{library}/pages/green-tea.html"}"#,
        "| Sencha | 80 °C",
        "Sencha",
    ),
    row(
        "react",
        "react",
        r#"{"emoji": "👍", "message": "{message}"}"#,
        "+MESSAGE_REACTION_ADD",
        "Done.",
    ),
    row(
        "pin",
        "pin",
        r#"{"message": "{message}"}"#,
        "+CHANNEL_PINS_UPDATE",
        "📌 Pinned.",
    ),
    row(
        "create_thread",
        "thread",
        r#"{"title": "Leaves"}"#,
        "+THREAD_CREATE",
        "Here it is: <#",
    ),
    row(
        "poll",
        "poll",
        r#"{"question": "Tea?", "answers": "yes, no"}"#,
        "+poll",
        "The poll is up.",
    ),
    row(
        "sticker",
        "sticker",
        r#"{"sticker": "Crown"}"#,
        "+sticker_items",
        "Sent.",
    ),
    row("slowmode", "slowmode", r#"{"wait": "10s"}"#, "10", "10"),
    row(
        "warn",
        "warn",
        r#"{"user": "{Cara}", "reason": "spilt tea"}"#,
        "was warned",
        "was warned. Case 1",
    ),
    row("cases", "cases", "{}", "warning", "Cases, newest first:"),
    confirmed(row(
        "timeout",
        "timeout",
        r#"{"user": "{Cara}", "duration": "1h"}"#,
        "",
        "cannot write until <t:",
    )),
    confirmed(row(
        "tempban",
        "tempban",
        r#"{"user": "{Pip}", "duration": "1h"}"#,
        "",
        "is banned until <t:",
    )),
    row("ban_list", "banlist", "{}", "Pip", "Pip"),
    row(
        "unban",
        "unban",
        r#"{"user": "{Pip}"}"#,
        "is lifted",
        "may come back.",
    ),
    confirmed(row(
        "kick",
        "kick",
        r#"{"user": "{Gia}"}"#,
        "",
        "had to leave.",
    )),
    confirmed(row("nuke", "nuke", r#"{"count": 1}"#, "", "Deleted ")),
    control("stop", "{}", "You are not waiting for an answer here."),
    control(
        "regenerate",
        "{}",
        "You have not asked me anything here lately.",
    ),
    control("refresh", "{}", "We begin anew"),
    control("why", "{}", "What I decided here lately:"),
    control("status", "{}", "Model: "),
    control("help", "{}", "/tempban"),
    control("memory export", "{}", "Here is what I keep about you."),
    control("privacy export", "{}", "Here is what I keep about you."),
    control("privacy opt-out", "{}", "I will not read what you write"),
    control("privacy opt-in", "{}", "I read what you write again."),
    control("privacy erase", "{}", "Deleted "),
];

/// A court with a library. Olga, whose it is, asks in the hall, where nobody
/// else writes.
struct Stage {
    story: Story,
    library: String,
    /// A message of hers.
    message: String,
}

impl Stage {
    async fn set() -> Self {
        let mut story = Story::court().await;
        let library = story.gets_library(PDF).await;
        story.bot_starts().await;
        let message = story.somebody("Olga").says("hall", "hello").await.id;
        Self {
            story,
            library: format!("http://{library}"),
            message,
        }
    }

    /// The arguments of a row, with ids for names.
    fn arguments(&self, row: &Row) -> String {
        let mut text = row.arguments.to_owned();
        for name in ["Cara", "Pip", "Gia"] {
            text = text.replace(&format!("{{{name}}}"), &self.story.id_of(name));
        }
        text.replace("{library}", &self.library)
            .replace("{message}", &self.message)
    }

    fn options(&self, row: &Row) -> Value {
        serde_json::from_str(&self.arguments(row)).unwrap()
    }
}

#[tokio::test]
async fn every_command_runs_to_the_end() {
    let stage = Stage::set().await;
    let story = &stage.story;
    let mut commands = story.command_names();
    commands.retain(|it| !it.contains("persona"));
    let known: BTreeSet<String> = rows(|row| row.command);
    assert_eq!(commands, known, "every command has a row");
    let mut screen = story.screen_of("Olga").await;
    let olga = story.somebody("Olga");
    let mut done = (0, 0);
    for row in ROWS {
        let Some(command) = row.command else { continue };
        takes_time(story, row, &mut done);
        olga.uses("hall", command, stage.options(row)).await;
        if command == "privacy erase" {
            let form = screen.sees("INTERACTION_MODAL_CREATE", |_| true).await;
            olga.fills_in("hall", &form, &[("confirmation", "erase")])
                .await;
        }
        let mut answer = screen.sees_answer().await;
        if row.confirmed {
            assert!(!shown(&answer).contains(row.shown), "{command}: {answer}");
            olga.presses(&answer, "Approve").await;
            answer = screen.sees_answer().await;
        }
        assert!(shown(&answer).contains(row.shown), "/{command}: {answer}");
        story.controls_are_done().await;
    }
}

#[tokio::test]
async fn every_action_runs_to_the_end_in_words() {
    let mut stage = Stage::set().await;
    let mut screen = stage.story.screen_of("Olga").await;
    let known: BTreeSet<String> = rows(|row| row.action);
    let mut done = (0, 0);
    for (number, row) in ROWS.iter().enumerate() {
        let Some(action) = row.action else { continue };
        let arguments = stage.arguments(row);
        let story = &mut stage.story;
        takes_time(story, row, &mut done);
        let asked = format!("@Kaiwa wish {number}");
        story.somebody("Olga").says("hall", &asked).await;
        let mut call = story.model.is_asked(&format!("Olga: {asked}")).await;
        let tools = call
            .tools()
            .into_iter()
            .filter(|it| !it.contains("persona"));
        let tools: BTreeSet<String> = tools.map(str::to_owned).collect();
        assert_eq!(tools, known, "every tool has a row, and Olga may use all");
        if let Some(event) = row.told.strip_prefix('+') {
            call.says("Sure.").await;
            call.waits_for(&[(action, &arguments)]).await;
            says(story, |it| it == "Sure.").await;
            happens(&mut screen, event).await;
            story.bot_is_done().await;
            continue;
        }
        call.waits_for(&[(action, &arguments)]).await;
        if row.confirmed {
            let offer = says(story, |it| it.contains("Should I?")).await;
            let call = story.model.is_told("Not done yet").await;
            call.answers("Please confirm.").await;
            says(story, |it| it == "Please confirm.").await;
            let offer = story.message(&offer).await;
            story.somebody("Olga").presses(&offer, "Approve").await;
            let id = offer["id"].clone();
            let done = screen.sees("MESSAGE_UPDATE", |it| it["id"] == id).await;
            assert!(shown(&done).contains(row.shown), "{action}: {done}");
        } else {
            let call = story.model.is_told("").await;
            let told = call.last();
            assert!(told.contains(row.told), "{action}: {told}");
            call.answers("Done.").await;
            says(story, |it| it == "Done.").await;
        }
        story.bot_is_done().await;
    }
}

/// Tools take their share of everything that a model is told: `docs/commands.md`
/// says how much, for those who may do everything, some of it, and nothing more
/// than others. What is printed is what stands there.
#[tokio::test]
async fn who_may_do_less_costs_less() {
    let mut stage = Stage::set().await;
    let story = &mut stage.story;
    let mut sizes = Vec::new();
    for (who, about) in [
        ("Olga", "the owner of a server"),
        ("Gus", "a moderator"),
        ("Pip", "an ordinary member"),
    ] {
        story.somebody(who).says("hall", "@Kaiwa hello").await;
        let call = story.model.is_asked(&format!("{who}: @Kaiwa hello")).await;
        let size = tokens(&call.request()["tools"].to_string());
        println!("{about}: {} tools, {size} tokens", call.tools().len());
        call.answers("Hello.").await;
        says(story, |it| it == "Hello.").await;
        story.bot_is_done().await;
        sizes.push(size);
    }
    assert!(sizes.is_sorted_by(|more, less| more > less), "{sizes:?}");
    assert!(sizes[2] * 3 < sizes[0] * 2, "a third is saved: {sizes:?}");
}

/// A session that another process began tells of no guild again.
#[tokio::test]
async fn rights_are_known_after_a_restart_too() {
    let mut stage = Stage::set().await;
    let story = &mut stage.story;
    let mut seen = Vec::new();
    for begin in [false, true] {
        if begin {
            story.bot_stops().await;
            story.bot_starts().await;
            assert_eq!(story.resumes(), 1);
        }
        // The guilds are read while questions are answered.
        for _ in 0..5 {
            story.somebody("Pip").says("hall", "@Kaiwa hello").await;
            let call = story.model.is_asked("Pip: @Kaiwa hello").await;
            let tools = call.tools().len();
            call.answers("Hello.").await;
            says(story, |it| it == "Hello.").await;
            story.bot_is_done().await;
            if seen.first().is_none_or(|before| *before == tools) {
                seen.push(tools);
                break;
            }
        }
    }
    assert_eq!(seen.len(), 2, "{seen:?}");
}

/// The table for people has a row for each command, with the rights that it
/// takes.
#[tokio::test]
async fn the_table_of_commands_has_all_of_them() {
    let stage = Stage::set().await;
    let story = &stage.story;
    let page = include_str!("../../../docs/commands.md");
    let rows: Vec<&str> = page.lines().filter(|it| it.starts_with("| `/")).collect();
    for name in story.command_names() {
        let (first, sub) = name.split_once(' ').unwrap_or((&name, ""));
        let tells = |row: &&&str| {
            let told = row.contains(&format!("`{sub}`")) || row.contains(&format!("`/{name}"));
            row.contains(&format!("`/{first}")) && told
        };
        let row = rows.iter().find(tells);
        let row = row.unwrap_or_else(|| panic!("no row tells of /{name}"));
        let commands = story.actions().commands();
        let command = commands.iter().find(|it| it.name.text == first).unwrap();
        if let Some(needs) = command.needs {
            let usual = Rights::VIEW_CHANNEL.with(Rights::READ_MESSAGE_HISTORY);
            let needs = Rights::from_bits(needs).without(usual).to_string();
            for needed in needs.split(", ") {
                assert!(row.contains(needed), "/{name} takes {needed}: {row}");
            }
        }
    }
    let known: BTreeSet<String> = story.command_names();
    for row in rows {
        let told = row.split('`').nth(1).unwrap().trim_start_matches('/');
        let first = told.split(' ').next().unwrap();
        let is = |it: &String| it.split(' ').next() == Some(first);
        assert!(known.iter().any(is), "there is no /{told}");
    }
}

/// What came of one call, without what differs from call to call.
type Outcome = (String, bool, Vec<String>, String);

/// The door decides alike whoever knocks: each registered action with good and
/// bad arguments, for three people, in a guild and in private, more often than
/// is allowed.
#[tokio::test]
async fn every_entrance_decides_alike_about_every_action() {
    let by_model = outcomes(Knock::Model).await;
    let by_command = outcomes(Knock::Command).await;
    assert_eq!(by_model.len(), by_command.len());
    for ((one, outcome), (other, same)) in by_model.iter().zip(&by_command) {
        assert_eq!(one, other);
        assert_eq!(outcome, same, "{one}");
    }
    // It was no walk through closed doors.
    let count = |what: &str| by_model.iter().filter(|(_, it)| it.0 == what).count();
    for what in ["done", "lacking", "bad arguments", "unknown", "too often"] {
        assert!(count(what) > 4, "{what}: {}", count(what));
    }
    // A button is the same call as the command.
    let by_button = outcomes(Knock::Component).await;
    assert_eq!(by_button, by_command);
}

#[derive(Clone, Copy, PartialEq)]
enum Knock {
    Model,
    Command,
    Component,
}

async fn outcomes(knock: Knock) -> Vec<(String, Outcome)> {
    let stage = Stage::set().await;
    let host = stage.story.actions();
    let mut all = Vec::new();
    for row in ROWS {
        let (Some(_), Some(_)) = (row.action, row.command) else {
            continue;
        };
        let good = stage.arguments(row);
        let calls = [good.as_str(), r#"{"no": 1}"#, r#"{"user": 5}"#];
        for who in ["Pip", "Gus", "Olga"] {
            stage.story.clock.passes(Duration::from_secs(60));
            for (direct, arguments) in [(false, 0), (false, 1), (false, 2), (true, 0)] {
                let arguments = calls[arguments];
                let outcome = knocks(&stage, &*host, knock, (row, arguments), (who, direct));
                let about = format!("{who} {direct} {:?} {arguments}", row.action);
                all.push((without_numbers(&about), outcome.await));
            }
        }
    }
    // The class of moderation is five a minute, whoever asks.
    stage.story.clock.passes(Duration::from_secs(60));
    let slow = ROWS
        .iter()
        .find(|it| it.action == Some("slowmode"))
        .unwrap();
    for number in 0..10 {
        let call = (slow, r#"{"wait": "10s"}"#);
        let outcome = knocks(&stage, &*host, knock, call, ("Gus", false)).await;
        all.push((format!("{number}"), outcome));
    }
    all
}

async fn knocks(
    stage: &Stage,
    host: &dyn ActionHost,
    knock: Knock,
    (row, arguments): (&Row, &str),
    (who, direct): (&str, bool),
) -> Outcome {
    let story = &stage.story;
    let user = story.id_of(who).parse().unwrap();
    let scope = match direct {
        true => Scope::Dm(user),
        false => Scope::Guild(story.ready().guild_id.parse().unwrap()),
    };
    let (channel, message): (_, u64) = (
        story.channel_id("hall").parse().unwrap(),
        stage.message.parse().unwrap(),
    );
    let interaction = InteractionId::new(message);
    let turn = Turn {
        id: TurnId::of_message(MessageId::new(message)),
        scope,
        channel,
        asker: user,
        persona: PersonaId::MAIN,
        state: TurnState::Admitted,
        admitted_at: Timestamp::from_millis(0),
    };
    let (call, entrance) = match knock {
        Knock::Model => (
            ToolCall {
                id: "1".to_owned(),
                name: row.action.unwrap().to_owned(),
                arguments: arguments.to_owned(),
                signature: None,
            },
            Entrance::Model {
                tainted: false,
                carries: false,
            },
        ),
        Knock::Command | Knock::Component => {
            let kind = match knock {
                Knock::Command => InteractionKind::Command(CommandCall {
                    name: row.command.unwrap().to_owned(),
                    arguments: arguments.to_owned(),
                }),
                _ => InteractionKind::Component {
                    control: format!("k1/{}/{arguments}", row.action.unwrap()),
                    values: Vec::new(),
                    message: MessageId::new(message),
                },
            };
            let used = Interaction {
                id: interaction,
                handle: ResponseHandle::new(1, String::new()),
                scope,
                channel,
                user: Author {
                    id: user,
                    name: who.to_owned(),
                    kind: AuthorKind::Human,
                    roles: Vec::new(),
                },
                locale: "en-US".to_owned(),
                kind,
            };
            let request = host.request(&turn, &used).await;
            let Some(ControlRequest::Call { call, .. }) = request else {
                panic!("{:?} is not there", row.command);
            };
            (call, Entrance::Control { locale: "en-US" })
        }
    };
    match host.run(&turn, &call, entrance).await {
        Ok(reply) => {
            let buttons = reply.buttons.iter().map(|it| it.label.clone());
            (
                "done".to_owned(),
                reply.waits.is_some(),
                buttons.collect(),
                without_numbers(&reply.told),
            )
        }
        Err(error) => {
            let kind = match error {
                ToolError::Lacking { .. } => "lacking",
                ToolError::BadArguments { .. } => "bad arguments",
                ToolError::Unknown { .. } => "unknown",
                ToolError::TooOften { .. } => "too often",
                _ => "other",
            };
            let told = without_numbers(&error.to_string());
            (kind.to_owned(), false, Vec::new(), told)
        }
    }
}

/// A text in which ids, times and chance are all alike.
fn without_numbers(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if written.ends_with('0') => {}
            true => written.push('0'),
            false => written.push(c),
        }
    }
    written
}

/// Lets a minute pass before a person has done too much in one. Not more often:
/// what was asked long ago is not answered.
fn takes_time(story: &Story, row: &Row, done: &mut (u32, u32)) {
    let (deeds, uses) = done;
    *uses += 1;
    if row.action.is_some_and(|it| MODERATION.contains(&it)) {
        *deeds += 1;
    }
    if deeds.is_multiple_of(4) && *deeds > 0 {
        *deeds = 1;
        story.clock.passes(Duration::from_secs(60));
    } else if uses.is_multiple_of(12) {
        story.clock.passes(Duration::from_secs(20));
    }
}

const MODERATION: [&str; 9] = [
    "slowmode", "warn", "cases", "timeout", "tempban", "ban_list", "unban", "kick", "nuke",
];

/// Waits for a message of the bot's, whatever else it shows before: what can be
/// undone, what was pinned.
async fn says(story: &mut Story, fits: impl Fn(&str) -> bool) -> SentMessage {
    loop {
        let said = story.sees_something("hall", "something").await;
        if fits(&said.text) {
            return said;
        }
    }
}

fn shown(message: &Value) -> &str {
    message["content"].as_str().unwrap_or_default()
}

fn rows(name: impl Fn(&Row) -> Option<&'static str>) -> BTreeSet<String> {
    ROWS.iter().filter_map(name).map(str::to_owned).collect()
}

/// Waits for an event, or for a message that has such a part.
async fn happens(screen: &mut Screen, event: &str) {
    match event {
        "poll" | "sticker_items" => {
            let has = |it: &Value| match &it[event] {
                Value::Array(items) => !items.is_empty(),
                other => other.is_object(),
            };
            screen.sees("MESSAGE_CREATE", has).await
        }
        event => screen.sees(event, |_| true).await,
    };
}
