//! Who speaks.

use std::fmt;

/// Names a persona within its scope.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PersonaId(u32);

impl PersonaId {
    /// The bot itself.
    pub const MAIN: Self = Self(0);

    /// Wraps a raw number.
    pub const fn new(raw: u32) -> Self {
        Self(raw)
    }

    /// The raw number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for PersonaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who speaks: the bot itself, or an alter with a name of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Persona {
    /// Its name within the scope.
    pub id: PersonaId,
    /// The name people see.
    pub name: String,
    /// How it speaks, in words for the model.
    pub personality: String,
}
