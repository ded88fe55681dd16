//! Discord's tags.

/// What Discord shows in place of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// `<:name:id>` or `<a:name:id>`.
    Emoji,
    /// `<@id>` or `<@!id>`.
    User,
    /// `<@&id>`.
    Role,
    /// `<#id>`.
    Channel,
    /// `<t:seconds>` or `<t:seconds:style>`.
    Time,
    /// `</name:id>`.
    Slash,
}

/// What a text begins with.
pub(super) enum TagRead {
    Tag(Tag, usize),
    /// More is needed.
    Open,
    No,
}

/// The Discord tag that `text` begins with.
pub(super) fn read_tag(text: &[u8]) -> TagRead {
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
        return TagRead::Open;
    };
    let second = text.get(2).copied();
    let kind = match (first, second) {
        (b':', _) | (b'a', Some(b':')) => Tag::Emoji,
        (b'@', Some(b'&')) => Tag::Role,
        (b'@', _) => Tag::User,
        (b'#', _) => Tag::Channel,
        (b't', Some(b':')) => Tag::Time,
        (b'/', _) => Tag::Slash,
        (b'a' | b't', None) => return TagRead::Open,
        _ => return TagRead::No,
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
            None => return TagRead::Open,
            Some(b':') => {}
            Some(_) => return TagRead::No,
        }
        eat(&|byte| byte == b':');
    }
    let (digits, mut next, mut end) = eat(&digit);
    if kind == Tag::Time && next == Some(b':') {
        eat(&|byte| byte == b':');
        (_, next, end) = eat(&|byte| byte.is_ascii_alphabetic());
    }
    match next {
        None => TagRead::Open,
        Some(b'>') if digits > 0 => TagRead::Tag(kind, end + 1),
        Some(_) => TagRead::No,
    }
}
