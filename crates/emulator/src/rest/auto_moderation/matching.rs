//! What a rule finds in a message.
//!
//! Discord does not publish its own word lists and its sense for spam: a list
//! is one word here, which stands for the others, and so is spam.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use crate::realm::{Message, ModerationRule, RuleTrigger, TriggerMetadata};

/// The lists of Discord Docs/Auto Moderation, Keyword Preset Types, by what
/// stands for their words.
const PRESETS: [(u64, &str); 3] = [
    (1, "emulated-profanity"),
    (2, "emulated-sexual-content"),
    (3, "emulated-slur"),
];

/// What stands for spam.
const SPAM: &str = "emulated-spam";

/// How much memory a regular expression may need.
const PATTERN_BYTES: usize = 1 << 20;

/// What a rule found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RuleMatch {
    pub(super) keyword: Option<String>,
    pub(super) content: Option<String>,
}

/// What breaks a rule, if anything does.
pub(super) fn broken(rule: &ModerationRule, message: &Message) -> Option<RuleMatch> {
    let metadata = &rule.metadata;
    let words = metadata.keyword_filter.iter().map(String::as_str);
    match rule.trigger {
        RuleTrigger::Keyword => searched(metadata, words, &message.content),
        RuleTrigger::KeywordPreset => {
            let chosen = PRESETS
                .iter()
                .filter(|(id, _)| metadata.presets.contains(id));
            searched(metadata, chosen.map(|(_, word)| *word), &message.content)
        }
        RuleTrigger::MentionSpam => {
            let most = usize::try_from(metadata.mention_total_limit).unwrap_or(usize::MAX);
            let mentioned = message.mentions.len() + message.mention_roles.len();
            (most > 0 && mentioned > most).then(RuleMatch::default)
        }
        RuleTrigger::Spam => {
            let spam = !found(&folded(&message.content), SPAM).is_empty();
            spam.then(RuleMatch::default)
        }
        RuleTrigger::MemberProfile => None,
    }
}

/// What a rule for profiles finds in one of a member's names.
pub(super) fn broken_by_name(rule: &ModerationRule, name: &str) -> Option<RuleMatch> {
    let metadata = &rule.metadata;
    let words = metadata.keyword_filter.iter().map(String::as_str);
    match rule.trigger {
        RuleTrigger::MemberProfile => searched(metadata, words, name),
        _ => None,
    }
}

/// The first keyword or pattern that stands in a text outside of what is
/// allowed.
fn searched<'a>(
    metadata: &TriggerMetadata,
    mut keywords: impl Iterator<Item = &'a str>,
    content: &str,
) -> Option<RuleMatch> {
    let text = folded(content);
    let allowed = metadata.allow_list.iter();
    let allowed: Vec<Range<usize>> = allowed.flat_map(|word| found(&text, word)).collect();
    let counts = |place: &Range<usize>| {
        let mut around = allowed.iter();
        !around.any(|it| it.start <= place.start && place.end <= it.end)
    };
    let matched = |keyword: &str, place: Range<usize>| RuleMatch {
        keyword: Some(keyword.to_owned()),
        content: content.get(place).map(str::to_owned),
    };
    let word = keywords.find_map(|keyword| {
        let place = found(&text, keyword).into_iter().find(counts)?;
        Some(matched(keyword, place))
    });
    word.or_else(|| {
        metadata.regex_patterns.iter().find_map(|it| {
            let regex = pattern(it).ok()?;
            let place = regex.find_iter(content).map(|it| it.range()).find(counts)?;
            Some(matched(it, place))
        })
    })
}

/// A pattern of a rule. They are Rust's, and upper and lower case are the same
/// to them. Discord Support, Filter Messages Using Regular Expressions.
pub(in crate::rest) fn pattern(text: &str) -> Result<Regex, regex::Error> {
    let mut builder = RegexBuilder::new(text);
    builder.case_insensitive(true).size_limit(PATTERN_BYTES);
    builder.build()
}

/// A text in lower case, with every character where it was.
fn folded(text: &str) -> String {
    let fold = |c: char| {
        let mut lower = c.to_lowercase();
        match (lower.next(), lower.next()) {
            (Some(one), None) if one.len_utf8() == c.len_utf8() => one,
            _ => c,
        }
    };
    text.chars().map(fold).collect()
}

/// Where a keyword stands in a folded text: as whole words, unless a star at
/// its beginning or end lets the word go on. Discord Docs/Auto Moderation,
/// Keyword Matching Strategies.
fn found(text: &str, keyword: &str) -> Vec<Range<usize>> {
    let keyword = folded(keyword);
    let (open_left, open_right) = (keyword.starts_with('*'), keyword.ends_with('*'));
    let core = keyword.trim_matches('*').trim();
    if core.is_empty() {
        return Vec::new();
    }
    let finder = memchr::memmem::Finder::new(core);
    let ends = |at: Option<char>| at.is_none_or(|c| !c.is_alphanumeric());
    finder
        .find_iter(text.as_bytes())
        .map(|start| start..start + core.len())
        .filter(|place| {
            let left = text[..place.start].chars().next_back();
            let right = text[place.end..].chars().next();
            (open_left || ends(left)) && (open_right || ends(right))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Discord Docs/Auto Moderation, Keyword Matching Strategies.
    #[test]
    fn keywords_are_whole_words_unless_a_star_says_otherwise() {
        let check = |keyword: &str, text: &str, expected: bool| {
            let found = !found(&folded(text), keyword).is_empty();
            assert_eq!(found, expected, "{keyword} in {text}");
        };
        for (text, expected) in [
            ("cat", [true, true, true, true]),
            ("a Cat!", [true, true, true, true]),
            ("catch", [false, true, false, true]),
            ("tomcat", [false, false, true, true]),
            ("location", [false, false, false, true]),
            ("dog", [false, false, false, false]),
        ] {
            for (keyword, expected) in ["cat", "cat*", "*cat", "*cat*"].iter().zip(expected) {
                check(keyword, text, expected);
            }
        }
        check("the mat", "on The Mat today", true);
        check("猫*", "猫が", true);
        check("*", "anything", false);
        check("", "anything", false);
    }

    #[test]
    fn patterns_and_lists_are_looked_for_outside_of_what_is_allowed() {
        let check = |pattern: &str, allow: &[&str], text: &str, expected: Option<&str>| {
            let metadata = TriggerMetadata {
                regex_patterns: vec![pattern.to_owned()],
                allow_list: allow.iter().map(|it| (*it).to_owned()).collect(),
                ..TriggerMetadata::default()
            };
            let found = searched(&metadata, std::iter::empty(), text);
            let content = found.and_then(|it| it.content);
            assert_eq!(content.as_deref(), expected, "{pattern} in {text}");
        };
        check("(b|c)at", &[], "a Bat", Some("Bat"));
        check("(?-i)(b|c)at", &[], "a Bat", None);
        check(
            r"^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$",
            &[],
            "127.0.0.1",
            Some("127.0.0.1"),
        );
        check("word", &["good*"], "a goodword, a badword", Some("word"));
        check("word", &["good*", "*word"], "a goodword, a badword", None);
        // A letter that is longer in lower case moves nothing.
        check("bad", &["badge"], "İİİ badge bad", Some("bad"));
        assert!(pattern("(").is_err() && pattern(r"\w{90}{90}").is_err());
    }
}
