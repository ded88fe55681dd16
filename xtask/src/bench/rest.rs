//! Memory at rest: connected, with nobody talking.

use std::path::Path;
use std::time::Duration;
use std::{fs, thread};

use super::running::TimedChild;
use super::{Figure, empty_folder, kaiwa};

/// How long after the start a process is at rest.
const SETTLING: Duration = Duration::from_secs(5);

pub(super) fn measure() -> Result<Vec<Figure>, String> {
    let mut figures = play()?;
    figures.extend(run()?);
    Ok(figures)
}

fn play() -> Result<Vec<Figure>, String> {
    let folder = empty_folder("rest-play")?;
    let mut command = kaiwa();
    command
        .current_dir(&folder)
        .args(["play", "--no-open", "--model", "understudy", "--port", "0"])
        .args(["--data", "data"]);
    let play = TimedChild::start(&mut command)?;
    play.says("the bot is online")?;
    Ok(at_rest("play", &play, 60.0))
}

/// The bot alone, with Discord and the model in other processes.
fn run() -> Result<Vec<Figure>, String> {
    let folder = empty_folder("rest-run")?;
    let discord = TimedChild::start(kaiwa().arg("emulate"))?;
    let (_, ready) = discord.says("api_url")?;
    let model = TimedChild::start(kaiwa().args(["understudy", "--port", "0"]))?;
    let (_, model_url) = model.says("http://")?;

    let ready: serde_json::Value =
        serde_json::from_str(&ready).map_err(|error| format!("kaiwa emulate: {error}"))?;
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let (Some(api_url), Some(token)) = (text(&ready["api_url"]), text(&ready["bot"]["token"]))
    else {
        return Err("kaiwa emulate did not say api_url and bot.token".into());
    };
    configure(&folder, &api_url, model_url.trim())?;
    let mut command = kaiwa();
    command
        .current_dir(&folder)
        .env("DISCORD_TOKEN", token)
        .arg("run");
    let bot = TimedChild::start(&mut command)?;
    bot.says("is online")?;
    Ok(at_rest("run", &bot, 30.0))
}

fn configure(folder: &Path, api_url: &str, model_url: &str) -> Result<(), String> {
    let config = format!(
        "[discord]\napi_url = \"{api_url}\"\n\
         [models]\nchat = \"mine/understudy\"\n[vendors.mine]\nbase_url = \"{model_url}\"\n\
         [web]\nlisten = \"127.0.0.1:0\"\n"
    );
    let path = folder.join("kaiwa.toml");
    fs::write(&path, config).map_err(|error| format!("{}: {error}", path.display()))
}

fn at_rest(command: &str, process: &TimedChild, aim: f64) -> Vec<Figure> {
    thread::sleep(SETTLING);
    let Some((resident, anonymous)) = process.memory() else {
        return Vec::new();
    };
    vec![
        Figure::new(format!("`{command}` at rest, resident"), resident, "MB").below(aim),
        Figure::new(
            format!("`{command}` at rest, not backed by files"),
            anonymous,
            "MB",
        ),
    ]
}
