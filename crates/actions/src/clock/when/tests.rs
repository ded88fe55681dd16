use super::*;
use proptest::prelude::{ProptestConfig, any, proptest};

/// A Tuesday in the late morning.
const NOW: &str = "2026-11-17T10:30:00[Europe/Paris]";

fn shown(text: &str, now: &str) -> Result<String, BadTiming> {
    let now: Zoned = now.parse().unwrap();
    read(text, &now).map(|timing| {
        let first = timing.first.strftime("%a %Y-%m-%d %H:%M").to_string();
        match timing.again {
            Some(again) => format!("{first} / {again}"),
            None => first,
        }
    })
}

fn check(text: &str, expected: Result<&str, BadTiming>) {
    assert_eq!(shown(text, NOW), expected.map(str::to_owned), "{text:?}");
}

fn check_all(table: &[(&str, &str)]) {
    for (text, expected) in table {
        check(text, Ok(expected));
    }
}

#[test]
fn lengths_of_time_are_from_now() {
    check_all(&[
        ("in 20 minutes", "Tue 2026-11-17 10:50"),
        ("20m", "Tue 2026-11-17 10:50"),
        ("1h30m", "Tue 2026-11-17 12:00"),
        ("1h30", "Tue 2026-11-17 12:00"),
        ("PT20M", "Tue 2026-11-17 10:50"),
        ("in an hour", "Tue 2026-11-17 11:30"),
        ("in about an hour", "Tue 2026-11-17 11:30"),
        ("in half an hour", "Tue 2026-11-17 11:00"),
        ("half an hour from now", "Tue 2026-11-17 11:00"),
        ("an hour and a half later", "Tue 2026-11-17 12:00"),
        ("after 10 minutes", "Tue 2026-11-17 10:40"),
        ("in a couple of hours", "Tue 2026-11-17 12:30"),
        ("two weeks from now", "Tue 2026-12-01 10:30"),
        ("In 3 days", "Fri 2026-11-20 10:30"),
        ("in a week's time", "Tue 2026-11-24 10:30"),
        ("in 2 days at 5pm", "Thu 2026-11-19 17:00"),
        ("at 5pm in 2 days", "Thu 2026-11-19 17:00"),
        ("3 days from now at noon", "Fri 2026-11-20 12:00"),
        ("in 2 weeks in the morning", "Tue 2026-12-01 09:00"),
        ("a week from friday", "Fri 2026-11-27 09:00"),
        ("a week from tomorrow at 8", "Wed 2026-11-25 08:00"),
        ("+10m", "Tue 2026-11-17 10:40"),
        ("in 1½ hours", "Tue 2026-11-17 12:00"),
    ]);
}

#[test]
fn times_of_the_clock_are_the_next_such() {
    check_all(&[
        ("at 7pm", "Tue 2026-11-17 19:00"),
        ("7 pm", "Tue 2026-11-17 19:00"),
        ("7 p.m.", "Tue 2026-11-17 19:00"),
        ("at 7.30pm", "Tue 2026-11-17 19:30"),
        ("at 7.30", "Wed 2026-11-18 07:30"),
        ("18.30", "Tue 2026-11-17 18:30"),
        ("@ 18:30", "Tue 2026-11-17 18:30"),
        ("at 9", "Wed 2026-11-18 09:00"),
        ("at nine", "Wed 2026-11-18 09:00"),
        ("9 o'clock", "Wed 2026-11-18 09:00"),
        ("at around 9", "Wed 2026-11-18 09:00"),
        ("12:15", "Tue 2026-11-17 12:15"),
        ("18:00:00", "Tue 2026-11-17 18:00"),
        ("12am", "Wed 2026-11-18 00:00"),
        ("at 1830", "Tue 2026-11-17 18:30"),
        ("at 18h30", "Tue 2026-11-17 18:30"),
        ("24:00", "Wed 2026-11-18 00:00"),
        ("noon", "Tue 2026-11-17 12:00"),
        ("at midnight", "Wed 2026-11-18 00:00"),
        ("half past 5", "Wed 2026-11-18 05:30"),
        ("half past five in the afternoon", "Tue 2026-11-17 17:30"),
        ("at a quarter past 5 pm", "Tue 2026-11-17 17:15"),
        ("quarter to 6 tonight", "Tue 2026-11-17 17:45"),
        ("ten to six pm", "Tue 2026-11-17 17:50"),
        ("20 past 11", "Tue 2026-11-17 11:20"),
        ("five minutes past 11", "Tue 2026-11-17 11:05"),
        ("seven thirty pm", "Tue 2026-11-17 19:30"),
    ]);
}

#[test]
fn a_part_of_the_day_says_which_half_of_it() {
    check_all(&[
        ("tonight", "Tue 2026-11-17 20:00"),
        ("tonight at 8", "Tue 2026-11-17 20:00"),
        ("at 8 tonight", "Tue 2026-11-17 20:00"),
        ("tonight at 8:15", "Tue 2026-11-17 20:15"),
        ("tonight at 23:00", "Tue 2026-11-17 23:00"),
        ("tonight at 12", "Wed 2026-11-18 00:00"),
        ("tonight at 2", "Wed 2026-11-18 02:00"),
        ("tonight at 1am", "Wed 2026-11-18 01:00"),
        ("at midnight tonight", "Wed 2026-11-18 00:00"),
        ("tonight at midnight", "Wed 2026-11-18 00:00"),
        ("today at midnight", "Wed 2026-11-18 00:00"),
        ("this evening", "Tue 2026-11-17 19:00"),
        ("this evening at 8", "Tue 2026-11-17 20:00"),
        ("this afternoon at 3", "Tue 2026-11-17 15:00"),
        ("8 in the evening", "Tue 2026-11-17 20:00"),
        ("at 8 in the morning", "Wed 2026-11-18 08:00"),
        ("in the morning", "Wed 2026-11-18 09:00"),
        ("tomorrow morning", "Wed 2026-11-18 09:00"),
        ("tomorrow morning at 8", "Wed 2026-11-18 08:00"),
        ("tomorrow night at 11", "Wed 2026-11-18 23:00"),
        ("tomorrow night at 12", "Thu 2026-11-19 00:00"),
        ("friday evening at 7", "Fri 2026-11-20 19:00"),
        ("tomorrow afternoon", "Wed 2026-11-18 15:00"),
        ("today at noon", "Tue 2026-11-17 12:00"),
        ("11 at night", "Tue 2026-11-17 23:00"),
    ]);
    // Who is up after midnight means the night that is.
    let late = "2026-11-17T00:30:00[Europe/Paris]";
    for (text, expected) in [
        ("tonight at 2", "Tue 2026-11-17 02:00"),
        ("tonight at 8", "Tue 2026-11-17 20:00"),
        ("midnight tonight", "Wed 2026-11-18 00:00"),
    ] {
        assert_eq!(shown(text, late).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn days_are_named_in_many_ways() {
    check_all(&[
        ("tomorrow", "Wed 2026-11-18 09:00"),
        ("tomorrow at 9", "Wed 2026-11-18 09:00"),
        ("tomorrow at nine", "Wed 2026-11-18 09:00"),
        ("tomorrow 9", "Wed 2026-11-18 09:00"),
        ("tmrw 9am", "Wed 2026-11-18 09:00"),
        ("at 8:30 tomorrow", "Wed 2026-11-18 08:30"),
        ("tomorrow 6 pm", "Wed 2026-11-18 18:00"),
        ("tomorrow 18h", "Wed 2026-11-18 18:00"),
        ("the day after tomorrow at 7", "Thu 2026-11-19 07:00"),
        ("today at 18:00", "Tue 2026-11-17 18:00"),
        ("next friday 18:00", "Fri 2026-11-20 18:00"),
        ("this friday", "Fri 2026-11-20 09:00"),
        ("friday", "Fri 2026-11-20 09:00"),
        ("on fri at 5pm", "Fri 2026-11-20 17:00"),
        ("tues at 11", "Tue 2026-11-17 11:00"),
        ("tuesday at 11", "Tue 2026-11-17 11:00"),
        ("tuesday at 10", "Tue 2026-11-24 10:00"),
        ("next tuesday at 11", "Tue 2026-11-24 11:00"),
        ("friday next week", "Fri 2026-11-27 09:00"),
        ("next week on friday at 5pm", "Fri 2026-11-27 17:00"),
        ("next week", "Mon 2026-11-23 09:00"),
        ("next week at 8", "Mon 2026-11-23 08:00"),
        ("the week after next", "Mon 2026-11-30 09:00"),
        ("next month", "Tue 2026-12-01 09:00"),
        ("next year", "Fri 2027-01-01 09:00"),
        ("this weekend", "Sat 2026-11-21 09:00"),
        ("on the weekend at noon", "Sat 2026-11-21 12:00"),
        ("the 15th at noon", "Tue 2026-12-15 12:00"),
        ("on the 31st", "Thu 2026-12-31 09:00"),
        ("the 20th", "Fri 2026-11-20 09:00"),
        ("the twenty-first at 6pm", "Sat 2026-11-21 18:00"),
        ("the 5th of next month", "Sat 2026-12-05 09:00"),
        ("end of the month", "Mon 2026-11-30 09:00"),
        ("last day of next month at 18:00", "Thu 2026-12-31 18:00"),
    ]);
}

#[test]
fn dates_are_written_in_many_ways() {
    check_all(&[
        ("2026-12-24 18:00", "Thu 2026-12-24 18:00"),
        ("2026-12-24 18:00:00", "Thu 2026-12-24 18:00"),
        ("2026-12-24 at 6pm", "Thu 2026-12-24 18:00"),
        ("2026/12/24 18:00", "Thu 2026-12-24 18:00"),
        ("2026-12-24", "Thu 2026-12-24 09:00"),
        ("2026-12-24T18:00", "Thu 2026-12-24 18:00"),
        ("2026-12-24t18:00", "Thu 2026-12-24 18:00"),
        ("2026-12-24T18:00Z", "Thu 2026-12-24 19:00"),
        ("2026-12-24T18:00:00+09:00", "Thu 2026-12-24 10:00"),
        ("24 december at 18:00", "Thu 2026-12-24 18:00"),
        ("dec 24th, 6pm", "Thu 2026-12-24 18:00"),
        ("Dec. 24 6pm", "Thu 2026-12-24 18:00"),
        ("December 24, 2026 at 6:00 PM", "Thu 2026-12-24 18:00"),
        ("Thursday, December 24 at 6pm", "Thu 2026-12-24 18:00"),
        ("december the twenty-fourth", "Thu 2026-12-24 09:00"),
        ("the second of march", "Tue 2027-03-02 09:00"),
        ("on the 1st of march 2028", "Wed 2028-03-01 09:00"),
        ("march 1", "Mon 2027-03-01 09:00"),
        ("march 1 next year", "Mon 2027-03-01 09:00"),
        ("feb 29", "Tue 2028-02-29 09:00"),
        ("12/24 at 6pm", "Thu 2026-12-24 18:00"),
        ("24/12 18:00", "Thu 2026-12-24 18:00"),
        ("12/24/2026", "Thu 2026-12-24 09:00"),
        ("24.12. 18:00", "Thu 2026-12-24 18:00"),
        ("5.12.", "Sat 2026-12-05 09:00"),
        ("5.12.2026 at 8", "Sat 2026-12-05 08:00"),
        ("<t:1798131600:R>", "Thu 2026-12-24 18:00"),
        ("Thu, 24 Dec 2026 18:00:00 GMT", "Thu 2026-12-24 18:00"),
        ("Thu, 24 Dec 2026 18:00:00 +0900", "Thu 2026-12-24 18:00"),
        ("2026-12-24 18:00 +09:00", "Thu 2026-12-24 18:00"),
    ]);
}

#[test]
fn a_zone_may_be_named() {
    for (text, expected) in [
        ("5pm UTC", "2026-11-17T17:00:00+00:00[UTC]"),
        ("tomorrow 9am JST", "2026-11-18T09:00:00+09:00[Asia/Tokyo]"),
        (
            "tomorrow at 9 Tokyo time",
            "2026-11-18T09:00:00+09:00[Asia/Tokyo]",
        ),
        (
            "at 9 in New York",
            "2026-11-17T09:00:00-05:00[America/New_York]",
        ),
        (
            "at 9 America/New_York",
            "2026-11-17T09:00:00-05:00[America/New_York]",
        ),
        ("19:00 UTC+9", "2026-11-17T19:00:00+09:00[Asia/Tokyo]"),
        ("18:00 UTC+5:30", "2026-11-17T18:00:00+05:30[Asia/Kolkata]"),
        (
            "every day at 9 PST",
            "2026-11-17T09:00:00-08:00[America/Los_Angeles]",
        ),
        ("日本時間の明日9時", "2026-11-18T09:00:00+09:00[Asia/Tokyo]"),
        (
            "2026-12-24T18:00[Asia/Tokyo]",
            "2026-12-24T18:00:00+09:00[Asia/Tokyo]",
        ),
        (
            "2026-12-24 18:00 Asia/Tokyo",
            "2026-12-24T18:00:00+09:00[Asia/Tokyo]",
        ),
        (
            "2026-12-24 18:00 [Asia/Tokyo]",
            "2026-12-24T18:00:00+09:00[Asia/Tokyo]",
        ),
        (
            "2026-12-24T18:00+09:00[Asia/Tokyo]",
            "2026-12-24T18:00:00+09:00[Asia/Tokyo]",
        ),
    ] {
        let read = read(text, &NOW.parse().unwrap()).unwrap().first.to_string();
        // An offset has no city.
        let read = read.replace("Etc/GMT-9", "Asia/Tokyo");
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn japanese_is_understood() {
    check_all(&[
        ("20分後", "Tue 2026-11-17 10:50"),
        ("30分後に", "Tue 2026-11-17 11:00"),
        ("1時間後に", "Tue 2026-11-17 11:30"),
        ("２時間後", "Tue 2026-11-17 12:30"),
        ("一時間半後", "Tue 2026-11-17 12:00"),
        ("あと10分", "Tue 2026-11-17 10:40"),
        ("今から30分後", "Tue 2026-11-17 11:00"),
        ("三日後", "Fri 2026-11-20 10:30"),
        ("3日後の9時", "Fri 2026-11-20 09:00"),
        ("一週間後の午後3時", "Tue 2026-11-24 15:00"),
        ("10分", "Tue 2026-11-17 10:40"),
        ("明日9時", "Wed 2026-11-18 09:00"),
        ("明日の午後3時半", "Wed 2026-11-18 15:30"),
        ("明日の朝9時", "Wed 2026-11-18 09:00"),
        ("明日の夜8時", "Wed 2026-11-18 20:00"),
        ("明後日の昼1時", "Thu 2026-11-19 13:00"),
        ("しあさって9時", "Fri 2026-11-20 09:00"),
        ("今夜8時", "Tue 2026-11-17 20:00"),
        ("今夜0時", "Wed 2026-11-18 00:00"),
        ("今夜25時", "Wed 2026-11-18 01:00"),
        ("夕方5時", "Tue 2026-11-17 17:00"),
        ("午前0時", "Wed 2026-11-18 00:00"),
        ("午後0時15分", "Tue 2026-11-17 12:15"),
        ("正午に", "Tue 2026-11-17 12:00"),
        ("金曜日18時15分", "Fri 2026-11-20 18:15"),
        ("来週の金曜", "Fri 2026-11-27 09:00"),
        ("来週金曜日の18時", "Fri 2026-11-27 18:00"),
        ("再来週の金曜", "Fri 2026-12-04 09:00"),
        ("今週の金曜", "Fri 2026-11-20 09:00"),
        ("次の金曜日", "Fri 2026-11-20 09:00"),
        ("来週", "Mon 2026-11-23 09:00"),
        ("来月", "Tue 2026-12-01 09:00"),
        ("来月5日の10時", "Sat 2026-12-05 10:00"),
        ("月末", "Mon 2026-11-30 09:00"),
        ("15日9時", "Tue 2026-12-15 09:00"),
        ("12月24日18時", "Thu 2026-12-24 18:00"),
        ("12月24日(木)18時", "Thu 2026-12-24 18:00"),
        ("十二月二十四日十八時", "Thu 2026-12-24 18:00"),
        ("2026年12月24日 18:00", "Thu 2026-12-24 18:00"),
        ("12/5の9時", "Sat 2026-12-05 09:00"),
        ("毎日8時", "Wed 2026-11-18 08:00 / days 1 480"),
        ("毎朝7時", "Wed 2026-11-18 07:00 / days 1 420"),
        ("毎晩9時", "Tue 2026-11-17 21:00 / days 1 1260"),
        ("明日から毎日9時", "Wed 2026-11-18 09:00 / days 1 540"),
        ("平日9時", "Wed 2026-11-18 09:00 / weekdays 31 540"),
        ("毎週月曜8時", "Mon 2026-11-23 08:00 / weekdays 1 480"),
        (
            "毎週月曜と木曜の18時",
            "Thu 2026-11-19 18:00 / weekdays 9 1080",
        ),
        (
            "毎週月・水・金 9時",
            "Wed 2026-11-18 09:00 / weekdays 21 540",
        ),
        ("毎週土日の10時", "Sat 2026-11-21 10:00 / weekdays 96 600"),
        (
            "月曜から金曜まで9時",
            "Wed 2026-11-18 09:00 / weekdays 31 540",
        ),
        ("隔週月曜9時", "Mon 2026-11-23 09:00 / days 14 540"),
        ("3時間ごとに", "Tue 2026-11-17 13:30 / hours 3"),
        ("2日ごとに8時", "Wed 2026-11-18 08:00 / days 2 480"),
        ("毎月15日9時", "Tue 2026-12-15 09:00 / months 1 15 540"),
        ("毎月末日の18時", "Mon 2026-11-30 18:00 / months 1 31 1080"),
        (
            "毎年12月24日18時",
            "Thu 2026-12-24 18:00 / months 12 24 1080",
        ),
        ("毎時", "Tue 2026-11-17 11:30 / hours 1"),
        ("今週末", "Sat 2026-11-21 09:00"),
        ("今月末の18時", "Mon 2026-11-30 18:00"),
        ("明日の夕方", "Wed 2026-11-18 17:00"),
        ("あした9じ", "Wed 2026-11-18 09:00"),
        ("毎月末", "Mon 2026-11-30 09:00 / months 1 31 540"),
        ("毎週末", "Sat 2026-11-21 09:00 / weekdays 96 540"),
    ]);
}

#[test]
fn some_things_happen_again() {
    check_all(&[
        ("every day at 8", "Wed 2026-11-18 08:00 / days 1 480"),
        ("everyday at 8", "Wed 2026-11-18 08:00 / days 1 480"),
        ("at 9 every day", "Wed 2026-11-18 09:00 / days 1 540"),
        ("once a day at 8", "Wed 2026-11-18 08:00 / days 1 480"),
        ("daily", "Wed 2026-11-18 09:00 / days 1 540"),
        ("daily at 18:00", "Tue 2026-11-17 18:00 / days 1 1080"),
        ("daily at midnight", "Wed 2026-11-18 00:00 / days 1 0"),
        ("every morning at 7", "Wed 2026-11-18 07:00 / days 1 420"),
        ("every night at 10", "Tue 2026-11-17 22:00 / days 1 1320"),
        ("every evening", "Tue 2026-11-17 19:00 / days 1 1140"),
        (
            "every day starting tomorrow at 11",
            "Wed 2026-11-18 11:00 / days 1 660",
        ),
        ("every monday at 8", "Mon 2026-11-23 08:00 / weekdays 1 480"),
        ("mondays at 9", "Mon 2026-11-23 09:00 / weekdays 1 540"),
        ("fridays", "Fri 2026-11-20 09:00 / weekdays 16 540"),
        (
            "every mon, wed and fri 7:30",
            "Wed 2026-11-18 07:30 / weekdays 21 450",
        ),
        (
            "mon/wed/fri every week at 8",
            "Wed 2026-11-18 08:00 / weekdays 21 480",
        ),
        (
            "tuesdays and thursdays at 6pm",
            "Tue 2026-11-17 18:00 / weekdays 10 1080",
        ),
        (
            "monday to friday at 9",
            "Wed 2026-11-18 09:00 / weekdays 31 540",
        ),
        ("mon-fri 9:00", "Wed 2026-11-18 09:00 / weekdays 31 540"),
        (
            "every friday to monday at 9",
            "Fri 2026-11-20 09:00 / weekdays 113 540",
        ),
        ("weekdays at 9", "Wed 2026-11-18 09:00 / weekdays 31 540"),
        (
            "every weekday at 12",
            "Tue 2026-11-17 12:00 / weekdays 31 720",
        ),
        ("every weekend", "Sat 2026-11-21 09:00 / weekdays 96 540"),
        (
            "weekly on sunday at 20:00",
            "Sun 2026-11-22 20:00 / weekdays 64 1200",
        ),
        ("every other monday", "Mon 2026-11-23 09:00 / days 14 540"),
        ("every second friday", "Fri 2026-11-20 09:00 / days 14 540"),
        (
            "every 2nd friday at 8",
            "Fri 2026-11-20 08:00 / days 14 480",
        ),
        (
            "every 2 weeks on monday",
            "Mon 2026-11-23 09:00 / days 14 540",
        ),
        (
            "every two weeks on monday at 8",
            "Mon 2026-11-23 08:00 / days 14 480",
        ),
        (
            "fortnightly on friday",
            "Fri 2026-11-20 09:00 / days 14 540",
        ),
        ("every 3 hours", "Tue 2026-11-17 13:30 / hours 3"),
        ("every three hours", "Tue 2026-11-17 13:30 / hours 3"),
        ("every 60 minutes", "Tue 2026-11-17 11:30 / hours 1"),
        ("every 120 minutes", "Tue 2026-11-17 12:30 / hours 2"),
        ("hourly", "Tue 2026-11-17 11:30 / hours 1"),
        ("every hour", "Tue 2026-11-17 11:30 / hours 1"),
        ("every 2 days at 7", "Wed 2026-11-18 07:00 / days 2 420"),
        ("every other day at 7", "Wed 2026-11-18 07:00 / days 2 420"),
        ("every third day at 7", "Wed 2026-11-18 07:00 / days 3 420"),
        (
            "every month on the 15th",
            "Tue 2026-12-15 09:00 / months 1 15 540",
        ),
        (
            "monthly on the 1st at 8",
            "Tue 2026-12-01 08:00 / months 1 1 480",
        ),
        (
            "on the 15th of every month at 8",
            "Tue 2026-12-15 08:00 / months 1 15 480",
        ),
        ("every 15th", "Tue 2026-12-15 09:00 / months 1 15 540"),
        ("every month", "Thu 2026-12-17 10:30 / months 1 17 630"),
        (
            "every 3 months on the 1st",
            "Tue 2026-12-01 09:00 / months 3 1 540",
        ),
        (
            "last day of every month",
            "Mon 2026-11-30 09:00 / months 1 31 540",
        ),
        (
            "every year on december 24",
            "Thu 2026-12-24 09:00 / months 12 24 540",
        ),
        (
            "every december 24 at 6pm",
            "Thu 2026-12-24 18:00 / months 12 24 1080",
        ),
        (
            "yearly on feb 29",
            "Sun 2027-02-28 09:00 / months 12 29 540",
        ),
        ("annually", "Wed 2027-11-17 10:30 / months 12 17 630"),
        (
            "every 4th of july",
            "Sun 2027-07-04 09:00 / months 12 4 540",
        ),
        ("mornings at 8", "Wed 2026-11-18 08:00 / days 1 480"),
        ("monday mornings", "Mon 2026-11-23 09:00 / weekdays 1 540"),
        (
            "first day of every month",
            "Tue 2026-12-01 09:00 / months 1 1 540",
        ),
        (
            "monthly on day 15",
            "Tue 2026-12-15 09:00 / months 1 15 540",
        ),
        (
            "every workday at 9",
            "Wed 2026-11-18 09:00 / weekdays 31 540",
        ),
    ]);
}

/// Whatever second it is said in.
#[test]
fn what_is_repeated_begins_after_its_span() {
    for second in ["00", "29", "30", "40", "59"] {
        let now = format!("2026-11-17T10:30:{second}[Europe/Paris]");
        for (text, expected) in [
            ("every week", "Tue 2026-11-24 10:30 / days 7 630"),
            ("every 2 weeks", "Tue 2026-12-01 10:30 / days 14 630"),
            ("every two weeks", "Tue 2026-12-01 10:30 / days 14 630"),
            ("every 2 days", "Thu 2026-11-19 10:30 / days 2 630"),
            ("every week at 11", "Tue 2026-11-17 11:00 / days 7 660"),
        ] {
            assert_eq!(
                shown(text, &now).as_deref(),
                Ok(expected),
                "{text} at :{second}"
            );
        }
    }
}

#[test]
fn what_names_no_moment_to_come_is_refused() {
    use BadTiming::{NotUnderstood, Past, TooOften};
    for text in [
        "",
        "soon",
        "now",
        "when the tea is ready",
        "tomorrow or friday",
        "today tomorrow",
        "at 25:00",
        "at 9:5",
        "13pm",
        "31 february",
        "every",
        "every purple at 9",
        "every day until friday",
        "every day next week",
        "9 to 5",
        "december",
        "every hour at 9",
        "in 2 hours at 5pm",
        "tonight at 8am",
        "3pm in the morning",
        "this week",
        "every february 31",
        "every 0 days",
        "end of the day",
        "999999999 years",
        "18:00:75",
        "2日おき",
        "毎週祝日",
        "\u{200b}",
        "🕘",
    ] {
        check(text, Err(NotUnderstood));
    }
    for (text, why) in [
        ("2020-01-01", Past),
        ("today at 8", Past),
        ("this morning", Past),
        ("every 5 minutes", TooOften),
        ("every 30 seconds", TooOften),
        ("every half hour", TooOften),
    ] {
        check(text, Err(why));
    }
    check(&"9".repeat(MOST_CHARS + 1), Err(NotUnderstood));
}

#[test]
fn what_could_be_two_moments_is_refused_with_a_reason() {
    use BadTiming::*;
    for (text, why) in [
        ("in 10", InNumber),
        ("in 5", InNumber),
        ("in ten", InNumber),
        ("10", BareNumber),
        ("five", BareNumber),
        ("3日", DayOrDays),
        ("5.12", DayOrMonth),
        ("18.12", DayOrMonth),
        ("5/12", DayOrMonth),
        ("5/12/2027", DayOrMonth),
        ("next weekend", WhichWeek),
        ("in two weeks on monday", WhichWeek),
        ("17h30", TimeOrLength),
        ("monday 23", BareNumber),
        ("sunday next week", WhichWeek),
        ("来週の日曜", WhichWeek),
        ("friday at midnight", WhichMidnight),
        ("midnight tomorrow", WhichMidnight),
        ("every friday at midnight", WhichMidnight),
        ("tomorrow night at 2", WhichNight),
        ("明日の深夜1時", WhichNight),
        ("friday, december 24", WrongWeekday),
        ("monday and friday at 9", SeveralDays),
        ("first monday of the month", NthWeekday),
        ("every third friday", NthWeekday),
        ("last friday of every month", NthWeekday),
        ("every month on monday", NthWeekday),
        ("every 2 weeks on monday and friday", OneWeekday),
        ("biweekly", TwiceOrEveryTwo),
        ("5pm CST", Zone),
        ("9:00 +25:00", Zone),
        ("every 90 minutes", WholeHours),
    ] {
        check(text, Err(why));
        let (english, japanese) = (why.phrase().text("en-US"), why.phrase().text("ja"));
        assert!(english.starts_with("when: ") && japanese.starts_with("いつ: "));
        assert_ne!(english, japanese);
    }
}

/// What the manual and the refusals say can be written can be.
#[test]
fn what_is_proposed_is_understood() {
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/commands.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let (_, times) = manual.split_once("## Times").unwrap();
    let rows = times.lines().filter(|it| it.starts_with("| "));
    let examples = rows.skip(1).filter_map(|row| row.rsplit(" | ").next());
    let examples = examples.flat_map(|it| it.trim_end_matches(" |").split("; "));
    let refusals = [
        "every 4 weeks on monday",
        "every monday and thursday",
        "this saturday",
        "2030-12-24",
        "来週の金曜18時",
        "毎週月曜と木曜",
        "隔週月曜",
        "17時間30分後",
        "12月3日",
    ];
    let mut many = 0;
    for text in examples.chain(refusals) {
        assert!(shown(text, NOW).is_ok(), "{text}: {:?}", shown(text, NOW));
        many += 1;
    }
    assert!(many > 40, "{many}");
}

/// On the last night of March a clock in Paris goes from two to three, on the
/// last of October from three to two.
#[test]
fn days_are_those_of_the_calendar() {
    let spring = "2027-03-27T12:00:00[Europe/Paris]";
    let autumn = "2027-10-31T02:45:00+02:00[Europe/Paris]";
    let again = "2027-10-31T02:45:00+01:00[Europe/Paris]";
    let new_york = "2027-03-13T12:00:00[America/New_York]";
    let tokyo = "2026-11-18T02:00:00[Asia/Tokyo]";
    for (now, text, expected) in [
        (spring, "in 1 day", "2027-03-28T12:00:00+02:00"),
        (spring, "in 24 hours", "2027-03-28T13:00:00+02:00"),
        (spring, "tomorrow at 2:30", "2027-03-28T03:30:00+02:00"),
        (spring, "every day at 2:30", "2027-03-28T03:30:00+02:00"),
        (autumn, "in an hour", "2027-10-31T02:45:00+01:00"),
        (autumn, "at 2:50", "2027-10-31T02:50:00+02:00"),
        (autumn, "at 2:30", "2027-10-31T02:30:00+01:00"),
        (again, "at 2:50", "2027-10-31T02:50:00+01:00"),
        (again, "at 2:30", "2027-11-01T02:30:00+01:00"),
        (again, "tomorrow", "2027-11-01T09:00:00+01:00"),
        (new_york, "tomorrow at 2:30", "2027-03-14T03:30:00-04:00"),
        (new_york, "6pm UTC", "2027-03-13T18:00:00+00:00"),
        (tokyo, "tonight at 8", "2026-11-18T20:00:00+09:00"),
        (tokyo, "tomorrow at 9 PST", "2026-11-18T09:00:00-08:00"),
    ] {
        let read = read(text, &now.parse().unwrap()).unwrap().first.to_string();
        assert!(read.starts_with(expected), "{text} at {now}: {read}");
    }
    // What recurs is not moved by the night that lacks its hour.
    let recurs = shown("every day at 2:30", spring).unwrap();
    assert!(recurs.ends_with("/ days 1 150"), "{recurs}");
}

const WORDS: &[&str] = &[
    "every",
    "next",
    "at",
    "9",
    "18:00",
    "pm",
    "monday",
    "tomorrow",
    "in",
    "2",
    "days",
    "december",
    "24",
    "weekdays",
    "noon",
    "月曜",
    "後",
    "2026-12-24",
    "midnight",
    "tonight",
    "the",
    "15th",
    "month",
    "week",
    "half",
    "past",
    "to",
    "utc",
    "+",
    "a",
    "other",
    "from",
    "last",
    "day",
    "of",
    "ごと",
    "日",
    "月",
    "時",
    "半",
    "end",
    "/",
    ".",
    "-",
    ":",
    "999999999",
    "year",
    "29",
    "feb",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_text_is_too_strange(text in any::<String>()) {
        let _ = read(&text, &NOW.parse().unwrap());
    }

    #[test]
    fn nor_are_words_in_any_order(
        words in proptest::collection::vec(proptest::sample::select(WORDS), 0..10),
        apart in any::<bool>(),
    ) {
        let text = words.join(if apart { " " } else { "" });
        for now in [NOW, "2027-10-31T02:45:00+01:00[Europe/Paris]", "9998-12-31T23:00:00[Asia/Tokyo]"] {
            let now: Zoned = now.parse().unwrap();
            if let Ok(timing) = read(&text, &now) {
                assert!(timing.first > now);
                if let Some(again) = timing.again {
                    assert_eq!(again.to_string().parse(), Ok(again));
                }
            }
        }
    }
}

/// The pieces of a text are looked at a few times each, however long it is: what
/// is quadratic would take minutes.
#[test]
fn long_texts_end_soon() {
    let now: Zoned = NOW.parse().unwrap();
    for word in [
        "9",
        "a ",
        "monday ",
        "一",
        "1h",
        "new york ",
        "america/",
        "every ",
        "and ",
        "twenty-",
    ] {
        let text = word.repeat(100_000 / word.len());
        assert_eq!(read(&text, &now), Err(BadTiming::NotUnderstood));
        let pieces = pieces(&text).unwrap_or_default();
        let _ = crate::duration::spoken_span(&pieces);
        let _ = TimeReader::new(&pieces, false).read();
    }
}
