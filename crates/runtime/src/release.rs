//! Bans that end by themselves are lifted when they are due.
//!
//! Whose that is stands in the book of cases, so that a restart forgets nobody;
//! what Discord would not do is tried again until it does. A ban that somebody
//! else has put in the place of ours is not ours to lift.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::{
    BanRegister, ChatError, GuildId, Moment, Scope, StoreError, Timestamp, UserId, is_ban_of_ours,
};

use crate::Bot;
use crate::signals::Signals;

/// How often the book is looked at.
const EVERY: Duration = Duration::from_secs(41);

/// The pauses before somebody's ban is tried again.
const FIRST_PAUSE: Duration = Duration::from_secs(30);
const LONGEST_PAUSE: Duration = Duration::from_secs(3600);

/// What the audit log says.
const REASON: &str = "Kaiwa: the ban was for a while, which is over";

/// Lifts bans until the bot ends.
pub(crate) async fn run(bot: Arc<Bot>, signals: Signals) {
    let mut release = Release::default();
    loop {
        let wait = match release.lift_due(&bot).await {
            Ok(next) => next.map_or(EVERY, |next| next.min(EVERY)),
            Err(error) => {
                tracing::warn!(%error, "the bans that are due cannot be read");
                EVERY
            }
        };
        tokio::select! {
            () = signals.closing.cancelled() => return,
            () = bot.clock.sleep(wait) => {}
        }
    }
}

/// Whose ban could not be lifted, and when to try again.
#[derive(Default)]
pub(crate) struct Release {
    refused: HashMap<(GuildId, UserId), (Moment, Duration)>,
}

impl Release {
    /// Lifts what is due, and says how long until the next ban is.
    pub(crate) async fn lift_due(&mut self, bot: &Bot) -> Result<Option<Duration>, StoreError> {
        let mut next: Option<Timestamp> = None;
        for scope in bot.cases.scopes_with_bans().await? {
            let Scope::Guild(guild) = scope else {
                continue;
            };
            let register = BanRegister::new(&bot.cases.open_bans(scope).await?);
            let now = bot.clock.now();
            for user in register.due(now) {
                self.lift_in_time(bot, guild, user).await?;
            }
            let later = register.next_end_after(now);
            next = [next, later].into_iter().flatten().min();
        }
        Ok(next.map(|next| next.since(bot.clock.now())))
    }

    async fn lift_in_time(
        &mut self,
        bot: &Bot,
        guild: GuildId,
        user: UserId,
    ) -> Result<(), StoreError> {
        let moment = bot.clock.moment();
        let before = self.refused.get(&(guild, user)).copied();
        if before.is_some_and(|(again, _)| again > moment) {
            return Ok(());
        }
        match lift(bot, guild, user).await {
            Ok(()) => {
                self.refused.remove(&(guild, user));
                let (scope, now) = (Scope::Guild(guild), bot.clock.now());
                bot.cases.lift_bans(scope, user, now).await?;
                tracing::info!(%guild, %user, "a ban is over");
            }
            Err(error) => {
                let pause = before.map_or(FIRST_PAUSE, |(_, pause)| pause * 2);
                let pause = pause.min(LONGEST_PAUSE);
                self.refused
                    .insert((guild, user), (moment.after(pause), pause));
                tracing::warn!(%guild, %user, %error, ?pause, "a ban that is over was not lifted");
            }
        }
        Ok(())
    }
}

async fn lift(bot: &Bot, guild: GuildId, user: UserId) -> Result<(), ChatError> {
    match bot.moderation.ban_of(guild, user).await? {
        None => Ok(()),
        Some(ban) if !is_ban_of_ours(&ban.reason) => {
            tracing::info!(%guild, %user, "somebody else banned them and decides how long");
            Ok(())
        }
        Some(_) => bot.moderation.unban(guild, user, REASON).await.map(drop),
    }
}
