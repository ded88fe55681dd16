//! `kaiwa run`: the bot on Discord.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use kaiwa_discord::{Access, INVALID_REQUESTS_MOST, invite_link, needed_permissions};
use kaiwa_domain::Role;
use kaiwa_domain::port::Clock;
use kaiwa_provider::ModelPool;
use kaiwa_runtime::{CorrectedClock, Decisions, Setup, SystemClock};
use kaiwa_web::{ServerLimits, inspection};
use tokio::sync::watch;

use crate::args::ConfigArgs;
use crate::assembly::{BotParts, RunningBot, open, start_with};
use crate::config::{Config, Watcher, environment};
use crate::inspect::Kept;
use crate::process::Process;
use crate::{console, exit, models, prices, reach, search, trust};

pub(crate) async fn run(args: ConfigArgs) -> Result<()> {
    let config = Config::load(&args.config)?;
    trust::extend(&config)?;
    console::log(config.log.level, config.log.format);
    let mut watcher = Watcher::new(args.config.clone(), config.clone()).listening();
    let chat = models::candidates(&config, Role::Chat)?;
    if chat.is_empty() {
        bail!(exit::needs_a_person(format!(
            "no model: write [models] with chat = \"vendor/model\" into {}, as config.example.toml shows, or try `kaiwa play`",
            args.config.display()
        )));
    }
    let token = config.discord_token(&environment)?;
    // One is enough: the others may come later, and so may the one.
    match reach::any(&config, &chat).await {
        Err(error) if exit::may_pass(&error) => {
            tracing::warn!("{error:#}; starting all the same, for it may come back");
        }
        reached => drop(reached?),
    }

    let clock: Arc<dyn Clock> = Arc::new(CorrectedClock::new(SystemClock));
    let web_actions = search::actions(&config, &clock)?;
    let data = args.data.as_ref().unwrap_or(&config.storage.data);
    let store = open(data).await?;
    let model_pool = Arc::new(ModelPool::new(clock.clone(), Some(store.clone())));
    prices::warn(&config, &[]);
    let role_models = models::role_models(&config, &model_pool, chat)?;
    let setup = watch::Sender::new(Arc::new(models::setup(&config, role_models)));
    let (process, observability) = Process::start()?;
    let decisions = Decisions::default();
    if let Some(address) = config.web.listen {
        // What people wrote is shown to this machine alone.
        let observability = match address.ip().is_loopback() {
            true => observability.merge(inspection(Arc::new(Kept {
                store: store.clone(),
                decisions: decisions.clone(),
            }))),
            false => observability,
        };
        let listener = console::listen_at(address, "web.listen").await?;
        tracing::info!("health and metrics at http://{}", listener.local_addr()?);
        let ending = process.shutdown.clone();
        let serving = kaiwa_web::serve(listener, observability, ServerLimits::default(), ending);
        process.tasks.spawn("web", serving);
    }

    let parts = BotParts {
        access: Access {
            token,
            api_url: config.discord.api_url.clone(),
            gateway_url: config.discord.gateway_url.clone(),
            message_content: config.discord.message_content,
            guild_members: config.discord.guild_members,
            extra_ca: config.extra_ca(),
            requests_per_second: config.discord.requests_per_second,
            invalid_requests: INVALID_REQUESTS_MOST,
        },
        store,
        model_pool: model_pool.clone(),
        clock: clock.clone(),
        setup: setup.subscribe(),
        decisions,
    };
    let mut bot = start_with(parts, web_actions).await?;
    let application = bot
        .rest()
        .application()
        .await
        .context("Discord did not name the application")?;
    let stop = console::asked_to_stop();
    console::say(format_args!(
        "{} is starting. Invite it with\n  {}",
        bot.me().name,
        invite_link(application.id, needed_permissions())
    ));

    let serving = async {
        bot.connected().await?;
        process.is_ready(bot.health());
        console::say(format_args!(
            "{} is online. Ctrl-C stops it.",
            bot.me().name
        ));
        serve(&mut bot, &mut watcher, &setup, &model_pool, &*clock).await
    };
    let ended = tokio::select! {
        ended = serving => ended,
        () = stop => Ok(()),
    };
    process.end(bot).await?;
    ended
}

/// Adopts good edits of the file until the bot cannot go on.
async fn serve(
    bot: &mut RunningBot,
    watcher: &mut Watcher,
    setup: &watch::Sender<Arc<Setup>>,
    model_pool: &ModelPool,
    clock: &dyn Clock,
) -> Result<()> {
    loop {
        tokio::select! {
            failure = bot.failure() => return Err(failure.into()),
            config = watcher.changed(clock) => match adopt(&config, model_pool) {
                Ok(next) => drop(setup.send_replace(Arc::new(next))),
                Err(error) => tracing::error!("{error:#}; the last good configuration stays"),
            },
        }
    }
}

/// The setup that an edited configuration asks for.
fn adopt(config: &Config, model_pool: &ModelPool) -> Result<Setup> {
    let chat = models::candidates(config, Role::Chat)?;
    if chat.is_empty() {
        bail!("{} is gone", config.place(Role::Chat.name()));
    }
    prices::warn(config, &[]);
    let role_models = models::role_models(config, model_pool, chat)?;
    Ok(models::setup(config, role_models))
}
