//! Looks at the images of a question, and of the message it replies to.

use std::fmt::Display;
use std::sync::Arc;

use futures_util::{StreamExt, stream};
use kaiwa_domain::port::{Cast, Chat, ChatModel, ImageFitter, Pending};
use kaiwa_domain::{Attachment, Brief, Image, Line, Message};
use tokio::sync::Semaphore;

/// The most images that are looked at for one question.
const MAX_IMAGES: usize = 10;

/// The largest file.
const MAX_BYTES: usize = 10_000_000;

/// How many files of a question are fetched at a time.
const FETCHED_AT_ONCE: usize = 3;

/// How many images are decoded at a time, all questions together. Each may
/// need some 200 MB while it is.
const FITTED_AT_ONCE: usize = 1;

/// What the bot looks with. Clones wait for each other.
#[derive(Clone)]
pub struct Eyes {
    fitter: Arc<dyn ImageFitter>,
    fitting: Arc<Semaphore>,
}

/// What was seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sight {
    /// The images, those of the message replied to first.
    pub(crate) images: Vec<Image>,
    /// Why others are not among them, each in a few words.
    pub(crate) unseen: Vec<String>,
    /// How many more there were, which nobody tried to look at.
    pub(crate) more: usize,
}

impl Eyes {
    /// Eyes that see what `fitter` can read.
    pub fn new(fitter: Arc<dyn ImageFitter>) -> Self {
        Self {
            fitter,
            fitting: Arc::new(Semaphore::new(FITTED_AT_ONCE)),
        }
    }

    /// Fetches and fits the images that a question is about.
    pub(crate) async fn look(&self, chat: &dyn Chat, question: &Message) -> Sight {
        let replied_to = question.reply.iter().flat_map(|reply| &reply.images);
        let all: Vec<&Attachment> = replied_to.chain(&question.images).collect();
        let mut looks: Vec<Pending<'_, Result<Image, String>>> = Vec::new();
        for image in all.iter().take(MAX_IMAGES) {
            looks.push(Box::pin(self.see(chat, image)));
        }
        let mut looks = stream::iter(looks).buffered(FETCHED_AT_ONCE);
        let mut sight = Sight::default();
        while let Some(look) = looks.next().await {
            match look {
                Ok(image) => sight.images.push(image),
                Err(reason) => sight.unseen.push(reason),
            }
        }
        sight.more = all.len().saturating_sub(MAX_IMAGES);
        sight
    }

    /// One image, or why it cannot be seen.
    async fn see(&self, chat: &dyn Chat, attachment: &Attachment) -> Result<Image, String> {
        if attachment.bytes > MAX_BYTES as u64 {
            return unseen("it is too large");
        }
        let file = match chat.download(attachment, MAX_BYTES).await {
            Ok(file) => file,
            Err(error) => {
                tracing::info!(%error, "an attachment cannot be fetched");
                return unseen("it could not be fetched");
            }
        };
        let fitter = Arc::clone(&self.fitter);
        let _turn = self.fitting.acquire().await;
        match tokio::task::spawn_blocking(move || fitter.fit(&file)).await {
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

impl Sight {
    /// Puts what was seen into the last line of the brief, if anybody can look
    /// at it. The model is told what it does not see.
    pub(crate) fn show(mut self, brief: &mut Brief, cast: &Cast) {
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
mod tests {
    use super::*;
    use kaiwa_domain::port::{Answer, History, Unfit};
    use kaiwa_domain::{
        Abilities, Author, AuthorKind, ChannelId, ChatError, GuildId, MessageId, Post, Scope,
        UserId,
    };

    struct Sees(bool);

    impl ChatModel for Sees {
        fn answer(&self, _: Brief) -> Answer {
            Box::pin(stream::empty())
        }

        fn abilities(&self) -> Abilities {
            Abilities {
                vision: self.0,
                ..Abilities::default()
            }
        }
    }

    #[test]
    fn the_model_sees_what_can_be_seen_and_is_told_of_the_rest() {
        fn check(chat: bool, vision: Option<bool>, unseen: &[&str], expect: (usize, &str)) {
            let mut cast = Cast::alone(Arc::new(Sees(chat)));
            cast.vision = vision.map(|sees| Arc::new(Sees(sees)) as Arc<dyn ChatModel>);
            let image = Image {
                media_type: "image/jpeg",
                bytes: Arc::new([1]),
            };
            let sight = Sight {
                images: vec![image],
                unseen: unseen.iter().map(|&reason| reason.to_owned()).collect(),
                more: 0,
            };
            let mut brief = Brief {
                lines: vec![Line::user("look".to_owned())],
                ..Brief::default()
            };
            sight.show(&mut brief, &cast);
            let Line::User { text, images } = &brief.lines[0] else {
                panic!("not a user's line");
            };
            assert_eq!((images.len(), &**text), expect);
        }
        let blind =
            "look\n[An image came with this that you cannot see: nobody here can look at images]";
        let large = "look\n[An image came with this that you cannot see: it is too large]";
        check(true, None, &[], (1, "look"));
        check(true, Some(true), &[], (1, "look"));
        check(false, Some(true), &[], (1, "look"));
        check(false, Some(false), &[], (0, blind));
        check(false, None, &[], (0, blind));
        check(true, None, &["it is too large"], (1, large));
    }

    struct NoChat;

    impl Chat for NoChat {
        fn post<'a>(&'a self, _: &'a Post) -> Pending<'a, Result<MessageId, ChatError>> {
            gone()
        }

        fn typing(&self, _: ChannelId) -> Pending<'_, Result<(), ChatError>> {
            gone()
        }

        fn download<'a>(
            &'a self,
            _: &'a Attachment,
            _: usize,
        ) -> Pending<'a, Result<Vec<u8>, ChatError>> {
            gone()
        }

        fn react<'a>(
            &'a self,
            _: ChannelId,
            _: MessageId,
            _: &'a str,
        ) -> Pending<'a, Result<(), ChatError>> {
            gone()
        }

        fn history(
            &self,
            _: Scope,
            _: ChannelId,
            _: History,
            _: u16,
        ) -> Pending<'_, Result<Vec<Message>, ChatError>> {
            gone()
        }

        fn message(
            &self,
            _: Scope,
            _: ChannelId,
            _: MessageId,
        ) -> Pending<'_, Result<Option<Message>, ChatError>> {
            gone()
        }
    }

    fn gone<T: Send + 'static>() -> Pending<'static, Result<T, ChatError>> {
        Box::pin(std::future::ready(Err(ChatError::Unknown {
            reason: "gone".to_owned(),
        })))
    }

    fn question(images: usize) -> Message {
        let image = Attachment {
            name: "a.png".to_owned(),
            url: "u".to_owned(),
            bytes: 1,
        };
        Message {
            id: MessageId::new(1),
            scope: Scope::Guild(GuildId::new(1)),
            channel: ChannelId::new(1),
            author: Author {
                id: UserId::new(1),
                name: "Ann".to_owned(),
                kind: AuthorKind::Human,
            },
            text: String::new(),
            mentions: Vec::new(),
            reply: None,
            images: vec![image; images],
        }
    }

    struct NoFitter;

    impl ImageFitter for NoFitter {
        fn fit(&self, _: &[u8]) -> Result<Image, Unfit> {
            Err(Unfit::Unreadable)
        }
    }

    #[tokio::test]
    async fn what_is_not_seen_is_told_in_a_few_lines() {
        let check = async |images: usize, lines: usize, last: &str| {
            let eyes = Eyes::new(Arc::new(NoFitter));
            let sight = eyes.look(&NoChat, &question(images)).await;
            let mut brief = Brief {
                lines: vec![Line::user("look".to_owned())],
                ..Brief::default()
            };
            sight.show(&mut brief, &Cast::alone(Arc::new(Sees(true))));
            let Line::User { text, .. } = &brief.lines[0] else {
                panic!("not a user's line");
            };
            assert_eq!(text.lines().count(), 1 + lines, "{images} images");
            assert_eq!(text.lines().last(), Some(last), "{images} images");
        };
        let single = "[An image came with this that you cannot see: it could not be fetched]";
        check(1, 1, single).await;
        check(10, 10, single).await;
        let more = "[1 more image came with this that you cannot see]";
        check(11, 11, more).await;
        let more = "[19990 more images came with this that you cannot see]";
        check(20_000, 11, more).await;
    }
}
