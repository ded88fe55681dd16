//! `user_info`: who somebody is.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::{Pending, People, PersonProfile};
use kaiwa_domain::{ToolError, Turn};
use schemars::JsonSchema;
use serde::Deserialize;

use super::failed;
use crate::argument::UserArgument;
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// How many roles are told.
const ROLES: usize = 20;

/// Tells who somebody is.
pub struct UserInfo {
    people: Arc<dyn People>,
}

impl UserInfo {
    /// Of `people`.
    pub const fn new(people: Arc<dyn People>) -> Self {
        Self { people }
    }
}

/// Who is asked about.
#[derive(Deserialize, JsonSchema)]
pub struct UserInfoArguments {
    /// Who: an id, or a mention like <@123>. Who asks if absent.
    #[serde(default)]
    user: Option<UserArgument>,
}

/// Somebody who is here.
pub(super) async fn profile(
    people: &dyn People,
    turn: &Turn,
    user: Option<UserArgument>,
) -> Result<Option<PersonProfile>, ToolError> {
    let user = user.map_or(turn.asker, |user| user.0);
    let profile = people.profile(turn.scope, user).await;
    profile.map_err(|error| failed(&error))
}

impl Action for UserInfo {
    type Arguments = UserInfoArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::private("user_info")),
            timeout: Duration::from_secs(10),
            ..Declaration::reading(
                "user_info",
                "Who somebody here is: names, roles, since when they are here.",
            )
        }
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        UserInfoArguments { user }: UserInfoArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let Some(profile) = profile(&*self.people, grant.turn(), user).await? else {
                return Ok(
                    Done::new("nobody here has that id").showing(Phrase::new("not-a-member"))
                );
            };
            let seconds = |at: kaiwa_domain::Timestamp| at.as_millis() / 1000;
            let created = format!("<t:{}:D>", seconds(profile.created_at));
            let joined = profile.joined_at.map(|at| format!("<t:{}:D>", seconds(at)));
            let mut roles = profile.roles.clone();
            let more = roles.len().saturating_sub(ROLES);
            roles.truncate(ROLES);
            let mut roles = roles.join(", ");
            if more > 0 {
                roles += &format!(", +{more}");
            }
            let mut told = format!(
                "{} (user name {}, id {}{}), account made {created}",
                profile.name,
                profile.username,
                profile.id,
                if profile.is_bot { ", a bot" } else { "" },
            );
            if let Some(joined) = &joined {
                told += &format!(", joined {joined}");
            }
            if !roles.is_empty() {
                told += &format!(", roles: {roles}");
            }
            let others = profile.id != grant.turn().asker;
            let none = || "–".to_owned();
            let shown = Phrase::new("user-info-done")
                .with("name", profile.name)
                .with("username", profile.username)
                .with("id", profile.id.to_string())
                .with("created", created)
                .with("joined", joined.unwrap_or_else(none))
                .with("roles", if roles.is_empty() { none() } else { roles });
            Ok(Done::new(told).showing(shown).quoting_others(others))
        })
    }
}

#[cfg(test)]
mod tests {
    use kaiwa_domain::port::ActionHost;
    use kaiwa_domain::{ChatError, GuildId, Rights, Scope, Timestamp, UserId};

    use super::*;
    use crate::Registry;
    use crate::door::tests::{ASKER, Held, Impatient, MODEL_ASKED, call, door_to, turn};

    struct Everybody;

    impl People for Everybody {
        fn profile(
            &self,
            _: Scope,
            id: UserId,
        ) -> Pending<'_, Result<Option<PersonProfile>, ChatError>> {
            let profile = PersonProfile {
                id,
                username: "somebody".to_owned(),
                name: "ban Ben".to_owned(),
                is_bot: false,
                avatar: String::new(),
                created_at: Timestamp::from_millis(1),
                joined_at: None,
                roles: Vec::new(),
            };
            Box::pin(std::future::ready(Ok(Some(profile))))
        }
    }

    #[tokio::test]
    async fn names_are_the_words_of_who_bears_them() {
        let registry = Registry::new().with(UserInfo::new(Arc::new(Everybody)));
        let held = Held::new(Rights::ALL, Rights::ALL);
        let door = door_to(registry, held, Impatient(Duration::ZERO));
        let turn = turn(Scope::Guild(GuildId::new(3)));
        for (user, untrusted) in [(ASKER, false), (UserId::new(9), true)] {
            let call = call("user_info", &format!(r#"{{"user": "{user}"}}"#));
            let reply = door.run(&turn, &call, MODEL_ASKED).await.unwrap();
            assert_eq!(reply.untrusted, untrusted, "{user}");
        }
    }
}
