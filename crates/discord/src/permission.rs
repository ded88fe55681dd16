//! What Kaiwa may do in a guild, and why it asks for that.

use std::fmt;

use twilight_model::guild::Permissions;

/// A Discord application. Its id is not that of its bot user.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ApplicationId(u64);

impl ApplicationId {
    /// Wraps a raw Discord snowflake.
    pub const fn new(raw: u64) -> Self {
        Self(raw)
    }

    /// The raw snowflake.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for ApplicationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A permission Kaiwa asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// Its name in Discord's settings.
    pub name: &'static str,
    /// What breaks without it.
    pub why: &'static str,
    bit: Permissions,
}

const fn need(bit: Permissions, name: &'static str, why: &'static str) -> Need {
    Need { name, why, bit }
}

/// Every permission Kaiwa asks for.
pub const NEEDS: [Need; 9] = [
    need(
        Permissions::VIEW_CHANNEL,
        "View Channels",
        "to see the channels it is spoken to in",
    ),
    need(
        Permissions::SEND_MESSAGES,
        "Send Messages",
        "to answer in channels",
    ),
    need(
        Permissions::SEND_MESSAGES_IN_THREADS,
        "Send Messages in Threads",
        "to answer in threads",
    ),
    need(
        Permissions::READ_MESSAGE_HISTORY,
        "Read Message History",
        "to reply to a message and to know what was said before it",
    ),
    need(
        Permissions::EMBED_LINKS,
        "Embed Links",
        "to show previews of links in its answers",
    ),
    need(
        Permissions::ATTACH_FILES,
        "Attach Files",
        "to send what does not fit into a message",
    ),
    need(
        Permissions::ADD_REACTIONS,
        "Add Reactions",
        "to acknowledge a message without a word",
    ),
    need(
        Permissions::USE_EXTERNAL_EMOJIS,
        "Use External Emoji",
        "to write emoji of other guilds",
    ),
    need(
        Permissions::MANAGE_WEBHOOKS,
        "Manage Webhooks",
        "to speak under a persona's name and face",
    ),
];

/// The permissions of [`NEEDS`] as Discord's bit set.
pub fn needed_permissions() -> u64 {
    NEEDS
        .iter()
        .fold(Permissions::empty(), |all, need| all | need.bit)
        .bits()
}

/// The needs that `granted` does not meet; an administrator has them all.
pub(crate) fn missing(granted: u64) -> Vec<Need> {
    let granted = Permissions::from_bits_truncate(granted);
    if granted.contains(Permissions::ADMINISTRATOR) {
        return Vec::new();
    }
    NEEDS
        .into_iter()
        .filter(|need| !granted.contains(need.bit))
        .collect()
}

/// The page on which somebody adds the bot to their guild.
pub fn invite_link(application: ApplicationId, permissions: u64) -> String {
    format!(
        "https://discord.com/oauth2/authorize?client_id={application}&scope=bot+applications.commands&permissions={permissions}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_invite_asks_for_every_need_and_nothing_else() {
        // Bits 6, 10, 11, 14, 15, 16, 18, 29 and 38 of Discord Docs/Permissions.
        let bits = [6, 10, 11, 14, 15, 16, 18, 29, 38];
        let expected = bits.iter().fold(0u64, |all, bit| all | 1 << bit);
        assert_eq!(needed_permissions(), expected);
        assert_eq!(
            invite_link(ApplicationId::new(7), expected),
            format!(
                "https://discord.com/oauth2/authorize?client_id=7&scope=bot+applications.commands&permissions={expected}"
            )
        );
    }

    #[test]
    fn missing_permissions_are_named() {
        fn check(granted: u64, expected: &[&str]) {
            let names: Vec<_> = missing(granted).iter().map(|need| need.name).collect();
            assert_eq!(names, expected, "{granted:#x}");
        }
        check(needed_permissions(), &[]);
        check(Permissions::ADMINISTRATOR.bits(), &[]);
        check(
            needed_permissions() & !Permissions::SEND_MESSAGES.bits(),
            &["Send Messages"],
        );
    }
}
