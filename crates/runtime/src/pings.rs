//! Whom a message may ping: nobody whom the asker could not, and never
//! everybody.

use kaiwa_domain::{Effect, Pings, Rights, RoleId, Scope, UserId};

use crate::Bot;

/// The most roles that one message pings.
const MOST_ROLES: usize = 10;

/// Whom an effect of a turn of `asker`'s may ping, as things stand now. Nothing
/// is asked of Discord unless the text would ping somebody.
pub(crate) async fn pings(bot: &Bot, effect: &Effect, asker: UserId) -> Pings {
    let mut pings = Pings::default();
    let text = effect.body.written();
    let roles = roles_in(text);
    let Scope::Guild(guild) = effect.scope else {
        return pings;
    };
    if roles.is_empty() {
        return pings;
    }
    let held = bot.permissions.of(effect.scope, effect.channel, asker);
    let may = match held.await {
        Ok(held) => held.contains(Rights::MENTION_EVERYONE),
        Err(error) => {
            tracing::info!(turn = %effect.turn, %error, "nobody can tell whom the asker may ping");
            return pings;
        }
    };
    pings.roles = match may {
        true => roles,
        false => {
            let open = bot.permissions.mentionable(guild, &roles).await;
            open.unwrap_or_default()
        }
    };
    pings
}

/// The roles that a text mentions, each once.
fn roles_in(text: &str) -> Vec<RoleId> {
    let mut roles = Vec::new();
    for tag in text.split("<@&").skip(1) {
        let id = tag.split_once('>').and_then(|(id, _)| id.parse().ok());
        if let Some(role) = id
            && !roles.contains(&role)
            && roles.len() < MOST_ROLES
        {
            roles.push(role);
        }
    }
    roles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_found_by_their_tags() {
        for (text, expected) in [
            ("<@&7> and <@&8>, <@&7>", &[7, 8][..]),
            ("<@7> <@&x> <@& 7> <@&7 @everyone", &[]),
        ] {
            let expected: Vec<RoleId> = expected.iter().copied().map(RoleId::new).collect();
            assert_eq!(roles_in(text), expected, "{text}");
        }
        let many: String = (1..30).map(|id| format!("<@&{id}>")).collect();
        assert_eq!(roles_in(&many).len(), MOST_ROLES);
    }
}
