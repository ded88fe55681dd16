//! `kaiwa run`: the bot on Discord.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use kaiwa_discord::{Access, invite_link, needed_permissions};
use kaiwa_domain::port::Clock;
use kaiwa_runtime::{Setup, SystemClock, Tasks};
use kaiwa_web::{Health, HealthState, Metrics};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::args::ConfigArgs;
use crate::assembly::{Parts, RunningBot, start};
use crate::config::{Config, Watcher, environment};
use crate::{console, model};

/// How often recorded samples are folded when nobody scrapes them.
const UPKEEP: Duration = Duration::from_secs(5);

pub(crate) async fn run(args: ConfigArgs) -> Result<()> {
    let config = Config::load(&args.config)?;
    let mut watcher = Watcher::new(args.config.clone(), config.clone()).listening();
    console::log(config.log.level.as_str(), config.log.format)?;
    let Some(provider) = &config.provider else {
        bail!(
            "no model: add [provider] with base_url and model to {}, as config.example.toml shows, or try `kaiwa play`",
            args.config.display()
        );
    };
    let secrets = config.secrets(&environment)?;
    model::reach(provider, secrets.provider_key.as_ref()).await?;

    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let model = model::configured(provider, secrets.provider_key, clock.clone())?;
    let setup = watch::Sender::new(Arc::new(model::setup(&config, model)));
    let metrics = kaiwa_web::install_metrics()?;
    let (reporter, health) = Health::new();
    let tasks = Tasks::new();
    let shutdown = CancellationToken::new();
    tasks.spawn("metrics", keep_up(metrics.clone(), shutdown.clone()));
    if let Some(address) = config.web.listen {
        let listener = console::listen_at(address, "web.listen").await?;
        tracing::info!("health and metrics at http://{}", listener.local_addr()?);
        let router = kaiwa_web::observability(health, metrics);
        let ending = shutdown.clone().cancelled_owned();
        tasks.spawn("web", async move {
            axum::serve(listener, router)
                .with_graceful_shutdown(ending)
                .await
        });
    }

    let data = args.data.as_ref().unwrap_or(&config.storage.data);
    let parts = Parts {
        access: Access {
            token: secrets.discord_token,
            api_url: config.discord.api_url.clone(),
            gateway_url: config.discord.gateway_url.clone(),
            message_content: config.discord.message_content,
        },
        data,
        clock: clock.clone(),
        setup: setup.subscribe(),
    };
    let mut bot = start(parts).await?;
    let application = bot
        .rest()
        .application()
        .await
        .context("Discord did not name the application")?;
    console::say(format_args!(
        "{} is starting. Invite it with\n  {}",
        bot.me().name,
        invite_link(application.id, needed_permissions())
    ));

    let ended = tokio::select! {
        connected = bot.connected() => match connected {
            Ok(()) => {
                reporter.set(HealthState::Ok);
                console::say(format_args!("{} is online. Ctrl-C stops it.", bot.me().name));
                serve(&mut bot, &mut watcher, &setup, clock).await
            }
            Err(failure) => Err(failure.into()),
        },
        () = console::asked_to_stop() => Ok(()),
    };
    reporter.set(HealthState::Stopping);
    let stopped = console::unless_pressed(async {
        let stopped = bot.stop().await;
        shutdown.cancel();
        tasks.ended().await;
        stopped
    });
    stopped.await??;
    ended
}

/// Runs until somebody asks it to stop, adopting good edits of the file.
async fn serve(
    bot: &mut RunningBot,
    watcher: &mut Watcher,
    setup: &watch::Sender<Arc<Setup>>,
    clock: Arc<dyn Clock>,
) -> Result<()> {
    loop {
        tokio::select! {
            () = console::asked_to_stop() => return Ok(()),
            failure = bot.failure() => return Err(failure.into()),
            config = watcher.changed(&*clock) => match adopt(&config, clock.clone()) {
                Ok(next) => drop(setup.send_replace(Arc::new(next))),
                Err(error) => tracing::error!("{error:#}; the last good configuration stays"),
            },
        }
    }
}

/// The setup that an edited configuration asks for.
fn adopt(config: &Config, clock: Arc<dyn Clock>) -> Result<Setup> {
    let provider = config.provider.as_ref().context("[provider] is gone")?;
    let key = config.provider_key(&environment)?;
    let model = model::configured(provider, key, clock)?;
    Ok(model::setup(config, model))
}

/// Keeps the metrics' memory small whether or not anybody reads them.
pub(crate) async fn keep_up(metrics: Metrics, shutdown: CancellationToken) {
    while shutdown
        .run_until_cancelled(tokio::time::sleep(UPKEEP))
        .await
        .is_some()
    {
        metrics.upkeep();
    }
}
