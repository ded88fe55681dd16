//! The pictures of personas, where Discord finds them.
//!
//! A webhook is shown with a picture at an address. Ours are emoji of the
//! application, which nobody uses as such: their addresses stay, and need no
//! server of our own. Each is named after its bytes, so none is there twice. A
//! message never fails for want of its picture, nor waits for it for long.
//!
//! All servers share the places that Discord has for emoji. What nobody uses is
//! deleted, now and then and when all places are taken: pictures that neither a
//! persona nor a message on record is shown with, once they were there for
//! [`KEPT`]. Messages that are up lose nothing, as Discord has a copy of what
//! they were posted with. What is deleted follows from what is kept, so there is
//! nothing to write down; a picture that is wanted after all is uploaded again.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kaiwa_domain::port::{OnWire, Personas};
use kaiwa_domain::{ChatError, EmojiId, Moment, PICTURE_BYTES, PictureId, Portrait, Scope};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;
use twilight_model::id::Id;
use twilight_model::id::marker::EmojiMarker;

use super::body::RequestBody;
use super::codes::{TOO_MANY_EMOJI, UNKNOWN_EMOJI, is_gone};
use super::route::Route;
use super::webhooks::WebhookDesk;
use super::{Rest, parse};

/// How long a picture stays at Discord at least: whoever tries pictures on is
/// not to have them uploaded again and again.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// How many pictures are deleted at a time at most; the others wait for the next
/// time.
const DELETED_AT_ONCE: usize = 200;

/// How long a message waits for its picture, and how long none is uploaded for
/// one when that was not enough.
const UPLOADED_WITHIN: Duration = Duration::from_secs(5);
const UPLOADS_REST: Duration = Duration::from_secs(60);

/// How many are deleted while somebody waits for a place.
const PLACES_MADE: usize = 5;

/// Where the pictures of personas are.
pub(super) struct Portraits {
    personas: Arc<dyn Personas>,
    known: Mutex<KnownPortraits>,
    /// Two uploads at once might be of one picture, and no picture is uploaded
    /// while it is deleted.
    changing: Semaphore,
}

#[derive(Default)]
struct KnownPortraits {
    /// The emoji of each picture; `None` for those that there can be none of.
    emoji: HashMap<PictureId, Option<u64>>,
    /// Those that are about to be deleted, unless somebody wants them.
    leaving: HashMap<PictureId, u64>,
    /// Whether all that were there before are among them.
    read: bool,
    /// Until when none is uploaded: it took too long.
    resting: Option<Moment>,
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
            changing: Semaphore::new(1),
        }
    }

    fn known(&self) -> MutexGuard<'_, KnownPortraits> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, picture: PictureId) -> Option<Option<u64>> {
        self.known().emoji.get(&picture).copied()
    }

    fn rests(&self, now: Moment) -> bool {
        self.known().resting.is_some_and(|until| now < until)
    }

    /// Somebody wants a picture that was to be deleted.
    fn keep(&self, picture: PictureId) {
        let mut known = self.known();
        if let Some(emoji) = known.leaving.remove(&picture) {
            known.emoji.insert(picture, Some(emoji));
        }
    }

    /// What was to be deleted and is still there stays until the next time.
    fn stay(&self) {
        let mut known = self.known();
        let leaving = std::mem::take(&mut known.leaving);
        let staying = leaving.into_iter().map(|(it, emoji)| (it, Some(emoji)));
        known.emoji.extend(staying);
    }

    /// The oldest of what is to be deleted.
    fn next_leaving(&self) -> Option<u64> {
        let mut known = self.known();
        let (&picture, _) = known.leaving.iter().min_by_key(|(_, emoji)| **emoji)?;
        known.leaving.remove(&picture)
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
        let portraits = &desk.portraits;
        let now = self.wire.moment();
        let emoji = match portraits.find(portrait.picture) {
            Some(known) => known,
            None if portraits.rests(now) => None,
            None => {
                let uploaded = tokio::select! {
                    uploaded = self.find_or_upload(desk, scope, portrait) => uploaded,
                    () = self.wire.sleep(UPLOADED_WITHIN) => {
                        portraits.known().resting = Some(now.after(UPLOADS_REST));
                        Err(ChatError::Limited { retry_after: UPLOADS_REST })
                    }
                };
                uploaded.unwrap_or_else(|error| {
                    tracing::warn!(%error, "a persona is shown without its picture");
                    None
                })
            }
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
        let _alone = portraits.changing.acquire().await;
        if !portraits.known().read {
            self.read_portraits(portraits, application).await?;
        }
        portraits.keep(picture);
        if let Some(known) = portraits.find(picture) {
            return Ok(known);
        }
        let found = portraits.personas.picture(scope, of, picture).await;
        let bytes = found.ok().flatten().unwrap_or_default();
        let kind = kind_of(&bytes).filter(|_| bytes.len() <= PICTURE_BYTES);
        let upload = async || match kind {
            Some(kind) => self.upload(application, picture, kind, &bytes).await,
            None => Ok(None),
        };
        // Whoever waits for it may not wait for its end.
        portraits.known().read = false;
        let mut outcome = upload().await;
        if matches!(outcome, Err(ChatError::Refused { code, .. }) if code == TOO_MANY_EMOJI)
            && self.has_made_places(portraits, application).await
        {
            outcome = upload().await;
        }
        let mut known = portraits.known();
        // Else it may be there all the same.
        known.read = !matches!(outcome, Err(ChatError::Unknown { .. }));
        match &outcome {
            // No use in asking again with every message.
            Err(ChatError::Refused { .. }) => {
                known.emoji.insert(picture, None);
            }
            Err(_) => {}
            Ok(emoji) => {
                known.emoji.insert(picture, *emoji);
            }
        }
        drop(known);
        outcome
    }

    /// Deletes pictures that nobody uses, and says how many.
    pub(super) async fn sweep_portraits_of(&self, desk: &WebhookDesk) -> Result<usize, ChatError> {
        let portraits = &desk.portraits;
        let application = self.our_application(desk).await?;
        {
            let _alone = portraits.changing.acquire().await;
            self.read_portraits(portraits, application).await?;
            self.choose_leaving(portraits).await?;
            // What was refused may be tried again.
            portraits.known().emoji.retain(|_, emoji| emoji.is_some());
        }
        let mut deleted = 0;
        while deleted < DELETED_AT_ONCE {
            // Whoever has something to upload comes in between.
            let _alone = portraits.changing.acquire().await;
            let Some(emoji) = portraits.next_leaving() else {
                break;
            };
            self.delete_portrait(portraits, application, emoji).await?;
            deleted += 1;
        }
        portraits.stay();
        Ok(deleted)
    }

    /// The same for a few, while an upload waits; whether there is a place now.
    async fn has_made_places(&self, portraits: &Portraits, application: u64) -> bool {
        let making = async {
            self.read_portraits(portraits, application).await?;
            self.choose_leaving(portraits).await?;
            let mut made = 0;
            while made < PLACES_MADE
                && let Some(emoji) = portraits.next_leaving()
            {
                self.delete_portrait(portraits, application, emoji).await?;
                made += 1;
            }
            portraits.stay();
            Ok::<_, ChatError>(made > 0)
        };
        making.await.unwrap_or_else(|error| {
            tracing::warn!(%error, "no place can be made for a picture");
            false
        })
    }

    /// Finds out which pictures are there.
    async fn read_portraits(
        &self,
        portraits: &Portraits,
        application: u64,
    ) -> Result<(), ChatError> {
        let there: RawEmojis = self.get(Route::Emojis(application)).await?;
        let named = there.items.into_iter().filter_map(|it| {
            let picture = PictureId::parse(&it.name)?;
            Some((picture, Some(it.id.get())))
        });
        let mut known = portraits.known();
        known.emoji.retain(|_, emoji| emoji.is_none());
        known.emoji.extend(named);
        known.leaving.clear();
        known.read = true;
        Ok(())
    }

    /// Chooses what is to be deleted, of what was just read.
    async fn choose_leaving(&self, portraits: &Portraits) -> Result<(), ChatError> {
        let shown = portraits.personas.shown_pictures().await;
        let shown: HashSet<PictureId> = shown
            .map_err(|error| ChatError::Unknown {
                reason: format!("which pictures are used is not known: {error}"),
            })?
            .into_iter()
            .collect();
        let now = self.wire.now();
        let mut known = portraits.known();
        let known = &mut *known;
        known.emoji.retain(|picture, emoji| {
            let Some(id) = *emoji else {
                return true;
            };
            let is_young = now.since(EmojiId::new(id).created_at()) < KEPT;
            if is_young || shown.contains(picture) {
                return true;
            }
            known.leaving.insert(*picture, id);
            false
        });
        Ok(())
    }

    async fn delete_portrait(
        &self,
        portraits: &Portraits,
        application: u64,
        emoji: u64,
    ) -> Result<(), ChatError> {
        let route = Route::DeleteEmoji { application, emoji };
        match self.wire.call(route, None, &OnWire::new()).await {
            Err(error) if !is_gone(&error, UNKNOWN_EMOJI) => {
                // It may be there still.
                portraits.known().read = false;
                Err(error)
            }
            _ => Ok(()),
        }
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
