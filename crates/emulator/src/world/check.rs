//! Refuses worlds that Discord could not hold.

use std::{
    collections::HashSet,
    ops::{Range, RangeInclusive},
};

use toml::Spanned;

use super::{ChannelPlan, OverwritePlan, WholeGuild, WorldError, WorldPlan};
use crate::{limits::CONTENT_CHARS, realm::GuildChannelKind};

const FILE_BYTES: usize = 1024 * 1024;
const MESSAGES: usize = 10_000;
const GUILDS: usize = 10;
const BOTS: usize = 10;
const USERS: usize = 100;
const CHANNELS: usize = 100;
const ROLES: usize = 100;
const EXPRESSIONS: usize = 50;
const EVERYONE: &str = "@everyone";

pub(super) fn read(text: &str) -> Result<WorldPlan, WorldError> {
    if text.len() > FILE_BYTES {
        return Err(WorldError {
            line: 1,
            key: "file".into(),
            problem: format!(
                "{} bytes long, at most {FILE_BYTES} are allowed",
                text.len()
            ),
        });
    }
    let source = Source(text);
    let plan: WorldPlan = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let problem = error.message().trim().replace('\n', ", ");
        WorldError {
            line: source.line(span.start),
            key: source.key(span.start),
            problem,
        }
    })?;
    source.check(&plan)?;
    Ok(plan)
}

/// The file, to say where a fault stands.
struct Source<'a>(&'a str);

impl Source<'_> {
    fn line(&self, at: usize) -> usize {
        let before = self.0.as_bytes().get(..at).unwrap_or_default();
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }

    /// The key or the table header at a place, as written.
    fn key(&self, at: usize) -> String {
        let line = self
            .0
            .lines()
            .nth(self.line(at) - 1)
            .unwrap_or_default()
            .trim();
        let key = match line.strip_prefix('[') {
            Some(table) => table
                .split(']')
                .next()
                .unwrap_or_default()
                .trim_start_matches('['),
            None => line.split('=').next().unwrap_or_default(),
        };
        match key.trim() {
            "" => "file".into(),
            key => key.into(),
        }
    }

    fn refuse<T>(&self, span: Range<usize>, problem: impl Into<String>) -> Result<T, WorldError> {
        Err(WorldError {
            line: self.line(span.start),
            key: self.key(span.start),
            problem: problem.into(),
        })
    }

    fn check(&self, plan: &WorldPlan) -> Result<(), WorldError> {
        let place = |key: &str| self.0.find(key).unwrap_or(0);
        for (number, least, most) in [
            (&plan.shards, 1, 1024),
            (&plan.max_concurrency, 1, 1024),
            (&plan.session_starts, 1, 100_000),
            (&plan.heartbeat_ms, 100, 600_000),
        ] {
            if let Some(number) = number
                && !(least..=most).contains(number.get_ref())
            {
                let problem = format!("a number from {least} to {most}");
                return self.refuse(number.span(), problem);
            }
        }
        let first = plan.first_guild();
        let more = plan.guilds.len();
        self.count(place("guilds"), "guilds", more, 0..=GUILDS - 1)?;
        self.bots(plan)?;
        self.count(place("users"), "users", first.members.len(), 1..=USERS)?;
        self.count(
            place("channels"),
            "channels",
            first.channels.len(),
            1..=CHANNELS,
        )?;
        self.count(place("roles"), "roles", first.roles.len(), 0..=ROLES)?;
        let mut names = HashSet::new();
        let mut everybody = HashSet::new();
        for guild in plan.all_guilds() {
            let at = guild.name.span().start;
            self.count(at, "members", guild.members.len(), 1..=USERS)?;
            self.count(at, "channels", guild.channels.len(), 1..=CHANNELS)?;
            self.count(at, "roles", guild.roles.len(), 0..=ROLES)?;
            self.count(at, "emojis", guild.emojis.len(), 0..=EXPRESSIONS)?;
            self.count(at, "stickers", guild.stickers.len(), 0..=EXPRESSIONS)?;
            self.count(at, "messages", guild.messages.len(), 0..=MESSAGES)?;
            self.length(guild.name, "a guild name", 2..=100)?;
            self.once(&mut names, guild.name, "guild")?;
            for member in guild.members {
                let bots = plan.all_bots().map(|bot| bot.name.get_ref());
                let mut taken: HashSet<String> = bots.cloned().collect();
                self.once(&mut taken, &member.name, "person")?;
            }
            self.guild(&guild)?;
            for member in guild.members {
                if !everybody.contains(member.name.get_ref()) {
                    self.once(&mut everybody, &member.name, "person")?;
                }
            }
        }
        Ok(())
    }

    fn bots(&self, plan: &WorldPlan) -> Result<(), WorldError> {
        let at = self.0.find("bot").unwrap_or(0);
        self.count(at, "bots", plan.all_bots().count(), 1..=BOTS)?;
        let mut names = HashSet::new();
        for bot in plan.all_bots() {
            self.once(&mut names, &bot.name, "bot")?;
        }
        for guild in &plan.guilds {
            if guild.bot.is_some() && guild.bots.is_some() {
                let problem =
                    "give either `bot` or `bots`: with `bots` those are in it and no other";
                return self.refuse(guild.name.span(), problem);
            }
            for bot in guild.bots.iter().flatten() {
                self.known(&bot.name, &names, "bots")?;
            }
        }
        Ok(())
    }

    fn guild(&self, guild: &WholeGuild<'_>) -> Result<(), WorldError> {
        let mut roles = HashSet::new();
        for role in guild.roles {
            self.length(&role.name, "a role name", 1..=100)?;
            self.once(&mut roles, &role.name, "role")?;
            if let Some(color) = role
                .color
                .as_ref()
                .filter(|color| *color.get_ref() > 0xff_ff_ff)
            {
                return self.refuse(color.span(), "a color is a number up to 0xffffff");
            }
        }
        roles.remove(EVERYONE);

        let mut people = HashSet::new();
        let bots = guild.bots.iter();
        let bots = bots.map(|bot| (bot.name, bot.nickname, bot.roles));
        let humans = guild.members.iter().map(|member| {
            let nickname = member.nickname.as_ref();
            (&member.name, nickname, &*member.roles)
        });
        for (name, nickname, held) in bots.chain(humans) {
            self.person(name)?;
            self.once(&mut people, name, "person")?;
            if let Some(nickname) = nickname {
                self.length(nickname, "a nickname", 1..=32)?;
            }
            for role in held {
                self.known(role, &roles, "roles")?;
            }
        }
        if let Some(owner) = guild.owner {
            self.known(owner, &people, "people")?;
        }

        let mut channels = HashSet::new();
        for channel in guild.channels {
            self.channel(channel, &mut channels, &roles, &people)?;
        }
        let silent = |kind| matches!(kind, GuildChannelKind::Forum);
        for channel in guild.channels.iter().filter(|it| silent(it.kind)) {
            channels.remove(channel.name.get_ref());
        }
        for message in guild.messages {
            self.known(&message.channel, &channels, "channels with messages")?;
            self.known(&message.author, &people, "people")?;
            self.length(&message.content, "a message", 1..=CONTENT_CHARS)?;
            if let (Some(Err(error)), Some(at)) = (message.sent_at(), &message.at) {
                let problem = format!("not a moment like 2026-01-01T12:00:00Z: {error}");
                return self.refuse(at.span(), problem);
            }
        }
        self.expressions(guild)
    }

    fn expressions(&self, guild: &WholeGuild<'_>) -> Result<(), WorldError> {
        let mut emojis = HashSet::new();
        for emoji in guild.emojis {
            self.length(&emoji.name, "an emoji name", 2..=32)?;
            let name = emoji.name.get_ref();
            if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                let problem = format!("`{name}` is not an emoji name: letters, digits and `_`");
                return self.refuse(emoji.name.span(), problem);
            }
            self.once(&mut emojis, &emoji.name, "emoji")?;
        }
        let mut stickers = HashSet::new();
        for sticker in guild.stickers {
            self.length(&sticker.name, "a sticker name", 2..=30)?;
            self.once(&mut stickers, &sticker.name, "sticker")?;
            if let Some(description) = &sticker.description {
                self.length(description, "a description", 2..=100)?;
            }
        }
        Ok(())
    }

    fn channel(
        &self,
        channel: &ChannelPlan,
        channels: &mut HashSet<String>,
        roles: &HashSet<String>,
        people: &HashSet<String>,
    ) -> Result<(), WorldError> {
        self.length(&channel.name, "a channel name", 1..=100)?;
        let name = channel.name.get_ref();
        if name
            .chars()
            .any(|c| c.is_whitespace() || c.is_uppercase() || c == '#')
        {
            let problem = format!("`{name}` is not a channel name: no spaces, capitals or `#`");
            return self.refuse(channel.name.span(), problem);
        }
        self.once(channels, &channel.name, "channel")?;
        if let Some(topic) = &channel.topic {
            self.length(topic, "a topic", 0..=1024)?;
        }
        for overwrite in &channel.overwrites {
            self.overwrite(overwrite, roles, people)?;
        }
        Ok(())
    }

    fn overwrite(
        &self,
        overwrite: &Spanned<OverwritePlan>,
        roles: &HashSet<String>,
        people: &HashSet<String>,
    ) -> Result<(), WorldError> {
        let plan = overwrite.get_ref();
        match (&plan.role, &plan.member) {
            (Some(role), None) if role.get_ref() == EVERYONE => Ok(()),
            (Some(role), None) => self.known(role, roles, "roles"),
            (None, Some(member)) => self.known(member, people, "people"),
            _ => self.refuse(
                overwrite.span(),
                "an overwrite needs either `role` or `member`",
            ),
        }
    }

    fn person(&self, name: &Spanned<String>) -> Result<(), WorldError> {
        self.length(name, "a user name", 2..=32)?;
        let text = name.get_ref();
        if text.contains(['@', '#', ':', '`']) || ["everyone", "here"].contains(&text.as_str()) {
            let problem = format!(
                "`{text}` cannot be a user name: no `@`, `#`, `:`, backtick, `everyone` or `here`"
            );
            return self.refuse(name.span(), problem);
        }
        Ok(())
    }

    fn length(
        &self,
        text: &Spanned<String>,
        what: &str,
        allowed: RangeInclusive<usize>,
    ) -> Result<(), WorldError> {
        let chars = text.get_ref().trim().chars().count();
        if allowed.contains(&chars) {
            return Ok(());
        }
        let (least, most) = allowed.into_inner();
        let problem = format!("{what} has {least} to {most} characters, this one has {chars}");
        self.refuse(text.span(), problem)
    }

    fn count(
        &self,
        at: usize,
        key: &str,
        given: usize,
        allowed: RangeInclusive<usize>,
    ) -> Result<(), WorldError> {
        if allowed.contains(&given) {
            return Ok(());
        }
        let (least, most) = allowed.into_inner();
        Err(WorldError {
            line: self.line(at),
            key: key.into(),
            problem: format!("{given} given, {least} to {most} are allowed"),
        })
    }

    /// Names differ by more than case: clients compare them without it.
    fn once(
        &self,
        seen: &mut HashSet<String>,
        name: &Spanned<String>,
        kind: &str,
    ) -> Result<(), WorldError> {
        let text = name.get_ref();
        let lower = text.to_lowercase();
        if seen.iter().any(|known| known.to_lowercase() == lower) {
            return self.refuse(
                name.span(),
                format!("there is already a {kind} named `{text}`"),
            );
        }
        seen.insert(text.clone());
        Ok(())
    }

    fn known(
        &self,
        name: &Spanned<String>,
        known: &HashSet<String>,
        kind: &str,
    ) -> Result<(), WorldError> {
        if known.contains(name.get_ref()) {
            return Ok(());
        }
        let mut names: Vec<_> = known.iter().map(String::as_str).collect();
        names.sort_unstable();
        let list = if names.is_empty() {
            "there are none".to_owned()
        } else {
            format!("there are {}", names.join(", "))
        };
        self.refuse(
            name.span(),
            format!("`{}` is not among the {kind}: {list}", name.get_ref()),
        )
    }
}
