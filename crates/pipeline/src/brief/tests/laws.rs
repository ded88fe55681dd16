//! What holds for whatever is said.

use super::entry::CUT;
use super::*;
use proptest::prelude::*;

fn total(brief: &Brief) -> u32 {
    let lines = brief.lines.iter();
    let lines: u32 = lines.map(|it| tokens(it.text()) + ENTRY_TOKENS).sum();
    tokens(&brief.system) + lines
}

fn conversation_of(brief: &Brief) -> u32 {
    total(brief) - tokens(&brief.system)
}

prop_compose! {
    fn message()(
        minutes in 0u64..60,
        name in "[ABC]|\\PC{0,6}",
        text in "\\PC{0,40}|(a b\n){0,1500}|[会話]{0,900}|<@1> \\PC{0,9}",
        reply in any::<bool>(),
        reactions in 0u32..3,
        stickers in proptest::collection::vec("\\PC{0,200}", 0..3),
    ) -> Message {
        let mut message = said(ago(minutes, 0), &name, &text);
        message.reactions = (0..reactions).map(|n| ("👍".into(), n)).collect();
        message.stickers = stickers;
        if reply {
            let target = said(ago(minutes + 1, 0), "Kaiwa", &text);
            message = replies(message, &target);
        }
        message
    }
}

fn history() -> impl Strategy<Value = Vec<Spoken>> {
    proptest::collection::vec(message(), 0..40).prop_map(|mut messages| {
        messages.sort_by_key(|message| message.id);
        messages.into_iter().map(record).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn caps_are_kept(
        history in history(),
        asked in message(),
        messages in 1usize..50,
        room in 500u32..4000,
        context in proptest::option::of(1000u32..20_000),
        personality in "\\PC{0,60}|(be kind ){0,900}",
        notes in proptest::collection::vec("\\PC{0,300}", 0..9),
        directed in any::<bool>(),
    ) {
        let mut scene = Scene::new(history, asked);
        scene.rules.messages = messages;
        scene.rules.directed = directed;
        scene.room = Room { conversation: room, context };
        scene.persona.personality = personality;
        scene.memory = notes;
        let composed = scene.compose();
        let brief = &composed.brief;
        prop_assert!(brief.lines.len() <= messages + 2);
        prop_assert!(conversation_of(brief) <= room, "{} of {room}", conversation_of(brief));
        if let Some(context) = context {
            prop_assert!(total(brief) <= context, "{} of {context}", total(brief));
        }
        let question = brief.lines.last().unwrap().text();
        prop_assert!(!question.is_empty());
        // Nothing but composing has a hand in it.
        prop_assert_eq!(&scene.compose(), &composed);
    }

    #[test]
    fn what_is_cut_has_no_more(text in "\\PC{0,200}|(\\PC{0,20}\n\n){0,20}", most in 0u32..60) {
        let cut = first_tokens(&text, most);
        prop_assert!(tokens(cut) <= most);
        prop_assert!(text.starts_with(cut));
        let most = most + tokens(CUT);
        let cut = budget::personality(&text, most);
        prop_assert!(tokens(&cut) <= most, "{cut:?}");
    }

    /// What is said in one place changes nothing in another.
    #[test]
    fn places_share_no_byte(here in history(), there in history(), asked in message()) {
        let alone = Scene::new(here.clone(), asked.clone()).compose();
        let other = Scene::new(there, asked.clone());
        let before = other.compose();
        let beside = Scene::new(here, asked).compose();
        prop_assert_eq!(alone, beside);
        prop_assert_eq!(before, other.compose());
    }
}

/// In the order of the table, and only as far as is needed.
#[test]
fn what_gives_way_first_is_declared() {
    let words = |word: &str, count: usize| format!("{word} ").repeat(count);
    let long: Vec<String> = (0..12)
        .map(|n| format!("h{n} {}", words("old", 50)))
        .collect();
    let lines: Vec<(&str, &str)> = long.iter().map(|it| ("Ben", &**it)).collect();
    let mut scene = Scene::new(conversation(&lines), question("Ada", &words("q", 800)));
    scene.persona.personality = words("persona", 600);
    scene.memory = vec![words("memory", 100)];
    scene.persona.dialogues = vec![words("dialogue", 100)];
    scene.server_note = Some(words("note", 200));
    scene.guild = Some(GuildSnapshot {
        name: "Tea House".into(),
        emoji: vec![GuildEmoji {
            id: EmojiId::new(5),
            name: "tea".into(),
            animated: false,
        }],
        ..GuildSnapshot::new(GUILD)
    });
    // What is there of each part, in the order of the table.
    let left = |scene: &Scene| -> Vec<bool> {
        let brief = scene.compose().brief;
        let told: String = brief.lines.iter().map(Line::text).collect();
        let whole = |text: &str, word: &str, count| text.matches(word).count() == count;
        CUT_ORDER
            .iter()
            .map(|part| match part {
                Part::OldEntries => told.contains("h0 "),
                Part::Emoji => brief.system.contains(":tea:"),
                Part::Dialogues => brief.system.contains("dialogue dialogue"),
                Part::Memory => brief.system.contains("memory memory"),
                Part::People => brief.system.contains("Here lately"),
                Part::Notes => brief.system.contains("note note"),
                Part::RecentEntries => told.contains("h11 "),
                Part::Personality => whole(&brief.system, "persona ", 599),
                Part::Question => whole(&told, "q ", 799),
            })
            .collect()
    };
    assert_eq!(left(&scene), [true; 9]);
    let mut seen = std::collections::BTreeSet::new();
    for context in (1000..12_000).rev().step_by(50) {
        scene.room.context = Some(context);
        let left = left(&scene);
        assert!(left.is_sorted(), "{left:?} at {context}");
        seen.insert(left);
    }
    assert!(seen.len() >= 8, "{seen:?}");
}

#[test]
fn tools_take_room_too() {
    let lines: Vec<String> = (0..30)
        .map(|n| format!("{n} {}", "old ".repeat(50)))
        .collect();
    let lines: Vec<(&str, &str)> = lines.iter().map(|it| ("Ben", &**it)).collect();
    let mut scene = Scene::new(conversation(&lines), question("Ada", "x"));
    scene.room.context = Some(2500);
    let before = scene.compose().brief.lines.len();
    scene.tools = vec![Tool {
        name: "look".into(),
        description: "look ".repeat(400).into(),
        schema: "{}".into(),
        when: When::InLoop,
    }];
    let composed = scene.compose();
    assert!(composed.brief.lines.len() < before);
    assert_eq!(composed.sections.last().unwrap().title, "tools");
}

/// A model with little room listens to people before it does things for them.
#[test]
fn many_tools_leave_room_for_the_conversation() {
    let lines: Vec<String> = (0..8)
        .map(|n| format!("{n} {}", "old ".repeat(50)))
        .collect();
    let lines: Vec<(&str, &str)> = lines.iter().map(|it| ("Ben", &**it)).collect();
    let mut scene = Scene::new(conversation(&lines), question("Ada", "x"));
    let tool = |n| Tool {
        name: format!("tool{n}").into(),
        description: "does something ".repeat(50).into(),
        schema: "{}".into(),
        when: When::InLoop,
    };
    scene.tools = (0..30).map(tool).collect();
    for (context, tools) in [(None, 30), (Some(200_000), 30), (Some(4096), 8)] {
        scene.room.context = context;
        let composed = scene.compose();
        assert!(
            composed.brief.lines.len() > 8,
            "the conversation at {context:?}"
        );
        let offered = composed.brief.tools.len();
        assert!((1..=tools).contains(&offered), "{offered} at {context:?}");
        // What it is told of is what it has.
        assert_eq!(
            composed.brief.system.matches("tool").count() > 0,
            offered > 0
        );
        assert!(!composed.brief.system.contains(&format!("tool{offered}")));
    }
}

#[test]
fn sections_are_what_is_sent() {
    let history = conversation(&[("Ada", "hi"), ("Kaiwa", "Hello!")]);
    let composed = Scene::new(history, question("Ada", "x")).compose();
    let titles: Vec<&str> = composed.sections.iter().map(|it| &*it.title).collect();
    assert_eq!(titles[titles.len() - 3..], ["time", "history", "question"]);
    for section in &composed.sections {
        assert_eq!(section.tokens, tokens(&section.text), "{}", section.title);
        let lines = composed
            .brief
            .lines
            .iter()
            .any(|it| it.text() == section.text);
        let told = composed.brief.system.contains(&section.text) || lines;
        assert!(told || section.title == "history", "{}", section.title);
    }
}

#[test]
fn an_over_long_question_is_cut_with_a_mark() {
    let mut scene = Scene::new(Vec::new(), question("Ada", &"会話".repeat(1900)));
    scene.room.context = Some(1000);
    let brief = scene.compose().brief;
    assert!(total(&brief) <= 1000, "{}", total(&brief));
    let question = brief.lines.last().unwrap().text();
    assert!(question.starts_with("Ada: 会話"), "{question}");
    assert!(question.ends_with("… [the rest is left out]"), "{question}");
}

/// What stands at the end of a personality is told, however long it is.
#[test]
fn of_a_long_personality_the_middle_gives_way() {
    let last = "Scenario: rain.\n\nNever lie.";
    for (before, whole) in [
        (String::new(), true),
        ("茶".repeat(24_000), false),
        ("茶道。\n\n".repeat(6_000), false),
        ("tea ".repeat(7_000), true),
        ("🍵".repeat(16_000), false),
    ] {
        let told = budget::personality(&format!("{before}\n\n{last}"), u32::MAX);
        assert!(tokens(&told) <= 10_000);
        assert!(told.ends_with(last), "{}", tokens(&told));
        assert_eq!(!told.contains(CUT), whole);
        assert!(whole || tokens(&told) > 9_900, "{}", tokens(&told));
    }
    // What is itself too long at the end is cut there.
    let told = budget::personality(&format!("tea\n\n{}", "茶".repeat(24_000)), u32::MAX);
    assert!(told.starts_with("tea\n\n茶") && told.ends_with(CUT));
}
