//! A ban around which the bot dies: asked for by command, confirmed or
//! cancelled by click.
//!
//! What people read and what Discord did must agree: whoever reads that
//! somebody is banned finds them banned, nobody is banned in silence, and nobody
//! after a cancel.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::lane::Lane;
use super::plan::RunPlan;

/// How long the parts of a ban are waited for.
const PATIENCE: Duration = Duration::from_secs(4);

const LOOK_EVERY: Duration = Duration::from_millis(15);

/// What people read once it is done.
const DONE: &str = "is banned until";

impl Lane {
    /// Asks for a ban and confirms or cancels it, whenever the bot lives. Says
    /// whether it was cancelled.
    pub(super) async fn ban_guest(&self, plan: &RunPlan) -> bool {
        let cancels = plan.cancels;
        let label = if cancels { "Cancel" } else { "Approve" };
        // A ban of an earlier run may have come late.
        self.forgive_guest(plan).await;
        let asking = async {
            let Some(command) = self.command("tempban").await else {
                return false;
            };
            let options = json!([
                {"type": 6, "name": "user", "value": self.guest(plan)},
                {"type": 3, "name": "duration", "value": "1d"},
            ]);
            let data = json!({
                "id": command["id"], "version": command["version"],
                "name": "tempban", "type": 1, "options": options,
            });
            self.interact(2, None, data).await;
            loop {
                if let Some((message, button)) = self.offer(plan, label).await {
                    let data = json!({"component_type": 2, "custom_id": button});
                    self.interact(3, Some(&message), data).await;
                    return cancels;
                }
                tokio::time::sleep(LOOK_EVERY).await;
            }
        };
        let asked = tokio::time::timeout(PATIENCE, asking).await;
        asked.unwrap_or(false)
    }

    /// In what the ban that people read of and the one that Discord made differ,
    /// once they agree or cannot agree any more.
    pub(super) async fn ban_differs(&self, plan: &RunPlan, cancelled: bool) -> Option<String> {
        let agreeing = async {
            while self.guest_is_banned(plan).await != self.ban_is_told(plan).await {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        };
        let agrees = tokio::time::timeout(PATIENCE, agreeing).await.is_ok();
        let banned = self.guest_is_banned(plan).await;
        let told = self.ban_is_told(plan).await;
        (!agrees || (cancelled && banned))
            .then(|| format!("cancelled {cancelled}, banned {banned}, told {told}"))
    }

    /// Lets the guest back and wipes what was said of it.
    pub(super) async fn forgive_guest(&self, plan: &RunPlan) {
        let path = format!("guilds/{}/bans/{}", self.guild(), self.guest(plan));
        let _ = self.request(Method::DELETE, &path, None).await;
        for message in self.messages().await {
            if is_about_ban(&message) {
                let id = message["id"].as_str().unwrap_or_default();
                let path = format!("channels/{}/messages/{id}", self.channel());
                let _ = self.request(Method::DELETE, &path, None).await;
            }
        }
    }

    async fn guest_is_banned(&self, plan: &RunPlan) -> bool {
        let path = format!("guilds/{}/bans/{}", self.guild(), self.guest(plan));
        self.request(Method::GET, &path, None).await.0 == 200
    }

    async fn ban_is_told(&self, plan: &RunPlan) -> bool {
        let messages = self.messages().await;
        let mut texts = messages.iter().map(|it| it["content"].as_str());
        let guest = self.guest(plan);
        texts.any(|text| text.is_some_and(|text| text.contains(DONE) && text.contains(guest)))
    }

    /// The message that asks for a click, and the button.
    async fn offer(&self, plan: &RunPlan, label: &str) -> Option<(String, String)> {
        let messages = self.messages().await;
        let guest = self.guest(plan);
        messages.iter().find_map(|message| {
            let text = message["content"].as_str()?;
            if !text.contains(guest) {
                return None;
            }
            let buttons = message["components"][0]["components"].as_array()?;
            let button = buttons.iter().find(|it| it["label"] == label)?;
            let id = message["id"].as_str()?.to_owned();
            Some((id, button["custom_id"].as_str()?.to_owned()))
        })
    }

    pub(super) async fn command(&self, name: &str) -> Option<Value> {
        let path = format!("channels/{}/application-command-index", self.channel());
        loop {
            let (_, index) = self.request(Method::GET, &path, None).await;
            let all = index["application_commands"].as_array().cloned();
            let mut all = all.unwrap_or_default().into_iter();
            if let Some(found) = all.find(|it| it["name"] == name) {
                return Some(found);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    pub(super) async fn interact(&self, kind: u8, message: Option<&str>, data: Value) {
        let mut body = json!({
            "type": kind,
            "application_id": self.application(),
            "channel_id": self.channel(),
            "session_id": "crash",
            "data": data,
        });
        if let Some(message) = message {
            body["message_id"] = json!(message);
        }
        let _ = self.request(Method::POST, "interactions", Some(body)).await;
    }

    pub(super) async fn messages(&self) -> Vec<Value> {
        let path = format!("channels/{}/messages?limit=30", self.channel());
        let (_, found) = self.request(Method::GET, &path, None).await;
        found.as_array().cloned().unwrap_or_default()
    }
}

/// Whether a message asks for the ban or tells of it.
fn is_about_ban(message: &Value) -> bool {
    let text = message["content"].as_str().unwrap_or_default();
    text.contains(DONE) || message["interaction_metadata"].is_object()
}
