//! The pictures of personas, where Discord finds them.
//!
//! A webhook is shown with a picture at an address. Ours are emoji of the
//! application, which nobody uses as such: their addresses stay, and need no
//! server of our own. Each is named after its bytes, so none is there twice. A
//! message never fails for want of its picture.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kaiwa_domain::port::{OnWire, Personas};
use kaiwa_domain::{ChatError, PICTURE_BYTES, PictureId, Portrait, Scope};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;
use twilight_model::id::Id;
use twilight_model::id::marker::EmojiMarker;

use super::body::RequestBody;
use super::route::Route;
use super::webhooks::WebhookDesk;
use super::{Rest, parse};

/// Where the pictures of personas are.
pub(super) struct Portraits {
    personas: Arc<dyn Personas>,
    known: Mutex<KnownPortraits>,
    /// Two uploads at once might be of one picture.
    uploading: Semaphore,
}

#[derive(Default)]
struct KnownPortraits {
    /// The emoji of each picture; `None` for those that there can be none of.
    emoji: HashMap<PictureId, Option<u64>>,
    /// Whether all that were there before are among them.
    read: bool,
}

#[derive(Deserialize)]
struct RawEmoji {
    id: Id<EmojiMarker>,
    name: String,
}

#[derive(Deserialize)]
struct RawEmojis {
    items: Vec<RawEmoji>,
}

impl Portraits {
    pub(super) fn new(personas: Arc<dyn Personas>) -> Self {
        Self {
            personas,
            known: Mutex::default(),
            uploading: Semaphore::new(1),
        }
    }

    fn known(&self) -> MutexGuard<'_, KnownPortraits> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, picture: PictureId) -> Option<Option<u64>> {
        self.known().emoji.get(&picture).copied()
    }
}

impl Rest {
    /// Where a picture of a persona is.
    pub(super) async fn portrait(
        &self,
        desk: &WebhookDesk,
        scope: Scope,
        portrait: Portrait,
    ) -> Option<String> {
        let emoji = match desk.portraits.find(portrait.picture) {
            Some(known) => known,
            None => match self.find_or_upload(desk, scope, portrait).await {
                Ok(emoji) => emoji,
                Err(error) => {
                    tracing::warn!(%error, "a persona is shown without its picture");
                    None
                }
            },
        };
        emoji.map(|emoji| format!("{}/emojis/{emoji}.png", self.cdn()))
    }

    async fn find_or_upload(
        &self,
        desk: &WebhookDesk,
        scope: Scope,
        portrait: Portrait,
    ) -> Result<Option<u64>, ChatError> {
        let Portrait { of, picture } = portrait;
        let portraits = &desk.portraits;
        let application = self.our_application(desk).await?;
        let _alone = portraits.uploading.acquire().await;
        if !portraits.known().read {
            let there: RawEmojis = self.get(Route::Emojis(application)).await?;
            let named = there.items.into_iter().filter_map(|it| {
                let picture = PictureId::parse(&it.name)?;
                Some((picture, Some(it.id.get())))
            });
            let mut known = portraits.known();
            known.emoji.extend(named);
            known.read = true;
        }
        if let Some(known) = portraits.find(picture) {
            return Ok(known);
        }
        let found = portraits.personas.picture(scope, of, picture).await;
        let bytes = found.ok().flatten().unwrap_or_default();
        let kind = kind_of(&bytes).filter(|_| bytes.len() <= PICTURE_BYTES);
        let outcome = match kind {
            Some(kind) => self.upload(application, picture, kind, &bytes).await,
            None => Ok(None),
        };
        match &outcome {
            // It may be there all the same.
            Err(ChatError::Unknown { .. }) => portraits.known().read = false,
            // No use in asking again with every message.
            Err(ChatError::Refused { .. }) => {
                portraits.known().emoji.insert(picture, None);
            }
            Err(_) => {}
            Ok(emoji) => {
                portraits.known().emoji.insert(picture, *emoji);
            }
        }
        outcome
    }

    async fn upload(
        &self,
        application: u64,
        picture: PictureId,
        kind: &str,
        bytes: &[u8],
    ) -> Result<Option<u64>, ChatError> {
        let image = format!("data:{kind};base64,{}", STANDARD.encode(bytes));
        let body = json!({ "name": picture.to_string(), "image": image });
        let body = RequestBody::of(&body);
        let route = Route::CreateEmoji(application);
        let answer = self.wire.call(route, Some(&body), &OnWire::new()).await?;
        let made: RawEmoji = parse(&answer)?;
        Ok(Some(made.id.get()))
    }
}

/// What a picture is, if an emoji may be it.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    [
        (&b"\x89PNG"[..], "image/png"),
        (b"\xFF\xD8\xFF", "image/jpeg"),
        (b"GIF8", "image/gif"),
    ]
    .into_iter()
    .find_map(|(start, kind)| bytes.starts_with(start).then_some(kind))
}
