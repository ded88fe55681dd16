//! How many tokens a text has, where nobody counts them for us.
//!
//! A token is about four letters of a Latin word, but not even one and a half
//! Chinese characters. Tokenizers differ by more than these rules do.

use kaiwa_domain::{Brief, Line};

/// What a line costs beside its words: who speaks, and where it ends.
const LINE: u64 = 4;

/// What a picture costs that was fitted to what models look at.
const IMAGE: u64 = 1000;

/// Tokens, in twentieths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Weight(u64);

impl Weight {
    /// Adds a text.
    pub(super) fn add(&mut self, text: &str) {
        self.0 += text.chars().map(weight).sum::<u64>();
    }

    /// The tokens, rounded up.
    pub(super) const fn tokens(self) -> u64 {
        self.0.div_ceil(20)
    }
}

/// Twentieths of a token.
const fn weight(char: char) -> u64 {
    match char as u32 {
        // Latin with its accents, digits, and what stands between words.
        0..0x250 | 0x1e00..0x1f00 | 0x2000..0x2070 => 5,
        // Chinese, Japanese and Korean, with their punctuation.
        0x1100..0x1200 | 0x2e80..0xa4d0 | 0xac00..0xd7b0 | 0xf900..0xfb00 | 0xff00..0xffef => 16,
        0x2_0000..0x3_0000 => 16,
        _ => 10,
    }
}

/// The tokens of everything that a model is told.
pub(super) fn brief(brief: &Brief) -> u64 {
    let mut weight = Weight::default();
    weight.add(&brief.system);
    for tool in &brief.tools {
        weight.add(&tool.name);
        weight.add(&tool.description);
        weight.add(&tool.schema);
    }
    let mut pictures = 0;
    for line in &brief.lines {
        weight.add(line.text());
        match line {
            Line::User { images, .. } => pictures += images.len() as u64,
            Line::Assistant {
                thoughts, calls, ..
            } => {
                for sealed in thoughts {
                    weight.add(&sealed.thought.text);
                }
                for call in calls {
                    weight.add(&call.name);
                    weight.add(&call.arguments);
                }
            }
            Line::Tool(_) => {}
        }
    }
    let entries = (brief.lines.len() + brief.tools.len() + 1) as u64;
    weight.tokens() + entries * LINE + pictures * IMAGE
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kaiwa_domain::{Image, Tool, When};

    use super::*;

    #[test]
    fn scripts_differ() {
        fn check(sample: &str, least: u64, most: u64) {
            let mut weight = Weight::default();
            weight.add(sample);
            let found = weight.tokens();
            assert!((least..=most).contains(&found), "{sample}: {found}");
        }
        check("", 0, 0);
        check("a", 1, 1);
        // Four letters a token.
        check("The quick brown fox jumps over the lazy dog.", 11, 11);
        check("L’été où j’ai été à Besançon", 7, 7);
        // One to one and a half characters a token.
        check("今天天气很好我们去公园散步吧", 10, 14);
        check("今日はとても天気がいいですね。", 10, 15);
        check("오늘날씨가아주좋네요", 7, 10);
        check("ＦＵＬＬ", 3, 4);
        // Two characters a token.
        check("Привет", 3, 3);
        check("สวัสดี", 3, 3);
        check("مرحبا", 3, 3);
        check("🙂🙂", 1, 1);
    }

    #[test]
    fn everything_that_is_told_counts() {
        let empty = brief(&Brief::default());
        let mut told = Brief {
            system: "a".repeat(40),
            lines: vec![Line::user("b".repeat(40))],
            ..Brief::default()
        };
        assert_eq!(brief(&told), empty + 10 + 10 + LINE);
        let before = brief(&told);
        told.tools.push(Tool {
            name: "look".into(),
            description: "c".repeat(36).into(),
            schema: "{}".repeat(20).into(),
            when: When::InLoop,
        });
        assert_eq!(brief(&told), before + 20 + LINE);
        let before = brief(&told);
        told.lines = vec![Line::User {
            text: "b".repeat(40),
            images: vec![Image {
                media_type: "image/png",
                bytes: Arc::from([0_u8; 9]),
            }],
        }];
        assert_eq!(brief(&told), before + IMAGE);
    }
}
