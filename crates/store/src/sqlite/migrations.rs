//! How the tables came to be, step by step. A step that was released is never
//! changed.

use std::sync::LazyLock;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Reads the steps at compile time. The driver's own macro would do the same,
/// but compiles the whole driver and SQLite a second time for it.
macro_rules! steps {
    ($($version:literal $name:literal)*) => {
        &[$((
            $version,
            $name,
            include_str!(concat!("../../migrations/sqlite/", $name, ".sql")),
        )),*]
    };
}

/// Version, file and statements of each step.
const STEPS: &[(i64, &str, &str)] = steps! {
    1 "0001_journals"
    2 "0002_tables"
    3 "0003_expenses"
    4 "0004_files"
    5 "0005_effects"
    6 "0006_settings"
    7 "0007_memory"
    8 "0008_interactions"
    9 "0009_offers"
    10 "0010_schedules"
    11 "0011_moderation"
    12 "0012_newcomers"
    13 "0013_personas"
    14 "0014_notes_of_personas"
    15 "0015_reports"
    16 "0016_webhooks"
    17 "0017_answer_buttons"
    18 "0018_departures"
    19 "0019_epoch"
    20 "0020_take_requests"
    21 "0021_schedule_marks"
};

pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let steps = STEPS.iter().map(|&(version, name, sql)| {
        let description = name.split_once('_').map_or(name, |(_, words)| words);
        Migration::new(
            version,
            description.replace('_', " ").into(),
            MigrationType::Simple,
            sql.into_sql_str(),
            false,
        )
    });
    Migrator::with_migrations(steps.collect())
});

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_step_in_the_folder_is_taken_in_order() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite");
        let files = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let listed: Vec<String> = STEPS
            .iter()
            .map(|(_, name, _)| format!("{name}.sql"))
            .collect();
        assert_eq!(listed, names);
        assert!(STEPS.is_sorted_by(|one, other| one.0 < other.0));
        for (version, name, _) in STEPS {
            assert!(name.starts_with(&format!("{version:04}_")), "{name}");
        }
    }
}
