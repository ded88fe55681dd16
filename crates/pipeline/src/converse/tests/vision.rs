use std::sync::Arc;

use kaiwa_domain::{Abilities, Brief, Image, Line, Role};

use super::{ABLE, ModelAbilities, cut, end, text};
use crate::converse::tests::play::brief;
use crate::converse::{Act, Conversation, Limits, News};

const SEEING: Abilities = Abilities {
    vision: true,
    ..ABLE
};

fn with_image() -> Brief {
    let mut brief = brief();
    brief.lines.pop();
    brief.lines.push(Line::User {
        text: "what is this?".into(),
        images: vec![Image {
            media_type: "image/jpeg",
            bytes: Arc::new([0]),
        }],
    });
    brief
}

/// Who is asked, in order, whether they see the image, and what they are told
/// beside it.
fn asked(
    company: ModelAbilities,
    news: impl IntoIterator<Item = News>,
) -> Vec<(Role, bool, String)> {
    let mut conversation = Conversation::new(with_image(), company, Limits::default());
    let mut asked = Vec::new();
    let mut news = news.into_iter();
    loop {
        while let Some(act) = conversation.next_act() {
            if let Act::Ask { role, brief, .. } = act {
                let line = brief.lines.last().expect("a question");
                let told = line.text().trim_start_matches("what is this?").to_owned();
                asked.push((role, line.has_images(), told));
            }
        }
        match news.next() {
            Some(news) => conversation.tell(news),
            None => return asked,
        }
    }
}

#[test]
fn images_go_to_whoever_sees() {
    let check = |chat, vision, reasoner, expect| {
        let company = ModelAbilities {
            chat,
            vision,
            reasoner,
        };
        let seen = vec![(expect, true, String::new())];
        assert_eq!(asked(company, [text("a cat"), end()]), seen);
    };
    check(SEEING, None, None, Role::Chat);
    check(SEEING, Some(SEEING), None, Role::Chat);
    check(SEEING, None, Some(ABLE), Role::Chat);
    check(ABLE, Some(SEEING), None, Role::Vision);
    check(ABLE, Some(SEEING), Some(ABLE), Role::Vision);
}

#[test]
fn if_nobody_can_look_the_chat_model_answers_and_is_told() {
    let company = ModelAbilities {
        chat: ABLE,
        vision: Some(SEEING),
        reasoner: None,
    };
    let unseen =
        "\n[An image came with this that you cannot see: nobody could look at it just now]";
    assert_eq!(
        asked(company, [cut(), text("I can't see it."), end()]),
        [
            (Role::Vision, true, String::new()),
            (Role::Chat, false, unseen.to_owned()),
        ]
    );
}
