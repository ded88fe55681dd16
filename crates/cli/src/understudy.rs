//! `kaiwa understudy`: the scripted model, alone.

use std::time::Duration;

use anyhow::{Context, Result};
use tokio_util::sync::CancellationToken;

use crate::args::UnderstudyArgs;
use crate::console;

pub(crate) async fn understudy(args: UnderstudyArgs) -> Result<()> {
    let listener = console::listen(args.port).await?;
    let address = listener.local_addr()?;
    let stop = console::asked_to_stop();
    console::print(format_args!("http://{address}/v1"));
    console::say("the understudy is a script with the OpenAI wire format; Ctrl-C stops it");

    let shutdown = CancellationToken::new();
    let pace = kaiwa_understudy::StreamPace::new(Duration::from_millis(args.pace));
    let serving = kaiwa_understudy::serve(listener, pace, shutdown.clone());
    tokio::pin!(serving);
    tokio::select! {
        done = &mut serving => return done.context("the understudy stopped"),
        () = stop => shutdown.cancel(),
    }
    console::unless_pressed(serving)
        .await?
        .context("the understudy stopped badly")
}
