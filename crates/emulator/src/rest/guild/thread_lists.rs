//! Archived threads that not everybody sees.

use super::{ApiResult, RequestContext, allow};
use crate::{
    realm::{PermissionSet, ThreadKind},
    rest::{
        endpoint::{PathValues, RestEndpoint, read},
        thread_members::{ArchivedOrder, archived_page},
    },
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    read("GET /channels/{channel}/threads/archived/private", private),
    read(
        "GET /channels/{channel}/users/@me/threads/archived/private",
        joined,
    ),
];

/// List Private Archived Threads, for those who manage them.
fn private(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let (_, held) = call.channel(path.id(0))?;
    allow(held.has(PermissionSet::MANAGE_THREADS))?;
    archived_page(call, path.id(0), ArchivedOrder::Time, |thread| {
        thread.kind == ThreadKind::Private
    })
}

/// List Joined Private Archived Threads.
fn joined(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let me = call.me;
    archived_page(call, path.id(0), ArchivedOrder::Id, |thread| {
        thread.kind == ThreadKind::Private && thread.member(me).is_some()
    })
}
