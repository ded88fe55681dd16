//! Routes as rows of tables: each family of routes lists its own.

use super::{ApiError, ApiResult, RequestContext, guild, route};
use crate::{limits::Bucket, snowflake::Snowflake};

type RestAction = fn(&mut RequestContext<'_>, &PathValues) -> ApiResult;

/// One method on one path, and what it does.
#[derive(Debug)]
pub(super) struct RestEndpoint {
    /// Such as `GET /guilds/{guild}/roles/{role}`. Of two rows that fit, the
    /// first one counts.
    pub(super) pattern: &'static str,
    pub(super) bucket: Bucket,
    /// Whether the body is a list and not an object.
    pub(super) takes_list: bool,
    /// Whether strangers may ask, without any token.
    pub(super) open: bool,
    action: RestAction,
}

/// What a path has in the place of `{…}`, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PathValues {
    ids: Vec<Snowflake>,
    text: String,
}

impl PathValues {
    pub(super) fn id(&self, place: usize) -> Snowflake {
        self.ids.get(place).copied().unwrap_or(Snowflake(0))
    }

    /// The one value that is no id.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn first(&self) -> Option<Snowflake> {
        self.ids.first().copied()
    }
}

/// Placeholders for anything but an id.
const TEXTS: [&str; 2] = ["code", "answer"];

pub(super) const fn read(pattern: &'static str, action: RestAction) -> RestEndpoint {
    RestEndpoint {
        pattern,
        bucket: Bucket::Read,
        takes_list: false,
        open: false,
        action,
    }
}

/// A route that needs no token.
pub(super) const fn open(pattern: &'static str, action: RestAction) -> RestEndpoint {
    RestEndpoint {
        open: true,
        ..read(pattern, action)
    }
}

pub(super) const fn write(pattern: &'static str, action: RestAction) -> RestEndpoint {
    RestEndpoint {
        pattern,
        bucket: Bucket::Manage,
        takes_list: false,
        open: false,
        action,
    }
}

/// A route whose body is a list.
pub(super) const fn write_list(pattern: &'static str, action: RestAction) -> RestEndpoint {
    RestEndpoint {
        pattern,
        bucket: Bucket::Manage,
        takes_list: true,
        open: false,
        action,
    }
}

impl PartialEq for RestEndpoint {
    fn eq(&self, other: &Self) -> bool {
        self.pattern == other.pattern
    }
}

impl Eq for RestEndpoint {}

impl RestEndpoint {
    pub(super) fn find(
        method: &str,
        segments: &[&str],
    ) -> Option<(&'static Self, Result<PathValues, ApiError>)> {
        let mut all = guild::TABLES.iter().copied().flatten();
        let found = all.find(|endpoint| endpoint.fits(method, segments))?;
        Some((found, found.values(segments)))
    }

    /// The segments of the path, after the method.
    fn path(&self) -> impl Iterator<Item = &'static str> {
        let path = self.pattern.split_once(" /").map_or("", |(_, path)| path);
        path.split('/')
    }

    fn fits(&self, method: &str, segments: &[&str]) -> bool {
        let rest = self.pattern.strip_prefix(method);
        if !rest.is_some_and(|rest| rest.starts_with(' ')) {
            return false;
        }
        let mut theirs = segments.iter();
        let same = self.path().all(|ours| {
            let theirs = theirs.next();
            theirs.is_some_and(|theirs| ours.starts_with('{') || ours == *theirs)
        });
        same && theirs.next().is_none()
    }

    fn values(&self, segments: &[&str]) -> Result<PathValues, ApiError> {
        let mut values = PathValues::default();
        for (ours, theirs) in self.path().zip(segments) {
            let Some(name) = ours.strip_prefix('{').and_then(|it| it.strip_suffix('}')) else {
                continue;
            };
            if TEXTS.contains(&name) {
                values.text = (*theirs).to_owned();
            } else {
                values.ids.push(route::id(&format!("{name}_id"), theirs)?);
            }
        }
        Ok(values)
    }

    pub(super) fn act(&self, call: &mut RequestContext<'_>, values: &PathValues) -> ApiResult {
        (self.action)(call, values)
    }
}
