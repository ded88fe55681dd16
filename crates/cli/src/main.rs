//! Kaiwa: an AI-chat runtime for Discord.

use std::process::ExitCode;

fn main() -> ExitCode {
    kaiwa::main()
}
