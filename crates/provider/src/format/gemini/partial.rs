//! Arguments that come leaf by leaf, each with its place.

use serde::Deserialize;

use crate::lenient::{Raw, Text, compact};

/// The most members and elements of one call's arguments, and how deep they
/// may lie.
const MAX_NODES: usize = 4096;
const MAX_DEPTH: usize = 32;

/// A value at a place. A text goes on whenever its place comes again.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Leaf<'a> {
    /// Like `$.recipe.steps[2]` or `$['a b']`.
    #[serde(borrow)]
    json_path: Text<'a>,
    #[serde(borrow)]
    string_value: Raw<'a>,
    #[serde(borrow)]
    number_value: Raw<'a>,
    #[serde(borrow)]
    bool_value: Raw<'a>,
    #[serde(borrow)]
    null_value: Text<'a>,
}

/// The arguments so far.
#[derive(Debug, Default)]
pub(super) struct PartialArguments {
    root: Node,
    nodes: usize,
}

#[derive(Debug, Default)]
enum Node {
    /// Nothing is known of it yet.
    #[default]
    Empty,
    Object(Vec<(String, Node)>),
    Array(Vec<Node>),
    Text(String),
    /// A number, a truth or null, as written.
    Plain(String),
}

/// One step of a path.
#[derive(Debug, PartialEq, Eq)]
enum PathStep<'a> {
    Name(&'a str),
    Index(usize),
}

impl PartialArguments {
    /// Puts a leaf in its place; what cannot be placed is left out.
    pub(super) fn add(&mut self, leaf: &Leaf<'_>) {
        let Some(path) = steps(leaf.json_path.as_str()) else {
            return;
        };
        if self.nodes + path.len() > MAX_NODES {
            return;
        }
        let mut node = &mut self.root;
        for step in path {
            let Some(next) = node.child(&step, &mut self.nodes) else {
                return;
            };
            node = next;
        }
        if let Some(text) = leaf.string_value.some() {
            let piece: String = serde_json::from_str(text).unwrap_or_default();
            match node {
                Node::Text(text) => text.push_str(&piece),
                node => *node = Node::Text(piece),
            }
        } else if let Some(plain) = leaf.number_value.some().or(leaf.bool_value.some()) {
            *node = Node::Plain(compact(plain).into_owned());
        } else if leaf.null_value.some().is_some() {
            *node = Node::Plain("null".to_owned());
        }
    }

    pub(super) fn into_json(self) -> String {
        let mut json = String::new();
        match self.root {
            Node::Empty => json.push_str("{}"),
            root => root.write(&mut json),
        }
        json
    }
}

impl Node {
    /// The child at a step, made if it is not there.
    fn child(&mut self, step: &PathStep<'_>, nodes: &mut usize) -> Option<&mut Self> {
        match step {
            PathStep::Name(name) => {
                if matches!(self, Self::Empty) {
                    *self = Self::Object(Vec::new());
                }
                let Self::Object(members) = self else {
                    return None;
                };
                let known = members.iter().rposition(|(known, _)| known == name);
                let place = known.unwrap_or_else(|| {
                    *nodes += 1;
                    members.push(((*name).to_owned(), Self::Empty));
                    members.len() - 1
                });
                Some(&mut members[place].1)
            }
            PathStep::Index(index) => {
                if matches!(self, Self::Empty) {
                    *self = Self::Array(Vec::new());
                }
                let Self::Array(elements) = self else {
                    return None;
                };
                while elements.len() <= *index {
                    *nodes += 1;
                    if *nodes > MAX_NODES {
                        return None;
                    }
                    elements.push(Self::Empty);
                }
                elements.get_mut(*index)
            }
        }
    }

    fn write(&self, json: &mut String) {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self {
            Self::Empty => json.push_str("null"),
            Self::Plain(plain) => json.push_str(plain),
            Self::Text(text) => json.push_str(&quoted(text)),
            Self::Array(elements) => {
                json.push('[');
                for (place, element) in elements.iter().enumerate() {
                    if place > 0 {
                        json.push(',');
                    }
                    element.write(json);
                }
                json.push(']');
            }
            Self::Object(members) => {
                json.push('{');
                for (place, (name, member)) in members.iter().enumerate() {
                    if place > 0 {
                        json.push(',');
                    }
                    json.push_str(&quoted(name));
                    json.push(':');
                    member.write(json);
                }
                json.push('}');
            }
        }
    }
}

/// The steps of a path from the root, if it is one.
fn steps(path: &str) -> Option<Vec<PathStep<'_>>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() == MAX_DEPTH {
            return None;
        }
        if let Some(named) = rest.strip_prefix('.') {
            let end = named.find(['.', '[']).unwrap_or(named.len());
            steps.push(PathStep::Name(&named[..end]));
            rest = &named[end..];
            continue;
        }
        let inner = rest.strip_prefix('[')?;
        if let Some(quote) = inner.chars().next().filter(|c| matches!(c, '\'' | '"')) {
            let end = inner[1..].find(quote)? + 1;
            steps.push(PathStep::Name(&inner[1..end]));
            rest = inner[end + 1..].strip_prefix(']')?;
        } else {
            let end = inner.find(']')?;
            steps.push(PathStep::Index(inner[..end].parse().ok()?));
            rest = &inner[end + 1..];
        }
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(leaves: &str, expect: &str) {
        let mut partial = PartialArguments::default();
        for line in leaves
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            partial.add(&serde_json::from_str(line).unwrap());
        }
        assert_eq!(partial.into_json(), expect, "{leaves}");
    }

    #[test]
    fn leaves_grow_into_arguments() {
        check("", "{}");
        check(
            r#"
            {"jsonPath":"$.steps[0].name","stringValue":"bo","willContinue":true}
            {"jsonPath":"$.steps[0].name","stringValue":"il","willContinue":true}
            {"jsonPath":"$.steps[0].name","stringValue":""}
            {"jsonPath":"$.steps[1].minutes","numberValue":0.50}
            {"jsonPath":"$.hot","boolValue":true}
            {"jsonPath":"$['a.b']","nullValue":"NULL_VALUE"}
            "#,
            r#"{"steps":[{"name":"boil"},{"minutes":0.50}],"hot":true,"a.b":null}"#,
        );
        check(
            r#"{"jsonPath":"$.a[2]","stringValue":"x"}"#,
            r#"{"a":[null,null,"x"]}"#,
        );
    }

    #[test]
    fn what_cannot_be_placed_is_left_out() {
        let deep = format!(
            r#"{{"jsonPath":"${}","stringValue":"x"}}"#,
            "[0]".repeat(33)
        );
        check(&deep, "{}");
        for path in ["", "a", "$a", "$[", "$[x]", "$['a", "$['a'", "$[-1]"] {
            let leaf = format!(r#"{{"jsonPath":"{path}","stringValue":"x"}}"#);
            check(&leaf, "{}");
        }
        check(
            r#"
            {"jsonPath":"$.a","stringValue":"x"}
            {"jsonPath":"$.a.b","stringValue":"y"}
            "#,
            r#"{"a":"x"}"#,
        );
        check(r#"{"jsonPath":"$.a[4000000000]","stringValue":"x"}"#, &{
            // The list is not grown past its limit.
            let nulls = vec!["null"; MAX_NODES - 1].join(",");
            format!(r#"{{"a":[{nulls}]}}"#)
        });
    }
}
