//! What people can do in a story, each thing once.

use kaiwa_e2e::story::Story;

#[tokio::test]
async fn a_person_edits_and_deletes() {
    let mut story = Story::without_bot().await;
    let said = story.ben().says("general", "tpyo").await;
    let edited = story.ben().edits(&said, "typo").await;
    assert_eq!((&edited.id, edited.text.as_str()), (&said.id, "typo"));
    let updates = story.events("MESSAGE_UPDATE");
    assert_eq!(updates[0]["content"], "typo");
    assert!(updates[0]["edited_timestamp"].is_string());
    assert_eq!(story.transcript("general"), "Ben: typo\n");
    story.ben().deletes(&said).await;
    assert_eq!(story.transcript("general"), "");
    assert_eq!(story.events("MESSAGE_DELETE")[0]["id"], *said.id);
}

#[tokio::test]
async fn a_person_reacts_and_takes_it_back() {
    let mut story = Story::without_bot().await;
    let said = story.noor().says("Reading Room/general", "hm").await;
    let asked = story.ada().says("general", "tea?").await;
    story.ada().reacts(&said, "🛑").await;
    story.ben().reacts(&asked, "kettle").await;
    story.ben().unreacts(&asked, "kettle").await;
    let added = story.events("MESSAGE_REACTION_ADD");
    assert_eq!(added[0]["emoji"]["name"], "🛑");
    assert_eq!(added[0]["message_author_id"], *story.person_id("Noor"));
    assert_eq!(added[0]["member"]["nick"], "Countess");
    assert_eq!(added[1]["emoji"]["name"], "kettle");
    assert!(added[1]["emoji"]["id"].is_string());
    let removed = story.events("MESSAGE_REACTION_REMOVE");
    assert_eq!(removed[0]["emoji"]["name"], "kettle");
}

#[tokio::test]
async fn a_person_replies_to_anything() {
    let story = Story::without_bot().await;
    let asked = story.ada().says("general", "who?").await;
    let answer = story.ben().replies(&asked, "me").await;
    assert_eq!(answer.replies_to, Some(asked.id));
    let private = story.ben().whispers("psst").await;
    assert_eq!(private.channel, story.ben().direct_messages().await);
    let again = story.ben().replies(&private, "I said psst").await;
    assert_eq!(again.replies_to, Some(private.id));
}

#[tokio::test]
async fn a_person_opens_threads_and_writes_in_them() {
    let mut story = Story::begin().await;
    let asked = story.ben().says("general", "which tea?").await;
    let thread = story.ben().opens_thread_on(&asked, "Teas").await;
    assert_eq!(thread, asked.id);
    story.ben().says(&thread, "@Kaiwa oolong?").await;
    let call = story.model.is_told("Ben: @Kaiwa oolong?").await;
    call.answers("Yes.").await;
    let said = story.sees(&thread, "Yes.").await;
    assert_eq!(said.channel, thread);

    let other = story.ada().opens_thread("code", "Snippets").await;
    story.ben().says(&other, "mine").await;
    assert_eq!(story.transcript(&other), "Ben: mine\n");
    let private = story.ada().opens_private_thread("general", "Us").await;
    story.ada().says(&private, "quiet here").await;
    let post = story.ben().begins_post("ideas", "Cups", "ten more").await;
    story.ada().says(&post.channel, "nine").await;
    assert_eq!(
        story.transcript(&post.channel),
        "Ben: ten more\nAda: nine\n"
    );
    assert_eq!(post.id, post.channel);
}

#[tokio::test]
async fn a_person_sends_what_is_no_text() {
    let mut story = Story::without_bot().await;
    let notes = story
        .ben()
        .shows("general", "my notes", "notes.txt", b"line one\nline two")
        .await;
    let (name, url) = notes.file.expect("a file");
    assert_eq!(name, "notes.txt");
    assert_eq!(story.reads(&url).await, "line one\nline two");

    let said = story.ada().says("general", "pass it on").await;
    story.ben().forwards(&said, "random").await;
    story.ben().sends_sticker("general", "Cheers").await;
    story.ben().polls("general", "Which?", &["a", "b"]).await;
    story
        .ben()
        .says_to_role("general", "Kaiwa", "are you there?")
        .await;
    let seen = story.events("MESSAGE_CREATE");
    let seen: Vec<_> = seen.iter().skip(2).collect();
    assert_eq!(
        seen[0]["message_snapshots"][0]["message"]["content"],
        "pass it on"
    );
    assert_eq!(seen[1]["sticker_items"][0]["name"], "Cheers");
    assert_eq!(seen[2]["poll"]["answers"][1]["poll_media"]["text"], "b");
    let role = &story.ready().guilds[0].roles["Kaiwa"];
    assert_eq!(seen[3]["mention_roles"][0], **role);
}

/// The bot keeps its connection through 10,000 messages in about a second, and
/// answers afterwards.
#[tokio::test]
async fn a_crowd_writes_at_once() {
    let mut story = Story::begin().await;
    let people = ["Ada", "Ben", "Mika"];
    story
        .crowd_writes(&people, "random", 10_000, |number| format!("spam {number}"))
        .await;
    assert_eq!(story.events("MESSAGE_CREATE").len(), 10_000);
    story.ben().says("general", "@Kaiwa still there?").await;
    let call = story.model.is_told("still there?").await;
    call.answers("Yes.").await;
    story.sees("general", "Yes.").await;
    assert_eq!(story.identifies(), 1, "sessions");
}
