//! A conversation that is too much for a model, made less.

use std::sync::Arc;

use kaiwa_domain::{Abilities, Brief, Line};

/// What stands where a picture was for which there was no room.
const LEFT_OUT: &str = "(a picture was left out for want of room)";

/// What stands where a picture was that the model cannot see.
const UNSEEN: &str = "(a picture that you cannot see)";

/// The brief for a model that may be able to do less than the favourite. It is
/// the same one, and nothing is copied, where that makes no difference.
pub(super) fn suited(brief: &Arc<Brief>, abilities: Abilities) -> Arc<Brief> {
    let mut suited = Arc::clone(brief);
    if !abilities.vision && brief.lines.iter().any(Line::has_images) {
        for line in &mut Arc::make_mut(&mut suited).lines {
            blind(line, UNSEEN);
        }
    }
    if !abilities.tools && (!brief.tools.is_empty() || brief.tool_rules.is_some()) {
        let brief = Arc::make_mut(&mut suited);
        brief.system = brief.system_without_tools();
        brief.tool_rules = None;
        brief.tools.clear();
    }
    suited
}

/// Drops the older half of the lines, and then the pictures, of which those of
/// the last question stay unless there was nothing else to drop. The last
/// question and what follows it stays, and no call is parted from its results.
/// Says whether anything was dropped.
pub(super) fn shrink(brief: &mut Brief) -> bool {
    let lines = &mut brief.lines;
    let is_question = |line: &Line| matches!(line, Line::User { .. });
    let question = lines.iter().rposition(is_question).unwrap_or(lines.len());
    let mut end = lines.len().div_ceil(2).min(question);
    // Results stay with their calls: all of them go, or none.
    while end < question && matches!(lines.get(end), Some(Line::Tool(_))) {
        end += 1;
    }
    lines.drain(..end);
    let question = question - end;
    let older = lines.iter_mut().take(question);
    let dropped = older.filter_map(|line| blind(line, LEFT_OUT)).count();
    let all = lines.iter_mut().filter_map(|line| blind(line, LEFT_OUT));
    end > 0 || dropped > 0 || all.count() > 0
}

/// Puts words in the place of the pictures of a line, if there are any.
fn blind(line: &mut Line, words: &str) -> Option<()> {
    match line {
        Line::User { text, images } if !images.is_empty() => {
            for _ in images.drain(..) {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(words);
            }
            Some(())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use kaiwa_domain::{Image, Tool, ToolCall, ToolResult, When};

    use super::*;

    /// `u` is a question, `p` one with a picture, `a` our words, `c` a call
    /// and `r` a result.
    fn brief(shape: &str) -> Brief {
        let image = Image {
            media_type: "image/png",
            bytes: Arc::from([1_u8]),
        };
        let line = |kind| match kind {
            'u' => Line::user("u".to_owned()),
            'p' => Line::User {
                text: "u".to_owned(),
                images: vec![image.clone()],
            },
            'a' => Line::assistant("a".to_owned()),
            'c' => Line::Assistant {
                text: String::new(),
                thoughts: Vec::new(),
                calls: vec![ToolCall {
                    id: "1".to_owned(),
                    name: "look".to_owned(),
                    arguments: "{}".to_owned(),
                    signature: None,
                }],
            },
            _ => Line::Tool(ToolResult {
                call: "1".to_owned(),
                name: "look".to_owned(),
                text: String::new(),
                failed: false,
            }),
        };
        Brief {
            lines: shape.chars().map(line).collect(),
            ..Brief::default()
        }
    }

    fn shape(brief: &Brief) -> String {
        let kind = |line: &Line| match line {
            Line::User { images, .. } if !images.is_empty() => 'p',
            Line::User { text, .. } if text.ends_with(LEFT_OUT) => 'x',
            Line::User { .. } => 'u',
            Line::Assistant { calls, .. } if !calls.is_empty() => 'c',
            Line::Assistant { .. } => 'a',
            Line::Tool(_) => 'r',
        };
        brief.lines.iter().map(kind).collect()
    }

    #[test]
    fn a_model_gets_what_it_can_use() {
        let check = |tools, vision, expect: (usize, usize)| {
            let mut brief = brief("pap");
            brief.tools.push(Tool {
                name: "look".into(),
                description: "".into(),
                schema: "{}".into(),
                when: When::InLoop,
            });
            let abilities = Abilities {
                tools,
                vision,
                thinking: false,
            };
            let brief = Arc::new(brief);
            let suited = suited(&brief, abilities);
            assert_eq!(Arc::ptr_eq(&suited, &brief), tools && vision);
            let seen = suited.lines.iter().filter(|line| line.has_images());
            assert_eq!((suited.tools.len(), seen.count()), expect);
            let told = suited.lines[0].text().ends_with(UNSEEN);
            assert_eq!(told, !vision);
        };
        check(true, true, (1, 2));
        check(true, false, (1, 0));
        check(false, true, (0, 2));
    }

    #[test]
    fn the_older_half_goes_and_the_question_stays() {
        fn check(before: &str, after: &str) {
            let mut brief = brief(before);
            let shrunk = shrink(&mut brief);
            assert_eq!(shape(&brief), after, "{before}");
            assert_eq!(shrunk, before != after, "{before}");
        }
        check("uauau", "au");
        check("uau", "u");
        check("uu", "u");
        check("u", "u");
        check("", "");
        // Calls and their results stay together.
        check("ucrrrau", "au");
        check("ucrrau", "au");
        check("uucrau", "au");
        // What follows the question is the answer in the making.
        check("uaucr", "ucr");
        check("ucrcr", "ucrcr");
        // Pictures: the older ones, then those of the question.
        check("uaupap", "xap");
        check("pap", "p");
        check("p", "x");
        check("pcr", "xcr");
    }
}
