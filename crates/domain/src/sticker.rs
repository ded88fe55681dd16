//! Stickers of guilds.

/// A sticker of a guild.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuildSticker {
    /// Its id.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// What its picture is.
    pub format: StickerFormat,
}

/// What the picture of a sticker is, see
/// [Sticker Format Types](https://docs.discord.com/developers/resources/sticker#sticker-object-sticker-format-types).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StickerFormat {
    /// A PNG, perhaps one that moves.
    Png,
    /// A GIF.
    Gif,
    /// A drawing that only Discord's own programs show.
    Lottie,
}

impl StickerFormat {
    const ALL: [Self; 3] = [Self::Png, Self::Gif, Self::Lottie];

    /// Its name, which does not change.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Lottie => "lottie",
        }
    }

    /// The format of this [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl GuildSticker {
    /// The end of its picture's address, if there is one that everybody can
    /// look at.
    pub fn picture(&self) -> Option<String> {
        match self.format {
            StickerFormat::Lottie => None,
            format => Some(format!("stickers/{}.{}", self.id, format.name())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_that_anybody_can_show_have_an_address() {
        for (format, expected) in [
            (StickerFormat::Png, Some("stickers/7.png")),
            (StickerFormat::Gif, Some("stickers/7.gif")),
            (StickerFormat::Lottie, None),
        ] {
            let sticker = GuildSticker {
                id: 7,
                name: "Cheers".to_owned(),
                format,
            };
            assert_eq!(sticker.picture().as_deref(), expected);
            assert_eq!(StickerFormat::from_name(format.name()), Some(format));
        }
    }
}
