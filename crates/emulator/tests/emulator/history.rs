//! Pages of history.

use serde_json::json;

use crate::test_emulator::TestEmulator;

#[tokio::test]
async fn history_is_paged_newest_first() {
    let server = TestEmulator::open().await;
    let (ben, general) = (server.human("Ben"), server.channel("general"));
    let mut ids = Vec::new();
    for number in 0..120 {
        ids.push(
            ben.say(general, &number.to_string()).await["id"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    let check = async |query: String, expect: Vec<u32>| {
        let page = ben
            .get(&format!("/channels/{general}/messages?{query}"))
            .await
            .json;
        let numbers: Vec<u32> = page
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["content"].as_str().unwrap().parse().unwrap())
            .collect();
        assert_eq!(numbers, expect, "{query}");
    };
    let down = |from: u32, to: u32| (to..=from).rev().collect::<Vec<_>>();
    check(String::new(), down(119, 70)).await;
    check("limit=100".into(), down(119, 20)).await;
    check("limit=3".into(), down(119, 117)).await;
    check(format!("before={}&limit=3", ids[10]), down(9, 7)).await;
    check(format!("before={}&limit=3", ids[1]), down(0, 0)).await;
    check(format!("after={}&limit=3", ids[10]), down(13, 11)).await;
    check(format!("after={}&limit=3", ids[119]), vec![]).await;
    check("after=0&limit=2".into(), down(1, 0)).await;
    check(format!("around={}&limit=5", ids[10]), down(12, 8)).await;
    check(format!("around={}&limit=4", ids[0]), down(2, 0)).await;
    check(format!("around={}&limit=4", ids[119]), down(119, 117)).await;
    for query in ["limit=0", "limit=101", "limit=x", "before=x", "limit=-1"] {
        let reply = ben
            .get(&format!("/channels/{general}/messages?{query}"))
            .await;
        assert_eq!(reply.json["code"], 50035, "{query}");
        let key = query.split('=').next().unwrap();
        assert!(
            reply.json["errors"][key]["_errors"][0]["message"].is_string(),
            "{query}"
        );
    }
}

#[tokio::test]
async fn without_the_permission_history_is_empty() {
    let world = "
        limits = \"off\"
        [guild]
        name = \"Now\"
        [bot]
        name = \"Bo\"
        [[users]]
        name = \"Ann\"
        [[channels]]
        name = \"a\"
        [[channels.overwrites]]
        member = \"Bo\"
        deny = [\"read_message_history\"]
    ";
    let server = TestEmulator::of(kaiwa_emulator::World::from_toml(world).unwrap()).await;
    let (bot, channel) = (server.bot(), server.channel("a"));
    let message = server.human("Ann").say(channel, "hello").await;
    let path = format!("/channels/{channel}/messages");
    assert_eq!(bot.get(&path).await.json, json!([]));
    let reply = json!({ "content": "x", "message_reference": { "message_id": message["id"] } });
    assert_eq!(bot.post(&path, reply).await.json["code"], 160_002);
}
