//! How many tokens a text has, by estimate.
//!
//! Vendors count differently and most do not say how. The weights below lie
//! between two well-known tokenizers, an older and a newer one, for ordinary
//! text of each script; the test has both counts. Letters without meaning cost
//! up to twice as much as is said here, which is why budgets leave a margin.

/// What an entry of a conversation costs beside its words.
pub const ENTRY_TOKENS: u32 = 4;

/// How many tokens a text has, by estimate.
pub fn tokens(text: &str) -> u32 {
    let twentieths: u64 = text.chars().map(weight).sum();
    u32::try_from(twentieths.div_ceil(20)).unwrap_or(u32::MAX)
}

/// The beginning of a text that has at most so many tokens.
pub fn first_tokens(text: &str, most: u32) -> &str {
    let most = u64::from(most) * 20;
    let mut sum = 0;
    for (at, c) in text.char_indices() {
        sum += weight(c);
        if sum > most {
            return &text[..at];
        }
    }
    text
}

/// Twentieths of a token.
const fn weight(c: char) -> u64 {
    match c {
        'a'..='z' | 'A'..='Z' => 5,
        ' ' => 1,
        '0'..='9' => 9,
        '\n' => 8,
        // Signs and controls.
        '\0'..='\x7f' => 13,
        // Latin with accents, and the quotes and dashes of books.
        '\u{80}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{2010}'..='\u{203a}' => 10,
        // Greek.
        '\u{370}'..='\u{3ff}' => 13,
        // Cyrillic.
        '\u{400}'..='\u{52f}' => 8,
        // Hebrew and Arabic.
        '\u{590}'..='\u{77f}' => 12,
        // The scripts of India, Thailand and their neighbours.
        '\u{900}'..='\u{10ff}' | '\u{1780}'..='\u{17ff}' => 13,
        // Kana.
        '\u{3040}'..='\u{30ff}' => 17,
        // What joins or colours emoji.
        '\u{200d}' | '\u{fe0f}' => 20,
        // Emoji.
        '\u{1f000}'..='\u{1faff}' => 40,
        // Chinese, Korean, and everything else.
        _ => 20,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted by `o200k_base` and `cl100k_base`.
    const COUNTED: &[(u32, u32, &str)] = &[
        (10, 10, "The quick brown fox jumps over the lazy dog."),
        (
            26,
            26,
            "Could you please tell me how to brew green tea properly? I always let it steep for too long, and it gets bitter.",
        ),
        (15, 15, "lol ok brb, gonna grab food!!! u coming 2nite???"),
        (
            24,
            25,
            "Ada: hello there\nBen: hi Ada, how are you?\nKaiwa: I am fine, thank you.",
        ),
        (
            16,
            18,
            "L’été où j’ai été à Besançon, il faisait très chaud.",
        ),
        (
            19,
            24,
            "Können Sie mir bitte sagen, wie spät es ist? Die Straßenbahn fährt gleich.",
        ),
        (
            16,
            23,
            "¿Puedes decirme cuánto cuesta el té verde en la tienda de la esquina?",
        ),
        (
            19,
            33,
            "Bạn có thể cho tôi biết cách pha trà xanh không? Tôi luôn ủ quá lâu.",
        ),
        (15, 28, "今天天气很好我们去公园散步吧，你觉得怎么样？"),
        (
            18,
            29,
            "今日はとても天気がいいですね。散歩に行きましょうか。",
        ),
        (12, 14, "オレンジジュースとコーヒーをください"),
        (18, 35, "오늘 날씨가 아주 좋네요. 공원에 산책하러 갈까요?"),
        (
            19,
            28,
            "Привет! Можешь рассказать, как правильно заваривать зелёный чай?",
        ),
        (17, 37, "مرحبا، هل يمكنك أن تخبرني كيف أعد الشاي الأخضر؟"),
        (14, 41, "שלום, אתה יכול להגיד לי איך מכינים תה ירוק?"),
        (20, 44, "สวัสดี คุณช่วยบอกวิธีชงชาเขียวให้หน่อยได้ไหม"),
        (21, 56, "नमस्ते, क्या आप मुझे बता सकते हैं कि हरी चाय कैसे बनाते हैं?"),
        (
            24,
            46,
            "Γεια σου, μπορείς να μου πεις πώς φτιάχνω πράσινο τσάι;",
        ),
        (19, 34, "🙂🙂🎉🔥👍🏽👨‍👩‍👧‍👦"),
        (
            27,
            27,
            "3.14159265358979 and 1234567890 and 2026-11-17 01:23:45",
        ),
        (
            35,
            35,
            "fn main() {\n    let x: Vec<u32> = (0..10).map(|i| i * i).collect();\n    println!(\"{x:?}\");\n}",
        ),
        (
            21,
            21,
            "{\"name\":\"tea\",\"temperature\":80,\"minutes\":[2,3,4],\"ok\":true}",
        ),
        (
            31,
            31,
            "<@123456789012345678> <:tea:987654321098765432> https://example.com/a/b?c=d&e=f#g",
        ),
        (17, 17, "| a | b |\n|---|---|\n| 1 | 2 |"),
    ];

    #[test]
    fn the_estimate_is_near_what_is_counted() {
        for (newer, older, text) in COUNTED {
            let estimate = tokens(text);
            let least = f64::from(*newer) * 0.75;
            let most = f64::from(*newer.max(older)) * 1.3;
            let found = f64::from(estimate);
            assert!(
                (least..=most).contains(&found),
                "{estimate} for {newer} to {older}: {text}"
            );
        }
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("a"), 1);
    }
}
