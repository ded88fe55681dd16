//! Whatever somebody posts, the emulator takes it or refuses it with one of
//! Discord's codes, and what it took can be kept and read again.
#![no_main]

use std::sync::LazyLock;

use kaiwa_emulator::{Emulator, World};
use libfuzzer_sys::fuzz_target;

struct Stage {
    emulator: Emulator,
    author: String,
    channel: String,
}

static STAGE: LazyLock<Stage> = LazyLock::new(|| {
    let emulator = Emulator::new(World::default().without_limits().with_seed(1));
    let ready = emulator.ready();
    Stage {
        emulator,
        author: ready.users[0].id.clone(),
        channel: ready.channels["general"].clone(),
    }
});

fuzz_target!(|input: &[u8]| {
    let Ok(body) = serde_json::from_slice(input) else {
        return;
    };
    let Stage {
        emulator,
        author,
        channel,
    } = &*STAGE;
    match emulator.post(author, channel, body) {
        Ok(message) => assert!(message["id"].is_string()),
        Err(code) => assert!(code >= 10_000, "{code} is none of Discord's"),
    }
});
