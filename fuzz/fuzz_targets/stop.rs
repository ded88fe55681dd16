//! Whether a message means stop is decided for every text and name; what is
//! said to nobody and counts also counts when it is said to the bot.
#![no_main]

use kaiwa_pipeline::admit::stop::judge_stop;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str)| {
    let (text, name) = input;
    let addressed = judge_stop(text, name, true);
    let unaddressed = judge_stop(text, name, false);
    assert!(unaddressed.is_err() || addressed.is_ok());
    let twice = format!("{text} {text}");
    let _ = judge_stop(&twice, name, true);
    if text.len() > 400 {
        assert!(addressed.is_err(), "long texts are no wish");
    }
});
