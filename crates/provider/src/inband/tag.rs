//! The tags, as models write them.
//!
//! ```text
//! think     <think>  </think>  <ns:thinking>  <thought>  <｜end▁of▁thinking｜>
//! Hermes    <tool_call>  </tool_call>
//! DSML      <｜DSML｜invoke name="…">  </｜DSML｜invoke>  <｜DSML｜/invoke>
//!           <｜｜DSML｜｜parameter name="…" string="false">  <|DSML|tool_calls>
//! tokens    <｜tool▁calls▁begin｜>  <｜tool▁sep｜>  …
//! ```

use kaiwa_domain::{MarkupTag, Miss};

/// The longest tag, attributes included.
const MAX_TAG: usize = 512;

const BAR: char = '｜';

/// One tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum InBandTag {
    ThinkOpen,
    ThinkClose,
    HermesOpen,
    HermesClose,
    /// `tool_calls` and its other names.
    Wrapper {
        closes: bool,
    },
    /// Without a name it can only close.
    Invoke {
        closes: bool,
        name: Option<String>,
    },
    Parameter {
        closes: bool,
        name: Option<String>,
        /// What `string` says.
        is_string: Option<bool>,
    },
    CallsBegin,
    CallsEnd,
    CallBegin,
    CallEnd,
    Separator,
}

impl InBandTag {
    /// Whether it belongs to the notations with a tag for each part.
    pub(super) const fn is_markup(&self) -> bool {
        !matches!(
            self,
            Self::ThinkOpen | Self::ThinkClose | Self::HermesOpen | Self::HermesClose
        )
    }

    /// Whether a call may begin with it. A parameter begins one whose own
    /// opening was lost.
    pub(super) const fn opens_call(&self) -> bool {
        matches!(
            self,
            Self::Wrapper { closes: false }
                | Self::Invoke {
                    closes: false,
                    name: Some(_)
                }
                | Self::Parameter {
                    closes: false,
                    name: Some(_),
                    ..
                }
                | Self::CallsBegin
                | Self::CallBegin
        )
    }

    pub(super) const fn closes_call(&self) -> bool {
        matches!(
            self,
            Self::Wrapper { closes: true }
                | Self::Invoke { name: None, .. }
                | Self::CallsEnd
                | Self::CallEnd
                | Self::HermesClose
        )
    }
}

/// What a text begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TagMatch {
    /// No tag.
    No,
    /// Perhaps a tag, if the right text follows.
    Partial,
    /// A tag of so many bytes.
    Found(InBandTag, usize),
}

/// Where the next tag may begin.
pub(super) fn candidate(text: &str) -> Option<usize> {
    // The bar's first byte is shared by other letters.
    let mut from = 0;
    loop {
        let at = from + memchr::memchr2(b'<', 0xEF, &text.as_bytes()[from..])?;
        if text[at..].starts_with(['<', BAR]) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Reads the tag at the beginning of `text`.
pub(super) fn read(text: &str) -> TagMatch {
    let mut partial = false;
    for kind in [think, hermes, dsml, token] {
        let mut cursor = TagCursor { text, at: 0 };
        match kind(&mut cursor) {
            Ok(tag) => return TagMatch::Found(tag, cursor.at),
            Err(Miss::Ended) => partial = true,
            Err(Miss::Differs) => {}
        }
    }
    match partial && text.len() < MAX_TAG {
        true => TagMatch::Partial,
        false => TagMatch::No,
    }
}

struct TagCursor<'a> {
    text: &'a str,
    at: usize,
}

impl TagCursor<'_> {
    fn peek(&self) -> Result<char, Miss> {
        match self.at < MAX_TAG {
            true => self.text[self.at..].chars().next().ok_or(Miss::Ended),
            false => Err(Miss::Differs),
        }
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> Result<char, Miss> {
        let next = self.peek()?;
        match wanted(next) {
            true => {
                self.at += next.len_utf8();
                Ok(next)
            }
            false => Err(Miss::Differs),
        }
    }

    /// Takes `wanted` if it is next.
    fn may(&mut self, wanted: char) -> Result<bool, Miss> {
        let is_next = self.peek()? == wanted;
        if is_next {
            self.at += wanted.len_utf8();
        }
        Ok(is_next)
    }

    fn literal(&mut self, wanted: &str) -> Result<(), Miss> {
        for wanted in wanted.chars() {
            self.take(|c| c.eq_ignore_ascii_case(&wanted))?;
        }
        Ok(())
    }

    fn bars(&mut self) -> Result<(), Miss> {
        let is_bar = |c| matches!(c, BAR | '|');
        self.take(is_bar)?;
        while is_bar(self.peek()?) {
            self.take(is_bar)?;
        }
        Ok(())
    }

    fn space(&mut self) -> Result<(), Miss> {
        while self.peek()?.is_whitespace() {
            self.take(char::is_whitespace)?;
        }
        Ok(())
    }

    /// A word of letters that `accept` takes; it must end in this text.
    fn word(&mut self, accept: impl Fn(char) -> bool) -> Result<String, Miss> {
        let mut word = String::new();
        while accept(self.peek()?) {
            word.push(self.take(&accept)?);
        }
        Ok(word)
    }
}

fn think(cursor: &mut TagCursor<'_>) -> Result<InBandTag, Miss> {
    let tag = MarkupTag::read(cursor.text, |name, _| MarkupTag::is_thought(name))?;
    cursor.at = tag.length;
    Ok(match tag.closes {
        true => InBandTag::ThinkClose,
        false => InBandTag::ThinkOpen,
    })
}

fn hermes(cursor: &mut TagCursor<'_>) -> Result<InBandTag, Miss> {
    cursor.literal("<")?;
    let closes = cursor.may('/')?;
    cursor.literal("tool_call>")?;
    Ok(match closes {
        true => InBandTag::HermesClose,
        false => InBandTag::HermesOpen,
    })
}

fn dsml(cursor: &mut TagCursor<'_>) -> Result<InBandTag, Miss> {
    // The angle may be missing.
    cursor.may('<')?;
    let mut closes = cursor.may('/')?;
    cursor.bars()?;
    cursor.literal("DSML")?;
    cursor.bars()?;
    cursor.space()?;
    closes |= cursor.may('/')?;
    cursor.space()?;
    let word = cursor.word(|c| c.is_ascii_alphabetic() || c == '_')?;
    let (name, is_string) = attributes(cursor)?;
    Ok(match &*word.to_ascii_lowercase() {
        "invoke" => InBandTag::Invoke { closes, name },
        "parameter" => InBandTag::Parameter {
            closes,
            name,
            is_string,
        },
        "function_calls" | "tool_calls" | "calls" => InBandTag::Wrapper { closes },
        _ => return Err(Miss::Differs),
    })
}

/// The attributes up to the end of the tag: `name`, and what `string` says.
fn attributes(cursor: &mut TagCursor<'_>) -> Result<(Option<String>, Option<bool>), Miss> {
    let (mut name, mut is_string) = (None, None);
    loop {
        cursor.space()?;
        if cursor.may('>')? {
            return Ok((name, is_string));
        }
        if cursor.may('/')? {
            continue;
        }
        let key = cursor.word(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':'))?;
        if key.is_empty() {
            return Err(Miss::Differs);
        }
        cursor.space()?;
        if !cursor.may('=')? {
            continue;
        }
        cursor.space()?;
        let value = match cursor.peek()? {
            quote @ ('"' | '\'') => {
                cursor.take(|_| true)?;
                let value = cursor.word(|c| c != quote)?;
                cursor.take(|_| true)?;
                value
            }
            _ => cursor.word(|c| !c.is_whitespace() && !matches!(c, '>' | '/'))?,
        };
        match &*key {
            "name" => name = Some(value),
            "string" => is_string = value.parse().ok(),
            _ => {}
        }
    }
}

fn token(cursor: &mut TagCursor<'_>) -> Result<InBandTag, Miss> {
    const TOKENS: [(&str, InBandTag); 6] = [
        ("tool_calls_begin", InBandTag::CallsBegin),
        ("tool_calls_end", InBandTag::CallsEnd),
        ("tool_call_begin", InBandTag::CallBegin),
        ("tool_call_end", InBandTag::CallEnd),
        ("tool_sep", InBandTag::Separator),
        ("end_of_thinking", InBandTag::ThinkClose),
    ];
    cursor.literal("<")?;
    cursor.bars()?;
    let mut word = String::new();
    loop {
        match cursor.peek()? {
            '▁' | '_' | ' ' => word.push('_'),
            c if c.is_ascii_lowercase() => word.push(c),
            _ => break,
        }
        cursor.take(|_| true)?;
        if !TOKENS.iter().any(|(token, _)| token.starts_with(&word)) {
            return Err(Miss::Differs);
        }
    }
    cursor.bars()?;
    cursor.literal(">")?;
    let known = TOKENS.into_iter().find(|(token, _)| *token == word);
    known.map(|(_, tag)| tag).ok_or(Miss::Differs)
}
