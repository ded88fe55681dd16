//! A card is read into a persona that fits, or refused; what is read can be
//! written in every format and read again.
#![no_main]

use std::collections::HashMap;

use kaiwa_domain::{CardFormat, Persona};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    let _ = kaiwa_card::read_preset(file);
    let Ok(card) = kaiwa_card::read(file) else {
        return;
    };
    let (persona, _, _) = card.fitted(|_| None);
    assert_eq!(persona.check(), Ok(()));
    for format in CardFormat::ALL {
        let written = kaiwa_card::write(&persona, &HashMap::new(), format).expect("it fits");
        let again = kaiwa_card::read(&written).expect("it is a card").persona;
        assert_eq!(
            Persona {
                card: None,
                ..again
            },
            Persona {
                card: None,
                ..persona.clone()
            }
        );
    }
});
