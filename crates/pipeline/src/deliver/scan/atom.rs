//! Addresses, links, shortcodes, formulas and inline code.

use memchr::{memchr2, memchr3};

use super::inline::is_wide_pair;
use super::line::Fence;
use super::tag::{one_of, read_tag};
use super::{Kind, Miss, Read, Scanner, TextWindow, bound};

/// Signs that do not end an address, but are no part of it at its end.
const TRAILING: &[char] = &['.', ',', ';', ':', '!', '?', '*', '_', '~', '|', '\''];

/// Full-width punctuation, which ends an address.
const WIDE_ENDS: &str = "\u{3000}…。！？．｡‼⁇⁈⁉؟۔։।။።។、，､；：";

/// Whether a byte neither ends an address nor needs a closer look.
const fn is_in_address(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-'..=b'/' | b'_' | b'?' | b'=' | b':' | b'#' | b'%' | b'&' | b'+'
        )
}

/// How many such bytes stand in `text` from `at` on, up to `most`.
fn plain_address(text: &TextWindow<'_>, at: usize, most: usize) -> usize {
    let near = text.bytes(at).iter().take(most.saturating_sub(at));
    near.take_while(|byte| is_in_address(**byte)).count()
}

impl Scanner {
    /// A bare address.
    pub(super) fn read_url(&mut self, text: &TextWindow<'_>) -> Read<Kind> {
        let host = self.start + scheme_at(text, self.start)?;
        let most = self.start + bound::URL;
        let mut at = self.probe.at.max(host);
        let end = loop {
            at += plain_address(text, at, most);
            if at >= most {
                break text.floor(most);
            }
            self.probe.at = at;
            let Some(byte) = text.peek(at)? else {
                break at;
            };
            match byte {
                0..=b' ' | b'<' | b'>' | b'"' | b'`' | b']' | b'}' | b'\\' | 0x7F => break at,
                b'(' => self.probe.depth += 1,
                b')' if self.probe.depth == 0 => break at,
                b')' => self.probe.depth -= 1,
                b'|' if text.peek(at + 1)? == Some(b'|') => break at,
                0x80.. => {
                    let c = text.char_at(at).unwrap_or(' ');
                    if is_wide_pair(c) || WIDE_ENDS.contains(c) {
                        break at;
                    }
                    at += c.len_utf8() - 1;
                }
                _ => {}
            }
            at += 1;
        };
        match text.slice(host, end).trim_end_matches(TRAILING).len() {
            0 => Err(Miss::Differs),
            length => self.up_to(host + length, Kind::Url),
        }
    }

    /// A formula of one line is ordinary text, and so is what goes on over an
    /// empty line.
    pub(super) fn read_formula(&mut self, text: &TextWindow<'_>, at: usize) -> Read<Kind> {
        let closer = match (text.peek(at)?, text.peek(at + 1)?) {
            (Some(b'$'), Some(b'$')) => b"$$",
            (Some(b'\\'), Some(b'[')) => b"\\]",
            _ => return Err(Miss::Differs),
        };
        let mut end = self.probe.at.max(at + 2);
        loop {
            let near = memchr2(closer[0], b'\n', text.bytes(end));
            end = near.map_or(text.end(), |near| end + near);
            self.probe.at = end;
            let pair = match end - at <= bound::FORMULA {
                true => [text.peek(end)?, text.peek(end + 1)?],
                false => [None; 2],
            };
            match pair {
                [Some(first), Some(second)] if [first, second] == *closer => break,
                [None, _] | [Some(b'\n'), Some(b'\n')] => return Err(Miss::Differs),
                _ => end += 1,
            }
        }
        let source = text.slice(at + 2, end);
        match source.contains('\n') && !source.trim().is_empty() {
            true => self.up_to(end + 2, Kind::Formula),
            false => Err(Miss::Differs),
        }
    }

    /// Inline code, or a code block that begins in mid-line.
    pub(super) fn read_backticks(&mut self, text: &TextWindow<'_>) -> Read<Kind> {
        let length = text.run(self.start, b'`')?;
        let begin = self.start + length.min(bound::RUN);
        if length > bound::RUN {
            self.at = begin;
            return Err(Miss::Differs);
        }
        let most = self.start + bound::CODE;
        let mut at = self.probe.at.max(begin);
        let line_end = loop {
            self.probe.at = at;
            let Some(found) = memchr3(b'`', b'\n', b'\r', text.bytes(at)) else {
                if text.over || text.end() > most {
                    break None;
                }
                self.probe.at = text.end();
                return Err(Miss::Ended);
            };
            at += found;
            if at > most {
                break None;
            }
            if text.byte(at) != Some(b'`') {
                break Some(at);
            }
            self.probe.at = at;
            let closing = text.run(at, b'`')?;
            at += closing;
            if closing == length {
                return self.up_to(at, Kind::Code);
            }
        };
        self.at = begin;
        let is_info = |c: u8| c.is_ascii_alphanumeric() || b"_+-.#".contains(&c);
        let opens = |end: &usize| {
            let near = length >= 3 && end - self.start <= bound::FENCE;
            near && text.slice(begin, *end).trim().bytes().all(is_info)
        };
        let end = line_end.filter(opens).ok_or(Miss::Differs)?;
        self.fence = Some(Fence::Loose(length));
        self.up_to(end, Kind::FenceOpen)
    }

    pub(super) fn read_angle(&mut self, text: &TextWindow<'_>) -> Read<Kind> {
        match scheme_at(text, self.start + 1) {
            Err(Miss::Differs) => {}
            scheme => {
                scheme?;
                return self.read_angle_url(text);
            }
        }
        let near = text.slice(self.start, text.floor(self.start + bound::TAG));
        match read_tag(near) {
            Ok((kind, length)) => self.up_to(self.start + length, kind),
            Err(Miss::Ended) if !text.over && near.len() == text.rest(self.start).len() => {
                Err(Miss::Ended)
            }
            Err(_) => Err(Miss::Differs),
        }
    }

    fn read_angle_url(&mut self, text: &TextWindow<'_>) -> Read<Kind> {
        let mut at = self.probe.at.max(self.start + 1);
        loop {
            self.probe.at = at;
            match text.peek(at)? {
                Some(b'>') if at > self.start + 8 => return self.up_to(at + 1, Kind::AngleUrl),
                None | Some(0..=b' ' | b'<' | b'>') => return Err(Miss::Differs),
                _ if at - self.start > bound::URL => return Err(Miss::Differs),
                _ => at += 1,
            }
        }
    }

    /// A masked link whose `[` stands at `open`.
    pub(super) fn read_link(
        &mut self,
        text: &TextWindow<'_>,
        open: usize,
        kind: Kind,
    ) -> Read<Kind> {
        if self.probe.label == 0 {
            self.probe.label = self.find_label(text, open)?;
        }
        let begin = self.probe.label;
        if text.peek(begin)? != Some(b'(') {
            return Err(Miss::Differs);
        }
        let mut at = self.probe.at.max(begin + 1);
        loop {
            at += plain_address(text, at, begin + bound::URL);
            self.probe.at = at;
            match text.peek(at)?.ok_or(Miss::Differs)? {
                b')' if self.probe.depth == 0 => break,
                b')' => self.probe.depth -= 1,
                b'(' if self.probe.depth == 1 => return Err(Miss::Differs),
                b'(' => self.probe.depth += 1,
                // A title may follow the address.
                b' ' if matches!(text.peek(at + 1)?, Some(b'"' | b'\'')) => {}
                b' ' if text.slice(begin, at).contains(['"', '\'']) => {}
                0..=b' ' => return Err(Miss::Differs),
                _ if at - begin > bound::URL => return Err(Miss::Differs),
                _ => {}
            }
            at += 1;
        }
        match at > begin + 1 {
            true => self.up_to(at + 1, kind),
            false => Err(Miss::Differs),
        }
    }

    /// Where the label is over that begins at `open`.
    fn find_label(&mut self, text: &TextWindow<'_>, open: usize) -> Read<usize> {
        let most = open + bound::LABEL;
        if self.probe.bare > most {
            return Err(Miss::Differs);
        }
        let from = self.probe.bare.max(open + 1);
        let found = memchr3(b']', b'\n', b'\r', text.bytes(from)).map(|found| from + found);
        self.probe.bare = found.unwrap_or(text.end()).max(self.probe.bare);
        match found {
            Some(end) if text.byte(end) == Some(b']') && end <= most => Ok(end + 1),
            None if !text.over && text.end() <= most => Err(Miss::Ended),
            _ => Err(Miss::Differs),
        }
    }

    pub(super) fn read_shortcode(&mut self, text: &TextWindow<'_>) -> Read<Kind> {
        let before = text.char_before(self.start);
        if before.is_some_and(char::is_alphanumeric) {
            return Err(Miss::Differs);
        }
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+".contains(&byte);
        let begin = self.start + 1;
        let mut end = begin;
        while end - begin < bound::SHORTCODE && text.peek(end)?.is_some_and(is_name) {
            end += 1;
        }
        let name = text.slice(begin, end);
        let named = name.contains(|c: char| c.is_ascii_alphabetic() || c == '_');
        match named && text.peek(end)? == Some(b':') {
            true => self.up_to(end + 1, Kind::Shortcode),
            false => Err(Miss::Differs),
        }
    }
}

/// The length of the scheme of a web address at `at`, in any case.
fn scheme_at(text: &TextWindow<'_>, at: usize) -> Read<usize> {
    let there = text.rest(at);
    match one_of(there, &["https://", "http://"]) {
        Ok(host) => Ok(there.len() - host.len()),
        Err(Miss::Ended) if !text.over => Err(Miss::Ended),
        Err(_) => Err(Miss::Differs),
    }
}
