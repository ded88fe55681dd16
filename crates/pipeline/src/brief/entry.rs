//! One message as text: what somebody said, replied to, showed and passed on,
//! in a few words each.

use std::borrow::Cow;
use std::collections::BTreeMap;

use kaiwa_domain::{
    Attachment, Author, AuthorKind, Cue, Embed, Me, Message, MessageId, PersonaId, Poll, Reply,
    UserId,
};

use super::circles::without_circles;
use super::persona_name;
use super::sanitize::{break_tokens, sanitize, speaker_name};
use super::tags::Tags;
use super::window::Spoken;

/// The longest one message may be, in characters. Discord allows 4000 with
/// Nitro; what is longer was not typed.
pub const MESSAGE_CHARS: usize = 4000;

/// The longest quote of the message that is replied to, in characters.
pub const QUOTE_CHARS: usize = 300;

/// The most of a file's text that is shown, in characters.
pub const FILE_CHARS: usize = 4000;

/// The longest an embed, a poll or a forwarded message may be, in characters.
const SUMMARY_CHARS: usize = 500;

/// The longest name of a file, a sticker or an emoji, in characters.
const LABEL_CHARS: usize = 80;

/// How many embeds, files, stickers and answers of a poll are told of, each.
const ITEMS: usize = 10;

/// How many kinds of reactions are told of.
const REACTIONS: usize = 4;

/// Marks what was cut off.
pub(super) const CUT: &str = "… [the rest is left out]";

/// The text of a file that came with a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileText {
    /// The message it came with.
    pub message: MessageId,
    /// Its place among the files of the message.
    pub place: usize,
    /// What it says, as far as it was read.
    pub text: String,
}

/// Which images leave a trace in words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Traces {
    All,
    /// Those that somebody described: the model is shown them, or told why not.
    Described,
}

/// Writes messages down.
pub(super) struct Scribe<'a> {
    pub(super) tags: Tags<'a>,
    /// What people are called.
    pub(super) names: &'a BTreeMap<UserId, String>,
    /// What personas are called.
    pub(super) cast: &'a [(PersonaId, String)],
    /// Ourselves.
    pub(super) me: &'a Me,
    pub(super) files: &'a [FileText],
}

impl Scribe<'_> {
    /// What we said in the messages of one answer, without the rounds after the
    /// first if it went in circles and these are not to be shown.
    pub(super) fn own(&self, messages: &[&Spoken], shorten_circles: bool) -> String {
        let mut parts = Vec::new();
        let mut worn = None;
        for spoken in messages {
            let message = &spoken.message;
            // As it was written to put on the look, or to take it off.
            let look = spoken.look.as_deref();
            let label = match look == worn {
                true => String::new(),
                false => format!("{}: ", self.speaker(spoken)),
            };
            worn = look;
            if message.text.trim().is_empty() {
                let embeds = message.embeds.iter().take(ITEMS);
                let done: Vec<String> = embeds
                    .filter_map(|embed| self.embed(embed))
                    .map(|embed| format!("[{embed}]"))
                    .collect();
                if !done.is_empty() {
                    parts.push(format!("[Already completed action] {}", done.join(" ")));
                }
            } else {
                let text = self.tags.readable(message.text.trim());
                let text = break_tokens(&capped(&text, MESSAGE_CHARS));
                parts.push(format!("{label}{text}"));
            }
            let files = message.attachments.iter().take(ITEMS);
            parts.extend(files.map(|file| self.file(file)));
        }
        let whole = parts.join("\n");
        let said = match shorten_circles {
            true => without_circles(&whole).unwrap_or(&whole),
            false => &whole,
        };
        capped(said, MESSAGE_CHARS * 2).into_owned()
    }

    /// What somebody else said, with their name in front and, if it is a reply,
    /// to whom. Nothing if there is nothing to see.
    pub(super) fn theirs(&self, spoken: &Spoken) -> Option<String> {
        let body = self.body(&spoken.message, Traces::All);
        if body.is_empty() {
            return None;
        }
        let name = self.speaker(spoken);
        let reply = spoken.message.reply.as_ref();
        let mark = reply.and_then(|reply| {
            let target = reply.target.as_ref()?;
            Some(format!("[Replying to {}] ", self.author(&target.author)))
        });
        Some(format!("{name}: {}{body}", mark.unwrap_or_default()))
    }

    /// The message that is to be answered, with what it replies to.
    pub(super) fn question(&self, message: &Message) -> String {
        let name = self.author(&message.author);
        let quote = message.reply.as_ref().map(|reply| self.quote(reply));
        let body = self.body(message, Traces::Described);
        format!("{name}: {}{body}", quote.unwrap_or_default())
    }

    /// What we want of the model ourselves. It may quote what people said.
    pub(super) fn instruction(&self, text: &str) -> String {
        let text = break_tokens(&self.tags.readable(text.trim()));
        format!("({})", capped(&text, MESSAGE_CHARS))
    }

    /// What another persona said to this one.
    pub(super) fn cue(&self, cue: &Cue) -> String {
        let name = match persona_name(self.cast, cue.by) {
            Some(name) => Cow::Owned(speaker_name(name)),
            None => self.author(&cue.message.author),
        };
        format!("{name}: {}", self.body(&cue.message, Traces::All))
    }

    fn quote(&self, reply: &Reply) -> String {
        let Some(target) = &reply.target else {
            return "[Replying to a message that is gone] ".to_owned();
        };
        let name = self.author(&target.author);
        let quote = self.one_line(&target.text, QUOTE_CHARS);
        match quote.is_empty() {
            false => format!("[Replying to {name}: \"{quote}\"] "),
            true if target.images().next().is_some() => format!("[Replying to {name}'s image] "),
            true => {
                let shown = self.body(target, Traces::All);
                let shown = shorten(&shown.replace('\n', " "), QUOTE_CHARS).into_owned();
                match shown.is_empty() {
                    true => format!("[Replying to {name}] "),
                    false => format!("[Replying to {name}: {shown}] "),
                }
            }
        }
    }

    /// Everything that a message says and shows.
    fn body(&self, message: &Message, traces: Traces) -> String {
        let mut parts = Vec::new();
        let text = self.tags.readable(message.text.trim());
        let text = sanitize(&capped(&text, MESSAGE_CHARS)).text;
        parts.extend((!text.is_empty()).then_some(text));
        if let Some(forward) = &message.forward {
            let said = self.one_line(&forward.text, SUMMARY_CHARS);
            parts.push(format!("[forwarded message: \"{said}\"]"));
            let files = forward.attachments.iter().take(ITEMS);
            parts.extend(files.map(|file| self.file(file)));
            let embeds = forward.embeds.iter().take(ITEMS);
            parts.extend(embeds.filter_map(|embed| Some(format!("[{}]", self.embed(embed)?))));
        }
        for (place, file) in message.attachments.iter().take(ITEMS).enumerate() {
            let is_seen = traces == Traces::Described && file.description.is_none();
            if is_seen && file.is_image() {
                continue;
            }
            let mut read = self.files.iter();
            let read = read.find(|it| it.message == message.id && it.place == place);
            parts.push(match read {
                Some(read) => self.whole_file(file, &read.text),
                None => self.file(file),
            });
        }
        let embeds = message.embeds.iter().take(ITEMS);
        let embeds = embeds.filter_map(|embed| self.embed(embed));
        parts.extend(embeds.map(|embed| format!("[embed: {embed}]")));
        let stickers = message.stickers.iter().take(ITEMS);
        let stickers = stickers.map(|it| format!("[sticker: {}]", self.one_line(it, LABEL_CHARS)));
        parts.extend(stickers);
        parts.extend(message.poll.as_ref().map(|poll| self.poll(poll)));
        if !message.reactions.is_empty() && !parts.is_empty() {
            let reactions = message.reactions.iter().take(REACTIONS);
            let reactions: Vec<String> = reactions
                .map(|(emoji, count)| format!("{} {count}", self.one_line(emoji, LABEL_CHARS)))
                .collect();
            parts.push(format!("[reactions: {}]", reactions.join(", ")));
        }
        parts.join("\n")
    }

    /// A file in a few words. An image leaves a trace of what it shows.
    fn file(&self, file: &Attachment) -> String {
        let name = self.one_line(&file.name, LABEL_CHARS);
        let shown = file.description.as_deref().unwrap_or_default();
        let shown = self.one_line(shown, SUMMARY_CHARS);
        let kind = match file.media_type.as_deref() {
            Some(kind) if kind.starts_with("image/") => "image",
            Some(kind) if kind.starts_with("video/") => "video",
            Some(kind) if kind.starts_with("audio/") => "audio",
            _ => "file",
        };
        match (shown.is_empty(), kind) {
            (false, _) => format!("[{kind}: {shown}]"),
            (true, "image") => format!("[image: {name}]"),
            (true, _) => format!("[{kind}: {name}, {}]", size(file.bytes)),
        }
    }

    fn whole_file(&self, file: &Attachment, text: &str) -> String {
        let name = self.one_line(&file.name, LABEL_CHARS);
        // What is in the file cannot end it.
        let text = text.replace("```", "'''");
        let (text, mark) = match text.char_indices().nth(FILE_CHARS) {
            Some((end, _)) => (&text[..end], format!("\n{CUT}")),
            None => (text.as_str(), String::new()),
        };
        let fenced = sanitize(&format!("```\n{}\n```", text.trim_end())).text;
        format!("[file: {name}]\n{fenced}{mark}")
    }

    fn embed(&self, embed: &Embed) -> Option<String> {
        let title = embed.title.as_deref().unwrap_or_default();
        let text = embed.description.as_deref().unwrap_or_default();
        let mut said = self.one_line(title, LABEL_CHARS * 2);
        let mut add = |more: String, between: &str| {
            if !more.is_empty() {
                if !said.is_empty() {
                    said.push_str(between);
                }
                said.push_str(&more);
            }
        };
        add(self.one_line(text, SUMMARY_CHARS), ": ");
        for (name, value) in embed.fields.iter().take(ITEMS) {
            let name = self.one_line(name, LABEL_CHARS);
            let value = self.one_line(value, LABEL_CHARS * 2);
            add(format!("{name}: {value}"), "; ");
        }
        if said.is_empty() {
            let url = embed.url.as_deref().unwrap_or_default();
            said = self.one_line(url, LABEL_CHARS * 2);
        }
        let said = shorten(&said, SUMMARY_CHARS).into_owned();
        (!said.is_empty()).then_some(said)
    }

    fn poll(&self, poll: &Poll) -> String {
        let question = self.one_line(&poll.question, SUMMARY_CHARS);
        let answers = poll.answers.iter().take(ITEMS);
        let answers: Vec<String> = answers.map(|it| self.one_line(it, LABEL_CHARS)).collect();
        format!("[poll: {question} ({})]", answers.join(" / "))
    }

    /// Text within a line of ours.
    fn one_line(&self, text: &str, most: usize) -> String {
        let text = self.tags.readable(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = words.join(" ");
        sanitize(&shorten(&line, most)).text.replace('\n', " ")
    }

    /// What somebody is called who said something.
    fn speaker(&self, spoken: &Spoken) -> Cow<'_, str> {
        match spoken.by {
            // One of ours; a webhook has one id for many names.
            Some(by) => {
                let name = persona_name(self.cast, by);
                let name = speaker_name(name.unwrap_or(&spoken.message.author.name));
                Cow::Owned(match &spoken.look {
                    Some(look) => format!("{name} ({})", speaker_name(look)),
                    None => name,
                })
            }
            None => self.author(&spoken.message.author),
        }
    }

    fn author(&self, author: &Author) -> Cow<'_, str> {
        let ours = self.names.get(&self.me.id);
        if let Some(name) = ours.filter(|_| self.me.is(author.id)) {
            return Cow::Borrowed(name);
        }
        match self.names.get(&author.id) {
            Some(name) if author.kind != AuthorKind::Webhook => Cow::Borrowed(name),
            _ => Cow::Owned(format!("{} (webhook)", speaker_name(&author.name))),
        }
    }
}

/// At most so many characters, with an ellipsis among them if there were more.
pub(super) fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    if text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let short: String = text.chars().take(most.saturating_sub(1)).collect();
    Cow::Owned(format!("{}…", short.trim_end()))
}

/// At most so many characters, with a mark after them if there were more.
pub(super) fn capped(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}{CUT}", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        _ => format!("{} MB", bytes.div_ceil(1_000_000)),
    }
}
