//! A reminder around which the bot dies: whoever reads that it is set is
//! reminded once, and nobody twice.

use std::time::Duration;

use serde_json::json;

use super::lane::Lane;
use super::plan::RunPlan;
use crate::story::Screen;

/// After this a reminder that was set is due.
pub(super) const DUE: Duration = Duration::from_millis(1_100);

/// How long the parts of a reminder are waited for.
const PATIENCE: Duration = Duration::from_secs(4);

/// How long a reminder that is set may take: other answers come first, and
/// Discord may be out of reach for a while.
const OWED: Duration = Duration::from_secs(30);

/// A second one would come at once.
const AFTERWARDS: Duration = Duration::from_millis(200);

const LOOK_EVERY: Duration = Duration::from_millis(15);

impl Lane {
    /// Ada wants to be reminded in a second. Whether she read that she will be.
    pub(super) async fn set_reminder(&self, plan: &RunPlan) -> bool {
        let asking = async {
            let Some(command) = self.command("remind").await else {
                return;
            };
            let (url, token) = self.gateway();
            let mut screen = Screen::open(url, token).await;
            let options = json!([
                {"type": 3, "name": "when", "value": "in 1 second"},
                {"type": 3, "name": "text", "value": words(plan)},
            ]);
            let data = json!({
                "id": command["id"], "version": command["version"],
                "name": "remind", "type": 1, "options": options,
            });
            self.interact(2, None, data).await;
            let set = |it: &serde_json::Value| {
                let text = it["content"].as_str().unwrap_or_default();
                text.starts_with("I will remind you")
            };
            screen.sees("MESSAGE_UPDATE", set).await;
        };
        tokio::time::timeout(PATIENCE, asking).await.is_ok()
    }

    /// Whether Ada was reminded as she read, once that is so or cannot become
    /// so any more.
    pub(super) async fn reminder_agrees(&self, plan: &RunPlan, set: bool) -> bool {
        let told = async {
            while self.reminded(plan).await == 0 {
                tokio::time::sleep(LOOK_EVERY).await;
            }
            tokio::time::sleep(AFTERWARDS).await;
        };
        let patience = if set { OWED } else { PATIENCE };
        let _ = tokio::time::timeout(patience, told).await;
        match self.reminded(plan).await {
            0 => !set,
            1 => true,
            _ => false,
        }
    }

    async fn reminded(&self, plan: &RunPlan) -> usize {
        let words = words(plan);
        let messages = self.messages().await;
        let texts = messages.iter().filter_map(|it| it["content"].as_str());
        texts
            .filter(|text| text.starts_with('⏰') && text.contains(&words))
            .count()
    }
}

/// What Ada is reminded of.
fn words(plan: &RunPlan) -> String {
    format!("the tea of run {}.", plan.run)
}
