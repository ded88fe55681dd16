//! What is drawn around a name.

/// What is drawn around a name: `**`, `_`, `[` …
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The byte it is made of; 0 for none.
    mark: u8,
    pub(super) length: usize,
}

impl Frame {
    pub(super) fn of(text: &str) -> Self {
        let mark = text.bytes().next().unwrap_or(0);
        let length = match mark {
            b'*' | b'_' => text.bytes().take_while(|&byte| byte == mark).count(),
            b'[' => 1,
            _ => return Self { mark: 0, length: 0 },
        };
        Self { mark, length }
    }

    pub(super) fn closing(self) -> &'static str {
        match (self.mark, self.length) {
            (0, _) => "",
            (b'[', _) => "]",
            (b'*', length @ 1..=3) => &"***"[..length],
            (b'_', length @ 1..=3) => &"___"[..length],
            _ => "\n",
        }
    }

    /// The name in front of the closing frame, and whether the frame closes.
    pub(super) fn close(self, inner: &str) -> (&str, bool) {
        let inner = inner.trim_end_matches([' ', '\t']);
        match inner.strip_suffix(self.closing()) {
            Some(name) => (name.trim_end(), true),
            None => (inner, false),
        }
    }
}
