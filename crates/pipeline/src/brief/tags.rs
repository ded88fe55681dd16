//! Discord's tags as people see them: `<@1>` is a name, `<#2>` a channel.

use std::collections::BTreeMap;

use kaiwa_domain::{ChannelId, GuildSnapshot, RoleId, UserId};

/// What tags stand for.
pub(super) struct Tags<'a> {
    /// What people are called here.
    pub(super) names: &'a BTreeMap<UserId, String>,
    /// The guild, whose roles have names.
    pub(super) guild: Option<&'a GuildSnapshot>,
    /// What its channels are called.
    pub(super) channel: &'a dyn Fn(ChannelId) -> Option<String>,
    /// How a moment is written, in seconds since 1970.
    pub(super) date: &'a dyn Fn(i64) -> String,
}

/// The longest tag, in bytes: an animated emoji with the longest name.
const LONGEST: usize = 64;

impl Tags<'_> {
    /// The text with its tags as people see them. What is no tag, and what
    /// nobody knows the name of, stays.
    pub(super) fn readable(&self, text: &str) -> String {
        let mut readable = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
            let (before, tag) = rest.split_at(at);
            readable.push_str(before);
            let within = &tag[..tag.floor_char_boundary(LONGEST)];
            let end = memchr::memchr(b'>', within.as_bytes());
            match end.and_then(|end| Some((end, self.shown(&tag[1..end])?))) {
                Some((end, shown)) => {
                    readable.push_str(&shown);
                    rest = &tag[end + 1..];
                }
                None => {
                    readable.push('<');
                    rest = &tag[1..];
                }
            }
        }
        readable.push_str(rest);
        readable
    }

    /// What people see of a tag, which comes without its brackets.
    fn shown(&self, tag: &str) -> Option<String> {
        if let Some(role) = tag.strip_prefix("@&") {
            let role: RoleId = id(role)?.into();
            let mut roles = self.guild?.roles.iter();
            let (_, name) = roles.find(|(id, _)| *id == role)?;
            return Some(format!("@{}", super::sanitize::speaker_name(name)));
        }
        if let Some(user) = tag.strip_prefix('@') {
            let user: UserId = id(user.strip_prefix('!').unwrap_or(user))?.into();
            return Some(format!("@{}", self.names.get(&user)?));
        }
        if let Some(channel) = tag.strip_prefix('#') {
            let channel: ChannelId = id(channel)?.into();
            let name = (self.channel)(channel)?;
            return Some(format!("#{}", super::sanitize::speaker_name(&name)));
        }
        if let Some(time) = tag.strip_prefix("t:") {
            let (seconds, style) = time.split_once(':').unwrap_or((time, "f"));
            let is_style = style.len() == 1 && style.bytes().all(|it| it.is_ascii_alphabetic());
            let seconds: i64 = seconds.parse().ok().filter(|_| is_style)?;
            return Some((self.date)(seconds));
        }
        if let Some(command) = tag.strip_prefix('/') {
            let (name, number) = command.split_once(':')?;
            id(number)?;
            return Some(format!("/{name}"));
        }
        let emoji = tag.strip_prefix("a:").or_else(|| tag.strip_prefix(':'))?;
        let (name, number) = emoji.split_once(':')?;
        id(number)?;
        let is_name = name
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_');
        (is_name && !name.is_empty()).then(|| format!(":{name}:"))
    }
}

/// The number of a tag.
struct TagNumber(u64);

fn id(digits: &str) -> Option<TagNumber> {
    let plain = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    digits.parse().ok().filter(|_| plain).map(TagNumber)
}

impl From<TagNumber> for UserId {
    fn from(TagNumber(raw): TagNumber) -> Self {
        Self::new(raw)
    }
}

impl From<TagNumber> for RoleId {
    fn from(TagNumber(raw): TagNumber) -> Self {
        Self::new(raw)
    }
}

impl From<TagNumber> for ChannelId {
    fn from(TagNumber(raw): TagNumber) -> Self {
        Self::new(raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{GuildId, Scope};

    #[test]
    fn tags_are_read_as_people_see_them() {
        let names = BTreeMap::from([(UserId::new(1), "Kaiwa".to_owned())]);
        let guild = GuildSnapshot {
            roles: vec![(RoleId::new(5), "Keeper\nAda".to_owned())],
            ..GuildSnapshot::new(Scope::Guild(GuildId::new(3)))
        };
        let tags = Tags {
            names: &names,
            guild: Some(&guild),
            channel: &|id| (id.get() == 9).then(|| "general".to_owned()),
            date: &|seconds| format!("second {seconds}"),
        };
        for (text, expected) in [
            ("<@1> and <@!1>", "@Kaiwa and @Kaiwa"),
            ("not <@5>, <@1 or <@ or <", "not <@5>, <@1 or <@ or <"),
            ("<@&5> in <#9>", "@Keeper Ada in #general"),
            ("<@&6> <#8>", "<@&6> <#8>"),
            ("<:tea:12><a:spin_2:13>", ":tea::spin_2:"),
            ("<:tea> <:t-a:12> <:a:b>", "<:tea> <:t-a:12> <:a:b>"),
            ("<t:86400> <t:1:R>", "second 86400 second 1"),
            ("<t:x> <t:1:RR>", "<t:x> <t:1:RR>"),
            ("</ping:12>", "/ping"),
            ("a < b > c << <@1>", "a < b > c << @Kaiwa"),
            ("<@+1> <@-1> <@>", "<@+1> <@-1> <@>"),
        ] {
            assert_eq!(tags.readable(text), expected);
        }
        let nowhere = Tags {
            guild: None,
            channel: &|_| None,
            ..tags
        };
        assert_eq!(nowhere.readable("<#9> <@&5>"), "<#9> <@&5>");
    }
}
