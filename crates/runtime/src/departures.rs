//! Guilds that we are no longer in: what is kept of them is erased a while
//! later.
//!
//! The gateway tells when we are removed from a guild. What it did not tell,
//! because nobody listened, is found by comparing: the guilds of which something
//! is kept with Discord's list of ours, which is the same whatever shards there
//! are. Nothing follows from a list that could not be read to its end, and
//! nothing is erased but by a list that was read just then: a guild that comes
//! back or was missing from a list by mistake is found on the next one, hours
//! after, and not weeks.

use std::collections::HashSet;

use kaiwa_domain::port::Departure;
use kaiwa_domain::{DataSubject, GuildId, Scope, StoreError};

use crate::Bot;

/// The gateway says that we are no longer in a guild. What cannot be written
/// down is found by comparing.
pub(crate) async fn left(bot: &Bot, scope: Scope) {
    let Scope::Guild(guild) = scope else {
        return;
    };
    if let Err(error) = bot.departures.depart(guild, bot.clock.now()).await {
        tracing::warn!(%error, %scope, "that a guild was left is not written down");
    }
}

/// Finds out which guilds we are no longer in, and erases those that were left
/// long ago.
pub(crate) async fn settle(bot: &Bot) {
    let ours: HashSet<GuildId> = match bot.chat.our_guilds().await {
        Ok(guilds) => guilds.into_iter().collect(),
        Err(error) => {
            tracing::warn!(%error, "our guilds cannot be read; none is taken to be left");
            return;
        }
    };
    let compared = async {
        compare(bot, &ours).await?;
        erase_due(bot).await
    };
    if let Err(error) = compared.await {
        tracing::warn!(%error, "guilds that were left cannot be erased");
    }
}

/// Writes down which guilds were left and which were entered again.
async fn compare(bot: &Bot, ours: &HashSet<GuildId>) -> Result<(), StoreError> {
    let departed = bot.departures.departures().await?;
    for departure in &departed {
        if ours.contains(&departure.guild) {
            bot.departures.come_back(departure.guild).await?;
        }
    }
    let is_known = |guild| departed.iter().any(|it| it.guild == guild);
    for guild in bot.departures.guilds_on_record().await? {
        if !ours.contains(&guild) && !is_known(guild) {
            tracing::info!(%guild, "a guild was left while nobody listened");
            bot.departures.depart(guild, bot.clock.now()).await?;
        }
    }
    Ok(())
}

async fn erase_due(bot: &Bot) -> Result<(), StoreError> {
    let Some(kept) = bot.setup.borrow().retention.departed else {
        return Ok(());
    };
    let now = bot.clock.now();
    for Departure { guild, at } in bot.departures.departures().await? {
        if now.since(at) < kept {
            continue;
        }
        let rows = bot.erasure.erase(DataSubject::Guild(guild), now).await?;
        let scope = Scope::Guild(guild);
        bot.settings.erased(scope);
        bot.personas.changed(scope);
        metrics::counter!("guilds_erased_total").increment(1);
        tracing::info!(%guild, rows, "a guild that was left long ago was erased");
    }
    Ok(())
}
