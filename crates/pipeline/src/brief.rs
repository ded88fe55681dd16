//! What does the model need to know?
//!
//! The brief is the system prompt, the recent messages with their speakers'
//! names, and the message to answer, last. Everything in it has a hard cap.

use kaiwa_domain::{Brief, Line, Me, Mention, Message, Scope, UserId};

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
    /// Who we are.
    pub me: &'a Me,
    /// How to speak: the personality file.
    pub personality: &'a str,
    /// The date, as a person would write it.
    pub date: &'a str,
    /// Our version.
    pub version: &'a str,
    /// Earlier messages of the channel, oldest first.
    pub history: &'a [Message],
    /// The message to answer.
    pub question: &'a Message,
}

/// Writes the brief.
pub fn compose(sources: &Sources<'_>) -> Brief {
    let question = line(sources.me, sources.question);
    let mut room = CONVERSATION_CHARS.saturating_sub(question.text().chars().count());
    let mut lines = vec![question];
    for message in sources.history.iter().rev() {
        if message.text.trim().is_empty() {
            continue;
        }
        let line = line(sources.me, message);
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
    let place = match sources.question.scope {
        Scope::Guild(_) => "a Discord channel with several people",
        Scope::Dm(_) => "a private Discord conversation with one person",
    };
    format!(
        "{personality}\n\n\
         You are {name}, talking in {place}. Each message from a person begins with their name. \
         Answer the last message, and what the same person asked just before it if that is still open. Write only your own words, without your name in front. \
         Discord's markdown works; keep it light.\n\
         Today is {date}. You run on Kaiwa {version}.",
        personality = sources.personality.trim(),
        name = sources.me.name,
        date = sources.date,
        version = sources.version,
    )
}

fn line(me: &Me, message: &Message) -> Line {
    let text = readable(&message.text, &message.mentions);
    if message.author.id == me.id {
        return Line::assistant(text);
    }
    Line::user(format!("{}: {text}", speaker(&message.author.name)))
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
    let readable = readable.trim();
    match readable.char_indices().nth(MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", &readable[..end]),
        None => readable.to_owned(),
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
    use kaiwa_domain::{Author, AuthorKind, ChannelId, GuildId, MessageId};

    fn me() -> Me {
        Me {
            id: UserId::new(1),
            name: "Kaiwa".into(),
        }
    }

    fn said(name: &str, text: &str) -> Message {
        let ours = name == "Kaiwa";
        Message {
            id: MessageId::new(7),
            scope: Scope::Guild(GuildId::new(3)),
            channel: ChannelId::new(4),
            author: Author {
                id: UserId::new(if ours { 1 } else { 2 }),
                name: name.into(),
                kind: AuthorKind::Human,
            },
            text: text.into(),
            mentions: vec![Mention {
                id: UserId::new(1),
                name: "Kaiwa".into(),
            }],
            reply: None,
            images: Vec::new(),
        }
    }

    fn brief(history: &[Message], question: &Message) -> Brief {
        compose(&Sources {
            me: &me(),
            personality: "You are kind.",
            date: "Sunday, 15 November 2026",
            version: "0.1.0",
            history,
            question,
        })
    }

    fn check(history: &[Message], question: &Message, expected: &Expect) {
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
                said("Ada", "hi"),
                said("Kaiwa", "Hello, Ada!"),
                said("Ben", " "),
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
        let history = vec![said("Ada", &long); 100];
        let brief = brief(&history, &said("Ben", "the question"));
        let total: usize = brief.lines.iter().map(|l| l.text().chars().count()).sum();
        assert!(total <= CONVERSATION_CHARS, "{total}");
        assert!(brief.lines.len() > 5);
        assert_eq!(brief.lines.last().unwrap().text(), "Ben: the question");
    }
}
