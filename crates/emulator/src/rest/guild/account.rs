//! The caller's own account, and their place in a guild.

use super::{
    ApiError, ApiResult, GuildError, RequestContext,
    pictures::{data_uri, hash_of},
};
use crate::{
    limits,
    rest::{
        ApiResponse, attachments,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write},
        guilds::known,
    },
    state::PictureKind,
    wire::{Me, Member},
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    write("PATCH /users/@me", modify),
    write("POST /attachments/refresh-urls", refresh_urls),
    read("GET /users/@me/guilds/{guild}/member", own_member),
    read("GET /users/@me/connections", connections),
    write("PUT /guilds/{guild}/members/{user}", add_member),
];

/// Modify Current User: the name, and pictures as data URIs.
fn modify(call: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    let me = call.me;
    let mut body = Fields::new(&call.body.json, "");
    let name = body.sized("username", 2..=32);
    let mut pictures = Vec::new();
    for (key, kind) in [
        ("avatar", PictureKind::Avatar),
        ("banner", PictureKind::UserBanner),
    ] {
        if body.names(key) {
            let picture = data_uri(&mut body, key, limits::PICTURE_BYTES);
            pictures.push((kind, picture));
        }
    }
    body.problems.into_result()?;
    for (kind, picture) in pictures {
        let hash = picture.as_ref().map(hash_of);
        match picture {
            Some(picture) => call.state.pictures.put(kind, me, picture),
            None => call.state.pictures.remove(kind, me),
        }
        let person = call.state.realm.people.iter_mut();
        let Some(person) = person.into_iter().find(|person| person.id == me) else {
            continue;
        };
        match kind {
            PictureKind::Avatar => person.avatar = hash,
            _ => person.banner = hash,
        }
    }
    let people = call.state.realm.people.iter_mut();
    if let Some(person) = people.into_iter().find(|person| person.id == me) {
        person.name = name.unwrap_or_else(|| person.name.clone());
    }
    call.state
        .tell_everywhere(me, "USER_UPDATE", |realm| realm.person(me).map(Me::from));
    ApiResponse::json(Me::from(call.me()?))
}

fn refresh_urls(call: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    attachments::refresh(call)
}

/// Get Current User Guild Member.
fn own_member(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let guild = known(call, path.id(0))?;
    let member = Member::full(&call.state.realm, guild, call.me);
    ApiResponse::json(member.ok_or(ApiError::UnknownMember)?)
}

/// Accounts elsewhere. Bots have none, and people here neither.
fn connections(call: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    match call.me()?.bot {
        true => Err(ApiError::NoBots),
        false => ApiResponse::json([(); 0]),
    }
}

/// Add Guild Member, with a token that nobody here gives to applications.
fn add_member(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    known(call, path.id(0))?;
    let mut body = Fields::new(&call.body.json, "");
    body.require("access_token");
    body.problems.into_result()?;
    Err(GuildError::InvalidAccessToken.into())
}
