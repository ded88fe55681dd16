//! Who of several personas is meant.

use kaiwa_domain::{Me, Message, Persona, PersonaId};

use super::{Gate, TriggerWords};

/// An alter, as far as it can be called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CalledPersona {
    /// Which it is.
    pub id: PersonaId,
    /// Its name.
    pub name: String,
    /// What it is called by: its name, and its trigger words.
    words: TriggerWords,
}

impl CalledPersona {
    /// The alters among personas.
    pub fn among(personas: &[Persona]) -> Vec<Self> {
        let alters = personas.iter().filter(|it| it.id != PersonaId::MAIN);
        let called = alters.map(|persona| {
            let name = std::iter::once(&persona.name);
            let words: Vec<&String> = name.chain(&persona.triggers).collect();
            Self {
                id: persona.id,
                name: persona.name.clone(),
                words: TriggerWords::new(&words),
            }
        });
        called.collect()
    }
}

/// The personas that a text names, in the order in which it does. `main` are
/// the words of the bot itself.
pub fn named(text: &str, main: &TriggerWords, alters: &[CalledPersona]) -> Vec<PersonaId> {
    let mut found: Vec<(usize, PersonaId)> = alters
        .iter()
        .filter_map(|it| Some((it.words.first_in(text)?, it.id)))
        .collect();
    found.extend(main.first_in(text).map(|at| (at, PersonaId::MAIN)));
    found.sort_unstable();
    found.into_iter().map(|(_, id)| id).collect()
}

/// Whether a message names an alter.
pub(super) fn names_alter(gate: &Gate<'_>, message: &Message) -> bool {
    let mut alters = gate.alters.iter();
    alters.any(|it| it.words.are_in(&message.text))
}

/// Who answers a message that is for us: whoever it replies to, then those it
/// names in the order in which it does, or else whoever speaks here.
pub(super) fn speakers(gate: &Gate<'_>, message: &Message) -> Vec<PersonaId> {
    if gate.alters.is_empty() {
        return vec![gate.replied_to.unwrap_or(PersonaId::MAIN)];
    }
    let mut speakers: Vec<PersonaId> = gate.replied_to.into_iter().collect();
    let mut others = named(&message.text, &gate.rules.words, gate.alters);
    // Where only mentions are read, a mention is no name.
    let is_named = gate.reads_all || (speakers.is_empty() && others.is_empty());
    if let Some(at) = mention(gate.me, message).filter(|_| is_named) {
        let who = default_persona(gate);
        let before = others
            .iter()
            .take_while(|id| place(gate, message, **id) < at);
        let before = before.count();
        if !others.contains(&who) {
            others.insert(before, who);
        }
    }
    for other in others {
        if !speakers.contains(&other) {
            speakers.push(other);
        }
    }
    if speakers.is_empty() {
        speakers.push(default_persona(gate));
    }
    speakers.truncate(usize::from(gate.rules.match_limit).max(1));
    speakers
}

/// Where a message mentions us, in bytes.
fn mention(me: &Me, message: &Message) -> Option<usize> {
    let mentioned = message.mentions.iter().any(|it| me.is(it.id));
    let tags = [format!("<@{}>", me.id), format!("<@!{}>", me.id)];
    let at = tags.iter().filter_map(|tag| message.text.find(tag)).min();
    mentioned.then_some(at)?
}

/// Where a message names a persona, in bytes.
fn place(gate: &Gate<'_>, message: &Message, id: PersonaId) -> usize {
    let mut alters = gate.alters.iter();
    let words = alters.find(|it| it.id == id).map(|it| &it.words);
    let at = words.unwrap_or(&gate.rules.words).first_in(&message.text);
    at.unwrap_or(usize::MAX)
}

/// Who speaks where nobody is named.
fn default_persona(gate: &Gate<'_>) -> PersonaId {
    let Some(name) = &gate.rules.default_persona else {
        return PersonaId::MAIN;
    };
    let name = name.trim().to_lowercase();
    let mut alters = gate.alters.iter();
    let here = alters.find(|it| it.name.to_lowercase() == name);
    here.map_or(PersonaId::MAIN, |it| it.id)
}
