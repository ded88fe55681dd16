//! Words, atoms and signs within a line.

use super::line::run;
use super::{Kind, Scanner, View, bound};

/// What a search beyond the current token has found out so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Probe {
    /// How far has been searched.
    pub(super) at: usize,
    /// Round brackets that are open there.
    pub(super) depth: usize,
    /// Where the label of a link ends, once found.
    pub(super) label: usize,
    /// No `]` stands before this; it outlives the token.
    pub(super) bare: usize,
}

impl Probe {
    #[inline]
    pub(super) const fn reset(&mut self) {
        self.at = 0;
        self.depth = 0;
        self.label = 0;
    }
}

/// What a byte does within a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Goes on.
    Plain,
    /// Goes on if the word does after it.
    Joint,
    /// May be the colon of an address or a shortcode.
    Colon,
    /// Begins a character that may be a sign.
    Wide,
    /// Ends it.
    Stop,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Plain; 256];
    let stops = b" \t\n\r`<[]!?\\*~|(){}\"";
    let mut i = 0;
    while i < stops.len() {
        classes[stops[i] as usize] = Class::Stop;
        i += 1;
    }
    classes[b'.' as usize] = Class::Joint;
    classes[b'_' as usize] = Class::Joint;
    classes[b':' as usize] = Class::Colon;
    let wide = [0xC2, 0xD8, 0xE0, 0xE2, 0xE3, 0xEF];
    let mut i = 0;
    while i < wide.len() {
        classes[wide[i]] = Class::Wide;
        i += 1;
    }
    classes
};

/// What `byte` does within a word.
#[inline]
pub(super) const fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

/// What a character is that is not plain; ASCII is dealt with by byte.
pub(super) fn wide_kind(c: char) -> Option<Kind> {
    match c {
        '\u{3000}' => Some(Kind::Space),
        '…' | '。' | '！' | '？' | '．' | '｡' | '‼' | '⁇' | '⁈' | '⁉' | '؟' | '।' => {
            Some(Kind::Ender)
        }
        '、' | '，' | '､' | '；' | '：' => Some(Kind::Clause),
        '“' | '”' | '„' | '‟' | '‘' | '’' | '‚' | '«' | '»' | '‹' | '›' | '「' | '」' | '『'
        | '』' | '｢' | '｣' | '〈' | '〉' | '《' | '》' | '【' | '】' | '〔' | '〕' | '（'
        | '）' | '［' | '］' | '｛' | '｝' | '〝' | '〞' | '〟' => Some(Kind::Pair(c)),
        _ => None,
    }
}

impl Scanner {
    pub(super) fn read_inline(&mut self, view: &View<'_>, first: u8) -> Option<Kind> {
        if self.at > self.start {
            return self.read_word(view);
        }
        self.at = self.start;
        let read = match first {
            b' ' | b'\t' => return self.read_space(view),
            b'`' => self.read_backticks(view)?,
            b'<' => self.read_angle(view)?,
            b'[' => self.read_link(view, self.start, Kind::Link)?.or_else(|| {
                self.at = self.start + 1;
                Some(Kind::Pair('['))
            }),
            b'!' if view.peek(self.start + 1)? == Some(b'[') => {
                self.read_link(view, self.start + 1, Kind::Image)?
            }
            b'!' | b'?' => return self.read_enders(view),
            b'.' if !goes_on(view.peek_char(self.start + 1)?) => return self.read_enders(view),
            b'\\' => match view.peek(self.start + 1)? {
                Some(next) if next.is_ascii_punctuation() => {
                    self.at = self.start + 2;
                    Some(Kind::Escape)
                }
                _ => None,
            },
            b'*' | b'_' | b'~' | b'|' => return self.read_delimiter(view, first),
            b'(' | b')' | b']' | b'{' | b'}' | b'"' => {
                // Which side of a pair it is may depend on what follows.
                view.peek_char(self.start + 1)?;
                self.at = self.start + 1;
                Some(Kind::Pair(char::from(first)))
            }
            b':' => self.read_shortcode(view)?,
            _ if class(first) == Class::Wide => {
                let c = view.rest(self.start).chars().next()?;
                match wide_kind(c) {
                    Some(Kind::Space) => return self.read_space(view),
                    Some(Kind::Ender) => return self.read_enders(view),
                    Some(kind) => {
                        self.at = self.start + c.len_utf8();
                        Some(kind)
                    }
                    None => None,
                }
            }
            _ => None,
        };
        if read.is_some() {
            return read;
        }
        // A sign without its meaning is the first character of a word.
        self.probe.reset();
        if class(first) != Class::Plain && self.at == self.start {
            self.at += view.rest(self.start).chars().next()?.len_utf8();
        }
        self.read_word(view)
    }

    fn read_word(&mut self, view: &View<'_>) -> Option<Kind> {
        let most = self.start + bound::WORD;
        loop {
            let rest = view.bytes(self.at);
            let room = rest.len().min(most.saturating_sub(self.at));
            self.at += rest[..room]
                .iter()
                .take_while(|&&byte| class(byte) == Class::Plain)
                .count();
            if self.at >= most {
                let word = view.slice(self.start, view.floor(self.at));
                self.at = self.start + word.len() - address_begun(word);
                return Some(Kind::Word);
            }
            let Some(byte) = view.peek(self.at)? else {
                return Some(Kind::Word);
            };
            match class(byte) {
                Class::Plain => {}
                Class::Stop => return Some(Kind::Word),
                Class::Joint => {
                    let next = view.peek_char(self.at + 1)?;
                    let inner = goes_on(next)
                        && (byte != b'_'
                            || view
                                .slice(self.start, self.at)
                                .chars()
                                .next_back()
                                .or_else(|| view.char_before(self.start))
                                .is_some_and(char::is_alphanumeric));
                    if !inner {
                        return Some(Kind::Word);
                    }
                    self.at += 1;
                }
                Class::Colon => {
                    if let Some(kind) = self.read_colon(view)? {
                        return Some(kind);
                    }
                }
                Class::Wide => {
                    let c = view.rest(self.at).chars().next()?;
                    let inner = match wide_kind(c) {
                        None => true,
                        Some(_) => c == '’' && goes_on(view.peek_char(self.at + c.len_utf8())?),
                    };
                    if !inner {
                        return Some(Kind::Word);
                    }
                    self.at += c.len_utf8();
                }
            }
        }
    }

    /// A colon in a word: the address begins, the word ends, or it goes on.
    fn read_colon(&mut self, view: &View<'_>) -> Option<Option<Kind>> {
        let word = view.slice(self.start, self.at);
        match view.peek(self.at + 1)? {
            Some(b'/') => {
                let scheme = scheme_length(word);
                if scheme > 0 && view.peek(self.at + 2)? == Some(b'/') {
                    if scheme < word.len() {
                        self.at -= scheme;
                        return Some(Some(Kind::Word));
                    }
                    if let Some(url) = self.read_url(view)? {
                        return Some(Some(url));
                    }
                }
            }
            Some(next)
                if (next.is_ascii_alphanumeric() || next == b'_')
                    && !word.ends_with(char::is_alphanumeric) =>
            {
                return Some(Some(Kind::Word));
            }
            _ => {}
        }
        self.at += 1;
        Some(None)
    }

    fn read_space(&mut self, view: &View<'_>) -> Option<Kind> {
        let mut at = self.start;
        while at - self.start < bound::SPACE {
            match view.peek(at)? {
                Some(b' ' | b'\t') => at += 1,
                Some(0xE3) if view.rest(at).starts_with('\u{3000}') => at += 3,
                _ => break,
            }
        }
        self.at = at;
        Some(Kind::Space)
    }

    fn read_enders(&mut self, view: &View<'_>) -> Option<Kind> {
        let mut at = self.start;
        while at - self.start < bound::RUN {
            match view.peek_char(at)? {
                Some(c @ ('.' | '!' | '?')) => at += c.len_utf8(),
                Some(c) if !c.is_ascii() && wide_kind(c) == Some(Kind::Ender) => at += c.len_utf8(),
                _ => break,
            }
        }
        self.at = at;
        Some(Kind::Ender)
    }

    fn read_delimiter(&mut self, view: &View<'_>, mark: u8) -> Option<Kind> {
        let length = run(view, self.start, mark)?.min(bound::RUN);
        let end = self.start + length;
        let after = view.peek_char(end)?;
        self.at = end;
        Some(delimiter(mark, view.char_before(self.start), after))
    }
}

/// What a run of `mark` between these two is.
pub(in crate::deliver) fn delimiter(mark: u8, before: Option<char>, after: Option<char>) -> Kind {
    let before = before.filter(|c| !c.is_whitespace());
    let after = after.filter(|c| !c.is_whitespace());
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let in_word = |c: Option<char>| mark == b'_' && letter(c);
    // Stars that end a word censor it.
    let censors = mark == b'*' && letter(before) && !letter(after);
    Kind::Delimiter {
        mark,
        opens: after.is_some() && !in_word(before) && !censors,
        closes: before.is_some() && !in_word(after),
    }
}

/// Whether a word goes on with `next` after a sign.
fn goes_on(next: Option<char>) -> bool {
    next.is_some_and(char::is_alphanumeric)
}

/// The length of the scheme that `word` ends with, or 0.
fn scheme_length(word: &str) -> usize {
    ["https", "http"]
        .into_iter()
        .find(|scheme| {
            word.len() >= scheme.len()
                && word.as_bytes()[word.len() - scheme.len()..]
                    .eq_ignore_ascii_case(scheme.as_bytes())
        })
        .map_or(0, str::len)
}

/// How many bytes at the end of `word` may be the beginning of an address.
fn address_begun(word: &str) -> usize {
    (1..=5)
        .rev()
        .find(|&length| {
            word.len() > length
                && word.as_bytes()[word.len() - length..].eq_ignore_ascii_case(&b"https"[..length])
        })
        .unwrap_or(0)
}
