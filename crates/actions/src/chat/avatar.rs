//! `avatar`: somebody's picture.

use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::ToolError;
use kaiwa_domain::port::{Pending, People};
use schemars::JsonSchema;
use serde::Deserialize;

use super::user_info::profile;
use crate::argument::UserArgument;
use crate::phrase::Phrase;
use crate::{Action, CommandEntrance, Declaration, Done, Grant};

/// Shows somebody's picture.
pub struct Avatar {
    people: Arc<dyn People>,
}

impl Avatar {
    /// Of `people`.
    pub const fn new(people: Arc<dyn People>) -> Self {
        Self { people }
    }
}

/// Whose picture.
#[derive(Deserialize, JsonSchema)]
pub struct AvatarArguments {
    /// Whose: an id, or a mention like <@123>. Who asks if absent.
    #[serde(default)]
    user: Option<UserArgument>,
}

impl Action for Avatar {
    type Arguments = AvatarArguments;

    fn declaration(&self) -> Declaration {
        Declaration {
            command: Some(CommandEntrance::public("avatar")),
            timeout: Duration::from_secs(10),
            ..Declaration::reading(
                "avatar",
                "Where the profile picture of somebody here is. Put the address into your answer \
                 and Discord shows it.",
            )
        }
    }

    fn run<'a>(
        &'a self,
        grant: Grant<'a>,
        AvatarArguments { user }: AvatarArguments,
    ) -> Pending<'a, Result<Done, ToolError>> {
        Box::pin(async move {
            let Some(profile) = profile(&*self.people, grant.turn(), user).await? else {
                return Ok(
                    Done::new("nobody here has that id").showing(Phrase::new("not-a-member"))
                );
            };
            let shown = Phrase::new("avatar-done")
                .with("name", profile.name)
                .with("url", profile.avatar.as_str());
            Ok(Done::new(profile.avatar).showing(shown))
        })
    }
}
