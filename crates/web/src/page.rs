//! The playground page and its assets, compiled into the binary.

use axum::{
    Router,
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HOST, IF_NONE_MATCH,
            REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
        },
    },
    response::{IntoResponse, Response},
    routing::get,
};

/// Everything comes from the page's own origin, to which `connect-src` adds
/// its websockets.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'";

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

struct Asset {
    path: &'static str,
    content_type: &'static str,
    body: &'static [u8],
}

macro_rules! assets {
    ($($path:literal $content_type:ident $file:literal)*) => {
        static ASSETS: &[Asset] = &[$(Asset {
            path: $path,
            content_type: $content_type,
            body: include_bytes!(concat!("../assets/", $file)),
        }),*];
    };
}

assets! {
    "/" HTML "index.html"
    "/assets/icon.svg" SVG "icon.svg"
    "/assets/layout.css" CSS "layout.css"
    "/assets/conversation.css" CSS "conversation.css"
    "/assets/enclosures.css" CSS "enclosures.css"
    "/assets/composer.css" CSS "composer.css"
    "/assets/surface.css" CSS "surface.css"
    "/assets/main.js" SCRIPT "main.js"
    "/assets/actionbar.js" SCRIPT "actionbar.js"
    "/assets/apps.js" SCRIPT "apps.js"
    "/assets/attachments.js" SCRIPT "attachments.js"
    "/assets/buckets.js" SCRIPT "buckets.js"
    "/assets/combobox.js" SCRIPT "combobox.js"
    "/assets/command-form.js" SCRIPT "command-form.js"
    "/assets/commands.js" SCRIPT "commands.js"
    "/assets/components.js" SCRIPT "components.js"
    "/assets/composer.js" SCRIPT "composer.js"
    "/assets/directory.js" SCRIPT "directory.js"
    "/assets/dom.js" SCRIPT "dom.js"
    "/assets/drawers.js" SCRIPT "drawers.js"
    "/assets/embeds.js" SCRIPT "embeds.js"
    "/assets/enclosures.js" SCRIPT "enclosures.js"
    "/assets/faults.js" SCRIPT "faults.js"
    "/assets/gateway.js" SCRIPT "gateway.js"
    "/assets/head.js" SCRIPT "head.js"
    "/assets/history.js" SCRIPT "history.js"
    "/assets/inspect.js" SCRIPT "inspect.js"
    "/assets/interactions.js" SCRIPT "interactions.js"
    "/assets/markdown-blocks.js" SCRIPT "markdown-blocks.js"
    "/assets/markdown-spans.js" SCRIPT "markdown-spans.js"
    "/assets/markdown.js" SCRIPT "markdown.js"
    "/assets/mentions.js" SCRIPT "mentions.js"
    "/assets/menu.js" SCRIPT "menu.js"
    "/assets/message.js" SCRIPT "message.js"
    "/assets/modal.js" SCRIPT "modal.js"
    "/assets/model.js" SCRIPT "model.js"
    "/assets/notices.js" SCRIPT "notices.js"
    "/assets/outbox.js" SCRIPT "outbox.js"
    "/assets/pane.js" SCRIPT "pane.js"
    "/assets/permissions.js" SCRIPT "permissions.js"
    "/assets/reactions.js" SCRIPT "reactions.js"
    "/assets/rest.js" SCRIPT "rest.js"
    "/assets/rows.js" SCRIPT "rows.js"
    "/assets/selects.js" SCRIPT "selects.js"
    "/assets/session.js" SCRIPT "session.js"
    "/assets/sidebars.js" SCRIPT "sidebars.js"
    "/assets/slash.js" SCRIPT "slash.js"
    "/assets/suggestions.js" SCRIPT "suggestions.js"
    "/assets/surface.js" SCRIPT "surface.js"
    "/assets/timeline.js" SCRIPT "timeline.js"
    "/assets/traffic.js" SCRIPT "traffic.js"
    "/assets/turn.js" SCRIPT "turn.js"
    "/assets/typists.js" SCRIPT "typists.js"
    "/assets/uploads.js" SCRIPT "uploads.js"
    "/assets/welcome.js" SCRIPT "welcome.js"
}

/// The playground at `/`, its files below `/assets/`.
///
/// Browsers ask again each time and get `304 Not Modified` until the binary
/// changes, so an upgrade never mixes old and new files.
pub fn page() -> Router {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        let etag = asset.etag();
        let answer = move |headers: HeaderMap| async move { asset.answer(&headers, etag) };
        router.route(asset.path, get(answer))
    })
}

impl Asset {
    fn answer(&self, request: &HeaderMap, etag: HeaderValue) -> Response {
        let known = names(request, &etag);
        let headers = [
            (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (CONTENT_SECURITY_POLICY, policy(request)),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (ETAG, etag),
        ];
        if known {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let content_type = HeaderValue::from_static(self.content_type);
        (headers, [(CONTENT_TYPE, content_type)], self.body).into_response()
    }

    fn etag(&self) -> HeaderValue {
        HeaderValue::from_str(&format!("\"{:016x}\"", fnv1a(self.body)))
            .unwrap_or_else(|_| HeaderValue::from_static("\"\""))
    }
}

/// The policy with the websockets of the host that was asked for by name, as
/// older browsers do not count them as `'self'`.
fn policy(request: &HeaderMap) -> HeaderValue {
    let host = request.get(HOST).and_then(|host| host.to_str().ok());
    let is_host = |host: &&str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
        !host.is_empty() && host.bytes().all(plain)
    };
    host.filter(is_host)
        .and_then(|host| HeaderValue::from_str(&format!("{POLICY} ws://{host}")).ok())
        .unwrap_or_else(|| HeaderValue::from_static(POLICY))
}

fn names(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let etag = etag.as_bytes();
    request.get_all(IF_NONE_MATCH).iter().any(|known| {
        known.as_bytes().split(|byte| *byte == b',').any(|tag| {
            let tag = tag.trim_ascii();
            tag.strip_prefix(b"W/").unwrap_or(tag) == etag
        })
    })
}

/// FNV-1a: enough to tell two builds of one file apart.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
