//! Who people are, asked of Discord.

use kaiwa_domain::port::{Pending, People, PersonProfile};
use kaiwa_domain::{ChatError, GuildId, Scope, Timestamp, UserId};
use serde::Deserialize;
use twilight_model::id::Id;
use twilight_model::id::marker::RoleMarker;
use twilight_model::util::Timestamp as RawTimestamp;
use url::Url;

use super::Rest;
use super::codes::{UNKNOWN_MEMBER, UNKNOWN_USER, is_gone};
use super::route::Route;

/// Discord's host for pictures, and for the API.
const CDN: &str = "https://cdn.discordapp.com";

/// Where its proxy for media is.
const MEDIA: &str = "https://media.discordapp.net";
const API_HOST: &str = "discord.com";

/// How large the picture is, in pixels.
const PICTURE_SIZE: u16 = 512;

#[derive(Deserialize)]
struct ProfileUser {
    username: String,
    global_name: Option<String>,
    avatar: Option<String>,
    #[serde(default)]
    bot: bool,
}

#[derive(Deserialize)]
struct ProfileMember {
    user: ProfileUser,
    nick: Option<String>,
    avatar: Option<String>,
    roles: Vec<Id<RoleMarker>>,
    joined_at: Option<RawTimestamp>,
}

#[derive(Deserialize)]
struct NamedRoles {
    roles: Vec<NamedRole>,
}

#[derive(Deserialize)]
struct NamedRole {
    id: Id<RoleMarker>,
    name: String,
    position: i64,
}

impl Rest {
    async fn member_profile(
        &self,
        guild: GuildId,
        user: UserId,
    ) -> Result<Option<PersonProfile>, ChatError> {
        let member: ProfileMember = match self.get(Route::Member { guild, user }).await {
            Ok(member) => member,
            Err(error) if is_gone(&error, UNKNOWN_MEMBER) || is_gone(&error, UNKNOWN_USER) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let mut roles = self.get::<NamedRoles>(Route::Guild(guild)).await?.roles;
        roles.retain(|role| member.roles.contains(&role.id));
        roles.sort_by_key(|role| (-role.position, role.id));
        let own_picture = member.avatar.map(|picture| {
            let path = format!("guilds/{guild}/users/{user}/avatars");
            self.picture(&path, &picture)
        });
        let mut profile = self.profile_of(user, member.user);
        if let Some(nick) = member.nick {
            profile.name = nick;
        }
        if let Some(picture) = own_picture {
            profile.avatar = picture;
        }
        profile.joined_at = member
            .joined_at
            .map(|at| Timestamp::from_millis(at.as_micros() / 1000));
        profile.roles = roles.into_iter().map(|role| role.name).collect();
        Ok(Some(profile))
    }

    fn profile_of(&self, id: UserId, user: ProfileUser) -> PersonProfile {
        let avatar = match &user.avatar {
            Some(picture) => self.picture(&format!("avatars/{id}"), picture),
            // Who has none gets one of six by their id.
            None => format!("{}/embed/avatars/{}.png", self.cdn(), (id.get() >> 22) % 6),
        };
        PersonProfile {
            id,
            name: user.global_name.unwrap_or_else(|| user.username.clone()),
            username: user.username,
            is_bot: user.bot,
            avatar,
            created_at: id.created_at(),
            joined_at: None,
            roles: Vec::new(),
        }
    }

    /// The address of a picture; those that move have a name of their own.
    fn picture(&self, path: &str, picture: &str) -> String {
        let kind = if picture.starts_with("a_") {
            "gif"
        } else {
            "png"
        };
        format!("{}/{path}/{picture}.{kind}?size={PICTURE_SIZE}", self.cdn())
    }

    pub(super) fn cdn(&self) -> String {
        cdn(&self.home)
    }

    /// Where the picture of a sticker is. Those that are GIFs are elsewhere,
    /// see [CDN Endpoints](https://docs.discord.com/developers/reference#image-formatting-cdn-endpoints).
    pub(super) fn sticker_address(&self, picture: &str) -> String {
        match self.home.host_str() {
            Some(API_HOST) if picture.ends_with(".gif") => format!("{MEDIA}/{picture}"),
            _ => format!("{}/{picture}", self.cdn()),
        }
    }
}

/// Where pictures are: a server that is not Discord's has its own.
fn cdn(home: &Url) -> String {
    match home.host_str() {
        Some(API_HOST) => CDN.to_owned(),
        _ => format!("{}/cdn", home.origin().ascii_serialization()),
    }
}

impl People for Rest {
    fn profile(
        &self,
        scope: Scope,
        user: UserId,
    ) -> Pending<'_, Result<Option<PersonProfile>, ChatError>> {
        Box::pin(async move {
            match scope {
                Scope::Guild(guild) => self.member_profile(guild, user).await,
                Scope::Dm(there) if there == user => {
                    let raw = self.get(Route::User(user)).await?;
                    Ok(Some(self.profile_of(user, raw)))
                }
                Scope::Dm(_) => Ok(None),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_at_discords_or_with_the_server() {
        let check = |home: &str, expected: &str| {
            assert_eq!(cdn(&home.parse().unwrap()), expected);
        };
        check("https://discord.com/api/v10", "https://cdn.discordapp.com");
        check("http://127.0.0.1:7777/api/v10", "http://127.0.0.1:7777/cdn");
    }
}
