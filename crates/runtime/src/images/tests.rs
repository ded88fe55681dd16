use std::collections::HashMap;
use std::sync::Mutex;

use futures_util::FutureExt;
use kaiwa_domain::port::{Answer, History, OnWire, Unfit};
use kaiwa_domain::{
    Abilities, Author, AuthorKind, ChannelId, ChatError, Effect, GuildId, MessageId, Moment, Scope,
    Timestamp, UserId,
};
use tokio::sync::{Notify, mpsc, oneshot};

use super::*;

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
        let mut cast = RoleModels::single(Arc::new(Sees(chat)));
        cast.vision = vision.map(|sees| Arc::new(Sees(sees)) as Arc<dyn ChatModel>);
        let image = Image {
            media_type: "image/jpeg",
            bytes: Arc::new([1]),
        };
        let loaded = LoadedImages {
            images: vec![image],
            unseen: unseen.iter().map(|&reason| reason.to_owned()).collect(),
            more: 0,
        };
        let mut brief = Brief {
            lines: vec![Line::user("look".to_owned())],
            ..Brief::default()
        };
        loaded.show(&mut brief, &cast);
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

/// A file whose address is a number has that byte; others are gone.
struct NoChat;

impl Chat for NoChat {
    fn edit_pace(&self, _: ChannelId) -> Duration {
        Duration::from_secs(1)
    }

    fn post<'a>(
        &'a self,
        _: &'a Effect,
        _: &'a OnWire,
    ) -> Pending<'a, Result<Vec<MessageId>, ChatError>> {
        gone()
    }

    fn change<'a>(
        &'a self,
        _: &'a Effect,
        _: MessageId,
        _: &'a OnWire,
    ) -> Pending<'a, Result<(), ChatError>> {
        gone()
    }

    fn typing(&self, _: ChannelId) -> Pending<'_, Result<(), ChatError>> {
        gone()
    }

    fn download<'a>(
        &'a self,
        attachment: &'a Attachment,
        _: usize,
    ) -> Pending<'a, Result<Vec<u8>, ChatError>> {
        match attachment.url.parse() {
            Ok(byte) => Box::pin(std::future::ready(Ok(vec![byte]))),
            Err(_) => gone(),
        }
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
        media_type: Some("image/png".to_owned()),
        description: None,
    };
    let author = Author {
        id: UserId::new(1),
        name: "Ann".to_owned(),
        kind: AuthorKind::Human,
        roles: Vec::new(),
    };
    let scope = Scope::Guild(GuildId::new(1));
    Message {
        attachments: vec![image; images],
        ..Message::new(
            MessageId::new(1),
            scope,
            ChannelId::new(1),
            author,
            String::new(),
        )
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
        let eyes = ImageLoader::new(Arc::new(NoFitter));
        let loaded = eyes
            .look(&NoChat, &Struck::default(), &question(images))
            .await;
        let mut brief = Brief {
            lines: vec![Line::user("look".to_owned())],
            ..Brief::default()
        };
        loaded.show(&mut brief, &RoleModels::single(Arc::new(Sees(true))));
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

/// Decodes a file, named by its first byte, when it is let go on.
struct Gated {
    begun: mpsc::Sender<u8>,
    gates: Mutex<HashMap<u8, std::sync::mpsc::Receiver<()>>>,
}

impl ImageFitter for Gated {
    fn fit(&self, file: &[u8]) -> Result<Image, Unfit> {
        let gate = self.gates.lock().unwrap().remove(&file[0]).unwrap();
        self.begun.blocking_send(file[0]).unwrap();
        // A gate that is gone is open.
        let _ = gate.recv();
        Ok(Image {
            media_type: "image/jpeg",
            bytes: Arc::new([file[0]]),
        })
    }
}

/// Dropping the gate of a file lets it be decoded.
type Gates = HashMap<u8, std::sync::mpsc::Sender<()>>;

/// ImageLoader that decode at the test's word, what they begin with, and the gates.
fn gated(files: &[u8]) -> (ImageLoader, mpsc::Receiver<u8>, Gates) {
    let (begun, begins) = mpsc::channel(16);
    let pairs = files.iter().map(|file| (*file, std::sync::mpsc::channel()));
    let (mut gates, mut open) = (HashMap::new(), HashMap::new());
    for (file, (sender, receiver)) in pairs {
        gates.insert(file, receiver);
        open.insert(file, sender);
    }
    let gates = Mutex::new(gates);
    let eyes = ImageLoader::new(Arc::new(Gated { begun, gates }));
    (eyes, begins, open)
}

/// A question in a guild about files that are named by a byte.
fn about(guild: u64, files: &[u8]) -> Message {
    let mut question = question(0);
    question.scope = Scope::Guild(GuildId::new(guild));
    question.attachments = files
        .iter()
        .map(|file| Attachment {
            name: file.to_string(),
            url: file.to_string(),
            bytes: 1,
            media_type: Some("image/png".to_owned()),
            description: None,
        })
        .collect();
    question
}

/// A clock that stands still until it is struck.
#[derive(Default)]
struct Struck(Arc<Notify>);

impl Clock for Struck {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(0)
    }

    fn moment(&self) -> Moment {
        Moment::default()
    }

    fn sleep(&self, _: Duration) -> Pending<'static, ()> {
        let struck = Arc::clone(&self.0);
        Box::pin(async move { struck.notified().await })
    }
}

/// Ends a test that hangs.
async fn soon<T>(what: &str, event: impl Future<Output = T>) -> T {
    match tokio::time::timeout(Duration::from_secs(20), event).await {
        Ok(happened) => happened,
        Err(_) => panic!("still waiting for {what}"),
    }
}

#[tokio::test]
async fn the_pictures_of_one_guild_hold_up_no_other() {
    let (eyes, mut begins, mut open) = gated(&[1, 2, 3, 4, 101]);
    let clock = Struck::default();
    let (flood, honest) = (about(7, &[1, 2, 3, 4]), about(8, &[101]));
    let (seen, honest_is_seen) = oneshot::channel();
    let looks = async {
        tokio::join!(eyes.look(&NoChat, &clock, &flood), async {
            let loaded = eyes.look(&NoChat, &clock, &honest).await;
            let _ = seen.send(());
            loaded
        })
    };
    let script = async {
        let mut first = [begins.recv().await, begins.recv().await];
        first.sort_unstable();
        assert_eq!(first, [Some(1), Some(101)], "one of each guild");
        assert!(begins.try_recv().is_err(), "and no more");
        open.remove(&101);
        honest_is_seen.await.unwrap();
        for file in 1..=4 {
            open.remove(&file);
        }
    };
    let ((flood, honest), ()) = soon("all pictures", async { tokio::join!(looks, script) }).await;
    assert_eq!((flood.images.len(), honest.images.len()), (4, 1));
}

#[tokio::test]
async fn a_question_waits_for_its_pictures_for_so_long_and_no_longer() {
    let (eyes, mut begins, mut open) = gated(&[1, 2, 3]);
    let clock = Struck::default();
    let slow = about(7, &[1, 2]);
    let (loaded, ()) = soon("the end of patience", async {
        tokio::join!(eyes.look(&NoChat, &clock, &slow), async {
            assert_eq!(begins.recv().await, Some(1));
            clock.0.notify_waiters();
        })
    })
    .await;
    assert_eq!(loaded.unseen, ["it took too long", "it took too long"]);
    assert_eq!(begins.try_recv().ok(), None);

    // What is still being decoded keeps its slot.
    let (next, clock) = (about(7, &[3]), Struck::default());
    let mut look = Box::pin(eyes.look(&NoChat, &clock, &next));
    assert!(look.as_mut().now_or_never().is_none());
    assert_eq!(begins.try_recv().ok(), None);
    open.clear();
    assert_eq!(soon("the next picture", look).await.images.len(), 1);
}
