//! `kaiwa doctor`: what is wrong, and what to do about it.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use kaiwa_actions::SearchEngine;
use kaiwa_discord::{
    Access, Application, INVALID_REQUESTS_MOST, Membership, Rest, invite_link, needed_permissions,
};
use kaiwa_domain::{Disposition, Role};
use kaiwa_provider::UnknownPrice;
use kaiwa_runtime::{CorrectedClock, SystemClock};
use kaiwa_store::{OpenError, last_backup};
use secrecy::SecretString;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::args::ConfigArgs;
use crate::assembly::{MENTIONS_ONLY, database, open};
use crate::config::{Config, ModelName, environment};
use crate::reach::{self, Reach};
use crate::{console, exit, models, prices, search};

/// How long whoever has our port may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(2);

/// The longest answer that is read from it.
const MAX_HEALTH: u64 = 16 * 1024;

pub(crate) async fn doctor(args: ConfigArgs) -> Result<()> {
    let mut report = DoctorReport::default();
    let Some(config) = report.take("configuration", Config::load(&args.config)) else {
        return report.finish();
    };
    report.good("configuration", args.config.display());
    let data = args.data.as_ref().unwrap_or(&config.storage.data);
    check_database(&mut report, data).await;
    check_backups(&mut report, data, config.storage.backups);
    if let Some(address) = config.web.listen {
        check_web(&mut report, address).await;
    }
    check_models(&mut report, &config).await;
    check_budget(&mut report, &config);
    check_search(&mut report, &config);
    if let Some(token) = report.take("discord", config.discord_token(&environment)) {
        check_discord(&mut report, &config, token).await;
    }
    report.finish()
}

async fn check_database(report: &mut DoctorReport, data: &Path) {
    let path = database(data);
    if !path.exists() {
        return match writable(data) {
            Ok(()) => report.good("database", format_args!("{} will be made", path.display())),
            Err(problem) => report.bad("database", problem),
        };
    }
    match open(data).await {
        Ok(store) => {
            let _ = store.close().await;
            report.good("database", path.display());
        }
        Err(error) => match error.downcast_ref() {
            Some(OpenError::InUse { path }) => report.good(
                "database",
                format_args!("a running Kaiwa is using {}", path.display()),
            ),
            _ => report.fault("database", &error),
        },
    }
}

/// What could be brought back.
fn check_backups(report: &mut DoctorReport, data: &Path, keep: u16) {
    match (last_backup(&database(data)), keep) {
        (Some(last), _) => report.good("backup", last.display()),
        (None, 0) => report.good("backup", "off; storage.backups says how many are kept"),
        (None, _) => report.good(
            "backup",
            "none yet; the bot makes one each day while it runs",
        ),
    }
}

/// Whether `run` could listen, or does.
async fn check_web(report: &mut DoctorReport, address: SocketAddr) {
    match console::listen_at(address, "web.listen").await {
        Ok(_) => report.good("web", format_args!("{address} is free")),
        Err(_) if is_kaiwa(address).await => report.good(
            "web",
            format_args!("a running Kaiwa serves http://{address}"),
        ),
        Err(error) => report.fault("web", &error),
    }
}

/// Whether a bot of ours answers at `address`.
async fn is_kaiwa(address: SocketAddr) -> bool {
    let asked = async {
        let mut stream = TcpStream::connect(address).await?;
        let request =
            format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.take(MAX_HEALTH).read_to_end(&mut answer).await?;
        io::Result::Ok(answer)
    };
    let Ok(Ok(answer)) = tokio::time::timeout(PATIENCE, asked).await else {
        return false;
    };
    let text = String::from_utf8_lossy(&answer);
    let body = text.split_once("\r\n\r\n").map(|(_, body)| body);
    let body: Option<Value> = body.and_then(|body| serde_json::from_str(body).ok());
    body.is_some_and(|body| body["status"].is_string() && body["version"].is_string())
}

/// Whether the database could be made in `data`, found without making it.
fn writable(data: &Path) -> Result<(), String> {
    let there = data.ancestors().find(|folder| folder.exists());
    let folder = match there {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    tempfile::tempfile_in(folder).map(drop).map_err(|error| {
        format!(
            "cannot write {} ({error}): make it writable or choose another folder with storage.data",
            folder.display()
        )
    })
}

/// Every model that has a role, once.
async fn check_models(report: &mut DoctorReport, config: &Config) {
    if config.models.of(Role::Chat).is_empty() {
        report.bad(
            "models.chat",
            "nobody: write [models] with chat = \"vendor/model\", as config.example.toml shows",
        );
    }
    let mut checked = BTreeSet::new();
    for (role, names) in config.models.roles() {
        let key = format!("models.{role}");
        for name in names.iter().filter(|name| checked.insert(*name)) {
            check_model(report, config, &key, name).await;
        }
    }
}

async fn check_model(report: &mut DoctorReport, config: &Config, key: &str, name: &ModelName) {
    let Some(candidate) = report.take(key, models::candidate(config, name)) else {
        return;
    };
    let Some(reached) = report.take(key, reach::reach(config, &candidate).await) else {
        return;
    };
    let place = &candidate.endpoint.base_url;
    match reached {
        Reach::Listed => report.good(key, format_args!("{name} at {place}")),
        Reach::Answers => report.good(
            key,
            format_args!("{place} answers, but does not say whether it has {name}"),
        ),
        Reach::Unlisted(models) => report.bad(key, reach::unlisted(&candidate, &models)),
    }
}

/// Whether a limit in dollars can be kept.
fn check_budget(report: &mut DoctorReport, config: &Config) {
    for finding in prices::unpriced(config, &[]) {
        match config.budget.unknown_price {
            UnknownPrice::Refuse => report.bad("budget", finding),
            // As the operator wants it.
            UnknownPrice::Free | UnknownPrice::Assumed(_) => report.good("budget", finding),
        }
    }
}

/// Whether the bot can search, and how it could.
fn check_search(report: &mut DoctorReport, config: &Config) {
    let Some(engines) = report.take("search", search::engines(config)) else {
        return;
    };
    let names: Vec<&str> = engines.iter().map(SearchEngine::name).collect();
    match names.as_slice() {
        [] => report.good(
            "search",
            "off; engines = [\"duckduckgo\"] in [search] turns it on, as config.example.toml shows",
        ),
        names => report.good("search", format_args!("on, with {}", names.join(", then "))),
    }
}

async fn check_discord(report: &mut DoctorReport, config: &Config, token: SecretString) {
    let access = Access {
        token,
        api_url: config.discord.api_url.clone(),
        gateway_url: config.discord.gateway_url.clone(),
        message_content: config.discord.message_content,
        guild_members: config.discord.guild_members,
        extra_ca: config.extra_ca(),
        requests_per_second: config.discord.requests_per_second,
        invalid_requests: INVALID_REQUESTS_MOST,
    };
    let clock = Arc::new(CorrectedClock::new(SystemClock));
    let Some(rest) = report.take("discord", Rest::new(&access, clock.clone())) else {
        return;
    };
    let me = match rest.me().await {
        Ok(me) => me,
        Err(error) if error.disposition() == Disposition::Halt => {
            let advice = format!(
                "Discord refused it: create a new one at the developer portal under Bot and put it into {}",
                config.discord.token_env
            );
            return report.bad("token", advice);
        }
        Err(error) => {
            let told = format!("not checked, {error}: check the network and discord.api_url");
            return report.fault("token", &anyhow!(told));
        }
    };
    report.good("token", format_args!("you are {}", me.name));
    // The bot goes by Discord's time all the same.
    let complaint = clock.complaint();
    let clock = complaint.unwrap_or_else(|| "in step with Discord's".to_owned());
    report.good("clock", clock);
    let application = match rest.application().await {
        Ok(application) => application,
        Err(error) => return report.fault("intents", &error.into()),
    };
    check_intents(report, &access, &application);
    if let Some(address) = report.take("gateway", rest.gateway().await) {
        let left = format!(
            "{} of {} sessions left today",
            address.remaining, address.total
        );
        match address.remaining {
            0 => report.bad(
                "gateway",
                format_args!("{left}: wait before you start the bot"),
            ),
            _ => report.good("gateway", left),
        }
    }
    let invite = invite_link(application.id, needed_permissions());
    match report.take("guilds", rest.guilds().await).as_deref() {
        None => {}
        Some([]) => report.bad(
            "guilds",
            format_args!("it is in none: invite it with {invite}"),
        ),
        Some(guilds) => guilds
            .iter()
            .for_each(|guild| check_guild(report, guild, &invite)),
    }
}

fn check_intents(report: &mut DoctorReport, access: &Access, application: &Application) {
    let without_text = access.message_content && !application.message_content;
    if without_text {
        report.bad(
            "intents",
            "the Message Content Intent is off: turn it on at the developer portal under Bot, or set discord.message_content = false to answer mentions, replies and direct messages only",
        );
    }
    let without_members = access.guild_members && !application.guild_members;
    if without_members {
        report.bad(
            "intents",
            "the Server Members Intent is off: turn it on at the developer portal under Bot, or set discord.guild_members = false to do without who joins and leaves",
        );
    }
    if !access.message_content {
        report.good("intents", MENTIONS_ONLY);
    } else if !without_text && !without_members {
        report.good("intents", "everything asked for is allowed");
    }
}

fn check_guild(report: &mut DoctorReport, guild: &Membership, invite: &str) {
    if guild.missing.is_empty() {
        return report.good(
            "guilds",
            format_args!("{}: every permission is there", guild.name),
        );
    }
    let missing: Vec<_> = guild.missing.iter().map(|need| need.name).collect();
    report.bad(
        "guilds",
        format_args!(
            "{}: missing {}; grant them or invite it again with {invite}",
            guild.name,
            missing.join(", ")
        ),
    );
}

/// The findings, printed as they come.
#[derive(Default)]
struct DoctorReport {
    problems: usize,
    /// Whether none of them goes away by itself.
    needs_a_person: bool,
}

impl DoctorReport {
    fn good(&mut self, what: &str, finding: impl Display) {
        console::print(format_args!("✓ {what}: {finding}"));
    }

    /// Something that a person has to change.
    fn bad(&mut self, what: &str, finding: impl Display) {
        self.fault(what, &exit::needs_a_person(finding));
    }

    /// Something that failed, which may pass.
    fn fault(&mut self, what: &str, error: &anyhow::Error) {
        self.problems += 1;
        self.needs_a_person |= !exit::may_pass(error);
        console::print(format_args!("✗ {what}: {error:#}"));
    }

    /// The value, or a finding.
    fn take<T, E: Into<anyhow::Error>>(&mut self, what: &str, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.fault(what, &error.into())).ok()
    }

    fn finish(self) -> Result<()> {
        let told = match self.problems {
            0 => {
                console::print("everything is in order");
                return Ok(());
            }
            1 => "1 problem found".to_owned(),
            n => format!("{n} problems found"),
        };
        Err(match self.needs_a_person {
            true => exit::needs_a_person(told),
            false => anyhow!(told),
        })
    }
}
