//! The design's invariants, checked on the text of the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

/// Which of our crates each crate may see. Everything points one way.
const LAYERS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("failpoint", &[]),
    ("pipeline", &["domain"]),
    ("card", &["domain"]),
    ("provider", &["domain"]),
    ("discord", &["domain"]),
    ("store", &["domain"]),
    ("picture", &["domain"]),
    ("egress", &["domain"]),
    ("actions", &["card", "domain", "egress"]),
    ("twins", &["domain"]),
    ("understudy", &[]),
    ("server", &[]),
    ("emulator", &["server"]),
    ("runtime", &["card", "domain", "failpoint", "pipeline"]),
    ("web", &["server"]),
    (
        "cli",
        &[
            "actions",
            "card",
            "domain",
            "discord",
            "egress",
            "emulator",
            "picture",
            "pipeline",
            "provider",
            "runtime",
            "store",
            "understudy",
            "web",
        ],
    ),
];

/// Libraries that only some crates may use.
const FENCED: &[(&str, &[&str])] = &[
    ("twilight-", &["discord"]),
    ("sqlx", &["store"]),
    ("reqwest", &["discord", "egress", "provider"]),
    ("cosmic-text", &["picture"]),
    ("tiny-skia", &["picture"]),
    ("axum", &["cli", "emulator", "server", "understudy", "web"]),
    ("hyper", &["server", "web"]),
];

/// What the pure crates may use beside each other.
const PURE: &[(&str, &[&str])] = &[
    (
        "domain",
        &["futures-core", "sha2", "thiserror", "unicode-width"],
    ),
    (
        "pipeline",
        &[
            "memchr",
            "minijinja",
            "serde_json",
            "unicode-normalization",
            "unicode-segmentation",
        ],
    ),
];

const STAGES: [&str; 4] = ["admit", "brief", "converse", "deliver"];

/// Names without a subject attract everything.
const BANNED_NAMES: &[&str] = &[
    "common", "core", "handler", "handlers", "helper", "helpers", "manager", "misc", "mod",
    "service", "services", "util", "utils",
];

const MAX_LINES: usize = 800;

/// The text files of the tree, by their path from the root.
fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !matches!(&*name, "target" | ".git" | "node_modules" | "data") {
                    folders.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                files.push((shown(&path), text));
            }
        }
    }
    assert!(files.len() > 50, "the tree was not found");
    files
}

fn shown(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap();
    path.to_string_lossy().replace('\\', "/")
}

/// The names under `[dependencies]` of a crate.
fn dependencies(name: &str) -> BTreeSet<String> {
    let path: PathBuf = root().join("crates").join(name).join("Cargo.toml");
    let manifest: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
    let table = manifest.get("dependencies").and_then(toml::Value::as_table);
    table
        .map(|table| table.keys().cloned().collect())
        .unwrap_or_default()
}

fn none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn crates_depend_one_way() {
    let mut problems = Vec::new();
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        let name = folder.unwrap().file_name().to_string_lossy().into_owned();
        let Some((_, may)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
            problems.push(format!("crates/{name} has no row in LAYERS"));
            continue;
        };
        for dependency in dependencies(&name) {
            if let Some(ours) = dependency.strip_prefix("kaiwa-") {
                if !may.contains(&ours) {
                    problems.push(format!("crates/{name} must not depend on {dependency}"));
                }
                continue;
            }
            for (fenced, users) in FENCED {
                if dependency.starts_with(fenced) && !users.contains(&&*name) {
                    problems.push(format!(
                        "only {users:?} may depend on {dependency}, not {name}"
                    ));
                }
            }
            if let Some((_, may)) = PURE.iter().find(|(pure, _)| *pure == name)
                && !may.contains(&&*dependency)
            {
                problems.push(format!(
                    "crates/{name} is pure and must not use {dependency}"
                ));
            }
        }
    }
    none(&problems);
}

/// The crates that only think take time, chance and everything else from their
/// callers.
#[test]
fn what_only_thinks_does_nothing_else() {
    let doing = [
        "std::fs",
        "std::io",
        "std::net",
        "std::env",
        "std::process",
        "std::thread",
        "SystemTime",
        "Instant::now",
        "tokio::",
        "rand::",
    ];
    let mut problems = Vec::new();
    for (path, text) in files() {
        let thinks = ["crates/domain/", "crates/pipeline/"];
        if !thinks.iter().any(|krate| path.starts_with(krate)) || crate_of(&path).is_none() {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap();
        for (number, line) in code.lines().enumerate() {
            let code = line.split("//").next().unwrap();
            for what in doing.iter().filter(|what| code.contains(**what)) {
                problems.push(format!("{path}:{}: {what}", number + 1));
            }
        }
    }
    none(&problems);
}

#[test]
fn no_stage_imports_another() {
    let mut problems = Vec::new();
    for (path, text) in files() {
        let Some(rest) = path.strip_prefix("crates/pipeline/src/") else {
            continue;
        };
        let Some(stage) = STAGES.iter().find(|stage| rest.starts_with(**stage)) else {
            continue;
        };
        for other in STAGES.iter().filter(|other| *other != stage) {
            if text.contains(&format!("crate::{other}")) {
                problems.push(format!("{path} imports the stage {other}"));
            }
        }
    }
    none(&problems);
}

#[test]
fn every_ingress_passes_the_gate() {
    // Its fields are private, so the compiler keeps everybody else from making
    // one; this keeps the fields private.
    let text = fs::read_to_string(root().join("crates/pipeline/src/admit.rs")).unwrap();
    let from = text.find("pub struct Admitted {").expect("the gate admits");
    let fields = &text[from..from + text[from..].find("\n}").unwrap()];
    assert!(!fields.contains("    pub"), "{fields}");
}

/// Who said something is told by the record of the message; that an account is
/// ours is decided by `Me::is` alone.
#[test]
fn who_we_are_is_decided_in_one_place() {
    let mut problems = Vec::new();
    for (path, text) in files() {
        let ours = path.starts_with("crates/") && !path.starts_with("crates/emulator");
        if !ours || !path.ends_with(".rs") || path.ends_with("domain/src/event.rs") {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let compares = [
                "== me.id",
                "!= me.id",
                "me.id ==",
                "me.id !=",
                "Some(me.id)",
            ];
            if compares.iter().any(|words| line.contains(words)) {
                problems.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_action_passes_the_door() {
    let mut made = Vec::new();
    for (path, text) in files() {
        let ours = path.starts_with("crates/") || path.starts_with("tests/");
        if !ours || !path.ends_with(".rs") {
            continue;
        }
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let grants = code.filter(|line| line.contains("Grant {"));
        made.extend(grants.map(|_| path.clone()));
    }
    assert_eq!(
        made,
        ["crates/actions/src/door.rs"],
        "a Grant is made in exactly one place"
    );
}

/// Names of types that more than one crate may define: those of Discord's own
/// objects.
const SHARED_NAMES: &[&str] = &[
    "Application",
    "Attachment",
    "ChannelKind",
    "Emoji",
    "Interaction",
    "InteractionKind",
    "Me",
    "Mention",
    "Message",
    "Nonce",
    "Reaction",
    "Reply",
    "Role",
    "Route",
];

/// A name means one thing. Types that only their own module sees may have the
/// name of another such type.
#[test]
fn type_names_are_defined_in_one_crate() {
    let mut defined: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
    for (path, text) in files() {
        let Some(krate) = crate_of(&path) else {
            continue;
        };
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        for (name, visible) in code.lines().filter_map(type_defined) {
            let crates = defined.entry(name.to_owned()).or_default();
            *crates.entry(krate.to_owned()).or_default() |= visible;
        }
    }
    let shared = |crates: &BTreeMap<String, bool>| {
        crates.len() > 1 && crates.values().any(|visible| *visible)
    };
    let found: BTreeMap<_, _> = defined.iter().filter(|(_, it)| shared(it)).collect();
    let may: BTreeSet<_> = SHARED_NAMES.iter().collect();
    let mut problems = Vec::new();
    for (name, crates) in &found {
        if !may.contains(&name.as_str()) {
            let crates: Vec<_> = crates.keys().map(String::as_str).collect();
            problems.push(format!("{name} is defined in {}", crates.join(" and ")));
        }
    }
    for name in may {
        if !found.contains_key(&(*name).to_owned()) {
            problems.push(format!("{name} need not be in SHARED_NAMES any more"));
        }
    }
    none(&problems);
}

/// The crate of a file that is not only for tests.
fn crate_of(path: &str) -> Option<&str> {
    let (krate, file) = match path.strip_prefix("crates/") {
        Some(path) => path.split_once("/src/")?,
        None => path.split_once("/src/")?,
    };
    let for_tests = file.starts_with("tests/") || file.contains("/tests/");
    let is_code = file.ends_with(".rs") && !file.ends_with("tests.rs") && !for_tests;
    (is_code && !krate.contains('/')).then_some(krate)
}

/// The name of the type that a line defines outside of any block, and whether
/// another module may see it.
fn type_defined(line: &str) -> Option<(&str, bool)> {
    let (visible, rest) = match line.strip_prefix("pub") {
        Some(rest) => (true, rest.split_once(' ')?.1),
        None => (false, line),
    };
    // `pub(in path)` has a space of its own.
    let rest = rest.strip_prefix("crate::deliver) ").unwrap_or(rest);
    let (keyword, rest) = rest.split_once(' ')?;
    if !matches!(keyword, "struct" | "enum" | "trait" | "type" | "union") {
        return None;
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some((&rest[..end.unwrap_or(rest.len())], visible))
}

/// Everything but the place that opens it knows the database as a port.
#[test]
fn the_engine_is_named_where_it_is_opened() {
    let mut users = Vec::new();
    for (path, text) in files() {
        let ours = ["crates/cli/", "crates/runtime/", "tests/"];
        if ours.iter().any(|ours| path.starts_with(ours)) && text.contains("Sqlite") {
            users.push(path);
        }
    }
    assert_eq!(users, ["crates/cli/src/assembly.rs"]);
}

#[test]
fn files_fit_in_the_head() {
    let mut problems = Vec::new();
    for (path, text) in files() {
        let lines = text.lines().count();
        if is_code(&path) && lines > MAX_LINES {
            problems.push(format!("{path} has {lines} lines, more than {MAX_LINES}"));
        }
    }
    none(&problems);
}

/// The text engine is read by strangers: its files, functions and types stay
/// small.
#[test]
fn the_text_engine_stays_small() {
    let mut problems = Vec::new();
    for (path, text) in files() {
        let part = path.strip_prefix("crates/pipeline/src/deliver");
        let is_code = part.is_some_and(|part| part.ends_with(".rs") && !part.contains("tests"));
        if is_code {
            let code = text.split("#[cfg(test)]\n").next().unwrap_or(&text);
            problems.extend(too_large(&path, code));
        }
    }
    none(&problems);
}

/// What has more than 300 lines (a file), 60 lines (a function) or ten fields
/// (a type).
fn too_large(path: &str, code: &str) -> Vec<String> {
    let lines: Vec<&str> = code.lines().collect();
    let mut found = Vec::new();
    if lines.len() > 300 {
        found.push(format!("{path} has {} lines", lines.len()));
    }
    for (start, line) in lines.iter().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let indent = line.len() - line.trim_start().len();
        let closing = format!("{}}}", &line[..indent]);
        let length = lines[start..].iter().position(|line| *line == closing);
        let body = &lines[start..start + length.unwrap_or(0)];
        if words.contains(&"fn") && !line.contains("//") && body.len() > 59 {
            found.push(format!("{path}:{}: {} lines", start + 1, body.len() + 1));
        }
        let field = |line: &&&str| {
            let line = line.trim_start();
            !line.starts_with("//") && line.split_whitespace().any(|word| word.ends_with(':'))
        };
        let fields = body.iter().skip(1).filter(field).count();
        if words.contains(&"struct") && line.ends_with('{') && fields > 10 {
            found.push(format!("{path}:{}: {fields} fields", start + 1));
        }
    }
    found
}

#[test]
fn what_is_too_large_is_found() {
    let file = "x\n".repeat(301);
    let function = format!("    fn f() {{\n{}    }}\n", "        x\n".repeat(59));
    let fields: String = (0..11).map(|n| format!("    pub a{n}: u8,\n")).collect();
    let large = [file, function, format!("struct S {{\n{fields}}}\n")];
    for code in large {
        assert_eq!(too_large("a.rs", &code).len(), 1, "{code}");
        let lines: Vec<&str> = code.lines().collect();
        let smaller = [&lines[..1], &lines[2..]].concat().join("\n");
        assert_eq!(too_large("a.rs", &smaller), [""; 0], "{smaller}");
    }
}

#[test]
fn names_have_a_subject() {
    let mut problems = Vec::new();
    for (path, _) in files().iter().filter(|(path, _)| is_code(path)) {
        for part in path.split('/') {
            let stem = part.split('.').next().unwrap_or(part);
            if BANNED_NAMES.contains(&stem) {
                problems.push(format!("{path}: {stem:?} says nothing"));
            }
        }
    }
    none(&problems);
}

#[test]
fn nothing_is_left_unfinished() {
    // Written in halves so that this file does not find itself.
    let marks = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("FIX", "ME"),
        concat!("not implemented", " yet"),
    ];
    let mut problems = Vec::new();
    for (path, text) in files().iter().filter(|(path, _)| is_code(path)) {
        for mark in marks.iter().filter(|mark| text.contains(**mark)) {
            problems.push(format!("{path} says {mark}"));
        }
    }
    none(&problems);
}

#[test]
fn the_changelog_knows_the_version() {
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let heading = format!("## {}", env!("CARGO_PKG_VERSION"));
    assert!(
        changelog.contains(&heading),
        "CHANGELOG.md has no {heading:?}"
    );
}

fn is_code(path: &str) -> bool {
    [".rs", ".js", ".mjs", ".py", ".css"]
        .iter()
        .any(|end| path.ends_with(end))
}
