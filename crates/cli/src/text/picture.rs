//! A picture of how a text becomes messages.

use std::fmt::Write;

use kaiwa_pipeline::deliver::{BlockKind, Degree, DeliverySettings, blocks, chunk};

/// How wide the deltas are drawn, in characters.
const WIDTH: usize = 72;

/// Draws the deltas, the blocks, and the messages at each degree with why each
/// one ends.
pub(super) fn draw(text: &str, max: usize, delta: usize) -> String {
    let mut drawn = String::new();
    draw_deltas(text, delta, &mut drawn);
    drawn.push_str("\nblocks\n");
    for block in blocks(text) {
        draw_lines(name(block.kind), &text[block.range], &mut drawn);
    }
    for (number, name) in [(0, "0"), (1, "1 and 2"), (3, "3")] {
        let settings = DeliverySettings {
            degree: Degree::from_number(number).unwrap_or_default(),
            max,
            dialect: false,
            explain: true,
            ..DeliverySettings::default()
        };
        let chunked = chunk(text, &settings);
        let mut ends = chunked.explained.iter().map(|change| change.reason);
        let _ = writeln!(drawn, "\nmessages at degree {name}");
        for (index, message) in chunked.messages.iter().enumerate() {
            draw_lines(&(index + 1).to_string(), message, &mut drawn);
            let why = ends.find(|reason| reason.ends_message());
            let _ = writeln!(
                drawn,
                "{:>11} └ {}",
                "",
                why.map_or("end", |why| why.name())
            );
        }
    }
    drawn
}

fn draw_deltas(text: &str, delta: usize, drawn: &mut String) {
    let _ = writeln!(drawn, "deltas of {delta} characters");
    let shown: Vec<char> = text.replace('\n', "⏎").chars().collect();
    let per_line = (WIDTH / (delta + 1)).max(1);
    for line in shown.chunks(delta * per_line) {
        let deltas = line.chunks(delta).map(String::from_iter);
        let _ = writeln!(drawn, "{:>11} {}", "", deltas.collect::<Vec<_>>().join("·"));
    }
}

/// Draws lines beside what they are called.
fn draw_lines(name: &str, lines: &str, drawn: &mut String) {
    for (index, line) in lines.lines().enumerate() {
        let name = if index == 0 { name } else { "" };
        let _ = writeln!(drawn, "{}", format!("{name:>11} │ {line}").trim_end());
    }
}

const fn name(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Paragraph => "paragraph",
        BlockKind::List => "list",
        BlockKind::Quote => "quote",
        BlockKind::Heading => "heading",
        BlockKind::Subtext => "subtext",
        BlockKind::Code => "code",
        BlockKind::Table => "table",
        BlockKind::Rule => "rule",
        BlockKind::Formula => "formula",
        BlockKind::Emoji => "emoji",
    }
}
