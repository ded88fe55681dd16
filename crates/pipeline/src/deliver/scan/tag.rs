//! Discord's tags.

use kaiwa_domain::Miss;

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

/// The Discord tag that `text`, which begins with `<`, begins with, and its
/// length.
pub(super) fn read_tag(text: &str) -> Result<(Tag, usize), Miss> {
    const LEADS: [(&str, Tag); 8] = [
        ("<:", Tag::Emoji),
        ("<a:", Tag::Emoji),
        ("<@&", Tag::Role),
        ("<@!", Tag::User),
        ("<@", Tag::User),
        ("<#", Tag::Channel),
        ("<t:", Tag::Time),
        ("</", Tag::Slash),
    ];
    let Some((lead, tag)) = LEADS.iter().find(|(lead, _)| text.starts_with(lead)) else {
        let opens = LEADS.iter().any(|(lead, _)| lead.starts_with(text));
        return Err(if opens { Miss::Ended } else { Miss::Differs });
    };
    let mut rest = &text[lead.len()..];
    let mut eat = |is_part: &dyn Fn(char) -> bool| {
        let before = rest.len();
        rest = rest.trim_start_matches(is_part);
        (before - rest.len(), rest.chars().next())
    };
    let after_name = match tag {
        Tag::Emoji => eat(&|c| c.is_ascii_alphanumeric() || c == '_').1,
        Tag::Slash => eat(&|c| !matches!(c, ':' | '>' | '<' | '\n' | '\r')).1,
        _ => Some(':'),
    };
    match (tag, after_name) {
        (_, None) => return Err(Miss::Ended),
        (Tag::Emoji | Tag::Slash, Some(':')) => _ = eat(&|c| c == ':'),
        (Tag::Time, _) => _ = eat(&|c| c == '-'),
        (_, Some(':')) => {}
        _ => return Err(Miss::Differs),
    }
    let (digits, mut next) = eat(&|c| c.is_ascii_digit());
    if *tag == Tag::Time && next == Some(':') {
        next = eat(&|c| c == ':' || c.is_ascii_alphabetic()).1;
    }
    match next {
        None => Err(Miss::Ended),
        Some('>') if digits > 0 => Ok((*tag, text.len() - rest.len() + 1)),
        Some(_) => Err(Miss::Differs),
    }
}
