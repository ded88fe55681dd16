//! Reading models' answers: how fast beside another reader, and how many at a
//! time.
//!
//! ```text
//! kaiwa-bench-provider reading [FOLDER]   prints a table; FOLDER has recordings
//! kaiwa-bench-provider crowd ADDRESS N    listens to N answers of `load` at once
//! ```

mod crowd;
mod peer;
mod reading;

use std::path::Path;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["reading"] => reading::measure(None),
        ["reading", folder] => reading::measure(Some(Path::new(folder))),
        ["crowd", address, count] => crowd::measure(address, count.parse().expect("a number")),
        _ => panic!("see the documentation of main.rs"),
    }
}
