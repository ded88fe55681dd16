//! Placeholder.
pub(crate) fn run() -> Result<(), String> {
    Err("nothing".into())
}
