//! Rebuilds the crate when a migration is added: the compiler only sees the
//! files that `sqlx::migrate!` found last time.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
