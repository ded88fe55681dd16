//! Messages that wait are packed into fewer.

use kaiwa_domain::limits::MESSAGE_TARGET_UTF16;
use kaiwa_domain::{Effect, EffectBody, Outgoing};
use kaiwa_pipeline::deliver::merge;

/// An effect that says what both say, in the place of the first. None if they
/// do not fit one message, or one of them is more than text.
pub(crate) fn merged(first: &Effect, next: &Effect) -> Option<Effect> {
    let (
        EffectBody::Say {
            outgoing: Outgoing::Say(before),
            reply_to,
        },
        EffectBody::Say {
            outgoing: Outgoing::Say(after),
            reply_to: None,
        },
    ) = (&first.body, &next.body)
    else {
        return None;
    };
    let same = first.turn == next.turn
        && first.channel == next.channel
        && first.persona == next.persona
        && first.identity == next.identity
        && first.index < next.index;
    let mut texts = merge(&[before.clone(), after.clone()], MESSAGE_TARGET_UTF16);
    let text = texts.pop().filter(|_| same && texts.is_empty())?;
    let body = EffectBody::Say {
        outgoing: Outgoing::Say(text),
        reply_to: *reply_to,
    };
    Some(Effect {
        body,
        ..first.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{
        ChannelId, EffectState, GuildId, MessageId, Notice, PersonaId, Scope, Timestamp, TurnId,
    };

    fn effect(index: u16, body: EffectBody) -> Effect {
        Effect {
            turn: TurnId::of_message(MessageId::new(1)),
            index,
            scope: Scope::Guild(GuildId::new(1)),
            channel: ChannelId::new(2),
            persona: PersonaId::MAIN,
            identity: None,
            body,
            state: EffectState::Queued,
            queued_at: Timestamp::from_millis(0),
            pings: kaiwa_domain::Pings::default(),
        }
    }

    fn says(index: u16, text: &str, reply_to: Option<u64>) -> Effect {
        let body = EffectBody::Say {
            outgoing: Outgoing::Say(text.to_owned()),
            reply_to: reply_to.map(MessageId::new),
        };
        effect(index, body)
    }

    #[test]
    fn texts_that_fit_become_one_in_the_place_of_the_first() {
        let found = merged(&says(0, "one", Some(9)), &says(1, "two", None));
        assert_eq!(found, Some(says(0, "one\ntwo", Some(9))));
        let long = "x".repeat(MESSAGE_TARGET_UTF16 - 3);
        assert_eq!(merged(&says(0, "one", None), &says(1, &long, None)), None);
        let fits = "x".repeat(MESSAGE_TARGET_UTF16 - 4);
        assert!(merged(&says(0, "one", None), &says(1, &fits, None)).is_some());
    }

    #[test]
    fn what_is_more_than_text_stays_alone() {
        let notice = effect(
            1,
            EffectBody::Notify {
                notice: Notice::AnswerCut,
                reply_to: None,
            },
        );
        assert_eq!(merged(&says(0, "one", None), &notice), None);
        assert_eq!(merged(&notice, &says(2, "two", None)), None);
        let other = Effect {
            persona: PersonaId::new(7),
            ..says(1, "two", None)
        };
        assert_eq!(merged(&says(0, "one", None), &other), None);
        assert_eq!(merged(&says(1, "one", None), &says(0, "two", None)), None);
        let replies = says(1, "two", Some(9));
        assert_eq!(merged(&says(0, "one", None), &replies), None);
    }
}
