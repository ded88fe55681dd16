//! Looks at the images of a question, and of the message it replies to.
//!
//! Decoding takes memory and a processor, so few images are decoded at a time,
//! and of each scope only one: the pictures of one guild hold up no other. A
//! question that waits too long for its images is answered without them.

mod slots;

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use kaiwa_domain::port::{Chat, ChatModel, Clock, ImageFitter, Pending, RoleModels};
use kaiwa_domain::{Attachment, Brief, Image, Line, Message, Scope};

use slots::Slots;

/// The most images that are looked at for one question.
const MAX_IMAGES: usize = 10;

/// The largest file.
const MAX_BYTES: usize = 10_000_000;

/// How many files of a question are fetched at a time.
const FETCHED_AT_ONCE: usize = 3;

/// How many files are held at a time, from their download until they are
/// decoded: all scopes together, and each.
const HELD: (usize, usize) = (8, 3);

/// How many images are decoded at a time: all scopes together, and each.
const DECODED: (usize, usize) = (2, 1);

/// How long a question waits for its images.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the bot looks with. Clones wait for each other.
#[derive(Clone)]
pub struct ImageLoader {
    fitter: Arc<dyn ImageFitter>,
    held: Slots,
    decoded: Slots,
}

/// What was seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LoadedImages {
    /// The images, those of the message replied to first.
    pub(crate) images: Vec<Image>,
    /// Why others are not among them, each in a few words.
    pub(crate) unseen: Vec<String>,
    /// How many more there were, which nobody tried to look at.
    pub(crate) more: usize,
}

impl ImageLoader {
    /// ImageLoader that see what `fitter` can read.
    pub fn new(fitter: Arc<dyn ImageFitter>) -> Self {
        Self {
            fitter,
            held: Slots::new(HELD.0, HELD.1),
            decoded: Slots::new(DECODED.0, DECODED.1),
        }
    }

    /// Fetches and fits the images that a question is about.
    pub(crate) async fn look(
        &self,
        chat: &dyn Chat,
        clock: &dyn Clock,
        question: &Message,
    ) -> LoadedImages {
        let replied_to = question.reply.iter().flat_map(|reply| reply.images());
        let all: Vec<&Attachment> = replied_to.chain(question.images()).collect();
        let mut looks: Vec<Pending<'_, Result<Image, String>>> = Vec::new();
        for image in all.iter().take(MAX_IMAGES) {
            looks.push(Box::pin(self.see(chat, question.scope, image)));
        }
        let mut loaded = LoadedImages::default();
        if looks.is_empty() {
            return loaded;
        }
        let mut missing = looks.len();
        let mut looks = stream::iter(looks).buffered(FETCHED_AT_ONCE);
        let mut too_late = clock.sleep(PATIENCE);
        while missing > 0 {
            let look = tokio::select! {
                look = looks.next() => look,
                () = &mut too_late => None,
            };
            match look {
                Some(Ok(image)) => loaded.images.push(image),
                Some(Err(reason)) => loaded.unseen.push(reason),
                None => {
                    tracing::info!(missing, "images are not waited for any longer");
                    let late = "it took too long".to_owned();
                    loaded.unseen.extend(vec![late; missing]);
                    break;
                }
            }
            missing -= 1;
        }
        loaded.more = all.len().saturating_sub(MAX_IMAGES);
        loaded
    }

    /// One image, or why it cannot be seen.
    async fn see(
        &self,
        chat: &dyn Chat,
        scope: Scope,
        attachment: &Attachment,
    ) -> Result<Image, String> {
        if attachment.bytes > MAX_BYTES as u64 {
            return unseen("it is too large");
        }
        let held = self.held.take(scope).await;
        let file = match chat.download(attachment, MAX_BYTES).await {
            Ok(file) => file,
            Err(error) => {
                tracing::info!(%error, "an attachment cannot be fetched");
                return unseen("it could not be fetched");
            }
        };
        let fitter = Arc::clone(&self.fitter);
        let decoded = self.decoded.take(scope).await;
        // Decoding goes on when nobody waits for it any more, and so do its slots.
        let decode = move || {
            let _slots = (held, decoded);
            fitter.fit(&file)
        };
        match tokio::task::spawn_blocking(decode).await {
            Ok(Ok(image)) => Ok(image),
            Ok(Err(unfit)) => unseen(unfit),
            Err(_) => unseen("it cannot be read"),
        }
    }
}

fn unseen(reason: impl Display) -> Result<Image, String> {
    tracing::info!(%reason, "an image is not looked at");
    Err(reason.to_string())
}

impl LoadedImages {
    /// Puts what was seen into the last line of the brief, if anybody can look
    /// at it. The model is told what it does not see.
    pub(crate) fn show(mut self, brief: &mut Brief, cast: &RoleModels) {
        let sees = |model: &Arc<dyn ChatModel>| model.abilities().vision;
        if !sees(&cast.chat) && !cast.vision.as_ref().is_some_and(sees) {
            let blind = "nobody here can look at images".to_owned();
            self.unseen.extend(vec![blind; self.images.len()]);
            self.images.clear();
        }
        if let Some(Line::User { text, images }) = brief.lines.last_mut() {
            for reason in self.unseen {
                text.push_str("\n[An image came with this that you cannot see: ");
                text.push_str(&reason);
                text.push(']');
            }
            match self.more {
                0 => {}
                1 => text.push_str("\n[1 more image came with this that you cannot see]"),
                more => {
                    let note = format!("\n[{more} more images came with this that you cannot see]");
                    text.push_str(&note);
                }
            }
            images.append(&mut self.images);
        }
    }
}

#[cfg(test)]
mod tests;
