//! What the model is told of its tools and its notes.

use super::*;

fn tool(name: &str, when: When) -> Tool {
    Tool {
        name: name.into(),
        description: "".into(),
        schema: "{}".into(),
        when,
    }
}

#[test]
fn the_template_tells_of_the_tools_that_are_there() {
    let mut scene = Scene::new(Vec::new(), question("Ada", "x"));
    let told = |scene: &Scene| {
        let sections = scene.compose().sections;
        let rules = sections.into_iter().find(|it| it.title == "actions");
        rules.map(|it| it.text).unwrap_or_default()
    };
    assert_eq!(told(&scene), "");
    scene.tools = vec![tool("search", When::InLoop)];
    let rules = told(&scene);
    assert!(rules.contains("before you reply: search. You may use them in at most 3 rounds"));
    assert!(!rules.contains("These act"), "{rules}");
    scene.tools.push(tool("react", When::AfterReply));
    assert!(told(&scene).contains("after your reply was posted: react. "));
}

/// Wherever an operator puts the rules, they leave no trace where the tools are
/// not to be had.
#[test]
fn the_rules_of_tools_can_be_taken_out() {
    let rules = "{{ section('actions') }}{% if actions %}Rules.{% endif %}";
    for (template, with, without) in [
        (
            format!("A{rules}{{{{ section('b') }}}}B"),
            "A\n\nRules.\n\nB",
            "A\n\nB",
        ),
        (
            format!("{rules}{{{{ section('b') }}}}B"),
            "Rules.\n\nB",
            "B",
        ),
        (format!("A{rules}"), "A\n\nRules.", "A"),
        (
            rules.to_owned() + "{{ section('b') }}{{ topic }}",
            "Rules.",
            "",
        ),
        ("A".to_owned(), "A", "A"),
    ] {
        let mut scene = Scene::new(Vec::new(), question("Ada", "x"));
        scene.template = Template::new(&template).unwrap();
        scene.tools = vec![tool("search", When::InLoop)];
        let brief = scene.compose().brief;
        assert_eq!(brief.system, with, "{template}");
        assert_eq!(brief.system_without_tools(), without, "{template}");
        scene.tools.clear();
        let brief = scene.compose().brief;
        assert_eq!(brief.system_without_tools(), brief.system, "{template}");
    }
}

#[test]
fn notes_are_asked_for_where_they_are_kept() {
    let mut scene = Scene::new(Vec::new(), question("Ada", "x"));
    assert!(!scene.compose().brief.system.contains("<details>"));
    scene.notes = true;
    assert!(scene.compose().brief.system.contains("<details>"));
}

/// What came in circles draws the next answer after it.
#[test]
fn an_answer_in_circles_is_shown_with_one_round() {
    let mut history = conversation(&[("Ada", "tea?")]);
    for n in 0..30 {
        let text = "I'm sorry. I'm sorry. I'm sorry.";
        history.push(record(said(ago(1, n + 1), "Kaiwa", text)));
    }
    history.push(record(said(ago(0, 1), "Ben", &"no ".repeat(300))));
    let mut scene = Scene::new(history, question("Ada", "again"));
    let lines = scene.lines();
    assert!(
        lines.contains("Assistant| I'm sorry.\nUser| Ben: no no no"),
        "{lines}"
    );
    assert_eq!(lines.matches("no no no no").count(), 75, "people may");
    scene.rules.shorten_circles = false;
    assert_eq!(scene.lines().matches("I'm sorry").count(), 90);
}
