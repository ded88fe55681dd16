//! Coming to a guild and leaving it.

use axum::http::Method;
use serde_json::json;

use super::person::{Person, answered};

impl Person<'_> {
    /// Makes an invite to a channel, and gives its code.
    pub async fn invites_to(&self, channel: &str) -> String {
        let path = format!("channels/{}/invites", self.story.channel(channel));
        let invite = answered(self.request(&path).json(&json!({}))).await;
        invite["code"].as_str().expect("a code").to_owned()
    }

    /// Joins a guild by an invite.
    pub async fn joins_by(&self, code: &str) {
        answered(self.request(&format!("invites/{code}")).json(&json!({}))).await;
    }

    /// Leaves the first guild.
    pub async fn leaves(&self) {
        let path = format!("users/@me/guilds/{}", self.story.ready.guild_id);
        self.does(Method::DELETE, &path).await;
    }
}
