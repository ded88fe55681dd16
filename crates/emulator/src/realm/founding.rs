//! A realm from a world: the names become ids and tokens.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toml::Spanned;

use super::{
    AppCommands, Application, ApplicationProfile, AuditLog, Channel, ChannelKind, Community,
    CustomEmoji, EphemeralMessages, Guild, GuildChannel, GuildSettings, Interactions, Member,
    Overwrite, PermissionSet, Realm, Role, Sticker, Target, UserAccount,
};
use crate::{
    snowflake::{Founding, Mint, Snowflake},
    world::{BotPlace, ChannelPlan, PrivilegedIntent, RolePlan, WholeGuild, WorldPlan},
};

impl Realm {
    pub(crate) fn new(plan: &WorldPlan) -> Self {
        let world = plan.first_guild().name.get_ref();
        let mut founding = Founding::new(world);
        let mut guilds = Vec::new();
        let mut channels = BTreeMap::new();
        let mut people = Vec::new();
        let mut applications = Vec::new();
        for bot in plan.all_bots() {
            let name = bot.name.get_ref();
            let id = founding.id("bot", name);
            let (account, application) = registered(&founding, id, name, bot.intents.clone());
            people.push(account);
            applications.push(application);
        }
        for whole in plan.all_guilds() {
            for member in whole.members {
                let name = member.name.get_ref();
                if people.iter().all(|known| known.name != *name) {
                    let id = founding.id("user", name);
                    people.push(UserAccount {
                        id,
                        name: name.clone(),
                        bot: false,
                        token: founding.token(id, name),
                        avatar: None,
                        banner: None,
                    });
                }
            }
            let (guild, theirs) = found(&whole, &people);
            guilds.push(guild);
            channels.extend(theirs.into_iter().map(|channel| (channel.id, channel)));
        }
        let mut realm = Self {
            guilds,
            applications,
            people,
            channels,
            commands: AppCommands::default(),
            interactions: Interactions::default(),
            ephemeral: EphemeralMessages::default(),
            webhooks: Vec::new(),
            mint: Mint::default(),
        };
        realm.remember(plan);
        realm
    }

    /// One more application with its bot, which is in no guild yet. Its id and
    /// token follow from the name, as in a world file.
    pub(crate) fn register(&mut self, name: &str, granted: Vec<PrivilegedIntent>) -> Snowflake {
        let mut founding = Founding::new("made while the emulator runs");
        let mut id = founding.id("bot", name);
        while self.person(id).is_some() {
            id = founding.id("bot", name);
        }
        let (account, application) = registered(&founding, id, name, granted);
        self.people.insert(self.applications.len(), account);
        self.applications.push(application);
        id
    }
}

/// An application and the account of its bot.
fn registered(
    founding: &Founding<'_>,
    id: Snowflake,
    name: &str,
    granted: Vec<PrivilegedIntent>,
) -> (UserAccount, Application) {
    let account = UserAccount {
        id,
        name: name.to_owned(),
        bot: true,
        token: founding.token(id, name),
        avatar: None,
        banner: None,
    };
    let application = Application {
        // As with every application that is not ten years old.
        id,
        bot: id,
        granted,
        emojis: Vec::new(),
        profile: ApplicationProfile::default(),
    };
    (account, application)
}

/// A guild with its channels. `people` has at least its members and its bots.
fn found(plan: &WholeGuild<'_>, people: &[UserAccount]) -> (Guild, Vec<Channel>) {
    let mut founding = Founding::new(plan.name.get_ref());
    let id = founding.id("guild", plan.name.get_ref());
    let mut roles = roles(plan.roles, id, &mut founding);
    for place in &plan.bots {
        let bot = people.iter().find(|it| it.name == *place.name.get_ref());
        if let Some(bot) = bot {
            managed(&mut roles, bot, place, &mut founding);
        }
    }
    let role_ids: HashMap<&str, Snowflake> = roles
        .iter()
        .map(|role| (role.name.as_str(), role.id))
        .collect();
    let people_ids: HashMap<&str, Snowflake> = people
        .iter()
        .map(|person| (person.name.as_str(), person.id))
        .collect();
    let member =
        |person: Snowflake, nickname: Option<&Spanned<String>>, held: &[Spanned<String>]| Member {
            nickname: nickname.map(|name| name.get_ref().clone()),
            roles: held
                .iter()
                .filter_map(|name| role_ids.get(name.get_ref().as_str()).copied())
                .collect(),
            ..Member::new(person, person.timestamp())
        };
    let bots = plan.bots.iter().filter_map(|place| {
        let bot = *people_ids.get(place.name.get_ref().as_str())?;
        let mut member = member(bot, place.nickname, place.roles);
        let own = roles.iter().filter(|role| role.bot == Some(bot));
        let own: Vec<Snowflake> = own.map(|role| role.id).collect();
        member.roles.retain(|role| !own.contains(role));
        member.roles.extend(own);
        Some(member)
    });
    let humans = plan.members.iter().filter_map(|human| {
        let person = *people_ids.get(human.name.get_ref().as_str())?;
        Some(member(person, human.nickname.as_ref(), &human.roles))
    });
    let first_human = plan.members.first();
    let first_human =
        first_human.and_then(|human| people_ids.get(human.name.get_ref().as_str()).copied());
    let members: Vec<Member> = bots.chain(humans).collect();
    let owner = plan
        .owner
        .and_then(|name| people_ids.get(name.get_ref().as_str()).copied())
        .or(first_human)
        .unwrap_or(id);
    let channels = plan.channels.iter().enumerate().map(|(position, channel)| {
        let kind = GuildChannel {
            topic: channel.topic.as_ref().map(|topic| topic.get_ref().clone()),
            position,
            overwrites: overwrites(channel, id, &role_ids, &people_ids),
            ..GuildChannel::new(id, channel.kind, channel.name.get_ref().clone())
        };
        let id = founding.id("channel", channel.name.get_ref());
        Channel::new(id, ChannelKind::Guild(kind))
    });
    let channels = channels.collect();
    let emojis = plan.emojis.iter().map(|emoji| CustomEmoji {
        id: founding.id("emoji", emoji.name.get_ref()),
        name: emoji.name.get_ref().clone(),
        roles: Vec::new(),
        creator: None,
        animated: false,
    });
    let emojis = emojis.collect();
    let stickers = plan.stickers.iter().map(|sticker| Sticker {
        id: founding.id("sticker", sticker.name.get_ref()),
        name: sticker.name.get_ref().clone(),
        description: sticker
            .description
            .as_ref()
            .map(|text| text.get_ref().clone()),
        tags: "tea".into(),
        format: 1,
        creator: None,
    });
    let stickers = stickers.collect();
    let guild = Guild {
        id,
        name: plan.name.get_ref().clone(),
        owner,
        roles,
        members,
        emojis,
        stickers,
        settings: GuildSettings::default(),
        bans: Vec::new(),
        former: BTreeSet::new(),
        invites: Vec::new(),
        audit: AuditLog::default(),
        community: Community::default(),
    };
    (guild, channels)
}

fn roles(plans: &[RolePlan], guild: Snowflake, founding: &mut Founding<'_>) -> Vec<Role> {
    let mut roles = vec![Role {
        id: guild,
        name: "@everyone".into(),
        permissions: PermissionSet::EVERYONE,
        color: 0,
        hoist: false,
        mentionable: false,
        position: 0,
        bot: None,
    }];
    for role in plans {
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
            bot: None,
        });
    }
    roles
}

/// The role that Discord makes for a bot when it is invited: it has the bot's
/// name, and nobody else can hold it. A role of the world with that name is it.
fn managed(
    roles: &mut Vec<Role>,
    bot: &UserAccount,
    place: &BotPlace<'_>,
    founding: &mut Founding<'_>,
) {
    if let Some(role) = roles.iter_mut().find(|role| role.name == bot.name) {
        role.bot = Some(bot.id);
        return;
    }
    roles.push(Role {
        id: founding.id("role", &bot.name),
        name: bot.name.clone(),
        permissions: PermissionSet::default(),
        color: 0,
        hoist: false,
        mentionable: place.mentionable,
        position: roles.len(),
        bot: Some(bot.id),
    });
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
