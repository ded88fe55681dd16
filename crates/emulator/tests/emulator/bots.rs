//! Several bots: each with an application, a token and intents of its own.

use kaiwa_emulator::{Emulator, World};
use serde_json::json;

use crate::test_emulator::{ALL, Gateway, TestEmulator};

const TWO: &str = "
limits = 'off'
[guild]
name = 'Small'
[bot]
name = 'Bo'
[[bots]]
name = 'Dice'
nickname = 'Cube'
roles = ['Players']
intents = []
[[roles]]
name = 'Players'
[[users]]
name = 'Ann'
[[channels]]
name = 'a'
[[guilds]]
name = 'Other'
bots = [{ name = 'Dice', nickname = 'Die' }]
[[guilds.members]]
name = 'Ann'
[[guilds.channels]]
name = 'b'
[[guilds]]
name = 'Third'
bot = { nickname = 'Boo' }
[[guilds.members]]
name = 'Ann'
[[guilds.channels]]
name = 'c'
";

async fn two() -> TestEmulator {
    TestEmulator::of(World::from_toml(TWO).unwrap()).await
}

#[test]
fn the_first_bot_keeps_its_id_and_token_when_others_come() {
    let alone = TWO.replace(
        "[[bots]]\nname = 'Dice'\nnickname = 'Cube'\nroles = ['Players']\nintents = []\n",
        "",
    );
    let alone = alone.replace("bots = [{ name = 'Dice', nickname = 'Die' }]", "");
    let alone = Emulator::new(World::from_toml(&alone).unwrap()).ready();
    let both = Emulator::new(World::from_toml(TWO).unwrap()).ready();
    assert_eq!(alone.bot, both.bot);
    assert_eq!(alone.bots, std::slice::from_ref(&alone.bot));
    let names: Vec<_> = both.bots.iter().map(|bot| &*bot.name).collect();
    assert_eq!(names, ["Bo", "Dice"]);
    assert_ne!(both.bots[0].application_id, both.bots[1].application_id);
    let listed = TWO.replacen("[bot]", "[[bots]]", 1);
    let listed = Emulator::new(World::from_toml(&listed).unwrap()).ready();
    assert_eq!(
        listed.bots, both.bots,
        "`[bot]` may be the first of `[[bots]]`"
    );
    assert!(
        both.guilds[0].roles.contains_key("Dice"),
        "a role of its own"
    );
    assert!(!both.guilds[1].roles.contains_key("Bo"));
}

#[test]
fn a_world_needs_bots_of_different_names() {
    let check = |from: &str, to: &str, key: &str, says: &str| {
        let text = TWO.replacen(from, to, 1);
        assert_ne!(text, TWO);
        let error = World::from_toml(&text).expect_err(to);
        assert_eq!(error.key, key, "{error}");
        assert!(error.problem.contains(says), "{error}");
    };
    check("name = 'Dice'", "name = 'bo'", "name", "already a bot");
    check("name = 'Ann'", "name = 'Dice'", "name", "already a person");
    let plain = "bots = [{ name = 'Dice', nickname = 'Die' }]";
    check(plain, "bots = [{ name = 'Nobody' }]", "bots", "Bo, Dice");
    let both = "bots = [{ name = 'Dice' }]\nbot = { nickname = 'B' }";
    check(plain, both, "name", "either `bot` or `bots`");
    let none = "[guild]\nname='No'\n[[users]]\nname='Ann'\n[[channels]]\nname='a'\n";
    let error = World::from_toml(none).expect_err("no bot");
    assert!(error.problem.contains("1 to 10"), "{error}");
}

#[tokio::test]
async fn two_bots_meet() {
    let server = two().await;
    let (bo, dice) = (server.bot_named("Bo"), server.bot_named("Dice"));
    let channel = server.channel("a");
    let mut hears = bo.join(ALL).await;
    let mut rolls = dice.join(1 | 1 << 9).await;
    dice.say(channel, "six").await;
    let heard = hears.event("MESSAGE_CREATE").await;
    assert_eq!(heard["author"]["id"], dice.id.as_str());
    assert_eq!(heard["author"]["bot"], true);
    assert_eq!(heard["member"]["nick"], "Cube");
    assert_eq!(heard["content"], "six");
    rolls.event("MESSAGE_CREATE").await;

    bo.say(channel, "unread").await;
    let heard = rolls.event("MESSAGE_CREATE").await;
    assert_eq!(heard["content"], "", "it was not granted message content");
    let mention = format!("<@{}> roll", dice.id);
    bo.say(channel, &mention).await;
    assert_eq!(rolls.event("MESSAGE_CREATE").await["content"], mention);
    let dm = bo
        .post("/users/@me/channels", json!({ "recipient_id": dice.id }))
        .await;
    let dm = dm.json["id"].as_str().unwrap().to_owned();
    let path = format!("/channels/{dm}/messages");
    let refused = bo.post(&path, json!({ "content": "psst" })).await;
    assert_eq!(refused.json["code"], 50007, "bots do not write to bots");
}

#[tokio::test]
async fn a_bot_writes_to_nobody_whom_it_meets_nowhere() {
    let server = TestEmulator::open().await;
    let (bot, ben) = (server.bot(), server.human("Ben"));
    let channel = bot.open_dm(&ben.id).await;
    bot.say(&channel, "hello").await;
    for guild in &server.ready.guilds {
        ben.delete(&format!("/users/@me/guilds/{}", guild.id)).await;
    }
    let path = format!("/channels/{channel}/messages");
    let refused = bot.post(&path, json!({ "content": "still there?" })).await;
    assert_eq!(refused.outcome(), (403, 50007));
}

#[tokio::test]
async fn each_bot_is_its_own_application_with_its_own_intents_and_guilds() {
    let server = two().await;
    for bot in &server.ready.bots {
        let caller = server.bot_named(&bot.name);
        let own = caller.get("/applications/@me").await;
        assert_eq!(own.json["id"], bot.application_id.as_str());
        assert_eq!(own.json["bot"]["id"], bot.id.as_str());
        let guilds = caller.get("/users/@me/guilds").await;
        let names: Vec<_> = guilds.json.as_array().unwrap().iter().collect();
        let known = |name: &str| names.iter().any(|guild| guild["name"] == name);
        assert!(known("Small") && known("Third"));
        assert_eq!(known("Other"), bot.name == "Dice", "{}", bot.name);
    }
    let flags = server.bot_named("Dice").get("/applications/@me").await;
    assert_eq!(flags.json["flags"], 0);
    let mut gateway = Gateway::connect(&server, "").await;
    gateway
        .identify(&server.bot_named("Dice").token, 1 << 15)
        .await;
    assert_eq!(gateway.close_code().await, Some(4014));
    let mut gateway = Gateway::connect(&server, "").await;
    gateway.identify(&server.bot_named("Dice").token, 1).await;
    let ready = gateway.event("READY").await;
    let application = &server.ready.bots[1].application_id;
    assert_eq!(ready["application"]["id"], application.as_str());
    let members = format!("/guilds/{}/members?limit=10", server.ready.guild_id);
    assert_eq!(server.bot_named("Dice").get(&members).await.status, 403);
    assert_eq!(server.bot_named("Bo").get(&members).await.status, 200);
}
