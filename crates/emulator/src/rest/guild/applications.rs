//! The caller's own application: what it says of itself, what it links roles
//! by, and what it sells, which is nothing.

use serde_json::{Value, json};

use super::{
    ApiError, ApiResult, GuildError, RequestContext,
    pictures::{data_uri, hash_of},
};
use crate::{
    limits,
    realm::{Application, ApplicationProfile},
    rest::{
        ApiResponse,
        body::Fields,
        endpoint::{PathValues, RestEndpoint, read, write, write_list},
        error::Problems,
    },
    snowflake::Snowflake,
    state::PictureKind,
    wire,
};

pub(super) static ENDPOINTS: &[RestEndpoint] = &[
    write("PATCH /applications/@me", modify),
    read(
        "GET /applications/{application}/role-connections/metadata",
        metadata,
    ),
    write_list(
        "PUT /applications/{application}/role-connections/metadata",
        set_metadata,
    ),
    read("GET /applications/{application}/skus", nothing_for_sale),
    read(
        "GET /applications/{application}/entitlements",
        nothing_for_sale,
    ),
    write("POST /applications/{application}/entitlements", unknown_sku),
    read(
        "GET /applications/{application}/entitlements/{entitlement}",
        unknown_entitlement,
    ),
    write(
        "DELETE /applications/{application}/entitlements/{entitlement}",
        unknown_entitlement,
    ),
    write(
        "POST /applications/{application}/entitlements/{entitlement}/consume",
        unknown_entitlement,
    ),
    read(
        "GET /applications/{application}/activity-instances/{code}",
        no_activity,
    ),
    read("GET /skus/{sku}/subscriptions", unknown_sku_of),
    read(
        "GET /skus/{sku}/subscriptions/{subscription}",
        unknown_sku_of,
    ),
];

/// The caller's application, if it is the one in the path.
fn own<'a>(call: &'a RequestContext<'_>, id: Snowflake) -> Result<&'a Application, ApiError> {
    let own = call.state.realm.application_of(call.me);
    let own = own.ok_or(ApiError::OnlyBots)?;
    match own.id == id {
        true => Ok(own),
        false => Err(ApiError::NotYourApplication),
    }
}

/// Edit Current Application.
fn modify(call: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    let me = call.me;
    let own = call.state.realm.application_of(me);
    let mut profile = own.ok_or(ApiError::OnlyBots)?.profile.clone();
    let mut body = Fields::new(&call.body.json, "");
    if body.names("description") {
        let text = body.sized("description", 0..=limits::APPLICATION_CHARS);
        profile.description = text.unwrap_or_default();
    }
    if let Some(tags) = body.list("tags") {
        if tags.len() > limits::APPLICATION_TAGS {
            body.too_long("tags", limits::APPLICATION_TAGS);
        }
        let tags = tags.iter().filter_map(Value::as_str);
        profile.tags = tags.map(str::to_owned).collect();
    }
    for (key, place) in [
        ("custom_install_url", &mut profile.custom_install_url),
        (
            "role_connections_verification_url",
            &mut profile.role_connections_verification_url,
        ),
    ] {
        if body.names(key) {
            *place = body.sized(key, 0..=limits::URL_CHARS);
        }
    }
    // Nothing here would send what happens to an address.
    if body.get("interactions_endpoint_url").is_some() {
        let code = "APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID";
        let message = "The specified interactions endpoint url could not be verified.";
        body.wrong("interactions_endpoint_url", code, message);
    }
    if let Some(params) = body.object("install_params") {
        profile.install_params = Some(Value::Object(params.clone()));
    }
    let icon = body
        .names("icon")
        .then(|| data_uri(&mut body, "icon", limits::PICTURE_BYTES));
    body.problems.into_result()?;
    let application = call.state.realm.application_of_mut(me);
    let application = application.ok_or(ApiError::OnlyBots)?;
    let id = application.id;
    if let Some(icon) = &icon {
        profile.icon = icon.as_ref().map(hash_of);
    }
    application.profile = profile;
    match icon {
        Some(Some(icon)) => call.state.pictures.put(PictureKind::AppIcon, id, icon),
        Some(None) => call.state.pictures.remove(PictureKind::AppIcon, id),
        None => {}
    }
    let realm = &call.state.realm;
    let application = realm.application_of(me).ok_or(ApiError::OnlyBots)?;
    ApiResponse::json(wire::application(realm, application, call.me()?))
}

fn metadata(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    let own = own(call, path.id(0))?;
    ApiResponse::json(&own.profile.role_connections)
}

/// Update Application Role Connection Metadata Records.
fn set_metadata(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    own(call, path.id(0))?;
    let list = call.body.list.clone().unwrap_or_default();
    if list.len() > limits::ROLE_CONNECTIONS {
        let message = format!("Must be {} or fewer in length.", limits::ROLE_CONNECTIONS);
        return Err(Problems::one("", "BASE_TYPE_MAX_LENGTH", message));
    }
    let mut problems = Problems::default();
    for (at, record) in list.iter().enumerate() {
        let empty = serde_json::Map::new();
        let map = record.as_object().unwrap_or(&empty);
        let mut record = Fields::new(map, &at.to_string());
        for key in ["type", "key", "name", "description"] {
            record.require(key);
        }
        record.within("type", 1..=8);
        record.sized("key", 1..=50);
        record.sized("name", 1..=100);
        record.sized("description", 1..=200);
        problems.merge(record.problems);
    }
    problems.into_result()?;
    let application = call.state.realm.application_of_mut(call.me);
    let application = application.ok_or(ApiError::OnlyBots)?;
    let ApplicationProfile {
        role_connections, ..
    } = &mut application.profile;
    *role_connections = list;
    ApiResponse::json(role_connections)
}

fn nothing_for_sale(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    own(call, path.id(0))?;
    ApiResponse::json(json!([]))
}

fn unknown_sku(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    own(call, path.id(0))?;
    Err(GuildError::UnknownSku.into())
}

fn unknown_sku_of(_: &mut RequestContext<'_>, _: &PathValues) -> ApiResult {
    Err(GuildError::UnknownSku.into())
}

fn unknown_entitlement(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    own(call, path.id(0))?;
    Err(GuildError::UnknownEntitlement.into())
}

fn no_activity(call: &mut RequestContext<'_>, path: &PathValues) -> ApiResult {
    own(call, path.id(0))?;
    Err(ApiError::NotFound)
}
