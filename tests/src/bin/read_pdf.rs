//! Reads a PDF for a bot in a test, as `kaiwa` does for itself.

use std::process::ExitCode;

fn main() -> ExitCode {
    kaiwa_actions::read_pdf_and_exit()
}
