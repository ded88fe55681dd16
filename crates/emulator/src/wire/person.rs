//! Users and members.

use serde::Serialize;

use crate::{
    realm::{self, AuthorLook, Guild, Realm, UserAccount},
    snowflake::{Snowflake, hash, rfc3339},
};

/// A user as others see them.
#[derive(Serialize)]
pub(crate) struct User {
    id: Snowflake,
    username: String,
    global_name: Option<String>,
    discriminator: String,
    avatar: Option<String>,
    avatar_decoration_data: Option<()>,
    banner: Option<String>,
    accent_color: Option<u32>,
    bot: bool,
    system: bool,
    public_flags: u32,
    flags: u32,
}

impl From<&UserAccount> for User {
    fn from(person: &UserAccount) -> Self {
        // Humans have handles and display names; bots kept the older form.
        let (username, global_name, discriminator) = if person.bot {
            let number = 1 + hash(&[&person.name]) % 9999;
            (person.name.clone(), None, format!("{number:04}"))
        } else {
            let handle = person.name.to_lowercase().replace(char::is_whitespace, "_");
            (handle, Some(person.name.clone()), "0".to_owned())
        };
        Self {
            id: person.id,
            username,
            global_name,
            discriminator,
            avatar: person.avatar.clone(),
            avatar_decoration_data: None,
            banner: person.banner.clone(),
            accent_color: None,
            bot: person.bot,
            system: false,
            public_flags: 0,
            flags: 0,
        }
    }
}

impl User {
    /// What a webhook looks like.
    pub(crate) fn of_webhook(id: Snowflake, look: &AuthorLook) -> Self {
        Self {
            id,
            username: look.name.clone(),
            global_name: None,
            discriminator: "0000".to_owned(),
            avatar: look.avatar.clone(),
            avatar_decoration_data: None,
            banner: None,
            accent_color: None,
            bot: true,
            system: false,
            public_flags: 0,
            flags: 0,
        }
    }
}

/// A user as they see themselves.
#[derive(Serialize)]
pub(crate) struct Me {
    #[serde(flatten)]
    user: User,
    verified: bool,
    mfa_enabled: bool,
    email: Option<String>,
    locale: &'static str,
    premium_type: u8,
}

impl From<&UserAccount> for Me {
    fn from(person: &UserAccount) -> Self {
        Self {
            user: User::from(person),
            verified: true,
            mfa_enabled: false,
            email: None,
            locale: "en-US",
            premium_type: 0,
        }
    }
}

/// A person's place in a guild. Inside messages it comes without the user.
#[derive(Serialize)]
pub(crate) struct Member {
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<User>,
    nick: Option<String>,
    avatar: Option<String>,
    banner: Option<String>,
    roles: Vec<Snowflake>,
    joined_at: String,
    premium_since: Option<String>,
    deaf: bool,
    mute: bool,
    flags: u64,
    pending: bool,
    communication_disabled_until: Option<String>,
}

impl Member {
    /// A member of a guild with who they are.
    pub(crate) fn full(realm: &Realm, guild: &Guild, person: Snowflake) -> Option<Self> {
        Some(Self {
            user: realm.person(person).map(User::from),
            ..Self::partial(guild, person)?
        })
    }

    pub(crate) fn partial(guild: &Guild, person: Snowflake) -> Option<Self> {
        guild.member(person).map(Self::from)
    }
}

impl From<&realm::Member> for Member {
    fn from(member: &realm::Member) -> Self {
        Self {
            user: None,
            nick: member.nickname.clone(),
            avatar: member.avatar.clone(),
            banner: member.banner.clone(),
            roles: member.roles.clone(),
            joined_at: rfc3339(member.joined),
            premium_since: None,
            deaf: false,
            mute: false,
            flags: member.flags,
            pending: false,
            communication_disabled_until: member.timed_out_until.map(rfc3339),
        }
    }
}
