//! One channel, and who is typing in it.

use serde_json::json;

use super::{Answer, Call, Reply, create::may_send};
use crate::{
    snowflake::{Snowflake, now},
    wire::{Channel, Member},
};

pub(super) fn channel(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let (channel, _) = call.channel(id)?;
    Reply::json(Channel::new(&call.state.realm, channel, Some(call.me)))
}

pub(super) fn typing(call: &mut Call<'_>, id: Snowflake) -> Answer {
    let (channel, held) = call.channel(id)?;
    may_send(call, channel, held)?;
    let me = call.me;
    call.state
        .dispatch(id, "TYPING_START", |realm, channel, _| {
            let mut payload = json!({
                "channel_id": channel.id,
                "user_id": me,
                "timestamp": now().as_second(),
            });
            if let Some(guild) = realm.guild_around(channel) {
                payload["guild_id"] = json!(guild.id);
                payload["member"] = json!(Member::full(realm, guild, me));
            }
            payload
        });
    Ok(Reply::NoContent)
}
