//! Addresses, links, shortcodes, formulas and inline code.

use memchr::{memchr2, memchr3};

use super::inline::is_wide_pair;
use super::line::Fence;
use super::tag::{TagRead, read_tag};
use super::{Kind, More, Read, Scanner, View, bound};

/// Signs that do not end an address, but are no part of it at its end.
const TRAILING: &[char] = &['.', ',', ';', ':', '!', '?', '*', '_', '~', '|', '\''];

/// Full-width punctuation, which ends an address.
const WIDE_ENDS: &str = "\u{3000}…。！？．｡‼⁇⁈⁉؟।、，､；：";

/// Whether a byte neither ends an address nor needs a closer look.
const fn is_in_address(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-'..=b'/' | b'_' | b'?' | b'=' | b':' | b'#' | b'%' | b'&' | b'+'
        )
}

/// How many such bytes stand in `view` from `at` on, up to `most`.
fn plain_address(view: &View<'_>, at: usize, most: usize) -> usize {
    let near = view.bytes(at).iter().take(most.saturating_sub(at));
    near.take_while(|byte| is_in_address(**byte)).count()
}

impl Scanner {
    /// A bare address.
    pub(super) fn read_url(&mut self, view: &View<'_>) -> Read<Option<Kind>> {
        let scheme = match starts_like(view, self.start, "https://")? {
            true => 8,
            false if starts_like(view, self.start, "http://")? => 7,
            false => return Ok(None),
        };
        let host = self.start + scheme;
        let most = self.start + bound::URL;
        let mut at = self.probe.at.max(host);
        let end = loop {
            at += plain_address(view, at, most);
            if at >= most {
                break view.floor(most);
            }
            self.probe.at = at;
            let Some(byte) = view.peek(at)? else {
                break at;
            };
            match byte {
                0..=b' ' | b'<' | b'>' | b'"' | b'`' | b']' | b'}' | b'\\' | 0x7F => break at,
                b'(' => self.probe.depth += 1,
                b')' if self.probe.depth == 0 => break at,
                b')' => self.probe.depth -= 1,
                b'|' if view.peek(at + 1)? == Some(b'|') => break at,
                0x80.. => {
                    let c = view.rest(at).chars().next().unwrap_or(' ');
                    if is_wide_pair(c) || WIDE_ENDS.contains(c) {
                        break at;
                    }
                    at += c.len_utf8() - 1;
                }
                _ => {}
            }
            at += 1;
        };
        let address = view.slice(host, end).trim_end_matches(TRAILING);
        if address.is_empty() {
            return Ok(None);
        }
        self.at = host + address.len();
        Ok(Some(Kind::Url))
    }

    /// A formula of one line is ordinary text, and so is what goes on over an
    /// empty line.
    pub(super) fn read_formula(&mut self, view: &View<'_>, at: usize) -> Read<Option<Kind>> {
        let closer = match (view.peek(at)?, view.peek(at + 1)?) {
            (Some(b'$'), Some(b'$')) => b"$$",
            (Some(b'\\'), Some(b'[')) => b"\\]",
            _ => return Ok(None),
        };
        let mut end = self.probe.at.max(at + 2);
        loop {
            let near = memchr2(closer[0], b'\n', view.bytes(end));
            end = near.map_or(view.end(), |near| end + near);
            self.probe.at = end;
            let pair = match end - at <= bound::FORMULA {
                true => [view.peek(end)?, view.peek(end + 1)?],
                false => [None; 2],
            };
            match pair {
                [Some(first), Some(second)] if [first, second] == *closer => break,
                [None, _] | [Some(b'\n'), Some(b'\n')] => return Ok(None),
                _ => end += 1,
            }
        }
        let source = view.slice(at + 2, end);
        let lines = source.contains('\n') && !source.trim().is_empty();
        if lines {
            self.at = end + 2;
        }
        Ok(lines.then_some(Kind::Formula))
    }

    /// Inline code, or a code block that begins in mid-line.
    pub(super) fn read_backticks(&mut self, view: &View<'_>) -> Read<Option<Kind>> {
        let length = view.run(self.start, b'`')?;
        let begin = self.start + length.min(bound::RUN);
        if length > bound::RUN {
            self.at = begin;
            return Ok(None);
        }
        let most = self.start + bound::CODE;
        let mut at = self.probe.at.max(begin);
        let line_end = loop {
            self.probe.at = at;
            let Some(found) = memchr3(b'`', b'\n', b'\r', view.bytes(at)) else {
                if view.done || view.end() > most {
                    break None;
                }
                self.probe.at = view.end();
                return Err(More);
            };
            at += found;
            if at > most {
                break None;
            }
            if view.byte(at) != Some(b'`') {
                break Some(at);
            }
            self.probe.at = at;
            let closing = view.run(at, b'`')?;
            at += closing;
            if closing == length {
                self.at = at;
                return Ok(Some(Kind::Code));
            }
        };
        self.at = begin;
        match line_end {
            Some(end) if length >= 3 && end - self.start <= bound::FENCE => {
                let info = view.slice(begin, end).trim();
                let is_info = |c: u8| c.is_ascii_alphanumeric() || b"_+-.#".contains(&c);
                let opens = info.bytes().all(is_info);
                if opens {
                    self.fence = Some(Fence::loose(length));
                    self.at = end;
                }
                Ok(opens.then_some(Kind::FenceOpen))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn read_angle(&mut self, view: &View<'_>) -> Read<Option<Kind>> {
        let web = matches!(view.peek(self.start + 1)?, Some(b'h' | b'H'));
        if !(web
            && (starts_like(view, self.start, "<https://")?
                || starts_like(view, self.start, "<http://")?))
        {
            let window = view.slice(self.start, view.floor(self.start + bound::TAG));
            return match read_tag(window) {
                TagRead::Tag(kind, length) => {
                    self.at = self.start + length;
                    Ok(Some(Kind::Tag(kind)))
                }
                TagRead::Open if !view.done && window.len() == view.rest(self.start).len() => {
                    Err(More)
                }
                _ => Ok(None),
            };
        }
        let mut at = self.probe.at.max(self.start + 1);
        loop {
            self.probe.at = at;
            match view.peek(at)? {
                Some(b'>') if at > self.start + 8 => {
                    self.at = at + 1;
                    return Ok(Some(Kind::AngleUrl));
                }
                None | Some(0..=b' ' | b'<' | b'>') => return Ok(None),
                _ if at - self.start > bound::URL => return Ok(None),
                _ => at += 1,
            }
        }
    }

    /// A masked link whose `[` stands at `open`.
    pub(super) fn read_link(
        &mut self,
        view: &View<'_>,
        open: usize,
        kind: Kind,
    ) -> Read<Option<Kind>> {
        if self.probe.label == 0 && !self.find_label(view, open)? {
            return Ok(None);
        }
        let begin = self.probe.label;
        if view.peek(begin)? != Some(b'(') {
            return Ok(None);
        }
        let mut at = self.probe.at.max(begin + 1);
        loop {
            at += plain_address(view, at, begin + bound::URL);
            self.probe.at = at;
            let Some(byte) = view.peek(at)? else {
                return Ok(None);
            };
            match byte {
                b')' if self.probe.depth == 0 => break,
                b')' => self.probe.depth -= 1,
                b'(' if self.probe.depth == 1 => return Ok(None),
                b'(' => self.probe.depth += 1,
                // A title may follow the address.
                b' ' if matches!(view.peek(at + 1)?, Some(b'"' | b'\'')) => {}
                b' ' if view.slice(begin, at).contains(['"', '\'']) => {}
                0..=b' ' => return Ok(None),
                _ if at - begin > bound::URL => return Ok(None),
                _ => {}
            }
            at += 1;
        }
        if at == begin + 1 {
            return Ok(None);
        }
        self.at = at + 1;
        Ok(Some(kind))
    }

    /// Finds the `]` of a label that begins at `open`; says whether there is
    /// one.
    fn find_label(&mut self, view: &View<'_>, open: usize) -> Read<bool> {
        let most = open + bound::LABEL;
        if self.probe.bare > most {
            return Ok(false);
        }
        let from = self.probe.bare.max(open + 1);
        let found = memchr3(b']', b'\n', b'\r', view.bytes(from)).map(|found| from + found);
        self.probe.bare = found.unwrap_or(view.end()).max(self.probe.bare);
        match found {
            Some(end) if view.byte(end) == Some(b']') && end <= most => {
                self.probe.label = end + 1;
                Ok(true)
            }
            Some(_) => Ok(false),
            None if view.done || view.end() > most => Ok(false),
            None => Err(More),
        }
    }

    pub(super) fn read_shortcode(&mut self, view: &View<'_>) -> Read<Option<Kind>> {
        let before = view.char_before(self.start);
        if before.is_some_and(char::is_alphanumeric) {
            return Ok(None);
        }
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+".contains(&byte);
        let begin = self.start + 1;
        let mut end = begin;
        while end - begin < bound::SHORTCODE && view.peek(end)?.is_some_and(is_name) {
            end += 1;
        }
        let name = view.slice(begin, end);
        let named = name.contains(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !named || view.peek(end)? != Some(b':') {
            return Ok(None);
        }
        self.at = end + 1;
        Ok(Some(Kind::Shortcode))
    }
}

/// Whether the text at `at` begins with `scheme` in any case.
fn starts_like(view: &View<'_>, at: usize, scheme: &str) -> Read<bool> {
    let there = view.bytes(at);
    let length = there.len().min(scheme.len());
    let alike = there[..length].eq_ignore_ascii_case(&scheme.as_bytes()[..length]);
    match alike && length < scheme.len() && !view.done {
        true => Err(More),
        false => Ok(alike && length == scheme.len()),
    }
}
