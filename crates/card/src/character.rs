//! What a card says of somebody, as a persona.
//!
//! What a persona has no room for is left out and named. The same card is
//! always read the same way: that is how an export knows what was changed.

use kaiwa_domain::{
    DIALOGUE_CHARS, DIALOGUES_PER_PERSONA, PERSONA_NAME_CHARS, PERSONALITY_CHARS, Persona,
    TRIGGER_CHARS, TRIGGERS_PER_PERSONA,
};
use serde_json::{Map, Value};

use crate::fields::{any_text, list, number, object, text};
use crate::text::{one_line, shortened};
use crate::{LeftOut, dialogue, lore};

/// What we keep of a persona in the extensions of a card.
pub(crate) const OURS: &str = "kaiwa";

/// What SillyTavern puts into a conversation, a few messages before its end.
const NOTE: &str = "depth_prompt";

/// How many characters the name of a model may have.
const MODEL_CHARS: usize = 200;

/// Where a card says who somebody is, in the order in which we do.
pub(crate) const PARTS: [&str; 6] = [
    "system_prompt",
    "description",
    "personality",
    "scenario",
    "post_history_instructions",
    NOTE,
];

/// The persona of a card.
pub(crate) fn persona(data: &Map<String, Value>, left_out: &mut Vec<LeftOut>) -> Persona {
    let ours = object(data, "extensions").and_then(|it| object(it, OURS));
    let mut name = name_of(data);
    if let Some((end, _)) = name.char_indices().nth(PERSONA_NAME_CHARS) {
        name.truncate(end);
        name.truncate(name.trim_end().len());
        left_out.push(LeftOut::Name);
    }
    let called = Called::of(data, &name);
    let model = ours.map(|it| one_line(&text(it, "model")));
    Persona {
        personality: personality(data, &called, left_out),
        dialogues: dialogues(data, &called, left_out),
        greetings: greetings(data, left_out),
        lore: lore::read(data, &called, left_out),
        triggers: triggers(data, ours, &name, left_out),
        degree: ours
            .and_then(|it| number(it, "degree"))
            .filter(|it| *it <= 4),
        model: model.filter(|it| !it.is_empty() && it.chars().nth(MODEL_CHARS).is_none()),
        name,
        ..Persona::default()
    }
}

/// The name that a card gives.
pub(crate) fn name_of(data: &Map<String, Value>) -> String {
    one_line(&any_text(data, &["name", "char_name", "nickname"]).replace(is_mark, ""))
}

/// Whether a character is no letter of a name: nobody sees it, or it turns
/// others. Those that join letters stay.
const fn is_mark(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// How somebody is called where a card says `{{char}}`: by a nickname, if it
/// gives one.
pub(crate) struct Called(Option<String>);

impl Called {
    pub(crate) fn of(data: &Map<String, Value>, name: &str) -> Self {
        let nickname = one_line(&text(data, "nickname"));
        let is_one = !nickname.is_empty()
            && nickname != name
            && nickname.chars().nth(PERSONA_NAME_CHARS).is_none();
        Self(is_one.then_some(nickname))
    }

    /// A text with the nickname in it, if that has no more than `most`
    /// characters. Before a line that somebody says stands who they are.
    pub(crate) fn within(&self, text: &str, most: usize) -> String {
        let Some(nickname) = &self.0 else {
            return text.to_owned();
        };
        let mut whole = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['{', '<']) {
            whole.push_str(&rest[..at]);
            rest = &rest[at..];
            let length = stands_for_char(rest).unwrap_or(1);
            let (tag, after) = rest.split_at(length);
            let begins = whole.is_empty() || whole.ends_with('\n');
            let is_label = begins && after.starts_with([':', '：']);
            match length > 1 && !is_label {
                true => whole.push_str(nickname),
                false => whole.push_str(tag),
            }
            rest = after;
        }
        whole.push_str(rest);
        match whole.chars().nth(most) {
            Some(_) => text.to_owned(),
            None => whole,
        }
    }
}

/// How long what stands for the name is, if a text begins with it.
fn stands_for_char(text: &str) -> Option<usize> {
    let tags = ["{{char}}", "{{bot}}", "<char>", "<bot>"];
    let begins = |tag: &&str| {
        let head = text.as_bytes().get(..tag.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(tag.as_bytes()))
    };
    tags.iter().find(|tag| begins(tag)).map(|tag| tag.len())
}

/// What a card says in one of [`PARTS`], as it stands in the personality.
pub(crate) fn part(data: &Map<String, Value>, part: &str) -> String {
    let said = match part {
        "description" => any_text(data, &["description", "char_persona"]),
        "scenario" => any_text(data, &["scenario", "world_scenario"]),
        NOTE => note(data).map(|it| text(it, "prompt")).unwrap_or_default(),
        other => text(data, other),
    };
    // It stands for what a program would say without the card.
    let said = said.replace("{{original}}", "").trim().to_owned();
    match label(part) {
        Some(label) if !said.is_empty() => format!("{label}{said}"),
        _ => said,
    }
}

/// What stands before one of [`PARTS`] in the personality.
pub(crate) fn label(part: &str) -> Option<&'static str> {
    match part {
        "personality" => Some("Personality: "),
        "scenario" => Some("Scenario: "),
        _ => None,
    }
}

fn note(data: &Map<String, Value>) -> Option<&Map<String, Value>> {
    object(object(data, "extensions")?, NOTE)
}

/// Lets a card say something else in one of [`PARTS`].
pub(crate) fn set_part(data: &mut Map<String, Value>, part: &str, said: &str) {
    if part != NOTE {
        data.insert(part.into(), said.into());
        return;
    }
    let extensions = data.get_mut("extensions").and_then(Value::as_object_mut);
    let note = extensions.and_then(|it| it.get_mut(NOTE)?.as_object_mut());
    if let Some(note) = note {
        note.insert("prompt".into(), said.into());
    }
}

/// Who they are, as one text: of what is too long, the longest part ends
/// sooner.
fn personality(data: &Map<String, Value>, called: &Called, left_out: &mut Vec<LeftOut>) -> String {
    let parts = PARTS.map(|it| part(data, it));
    let mut parts: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    let chars = |parts: &[String]| {
        let chars = parts.iter().map(|it| it.chars().count() + 2);
        chars.sum::<usize>().saturating_sub(2)
    };
    let mut is_whole = true;
    loop {
        let excess = chars(&parts).saturating_sub(PERSONALITY_CHARS);
        let longest = parts.iter_mut().max_by_key(|it| it.len());
        let Some(longest) = longest.filter(|_| excess > 0) else {
            break;
        };
        let length = longest.chars().count();
        let most = length.saturating_sub(excess).max(length / 2);
        let kept = shortened(longest, most).map(str::len);
        longest.truncate(kept.unwrap_or_default());
        is_whole = false;
    }
    if !is_whole {
        left_out.push(LeftOut::Personality);
    }
    called.within(&parts.join("\n\n"), PERSONALITY_CHARS)
}

fn dialogues(
    data: &Map<String, Value>,
    called: &Called,
    left_out: &mut Vec<LeftOut>,
) -> Vec<String> {
    let whole = any_text(data, &["mes_example", "example_dialogue"]);
    let (mut dialogues, mut missing) = dialogue::split(&whole, DIALOGUE_CHARS);
    missing += dialogues.len().saturating_sub(DIALOGUES_PER_PERSONA);
    dialogues.truncate(DIALOGUES_PER_PERSONA);
    if missing > 0 {
        left_out.push(LeftOut::Dialogues(missing));
    }
    let dialogues = dialogues.into_iter();
    dialogues
        .map(|it| called.within(it, DIALOGUE_CHARS))
        .collect()
}

/// How they may begin. What is too long is not cut: a greeting says nothing
/// without its end.
fn greetings(data: &Map<String, Value>, left_out: &mut Vec<LeftOut>) -> Vec<String> {
    let first = any_text(data, &["first_mes", "char_greeting"]);
    let first = (!first.trim().is_empty()).then_some(first);
    let others = list(data, "alternate_greetings");
    let greetings = first.into_iter().chain(others).collect();
    few(
        greetings,
        (DIALOGUES_PER_PERSONA, DIALOGUE_CHARS),
        left_out,
        LeftOut::Greetings,
    )
}

/// Words that address it: ours if the card was Kaiwa's, else its nickname.
fn triggers(
    data: &Map<String, Value>,
    ours: Option<&Map<String, Value>>,
    name: &str,
    left_out: &mut Vec<LeftOut>,
) -> Vec<String> {
    let words = match ours.map(|it| list(it, "triggers")) {
        Some(own) => own,
        None => vec![text(data, "nickname")],
    };
    let words = words
        .iter()
        .map(|word| one_line(&word.replace(is_mark, "")));
    let words = words.filter(|word| !word.is_empty() && (ours.is_some() || word != name));
    few(
        words.collect(),
        (TRIGGERS_PER_PERSONA, TRIGGER_CHARS),
        left_out,
        LeftOut::Triggers,
    )
}

/// The first texts, so many and so long at most.
fn few(
    mut texts: Vec<String>,
    (most, longest): (usize, usize),
    left_out: &mut Vec<LeftOut>,
    what: fn(usize) -> LeftOut,
) -> Vec<String> {
    let before = texts.len();
    texts.retain(|text| text.chars().nth(longest).is_none());
    texts.truncate(most);
    if texts.len() < before {
        left_out.push(what(before - texts.len()));
    }
    texts
}

/// Whether a card without our extensions gives a persona its words.
pub(crate) fn is_addressed_by(data: &Map<String, Value>, persona: &Persona) -> bool {
    triggers(data, None, &persona.name, &mut Vec::new()) == persona.triggers
}
