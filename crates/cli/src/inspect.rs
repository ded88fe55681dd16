//! `kaiwa inspect`: what the model was told for one answer.

use std::fmt::Write;

use anyhow::{Result, bail};
use kaiwa_domain::PromptSnapshot;

use crate::args::InspectArgs;
use crate::offline::{enter, shown};
use crate::{console, exit};

pub(crate) async fn inspect(args: InspectArgs) -> Result<()> {
    let (_, store) = enter(&args.home, "answers are inspected").await?;
    let snapshot = store.snapshot(args.turn).await;
    store.close().await?;
    let Some(snapshot) = snapshot? else {
        bail!(exit::needs_a_person(format!(
            "nothing is kept of turn {}: it never asked a model, or that was longer ago than storage.keep_snapshots",
            args.turn
        )));
    };
    console::print(written(&snapshot));
    Ok(())
}

/// The snapshot for people: each part under its title and its length.
fn written(snapshot: &PromptSnapshot) -> String {
    let PromptSnapshot {
        turn,
        scope,
        channel,
        sections,
        ..
    } = snapshot;
    let total: u32 = sections.iter().map(|section| section.tokens).sum();
    let mut text = format!(
        "turn {turn} in channel {channel} of {}: about {total} tokens",
        shown(*scope)
    );
    for section in sections {
        let _ = write!(
            text,
            "\n\n== {} (about {} tokens)\n{}",
            section.title, section.tokens, section.text
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use kaiwa_domain::{ChannelId, GuildId, MessageId, PromptSection, Scope, Timestamp, TurnId};

    #[test]
    fn each_part_has_its_title_and_length() {
        let section = |title: &str, text: &str, tokens| PromptSection {
            title: title.to_owned(),
            text: text.to_owned(),
            tokens,
        };
        let snapshot = PromptSnapshot {
            turn: TurnId::of_message(MessageId::new(7)),
            scope: Scope::Guild(GuildId::new(3)),
            channel: ChannelId::new(4),
            people: Vec::new(),
            at: Timestamp::from_millis(0),
            sections: vec![
                section("personality", "You are kind.", 4),
                section("question", "Ada: hi", 3),
            ],
        };
        expect_test::expect![[r"
            turn 7-0 in channel 4 of server 3: about 7 tokens

            == personality (about 4 tokens)
            You are kind.

            == question (about 3 tokens)
            Ada: hi"]]
        .assert_eq(&written(&snapshot));
    }
}
