//! The bodies of effects as versioned JSON.
//!
//! A body that an older version wrote is read for ever; a change of shape gets
//! a new version, and a new kind a new arm here and nothing else.

use kaiwa_domain::{
    Button, ButtonLook, CardFormat, EffectBody, File, GuildSticker, Identity, LiveMessage,
    MessageId, Notice, Outgoing, PersonaId, PersonalFile, PictureId, Portrait, RetireTarget,
    StickerFormat, Table, ThoughtPage,
};
use serde::{Deserialize, Serialize};

/// The version that is written.
pub(super) const VERSION: i64 = 1;

/// The kind of notices.
const NOTICE: &str = "notify";

/// The kind of what is a file below a notice.
const REST: &str = "rest";

/// The kind of messages that are edited in place.
const LIVE: &str = "live";

/// The kind of answers to interactions.
const RESPONSE: &str = "respond";

/// The kinds of what has buttons, and of what takes them away.
const OFFER: &str = "offer";
const RETIREMENT: &str = "retire";

/// The kind of what moderators read.
const REPORT: &str = "report";

/// The kind of what was thought before an answer.
const THOUGHTS: &str = "thoughts";

/// The kind of stickers.
const STICKER: &str = "sticker";

/// The kind of lines that say which question is answered.
const POINTER: &str = "point";

/// The kinds of what tells how an answer comes along, and of what takes that
/// away.
const PROGRESS: &str = "progress";
const DELETION: &str = "delete";

/// The kinds of what gives a message buttons, and of what takes them away.
const DRESSING: &str = "dress";
const UNDRESSING: &str = "undress";

/// Whether something of this kind is not a persona's own words.
pub(super) fn is_notice(kind: &str) -> bool {
    [
        NOTICE, REST, RESPONSE, OFFER, RETIREMENT, REPORT, THOUGHTS, POINTER, PROGRESS,
    ]
    .contains(&kind)
}

/// The body of what is shown: text, the source of a table or file, or the name
/// of a notice.
#[derive(Serialize, Deserialize)]
struct Shown {
    source: String,
    reply_to: Option<String>,
}

/// The body of what was thought before an answer.
#[derive(Serialize, Deserialize)]
struct StoredThoughts {
    title: String,
    link: String,
    text: String,
    footer: String,
}

fn stored_thoughts(page: &ThoughtPage) -> StoredThoughts {
    StoredThoughts {
        title: page.title.clone(),
        link: page.link.clone(),
        text: page.text.clone(),
        footer: page.footer.clone(),
    }
}

fn read_thoughts(text: &str) -> Option<EffectBody> {
    let stored: StoredThoughts = serde_json::from_str(text).ok()?;
    Some(EffectBody::Thoughts(ThoughtPage {
        title: stored.title,
        link: stored.link,
        text: stored.text,
        footer: stored.footer,
    }))
}

/// A sticker as its id, its format and its name.
fn stored_sticker(sticker: &GuildSticker) -> String {
    format!("{} {} {}", sticker.id, sticker.format.name(), sticker.name)
}

fn read_sticker(text: &str) -> Option<GuildSticker> {
    let mut words = text.splitn(3, ' ');
    Some(GuildSticker {
        id: words.next()?.parse().ok()?,
        format: StickerFormat::from_name(words.next()?)?,
        name: words.next()?.to_owned(),
    })
}

/// The body of an action.
#[derive(Serialize, Deserialize)]
struct ActionBody {
    name: String,
    arguments: String,
}

/// The body of an answer to an interaction.
#[derive(Serialize, Deserialize)]
struct Respond {
    text: String,
    buttons: Vec<StoredButton>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waits: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undo: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<StoredPersonalFile>,
}

/// Which file goes with an answer, and about what: a user, a persona, or an
/// offer.
#[derive(Serialize, Deserialize)]
struct StoredPersonalFile {
    holds: String,
    user: String,
}

fn stored_file(file: PersonalFile) -> StoredPersonalFile {
    let (holds, user) = match file {
        PersonalFile::Everything(user) => ("everything", user.to_string()),
        PersonalFile::Facts(user) => ("facts", user.to_string()),
        PersonalFile::Card(persona, format) => (format.name(), persona.to_string()),
        PersonalFile::Source(offer) => ("source", offer.to_string()),
    };
    StoredPersonalFile {
        holds: holds.to_owned(),
        user,
    }
}

fn read_file(file: &StoredPersonalFile) -> Option<PersonalFile> {
    match file.holds.as_str() {
        "everything" => Some(PersonalFile::Everything(file.user.parse().ok()?)),
        "facts" => Some(PersonalFile::Facts(file.user.parse().ok()?)),
        "source" => Some(PersonalFile::Source(file.user.parse().ok()?)),
        format => {
            let persona = PersonaId::new(file.user.parse().ok()?);
            Some(PersonalFile::Card(persona, CardFormat::from_name(format)?))
        }
    }
}

/// The body of a message that is edited in place.
#[derive(Serialize, Deserialize)]
struct StoredLive {
    first: String,
    text: String,
    closing: u16,
    blank: String,
    complete: bool,
    reply_to: Option<String>,
    message: Option<String>,
}

fn stored_live(live: &LiveMessage) -> StoredLive {
    StoredLive {
        first: live.first.clone(),
        text: live.text.clone(),
        closing: live.closing,
        blank: live.blank.clone(),
        complete: live.complete,
        reply_to: live.reply_to.map(|id| id.to_string()),
        message: live.message.map(|id| id.to_string()),
    }
}

fn read_live(text: &str) -> Option<EffectBody> {
    let stored: StoredLive = serde_json::from_str(text).ok()?;
    Some(EffectBody::Live(LiveMessage {
        first: stored.first,
        text: stored.text,
        closing: stored.closing,
        blank: stored.blank,
        complete: stored.complete,
        reply_to: read_reply(stored.reply_to.as_deref())?,
        message: read_reply(stored.message.as_deref())?,
    }))
}

#[derive(Serialize, Deserialize)]
struct StoredButton {
    control: String,
    label: String,
    look: String,
}

/// The body of an offer.
#[derive(Serialize, Deserialize)]
struct StoredOffer {
    offer: Option<String>,
    text: String,
    buttons: Vec<StoredButton>,
    reply_to: Option<String>,
}

/// The body of what takes buttons away: from a message, or from the answer to
/// an interaction.
#[derive(Serialize, Deserialize)]
struct Retirement {
    message: Option<String>,
    interaction: Option<String>,
    text: String,
}

/// The body of what tells how an answer comes along.
#[derive(Serialize, Deserialize)]
struct StoredProgress {
    text: String,
    of: Option<u16>,
}

/// The body of what takes a message away.
#[derive(Serialize, Deserialize)]
struct Deletion {
    of: u16,
}

/// The body of what gives a message buttons, or takes them away.
#[derive(Serialize, Deserialize)]
struct Dressing {
    message: String,
    #[serde(default)]
    buttons: Vec<StoredButton>,
    #[serde(default)]
    lasting: bool,
}

fn read_dressing(kind: &str, text: &str) -> Option<EffectBody> {
    let stored: Dressing = serde_json::from_str(text).ok()?;
    let message = stored.message.parse().ok()?;
    Some(match kind {
        DRESSING => EffectBody::Dress {
            message,
            buttons: read_buttons(stored.buttons)?,
            lasting: stored.lasting,
        },
        _ => EffectBody::Undress { message },
    })
}

const fn look_name(look: ButtonLook) -> &'static str {
    match look {
        ButtonLook::Primary => "primary",
        ButtonLook::Secondary => "secondary",
        ButtonLook::Danger => "danger",
    }
}

fn read_look(name: &str) -> Option<ButtonLook> {
    [
        ButtonLook::Primary,
        ButtonLook::Secondary,
        ButtonLook::Danger,
    ]
    .into_iter()
    .find(|look| look_name(*look) == name)
}

fn stored_buttons(buttons: &[Button]) -> Vec<StoredButton> {
    let stored = buttons.iter().map(|button| StoredButton {
        control: button.control.clone(),
        label: button.label.clone(),
        look: look_name(button.look).to_owned(),
    });
    stored.collect()
}

fn read_buttons(buttons: Vec<StoredButton>) -> Option<Vec<Button>> {
    let read = buttons.into_iter().map(|button| {
        Some(Button {
            look: read_look(&button.look)?,
            control: button.control,
            label: button.label,
        })
    });
    read.collect()
}

fn read_respond(text: &str) -> Option<EffectBody> {
    let Respond {
        text,
        buttons,
        waits,
        undo,
        file,
    } = serde_json::from_str(text).ok()?;
    Some(EffectBody::Respond {
        text,
        buttons: read_buttons(buttons)?,
        waits: waits.map(|id| id.parse()).transpose().ok()?,
        undo: undo.map(|id| id.parse()).transpose().ok()?,
        file: file.as_ref().and_then(read_file),
    })
}

fn read_offer(text: &str) -> Option<EffectBody> {
    let stored: StoredOffer = serde_json::from_str(text).ok()?;
    Some(EffectBody::Offer {
        offer: stored.offer.map(|id| id.parse()).transpose().ok()?,
        text: stored.text,
        buttons: read_buttons(stored.buttons)?,
        reply_to: read_reply(stored.reply_to.as_deref())?,
    })
}

fn read_retirement(text: &str) -> Option<EffectBody> {
    let stored: Retirement = serde_json::from_str(text).ok()?;
    let target = match (stored.message, stored.interaction) {
        (Some(message), None) => RetireTarget::Message(message.parse().ok()?),
        (None, Some(interaction)) => RetireTarget::Response(interaction.parse().ok()?),
        _ => return None,
    };
    Some(EffectBody::Retire {
        target,
        text: stored.text,
    })
}

/// The message that is replied to, if any; `None` if it cannot be read.
fn read_reply(reply_to: Option<&str>) -> Option<Option<MessageId>> {
    match reply_to {
        Some(id) => Some(Some(id.parse().ok()?)),
        None => Some(None),
    }
}

/// The kind and the JSON of a body.
pub(super) fn write(body: &EffectBody) -> (&'static str, String) {
    match body {
        EffectBody::Say { outgoing, reply_to } => {
            let (kind, source) = match outgoing {
                Outgoing::Say(text) => ("say", text.clone()),
                Outgoing::Table(table) => ("table", table.source().to_owned()),
                Outgoing::File(file) => ("file", file.source().to_owned()),
                Outgoing::Rest(text) => (REST, text.clone()),
                Outgoing::Sticker(sticker) => (STICKER, stored_sticker(sticker)),
            };
            let body = Shown {
                source,
                reply_to: reply_to.map(|id| id.to_string()),
            };
            (kind, json(&body))
        }
        EffectBody::Live(live) => (LIVE, json(&stored_live(live))),
        EffectBody::Notify { notice, reply_to } => {
            let body = Shown {
                source: notice.stored(),
                reply_to: reply_to.map(|id| id.to_string()),
            };
            (NOTICE, json(&body))
        }
        EffectBody::Act { name, arguments } => {
            let body = ActionBody {
                name: name.clone(),
                arguments: arguments.clone(),
            };
            ("act", json(&body))
        }
        EffectBody::Respond {
            text,
            buttons,
            waits,
            undo,
            file,
        } => {
            let body = Respond {
                text: text.clone(),
                buttons: stored_buttons(buttons),
                waits: waits.map(|id| id.to_string()),
                undo: undo.map(|id| id.to_string()),
                file: file.map(stored_file),
            };
            (RESPONSE, json(&body))
        }
        EffectBody::Offer {
            offer,
            text,
            buttons,
            reply_to,
        } => {
            let body = StoredOffer {
                offer: offer.map(|id| id.to_string()),
                text: text.clone(),
                buttons: stored_buttons(buttons),
                reply_to: reply_to.map(|id| id.to_string()),
            };
            (OFFER, json(&body))
        }
        EffectBody::Report { text } => {
            let body = Shown {
                source: text.clone(),
                reply_to: None,
            };
            (REPORT, json(&body))
        }
        EffectBody::Thoughts(page) => (THOUGHTS, json(&stored_thoughts(page))),
        EffectBody::Point { text } => {
            let body = Shown {
                source: text.clone(),
                reply_to: None,
            };
            (POINTER, json(&body))
        }
        EffectBody::Progress { text, of } => {
            let body = StoredProgress {
                text: text.clone(),
                of: *of,
            };
            (PROGRESS, json(&body))
        }
        EffectBody::Delete { of } => (DELETION, json(&Deletion { of: *of })),
        EffectBody::Dress {
            message,
            buttons,
            lasting,
        } => {
            let body = Dressing {
                message: message.to_string(),
                buttons: stored_buttons(buttons),
                lasting: *lasting,
            };
            (DRESSING, json(&body))
        }
        EffectBody::Undress { message } => {
            let body = Dressing {
                message: message.to_string(),
                buttons: Vec::new(),
                lasting: false,
            };
            (UNDRESSING, json(&body))
        }
        EffectBody::Retire { target, text } => {
            let (message, interaction) = match target {
                RetireTarget::Message(id) => (Some(id.to_string()), None),
                RetireTarget::Response(id) => (None, Some(id.to_string())),
            };
            let body = Retirement {
                message,
                interaction,
                text: text.clone(),
            };
            (RETIREMENT, json(&body))
        }
    }
}

/// The body with this kind, version and JSON, if we know such.
pub(super) fn read(kind: &str, version: i64, text: &str) -> Option<EffectBody> {
    if version != VERSION {
        return None;
    }
    if kind == "act" {
        let ActionBody { name, arguments } = serde_json::from_str(text).ok()?;
        return Some(EffectBody::Act { name, arguments });
    }
    match kind {
        LIVE => return read_live(text),
        THOUGHTS => return read_thoughts(text),
        RESPONSE => return read_respond(text),
        OFFER => return read_offer(text),
        RETIREMENT => return read_retirement(text),
        DRESSING | UNDRESSING => return read_dressing(kind, text),
        PROGRESS => {
            let StoredProgress { text, of } = serde_json::from_str(text).ok()?;
            return Some(EffectBody::Progress { text, of });
        }
        DELETION => {
            let Deletion { of } = serde_json::from_str(text).ok()?;
            return Some(EffectBody::Delete { of });
        }
        _ => {}
    }
    let Shown { source, reply_to } = serde_json::from_str(text).ok()?;
    let reply_to = read_reply(reply_to.as_deref())?;
    let outgoing = match kind {
        "say" => Outgoing::Say(source),
        "table" => Outgoing::Table(Table::parse(&source)?),
        "file" => Outgoing::File(File::parse(&source)?),
        REST => Outgoing::Rest(source),
        STICKER => Outgoing::Sticker(read_sticker(&source)?),
        REPORT => return Some(EffectBody::Report { text: source }),
        POINTER => return Some(EffectBody::Point { text: source }),
        NOTICE => {
            let notice = Notice::read(&source)?;
            return Some(EffectBody::Notify { notice, reply_to });
        }
        _ => return None,
    };
    Some(EffectBody::Say { outgoing, reply_to })
}

/// An identity as it stands in a row.
#[derive(Serialize, Deserialize)]
struct StoredIdentity {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    portrait: Option<StoredPortrait>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    look: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct StoredPortrait {
    of: u32,
    picture: String,
}

pub(super) fn write_identity(identity: &Identity) -> String {
    json(&StoredIdentity {
        name: identity.name().to_owned(),
        portrait: identity.portrait().map(|portrait| StoredPortrait {
            of: portrait.of.get(),
            picture: portrait.picture.to_string(),
        }),
        look: identity.look().map(str::to_owned),
    })
}

pub(super) fn read_identity(text: &str) -> Option<Identity> {
    let stored: StoredIdentity = serde_json::from_str(text).ok()?;
    let portrait = stored.portrait.and_then(|stored| {
        Some(Portrait {
            of: PersonaId::new(stored.of),
            picture: PictureId::parse(&stored.picture)?,
        })
    });
    let identity = Identity::new(&stored.name, portrait)?;
    Some(match stored.look {
        Some(look) => identity.told_as(&look),
        None => identity,
    })
}

fn json(body: &impl Serialize) -> String {
    // A struct of strings always is JSON.
    serde_json::to_string(body).unwrap_or_default()
}
