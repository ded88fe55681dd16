//! Who may do what to whom: what we say, against what the emulator lets the same
//! person do with their own hands. It computes rights, order of roles and
//! timeouts by itself.

use std::fmt::Write as _;

use axum::http::Method;
use kaiwa_domain::port::{Dice, Permissions};
use kaiwa_domain::{ChannelId, GuildId, Rights, Scope, SeededDice, Standing, UserId};
use kaiwa_emulator::World;
use serde_json::{Value, json};

use super::whole::Realm;

const PEOPLE: [&str; 6] = ["Ann", "Bob", "Cai", "Dee", "Eve", "Fay"];
const CHANNELS: [&str; 2] = ["hall", "yard"];

/// What decides here, by the names of the world file.
const NAMED: [(&str, Rights); 7] = [
    ("kick_members", Rights::KICK_MEMBERS),
    ("ban_members", Rights::BAN_MEMBERS),
    ("moderate_members", Rights::MODERATE_MEMBERS),
    ("manage_channels", Rights::MANAGE_CHANNELS),
    ("manage_messages", Rights::MANAGE_MESSAGES),
    ("view_channel", Rights::VIEW_CHANNEL),
    ("administrator", Rights::ADMINISTRATOR),
];

/// The role of the bot, which writes what is deleted.
const MACHINE: &str = "[[roles]]\nname = \"Machine\"\npermissions = [\"administrator\"]\n";

/// A guild with roles, overwrites, an owner and a bot among them, at random.
fn world(dice: &mut SeededDice) -> String {
    let some = |dice: &mut SeededDice, one_in: u32, of: usize| {
        let names = NAMED[..of].iter();
        let chosen = names.filter(|_| dice.roll(one_in) == 0);
        let chosen: Vec<String> = chosen.map(|(name, _)| format!("{name:?}")).collect();
        chosen.join(", ")
    };
    let owner = PEOPLE[dice.roll(6) as usize];
    let mut text = format!(
        "limits = \"off\"\n[guild]\nname = \"Chance\"\nowner = \"{owner}\"\n[bot]\nname = \"Bo\"\nroles = [\"Machine\"]\n"
    );
    if dice.roll(2) == 0 {
        let everyone = some(dice, 6, 6);
        let _ = writeln!(
            text,
            "[[roles]]\nname = \"@everyone\"\npermissions = [{everyone}{}\"view_channel\"]",
            if everyone.is_empty() { "" } else { ", " }
        );
    }
    let machine = dice.roll(4);
    for role in 0..3 {
        if role == machine {
            text += MACHINE;
        }
        let of = if dice.roll(4) == 0 { 7 } else { 6 };
        let held = some(dice, 2, of);
        let _ = writeln!(
            text,
            "[[roles]]\nname = \"R{role}\"\npermissions = [{held}]"
        );
    }
    if machine == 3 {
        text += MACHINE;
    }
    for name in PEOPLE {
        let roles: Vec<String> = (0..3)
            .filter(|_| dice.roll(3) == 0)
            .map(|role| format!("\"R{role}\""))
            .collect();
        let _ = writeln!(
            text,
            "[[users]]\nname = \"{name}\"\nroles = [{}]",
            roles.join(", ")
        );
    }
    for channel in CHANNELS {
        let _ = writeln!(text, "[[channels]]\nname = \"{channel}\"");
        let mut whom: Vec<String> = (0..3).map(|role| format!("role = \"R{role}\"")).collect();
        whom.push("role = \"@everyone\"".to_owned());
        whom.extend(PEOPLE.map(|name| format!("member = \"{name}\"")));
        whom.retain(|_| dice.roll(4) == 0);
        for whom in whom {
            let allow = some(dice, 4, 6);
            let deny = some(dice, 4, 6);
            let _ = writeln!(
                text,
                "[[channels.overwrites]]\n{whom}\nallow = [{allow}]\ndeny = [{deny}]"
            );
        }
    }
    text
}

#[derive(Clone, Copy, Debug)]
enum Deed {
    Kick,
    Ban,
    Unban,
    TimeOut,
    SlowMode,
    Delete,
}

const DEEDS: [Deed; 8] = [
    Deed::TimeOut,
    Deed::TimeOut,
    Deed::TimeOut,
    Deed::SlowMode,
    Deed::Delete,
    Deed::Kick,
    Deed::Ban,
    Deed::Unban,
];

impl Deed {
    fn needs(self) -> Rights {
        match self {
            Self::Kick => Rights::KICK_MEMBERS,
            Self::Ban | Self::Unban => Rights::BAN_MEMBERS,
            Self::TimeOut => Rights::MODERATE_MEMBERS,
            Self::SlowMode => Rights::MANAGE_CHANNELS,
            Self::Delete => Rights::MANAGE_MESSAGES,
        }
    }

    /// Whether it is done to somebody.
    fn has_target(self) -> bool {
        matches!(self, Self::Kick | Self::Ban | Self::TimeOut)
    }
}

struct Table {
    realm: Realm,
    guild: GuildId,
    http: reqwest::Client,
}

impl Table {
    fn user(&self, name: &str) -> UserId {
        let mut users = self.realm.ready.users.iter();
        let known = users.find(|user| user.name == name);
        let id = known.map_or(&self.realm.ready.bot.id, |user| &user.id);
        id.parse().unwrap()
    }

    /// What we would say.
    async fn allows(&self, deed: Deed, actor: &str, target: &str, channel: ChannelId) -> bool {
        let scope = Scope::Guild(self.guild);
        let (actor, target) = (self.user(actor), self.user(target));
        let rest = &self.realm.rest;
        let held = rest.of(scope, channel, actor).await.unwrap();
        if !held.contains(deed.needs()) {
            return false;
        }
        if !deed.has_target() {
            return true;
        }
        let standing = rest.standing(self.guild, actor, target).await.unwrap();
        let above = match deed {
            Deed::Ban => matches!(standing, Standing::Above | Standing::Absent),
            _ => standing == Standing::Above,
        };
        let theirs = rest.of(scope, channel, target).await.unwrap();
        let exempt = matches!(deed, Deed::TimeOut) && theirs.contains(Rights::ADMINISTRATOR);
        above && !exempt
    }

    /// Somebody does it with their own hands. Gives the status and the code.
    async fn tries(
        &self,
        deed: Deed,
        actor: &str,
        target: &str,
        channel: ChannelId,
    ) -> (u16, Value) {
        let guild = self.guild;
        let target = self.user(target);
        let (method, path, body) = match deed {
            Deed::Kick => (
                Method::DELETE,
                format!("guilds/{guild}/members/{target}"),
                None,
            ),
            Deed::Ban => (
                Method::PUT,
                format!("guilds/{guild}/bans/{target}"),
                Some(json!({})),
            ),
            Deed::Unban => (
                Method::DELETE,
                format!("guilds/{guild}/bans/{target}"),
                None,
            ),
            Deed::TimeOut => {
                let until = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
                let body = json!({"communication_disabled_until": until.to_string()});
                (
                    Method::PATCH,
                    format!("guilds/{guild}/members/{target}"),
                    Some(body),
                )
            }
            Deed::SlowMode => {
                let body = json!({"rate_limit_per_user": 5});
                (Method::PATCH, format!("channels/{channel}"), Some(body))
            }
            Deed::Delete => {
                let message = self.realm.posted(channel);
                let path = format!("channels/{channel}/messages/{message}");
                (Method::DELETE, path, None)
            }
        };
        let users = &self.realm.ready.users;
        let token = &users.iter().find(|user| user.name == actor).unwrap().token;
        let url = format!("{}/{path}", self.realm.ready.api_url);
        let mut request = self
            .http
            .request(method, url)
            .header("authorization", token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let body: Value = response.json().await.unwrap_or_default();
        (status, body["code"].clone())
    }
}

#[tokio::test]
async fn nobody_is_let_do_what_discord_would_refuse() {
    let (mut allowed, mut refused) = (0, 0);
    for seed in 0..6 {
        let mut dice = SeededDice::new(seed);
        let text = world(&mut dice);
        let realm = Realm::of(World::from_toml(&text).unwrap()).await;
        let guild = realm.ready.guild_id.parse().unwrap();
        let table = Table {
            realm,
            guild,
            http: reqwest::Client::new(),
        };
        for step in 0..20 {
            let actor = PEOPLE[dice.roll(6) as usize];
            let target = *[PEOPLE, ["Bo"; 6]].as_flattened()[..7]
                .get(dice.roll(7) as usize)
                .unwrap();
            let channel = CHANNELS[dice.roll(2) as usize];
            let channel = table.realm.ready.channels[channel].parse().unwrap();
            // Those that change the guild for good come later.
            let deed = DEEDS[dice.roll(if step < 13 { 5 } else { 8 }) as usize];
            let ours = table.allows(deed, actor, target, channel).await;
            let seen = table.sees(actor, channel).await;
            let (status, code) = table.tries(deed, actor, target, channel).await;
            let told = format!("{deed:?} {actor} {target} in {channel}: {status} {code}\n{text}");
            let theirs = match status {
                200..300 => true,
                // Nobody to do it to; whether they might was decided before.
                404 if code == 10007 || code == 10026 => ours,
                _ => false,
            };
            assert!(!ours || theirs, "we would have done it: {told}");
            // What a channel hides is not done from there, whoever asks.
            assert!(
                ours || !theirs || !seen,
                "we would not have done it: {told}"
            );
            if ours {
                allowed += 1;
            } else {
                refused += 1;
            }
            if theirs && target == "Bo" && matches!(deed, Deed::Kick | Deed::Ban) {
                // Nobody is left to ask.
                break;
            }
        }
    }
    assert!(allowed > 25 && refused > 25, "{allowed} {refused}");
}

impl Table {
    async fn sees(&self, who: &str, channel: ChannelId) -> bool {
        let scope = Scope::Guild(self.guild);
        let held = self.realm.rest.of(scope, channel, self.user(who)).await;
        held.unwrap().contains(Rights::VIEW_CHANNEL)
    }
}
