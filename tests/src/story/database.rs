//! Another program that locks the bot's database, and what that does to it.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use kaiwa_runtime::HealthCondition;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::Story;
use crate::soon;

/// Locks the database it is told until its input ends.
const LOCKER: &str = "\
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=20)
database.execute('BEGIN IMMEDIATE')
print('locked', flush=True)
sys.stdin.read()
database.execute('ROLLBACK')
";

/// How much faster than real time it goes until all has been tried again: no
/// pause between two tries is long then, and no model seems silent.
const STEP: Duration = Duration::from_millis(100);
const REAL_STEP: Duration = Duration::from_millis(20);

/// A program that has locked the database.
pub struct DatabaseLock(Child);

impl Story {
    /// Somebody opens the bot's database with another program and locks it.
    /// Where there is no such program, says so loudly and gives none.
    pub async fn database_is_locked(&self) -> Option<DatabaseLock> {
        let path = self.folder().join("kaiwa.db");
        let mut command = Command::new("python3");
        command.args(["-c", LOCKER]).arg(path);
        let started = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        let mut program = match started {
            Ok(program) => program,
            Err(error) => {
                let words = "SKIPPED: a locked database is not tested without python3";
                let _ = writeln!(std::io::stderr(), "{words}: {error}");
                return None;
            }
        };
        let output = program.stdout.take().expect("its output");
        let mut lines = BufReader::new(output).lines();
        let line = soon("a locked database", lines.next_line()).await;
        assert_eq!(line.expect("its output").as_deref(), Some("locked"));
        Some(DatabaseLock(program))
    }

    /// The other program ends. Whatever waits for the database tries again
    /// until `event` has come.
    pub async fn database_is_free<T>(
        &mut self,
        lock: DatabaseLock,
        event: impl AsyncFnOnce(&mut Self) -> T,
    ) -> T {
        lock.ends().await;
        let clock = self.clock.clone();
        let trying = async {
            loop {
                // Real time: the bot works in its own.
                tokio::time::sleep(REAL_STEP).await;
                clock.passes(STEP);
            }
        };
        tokio::select! {
            biased;
            happened = event(self) => happened,
            () = trying => unreachable!("tries never end"),
        }
    }

    /// How the bot is, once it has noticed that its journal fails.
    pub async fn journal_fails(&self) -> HealthCondition {
        self.once_it_is("a failing journal", |it| it.journal.is_some())
            .await
    }

    /// How the bot is, once it has let its connection go until there is room for
    /// what comes.
    pub async fn is_paused(&self) -> HealthCondition {
        self.once_it_is("a paused shard", |it| !it.paused_shards.is_empty())
            .await
    }

    /// How the bot is, once events flow again.
    pub async fn is_connected(&self) -> HealthCondition {
        self.once_it_is("a connection", HealthCondition::connected)
            .await
    }
}

impl DatabaseLock {
    async fn ends(mut self) {
        drop(self.0.stdin.take());
        let ended = soon("the other program to end", self.0.wait()).await;
        assert!(ended.expect("a program").success());
    }
}
