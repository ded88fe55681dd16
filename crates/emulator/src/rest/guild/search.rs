//! Search Guild Messages.

use serde_json::{Value, json};

use super::{ApiResult, RequestContext};
use crate::{
    limits,
    realm::{Channel, Message, PermissionSet, Realm, in_channel},
    rest::{
        ApiError, ApiResponse,
        endpoint::{PathValues, RestEndpoint, read},
        guilds::known,
    },
    snowflake::Snowflake,
    wire::{self, MessageView},
};

pub(super) static ENDPOINTS: &[RestEndpoint] =
    &[read("GET /guilds/{guild}/messages/search", search)];

/// What is looked for. Of a list, one thing is enough.
struct SearchQuery {
    content: Option<String>,
    authors: Vec<Snowflake>,
    channels: Vec<Snowflake>,
    mentions: Vec<Snowflake>,
    has: Vec<String>,
    author_types: Vec<String>,
    filenames: Vec<String>,
    extensions: Vec<String>,
    everyone: Option<bool>,
    pinned: Option<bool>,
    least: Option<Snowflake>,
    most: Option<Snowflake>,
}

impl SearchQuery {
    fn read(call: &RequestContext<'_>) -> Result<Self, ApiError> {
        let texts = |key: &str| -> Vec<String> { call.query.all(key).map(str::to_owned).collect() };
        let flag = |key: &str| call.query.get(key).map(|_| call.asks(key));
        let ids = |key: &str| -> Vec<Snowflake> {
            call.query
                .all(key)
                .filter_map(|id| id.parse().ok())
                .collect()
        };
        Ok(Self {
            content: call.query.get("content").map(|text| text.to_lowercase()),
            authors: ids("author_id"),
            channels: ids("channel_id"),
            mentions: ids("mentions"),
            has: texts("has"),
            author_types: texts("author_type"),
            filenames: texts("attachment_filename"),
            extensions: texts("attachment_extension"),
            everyone: flag("mention_everyone"),
            pinned: flag("pinned"),
            least: call.anchor("min_id")?,
            most: call.anchor("max_id")?,
        })
    }

    fn fits(&self, realm: &Realm, message: &Message) -> bool {
        let text = message.content.to_lowercase();
        let any = |wanted: &[Snowflake], found: &dyn Fn(&Snowflake) -> bool| {
            wanted.is_empty() || wanted.iter().any(found)
        };
        self.content
            .as_ref()
            .is_none_or(|wanted| text.contains(wanted))
            && any(&self.authors, &|id| *id == message.author)
            && any(&self.mentions, &|id| message.mentions.contains(id))
            && self.least.is_none_or(|id| message.id > id)
            && self.most.is_none_or(|id| message.id < id)
            && self
                .pinned
                .is_none_or(|wanted| message.pinned.is_some() == wanted)
            && self
                .everyone
                .is_none_or(|wanted| message.mention_everyone == wanted)
            && self.has.iter().all(|thing| has(message, thing))
            && self.by(realm, message)
            && self.with_file(message)
    }
}

impl SearchQuery {
    /// Whether a person, a bot or a webhook wrote it, as is asked for.
    fn by(&self, realm: &Realm, message: &Message) -> bool {
        let look = message.webhook.as_ref().and_then(|it| it.look.as_ref());
        let bot = realm.person(message.author).is_some_and(|it| it.bot);
        let kind = match (look, bot) {
            (Some(_), _) => "webhook",
            (None, true) => "bot",
            (None, false) => "user",
        };
        self.author_types.iter().all(|asked| {
            let (wanted, asked) = sign(asked);
            (asked == kind) == wanted
        })
    }

    fn with_file(&self, message: &Message) -> bool {
        let any = |wanted: &[String], fits: &dyn Fn(&str, &str) -> bool| {
            let mut names = message.attachments.iter().map(|file| &file.filename);
            wanted.is_empty() || names.any(|name| wanted.iter().any(|wanted| fits(name, wanted)))
        };
        any(&self.filenames, &|name, wanted| name.contains(wanted))
            && any(&self.extensions, &|name, wanted| {
                name.rsplit_once('.').is_some_and(|(_, end)| end == wanted)
            })
    }
}

/// What is looked for begins with a minus where it is not to be there.
fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(text) => (false, text),
        None => (true, text),
    }
}

fn has(message: &Message, thing: &str) -> bool {
    let (wanted, thing) = sign(thing);
    let of = |kind: &str| {
        let mut files = message.attachments.iter();
        files.any(|file| file.content_type.starts_with(kind))
    };
    let there = match thing {
        "file" => !message.attachments.is_empty(),
        "image" => of("image/"),
        "video" => of("video/"),
        "sound" => of("audio/"),
        "embed" => !message.embeds.is_empty(),
        "sticker" => !message.stickers.is_empty(),
        "poll" => message.poll.is_some(),
        "snapshot" => !message.snapshots.is_empty(),
        "link" => message.content.contains("https://") || message.content.contains("http://"),
        _ => false,
    };
    there == wanted
}

/// Newest first, unless it is asked for the other way round.
fn search(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let query = SearchQuery::read(call)?;
    let limit = call.page("limit", limits::SEARCH_PAGE, limits::SEARCH_PAGE)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let offset = call.query.get("offset").and_then(|it| it.parse().ok());
    let me = call.me()?;
    let realm = &call.state.realm;
    let readable = |channel: &&Channel| {
        let held = in_channel(realm, me, channel);
        held.has(PermissionSet::VIEW_CHANNEL.with(PermissionSet::READ_MESSAGE_HISTORY))
    };
    let mut found: Vec<(&Channel, &Message)> = realm
        .channels
        .values()
        .filter(|channel| channel.guild() == Some(guild.id))
        .filter(|channel| query.channels.is_empty() || query.channels.contains(&channel.id))
        .filter(readable)
        .flat_map(|channel| channel.messages.iter().map(move |it| (channel, it)))
        .filter(|(_, message)| query.fits(realm, message))
        .collect();
    let oldest_first = call.query.get("sort_order").is_some_and(|it| it == "asc");
    found.sort_by_key(|(_, message)| message.id);
    if !oldest_first {
        found.reverse();
    }
    let total = found.len();
    let offset: usize = offset.unwrap_or(0);
    let page: Vec<_> = found.into_iter().skip(offset).take(limit).collect();
    let mut threads: Vec<&Channel> = page.iter().map(|(channel, _)| *channel).collect();
    threads.retain(|channel| channel.thread().is_some());
    threads.dedup_by_key(|channel| channel.id);
    let threads: Vec<wire::Channel> = threads
        .into_iter()
        .map(|thread| wire::Channel::new(realm, thread, Some(call.me)))
        .collect();
    let messages: Vec<Value> = page
        .into_iter()
        .map(|(channel, message)| {
            let place = MessageView::History;
            let mut hit = json!(wire::Message::new(
                realm,
                channel,
                message,
                call.viewer(),
                place
            ));
            hit["hit"] = json!(true);
            json!([hit])
        })
        .collect();
    ApiResponse::json(json!({
        "doing_deep_historical_index": false,
        "total_results": total,
        "messages": messages,
        "threads": threads,
        "members": [],
    }))
}
