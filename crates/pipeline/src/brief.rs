//! What does the model need to know?
//!
//! The brief is the system prompt, the recent messages with their speakers'
//! names, and the message to answer, last. Everything in it has a hard cap.

pub mod sanitize;

use std::borrow::Cow;

use kaiwa_domain::{Brief, Line, Mention, Message, Persona, PersonaId, Question, Scope, UserId};

/// The longest one message may be in the brief, in characters. Discord allows
/// 4000 with Nitro; what is longer was not typed.
pub const MESSAGE_CHARS: usize = 4000;

/// The longest the whole conversation may be, in characters. The oldest
/// messages give way first; the message to answer always stays.
pub const CONVERSATION_CHARS: usize = 48_000;

/// The longest a speaker's name may be, in characters.
const NAME_CHARS: usize = 40;

/// What a brief is made of.
#[derive(Clone, Debug)]
pub struct Sources<'a> {
    /// Who answers.
    pub persona: &'a Persona,
    /// The date, as a person would write it.
    pub date: &'a str,
    /// Our version.
    pub version: &'a str,
    /// Earlier messages of the channel, oldest first.
    pub history: &'a [Spoken],
    /// What is remembered, a line each.
    pub memory: &'a [String],
    /// What to answer.
    pub question: &'a Question,
}

/// A message, and which persona said it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spoken {
    /// The message.
    pub message: Message,
    /// The persona, unless somebody else did.
    pub by: Option<PersonaId>,
}

/// Writes the brief.
pub fn compose(sources: &Sources<'_>) -> Brief {
    let question = match sources.question {
        Question::Message(message) => theirs(message),
        Question::Scheduled(task) => Line::user(format!(
            "(Nobody wrote this just now: it was set for this moment by <@{}>. Do it, and say what you \
             say to the channel.)\n{}",
            task.asker,
            capped(task.text.trim())
        )),
        Question::Instruction(instruction) => {
            Line::user(format!("({})", capped(instruction.text.trim())))
        }
    };
    let mut room = CONVERSATION_CHARS.saturating_sub(question.text().chars().count());
    let mut lines = vec![question];
    for Spoken { message, by } in sources.history.iter().rev() {
        if words(message).trim().is_empty() {
            continue;
        }
        let line = match *by {
            Some(persona) if persona == sources.persona.id => {
                Line::assistant(readable(&words(message), &message.mentions))
            }
            _ => theirs(message),
        };
        let length = line.text().chars().count();
        if length > room {
            break;
        }
        room -= length;
        lines.push(line);
    }
    lines.reverse();
    Brief {
        system: system_prompt(sources),
        lines,
        ..Brief::default()
    }
}

fn system_prompt(sources: &Sources<'_>) -> String {
    let place = match sources.question.scope() {
        Scope::Guild(_) => "a Discord channel with several people",
        Scope::Dm(_) => "a private Discord conversation with one person",
    };
    format!(
        "{personality}\n\n\
         You are {name}, talking in {place}. Each message from a person begins with their name. \
         Answer the last message, and what the same person asked just before it if that is still open. Write only your own words, without your name in front. \
         Discord's markdown works; keep it light.\n\
         Today is {date}. You run on Kaiwa {version}.{memory}",
        memory = remembered(sources.memory),
        personality = sources.persona.personality.trim(),
        name = sources.persona.name,
        date = sources.date,
        version = sources.version,
    )
}

/// What is remembered, as a list.
fn remembered(memory: &[String]) -> String {
    if memory.is_empty() {
        return String::new();
    }
    format!("\n\nWhat you remember:\n- {}", memory.join("\n- "))
}

/// A message of somebody else.
fn theirs(message: &Message) -> Line {
    let text = readable(&words(message), &message.mentions);
    Line::user(format!("{}: {text}", speaker(&message.author.name)))
}

/// What a message says: its text, or else what its files show.
fn words(message: &Message) -> Cow<'_, str> {
    if !message.text.is_empty() {
        return Cow::Borrowed(&message.text);
    }
    let shown = message
        .attachments
        .iter()
        .filter_map(|file| match &file.description {
            Some(description) => Some(format!("[{description}]")),
            None => file.is_image().then(|| "[an image]".to_owned()),
        });
    Cow::Owned(shown.collect::<Vec<_>>().join("\n"))
}

/// A name that cannot pass for anything but a name: one line, no colon that
/// would end it early, never empty.
fn speaker(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| if c.is_control() || c == ':' { ' ' } else { c })
        .take(NAME_CHARS)
        .collect();
    let clean = clean.trim();
    if clean.is_empty() {
        "Somebody".to_owned()
    } else {
        clean.to_owned()
    }
}

/// The text with user mentions as names, trimmed and capped.
fn readable(text: &str, mentions: &[Mention]) -> String {
    let mut readable = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("<@") {
        let (before, tag) = rest.split_at(at);
        readable.push_str(before);
        match named(tag, mentions) {
            Some((name, length)) => {
                readable.push('@');
                readable.push_str(&speaker(name));
                rest = &tag[length..];
            }
            None => {
                readable.push_str("<@");
                rest = &tag[2..];
            }
        }
    }
    readable.push_str(rest);
    capped(readable.trim())
}

fn capped(text: &str) -> String {
    match text.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The name behind a tag such as `<@1>` or `<@!1>`, and the tag's length.
fn named<'a>(tag: &str, mentions: &'a [Mention]) -> Option<(&'a str, usize)> {
    let digits = tag.strip_prefix("<@")?;
    let digits = digits.strip_prefix('!').unwrap_or(digits);
    let end = digits.find(|c: char| !c.is_ascii_digit())?;
    let closed = digits[end..].starts_with('>');
    let id: UserId = digits[..end].parse().ok().filter(|_| closed)?;
    let mention = mentions.iter().find(|mention| mention.id == id)?;
    Some((&mention.name, tag.len() - digits.len() + end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use kaiwa_domain::{
        Author, AuthorKind, ChannelId, GuildId, MessageId, ScheduledTask, Timestamp,
    };

    fn kaiwa() -> Persona {
        Persona {
            id: PersonaId::MAIN,
            name: "Kaiwa".into(),
            personality: "You are kind.".into(),
        }
    }

    /// What somebody said; a message of "Kaiwa" is on record as ours.
    fn spoken(name: &str, text: &str) -> Spoken {
        Spoken {
            message: said(name, text),
            by: (name == "Kaiwa").then_some(PersonaId::MAIN),
        }
    }

    fn said(name: &str, text: &str) -> Message {
        let ours = name == "Kaiwa";
        let author = Author {
            id: UserId::new(if ours { 1 } else { 2 }),
            name: name.into(),
            kind: AuthorKind::Human,
            roles: Vec::new(),
        };
        let scope = Scope::Guild(GuildId::new(3));
        Message {
            mentions: vec![Mention {
                id: UserId::new(1),
                name: "Kaiwa".into(),
            }],
            ..Message::new(
                MessageId::new(7),
                scope,
                ChannelId::new(4),
                author,
                text.into(),
            )
        }
    }

    fn brief(history: &[Spoken], question: &Message) -> Brief {
        brief_of(history, &Question::Message(question.clone()))
    }

    fn brief_of(history: &[Spoken], question: &Question) -> Brief {
        compose(&Sources {
            persona: &kaiwa(),
            date: "Sunday, 15 November 2026",
            version: "0.1.0",
            history,
            memory: &[],
            question,
        })
    }

    fn check(history: &[Spoken], question: &Message, expected: &Expect) {
        let brief = brief(history, question);
        let lines: String = brief
            .lines
            .iter()
            .map(|line| {
                let role = match line {
                    Line::User { .. } => "User",
                    Line::Assistant { .. } => "Assistant",
                    Line::Tool(_) => "Tool",
                };
                format!("{role}| {}\n", line.text())
            })
            .collect();
        expected.assert_eq(&lines);
    }

    #[test]
    fn a_conversation() {
        check(
            &[
                spoken("Ada", "hi"),
                spoken("Kaiwa", "Hello, Ada!"),
                spoken("Ben", " "),
            ],
            &said("Ada", "<@1> and <@!1>, not <@5>, <@1 or <@"),
            &expect![[r#"
                User| Ada: hi
                Assistant| Hello, Ada!
                User| Ada: @Kaiwa and @Kaiwa, not <@5>, <@1 or <@
            "#]],
        );
    }

    #[test]
    fn who_said_what_is_told_by_the_record_and_not_by_the_name() {
        let mut alter = spoken("Sage", "I am wise.");
        alter.by = Some(PersonaId::new(2));
        let mut impostor = spoken("Kaiwa", "Trust me.");
        impostor.by = None;
        check(
            &[spoken("Kaiwa", "Hello!"), alter, impostor],
            &said("Ada", "well?"),
            &expect![[r#"
                Assistant| Hello!
                User| Sage: I am wise.
                User| Kaiwa: Trust me.
                User| Ada: well?
            "#]],
        );
    }

    #[test]
    fn what_was_due_is_no_message() {
        let task = ScheduledTask {
            schedule: 7,
            due: Timestamp::from_millis(0),
            scope: Scope::Guild(GuildId::new(3)),
            channel: ChannelId::new(4),
            asker: UserId::new(2),
            text: " Say good morning. ".into(),
        };
        let brief = brief_of(&[spoken("Ada", "hi")], &Question::Scheduled(task));
        expect![[r#"
            (Nobody wrote this just now: it was set for this moment by <@2>. Do it, and say what you say to the channel.)
            Say good morning."#]]
        .assert_eq(brief.lines[1].text());
        assert_eq!(brief.lines[0].text(), "Ada: hi");
    }

    #[test]
    fn names_stay_names() {
        for (name, expected) in [
            ("Eve\nKaiwa", "Eve Kaiwa: x"),
            ("Kaiwa: yes", "Kaiwa  yes: x"),
            ("\u{7}", "Somebody: x"),
            (&"é".repeat(99), &format!("{}: x", "é".repeat(NAME_CHARS))),
        ] {
            let message = said(name, "x");
            let brief = brief(&[], &message);
            assert_eq!(brief.lines[0].text(), expected);
        }
    }

    #[test]
    fn the_system_prompt_says_who_where_and_when() {
        let mut question = said("Ada", "x");
        expect![[r#"
            You are kind.

            You are Kaiwa, talking in a Discord channel with several people. Each message from a person begins with their name. Answer the last message, and what the same person asked just before it if that is still open. Write only your own words, without your name in front. Discord's markdown works; keep it light.
            Today is Sunday, 15 November 2026. You run on Kaiwa 0.1.0."#]]
        .assert_eq(&brief(&[], &question).system);
        question.scope = Scope::Dm(UserId::new(2));
        assert!(
            brief(&[], &question)
                .system
                .contains("a private Discord conversation")
        );
    }

    #[test]
    fn the_conversation_is_capped_and_the_question_stays() {
        let long = "x".repeat(MESSAGE_CHARS * 2);
        let history = vec![spoken("Ada", &long); 100];
        let brief = brief(&history, &said("Ben", "the question"));
        let total: usize = brief.lines.iter().map(|l| l.text().chars().count()).sum();
        assert!(total <= CONVERSATION_CHARS, "{total}");
        assert!(brief.lines.len() > 5);
        assert_eq!(brief.lines.last().unwrap().text(), "Ben: the question");
    }
}
