//! A backup is brought back.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Output, Stdio};

use tempfile::TempDir;

use crate::terminal::{assert_failure, kaiwa};

const OLDER: &str = "kaiwa-20270101T000000Z.db";
const NEWER: &str = "kaiwa-20270102T030405Z.db";

/// A data folder, and what a server has set in its database.
struct Folder(TempDir);

impl Folder {
    /// Two backups, and a database that has gone on since.
    fn new() -> Self {
        let folder = Self(TempDir::new().unwrap());
        fs::create_dir(folder.path("backups")).unwrap();
        for (degree, backup) in [("0", Some(OLDER)), ("2", Some(NEWER)), ("3", None)] {
            let set = ["settings", "set", "--guild", "1", "delivery.degree", degree];
            folder.does(&set, "");
            if let Some(name) = backup {
                let copy = folder.path("backups").join(name);
                fs::copy(folder.path("kaiwa.db"), copy).unwrap();
            }
        }
        folder
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn runs(&self, args: &[&str], answer: &str) -> Output {
        let mut command = kaiwa(self.0.path(), args);
        command.args(["--data", "."]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        // Who asks nothing reads nothing.
        let _ = child.stdin.take().unwrap().write_all(answer.as_bytes());
        child.wait_with_output().unwrap()
    }

    fn does(&self, args: &[&str], answer: &str) -> String {
        let output = self.runs(args, answer);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {told}");
        String::from_utf8(output.stdout).unwrap() + &told
    }

    fn degree(&self) -> String {
        let list = self.does(&["settings", "list", "--guild", "1"], "");
        let line = list.lines().find(|line| line.contains("delivery.degree"));
        let digit = |c: &char| c.is_ascii_digit();
        line.unwrap().chars().find(digit).unwrap().to_string()
    }

    /// Nothing was brought back, and nothing moved.
    fn is_as_it_was(&self) {
        assert_eq!(self.degree(), "3");
        assert!(!self.path("replaced-1").exists());
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_newest_backup_is_taken_and_what_was_there_is_kept() {
    let folder = Folder::new();
    let told = folder.does(&["restore"], "yes\n");
    let listed: Vec<&str> = told.lines().take(2).collect();
    assert!(
        listed[0].starts_with(&format!("{OLDER}  2027-01-01 00:00:00 UTC  ")),
        "{told}"
    );
    assert!(
        listed[1].starts_with(&format!("{NEWER}  2027-01-02 03:04:05 UTC  ")),
        "{told}"
    );
    assert!(listed[1].ends_with(" KB"), "{told}");
    assert!(told.contains("what was there is in ./replaced-1"), "{told}");
    assert_eq!(folder.degree(), "2");
    assert!(folder.path("backups").join(NEWER).exists(), "it stays");
    for private in ["kaiwa.db", "replaced-1/kaiwa.db"] {
        assert_eq!(mode(&folder.path(private)), 0o600, "{private}");
    }
    assert_eq!(mode(&folder.path("replaced-1")), 0o700);

    // Another by its name, then what was there at first by its path.
    folder.does(&["restore", OLDER, "--yes"], "");
    assert_eq!(folder.degree(), "0");
    folder.does(&["restore", "replaced-1/kaiwa.db", "--yes"], "");
    assert_eq!(folder.degree(), "3");
    assert!(folder.path("replaced-3/kaiwa.db").exists());
}

#[test]
fn nothing_changes_without_a_yes_or_with_a_backup_that_is_no_good() {
    let folder = Folder::new();
    for answer in ["", "no\n"] {
        let output = folder.runs(&["restore"], answer);
        assert_eq!(output.status.code(), Some(2));
        assert_failure(&output, "…nothing was changed: say --yes…");
        folder.is_as_it_was();
    }
    let backup = folder.path("backups").join(NEWER);
    let good = fs::read(&backup).unwrap();
    let mut torn = good.clone();
    torn[8_192..12_288].fill(0xa5);
    for (bytes, expected) in [
        (&b"no database at all, but a text"[..], "…is not…"),
        (b"", "…is not…"),
        (&torn, "…is damaged (…"),
        (&good[..good.len() / 2], "…is damaged (…"),
    ] {
        fs::write(&backup, bytes).unwrap();
        let output = folder.runs(&["restore", "--yes"], "");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_failure(&output, expected);
        folder.is_as_it_was();
    }
    let output = folder.runs(&["restore", "nowhere.db", "--yes"], "");
    assert!(!output.status.success());
    folder.is_as_it_was();
    fs::remove_dir_all(folder.path("backups")).unwrap();
    let output = folder.runs(&["restore", "--yes"], "");
    assert_eq!(output.status.code(), Some(2));
    assert_failure(&output, "…there is no backup in ./backups");
}

#[test]
fn a_backup_is_not_brought_back_while_the_bot_runs() {
    let folder = Folder::new();
    let lock = fs::File::open(folder.path("kaiwa.db.lock")).unwrap();
    lock.lock().unwrap();
    let output = folder.runs(&["restore", "--yes"], "");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_failure(&output, "…only while the bot is not running…");
    lock.unlock().unwrap();
    folder.is_as_it_was();
}

#[test]
fn what_was_cut_short_is_finished_by_whoever_opens_the_database() {
    let folder = Folder::new();
    let backup = folder.path("backups").join(NEWER);
    fs::copy(backup, folder.path("kaiwa.db.restored")).unwrap();
    fs::write(folder.path("kaiwa.db-wal"), "a log of the old one").unwrap();
    // Half a copy says nothing.
    fs::write(folder.path("kaiwa.db.restored.part"), "half").unwrap();
    assert_eq!(folder.degree(), "2");
    let log = fs::read_to_string(folder.path("replaced-1/kaiwa.db-wal"));
    assert_eq!(log.unwrap(), "a log of the old one");
}
