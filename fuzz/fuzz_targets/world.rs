//! A world file is read or refused with the line at fault; what was read can be
//! lived in, kept and restored. So is a recording.
#![no_main]

use kaiwa_emulator::{Emulator, Recording, World};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = Recording::read(text);
    let _ = Emulator::restore(World::default(), text.as_bytes());
    match World::from_toml(text) {
        Err(error) => assert!(error.line >= 1 && error.line <= text.lines().count() + 1),
        Ok(world) => {
            let emulator = Emulator::new(world.clone());
            let kept = emulator.snapshot().expect("a snapshot");
            let again = Emulator::restore(world, &kept).expect("the same world");
            assert_eq!(again.ready(), emulator.ready());
        }
    }
});
