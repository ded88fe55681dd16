//! Addresses, links, tags and inline code.

use memchr::memchr3;

use super::inline::{Class, class, wide_kind};
use super::line::{Fence, run};
use super::{Kind, Scanner, Tag, View, bound};

/// The address, link or code that `text` begins with, if it is plain enough to
/// be known at a glance.
pub(super) fn plain_atom(text: &[u8]) -> Option<(Kind, usize)> {
    match text.first()? {
        b'h' => {
            let host = [&b"https://"[..], b"http://"]
                .iter()
                .find(|scheme| text.starts_with(scheme))?
                .len();
            let end = host + plain_address(&text[host..], NEAR);
            let ends = matches!(text.get(end), Some(b' ' | b'\n'));
            let letter = ends && end > host && text[end - 1].is_ascii_alphanumeric();
            letter.then_some((Kind::Url, end))
        }
        b'[' => {
            let label = find_label_end(&text[..text.len().min(NEAR)])?;
            let target = text[label..].strip_prefix(b"](")?;
            let address = plain_address(target, NEAR);
            let closed = address > 0 && target.get(address) == Some(&b')');
            closed.then_some((Kind::Link, label + 2 + address + 1))
        }
        b'`' => {
            let near = &text[1..text.len().min(NEAR)];
            let end = 1 + memchr3(b'`', b'\n', b'\r', near)?;
            let closed = end > 1 && text[end] == b'`' && *text.get(end + 1)? != b'`';
            closed.then_some((Kind::Code, end + 1))
        }
        _ => None,
    }
}

/// How far a glance goes, in bytes.
const NEAR: usize = 64;

/// Where a `]` or a line end stands; text that has just arrived is short.
fn find_label_end(text: &[u8]) -> Option<usize> {
    match text.len() {
        0..16 => text
            .iter()
            .position(|byte| matches!(byte, b']' | b'\n' | b'\r')),
        _ => memchr3(b']', b'\n', b'\r', text),
    }
}

/// Whether a byte neither ends an address nor needs a closer look.
const IN_ADDRESS: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let signs = matches!(
            byte as u8,
            b'/' | b'.' | b'-' | b'_' | b'?' | b'=' | b':' | b'&' | b'%' | b'#' | b'+'
        );
        plain[byte] = signs || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    plain
};

/// How many such bytes `text` begins with, at most `most`.
fn plain_address(text: &[u8], most: usize) -> usize {
    let near = &text[..text.len().min(most)];
    let is_plain = |byte: &&u8| IN_ADDRESS[usize::from(**byte)];
    near.iter().take_while(is_plain).count()
}

impl Scanner {
    /// Reads an address whose scheme ends at `self.at`.
    pub(super) fn read_url(&mut self, view: &View<'_>) -> Option<Option<Kind>> {
        let host = self.at + 3;
        let mut at = self.probe.at.max(host);
        let end = loop {
            at += plain_address(view.bytes(at), (self.start + bound::URL).saturating_sub(at));
            if at - self.start >= bound::URL {
                break view.floor(self.start + bound::URL);
            }
            let Some(byte) = view.byte(at) else {
                if view.done {
                    break at;
                }
                self.probe.at = at;
                return None;
            };
            match byte {
                0..=b' ' | b'<' | b'>' | b'"' | b'`' | b']' | b'}' | b'\\' | 0x7F => break at,
                b'(' => self.probe.depth += 1,
                b')' if self.probe.depth == 0 => break at,
                b')' => self.probe.depth -= 1,
                b'|' => match view.peek(at + 1) {
                    Some(Some(b'|')) => break at,
                    Some(_) => {}
                    None => {
                        self.probe.at = at;
                        return None;
                    }
                },
                byte if class(byte) == Class::Wide => {
                    let c = view.rest(at).chars().next()?;
                    if wide_kind(c).is_some() {
                        break at;
                    }
                    at += c.len_utf8();
                    continue;
                }
                _ => {}
            }
            at += 1;
        };
        let address = view.slice(host, end);
        let trimmed =
            address.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '~', '|', '\'']);
        self.probe.reset();
        if trimmed.is_empty() {
            return Some(None);
        }
        self.at = host + trimmed.len();
        Some(Some(Kind::Url))
    }

    /// Inline code, or a code block that begins in mid-line.
    pub(super) fn read_backticks(&mut self, view: &View<'_>) -> Option<Option<Kind>> {
        let length = run(view, self.start, b'`')?;
        if length > bound::RUN {
            self.at = self.start + bound::RUN;
            return Some(Some(Kind::Word));
        }
        let begin = self.start + length;
        let mut at = self.probe.at.max(begin);
        let line_end = loop {
            let Some(found) = memchr3(b'`', b'\n', b'\r', view.bytes(at)) else {
                if view.done || view.end() - self.start > bound::CODE {
                    break None;
                }
                self.probe.at = view.end();
                return None;
            };
            at += found;
            if at - self.start > bound::CODE {
                break None;
            }
            if view.byte(at) != Some(b'`') {
                break Some(at);
            }
            let Some(closing) = run(view, at, b'`') else {
                self.probe.at = at;
                return None;
            };
            at += closing;
            if closing == length {
                self.at = at;
                return Some(Some(Kind::Code));
            }
        };
        if let Some(end) = line_end
            && length >= 3
            && end - self.start <= bound::FENCE
            && is_info(view.slice(begin, end))
        {
            self.fence = Some(Fence::loose(length));
            self.at = end;
            return Some(Some(Kind::FenceOpen));
        }
        self.at = begin;
        Some(None)
    }

    pub(super) fn read_angle(&mut self, view: &View<'_>) -> Option<Option<Kind>> {
        let rest = view.rest(self.start);
        let web = view
            .byte(self.start + 1)
            .is_none_or(|byte| matches!(byte, b'h' | b'H'));
        if !(web
            && (starts_like(view, self.start, "<https://")?
                || starts_like(view, self.start, "<http://")?))
        {
            let window = view.slice(self.start, view.floor(self.start + bound::TAG));
            return match tag(window.as_bytes()) {
                Found::Tag(kind, length) => {
                    self.at = self.start + length;
                    Some(Some(Kind::Tag(kind)))
                }
                Found::Open if !view.done && window.len() == rest.len() => None,
                _ => Some(None),
            };
        }
        let mut at = self.probe.at.max(self.start + 1);
        loop {
            let Some(byte) = view.byte(at) else {
                if view.done {
                    return Some(None);
                }
                self.probe.at = at;
                return None;
            };
            match byte {
                b'>' if rest.len() > 9 => {
                    self.at = at + 1;
                    return Some(Some(Kind::AngleUrl));
                }
                0..=b' ' | b'<' | b'>' => return Some(None),
                _ if at - self.start > bound::URL => return Some(None),
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
    ) -> Option<Option<Kind>> {
        if self.probe.label == 0 {
            if self.probe.bare > open + bound::LABEL {
                return Some(None);
            }
            let from = self.probe.at.max(self.probe.bare).max(open + 1);
            match find_label_end(view.bytes(from)) {
                Some(found) if view.byte(from + found) == Some(b']') => {
                    self.probe.bare = from + found;
                    if from + found - open > bound::LABEL {
                        return Some(None);
                    }
                    self.probe.label = from + found + 1;
                }
                Some(found) => {
                    self.probe.bare = from + found;
                    return Some(None);
                }
                None => {
                    self.probe.bare = view.end();
                    if view.done || view.end() - open > bound::LABEL {
                        return Some(None);
                    }
                    return None;
                }
            }
        }
        let begin = self.probe.label;
        if view.peek(begin)? != Some(b'(') {
            return Some(None);
        }
        let mut at = self.probe.at.max(begin + 1);
        loop {
            at += plain_address(view.bytes(at), (begin + bound::URL).saturating_sub(at));
            let Some(byte) = view.byte(at) else {
                if view.done {
                    return Some(None);
                }
                self.probe.at = at;
                return None;
            };
            match byte {
                b')' if self.probe.depth == 0 => break,
                b')' => self.probe.depth -= 1,
                b'(' if self.probe.depth == 1 => return Some(None),
                b'(' => self.probe.depth += 1,
                // A title may follow the address.
                b' ' => match view.peek(at + 1) {
                    None => {
                        self.probe.at = at;
                        return None;
                    }
                    Some(Some(b'"' | b'\'')) => {}
                    Some(_) if view.slice(begin, at).contains(['"', '\'']) => {}
                    Some(_) => return Some(None),
                },
                0..=b' ' => return Some(None),
                _ if at - begin > bound::URL => return Some(None),
                _ => {}
            }
            at += 1;
        }
        if at == begin + 1 {
            return Some(None);
        }
        self.at = at + 1;
        Some(Some(kind))
    }

    pub(super) fn read_shortcode(&mut self, view: &View<'_>) -> Option<Option<Kind>> {
        let rest = view.bytes(self.start + 1);
        let most = rest.len().min(bound::SHORTCODE);
        let name = rest[..most]
            .iter()
            .take_while(|&&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+'))
            .count();
        if name == rest.len() && !view.done {
            return if name < bound::SHORTCODE {
                None
            } else {
                Some(None)
            };
        }
        let closed = rest.get(name) == Some(&b':');
        let named = rest[..name]
            .iter()
            .any(|&byte| byte.is_ascii_alphabetic() || byte == b'_');
        let glued = view
            .char_before(self.start)
            .is_some_and(char::is_alphanumeric);
        if !closed || !named || glued {
            return Some(None);
        }
        self.at = self.start + name + 2;
        Some(Some(Kind::Shortcode))
    }
}

/// Whether the text at `at` begins with `scheme` in any case; `None` while
/// that is open.
fn starts_like(view: &View<'_>, at: usize, scheme: &str) -> Option<bool> {
    let there = view.bytes(at);
    let length = there.len().min(scheme.len());
    let alike = there[..length].eq_ignore_ascii_case(&scheme.as_bytes()[..length]);
    if alike && length < scheme.len() && !view.done {
        return None;
    }
    Some(alike && length == scheme.len())
}

/// Whether the rest of a line can be the info string of a code block.
fn is_info(text: &str) -> bool {
    text.trim().bytes().all(|byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'.' | b'#')
    })
}

enum Found {
    Tag(Tag, usize),
    /// More is needed.
    Open,
    No,
}

/// The Discord tag that `text` begins with.
fn tag(text: &[u8]) -> Found {
    let mut at = 1;
    let mut eat = |allowed: &dyn Fn(u8) -> bool| {
        let begin = at;
        while text.get(at).is_some_and(|&byte| allowed(byte)) {
            at += 1;
        }
        (at - begin, text.get(at).copied(), at)
    };
    let digit = |byte: u8| byte.is_ascii_digit();
    let name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let Some(&first) = text.get(1) else {
        return Found::Open;
    };
    let second = text.get(2).copied();
    let kind = match (first, second) {
        (b':', _) | (b'a', Some(b':')) => Tag::Emoji,
        (b'@', Some(b'&')) => Tag::Role,
        (b'@', _) => Tag::User,
        (b'#', _) => Tag::Channel,
        (b't', Some(b':')) => Tag::Time,
        (b'/', _) => Tag::Slash,
        (b'a' | b't', None) => return Found::Open,
        _ => return Found::No,
    };
    let lead: &[u8] = match kind {
        Tag::Emoji => b"a:",
        Tag::User => b"@!",
        Tag::Role => b"@&",
        Tag::Channel => b"#",
        Tag::Time => b"t:-",
        Tag::Slash => b"/",
    };
    eat(&|byte| lead.contains(&byte));
    if matches!(kind, Tag::Emoji | Tag::Slash) {
        let slash = |byte: u8| !matches!(byte, b':' | b'>' | b'<' | b'\n' | b'\r');
        let (_, next, _) = match kind {
            Tag::Emoji => eat(&name),
            _ => eat(&slash),
        };
        match next {
            None => return Found::Open,
            Some(b':') => {}
            Some(_) => return Found::No,
        }
        eat(&|byte| byte == b':');
    }
    let (digits, mut next, mut end) = eat(&digit);
    if kind == Tag::Time && next == Some(b':') {
        eat(&|byte| byte == b':');
        (_, next, end) = eat(&|byte| byte.is_ascii_alphabetic());
    }
    match next {
        None => Found::Open,
        Some(b'>') if digits > 0 => Found::Tag(kind, end + 1),
        Some(_) => Found::No,
    }
}
