//! One emulator and the bots that live and die in it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::judge::{GivenAnswer, Judgement, is_mark, judge};
use super::model::LineModel;
use super::plan::{Death, DiscordFault, PERSONA, RunPlan};
use super::process::{self, ChildProcess};
use super::reminder::DUE;

/// How long a run may take before it counts as it stands.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a bot may take until it listens.
const CONNECTS: Duration = Duration::from_secs(10);

/// How often the channel is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(15);

/// What answers that grow in a message are set by, and those with buttons.
const LIVE: &str = "delivery.degree = 4\n";
const BUTTONS: &str = "delivery.stop_messages = 1\ndelivery.regenerate = true\n";

/// Who else speaks.
const CARD: &str = "persona.toml";

const DATA: &str = "data";

/// How many guests there are to be banned.
const GUESTS: usize = 24;

const WORLD: &str = r#"
limits = "off"

[guild]
name = "Tea House"
owner = "Ada"

[bot]
name = "Kaiwa"
roles = ["Guards"]

[[roles]]
name = "Guards"
permissions = ["ban_members", "manage_webhooks"]

[[users]]
name = "Ada"

[[users]]
name = "Ben"

[[channels]]
name = "general"
"#;

pub(super) struct Lane {
    binary: PathBuf,
    home: TempDir,
    _emulator: ChildProcess,
    ready: Value,
    base: String,
    http: reqwest::Client,
    model: LineModel,
    /// How the bot is set, whatever the run.
    config: String,
    /// What was wrong with the last ban.
    difference: Option<String>,
}

impl Lane {
    pub(super) async fn start(binary: &Path, model: &LineModel) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let world = home.path().join("world.toml");
        let guests = (0..GUESTS).map(|number| format!("\n[[users]]\nname = \"Guest {number}\"\n"));
        std::fs::write(&world, WORLD.to_owned() + &guests.collect::<String>()).expect("a file");
        let (emulator, ready) = process::emulator(binary, &world).await;
        let api = ready["api_url"].as_str().expect("an address").to_owned();
        let config = format!(
            "discord.api_url = {api:?}\nmodels.chat = \"lines/lines\"\nweb.listen = \"off\"\nlimits.user_questions = \"off\"\n\
             [vendors.lines]\nbase_url = {:?}\nformat = \"openai-chat\"\n\
             [vendors.lines.models.\"lines\"]\ncontext = 100000\ntools = true\n",
            model.base_url()
        );
        let card = format!("name = {PERSONA:?}\npersonality = \"Counts.\"\n");
        std::fs::write(home.path().join(CARD), card).expect("a file");
        let guild = ready["guild_id"].as_str().expect("a guild");
        process::import(
            binary,
            &home.path().join(CARD),
            &home.path().join(DATA),
            guild,
        )
        .await;
        Self {
            binary: binary.to_owned(),
            home,
            _emulator: emulator,
            base: api.trim_end_matches("/api/v10").to_owned(),
            ready,
            http: crate::http(),
            model: model.clone(),
            config,
            difference: None,
        }
    }

    /// Asks, lets the bot die, and has it started again until the channel has
    /// come to rest.
    pub(super) async fn run(&mut self, plan: &RunPlan) -> Judgement {
        let mut bot = self.bot(plan, Some(plan.death));
        self.connected(&mut bot).await;
        if plan.fault != DiscordFault::None {
            self.break_discord(plan).await;
        }
        for who in plan.askers() {
            self.ask(plan, *who).await;
        }
        let banning = async {
            match plan.bans {
                true => self.ban_guest(plan).await,
                false => false,
            }
        };
        let reminding = async {
            match plan.reminds {
                true => self.set_reminder(plan).await,
                false => false,
            }
        };
        let recovering = self.dies_and_recovers(plan, bot);
        let (bot, cancelled, set) = tokio::join!(recovering, banning, reminding);
        let ban = match plan.bans {
            true => self.ban_differs(plan, cancelled).await,
            false => None,
        };
        let reminder = !plan.reminds || self.reminder_agrees(plan, set).await;
        bot.kill().await;
        self.fault(&json!({"clear": {}})).await;
        let mut judgement = self.judge(plan).await;
        judgement.unclear = u32::from(ban.is_some()) + u32::from(!reminder);
        self.difference = ban;
        if plan.bans && judgement.unclear == 0 {
            self.forgive_guest(plan).await;
        }
        let askers = plan.askers().iter();
        let continued = askers.filter(|who| {
            let run = format!("{}{who}", plan.run);
            self.model.was_continued(&run)
        });
        judgement.continued = judgement.whole.min(continued.count() as u32);
        judgement
    }

    /// Lets the bot die, and has it started again until the channel has come to
    /// rest. The last one lives.
    async fn dies_and_recovers(&self, plan: &RunPlan, mut bot: ChildProcess) -> ChildProcess {
        match plan.death {
            Death::Moment(after) => {
                if plan.slow {
                    self.model_is_asked(plan).await;
                }
                tokio::time::sleep(after).await;
            }
            // Some points are never passed in some runs; then it dies at rest.
            Death::Point(..) => {
                let patience = if plan.slow { 3000 } else { 700 };
                bot.ends_within(Duration::from_millis(patience)).await;
            }
        }
        bot.kill().await;
        if plan.late {
            tokio::time::sleep(DUE).await;
        }
        let mut bot = self.bot(plan, None);
        if let Some(after) = plan.again {
            tokio::time::sleep(after).await;
            bot.kill().await;
            bot = self.bot(plan, None);
        }
        let rest = tokio::time::timeout(PATIENCE, async {
            while !self.is_at_rest(plan).await {
                // Whoever runs it starts it again.
                if bot.has_ended() {
                    bot = self.bot(plan, None);
                }
                tokio::time::sleep(LOOK_EVERY).await;
            }
        });
        let _ = rest.await;
        bot
    }

    /// Waits until the model writes an answer of the run.
    async fn model_is_asked(&self, plan: &RunPlan) {
        let runs = || plan.askers().iter().map(|who| format!("{}{who}", plan.run));
        let waiting = tokio::time::timeout(CONNECTS, async {
            while !runs().any(|run| self.model.was_asked(&run)) {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        });
        let _ = waiting.await;
    }

    pub(super) async fn end(self) {
        self._emulator.kill().await;
    }

    /// Everything that the channel shows about a run.
    pub(super) async fn judge(&self, plan: &RunPlan) -> Judgement {
        let transcript = self.transcript().await;
        let mut judgement = Judgement::default();
        for who in plan.askers() {
            let question = self.question_id(&transcript, plan, *who);
            let texts = answers(&transcript, plan, *who, question.as_deref());
            let acted = match &question {
                Some(id) if plan.acts && *who == 'a' => self.has_reaction(id).await,
                _ => false,
            };
            let buttons = buttons(&transcript, plan, *who);
            let given = GivenAnswer {
                texts,
                acted,
                buttons,
            };
            judgement.add(&judge(plan, *who, &given));
        }
        judgement
    }

    /// The messages of a run, for people.
    pub(super) async fn shown(&self, plan: &RunPlan) -> String {
        let transcript = self.transcript().await;
        let run = format!(" {}", plan.run);
        let lines = transcript.iter().map(|message| {
            let text = message["content"].as_str().unwrap_or_default();
            let id = message["id"].as_str().unwrap_or("?");
            format!("    {id}: {text} {}\n", message["buttons"])
        });
        let mut shown: Vec<String> = lines.collect();
        let first = shown.iter().position(|line| line.contains(&run));
        shown.drain(..first.unwrap_or(0));
        shown.truncate(40);
        shown.extend(self.difference.clone());
        shown.concat()
    }

    fn bot(&self, plan: &RunPlan, death: Option<Death>) -> ChildProcess {
        let home = self.home.path();
        let token = self.ready["bot"]["token"].as_str().expect("a token");
        let config = home.join("kaiwa.toml");
        let live = if plan.live { LIVE } else { "" };
        let buttons = if plan.buttons { BUTTONS } else { "" };
        std::fs::write(&config, format!("{live}{buttons}{}", self.config)).expect("a file");
        let data = home.join(DATA);
        process::bot(&self.binary, &config, &data, token, death)
    }

    /// Waits until the bot listens.
    async fn connected(&self, bot: &mut ChildProcess) {
        let before = self.sessions().await;
        let waiting = tokio::time::timeout(CONNECTS, async {
            while self.sessions().await == before && !bot.has_ended() {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        });
        let _ = waiting.await;
    }

    async fn sessions(&self) -> u64 {
        let counts = self.get("/emulator/counts").await;
        let count = |key: &str| counts[key].as_u64().unwrap_or(0);
        count("identifies") + count("resumes")
    }

    async fn break_discord(&self, plan: &RunPlan) {
        let bot = self.ready["bot"]["id"].as_str().expect("an id");
        let edits = (plan.live || plan.buttons) && plan.run % 4 < 2;
        let method = if edits { "PATCH" } else { "POST" };
        let requests = match plan.persona {
            // Who sends through a webhook is nobody.
            true => json!({"method": method, "path": "/webhooks/"}),
            false => json!({"method": method, "path": "/messages", "user_id": bot}),
        };
        if let Some(request) = plan.fault.request(bot, &requests) {
            self.fault(&request).await;
        }
    }

    async fn fault(&self, request: &Value) {
        let url = format!("{}/emulator/faults", self.base);
        let answer = self.http.post(url).json(request).send().await;
        let answer = answer.expect("the emulator answers");
        assert!(answer.status().is_success(), "{answer:?}");
    }

    async fn ask(&self, plan: &RunPlan, who: char) {
        let user = &self.ready["users"][usize::from(who == 'b')];
        let bot = self.ready["bot"]["id"].as_str().expect("an id");
        let text = plan.question(who, bot);
        let url = format!("{}/api/v10/channels/{}/messages", self.base, self.channel());
        let token = user["token"].as_str().expect("a token");
        let request = self.http.post(url).header("authorization", token);
        let answer = request.json(&json!({"content": text})).send().await;
        assert!(answer.expect("an answer").status().is_success());
    }

    /// Whether nothing more is to come.
    async fn is_at_rest(&self, plan: &RunPlan) -> bool {
        let judgement = self.judge(plan).await;
        judgement.whole + judgement.marked == judgement.questions
            && judgement.undone + judgement.buttons == 0
    }

    async fn transcript(&self) -> Vec<Value> {
        let path = format!("/emulator/transcript/{}", self.channel());
        match self.get(&path).await {
            Value::Array(messages) => messages,
            other => panic!("no transcript but {other}"),
        }
    }

    fn question_id(&self, transcript: &[Value], plan: &RunPlan, who: char) -> Option<String> {
        let question = format!("count {}{who} ", plan.run);
        let asked = transcript.iter().find(|message| {
            let text = message["content"].as_str().unwrap_or_default();
            text.contains(&question) && message["bot"] != true
        });
        asked.and_then(|message| message["id"].as_str().map(str::to_owned))
    }

    async fn has_reaction(&self, message: &str) -> bool {
        let token = self.ready["users"][0]["token"].as_str().expect("a token");
        let url = format!(
            "{}/api/v10/channels/{}/messages/{message}",
            self.base,
            self.channel()
        );
        let answer = self.http.get(url).header("authorization", token).send();
        let answer: Value = answer.await.expect("an answer").json().await.expect("JSON");
        answer["reactions"][0]["count"] == 1
    }

    /// Where Ada's client listens, and as whom.
    pub(super) fn gateway(&self) -> (&str, &str) {
        let url = self.ready["gateway_url"].as_str().expect("an address");
        let token = self.ready["users"][0]["token"].as_str();
        (url, token.expect("a token"))
    }

    pub(super) fn guild(&self) -> &str {
        self.ready["guild_id"].as_str().expect("a guild")
    }

    pub(super) fn application(&self) -> &str {
        let id = &self.ready["bot"]["application_id"];
        id.as_str().expect("an application")
    }

    /// Whom a ban is about: not those of the runs before, for they may come
    /// late.
    pub(super) fn guest(&self, plan: &RunPlan) -> &str {
        let number = 2 + (plan.run / 4) as usize % GUESTS;
        self.ready["users"][number]["id"].as_str().expect("a guest")
    }

    /// Something that Ada does with her own hands: the status and the answer.
    pub(super) async fn request(
        &self,
        method: reqwest::Method,
        path: &str,
        body: Option<Value>,
    ) -> (u16, Value) {
        let token = self.ready["users"][0]["token"].as_str().expect("a token");
        let url = format!("{}/api/v10/{path}", self.base);
        let mut request = self.http.request(method, url);
        request = request.header("authorization", token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.expect("an answer");
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap_or_default())
    }

    pub(super) fn channel(&self) -> &str {
        self.ready["channels"]["general"]
            .as_str()
            .expect("a channel")
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.http.get(format!("{}{path}", self.base)).send().await;
        answer.expect("an answer").json().await.expect("JSON")
    }
}

/// What the bot said in answer to one question: its lines, and the marks that
/// reply to it or follow its lines.
fn answers<'a>(
    transcript: &'a [Value],
    plan: &RunPlan,
    who: char,
    question: Option<&str>,
) -> Vec<&'a str> {
    let tag = format!("run {}{who} line ", plan.run);
    let mut texts = Vec::new();
    let mut ours = false;
    for message in transcript {
        let text = message["content"].as_str().unwrap_or_default();
        if text.starts_with(&tag) {
            ours = true;
            texts.extend(text.lines().filter(|line| !line.is_empty()));
        } else if text.starts_with("run ") {
            ours = false;
        } else if is_mark(text) {
            let reference = message["reference"].as_str();
            let replies = reference.is_some() && reference == question;
            if replies || (ours && reference.is_none()) {
                texts.push(text);
            }
        }
    }
    texts
}

/// What the buttons below each message of an answer say.
fn buttons<'a>(transcript: &'a [Value], plan: &RunPlan, who: char) -> Vec<Vec<&'a str>> {
    let tag = format!("run {}{who} line ", plan.run);
    let mine = transcript.iter().filter(|message| {
        let text = message["content"].as_str();
        text.is_some_and(|text| text.starts_with(&tag))
    });
    let labels = mine.map(|message| {
        let labels = message["buttons"].as_array().into_iter().flatten();
        labels.filter_map(Value::as_str).collect()
    });
    labels.collect()
}
