use super::*;
use proptest::prelude::{ProptestConfig, any, proptest};

fn check(text: &str, seconds: Option<u64>) {
    let read = SpokenDuration::try_from(text.to_owned()).ok();
    assert_eq!(read.map(|it| it.0.as_secs()), seconds, "{text:?}");
}

const M: u64 = 60;
const H: u64 = 60 * M;
const D: u64 = 24 * H;

#[test]
fn people_write_it_in_many_ways() {
    for (text, seconds) in [
        ("45s", 45),
        ("20m", 20 * M),
        ("20 min", 20 * M),
        ("1h30m", H + 30 * M),
        ("1H 30M", H + 30 * M),
        ("1.5h", H + 30 * M),
        ("1,5 h", H + 30 * M),
        (".5h", 30 * M),
        ("1½ hours", 90 * M),
        ("for 10 minutes", 10 * M),
        ("about 2 hours", 2 * H),
        ("1:30:00", H + 30 * M),
        ("3d", 3 * D),
        ("2w", 14 * D),
        ("1 day, 2 hours and 5 minutes", D + 2 * H + 5 * M),
        ("1 day, 2 hours, and 5 minutes", D + 2 * H + 5 * M),
        ("two weeks", 14 * D),
        ("Two Weeks.", 14 * D),
        ("an hour", H),
        ("a minute", M),
        ("twenty-five minutes", 25 * M),
        ("forty five seconds", 45),
        ("half an hour", 30 * M),
        ("an hour and a half", 90 * M),
        ("a couple of days", 2 * D),
        ("a fortnight", 14 * D),
        ("a month", 30 * D),
        ("1 year", 365 * D),
        ("PT90M", 90 * M),
        ("P1DT12H", 36 * H),
        ("30m 1h", 90 * M),
        ("1m30", 90),
        ("1h30", 90 * M),
        ("1h 30m 10s", 90 * M + 10),
        ("1.5 days", 36 * H),
        ("1.5 years", 545 * D),
        ("2.5 weeks", 17 * D + 12 * H),
    ] {
        check(text, Some(seconds));
    }
}

#[test]
fn numbers_are_words_and_halves_too() {
    for (text, seconds) in [
        ("fourteen days", 14 * D),
        ("ninety minutes", 90 * M),
        ("a hundred minutes", 100 * M),
        ("one hundred and twenty minutes", 2 * H),
        ("eighteen hours", 18 * H),
        ("seventy-two hours", 72 * H),
        ("two and a half hours", 150 * M),
        ("two hours and a half", 150 * M),
        ("2 and a half hours", 150 * M),
        ("a minute and a half", 90),
        ("a day and a half", 36 * H),
        ("one and a half hours", 90 * M),
        ("an hour and a quarter", 75 * M),
        ("half hour", 30 * M),
        ("half a minute", 30),
        ("half a day", 12 * H),
        ("a half hour", 30 * M),
        ("a quarter of an hour", 15 * M),
        ("quarter hour", 15 * M),
        ("three quarters of an hour", 45 * M),
        ("a couple hours", 2 * H),
        ("couple of hours", 2 * H),
        ("one fortnight", 14 * D),
        ("two fortnights", 28 * D),
        ("a week and a half", 10 * D + 12 * H),
        ("a month and a half", 45 * D),
        ("half a year", 180 * D),
        ("an hour and ten minutes", 70 * M),
    ] {
        check(text, Some(seconds));
    }
}

#[test]
fn japanese_lengths_are_understood() {
    for (text, seconds) in [
        ("30分", 30 * M),
        ("30分間", 30 * M),
        ("２時間半", 2 * H + 30 * M),
        ("3日間", 3 * D),
        ("3日", 3 * D),
        ("1時間30分", H + 30 * M),
        ("1時間と30分", H + 30 * M),
        ("2週間", 14 * D),
        ("1週", 7 * D),
        ("1ヶ月", 30 * D),
        ("1ヵ月", 30 * D),
        ("一か月", 30 * D),
        ("１ヶ月半", 45 * D),
        ("一時間", H),
        ("二十分", 20 * M),
        ("百二十分", 2 * H),
        ("10分半", 10 * M + 30),
        ("半日", 12 * H),
        ("半時間", 30 * M),
        ("一日半", 36 * H),
        ("90秒", 90),
        ("半年", 180 * D),
    ] {
        check(text, Some(seconds));
    }
}

#[test]
fn what_is_no_length_of_time_is_refused() {
    for text in [
        "",
        " ",
        "soon",
        "5",
        "h",
        "hour",
        "-5m",
        "5m ago",
        "0s",
        "0 days",
        "1h1h",
        "five",
        "1h of tea",
        "twenty twenty minutes",
        "a few minutes",
        "1.2.3 hours",
        "1,000 days",
        "数分",
        "二、三日",
        "半",
        "1.1 months",
        "P",
        "-PT5M",
    ] {
        check(text, None);
        let error = read_span(text).unwrap_err();
        assert_eq!(error, BadDuration::NotUnderstood, "{text:?}");
    }
    check(&"1".repeat(MOST_CHARS + 1), None);
}

#[test]
fn what_could_be_two_lengths_is_refused_with_a_reason() {
    for (text, error) in [
        ("1:30", BadDuration::Ambiguous),
        ("10:00", BadDuration::Ambiguous),
        ("20 years", BadDuration::TooLong),
        ("4000d", BadDuration::TooLong),
        ("999999999 years", BadDuration::NotUnderstood),
        ("99999999999999999999d", BadDuration::NotUnderstood),
    ] {
        assert_eq!(read_span(text).unwrap_err(), error, "{text:?}");
        assert_ne!(error.phrase().text("ja"), error.to_string());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_text_is_too_strange(text in any::<String>()) {
        let _ = SpokenDuration::try_from(text);
    }

    #[test]
    fn nor_are_words_in_any_order(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "1", "a", "half", "and", "hours", "quarter", "of", "couple", ".", ",", "分", "半",
                "hundred", "999999999", "years", "w", "一", ":", "d", "P",
            ]),
            0..16,
        )
    ) {
        let _ = SpokenDuration::try_from(words.concat());
        let _ = SpokenDuration::try_from(words.join(" "));
    }
}
