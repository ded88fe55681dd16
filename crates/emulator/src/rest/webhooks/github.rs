//! Execute GitHub-Compatible Webhook: what happened in a repository, as an embed.

use serde_json::{Value, json};

use super::{
    super::{ApiError, ApiResponse, ApiResult, RequestContext, error::Problems},
    execute,
};
use crate::realm::Webhook;

/// Of titles and authors. (doc) Message, Embed Limits.
const NAME_CHARS: usize = 256;
/// Of descriptions; all that an embed says is bounded as well.
const TEXT_CHARS: usize = 4000;

pub(super) fn execute(call: &mut RequestContext<'_>, webhook: &Webhook) -> ApiResult {
    let told = Value::Object(std::mem::take(&mut call.body.json));
    let event = call.github_event.as_deref().ok_or_else(unnamed)?;
    // Discord passes over what it has no words for.
    let Some(embed) = embed(event, &told) else {
        return Ok(ApiResponse::NoContent);
    };
    call.body.json.insert("username".into(), json!("GitHub"));
    call.body.json.insert("embeds".into(), json!([embed]));
    execute::execute(call, webhook)
}

fn unnamed() -> ApiError {
    let message = "This header is required";
    Problems::one("x-github-event", "BASE_TYPE_REQUIRED", message)
}

/// What is said of an event.
struct RepositoryNews<'a> {
    title: String,
    /// The part of the body that has its address.
    of: &'a Value,
    description: Option<String>,
}

fn embed(event: &str, told: &Value) -> Option<Value> {
    let repository = text(told, "/repository/full_name")?;
    let notice = match event {
        "push" => pushed(told)?,
        _ => noticed(event, told)?,
    };
    let branch = match event {
        "push" => format!(":{}", branch(told)?),
        _ => String::new(),
    };
    let title = format!("[{repository}{branch}] {}", notice.title);
    let mut embed = json!({ "title": cut(&title, NAME_CHARS) });
    let address = address(notice.of, "/html_url").or_else(|| address(told, "/compare"));
    if let Some(url) = address {
        embed["url"] = json!(url);
    }
    if let Some(description) = &notice.description {
        embed["description"] = json!(cut(description, TEXT_CHARS));
    }
    if let Some(name) = text(told, "/sender/login") {
        embed["author"] = json!({
            "name": cut(name, NAME_CHARS),
            "url": self::address(told, "/sender/html_url"),
            "icon_url": self::address(told, "/sender/avatar_url"),
        });
    }
    Some(embed)
}

fn branch(told: &Value) -> Option<&str> {
    text(told, "/ref")?.strip_prefix("refs/heads/")
}

fn pushed(told: &Value) -> Option<RepositoryNews<'_>> {
    let commits = told["commits"].as_array().filter(|it| !it.is_empty())?;
    let lines: Vec<String> = commits
        .iter()
        .filter_map(|commit| {
            let id = short(text(commit, "/id")?);
            let said = text(commit, "/message")?.lines().next()?;
            let url = address(commit, "/url")?;
            let author = text(commit, "/author/name").unwrap_or_default();
            Some(format!("[`{id}`]({url}) {said} - {author}"))
        })
        .collect();
    let s = if commits.len() == 1 { "" } else { "s" };
    Some(RepositoryNews {
        title: format!("{} new commit{s}", commits.len()),
        of: &Value::Null,
        description: Some(lines.join("\n")),
    })
}

/// Discord Docs/Webhook, Execute GitHub-Compatible Webhook.
fn noticed<'a>(event: &str, told: &'a Value) -> Option<RepositoryNews<'a>> {
    let action = text(told, "/action").unwrap_or_default();
    let numbered = |of: &Value| {
        let title = text(of, "/title")?;
        Some(format!("#{} {title}", of["number"].as_u64()?))
    };
    let (of, title) = match (event, action) {
        ("issues", "opened" | "closed" | "reopened") => {
            let of = &told["issue"];
            (of, format!("Issue {action}: {}", numbered(of)?))
        }
        ("pull_request", "opened" | "closed" | "reopened") => {
            let of = &told["pull_request"];
            (of, format!("Pull request {action}: {}", numbered(of)?))
        }
        ("issue_comment", "created") => {
            let on = numbered(&told["issue"])?;
            (&told["comment"], format!("New comment on issue {on}"))
        }
        ("pull_request_review_comment", "created") => {
            let on = numbered(&told["pull_request"])?;
            let title = format!("New review comment on pull request {on}");
            (&told["comment"], title)
        }
        ("pull_request_review", "submitted") => {
            let on = numbered(&told["pull_request"])?;
            let title = format!("Pull request review submitted: {on}");
            (&told["review"], title)
        }
        ("commit_comment", _) => {
            let on = short(text(told, "/comment/commit_id")?);
            (&told["comment"], format!("New comment on commit `{on}`"))
        }
        ("discussion", "created") => {
            let of = &told["discussion"];
            (of, format!("New discussion {}", numbered(of)?))
        }
        ("discussion_comment", "created") => {
            let on = numbered(&told["discussion"])?;
            (&told["comment"], format!("New comment on discussion {on}"))
        }
        ("create", _) => {
            let (kind, name) = (text(told, "/ref_type")?, text(told, "/ref")?);
            (&told["repository"], format!("New {kind} created: {name}"))
        }
        ("delete", _) => {
            let (kind, name) = (text(told, "/ref_type")?, text(told, "/ref")?);
            (&told["repository"], format!("{kind} deleted: {name}"))
        }
        ("fork", _) => {
            let name = text(told, "/forkee/full_name")?;
            (&told["forkee"], format!("Fork created: {name}"))
        }
        ("member", "added") => {
            let name = text(told, "/member/login")?;
            (&told["member"], format!("New collaborator added: {name}"))
        }
        ("release", "published") => {
            let of = &told["release"];
            let name = text(of, "/name").or_else(|| text(of, "/tag_name"))?;
            (of, format!("New release published: {name}"))
        }
        ("check_run" | "check_suite", "completed") => {
            let of = &told[event];
            let name = text(of, "/name").unwrap_or("Checks");
            let came = text(of, "/conclusion")?;
            (of, format!("{name}: {came}"))
        }
        ("public", _) => (&told["repository"], "Now open sourced!".to_owned()),
        ("watch", "started") => (&told["repository"], "New star added".to_owned()),
        _ => return None,
    };
    let said = !matches!(action, "closed" | "reopened") && of != &told["repository"];
    let description = text(of, "/body").filter(|_| said).map(str::to_owned);
    Some(RepositoryNews {
        title,
        of,
        description,
    })
}

fn text<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    let text = value.pointer(path)?.as_str()?;
    (!text.is_empty()).then_some(text)
}

fn address<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    let web = |url: &&str| url.starts_with("https://") || url.starts_with("http://");
    text(value, path).filter(web)
}

/// How a commit is called for short.
fn short(id: &str) -> &str {
    id.get(..7).unwrap_or(id)
}

fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}
