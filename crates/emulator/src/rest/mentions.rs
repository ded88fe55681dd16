//! Who a message pings: what its text names, cut down to what its sender
//! allowed and may do.

use serde_json::{Map, Value};

use super::{
    Route,
    body::Fields,
    interactions::InteractionRoute,
    webhooks::{TokenRoute, WebhookRoute},
};
use crate::{
    limits,
    realm::{Channel, PermissionSet, Realm},
    snowflake::Snowflake,
};

/// The sender's choice. Without one, everything named is pinged.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    everyone: bool,
    users: MentionFilter,
    roles: MentionFilter,
    replied_user: bool,
}

#[derive(Clone, Debug)]
enum MentionFilter {
    All,
    Only(Vec<Snowflake>),
}

impl MentionFilter {
    fn allows(&self, id: Snowflake) -> bool {
        match self {
            Self::All => true,
            Self::Only(ids) => ids.contains(&id),
        }
    }
}

impl Default for Allowed {
    fn default() -> Self {
        Self {
            everyone: true,
            users: MentionFilter::All,
            roles: MentionFilter::All,
            replied_user: true,
        }
    }
}

impl Allowed {
    /// Reads `allowed_mentions` of a body and notes what is wrong with it.
    pub(super) fn read(body: &mut Fields<'_>) -> Self {
        let Some(map) = body.object("allowed_mentions") else {
            return Self::default();
        };
        let mut fields = Fields::new(map, "allowed_mentions");
        let mut parsed = Vec::new();
        for (index, value) in fields.list("parse").unwrap_or_default().iter().enumerate() {
            match value.as_str() {
                Some(kind @ ("users" | "roles" | "everyone")) => parsed.push(kind),
                _ => {
                    let path = format!("allowed_mentions.parse.{index}");
                    let message = "Value must be one of ('users', 'roles', 'everyone').";
                    fields.problems.add(&path, "BASE_TYPE_CHOICES", message);
                }
            }
        }
        let users = kind(&mut fields, "users", &parsed);
        let roles = kind(&mut fields, "roles", &parsed);
        let replied_user = fields.flag("replied_user").unwrap_or(false);
        body.problems.merge(fields.problems);
        Self {
            everyone: parsed.contains(&"everyone"),
            users,
            roles,
            replied_user,
        }
    }
}

fn kind(fields: &mut Fields<'_>, key: &str, parsed: &[&str]) -> MentionFilter {
    let ids = fields
        .ids(key, limits::ALLOWED_MENTION_IDS)
        .unwrap_or_default();
    if !parsed.contains(&key) {
        return MentionFilter::Only(ids);
    }
    if !ids.is_empty() {
        fields.problems.add(
            "allowed_mentions",
            "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
            format!("parse:[\"{key}\"] and {key}: [ids...] are mutually exclusive."),
        );
    }
    MentionFilter::All
}

/// Whether a request has words or embeds, and leaves it to Discord whom they
/// ping.
pub(super) fn leaves_mentions_open(route: &Route, body: &Map<String, Value>) -> bool {
    let message = match route {
        Route::CreateMessage(_)
        | Route::EditMessage(..)
        | Route::Webhooks(WebhookRoute::WithToken(
            ..,
            TokenRoute::Execute | TokenRoute::EditMessage(_),
        )) => Some(body),
        Route::StartThread(_) => body.get("message").and_then(Value::as_object),
        Route::Interactions(InteractionRoute::Callback(..)) => {
            body.get("data").and_then(Value::as_object)
        }
        _ => None,
    };
    message.is_some_and(|message| {
        let has = |key: &str| match message.get(key) {
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(list)) => !list.is_empty(),
            _ => false,
        };
        let chooses = message
            .get("allowed_mentions")
            .is_some_and(Value::is_object);
        (has("content") || has("embeds")) && !chooses
    })
}

/// Who is pinged.
#[derive(Clone, Debug, Default)]
pub(super) struct Pinged {
    pub(super) everyone: bool,
    pub(super) users: Vec<Snowflake>,
    pub(super) roles: Vec<Snowflake>,
}

impl Pinged {
    pub(super) fn by(
        realm: &Realm,
        channel: &Channel,
        held: PermissionSet,
        content: &str,
        allowed: &Allowed,
        replied_to: Option<Snowflake>,
    ) -> Self {
        let may_ping_all = held.has(PermissionSet::MENTION_EVERYONE);
        let guild = realm.guild_around(channel);
        let mut pinged = Self::default();
        if let Some(author) = replied_to.filter(|_| allowed.replied_user) {
            pinged.users.push(author);
        }
        for named in names(content) {
            match named {
                Named::Everyone => pinged.everyone |= may_ping_all && allowed.everyone,
                Named::User(id) => {
                    let known = realm.person(id).is_some() && allowed.users.allows(id);
                    if known && !pinged.users.contains(&id) {
                        pinged.users.push(id);
                    }
                }
                Named::Role(id) => {
                    let role = guild
                        .filter(|guild| id != guild.id)
                        .and_then(|guild| guild.roles.iter().find(|role| role.id == id));
                    let may = role.is_some_and(|role| role.mentionable || may_ping_all);
                    if may && allowed.roles.allows(id) && !pinged.roles.contains(&id) {
                        pinged.roles.push(id);
                    }
                }
            }
        }
        pinged
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Everyone,
    User(Snowflake),
    Role(Snowflake),
}

/// What a text names outside of code.
fn names(content: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut rest = content;
    while let Some(at) = rest.find(['`', '<', '@']) {
        rest = &rest[at..];
        let length = if rest.starts_with('`') {
            code_length(rest)
        } else if let Some((named, length)) = tag(rest) {
            found.push(named);
            length
        } else {
            1
        };
        rest = &rest[length..];
    }
    found
}

/// The length of the code that begins here, or of the ticks if none ends it.
fn code_length(text: &str) -> usize {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let fence = if ticks >= 3 { 3 } else { ticks };
    match text[fence..].find(&text[..fence]) {
        Some(end) => fence + end + fence,
        None => ticks,
    }
}

fn tag(text: &str) -> Option<(Named, usize)> {
    for everyone in ["@everyone", "@here"] {
        if text.starts_with(everyone) {
            return Some((Named::Everyone, everyone.len()));
        }
    }
    let inner = text.strip_prefix("<@")?;
    let end = inner.find('>')?;
    let id = &inner[..end];
    let named = match id.strip_prefix('&') {
        Some(role) => Named::Role(role.parse().ok()?),
        None => Named::User(id.strip_prefix('!').unwrap_or(id).parse().ok()?),
    };
    Some((named, end + "<@>".len()))
}
