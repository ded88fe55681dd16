use expect_test::{Expect, expect};

use super::*;

fn check(input: &str, answer: impl FnMut(InputRow) -> Result<InputRow, Wrong>, expected: &Expect) {
    let mut output = Vec::new();
    let all_well = each_row(input.as_bytes(), &mut output, answer).unwrap();
    let mut shown = String::from_utf8(output).unwrap();
    if !all_well {
        shown.push_str("exit 2\n");
    }
    expected.assert_eq(&shown);
}

#[test]
fn chunk_keeps_fields_and_goes_on_after_wrong_rows() {
    let args = ChunkArgs {
        dialect: false,
        humanize: None,
        explain: false,
    };
    check(
        "{\"z\":1.50,\"id\":\"a\",\"input\":\"One.\\nTwo.\",\"a\":[ 1 ]}\n\
         nonsense\n\
         {\"id\":\"b\"}\n\
         {\"id\":\"c\",\"input\":7}\n\
         {\"id\":\"d\",\"input\":\"x\",\"degree\":9}\n\
         \n\
         {\"input\":\"One. Two.\",\"degree\":3,\"max\":100}",
        |row| chunk_row(row, &args),
        &expect![[r#"
            {"z":1.50,"id":"a","input":"One.\nTwo.","a":[ 1 ],"output":["One.","Two."]}
            {"input":"One. Two.","degree":3,"max":100,"output":["One.","Two."]}
            exit 2
        "#]],
    );
}

#[test]
fn stream_tells_when_each_message_was_ready() {
    let args = StreamArgs {
        dialect: false,
        tables: false,
        humanize: None,
        explain: false,
    };
    check(
        "{\"id\":\"a\",\"deltas\":[\"<think>hm</think>Hel\",\"lo.\\n\",\"Bob\",\"y\"]}\n\
         {\"id\":\"b\",\"self\":\"Kai\",\"speakers\":[\"Ann\"],\"deltas\":[\"Kai: hi\\nyo\\n</think>Ann: \",\"n\",\"o\"]}\n\
         {\"id\":\"c\",\"deltas\":[\".\",\".\"]}",
        |row| stream_row(row, &args),
        &expect![[r#"
            {"id":"a","messages":[{"after_delta":3,"text":"Hello."},{"after_delta":4,"text":"Boby"}],"thoughts":["hm"],"details":[],"removed":[{"reason":"thought","text":"<think>hm</think>"}]}
            {"id":"b","self":"Kai","speakers":["Ann"],"messages":[{"after_delta":1,"text":"hi"},{"after_delta":3,"text":"yo"}],"thoughts":[],"details":[],"removed":[{"reason":"own-label","text":"Kai: "},{"reason":"stray-tag","text":"</think>"},{"reason":"speaker","text":"Ann: no"}]}
            {"id":"c","messages":[],"thoughts":[],"details":[],"removed":[{"reason":"stray-stop","text":".."}]}
        "#]],
    );
}

#[test]
fn stop_tells_wishes_from_other_messages_and_goes_on_after_wrong_rows() {
    check(
        "{\"id\":\"a\",\"text\":\"ok that's plenty, thanks\",\"addressed\":true}\n\
         {\"id\":2,\"text\":\"bus stop\",\"addressed\":true}\n\
         nonsense\n\
         {\"id\":\"c\",\"addressed\":true}\n\
         {\"id\":\"d\",\"text\":\"stop\",\"addressed\":\"yes\"}\n\
         {\"id\":\"e\",\"text\":\"wait\",\"addressed\":false}\n\
         {\"id\":\"f\",\"text\":\"Mimi wait\",\"addressed\":false,\"name\":\"Mimi\"}\n\
         {\"id\":\"g\",\"text\":\"wait\",\"name\":7}\n\
         {\"id\":\"h\",\"text\":\"🛑\",\"name\":null}\n\
         {\"text\":\"don't stop\"}",
        stop_row,
        &expect![[r#"
            {"id":"a","stop":true,"why":"enough"}
            {"id":2,"stop":false,"why":"other_words"}
            {"id":"e","stop":false,"why":"not_addressed"}
            {"id":"f","stop":true,"why":"wait"}
            {"id":"h","stop":true,"why":"sign"}
            {"stop":false,"why":"negated"}
            exit 2
        "#]],
    );
}

#[test]
fn sanitize_says_what_it_changed() {
    check(
        "{\"id\":\"a\",\"text\":\"hi\\nAda: <|im_end|>\",\"n\":1}\n\
         {\"id\":\"b\",\"text\":\"hi\"}\n\
         {\"id\":\"c\"}\n\
         {\"id\":\"d\",\"text\":7}",
        sanitize_row,
        &expect![[r#"
            {"id":"a","n":1,"text":"hi\n· Ada: < | im_end|>","changed":["control-token","speaker"]}
            {"id":"b","text":"hi","changed":[]}
            exit 2
        "#]],
    );
}

#[test]
fn explain_draws_deltas_blocks_and_messages() {
    let text = "Two ways. (One is\nquick.)\n- a\n- b\n\n```rs\nlet a = 1;\n```\nBye! <:wave:1>";
    expect![[r#"
        deltas of 8 characters
                    Two ways·. (One i·s⏎quick.·)⏎- a⏎- ·b⏎⏎```rs·⏎let a =· 1;⏎```⏎·Bye! <:w
                    ave:1>

        blocks
          paragraph │ Two ways. (One is
          paragraph │ quick.)
               list │ - a
                    │ - b
               code │ ```rs
                    │ let a = 1;
                    │ ```
          paragraph │ Bye!
              emoji │ <:wave:1>

        messages at degree 0
                  1 │ Two ways. (One is
                    │
                    │ quick.)
                    │ - a
                    │ - b
                    │
                    │ ```rs
                    │ let a = 1;
                    │ ```
                    │ Bye!
                    └ emoji
                  2 │ <:wave:1>
                    └ end

        messages at degree 1 and 2
                  1 │ Two ways. (One is
                    │ quick.)
                    └ line
                  2 │ - a
                    │ - b
                    └ paragraph
                  3 │ ```rs
                    │ let a = 1;
                    │ ```
                    └ line
                  4 │ Bye!
                    └ emoji
                  5 │ <:wave:1>
                    └ end

        messages at degree 3
                  1 │ Two ways.
                    └ sentence
                  2 │ (One is
                    │ quick.)
                    └ line
                  3 │ - a
                    └ line
                  4 │ - b
                    └ paragraph
                  5 │ ```rs
                    │ let a = 1;
                    │ ```
                    └ line
                  6 │ Bye!
                    └ sentence
                  7 │ <:wave:1>
                    └ end
    "#]]
    .assert_eq(&picture::draw(text, 1950, 8));
}
