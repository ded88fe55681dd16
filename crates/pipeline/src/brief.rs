//! What does the model need to know?
//!
//! The brief is the system prompt, the messages of the channel that matter,
//! a line that says that these are over, and the message to answer, last.
//!
//! - Who said something is told by its record and by ids, never by names; each
//!   person has one name, and nothing that somebody writes can pass for a line
//!   of somebody else ([`mod@sanitize`]).
//! - Messages of one answer are one entry; notices are none.
//! - Everything has a cap of its own, and all of it together fits the room that
//!   there is: what gives way first is declared in [`CUT_ORDER`].
//! - The same sources give the same brief.

mod budget;
mod character;
mod circles;
mod entry;
mod fit;
mod macros;
mod prompt;
pub mod sanitize;
mod tags;
mod window;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use kaiwa_domain::{
    AuthorKind, Brief, ChannelId, ChannelKind, ChannelSnapshot, GuildSnapshot, Line, Me, Persona,
    PersonaId, PromptSection, Question, ScheduledTask, Scope, Timestamp, Tool, UserId, When,
};

pub use budget::{CUT_ORDER, Part, Room};
pub use entry::{FILE_CHARS, FileText, MESSAGE_CHARS, QUOTE_CHARS};
pub use kaiwa_domain::{ENTRY_TOKENS, first_tokens, tokens};
pub use prompt::{DEFAULT_TEMPLATE, SYSTEM_CHARS, Template, TemplateError};
pub use window::{Spoken, WindowRules};

use budget::{
    DONE_CHARS, DONE_LINES, MEMORY_CHARS, MEMORY_LINES, NOTE_CHARS, OfferedTools, PEOPLE,
};
use character::character;
use entry::Scribe;
use fit::WrittenEntry;
use prompt::PromptFacts;
use sanitize::{sanitize, speaker_name, unique_names};
use tags::Tags;
use window::{Addressee, WindowEntry};

/// Stands between what was said before and what is to be answered.
pub const SEPARATOR: &str = "[Everything above was said before and is answered or over. Answer \
    only what follows.]";

/// How many stickers are offered.
const STICKERS: usize = 20;

/// In how many of the newest messages it is looked for what a persona knows.
const LORE_SCAN: usize = 8;

/// What a brief is made of.
pub struct Sources<'a> {
    /// Who we are on Discord.
    pub me: &'a Me,
    /// Who answers.
    pub persona: &'a Persona,
    /// What personas of the scope are called, the bot itself included.
    pub cast: &'a [(PersonaId, String)],
    /// Where.
    pub place: BriefPlace<'a>,
    /// When.
    pub now: Now<'a>,
    /// Our version.
    pub version: &'a str,
    /// Messages of the channel, oldest first.
    pub history: &'a [Spoken],
    /// What to answer.
    pub question: &'a Question,
    /// What is in files that came with it.
    pub files: &'a [FileText],
    /// Which messages count.
    pub window: WindowRules<'a>,
    /// How much room there is.
    pub room: Room,
    /// How many emoji are offered.
    pub emoji: usize,
    /// What is remembered, a line each.
    pub memory: &'a [String],
    /// What was done here lately, a line each.
    pub done: &'a [String],
    /// Whether the model is asked to take notes.
    pub notes: bool,
    /// What the model may ask for.
    pub tools: &'a [Tool],
    /// How often the model may look something up.
    pub search_rounds: u32,
    /// What the answer is to begin with.
    pub prefill: &'a str,
    /// What the system prompt is made from.
    pub template: &'a Template,
}

/// Where a conversation takes place, as far as that is known.
#[derive(Clone, Copy)]
pub struct BriefPlace<'a> {
    /// The guild; its channels are not looked at.
    pub guild: Option<&'a GuildSnapshot>,
    /// The channel.
    pub channel: Option<&'a ChannelSnapshot>,
    /// What a channel of the guild is called.
    pub channel_name: &'a dyn Fn(ChannelId) -> Option<String>,
    /// What there is to know of the guild.
    pub server_note: Option<&'a str>,
    /// What there is to know of the channel.
    pub channel_note: Option<&'a str>,
}

/// The time, as people write it there.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    /// The moment itself.
    pub at: Timestamp,
    /// Weekday and date.
    pub date: &'a str,
    /// The time of day.
    pub time: &'a str,
    /// The time zone and its distance from UTC.
    pub zone: &'a str,
    /// Writes another moment, in seconds since 1970.
    pub write: &'a dyn Fn(i64) -> String,
}

/// A brief, and what is known about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Composed {
    /// What the model is told.
    pub brief: Brief,
    /// The same in parts, in order.
    pub sections: Vec<PromptSection>,
    /// What the people in it are called.
    pub names: BTreeMap<UserId, String>,
}

/// Writes the brief.
pub fn compose(sources: &Sources<'_>) -> Composed {
    let names = names(sources);
    let own_name = speaker_name(&sources.persona.name);
    let tags = Tags {
        names: &names,
        guild: sources.place.guild,
        channel: sources.place.channel_name,
        date: sources.now.write,
    };
    let scribe = Scribe {
        tags,
        names: &names,
        cast: sources.cast,
        me: sources.me,
        files: sources.files,
    };
    let my_roles = sources.place.guild.map(|guild| &*guild.my_roles);
    let to = Addressee {
        me: sources.me,
        my_roles: my_roles.unwrap_or_default(),
        asker: sources.question.asker(),
        scope: sources.question.scope(),
        now: sources.now.at,
    };
    let entries = window::select(sources.history, &sources.window, &to);
    let shorten_circles = sources.window.shorten_circles;
    let entries = entries.iter().map(|entry| WrittenEntry {
        line: written(&scribe, entry, sources.persona, shorten_circles),
        is_askers: entry.is_by(to.asker),
    });
    let entries: Vec<WrittenEntry> = entries
        .filter(|entry| !entry.line.text().is_empty())
        .collect();

    let question = match sources.question {
        Question::Message(message) => scribe.question(message),
        Question::Cue(cue) => scribe.cue(cue),
        Question::Scheduled(task) => scheduled(task),
        Question::Instruction(instruction) => scribe.instruction(&instruction.text),
        // No model is asked about a control.
        Question::Interaction(_) => String::new(),
    };
    let offered = OfferedTools::of(sources.tools, sources.room);
    let facts = facts(sources, offered.tools, &names, &own_name);
    fit::fit(sources, offered, facts, entries, &question, names)
}

/// What everybody is called who said something, is named or is replied to.
fn names(sources: &Sources<'_>) -> BTreeMap<UserId, String> {
    let history = sources.history.iter();
    let said = history.filter(|spoken| spoken.by.is_none());
    let messages = said.map(|spoken| &*spoken.message);
    let messages = messages.chain(sources.question.message());
    let mut people: Vec<(UserId, &str)> = Vec::new();
    for message in messages.clone() {
        let mentions = message.mentions.iter();
        people.extend(mentions.map(|mention| (mention.id, &*mention.name)));
        let target = message
            .reply
            .iter()
            .filter_map(|reply| reply.target.as_ref());
        people.extend(target.map(|target| (target.author.id, &*target.author.name)));
    }
    // What people are called where they speak counts.
    let authors = messages.filter(|message| message.author.kind != AuthorKind::Webhook);
    people.extend(authors.map(|message| (message.author.id, &*message.author.name)));
    people.retain(|(id, _)| !sources.me.is(*id));
    let mut reserved = vec![&*sources.persona.name, &*sources.me.name];
    reserved.extend(sources.cast.iter().map(|(_, name)| &**name));
    let mut names = unique_names(&reserved, people);
    let our_account = persona_name(sources.cast, PersonaId::MAIN);
    let our_account = our_account.unwrap_or(&sources.persona.name);
    names.insert(sources.me.id, speaker_name(our_account));
    names
}

/// What a persona is called.
fn persona_name(cast: &[(PersonaId, String)], id: PersonaId) -> Option<&str> {
    let mut cast = cast.iter();
    cast.find(|(of, _)| *of == id).map(|(_, name)| &**name)
}

fn written(
    scribe: &Scribe<'_>,
    entry: &WindowEntry<'_>,
    persona: &Persona,
    shorten_circles: bool,
) -> Line {
    if entry.by() == Some(persona.id) {
        return Line::assistant(scribe.own(&entry.messages, shorten_circles));
    }
    let said = entry
        .messages
        .iter()
        .filter_map(|spoken| scribe.theirs(spoken));
    Line::user(said.collect::<Vec<_>>().join("\n"))
}

fn scheduled(task: &ScheduledTask) -> String {
    let text = entry::capped(task.text.trim(), MESSAGE_CHARS);
    format!(
        "(Nobody wrote this just now: it was set for this moment by <@{}>. Do it, and say what you \
         say to the channel.)\n{}",
        task.asker,
        sanitize(&text).text
    )
}

fn facts(
    sources: &Sources<'_>,
    tools: &[Tool],
    names: &BTreeMap<UserId, String>,
    own_name: &str,
) -> PromptFacts {
    let BriefPlace {
        guild,
        channel,
        channel_name,
        server_note,
        channel_note,
    } = sources.place;
    let line = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = entry::shorten(&words.join(" "), NOTE_CHARS).into_owned();
        sanitize(&text).text
    };
    let note =
        |text: Option<&str>| entry::shorten(text.unwrap_or_default(), NOTE_CHARS).into_owned();
    let parent = channel.and_then(|channel| channel.parent);
    let parent = parent.and_then(channel_name);
    let emoji = guild.map(|guild| guild.emoji.iter().take(sources.emoji));
    let stickers = guild.map(|guild| guild.stickers.iter().take(STICKERS));
    let asker = sources.question.asker();
    let people = names.iter().filter(|(id, _)| !sources.me.is(**id));
    let memory = sources.memory.iter().take(MEMORY_LINES);
    let tools_for = |when: When| -> Vec<String> {
        let those = tools.iter().filter(|tool| tool.when == when);
        those.map(|tool| tool.name.to_string()).collect()
    };
    let user = match sources.question {
        Question::Cue(cue) => persona_name(sources.cast, cue.by).map(speaker_name),
        _ => names.get(&asker).cloned(),
    };
    let user = user.unwrap_or_else(|| "somebody".to_owned());
    let said = sources.history.iter().rev().take(LORE_SCAN);
    let said = said.map(|spoken| &*spoken.message.text);
    let asked = sources.question.message().map(|it| &*it.text);
    let character = character(
        sources.persona,
        own_name,
        &user,
        asked.into_iter().chain(said),
    );
    PromptFacts {
        personality: character.personality,
        dialogues: character.dialogues,
        lore: character.lore,
        looks: match sources.question.scope() {
            Scope::Guild(_) => character.looks,
            // There are no webhooks.
            Scope::Dm(_) => Vec::new(),
        },
        char: own_name.to_owned(),
        user,
        is_dm: matches!(sources.question.scope(), Scope::Dm(_)),
        server: guild
            .map(|guild| speaker_name(&guild.name))
            .unwrap_or_default(),
        channel: channel
            .filter(|channel| !channel.name.is_empty())
            .map(|channel| speaker_name(&channel.name))
            .unwrap_or_default(),
        channel_kind: channel.map_or("channel", |channel| kind(channel.kind)),
        parent: parent.as_deref().map(speaker_name).unwrap_or_default(),
        topic: channel
            .and_then(|channel| channel.topic.as_deref())
            .map(line)
            .unwrap_or_default(),
        server_note: note(server_note),
        channel_note: note(channel_note),
        emoji: emoji
            .into_iter()
            .flatten()
            .map(|emoji| format!(":{}:", emoji.name))
            .collect(),
        stickers: stickers
            .into_iter()
            .flatten()
            .map(|name| speaker_name(name))
            .collect(),
        memory: memory
            .map(|text| line(&entry::shorten(text, MEMORY_CHARS)))
            .collect(),
        done: sources
            .done
            .iter()
            .take(DONE_LINES)
            .map(|text| line(&entry::shorten(text, DONE_CHARS)))
            .collect(),
        people: people.take(PEOPLE).map(|(_, name)| name.clone()).collect(),
        actions: tools.iter().map(|it| it.name.to_string()).collect(),
        looking: tools_for(When::InLoop),
        acting: tools_for(When::AfterReply),
        notes: sources.notes,
        search_rounds: sources.search_rounds,
        prefill: sources.prefill.to_owned(),
        date: sources.now.date.to_owned(),
        time: sources.now.time.to_owned(),
        zone: sources.now.zone.to_owned(),
        version: sources.version.to_owned(),
    }
}

const fn kind(kind: ChannelKind) -> &'static str {
    match kind {
        ChannelKind::Announcement => "announcement channel",
        ChannelKind::Thread => "thread",
        ChannelKind::Forum => "forum",
        ChannelKind::Voice => "text of the voice channel",
        ChannelKind::Text | ChannelKind::Dm | ChannelKind::GroupDm | ChannelKind::Other => {
            "channel"
        }
    }
}
