//! Lists that fit into a message.

/// How long a list may be, in what Discord counts: UTF-16. There is room left for
/// what stands above and below it.
pub(crate) const LIST_UTF16: usize = 1700;

/// How many of the lines fit, and how much room is left.
pub(crate) fn fitting(lines: &[String], room: usize) -> (usize, usize) {
    let mut left = room;
    for (count, line) in lines.iter().enumerate() {
        let length = line.encode_utf16().count() + 1;
        if length > left {
            return (count, left);
        }
        left -= length;
    }
    (lines.len(), left)
}

/// As many lines as fit, with how many more there are, and how much room is left.
pub(crate) fn cut(lines: &[String], room: usize) -> (String, usize) {
    let (count, left) = fitting(lines, room);
    let mut shown = lines[..count].join("\n");
    if count < lines.len() {
        shown += &format!("\n… +{}", lines.len() - count);
    }
    (shown, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_says_what_it_leaves_out() {
        let lines = ["one", "two", "three"].map(str::to_owned);
        assert_eq!(cut(&lines, 100), ("one\ntwo\nthree".to_owned(), 86));
        assert_eq!(cut(&lines, 9), ("one\ntwo\n… +1".to_owned(), 1));
        // Discord counts most pictures twice.
        let lines = ["🍵🍵".to_owned()];
        assert_eq!(cut(&lines, 5), ("🍵🍵".to_owned(), 0));
        assert_eq!(fitting(&lines, 4), (0, 4));
    }
}
