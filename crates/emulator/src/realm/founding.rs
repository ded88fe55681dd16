//! A realm from a world: the names become ids and tokens.

use std::collections::{BTreeMap, HashMap};

use super::{
    Application, Channel, ChannelKind, Guild, Overwrite, Permissions, Person, Realm, Role, Target,
};
use crate::{
    snowflake::{Founding, Mint, Snowflake},
    world::{ChannelPlan, Plan},
};

impl Realm {
    pub(crate) fn new(plan: &Plan) -> Self {
        let mut founding = Founding::new(plan.guild.name.get_ref());
        let guild_id = founding.id("guild", plan.guild.name.get_ref());
        let roles = roles(plan, guild_id, &mut founding);
        let role_ids: HashMap<&str, Snowflake> = roles
            .iter()
            .map(|role| (role.name.as_str(), role.id))
            .collect();
        let held = |names: &[toml::Spanned<String>]| -> Vec<Snowflake> {
            names
                .iter()
                .filter_map(|name| role_ids.get(name.get_ref().as_str()).copied())
                .collect()
        };

        let bot = &plan.bot;
        let mut people = vec![Person {
            id: founding.id("bot", bot.name.get_ref()),
            name: bot.name.get_ref().clone(),
            nickname: bot.nickname.as_ref().map(|name| name.get_ref().clone()),
            roles: held(&bot.roles),
            bot: true,
            token: founding.token(bot.name.get_ref()),
        }];
        for user in &plan.users {
            people.push(Person {
                id: founding.id("user", user.name.get_ref()),
                name: user.name.get_ref().clone(),
                nickname: user.nickname.as_ref().map(|name| name.get_ref().clone()),
                roles: held(&user.roles),
                bot: false,
                token: founding.token(user.name.get_ref()),
            });
        }
        let people_ids: HashMap<&str, Snowflake> = people
            .iter()
            .map(|person| (person.name.as_str(), person.id))
            .collect();

        let mut channels = BTreeMap::new();
        for (position, channel) in plan.channels.iter().enumerate() {
            let id = founding.id("channel", channel.name.get_ref());
            let kind = ChannelKind::Text {
                name: channel.name.get_ref().clone(),
                topic: channel.topic.as_ref().map(|topic| topic.get_ref().clone()),
                position,
                overwrites: overwrites(channel, guild_id, &role_ids, &people_ids),
            };
            channels.insert(id, Channel::new(id, kind));
        }

        let first_human = people
            .iter()
            .find(|person| !person.bot)
            .map(|person| person.id);
        let owner = plan
            .guild
            .owner
            .as_ref()
            .and_then(|name| people_ids.get(name.get_ref().as_str()).copied())
            .or(first_human)
            .unwrap_or(guild_id);
        let application = Application {
            id: founding.id("application", bot.name.get_ref()),
            granted: bot.intents.clone(),
        };
        Self {
            guild: Guild {
                id: guild_id,
                name: plan.guild.name.get_ref().clone(),
                owner,
                roles,
            },
            application,
            people,
            channels,
            mint: Mint::default(),
        }
    }
}

fn roles(plan: &Plan, guild: Snowflake, founding: &mut Founding<'_>) -> Vec<Role> {
    let mut roles = vec![Role {
        id: guild,
        name: "@everyone".into(),
        permissions: Permissions::EVERYONE,
        color: 0,
        hoist: false,
        mentionable: false,
        position: 0,
    }];
    for role in &plan.roles {
        let permissions = role.permissions.iter().copied().collect();
        if role.name.get_ref() == "@everyone" {
            roles[0].permissions = permissions;
            continue;
        }
        roles.push(Role {
            id: founding.id("role", role.name.get_ref()),
            name: role.name.get_ref().clone(),
            permissions,
            color: role.color.as_ref().map_or(0, |color| *color.get_ref()),
            hoist: role.hoist,
            mentionable: role.mentionable,
            position: roles.len(),
        });
    }
    roles
}

fn overwrites(
    channel: &ChannelPlan,
    guild: Snowflake,
    roles: &HashMap<&str, Snowflake>,
    people: &HashMap<&str, Snowflake>,
) -> Vec<Overwrite> {
    let target = |role: Option<&str>, member: Option<&str>| match (role, member) {
        (Some("@everyone"), _) => Some(Target::Role(guild)),
        (Some(role), _) => roles.get(role).copied().map(Target::Role),
        (None, Some(member)) => people.get(member).copied().map(Target::Member),
        (None, None) => None,
    };
    channel
        .overwrites
        .iter()
        .filter_map(|plan| {
            let plan = plan.get_ref();
            let role = plan.role.as_ref().map(|name| name.get_ref().as_str());
            let member = plan.member.as_ref().map(|name| name.get_ref().as_str());
            Some(Overwrite {
                target: target(role, member)?,
                allow: plan.allow.iter().copied().collect(),
                deny: plan.deny.iter().copied().collect(),
            })
        })
        .collect()
}
