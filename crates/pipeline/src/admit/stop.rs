//! Does this message tell us to stop?
//!
//! A short utterance that is nothing but the wish counts, in ten languages and
//! a few more, however it is typed: stretched, misspelt, polite, rude, with a
//! name or a short reason around it. People write "stop" in many sentences that
//! wish for nothing of the kind, so every word must be accounted for: a word
//! that is neither part of the wish nor one that changes nothing about it makes
//! the message one like any other.
//!
//! `read` makes tokens that compare alike however they were typed, `lexicon`
//! knows which languages they may be in, `tree` finds the phrases of one
//! language in them (`words`), and `grammar` decides. The work is linear in the
//! text, and bounded: what is longer than a wish can be is not looked at.

mod grammar;
mod letters;
mod lexicon;
mod name;
mod read;
mod tree;
mod words;

#[cfg(test)]
mod tests;

use grammar::Verdicts;
use lexicon::Lexicon;
use name::BotName;
use read::StopReading;
use tree::PhraseTree;

/// What somebody who wants silence said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StopReason {
    /// To stop: "stop", "para ya", "やめて".
    Stop,
    /// To be quiet: "shut up", "tais-toi", "闭嘴".
    Hush,
    /// That it is enough: "that's plenty", "хватит", "もういい".
    Enough,
    /// To wait: "hold on", "warte mal", "잠깐만".
    Wait,
    /// That it is not wanted any more: "never mind", "esquece", "算了".
    NeverMind,
    /// A sign and no words: 🛑, 🤫.
    Sign,
}

impl StopReason {
    /// A name that does not change, for `/why`, `kaiwa inspect` and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Hush => "hush",
            Self::Enough => "enough",
            Self::Wait => "wait",
            Self::NeverMind => "never_mind",
            Self::Sign => "sign",
        }
    }
}

/// Why a message is no wish to stop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NoStop {
    /// It is longer than such a wish.
    TooLong,
    /// Nothing in it means stop.
    NoStopWord,
    /// It says more than the wish: "bus stop", "stop, hammer time".
    OtherWords,
    /// It asks: "stop?", "when did it stop".
    Question,
    /// It cites: "\"stop\"", "> stop".
    Quoted,
    /// It wishes the contrary: "don't stop", "멈추지 마".
    Negated,
    /// It wants something else now: "stop and tell me a joke".
    Continues,
    /// It would do if it were said to us.
    NotAddressed,
}

impl NoStop {
    /// A name that does not change, for `/why`, `kaiwa inspect` and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::NoStopWord => "no_stop_word",
            Self::OtherWords => "other_words",
            Self::Question => "question",
            Self::Quoted => "quoted",
            Self::Negated => "negated",
            Self::Continues => "continues",
            Self::NotAddressed => "not_addressed",
        }
    }
}

/// Builds the word lists, which takes some tens of milliseconds, rather than
/// when the first message comes.
pub fn build_lexicon() {
    Lexicon::get();
}

/// Whether the word lists are built.
pub fn lexicon_is_built() -> bool {
    Lexicon::is_built()
}

/// Whether `text` tells a bot called `name` to stop, and what it says if so.
///
/// `addressed` is whether it is said to the bot: by a mention, a reply, in a
/// direct message, or by the person whose question is being answered. Said to
/// nobody, only plain words count: "wait", "never mind", ✋ or "stop, dude" may
/// be for anybody. The bot's name, or "bot", in the text addresses it too.
pub fn stop_request(text: &str, name: &str, addressed: bool) -> Option<StopReason> {
    judge_stop(text, name, addressed).ok()
}

/// Like [`stop_request`], and says why not.
pub fn judge_stop(text: &str, name: &str, addressed: bool) -> Result<StopReason, NoStop> {
    if text.len() > read::MOST_BYTES {
        return Err(NoStop::TooLong);
    }
    let lexicon = Lexicon::get();
    let mut reading = StopReading::of(text)?;
    let mut languages = lexicon.languages(&reading);
    if languages == 0 && reading.is_brief() {
        lexicon.mend(&mut reading);
        languages = lexicon.languages(&reading);
    }
    if languages == 0 {
        return Err(NoStop::NoStopWord);
    }
    let called = name;
    let name = lexicon.name(called);
    let mut judged = judge_reading(lexicon, &reading, &name, languages, addressed);
    if judged == Err(NoStop::OtherWords) && lexicon.mend_around(&mut reading) {
        languages |= lexicon.languages(&reading);
        judged = judge_reading(lexicon, &reading, &name, languages, addressed);
    }
    // What is a wish said to nobody is one said to us, whatever else could be
    // read into it then.
    judged.or_else(|why| match addressed {
        true => judge_stop(text, called, false).map_err(|_| why),
        false => Err(why),
    })
}

fn judge_reading(
    lexicon: &Lexicon,
    reading: &StopReading,
    name: &BotName,
    languages: u16,
    addressed: bool,
) -> Result<StopReason, NoStop> {
    let mut verdicts = Verdicts::default();
    let with_wish = |language: &&PhraseTree| language.has_wish(reading);
    for language in lexicon.each(languages).filter(with_wish) {
        let mut judge = |spaces_part| {
            let pieces = language.pieces(reading, name, spaces_part);
            let judged = grammar::judge(&pieces, addressed, reading.tells_somebody());
            verdicts.add(&pieces, judged);
            judged
        };
        if judge(false) == Err(NoStop::OtherWords) && reading.is_spaced() {
            let _ = judge(true);
        }
    }
    verdicts.decide()
}
