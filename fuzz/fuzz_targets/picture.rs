//! An image from outside is fitted or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    if let Ok(image) = kaiwa_picture::fit(file) {
        assert!(!image.bytes.is_empty());
    }
});
