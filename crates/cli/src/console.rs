//! What a person sees in the terminal. Standard output carries results, standard
//! error carries everything else.

#![expect(clippy::print_stderr, reason = "the one place that prints")]

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use tokio::net::TcpListener;
use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{LogFormat, environment};
use crate::exit;

/// Whether standard error is a stream of JSON objects, so that what people
/// are told becomes a record of the log too.
static JSON: AtomicBool = AtomicBool::new(false);

/// Prints a result on standard output, unless nobody reads it any more.
pub(crate) fn print(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints a piece of a result at once. A terminal gets no control characters:
/// whoever wrote the piece could rule it with them.
pub(crate) fn print_piece(piece: &str) -> io::Result<()> {
    let mut stdout = io::stdout();
    if stdout.is_terminal() {
        let plain = |c: &char| matches!(c, '\n' | '\t') || !c.is_control();
        let piece: String = piece.chars().filter(plain).collect();
        stdout.write_all(piece.as_bytes())?;
    } else {
        stdout.write_all(piece.as_bytes())?;
    }
    stdout.flush()
}

/// Tells the person something.
pub(crate) fn say(line: impl Display) {
    match JSON.load(Ordering::Relaxed) {
        true => {
            let line = line.to_string();
            let words: Vec<&str> = line.split_whitespace().collect();
            tracing::info!("{}", words.join(" "));
        }
        false => eprintln!("{line}"),
    }
}

/// Reports a failure in one sentence, and says what it means to a supervisor.
pub(crate) fn fail(error: &anyhow::Error) -> ExitCode {
    match JSON.load(Ordering::Relaxed) {
        true => tracing::error!("{error:#}"),
        false => eprintln!("kaiwa: {error:#}"),
    }
    ExitCode::from(exit::code(error))
}

/// Sends log lines to standard error. Targets that would log request paths are
/// silenced whatever the level, for a path may hold a webhook's token.
pub(crate) fn log(level: Level, format: LogFormat) {
    let silent = ["hyper", "reqwest", "h2"];
    let filter = Targets::new()
        .with_default(level)
        .with_targets(silent.map(|target| (target, LevelFilter::OFF)));
    let lines = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(is_colourful(io::stderr().is_terminal(), environment))
        .with_target(false);
    let log = tracing_subscriber::registry().with(filter);
    match format {
        LogFormat::Text => log.with(lines.compact()).init(),
        LogFormat::Json => {
            log.with(lines.json()).init();
            JSON.store(true, Ordering::Relaxed);
            std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
        }
    }
}

/// Whether lines are coloured: on a terminal that can, unless the person asks
/// for none (<https://no-color.org>).
fn is_colourful(is_terminal: bool, environment: impl Fn(&str) -> Option<String>) -> bool {
    let refused = environment("NO_COLOR").is_some_and(|it| !it.is_empty());
    let is_dumb = environment("TERM").as_deref() == Some("dumb");
    is_terminal && !refused && !is_dumb
}

/// Listens on 127.0.0.1, or says what to do.
pub(crate) async fn listen(port: u16) -> Result<TcpListener> {
    listen_at(SocketAddr::from((Ipv4Addr::LOCALHOST, port)), "--port").await
}

/// Listens at `address`; `setting` is where the person can change it.
pub(crate) async fn listen_at(address: SocketAddr, setting: &str) -> Result<TcpListener> {
    use std::io::ErrorKind;
    TcpListener::bind(address).await.map_err(|error| {
        let advice = match error.kind() {
            ErrorKind::AddrInUse => "is taken: stop the other program or choose another",
            ErrorKind::PermissionDenied => "is not allowed for this user: choose one above 1023",
            _ => "cannot be used: choose another",
        };
        let told = format!("{address} {advice} with {setting} ({error})");
        match error.kind() {
            ErrorKind::PermissionDenied => exit::needs_a_person(told),
            // Another program may end, and an interface may come up.
            _ => anyhow::anyhow!(told),
        }
    })
}

/// Completes when the person or the system asks the process to end. A second
/// Ctrl-C ends it at once. Listens from the call on, so call it before telling
/// anybody that the process can be asked.
pub(crate) fn asked_to_stop() -> impl Future<Output = ()> {
    let interrupted = interrupted();
    async {
        interrupted.await;
        say("\nstopping… (Ctrl-C again to stop at once)");
    }
}

/// Completes at Ctrl-C, or when the system asks the process to end. Listens
/// from the call on.
#[cfg(unix)]
pub(crate) fn interrupted() -> impl Future<Output = ()> {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    // A signal that cannot be listened to ends the process by itself.
    async fn heard(signal: io::Result<Signal>) {
        match signal {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    }
    let interrupt = signal(SignalKind::interrupt());
    let terminate = signal(SignalKind::terminate());
    async {
        tokio::select! {
            () = heard(interrupt) => {}
            () = heard(terminate) => {}
        }
    }
}

/// Completes at Ctrl-C.
#[cfg(not(unix))]
pub(crate) async fn interrupted() {
    let _ = tokio::signal::ctrl_c().await;
}

/// Runs `work` to its end, or gives up on a second Ctrl-C.
pub(crate) async fn unless_pressed<T>(work: impl Future<Output = T>) -> Result<T> {
    tokio::select! {
        done = work => Ok(done),
        _ = tokio::signal::ctrl_c() => Err(anyhow::anyhow!("stopped at once, as asked")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_of_people_who_want_them() {
        fn check(is_terminal: bool, environment: &[(&str, &str)], expect: bool) {
            let lookup = |name: &str| {
                let found = environment.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            let found = is_colourful(is_terminal, lookup);
            assert_eq!(found, expect, "{is_terminal} {environment:?}");
        }
        check(true, &[], true);
        check(true, &[("TERM", "xterm-256color")], true);
        check(true, &[("NO_COLOR", "")], true);
        check(true, &[("NO_COLOR", "1")], false);
        check(true, &[("NO_COLOR", "0")], false);
        check(true, &[("TERM", "dumb")], false);
        check(false, &[], false);
    }
}
