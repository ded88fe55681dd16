//! What a world says was said before.

use super::{ChannelKind, Message, MessageKind, Realm};
use crate::{
    limits::{EPOCH_MS, HISTORY_BEGIN_S},
    snowflake::Snowflake,
    world::{WholeGuild, WorldPlan},
};

impl Realm {
    /// Posts the messages of a world. Their ids follow from their times and
    /// their places in the file.
    pub(super) fn remember(&mut self, plan: &WorldPlan) {
        let mut at_ms = HISTORY_BEGIN_S * 1000;
        let mut number = 0;
        for guild in plan.all_guilds() {
            for (message, sent_at) in self.told(&guild, &mut at_ms, &mut number) {
                let id = message.id.0;
                if let Some(channel) = self.channels.get_mut(&sent_at) {
                    let place = channel.place(message.id).unwrap_or_else(|place| place);
                    channel.messages.insert(place, message);
                    channel.last_message = channel.messages.back().map(|last| last.id);
                }
                self.mint.after(id);
            }
        }
    }

    fn told(
        &self,
        plan: &WholeGuild<'_>,
        at_ms: &mut i64,
        number: &mut u64,
    ) -> Vec<(Message, Snowflake)> {
        let guild = self
            .guilds
            .iter()
            .find(|it| it.name == *plan.name.get_ref());
        let Some(guild) = guild else {
            return Vec::new();
        };
        let channel = |name: &str| {
            let mut channels = self.channels.values();
            let found = channels.find(|channel| {
                let named = matches!(&channel.kind, ChannelKind::Guild { name: theirs, .. } if theirs == name);
                named && channel.guild() == Some(guild.id)
            });
            found.map(|channel| channel.id)
        };
        let author = |name: &str| self.people.iter().find(|it| it.name == name);
        let mut told = Vec::new();
        for message in plan.messages {
            *at_ms = match message.sent_at() {
                Some(Ok(at)) => at.as_millisecond(),
                _ => *at_ms + 60_000,
            };
            *number += 1;
            let since_epoch = u64::try_from(*at_ms - EPOCH_MS).unwrap_or(0);
            let id = Snowflake(since_epoch << 22 | *number);
            let channel = channel(message.channel.get_ref());
            let author = author(message.author.get_ref());
            if let (Some(channel), Some(author)) = (channel, author) {
                let content = message.content.get_ref().clone();
                let kind = MessageKind::Default;
                told.push((Message::plain(id, author.id, kind, content), channel));
            }
        }
        told
    }
}
