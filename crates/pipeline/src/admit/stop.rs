//! Does this message tell us to stop?
//!
//! Only a message that is nothing but the wish counts, perhaps with a name, a
//! "please" or a short reason around it. People write "stop" in the middle of
//! sentences that wish for nothing of the kind.

/// What people say, in lower case and without punctuation.
const PHRASES: &[&str] = &[
    // English
    "stop",
    "stop it",
    "stop that",
    "stop now",
    "stop talking",
    "stop writing",
    "stop there",
    "enough",
    "thats enough",
    "that is enough",
    "thatll do",
    "halt",
    "cancel",
    "cancel that",
    "abort",
    "quit",
    "quit it",
    "shut up",
    "be quiet",
    "quiet",
    "hush",
    "wait",
    "hold on",
    "never mind",
    "nevermind",
    "forget it",
    "cut it out",
    "esc",
    // German, Dutch
    "stopp",
    "halt stopp",
    "hör auf",
    "aufhören",
    "genug",
    "es reicht",
    "das reicht",
    "warte",
    "schluss",
    "ruhe",
    "hou op",
    "genoeg",
    // French, Spanish, Portuguese, Italian
    "arrête",
    "arrete",
    "arrêtez",
    "ça suffit",
    "assez",
    "tais toi",
    "attends",
    "para",
    "parar",
    "detente",
    "detén",
    "alto",
    "basta",
    "ya basta",
    "cállate",
    "espera",
    "pare",
    "chega",
    "cala a boca",
    "fermati",
    "smettila",
    "smetti",
    "aspetta",
    // Polish, Turkish, Russian, Ukrainian
    "przestań",
    "dość",
    "wystarczy",
    "dur",
    "yeter",
    "стоп",
    "хватит",
    "остановись",
    "перестань",
    "подожди",
    "досить",
    "зупинись",
    // Indonesian, Vietnamese
    "berhenti",
    "cukup",
    "dừng lại",
    "thôi",
    // Japanese, Chinese, Korean
    "やめて",
    "やめろ",
    "とめて",
    "止めて",
    "止まって",
    "ストップ",
    "待って",
    "まって",
    "もういい",
    "もういいよ",
    "停",
    "停止",
    "停下",
    "别说了",
    "別說了",
    "够了",
    "夠了",
    "等等",
    "住口",
    "闭嘴",
    "閉嘴",
    "그만",
    "그만해",
    "멈춰",
    "중지",
    "잠깐",
];

/// Words around the wish that change nothing.
const COURTESIES: &[&str] = &[
    "please",
    "pls",
    "plz",
    "ok",
    "okay",
    "alright",
    "hey",
    "oh",
    "no",
    "just",
    "now",
    "thanks",
    "thank",
    "you",
    "bitte",
    "danke",
    "por",
    "favor",
    "gracias",
    "svp",
    "merci",
    "пожалуйста",
    "ください",
    "お願い",
];

/// The most words of a wish with a reason, as in "stop, I get it".
const MOST_WORDS: usize = 6;

/// The longest text that is looked at, in bytes.
const MOST_BYTES: usize = 200;

/// Whether `text` tells somebody called `name` to stop, and nothing else.
pub(super) fn says_stop(text: &str, name: &str) -> bool {
    if text.len() > MOST_BYTES || text.contains(['?', '？', '؟', '\n']) {
        return false;
    }
    let name = name.to_lowercase();
    let mut clauses = text
        .split([
            ',', '.', '!', ';', ':', '…', '—', '–', '、', '。', '！', '，',
        ])
        .map(|clause| words(clause, &name))
        .filter(|words| !words.iter().all(|word| COURTESIES.contains(&word.as_str())));
    let Some(first) = clauses.next() else {
        return false;
    };
    let rest: usize = clauses.map(|words| words.len()).sum();
    is_phrase(&first) && first.len() + rest <= MOST_WORDS
}

/// The words of a clause in lower case, without tags, the name, and
/// punctuation.
fn words(clause: &str, name: &str) -> Vec<String> {
    clause
        .split_whitespace()
        .filter(|word| !(word.starts_with('<') && word.ends_with('>')))
        .map(|word| {
            let letters = word.chars().filter(|c| c.is_alphanumeric());
            letters.collect::<String>().to_lowercase()
        })
        .filter(|word| !word.is_empty() && word != name)
        .collect()
}

/// Whether the words are a phrase, once courtesies at both ends are gone.
fn is_phrase(words: &[String]) -> bool {
    let polite = |word: &String| COURTESIES.contains(&word.as_str());
    let from = words.iter().take_while(|word| polite(word)).count();
    let to = words.len()
        - words[from..]
            .iter()
            .rev()
            .take_while(|word| polite(word))
            .count();
    [words, &words[from..to]]
        .iter()
        .any(|words| PHRASES.contains(&words.join(" ").as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_and_what_only_looks_like_one() {
        fn check(text: &str, expect: bool) {
            assert_eq!(says_stop(text, "Kaiwa"), expect, "{text:?}");
        }
        for wish in [
            "stop",
            "STOP!!!",
            "Stop.",
            "<@1> stop",
            "stop <@1>",
            "Kaiwa, stop",
            "kaiwa stop please",
            "please stop",
            "ok stop",
            "Okay, stop",
            "stop, I get it",
            "That's enough.",
            "that’s enough",
            "enough!",
            "wait",
            "no, wait",
            "never mind",
            "stop it now please",
            "やめて",
            "ストップ！",
            "Hör auf!",
            "ça suffit",
            "хватит",
            "够了",
            "그만해",
            "🛑 stop",
        ] {
            check(wish, true);
        }
        for other in [
            "",
            "!!!",
            "<@1>",
            "please",
            "can you stop?",
            "stop?",
            "I can't wait to hear more",
            "don't stop",
            "never stop",
            "how do I stop a process",
            "the bus stop is over there",
            "stop words are removed first",
            "tell me when to stop",
            "enough about me, tell me of you and of your day",
            "wait for it",
            "stop\nand tell me",
            "why did they quit",
            "pause the music",
            "stop, hammer time, and then the whole crowd goes wild",
        ] {
            check(other, false);
        }
    }
}
