//! What a card's book says, and how it is brought up to date.
//!
//! A persona has words that bring an entry up, a text, and entries that are
//! always told. What else a book decides by is named and left out. In an
//! export an entry that was changed keeps everything that it has beside that.

use kaiwa_domain::{LORE_CHARS, LORE_KEYS, LORE_PER_PERSONA, LoreEntry, TRIGGER_CHARS};
use serde_json::{Map, Value, json};

use crate::LeftOut;
use crate::character::Called;
use crate::fields::{any_text, flag, list, object, real, text};
use crate::text::{one_line, shortened};

type Entry = Map<String, Value>;

/// Begins a line that is for programs.
const DECORATOR: &str = "@@";

/// Lines for programs that let an entry always be told.
const ALWAYS: [&str; 2] = ["constant", "activate"];

/// The line for programs that keeps an entry from being told.
const NEVER: &str = "dont_activate";

/// Lines for programs that say when an entry is told.
const CONDITIONS: [&str; 7] = [
    "activate_only_after",
    "activate_only_every",
    "additional_keys",
    "dont_activate_after_match",
    "exclude_keys",
    "is_greeting",
    "keep_activate_after_match",
];

/// Numbers by which SillyTavern decides how long an entry is told.
const TIMES: [&str; 3] = ["sticky", "cooldown", "delay"];

/// How much of a book is left out.
#[derive(Default)]
struct MissedLore {
    entries: usize,
    texts: usize,
    keys: usize,
    conditions: usize,
}

/// What a card's book says, in its order. What is switched off is not told.
pub(crate) fn read(
    data: &Map<String, Value>,
    called: &Called,
    left_out: &mut Vec<LeftOut>,
) -> Vec<LoreEntry> {
    let mut missed = MissedLore::default();
    let mut lore = Vec::new();
    for entry in entries(data) {
        if lore.len() < LORE_PER_PERSONA {
            lore.extend(told(entry, called, &mut missed));
        } else if told(entry, called, &mut MissedLore::default()).is_some() {
            missed.entries += 1;
        }
    }
    let named = [
        (missed.entries, LeftOut::Lore as fn(usize) -> LeftOut),
        (missed.texts, LeftOut::LoreTexts),
        (missed.keys, LeftOut::LoreKeys),
        (missed.conditions, LeftOut::LoreConditions),
    ];
    let named = named.into_iter().filter(|(count, _)| *count > 0);
    left_out.extend(named.map(|(count, what)| what(count)));
    lore
}

/// The entries of a card's book in their order. One that says no place of its
/// own stays behind the one before.
fn entries(data: &Map<String, Value>) -> Vec<&Entry> {
    let entries = match data.get("character_book") {
        Some(Value::Object(book)) => book.get("entries"),
        // A list without a book around it.
        other => other,
    };
    let entries: Vec<&Value> = match entries {
        Some(Value::Array(entries)) => entries.iter().collect(),
        // Books of their own have numbered entries.
        Some(Value::Object(entries)) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(number, _)| number.parse::<u64>().unwrap_or(u64::MAX));
            entries.into_iter().map(|(_, entry)| entry).collect()
        }
        _ => Vec::new(),
    };
    let mut last = 0.0;
    let entries = entries.into_iter().filter_map(Value::as_object);
    let mut placed: Vec<(f64, &Entry)> = entries
        .map(|entry| {
            last = place(entry).unwrap_or(last);
            (last, entry)
        })
        .collect();
    placed.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    placed.into_iter().map(|(_, entry)| entry).collect()
}

fn place(entry: &Entry) -> Option<f64> {
    real(entry, "insertion_order").or_else(|| real(entry, "order"))
}

/// What is told of an entry.
fn told(entry: &Entry, called: &Called, missed: &mut MissedLore) -> Option<LoreEntry> {
    let content = any_text(entry, &["content", "entry"]);
    let marks = marks(&content);
    let is_marked = |names: &[&str]| marks.iter().any(|mark| names.contains(mark));
    let is_on = flag(entry, "enabled").unwrap_or(true)
        && !flag(entry, "disable").unwrap_or(false)
        && (!is_marked(&[NEVER]) || is_marked(&["activate"]));
    let lines: Vec<&str> = content.lines().filter(|line| !is_mark(line)).collect();
    let lines = lines.join("\n");
    let said = lines.trim();
    if !is_on || said.is_empty() {
        return None;
    }
    let always = flag(entry, "constant").unwrap_or(false) || is_marked(&ALWAYS);
    let (keys, lost) = keys(entry);
    if keys.is_empty() && !always {
        // Without any words of its own nothing would bring it up anywhere.
        missed.entries += usize::from(lost > 0);
        return None;
    }
    missed.keys += lost;
    missed.conditions += usize::from(has_conditions(entry) || is_marked(&CONDITIONS));
    let short = shortened(said, LORE_CHARS);
    missed.texts += usize::from(short.is_some());
    Some(LoreEntry {
        keys,
        text: called.within(short.unwrap_or(said), LORE_CHARS),
        always,
    })
}

fn is_mark(line: &&str) -> bool {
    line.trim_start().starts_with(DECORATOR)
}

/// What a line for programs is about.
fn name_of(line: &str) -> &str {
    let name = line.split_whitespace().next().unwrap_or_default();
    name.trim_start_matches('@')
}

/// What the lines for programs say that count. One with three signs counts if
/// none above it does that is understood, up to the one with two.
fn marks(content: &str) -> Vec<&str> {
    let mut marks = Vec::new();
    let mut is_settled = true;
    for line in content.lines().filter(is_mark) {
        let is_fallback = line.trim_start().starts_with("@@@");
        let name = name_of(line);
        let is_understood = ALWAYS.contains(&name) || name == NEVER;
        if !is_fallback || !is_settled {
            marks.push(name);
        }
        is_settled = is_understood || is_fallback && is_settled;
    }
    marks
}

/// Whether more than its keys says when an entry is told.
fn has_conditions(entry: &Entry) -> bool {
    let is_selective = flag(entry, "selective").unwrap_or(true);
    let mut second = ["secondary_keys", "keysecondary"].into_iter();
    if is_selective && second.any(|key| !list(entry, key).is_empty()) {
        return true;
    }
    // SillyTavern has most of it in the extensions.
    let places = [Some(entry), object(entry, "extensions")];
    places.into_iter().flatten().any(|place| {
        let is = |key: &str| flag(place, key).unwrap_or(false);
        let by_chance = flag(place, "useProbability").unwrap_or(true)
            && real(place, "probability").is_some_and(|it| it < 100.0);
        by_chance
            || is("case_sensitive")
            || is("caseSensitive")
            || TIMES
                .iter()
                .any(|key| real(place, key).is_some_and(|it| it > 0.0))
            || !text(place, "group").trim().is_empty()
    })
}

/// The words that bring an entry up, and how many others are no such words.
fn keys(entry: &Entry) -> (Vec<String>, usize) {
    let mut key = "keys";
    let mut written = list(entry, key);
    if written.is_empty() {
        key = "key";
        written = list(entry, key);
    }
    // One text names several; in a list each stands alone.
    let is_list = entry.get(key).is_some_and(Value::is_array);
    let parts = |c: char| c == '\n' || c == ',' && !is_list;
    let all_patterns = flag(entry, "use_regex").unwrap_or(false);
    let mut keys = Vec::new();
    let mut lost = 0;
    for key in &written {
        let is_one = all_patterns || pattern(key).is_some();
        let pieces: Vec<&str> = match is_one {
            true => vec![key],
            false => key.split(parts).collect(),
        };
        for piece in pieces {
            let words = match pattern(piece) {
                Some(body) => literals(body),
                None if all_patterns => literals(piece),
                None => Some(vec![piece]),
            };
            lost += usize::from(words.is_none());
            let words = words.into_iter().flatten().map(one_line);
            keys.extend(words.filter(|word| !word.is_empty()));
        }
    }
    let found = keys.len();
    keys.retain(|key| key.chars().nth(TRIGGER_CHARS).is_none());
    keys.truncate(LORE_KEYS);
    lost += found - keys.len();
    (keys, lost)
}

/// What stands within `/…/i`, if a key is such a pattern.
fn pattern(key: &str) -> Option<&str> {
    let (body, flags) = key.trim().strip_prefix('/')?.rsplit_once('/')?;
    let are_flags = flags.bytes().all(|byte| byte.is_ascii_lowercase());
    (are_flags && !body.is_empty()).then_some(body)
}

/// The words that a pattern stands for, if it names whole words and no more.
fn literals(pattern: &str) -> Option<Vec<&str>> {
    let body = pattern.trim().trim_start_matches("\\b");
    let body = body.trim_end_matches("\\b");
    let group = body.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let body = group.map_or(body, |it| it.strip_prefix("?:").unwrap_or(it));
    let words: Vec<&str> = body.split('|').collect();
    let is_plain = |word: &&str| !word.contains(|c| "\\.[](){}*+?^$/,\n".contains(c));
    words.iter().all(is_plain).then_some(words)
}

/// Puts what a persona knows into the card's book. What an entry has beside
/// that stays, and so does what was never told.
pub(crate) fn fill(data: &mut Map<String, Value>, called: &Called, lore: &[LoreEntry]) {
    let mut silent = Vec::new();
    let mut before: Vec<(Entry, LoreEntry)> = Vec::new();
    for entry in entries(data) {
        let known = told(entry, called, &mut MissedLore::default());
        match known.filter(|_| before.len() < LORE_PER_PERSONA) {
            Some(known) => before.push((entry.clone(), known)),
            None => silent.push(entry.clone()),
        }
    }
    let origins = origins(&before, lore);
    let first = origins.iter().flatten().next();
    let mut last = first.map_or(-1.0, |it| place(&before[*it].0).unwrap_or(0.0));
    let step = if first.is_none() { 1.0 } else { 0.0 };
    let filled = origins.iter().zip(lore).map(|(origin, known)| {
        let origin = origin.map(|it| &before[it]);
        let own = origin.and_then(|(entry, _)| place(entry));
        last = own.unwrap_or(last + step);
        let changed = origin.map(|(entry, was)| changed(entry, was, known));
        let says = |entry: &Entry| told(entry, called, &mut MissedLore::default());
        let changed = changed.filter(|entry| says(entry).as_ref() == Some(known));
        changed.unwrap_or_else(|| fresh(known, last))
    });
    let filled: Vec<Entry> = filled.chain(silent).collect();
    let mut book = object(data, "character_book").cloned().unwrap_or_default();
    if filled.is_empty() && book.is_empty() {
        return;
    }
    book.entry("extensions").or_insert_with(|| json!({}));
    let filled = filled.into_iter().map(Value::Object).collect();
    book.insert("entries".into(), Value::Array(filled));
    data.insert("character_book".into(), Value::Object(book));
    // Entries whose order was changed need new places.
    let said = read(data, called, &mut Vec::new());
    if !said.starts_with(lore) {
        let book = data
            .get_mut("character_book")
            .and_then(Value::as_object_mut);
        let entries = book.and_then(|it| it.get_mut("entries")?.as_array_mut());
        for (place, entry) in entries.into_iter().flatten().enumerate() {
            entry["insertion_order"] = place.into();
        }
    }
}

/// The entry of the book that each of these was: the same one, or else one
/// that has its text or its words.
fn origins(before: &[(Entry, LoreEntry)], lore: &[LoreEntry]) -> Vec<Option<usize>> {
    let rules: [fn(&LoreEntry, &LoreEntry) -> bool; 3] = [
        |one, other| one == other,
        |one, other| one.text == other.text,
        |one, other| !one.keys.is_empty() && one.keys == other.keys,
    ];
    let mut origins = vec![None; lore.len()];
    let mut is_taken = vec![false; before.len()];
    for is_same in rules {
        for (known, origin) in lore.iter().zip(&mut origins) {
            if origin.is_some() {
                continue;
            }
            let mut free = before.iter().zip(&is_taken);
            *origin = free.position(|((_, was), taken)| !taken && is_same(was, known));
            if let Some(found) = *origin {
                is_taken[found] = true;
            }
        }
    }
    origins
}

/// An entry that says something else from now on.
fn changed(entry: &Entry, was: &LoreEntry, known: &LoreEntry) -> Entry {
    let mut entry = entry.clone();
    if was.keys != known.keys {
        entry.remove("key");
        entry.remove("use_regex");
        entry.insert("keys".into(), json!(known.keys));
    }
    if was.always != known.always {
        entry.insert("constant".into(), known.always.into());
    }
    let content = any_text(&entry, &["content", "entry"]);
    let stays = |line: &&str| known.always || !is_mark(line) || !ALWAYS.contains(&name_of(line));
    let lines: Vec<&str> = match was.text == known.text {
        true => content.lines().filter(stays).collect(),
        false => {
            let marks = content.lines().filter(is_mark).filter(stays);
            marks.chain([known.text.as_str()]).collect()
        }
    };
    if was.text != known.text || was.always && !known.always {
        let content = lines.join("\n");
        entry.remove("entry");
        entry.insert("content".into(), content.into());
    }
    entry
}

/// An entry of our own.
fn fresh(known: &LoreEntry, place: f64) -> Entry {
    let mut entry = Entry::new();
    entry.insert("keys".into(), json!(known.keys));
    entry.insert("content".into(), known.text.clone().into());
    entry.insert("constant".into(), known.always.into());
    entry.insert("enabled".into(), true.into());
    entry.insert("insertion_order".into(), whole(place));
    entry.insert("use_regex".into(), false.into());
    entry.insert("extensions".into(), json!({}));
    entry
}

/// A place as it is written: most are whole numbers.
fn whole(place: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "it is looked at")]
    let number = place as i64;
    #[expect(clippy::cast_precision_loss, reason = "it is looked at")]
    match number as f64 == place {
        true => number.into(),
        false => place.into(),
    }
}
