//! How much fits, and what gives way first.

use kaiwa_domain::{ENTRY_TOKENS, PERSONALITY_TOKENS, Tool, first_tokens, tokens};

use super::entry::CUT;
use super::prompt::PromptFacts;

/// How much room there is, in tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// For the conversation.
    pub conversation: u32,
    /// For everything, as far as the model is known: its context.
    pub context: Option<u32>,
}

/// The most that is left for the answer.
const ANSWER_TOKENS: u32 = 4096;

/// Tools take one part in so many: people are listened to before anything is
/// done for them.
const TOOLS_SHARE: u32 = 3;

/// How many of the newest entries give way late.
pub(super) const RECENT_ENTRIES: usize = 4;

/// The longest line of memory, in characters: a fact or a note, and whose it is.
pub(super) const MEMORY_CHARS: usize = 1100;

/// The most lines of memory.
pub(super) const MEMORY_LINES: usize = 100;

/// The longest line about something that was done, in characters.
pub(super) const DONE_CHARS: usize = 300;

/// The most lines about what was done.
pub(super) const DONE_LINES: usize = 8;

/// The longest topic, name or note, in characters.
pub(super) const NOTE_CHARS: usize = 2000;

/// The most people that are named.
pub(super) const PEOPLE: usize = 50;

/// The most tokens of sample dialogues.
pub(super) const DIALOGUE_TOKENS: u32 = 2_000;

/// The most tokens of what a persona knows.
pub(super) const LORE_TOKENS: u32 = 2_000;

/// Something that can give way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All but the newest few entries of the conversation, oldest first.
    OldEntries,
    /// The emoji on offer.
    Emoji,
    /// The sample dialogues.
    Dialogues,
    /// What is remembered, and what the persona knows.
    Memory,
    /// Who is there.
    People,
    /// Topic and notes of server and channel.
    Notes,
    /// The newest few entries.
    RecentEntries,
    /// The middle of the personality.
    Personality,
    /// The end of the message to answer.
    Question,
}

/// What gives way if there is not enough room, first to last.
pub const CUT_ORDER: [Part; 9] = [
    Part::OldEntries,
    Part::Emoji,
    Part::Dialogues,
    Part::Memory,
    Part::People,
    Part::Notes,
    Part::RecentEntries,
    Part::Personality,
    Part::Question,
];

impl Room {
    /// For all that the model is told: a tenth is left for what the estimate
    /// misses, and something for the answer.
    pub(super) fn whole(self) -> u32 {
        self.context.map_or(u32::MAX, |context| {
            let most = u32::try_from(u64::from(context) * 9 / 10).unwrap_or(u32::MAX);
            most.saturating_sub(ANSWER_TOKENS.min(context / 4))
        })
    }
}

/// The tools that there is room for.
#[derive(Clone, Copy)]
pub(super) struct OfferedTools<'a> {
    pub(super) tools: &'a [Tool],
    pub(super) tokens: u32,
}

impl<'a> OfferedTools<'a> {
    /// As many of the first, which are the common ones, as take no more than
    /// their share of the room.
    pub(super) fn of(all: &'a [Tool], room: Room) -> Self {
        let most = room.whole() / TOOLS_SHARE;
        let mut offered = Self {
            tools: &[],
            tokens: 0,
        };
        for (index, tool) in all.iter().enumerate() {
            let each = [&tool.name, &tool.description, &tool.schema];
            let each = each.iter().map(|text| tokens(text)).sum::<u32>();
            let with = offered.tokens + each + ENTRY_TOKENS;
            if with > most {
                break;
            }
            (offered.tools, offered.tokens) = (&all[..=index], with);
        }
        offered
    }
}

/// A text of at most so many tokens, with a mark if it was cut.
pub(super) fn cut(text: &str, most: u32) -> String {
    if tokens(text) <= most {
        return text.to_owned();
    }
    let kept = first_tokens(text, most.saturating_sub(tokens(CUT)));
    format!("{}{CUT}", kept.trim_end())
}

/// Cuts a text by so many tokens, but not below a quarter of what there is.
pub(super) fn cut_by(text: &str, excess: u32, whole: u32) -> String {
    cut(text, tokens(text).saturating_sub(excess).max(whole / 4))
}

/// Takes a part out of the facts, or cuts it by what is too much. False if it
/// is none of theirs.
pub(super) fn take(facts: &mut PromptFacts, part: Part, excess: u32, whole: u32) -> bool {
    match part {
        Part::OldEntries | Part::RecentEntries | Part::Question => return false,
        Part::Emoji => {
            facts.emoji.clear();
            facts.stickers.clear();
        }
        Part::Dialogues => facts.dialogues.clear(),
        Part::Memory => {
            facts.memory.clear();
            facts.lore.clear();
            facts.done.clear();
        }
        Part::People => facts.people.clear(),
        Part::Notes => {
            facts.topic.clear();
            facts.server_note.clear();
            facts.channel_note.clear();
        }
        Part::Personality => {
            let most = tokens(&facts.personality).saturating_sub(excess);
            facts.personality = personality(&facts.personality, most.max(whole / 4));
        }
    }
    true
}

/// A personality of at most so many tokens, and no more than its own cap. Its
/// last paragraphs stay, if they take no more than a quarter: cards end with
/// the scene, and with what is to be minded above all.
pub(super) fn personality(text: &str, most: u32) -> String {
    let text = text.trim();
    let most = most.min(PERSONALITY_TOKENS);
    if tokens(text) <= most {
        return text.to_owned();
    }
    let (mut end, mut cost) = (text.len(), 0);
    for (at, _) in text.rmatch_indices(PARAGRAPH) {
        cost += tokens(&text[at..end]);
        if cost > most / 4 {
            break;
        }
        end = at;
    }
    let tail = &text[end..];
    let head = cut(&text[..end], most.saturating_sub(tokens(tail)));
    head + tail
}

/// Stands between paragraphs.
const PARAGRAPH: &str = "\n\n";
