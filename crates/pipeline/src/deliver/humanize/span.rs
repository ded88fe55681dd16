//! What stands inside quotes, brackets and markup.

use std::collections::HashMap;

use crate::deliver::scan::{Kind, Token};

/// What opens and closes a span.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Sign {
    Pair(char),
    Delimiter(u8, usize),
}

/// For each token, whether it lies between two signs that belong together.
pub(super) fn enclosed(text: &str, tokens: &[Token]) -> Vec<bool> {
    // Each span adds one where it opens and takes one where it closes.
    let mut steps = vec![0_i64; tokens.len() + 1];
    let mut open: HashMap<Sign, Vec<usize>> = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let (sign, opens, closes) = match token.kind {
            Kind::Pair(c) => match side(c) {
                Side::Opens(closer) => (Sign::Pair(closer), true, false),
                Side::Closes => (Sign::Pair(c), false, true),
                Side::Both => (Sign::Pair(c), true, true),
            },
            Kind::Delimiter {
                mark,
                opens,
                closes,
            } => (
                Sign::Delimiter(mark, text[token.range()].len()),
                opens,
                closes,
            ),
            _ => continue,
        };
        let waiting = open.entry(sign).or_default();
        match waiting.pop().filter(|_| closes) {
            Some(start) => {
                steps[start] += 1;
                steps[at + 1] -= 1;
            }
            None if opens => waiting.push(at),
            None => {}
        }
    }
    let mut depth = 0;
    steps
        .iter()
        .take(tokens.len())
        .map(|step| {
            depth += step;
            depth > 0
        })
        .collect()
}

enum Side {
    /// Opens what this closes.
    Opens(char),
    Closes,
    /// Opens or closes, as it comes.
    Both,
}

fn side(c: char) -> Side {
    let closer = match c {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '（' => '）',
        '［' => '］',
        '【' => '】',
        '〔' => '〕',
        '「' => '」',
        '『' => '』',
        '｢' => '｣',
        '《' => '》',
        '〈' => '〉',
        '«' => '»',
        '‹' => '›',
        '„' => '“',
        '‚' => '‘',
        ')' | ']' | '}' | '）' | '］' | '】' | '〕' | '」' | '』' | '｣' | '》' | '〉' => {
            return Side::Closes;
        }
        // These open in some languages and close in others.
        _ => return Side::Both,
    };
    Side::Opens(closer)
}
