//! Forums and their tags, and archived threads that not everybody sees.

use reqwest::Method;
use serde_json::{Value, json};

use crate::test_emulator::{TestEmulator, managed};

fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn posts_have_the_tags_of_their_forum() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, guild) = (server.bot(), server.human("Ben"), &server.ready.guild_id);
    let body = json!({
        "name": "questions", "type": 15, "flags": 16, "default_sort_order": 1,
        "default_forum_layout": 2, "default_reaction_emoji": { "emoji_name": "🍵" },
        "default_auto_archive_duration": 60, "default_thread_rate_limit_per_user": 3,
        "available_tags": [{ "name": "tea" }, { "name": "done", "moderated": true, "emoji_name": "✅" }],
    });
    let forum = bot
        .post(&format!("/guilds/{guild}/channels"), body)
        .await
        .json;
    assert_eq!(forum["default_reaction_emoji"]["emoji_name"], "🍵");
    assert_eq!(
        (&forum["flags"], &forum["default_forum_layout"]),
        (&json!(16), &json!(2))
    );
    let (tea, done) = (
        id(&forum["available_tags"][0]),
        id(&forum["available_tags"][1]),
    );
    let posts = format!("/channels/{}/threads", id(&forum));
    let post =
        |tags: Value| json!({ "name": "p", "message": { "content": "x" }, "applied_tags": tags });
    for (caller, tags, expected) in [
        (&ben, json!([]), (400, 40067)),
        (&ben, json!(["77"]), (400, 50035)),
        (&ben, json!([done]), (403, 50013)),
        (&bot, json!([done]), (201, 0)),
        (&bot, json!([]), (201, 0)),
    ] {
        let reply = caller.post(&posts, post(tags.clone())).await;
        assert_eq!(reply.outcome(), expected, "{tags}");
    }
    let made = ben.post(&posts, post(json!([tea]))).await.json;
    assert_eq!(made["applied_tags"], json!([tea]));
    assert_eq!(made["thread_metadata"]["auto_archive_duration"], 60);
    assert_eq!(made["rate_limit_per_user"], 3);
    let path = format!("/channels/{}", id(&made));
    let refused = ben
        .patch(&path, json!({ "applied_tags": [tea, done] }))
        .await;
    assert_eq!(refused.outcome(), (403, 50013));
    let solved = bot
        .patch(&path, json!({ "applied_tags": [tea, done], "flags": 2 }))
        .await
        .json;
    assert_eq!(
        (&solved["applied_tags"], &solved["flags"]),
        (&json!([tea, done]), &json!(2))
    );
    let kept = ben.patch(&path, json!({ "applied_tags": [done] })).await;
    assert_eq!(
        kept.json["applied_tags"],
        json!([done]),
        "a moderated tag may stay"
    );
    // A tag keeps its id when it is sent along, and its place is free when not.
    let forum = format!("/channels/{}", id(&forum));
    let body = json!({ "available_tags": [{ "id": tea, "name": "teas" }, { "name": "new" }] });
    let changed = bot.patch(&forum, body).await.json;
    assert_eq!(id(&changed["available_tags"][0]), tea);
    assert_ne!(id(&changed["available_tags"][1]), done);
}

#[tokio::test]
async fn private_archived_threads_are_for_members_and_moderators() {
    let server = TestEmulator::of(managed()).await;
    let (bot, ben, zoe) = (server.bot(), server.human("Ben"), server.human("Zoe"));
    let general = server.channel("general");
    let mut made = Vec::new();
    for name in ["a", "b"] {
        let body = json!({ "name": name, "type": 12 });
        let thread = ben
            .post(&format!("/channels/{general}/threads"), body)
            .await
            .json;
        ben.patch(
            &format!("/channels/{}", id(&thread)),
            json!({ "archived": true }),
        )
        .await;
        made.push(id(&thread));
    }
    let all = format!("/channels/{general}/threads/archived/private");
    let own = format!("/channels/{general}/users/@me/threads/archived/private");
    let ids = |page: &Value| -> Vec<String> {
        page["threads"].as_array().unwrap().iter().map(id).collect()
    };
    let newest_first: Vec<String> = made.iter().rev().cloned().collect();
    let page = bot.get(&all).await.json;
    assert_eq!(
        (ids(&page), &page["has_more"]),
        (newest_first.clone(), &json!(false))
    );
    assert_eq!(ben.get(&all).await.outcome(), (403, 50013));
    assert_eq!(ids(&ben.get(&own).await.json), newest_first);
    assert!(ids(&zoe.get(&own).await.json).is_empty());
    let page = ben.get(&format!("{own}?limit=1")).await.json;
    assert_eq!((ids(&page).len(), &page["has_more"]), (1, &json!(true)));
    let page = ben.get(&format!("{own}?before={}", made[1])).await.json;
    assert_eq!(ids(&page), made[..1]);
    let public = ben
        .get(&format!("/channels/{general}/threads/archived/public"))
        .await
        .json;
    assert!(ids(&public).is_empty());
}

#[tokio::test]
async fn thread_members_are_paged() {
    let server = TestEmulator::of(managed()).await;
    let (bot, general) = (server.bot(), server.channel("general"));
    let body = json!({ "name": "t", "type": 11 });
    let thread = id(&bot
        .post(&format!("/channels/{general}/threads"), body)
        .await
        .json);
    for name in ["Ben", "Zoe", "Mod"] {
        server.human(name).say(&thread, "hi").await;
    }
    let path = format!("/channels/{thread}/thread-members?with_member=true");
    let first = bot.get(&format!("{path}&limit=2")).await.json;
    assert!(first[0]["member"]["user"]["id"].is_string());
    let after = first[1]["user_id"].as_str().unwrap();
    let rest = bot.get(&format!("{path}&after={after}")).await.json;
    let counts = [
        first.as_array().unwrap().len(),
        rest.as_array().unwrap().len(),
    ];
    assert_eq!(counts, [2, 2]);
}

#[tokio::test]
async fn a_post_keeps_what_its_files_are_said_to_be() {
    let server = TestEmulator::of(managed()).await;
    let (bot, guild) = (server.bot(), &server.ready.guild_id);
    for kind in [15, 16] {
        let body = json!({ "name": "pictures", "type": kind });
        let forum = bot.post(&format!("/guilds/{guild}/channels"), body).await;
        let path = format!("/channels/{}/threads", forum.json["id"].as_str().unwrap());
        let payload = json!({ "name": "p", "message": {
            "content": "see", "attachments": [{ "id": 0, "description": "a cup" }],
        }});
        let body = format!(
            "--b\r\ncontent-disposition: form-data; name=\"payload_json\"\r\n\r\n{payload}\r\n\
             --b\r\ncontent-disposition: form-data; name=\"files[0]\"; filename=\"a.txt\"\r\n\r\nx\r\n--b--\r\n"
        );
        let request = bot
            .request(Method::POST, &path)
            .header("content-type", "multipart/form-data; boundary=b")
            .body(body);
        let post = server.send(request).await.unwrap().json;
        let file = &post["message"]["attachments"][0];
        assert_eq!(file["description"], "a cup", "{post}");
        let url = file["url"].as_str().unwrap();
        let inside = format!("/attachments/{}/", post["id"].as_str().unwrap());
        assert!(url.contains(&inside), "{url}");
        let fetched = server.http().get(url).send().await.unwrap();
        assert_eq!(fetched.status(), 200);
    }
}
