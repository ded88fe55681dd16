//! Who listens, and to what.

use super::Intents;
use crate::{snowflake::Snowflake, wire::Viewer};

/// What a client asked for when it identified.
#[derive(Clone, Debug)]
pub(crate) struct Subscription {
    pub(crate) person: Snowflake,
    /// Humans have none and receive all they may see.
    pub(crate) intents: Option<Intents>,
    pub(crate) shard: (u64, u64),
}

impl Subscription {
    pub(crate) fn has(&self, wanted: Intents) -> bool {
        self.intents.is_none_or(|intents| intents.has(wanted))
    }

    /// Guilds are spread over shards; direct messages go to the first.
    pub(crate) fn serves(&self, guild: Option<Snowflake>) -> bool {
        let (shard, shards) = self.shard;
        guild.map_or(shard == 0, |id| (id.0 >> 22) % shards == shard)
    }

    pub(crate) fn viewer(&self) -> Viewer {
        Viewer {
            person: Some(self.person),
            reads_content: self.has(Intents::MESSAGE_CONTENT),
        }
    }
}
