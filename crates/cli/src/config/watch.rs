//! Follows the file while the process runs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kaiwa_domain::port::Clock;

use super::{Config, ConfigErrors};

/// How often the file is looked at.
const PERIOD: Duration = Duration::from_secs(1);

/// Looks at the configuration file, and through it at the files it names, and
/// tells what an edit means.
///
/// What counts is the configuration that results, not the time stamp: a new
/// comment is no change, and a copy with an old date is one. An edit counts
/// once it was seen twice, because an editor may be caught between emptying
/// the file and writing it.
#[derive(Debug)]
pub struct Watcher {
    path: PathBuf,
    /// The last good configuration.
    current: Arc<Config>,
    /// What the file said when it was last acted upon.
    settled: Result<Arc<Config>, ConfigErrors>,
    /// Something else that was seen once.
    glimpsed: Option<Result<Arc<Config>, ConfigErrors>>,
    hangups: Hangups,
}

/// What became of an edit.
#[derive(PartialEq, Debug)]
pub enum ReloadOutcome {
    /// There is a new configuration.
    Adopted {
        /// The configuration from here on.
        config: Arc<Config>,
        /// The keys whose change waits for a restart.
        needs_restart: Vec<&'static str>,
    },
    /// The file has problems; the last good configuration stays.
    Refused(ConfigErrors),
}

impl Watcher {
    /// Watches the file that `config` was loaded from.
    pub fn new(path: PathBuf, config: Config) -> Self {
        let current = Arc::new(config);
        Self {
            path,
            settled: Ok(Arc::clone(&current)),
            current,
            glimpsed: None,
            hangups: Hangups::default(),
        }
    }

    /// Hears the signal to reload from now on. Until then it would end the
    /// process. Must be called inside a tokio runtime.
    pub fn listening(mut self) -> Self {
        self.hangups.listen();
        self
    }

    /// Waits for the next good configuration. Bad edits, and changes that wait
    /// for a restart, go to the log. Dropping the future loses nothing.
    pub async fn changed(&mut self, clock: &dyn Clock) -> Arc<Config> {
        loop {
            let edit = tokio::select! {
                () = clock.sleep(PERIOD) => self.check(),
                () = self.hangups.next() => self.reload(),
            };
            match edit {
                Some(ReloadOutcome::Adopted {
                    config,
                    needs_restart,
                }) => {
                    tracing::info!(file = %self.path.display(), "configuration reloaded");
                    for key in needs_restart {
                        tracing::warn!(key, "this change takes effect after a restart");
                    }
                    return config;
                }
                Some(ReloadOutcome::Refused(problems)) => {
                    for problem in problems.iter() {
                        tracing::error!("{problem}");
                    }
                    tracing::error!("the edit is not used; the last good configuration stays");
                }
                None => {}
            }
        }
    }

    /// Looks at the file once. An edit is told at the second look that sees it.
    pub fn check(&mut self) -> Option<ReloadOutcome> {
        let seen = Config::load(&self.path).map(Arc::new);
        if seen == self.settled {
            self.glimpsed = None;
            return None;
        }
        if self.glimpsed.as_ref() == Some(&seen) {
            return self.settle(seen);
        }
        self.glimpsed = Some(seen);
        None
    }

    /// Reads the file at the operator's request: without waiting for a second
    /// look, and telling known problems again.
    pub fn reload(&mut self) -> Option<ReloadOutcome> {
        let seen = Config::load(&self.path).map(Arc::new);
        self.settle(seen)
    }

    fn settle(&mut self, seen: Result<Arc<Config>, ConfigErrors>) -> Option<ReloadOutcome> {
        self.glimpsed = None;
        self.settled = seen.clone();
        match seen {
            Ok(config) if config == self.current => None,
            Ok(config) => {
                let needs_restart = Config::changes_needing_restart(&self.current, &config);
                self.current = Arc::clone(&config);
                Some(ReloadOutcome::Adopted {
                    config,
                    needs_restart,
                })
            }
            Err(problems) => Some(ReloadOutcome::Refused(problems)),
        }
    }
}

/// The signal by which operators ask a process to read its files again.
#[derive(Default, Debug)]
struct Hangups {
    #[cfg(unix)]
    signal: Option<tokio::signal::unix::Signal>,
}

impl Hangups {
    #[cfg(unix)]
    fn listen(&mut self) {
        use tokio::signal::unix::{SignalKind, signal};
        // A system without the signal still has the look each second.
        self.signal = signal(SignalKind::hangup()).ok();
    }

    #[cfg(not(unix))]
    fn listen(&mut self) {}

    /// Waits for the next one; forever where there are none.
    #[cfg(unix)]
    async fn next(&mut self) {
        let heard = match &mut self.signal {
            Some(signal) => signal.recv().await,
            None => None,
        };
        if heard.is_none() {
            std::future::pending::<()>().await;
        }
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        std::future::pending().await
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::future::{pending, ready};

    fn messages(config: &Config) -> u16 {
        use kaiwa_domain::settings::{SettingKey, SettingValue};
        match config.settings.value(SettingKey::Messages) {
            SettingValue::Whole(number) => *number,
            _ => 0,
        }
    }

    use kaiwa_domain::port::Pending;
    use kaiwa_domain::{Moment, Timestamp};
    use tempfile::TempDir;

    use super::*;

    struct Bench {
        folder: TempDir,
        watcher: Watcher,
    }

    impl Bench {
        fn new(text: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("kaiwa.toml");
            fs::write(&path, text).unwrap();
            let config = Config::load(&path).unwrap();
            let watcher = Watcher::new(path, config);
            Self { folder, watcher }
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.folder.path().join(name), text).unwrap();
        }

        /// What is told once the file is left alone: how many messages are
        /// shown and which keys wait, or the problems.
        fn told(&mut self) -> Option<Result<(u16, Vec<&'static str>), String>> {
            assert_eq!(self.watcher.check(), None, "told at the first look");
            let edit = self.watcher.check()?;
            assert_eq!(self.watcher.check(), None, "told twice");
            Some(match edit {
                ReloadOutcome::Adopted {
                    config,
                    needs_restart,
                } => Ok((messages(&config), needs_restart)),
                ReloadOutcome::Refused(problems) => {
                    let folder = self.folder.path().display().to_string();
                    Err(problems.to_string().replace(&folder, "DIR"))
                }
            })
        }
    }

    #[test]
    fn good_edits_are_adopted_and_bad_ones_are_not() {
        let mut bench = Bench::new("context.messages = 5");
        assert_eq!(bench.told(), None);

        bench.write("kaiwa.toml", "context.messages = 6");
        assert_eq!(bench.told(), Some(Ok((6, vec![]))));

        bench.write("kaiwa.toml", "\ncontext.messages = 600");
        let problem = "DIR/kaiwa.toml:2: context.messages: 600 is out of range; allowed: a whole number from 1 to 100";
        assert_eq!(bench.told(), Some(Err(problem.to_owned())));
        assert_eq!(messages(&bench.watcher.current), 6);

        bench.write("kaiwa.toml", "# six it is\ncontext.messages = 6");
        assert_eq!(bench.told(), None, "back to what is in use");

        fs::remove_file(bench.folder.path().join("kaiwa.toml")).unwrap();
        let gone = bench.told().unwrap().unwrap_err();
        assert!(
            gone.starts_with("DIR/kaiwa.toml: there is no such file"),
            "{gone}"
        );
        assert_eq!(messages(&bench.watcher.current), 6);

        bench.write(
            "kaiwa.toml",
            "context.messages = 7\nstorage.data = \"there\"",
        );
        assert_eq!(bench.told(), Some(Ok((7, vec!["storage.data"]))));
    }

    #[test]
    fn a_half_written_file_is_not_believed() {
        let mut bench = Bench::new("context.messages = 5");
        bench.write("kaiwa.toml", "");
        assert_eq!(bench.watcher.check(), None);
        bench.write("kaiwa.toml", "context.messages = 6");
        assert_eq!(bench.told(), Some(Ok((6, vec![]))));
    }

    #[test]
    fn the_personality_is_watched_too() {
        let mut bench = Bench::new("");
        bench.write("me.md", "I am one.");
        bench.write("kaiwa.toml", "personality.file = \"me.md\"");
        assert_eq!(bench.told(), Some(Ok((30, vec![]))));
        assert_eq!(bench.watcher.current.personality.text(), "I am one.");

        bench.write("me.md", "I am two.");
        assert_eq!(bench.told(), Some(Ok((30, vec![]))));
        assert_eq!(bench.watcher.current.personality.text(), "I am two.");
    }

    #[test]
    fn a_request_is_obeyed_at_once() {
        let mut bench = Bench::new("context.messages = 5");
        assert_eq!(bench.watcher.reload(), None);
        bench.write("kaiwa.toml", "context.messages = 6");
        assert!(matches!(
            bench.watcher.reload(),
            Some(ReloadOutcome::Adopted { .. })
        ));
        bench.write("kaiwa.toml", "context = 6");
        for _ in 0..2 {
            assert!(matches!(
                bench.watcher.reload(),
                Some(ReloadOutcome::Refused(_))
            ));
        }
    }

    /// A clock whose every sleep is over at once, or never.
    struct Fixed {
        over: bool,
    }

    impl Clock for Fixed {
        fn now(&self) -> Timestamp {
            Timestamp::from_millis(0)
        }

        fn moment(&self) -> Moment {
            Moment::default()
        }

        fn sleep(&self, _: Duration) -> Pending<'static, ()> {
            if self.over {
                Box::pin(ready(()))
            } else {
                Box::pin(pending())
            }
        }
    }

    #[tokio::test]
    async fn waiting_looks_again_until_there_is_a_good_edit() {
        let mut bench = Bench::new("context.messages = 5");
        bench.write("kaiwa.toml", "context.messages = 6");
        let config = bench.watcher.changed(&Fixed { over: true }).await;
        assert_eq!(messages(&config), 6);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_hangup_makes_it_look_at_once() {
        let bench = Bench::new("context.messages = 5");
        bench.write("kaiwa.toml", "context.messages = 6");
        let mut watcher = bench.watcher.listening();
        let killed = std::process::Command::new("sh")
            .args(["-c", "kill -HUP \"$0\"", &std::process::id().to_string()])
            .status();
        assert!(killed.unwrap().success());
        let config = watcher.changed(&Fixed { over: false }).await;
        assert_eq!(messages(&config), 6);
    }
}
