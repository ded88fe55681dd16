//! Pictures that the CDN serves: emoji, stickers, avatars and icons.

use std::collections::{HashMap, VecDeque};

use axum::body::Bytes;
use serde::{Deserialize, Serialize};

use crate::{limits, snowflake::Snowflake};

/// What a picture belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PictureKind {
    Emoji,
    Sticker,
    Avatar,
    /// Of one message of a webhook.
    MessageAvatar,
    UserBanner,
    Icon,
    MemberAvatar,
    MemberBanner,
    AppIcon,
    EventCover,
    /// Sounds are kept as pictures are.
    Sound,
}

/// The bytes of a picture.
#[derive(Clone, Debug)]
pub(crate) struct StoredPicture {
    pub(crate) content_type: &'static str,
    pub(crate) bytes: Bytes,
}

/// The latest picture of each thing, the oldest dropped when there are too
/// many.
#[derive(Debug, Default)]
pub(crate) struct Pictures {
    stored: HashMap<(PictureKind, Snowflake), StoredPicture>,
    order: VecDeque<(PictureKind, Snowflake)>,
    bytes: usize,
}

impl Pictures {
    pub(crate) fn put(&mut self, kind: PictureKind, of: Snowflake, picture: StoredPicture) {
        self.remove(kind, of);
        self.bytes += picture.bytes.len();
        self.order.push_back((kind, of));
        self.stored.insert((kind, of), picture);
        while self.bytes > limits::STORED_BYTES {
            let Some((kind, of)) = self.order.pop_front() else {
                return;
            };
            self.forget(kind, of);
        }
    }

    pub(crate) fn remove(&mut self, kind: PictureKind, of: Snowflake) {
        self.order.retain(|known| *known != (kind, of));
        self.forget(kind, of);
    }

    fn forget(&mut self, kind: PictureKind, of: Snowflake) {
        if let Some(picture) = self.stored.remove(&(kind, of)) {
            self.bytes -= picture.bytes.len();
        }
    }

    /// Every picture, oldest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = (PictureKind, Snowflake, &StoredPicture)> {
        let known = self.order.iter();
        known.filter_map(|(kind, of)| Some((*kind, *of, self.get(*kind, *of)?)))
    }

    pub(crate) fn get(&self, kind: PictureKind, of: Snowflake) -> Option<&StoredPicture> {
        self.stored.get(&(kind, of))
    }
}
