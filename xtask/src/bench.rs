//! Placeholder.
pub(crate) fn start(_: &[&str]) -> Result<(), String> {
    Err("nothing".into())
}
