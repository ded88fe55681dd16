//! Webhooks: doors of a channel that a token opens.

use super::Realm;
use crate::snowflake::Snowflake;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Webhook {
    pub(crate) id: Snowflake,
    pub(crate) guild: Snowflake,
    pub(crate) channel: Snowflake,
    pub(crate) name: String,
    /// The hash of a picture.
    pub(crate) avatar: Option<String>,
    pub(crate) token: String,
    /// Who made it.
    pub(crate) creator: Snowflake,
    /// Whose it is, when a bot made it.
    pub(crate) application: Option<Snowflake>,
    /// The announcement channel that it follows. Nobody sends by it.
    #[serde(default)]
    pub(crate) follows: Option<Snowflake>,
}

impl Realm {
    /// A webhook whose channel is still there.
    pub(crate) fn webhook(&self, id: Snowflake) -> Option<&Webhook> {
        self.webhooks
            .iter()
            .find(|webhook| webhook.id == id && self.channels.contains_key(&webhook.channel))
    }
}
