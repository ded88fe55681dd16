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
        let mark = match text.bytes().next() {
            Some(mark @ (b'*' | b'_')) => mark,
            Some(b'[') => {
                return Self {
                    mark: b'[',
                    length: 1,
                };
            }
            _ => return Self { mark: 0, length: 0 },
        };
        Self {
            mark,
            length: text.bytes().take_while(|&byte| byte == mark).count(),
        }
    }

    pub(super) fn closing(self) -> &'static str {
        match (self.mark, self.length) {
            (b'*', 1) => "*",
            (b'*', 2) => "**",
            (b'*', 3) => "***",
            (b'_', 1) => "_",
            (b'_', 2) => "__",
            (b'_', 3) => "___",
            (b'[', _) => "]",
            (0, _) => "",
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
