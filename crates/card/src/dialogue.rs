//! Sample dialogues, which stand in one text.

/// Stands before each of them.
pub(crate) const START: &str = "<START>";

/// Begins what somebody says whom the character talks with.
const USERS: [&str; 2] = ["{{user}}", "<user>"];

/// How long the name before a turn is, in bytes.
const LABEL: usize = 64;

/// The dialogues of a text, of at most so many characters, and how many pieces
/// are longer. Long ones are split where somebody begins to speak.
pub(crate) fn split(text: &str, most: usize) -> (Vec<&str>, usize) {
    let mut pieces = Pieces {
        most,
        kept: Vec::new(),
        too_long: 0,
    };
    let mut rest = text;
    while let Some(at) = find_start(rest) {
        pieces.put(&rest[..at], &[begins_question, begins_turn]);
        rest = &rest[at + START.len()..];
    }
    pieces.put(rest, &[begins_question, begins_turn]);
    (pieces.kept, pieces.too_long)
}

/// Where the next mark is, whatever its case.
fn find_start(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut places = bytes.windows(START.len());
    places.position(|window| window.eq_ignore_ascii_case(START.as_bytes()))
}

struct Pieces<'a> {
    most: usize,
    kept: Vec<&'a str>,
    too_long: usize,
}

impl<'a> Pieces<'a> {
    /// Keeps a piece, or what it is made of by the first rule that helps.
    fn put(&mut self, piece: &'a str, begins: &[fn(&str) -> bool]) {
        let piece = piece.trim();
        if piece.is_empty() {
            return;
        }
        if piece.chars().nth(self.most).is_none() {
            self.kept.push(piece);
            return;
        }
        let Some((begins, finer)) = begins.split_first() else {
            self.too_long += 1;
            return;
        };
        // As much as fits is one dialogue.
        let (mut from, mut chars, mut at) = (0, 0, 0);
        for turn in turns(piece, *begins) {
            let length = turn.chars().count();
            if at > from && chars + length > self.most {
                self.put(&piece[from..at], finer);
                (from, chars) = (at, 0);
            }
            chars += length;
            at += turn.len();
        }
        self.put(&piece[from..], finer);
    }
}

/// A text, cut before the lines that begin something.
fn turns(text: &str, begins: fn(&str) -> bool) -> Vec<&str> {
    let mut turns = Vec::new();
    let (mut from, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        if begins(line) && at > from {
            turns.push(&text[from..at]);
            from = at;
        }
        at += line.len();
    }
    turns.push(&text[from..]);
    turns
}

fn begins_question(line: &str) -> bool {
    let line = line.trim_start().as_bytes();
    USERS.iter().any(|user| {
        let head = line.get(..user.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(user.as_bytes()))
    })
}

fn begins_turn(line: &str) -> bool {
    let line = line.trim_start();
    let colon = line.find([':', '：', '\n']);
    colon.is_some_and(|at| (1..=LABEL).contains(&at) && !line[at..].starts_with('\n'))
}
