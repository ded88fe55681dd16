//! Guilds with moderators, and what is done to people in them.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use kaiwa_domain::port::Clock;
use kaiwa_emulator::World;
use serde_json::{Value, json};

use super::Story;
use super::controls::Screen;
use super::person::{Person, answered};
use crate::soon;

/// A guild with an order of roles: kings above machines above guards above the
/// crew. The bot is a machine.
const COURT: &str = r#"
limits = "off"
[guild]
name = "Court"
owner = "Olga"
[bot]
name = "Kaiwa"
roles = ["Machines"]
[[roles]]
name = "Crew"
[[roles]]
name = "Guards"
permissions = ["ban_members", "kick_members", "moderate_members", "manage_messages", "manage_channels"]
[[roles]]
name = "Machines"
permissions = ["ban_members", "kick_members", "moderate_members", "manage_messages", "manage_channels", "manage_roles", "pin_messages"]
[[roles]]
name = "Kings"
permissions = ["administrator"]
[[users]]
name = "Olga"
[[users]]
name = "Rex"
roles = ["Kings"]
[[users]]
name = "Gus"
roles = ["Guards"]
[[users]]
name = "Gia"
roles = ["Guards"]
[[users]]
name = "Cara"
roles = ["Crew"]
[[users]]
name = "Pip"
[[channels]]
name = "general"
[[channels]]
name = "hall"
[[stickers]]
name = "Crown"
description = "A crown"
[[guilds]]
name = "Outside"
owner = "Nan"
[[guilds.members]]
name = "Nan"
[[guilds.members]]
name = "Ned"
[[guilds.channels]]
name = "general"
"#;

impl Story {
    /// A court whose bot has come.
    pub async fn at_court() -> Self {
        let mut story = Self::court().await;
        story.bot_starts().await;
        story
    }

    /// A court whose bot has not come yet.
    pub async fn court() -> Self {
        Self::in_world(World::from_toml(COURT).expect("a world")).await
    }

    /// Somebody of that name.
    pub fn somebody(&self, name: &str) -> Person<'_> {
        self.person(name)
    }

    /// The id of somebody, or of the bot.
    pub fn id_of(&self, name: &str) -> String {
        let mut users = self.ready.users.iter();
        let user = users.find(|user| user.name == name);
        user.map_or(&self.ready.bot.id, |user| &user.id).clone()
    }

    /// The id of a role of the first guild.
    pub fn role(&self, name: &str) -> String {
        let guild = self.ready.guilds.first().expect("a guild");
        guild.roles[name].clone()
    }

    /// What the owner of the first guild is told about something in it.
    async fn looked_up(&self, path: &str) -> Option<Value> {
        let owner = self.ready.users.first().expect("an owner");
        let path = format!("guilds/{}/{path}", self.ready.guild_id);
        let owner = self.person(&owner.name);
        let response = owner.asks(Method::GET, &path).send().await;
        let response = response.expect("an answer");
        match response.status().as_u16() {
            404 => None,
            200 => Some(response.json().await.expect("JSON")),
            other => panic!("{other} for {path}"),
        }
    }

    /// Somebody as a member of the first guild, if they are one.
    pub async fn member(&self, name: &str) -> Option<Value> {
        let path = format!("members/{}", self.id_of(name));
        self.looked_up(&path).await
    }

    /// Why somebody is banned from the first guild, if they are.
    pub async fn banned_for(&self, name: &str) -> Option<String> {
        let ban = self
            .looked_up(&format!("bans/{}", self.id_of(name)))
            .await?;
        Some(ban["reason"].as_str().unwrap_or_default().to_owned())
    }

    /// Lets so much time pass, whoever sleeps meanwhile.
    pub async fn lets_pass(&self, time: Duration) {
        let until = self.clock.now().as_millis() + time.as_millis() as i64;
        while self.clock.now().as_millis() < until {
            self.clock.skip_any(1..=60_000).await;
        }
    }

    /// Lets time pass until something is so.
    async fn passes_until(&self, what: &str, is_so: impl AsyncFn() -> bool) {
        soon(what, async {
            while !is_so().await {
                tokio::select! {
                    _ = self.clock.skip_any(1..=60_000) => {}
                    // Real time: the bot works in its own.
                    () = tokio::time::sleep(Duration::from_millis(20)) => {}
                }
            }
        })
        .await;
    }

    /// Lets time pass until somebody's ban is lifted.
    pub async fn sees_ban_lifted(&self, name: &str) {
        let lifted = async || self.banned_for(name).await.is_none();
        self.passes_until("the ban to be lifted", lifted).await;
    }

    /// Discord does not lift the next bans.
    pub fn next_unbans_fail(&self, times: u32) {
        let body = json!({"code": 50013, "message": "Missing Permissions"});
        self.faults()
            .fail_next(Method::DELETE, "/bans/", StatusCode::FORBIDDEN, body, times);
    }

    /// How long people wait between two messages in a channel, in seconds.
    pub async fn slow_mode(&self, channel: &str) -> u64 {
        let owner = self.ready.users.first().expect("an owner");
        let path = format!("channels/{}", self.channel(channel));
        let shown = answered(self.person(&owner.name).asks(Method::GET, &path)).await;
        shown["rate_limit_per_user"].as_u64().unwrap_or(0)
    }
}

impl Person<'_> {
    /// Uses a command that has to be confirmed, confirms it, and gives what they
    /// then read.
    pub async fn uses_and_approves(
        &self,
        screen: &mut Screen,
        channel: &str,
        command: &str,
        options: Value,
    ) -> Value {
        self.uses(channel, command, options).await;
        let asked = screen.sees_answer().await;
        self.presses(&asked, "Approve").await;
        screen.sees_answer().await
    }

    /// Gives somebody a role.
    pub async fn gives_role(&self, name: &str, role: &str) {
        self.changes_role(Method::PUT, name, role).await;
    }

    /// Takes a role away from somebody.
    pub async fn takes_role(&self, name: &str, role: &str) {
        self.changes_role(Method::DELETE, name, role).await;
    }

    async fn changes_role(&self, method: Method, name: &str, role: &str) {
        let (guild, role) = (&self.story.ready.guild_id, self.story.role(role));
        let user = self.story.id_of(name);
        let path = format!("guilds/{guild}/members/{user}/roles/{role}");
        let response = self.asks(method, &path).send().await;
        assert_eq!(
            response.expect("an answer").status(),
            StatusCode::NO_CONTENT
        );
    }

    /// Puts a role above all others.
    pub async fn puts_on_top(&self, role: &str) {
        let (guild, id) = (&self.story.ready.guild_id, self.story.role(role));
        let body = json!([{"id": id, "position": 6}]);
        let path = format!("guilds/{guild}/roles");
        answered(self.asks(Method::PATCH, &path).json(&body)).await;
    }

    /// Times somebody out for an hour with their own hands.
    pub async fn silences(&self, name: &str) {
        let (guild, user) = (&self.story.ready.guild_id, self.story.id_of(name));
        let until = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
        let body = json!({"communication_disabled_until": until.to_string()});
        let path = format!("guilds/{guild}/members/{user}");
        answered(self.asks(Method::PATCH, &path).json(&body)).await;
    }

    /// Bans somebody with their own hands.
    pub async fn bans(&self, name: &str) {
        let (guild, user) = (&self.story.ready.guild_id, self.story.id_of(name));
        let path = format!("guilds/{guild}/bans/{user}");
        self.does(Method::PUT, &path).await;
    }

    /// Lifts a ban with their own hands.
    pub async fn unbans(&self, name: &str) {
        let (guild, user) = (&self.story.ready.guild_id, self.story.id_of(name));
        let path = format!("guilds/{guild}/bans/{user}");
        self.does(Method::DELETE, &path).await;
    }
}

impl Story {
    /// The roles of a member of the first guild, by their ids.
    pub async fn roles_of(&self, name: &str) -> Vec<String> {
        let member = self.member(name).await.expect("a member");
        let roles = member["roles"].as_array().cloned().unwrap_or_default();
        let roles = roles.iter().filter_map(Value::as_str);
        roles.map(str::to_owned).collect()
    }

    /// Lets time pass until somebody has a role.
    pub async fn sees_role(&self, name: &str, role: &str) {
        let has = async || self.roles_of(name).await.iter().any(|held| held == role);
        self.passes_until("somebody to get a role", has).await;
    }

    /// Discord does not give the next roles.
    pub fn next_roles_fail(&self, times: u32) {
        let body = json!({"code": 50013, "message": "Missing Permissions"});
        self.faults()
            .fail_next(Method::PUT, "/roles/", StatusCode::FORBIDDEN, body, times);
    }

    /// Waits until Discord has refused to give a role.
    pub async fn role_was_refused(&self) {
        let asked = "PUT /guilds/{guild}/members/{user}/roles/{role}";
        soon("a role to be refused", async {
            while self.requests(asked) == 0 {
                // Real time: the bot asks in its own.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    }
}
