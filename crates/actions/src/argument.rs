//! What several actions are asked with.

use kaiwa_domain::UserId;
use schemars::JsonSchema;
use serde::Deserialize;

/// A person, by id or by mention. Names are not looked up: two people may bear
/// the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(extend("format" = crate::command::USER_FORMAT))]
pub(crate) struct UserArgument(#[schemars(with = "String")] pub(crate) UserId);

impl TryFrom<String> for UserArgument {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let text = text.trim();
        let inside = text.strip_prefix("<@").and_then(|it| it.strip_suffix('>'));
        let id = match inside {
            Some(id) => id.strip_prefix('!').unwrap_or(id),
            None => text,
        };
        let digits = !id.is_empty() && id.bytes().all(|it| it.is_ascii_digit());
        let id = id.parse().ok().filter(|id| digits && *id != 0);
        id.map(|id| Self(UserId::new(id)))
            .ok_or("that is nobody; give the id of a user, or a mention like <@123>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::schema_of;

    #[test]
    fn people_are_named_by_id_or_mention() {
        for (text, id) in [
            ("123", Some(123)),
            (" <@123> ", Some(123)),
            ("<@!123>", Some(123)),
            ("<@&123>", None),
            ("<#123>", None),
            ("+123", None),
            ("0", None),
            ("", None),
            ("Ada", None),
            ("99999999999999999999999", None),
        ] {
            let read = UserArgument::try_from(text.to_owned()).ok();
            assert_eq!(read.map(|it| it.0.get()), id, "{text:?}");
        }
    }

    #[test]
    fn a_person_is_an_option_of_discords() {
        let schema = schema_of::<UserArgument>();
        assert_eq!(schema["type"], "string");
        assert_eq!(schema["format"], "discord-user");
    }
}
