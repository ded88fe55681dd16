//! Secrets that can be told from everything else, and where to look for them.
//!
//! Every [story](crate::story::Story) is searched when it ends, unless it has
//! failed already: no token and no key may be in what the bot logged, in what a
//! model was told, or in a file of the bot.

use std::fs;
use std::path::Path;

use memchr::memmem::Finder;

/// Looks for secrets.
pub struct Canary {
    secrets: Vec<String>,
    found: Vec<String>,
}

impl Canary {
    /// Looks for these. What is too short to be told from other text is left
    /// out.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let telling = secrets.into_iter().filter(|it| it.len() >= 16);
        Self {
            secrets: telling.collect(),
            found: Vec::new(),
        }
    }

    /// Looks at something, whose name is `place`.
    pub fn search(&mut self, place: &str, bytes: &[u8]) {
        for secret in &self.secrets {
            if Finder::new(secret).find(bytes).is_some() {
                let start: String = secret.chars().take(12).collect();
                self.found.push(format!("{start}… is in {place}"));
            }
        }
    }

    /// Looks at all files in a folder. One that cannot be read is gone.
    pub fn search_files(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                self.search_files(&path);
            } else if let Ok(bytes) = fs::read(&path) {
                self.search(&path.to_string_lossy(), &bytes);
            }
        }
    }

    /// Nothing was found.
    ///
    /// # Panics
    /// If something was.
    pub fn assert_silent(self) {
        assert!(self.found.is_empty(), "{}", self.found.join("; "));
    }
}
