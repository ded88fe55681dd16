//! What stands for something else in the texts of a character.
//!
//! | written | told |
//! |---|---|
//! | `{{char}}`, `<bot>`, `{{user}}` | names |
//! | `{{random:a,b}}`, `{{random::a::b}}` | one of them, another for another question |
//! | `{{pick:a,b}}` | one of them, always the same |
//! | `{{roll:2d6+1}}` | a number, another for another question |
//! | `{{reverse:abc}}`, `{{newline}}`, `{{space}}` | what they say |
//! | remarks, and what other programs know and we do not, such as `{{time}}` or `{{getvar::x}}` | nothing |
//! | anything else in braces | as it stands |
//!
//! Whatever is left to chance follows from the text and from what is talked
//! about: the same sources give the same brief.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use kaiwa_domain::SeededDice;
use kaiwa_domain::port::Dice;

/// How deep one may stand within another.
const DEPTH: usize = 8;

/// The most dice of a roll, and the most sides of each.
const DICE: u32 = 100;
const SIDES: u32 = 1_000_000;

/// What other programs put in the place of, and what cannot be known here, or
/// is for them alone.
const UNKNOWN: [&str; 52] = [
    "addglobalvar",
    "addvar",
    "authorsnote",
    "banned",
    "char_version",
    "charinstruction",
    "charjailbreak",
    "charprompt",
    "charversion",
    "comment",
    "currentswipeid",
    "date",
    "datetimeformat",
    "decglobalvar",
    "decvar",
    "description",
    "firstincludedmessageid",
    "getglobalvar",
    "getvar",
    "groupnotmuted",
    "hidden_key",
    "idle_duration",
    "incglobalvar",
    "incvar",
    "input",
    "isodate",
    "isotime",
    "lastcharmessage",
    "lastgenerationtype",
    "lastmessage",
    "lastmessageid",
    "lastswipeid",
    "lastusermessage",
    "maxprompt",
    "mesexamples",
    "mesexamplesraw",
    "model",
    "noop",
    "notchar",
    "original",
    "outlet",
    "persona",
    "personality",
    "scenario",
    "setglobalvar",
    "setvar",
    "summary",
    "systemprompt",
    "time",
    "timediff",
    "trim",
    "weekday",
];

/// Who is meant, and what chance follows from.
#[derive(Clone, Copy)]
pub(super) struct Macros<'a> {
    pub(super) char: &'a str,
    pub(super) user: &'a str,
    pub(super) seed: u64,
}

/// A seed that follows from some texts.
pub(super) fn seed<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for text in texts {
        text.hash(&mut hasher);
    }
    hasher.finish()
}

impl Macros<'_> {
    /// A text with all of that in its place.
    pub(super) fn expanded(self, text: &str) -> String {
        let own = seed([text]);
        let mut drawn = 0;
        let mut whole = String::with_capacity(text.len());
        // What was begun and not ended yet.
        let mut open: Vec<String> = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}', '<']) {
            let (before, found) = rest.split_at(at);
            let top = open.last_mut().unwrap_or(&mut whole);
            top.push_str(before);
            if found.starts_with("{{") && !found.starts_with("{{{") && open.len() < DEPTH {
                open.push(String::new());
                rest = &found[2..];
                continue;
            }
            let length = match open.pop_if(|_| found.starts_with("}}")) {
                Some(inner) => {
                    let top = open.last_mut().unwrap_or(&mut whole);
                    let mut draw = |sides: u32, seed: u64| {
                        drawn += 1;
                        SeededDice::new(own ^ seed.wrapping_add(drawn)).roll(sides)
                    };
                    match self.value(&inner, &mut draw) {
                        Some(value) => top.push_str(&value),
                        None => top.extend(["{{", &inner, "}}"]),
                    }
                    2
                }
                None => {
                    let top = open.last_mut().unwrap_or(&mut whole);
                    let (length, value) = self.tag(found).unwrap_or((1, &found[..1]));
                    top.push_str(value);
                    length
                }
            };
            rest = &found[length..];
        }
        open.last_mut().unwrap_or(&mut whole).push_str(rest);
        for unended in open {
            whole.extend(["{{", &unended]);
        }
        whole
    }

    /// If a text begins with a tag that stands for a name: how long that is.
    fn tag(&self, text: &str) -> Option<(usize, &str)> {
        let tags = [
            ("<bot>", self.char),
            ("<char>", self.char),
            ("<user>", self.user),
        ];
        let begins = |tag: &str| {
            let head = text.as_bytes().get(..tag.len());
            head.is_some_and(|it| it.eq_ignore_ascii_case(tag.as_bytes()))
        };
        let found = tags.into_iter().find(|(tag, _)| begins(tag));
        found.map(|(tag, name)| (tag.len(), name))
    }

    /// What stands for this, without its braces.
    fn value(&self, inner: &str, draw: &mut impl FnMut(u32, u64) -> u32) -> Option<Cow<'_, str>> {
        let inner = inner.trim();
        let is_name = |c: char| c != ':' && !c.is_whitespace();
        let end = inner.find(|c| !is_name(c)).unwrap_or(inner.len());
        let (name, said) = inner.split_at(end);
        let name = name.to_ascii_lowercase();
        let said = said.trim_start();
        let said = said.strip_prefix(':').unwrap_or(said);
        let mut option = |seed| {
            let options = options(said);
            let drawn = draw(u32::try_from(options.len()).unwrap_or(u32::MAX), seed);
            options.get(drawn as usize).cloned().unwrap_or_default()
        };
        Some(match name.as_str() {
            "char" | "bot" | "group" | "charifnotgroup" if said.is_empty() => self.char.into(),
            "user" if said.is_empty() => self.user.into(),
            "newline" => "\n".into(),
            "space" => " ".into(),
            "random" => option(self.seed).into(),
            "pick" => option(0).into(),
            "roll" => rolled(said.trim(), |sides| draw(sides, self.seed)).into(),
            "reverse" => said
                .trim_start_matches(':')
                .chars()
                .rev()
                .collect::<String>()
                .into(),
            known if UNKNOWN.contains(&known) || known.starts_with("time_utc") => "".into(),
            mark if is_mark(mark) => "".into(),
            _ => return None,
        })
    }
}

/// Whether it is a remark, or begins or ends what only some programs tell.
fn is_mark(name: &str) -> bool {
    let begins = |c: char| c == '/' || c.is_ascii_alphabetic();
    name.strip_prefix(['/', '#'])
        .is_some_and(|it| it.starts_with(begins))
}

/// What can be chosen from: between doubled colons, or else between commas.
fn options(said: &str) -> Vec<String> {
    match said.strip_prefix(':') {
        Some(said) => said.split("::").map(|it| it.trim().to_owned()).collect(),
        None => {
            // A comma that is meant as one has a sign before it.
            let said = said.replace("\\,", "\0");
            let options = said.split(',');
            options.map(|it| it.trim().replace('\0', ",")).collect()
        }
    }
}

/// What dice show, if they are written like `2d6+1`.
fn rolled(dice: &str, mut draw: impl FnMut(u32) -> u32) -> String {
    let read = || {
        let dice = dice.trim_start_matches(':').to_ascii_lowercase();
        let (dice, more) = match dice.find(['+', '-']) {
            Some(at) => (
                &dice[..at],
                dice[at..].replace(' ', "").parse::<i32>().ok()?,
            ),
            None => (dice.as_str(), 0),
        };
        let (count, sides) = dice.split_once('d').unwrap_or(("1", dice));
        let count = match count.trim() {
            "" => 1,
            count => count.parse::<u32>().ok()?,
        };
        let sides = sides.trim().parse::<u32>().ok()?;
        ((1..=DICE).contains(&count) && (1..=SIDES).contains(&sides))
            .then_some((count, sides, more))
    };
    let Some((count, sides, more)) = read() else {
        return String::new();
    };
    let sum: u32 = (0..count).map(|_| draw(sides) + 1).sum();
    (i64::from(sum) + i64::from(more)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str, seed: u64) -> String {
        let (char, user) = ("Mina", "Ada");
        Macros { char, user, seed }.expanded(text)
    }

    #[test]
    fn names_take_the_place_of_what_stands_for_them() {
        let long = format!("a{{{{// {} }}}}b", "remark } ".repeat(300));
        for (text, expect) in [
            ("{{char}} likes {{user}}.", "Mina likes Ada."),
            ("{{ Char }} {{USER}} {{bot}}", "Mina Ada Mina"),
            ("<BOT> and <user> <b>", "Mina and Ada <b>"),
            ("{{original}}{{// a remark}}x", "x"),
            ("{{char}", "{{char}"),
            ("{{{char}}}", "{Mina}"),
            ("会{{char}}話", "会Mina話"),
            (&long, "ab"),
            ("{{// smile :} done}}x", "x"),
            ("{{// for {{user}} }}x", "x"),
            ("{{comment: note}}{{hidden_key:sword}}x", "x"),
            ("{{reverse:abc}} {{reverse:{{user}}}}", "cba adA"),
            ("a{{newline}}b{{space}}c", "a\nb c"),
            (
                "[{{time}}{{date}}{{time_UTC+2}}{{persona}}{{description}}]",
                "[]",
            ),
            ("{{setvar::x::1}}{{getvar::x}}{{ trim }}x", "x"),
            ("{{#if x}}y{{/if}}", "y"),
            ("{{charIfNotGroup}}", "Mina"),
            ("{{random:{{user}}}} {{random::{{user}}}}", "Ada Ada"),
            ("{{random:a\\,b}} {{random}}.", "a,b ."),
            (
                "{{roll:d1}} {{roll:1}} {{roll:3d1+4}} {{roll 2d1 - 5}}",
                "1 1 7 -3",
            ),
            ("{{roll:0}}{{roll:tea}}{{roll:999d6}}{{roll:d0}}", ""),
            ("{{ title }} {{price:3}} {{", "{{ title }} {{price:3}} {{"),
            ("}} {{a {{char}}", "}} {{a Mina"),
            ("{{a{{b{{user}}c}}d}}", "{{a{{bAdac}}d}}"),
        ] {
            assert_eq!(expanded(text, 7), expect, "{text:?}");
        }
        let deep = format!("{}{}", "{{x".repeat(10_000), "}}".repeat(10_000));
        assert_eq!(expanded(&deep, 7), deep);
        let braces = "{".repeat(100_000);
        assert_eq!(expanded(&braces, 7), braces);
    }

    #[test]
    fn chance_follows_from_the_text_and_from_what_is_talked_about() {
        let text = "{{random:a,b,c}}{{random:a,b,c}}{{random::a::b::c}} {{roll:d6}} {{pick:a,b,c}}";
        let all: Vec<String> = (0..100).map(|seed| expanded(text, seed)).collect();
        let again: Vec<String> = (0..100).map(|seed| expanded(text, seed)).collect();
        assert_eq!(all, again);
        for place in 0..5 {
            let letter = |it: &String| it.chars().filter(|c| *c != ' ').nth(place);
            let letters: std::collections::BTreeSet<_> = all.iter().map(letter).collect();
            // What is picked stays.
            let expect = [3, 3, 3, 6, 1][place];
            assert_eq!(letters.len(), expect, "{place}: {letters:?}");
        }
        let is_same = |it: &&String| it.as_bytes()[0] == it.as_bytes()[1];
        assert!((10..60).contains(&all.iter().filter(is_same).count()));
    }
}
