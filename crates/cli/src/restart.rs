//! `POST /play/bot/restart`: stops the bot of the playground and starts it
//! again in the same process, as the page asks.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use tokio::sync::{mpsc, oneshot};

/// Who waits for the bot to be back.
pub(crate) type Waiter = oneshot::Sender<()>;

/// The route, and who asked by it. One restart at a time; whoever asks
/// meanwhile is told so.
pub(crate) fn restarts() -> (Router, mpsc::Receiver<Waiter>) {
    let (asking, asked) = mpsc::channel(1);
    let route = Router::new()
        .route("/play/bot/restart", post(restart))
        .with_state(asking);
    (route, asked)
}

async fn restart(State(asking): State<mpsc::Sender<Waiter>>) -> Response {
    let (waiter, back) = oneshot::channel();
    if asking.try_send(waiter).is_err() {
        return (
            StatusCode::CONFLICT,
            "The bot is being restarted already.\n",
        )
            .into_response();
    }
    match back.await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "The bot did not come back; the terminal says why.\n",
        )
            .into_response(),
    }
}
