//! What messages hold, on the page, in a real browser: markdown, mentions,
//! embeds, files, groups and quotes.

use kaiwa_e2e::browser::page::{COMPOSER, ENTER, Page};
use kaiwa_e2e::story::Story;
use serde_json::json;

const PICTURES: &str = env!("CARGO_TARGET_TMPDIR");
const TEA: &[u8] = include_bytes!("../../pictures/tea.png");

async fn page() -> Option<(Story, Page)> {
    let story = Story::without_bot().await;
    let page = Page::open(&story.ready().page_url).await?;
    Some((story, page))
}

#[tokio::test]
async fn markdown_reads_as_on_discord() {
    let Some((story, page)) = page().await else {
        return;
    };
    let general = story.ready().channels["general"].clone();
    let in_channel = format!("see <#{general}>");
    let cases = [
        ("# Big", "h3.md-heading-1", "Big"),
        ("## Middle", "h4.md-heading-2", "Middle"),
        ("### Small", "h5.md-heading-3", "Small"),
        ("#### none", ".md-text", "#### none"),
        ("-# fine print", ".md-subtext", "fine print"),
        ("- a\n  - b", "ul ul > li", "b"),
        ("3. c\n4. d", "ol[start='3'] > li + li", "d"),
        ("> q\n> - l", "blockquote ul > li", "l"),
        ("> > n", "blockquote", "> n"),
        (">>> all\nof it", "blockquote", "of it"),
        (
            "[words](https://example.com/x)",
            "a[href='https://example.com/x']",
            "words",
        ),
        (
            "<https://example.com/y>",
            "a[href='https://example.com/y']",
            "https://example.com/y",
        ),
        ("```rust\nfn a() {}\n```", ".code-language", "rust"),
        ("``a ` b``", ".inline-code", "a ` b"),
        ("***both***", ":is(em strong, strong em)", "both"),
        ("__under__", "u", "under"),
        ("~~gone~~", "s", "gone"),
        ("<t:0:R>", "time[data-relative='0']", "years ago"),
        ("<t:1700000000:D>", "time.timestamp", "2023"),
        (&in_channel, "button.mention-link", "#general"),
        ("</weather now:123>", "button.mention-link", "/weather now"),
        ("\\*not\\*", ".md-text", "*not*"),
        ("🍵🍵", ".md-text.jumbo", "🍵🍵"),
        ("||hidden||", ".spoiler[role=button]", ""),
    ];
    for (number, (text, css, expect)) in cases.iter().enumerate() {
        let author = if number % 2 == 0 {
            story.ben()
        } else {
            story.ada()
        };
        let said = author.says("general", text).await;
        let shown = format!("article[data-id='{}'] .message-body {css}", said.id);
        page.says_in(&shown, expect).await;
    }
    page.clicks(".spoiler[role=button]").await;
    page.says_in(".spoiler.revealed", "hidden").await;
    page.keeps_picture(PICTURES, "markdown.png").await;
    page.clicks("button.mention-link").await;
    page.is_in("#general").await;
    page.has_no_complaints().await;
}

/// A name in a text is one thing, a call another: only who was called sees a
/// message as theirs.
#[tokio::test]
async fn only_who_was_called_is_told_so() {
    let Some((story, page)) = page().await else {
        return;
    };
    let ada = story.person_id("Ada");
    let keeper = story.ready().guilds[0].roles["Keeper"].clone();
    let cases = [
        (json!({"content": format!("a <@{ada}>")}), true, true),
        (
            json!({"content": format!("b <@{ada}>"), "allowed_mentions": {"parse": []}}),
            true,
            false,
        ),
        (json!({"content": format!("c <@&{keeper}>")}), true, false),
        (json!({"content": "d @everyone"}), false, false),
    ];
    for (body, pill, called) in cases {
        let said = story.bot_posts("general", body.clone());
        let article = format!("article[data-id='{}']", said.id);
        page.shows(&article).await;
        let found = format!(
            "const it = document.querySelector({}); return [!!it.querySelector('.mention'), it.matches('.for-me'), !!it.querySelector('.mention-me')]",
            json!(article)
        );
        let expect = json!([pill, called, called]);
        assert_eq!(page.browser.run(&found).await, expect, "{body}");
    }
    page.has_no_complaints().await;
}

#[tokio::test]
async fn an_embed_shows_all_it_has() {
    let Some((story, page)) = page().await else {
        return;
    };
    let shown = story.ben().shows("general", "", "tea.png", TEA).await;
    let (_, url) = shown.file.expect("a file");
    let field =
        |name: &str, inline: bool| json!({"name": name, "value": "**v** of it", "inline": inline});
    story.bot_posts("general", json!({"embeds": [{
        "title": "Tea of the *day*", "url": "https://example.com/tea", "description": "A list:\n- one\n- two",
        "color": 0xff9d6c, "timestamp": "2024-02-03T04:05:06Z",
        "author": {"name": "The house", "url": "https://example.com", "icon_url": url},
        "footer": {"text": "poured by hand", "icon_url": url},
        "thumbnail": {"url": url, "width": 120, "height": 80},
        "image": {"url": url, "width": 120, "height": 80},
        "fields": [field("First", true), field("Second", true), field("Third", true), field("Wide", false)],
    }, {"description": "elsewhere", "image": {"url": "https://example.com/x.png"}}]}));
    let embed = "[data-testid=embed]";
    for (css, words) in [
        (".embed-title a[href='https://example.com/tea'] em", "day"),
        (".embed-text ul > li", "two"),
        (".embed-author", "The house"),
        (".embed-field.inline", "Second"),
        (".embed-field:not(.inline) strong", "Wide"),
        (".embed-foot", "poured by hand"),
        (".embed-foot time", "2024"),
        ("[data-testid=elsewhere]", "Picture at example.com"),
    ] {
        page.says_in(&format!("{embed} {css}"), words).await;
    }
    let drawn = "const all = [...document.querySelectorAll('.embed img')]; \
        for (const one of all) await one.decode(); return all.map((one) => one.naturalWidth)";
    assert_eq!(page.browser.run(drawn).await, json!([120, 120, 120, 120]));
    let edge = "return getComputedStyle(document.querySelector('.embed')).borderLeftColor";
    assert_eq!(page.browser.run(edge).await, "rgb(255, 157, 108)");
    page.keeps_picture(PICTURES, "embed.png").await;
    page.has_a_name_for_everything().await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn files_come_by_button_paste_and_drop() {
    let Some((mut story, page)) = page().await else {
        return;
    };
    page.gives_file(
        "[data-testid=file-input]",
        "change",
        "notes.txt",
        "text/plain",
        b"steep",
    )
    .await;
    page.says_in("[data-testid=upload]", "notes.txt").await;
    page.gives_file(COMPOSER, "paste", "tea.png", "image/png", TEA)
        .await;
    page.shows("[data-testid=upload] .upload-preview img").await;
    page.gives_file(".conversation", "drop", "gone.bin", "", b"x")
        .await;
    page.says_in("[data-testid=upload]", "gone.bin").await;
    page.keeps_picture(PICTURES, "uploads.png").await;
    page.clicks("[data-testid=upload]:nth-child(3) [data-testid=upload-remove]")
        .await;
    page.focuses("[data-testid=upload]:nth-child(2) .upload-words")
        .await;
    page.presses("a cup").await;
    page.writes("look").await;
    page.says_in("article [data-testid=file]", "notes.txt")
        .await;
    page.shows("article .picture img[alt='a cup']").await;
    page.hides("[data-testid=upload]").await;

    // A file alone is a message.
    page.gives_file(COMPOSER, "paste", "alone.txt", "text/plain", b"1")
        .await;
    page.says_in("[data-testid=upload]", "alone.txt").await;
    page.focuses(COMPOSER).await;
    page.presses(ENTER).await;
    page.says_in("article [data-testid=file]", "alone.txt")
        .await;
    let sent = story.events("MESSAGE_CREATE");
    let names: Vec<_> = sent
        .iter()
        .map(|it| it["attachments"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(names, [2, 1]);
    page.keeps_picture(PICTURES, "files.png").await;
    page.has_a_name_for_everything().await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn a_quoted_line_follows_what_it_quotes() {
    let Some((story, page)) = page().await else {
        return;
    };
    let milk = story.ben().says("general", "milk?").await;
    let reply = story.ada().replies(&milk, "please").await;
    let quote = format!("article[data-id='{}'] .quote-line", reply.id);
    page.says_in(&quote, "milk?").await;
    story.ben().edits(&milk, "oat milk?").await;
    page.says_in(&quote, "oat milk?").await;
    story.ben().deletes(&milk).await;
    page.says_in(&quote, "The original message was deleted")
        .await;
    page.has_no_complaints().await;
}

#[tokio::test]
async fn a_channel_that_the_bot_cannot_see_says_so() {
    let Some((_story, page)) = page().await else {
        return;
    };
    let words = "Kaiwa cannot see this channel";
    page.clicks("[data-testid=channel-staff]").await;
    page.is_in("#staff").await;
    page.focuses(COMPOSER).await;
    page.presses("@Kaiwa hello").await;
    page.says_in("[data-testid=deaf-warning]", words).await;
    page.presses(ENTER).await;
    page.says_in("article [data-testid=deaf]", words).await;
    page.hides("[data-testid=deaf-warning]").await;
    page.keeps_picture(PICTURES, "deaf.png").await;

    page.clicks("[data-testid=channel-general]").await;
    page.is_in("#general").await;
    page.writes("@Kaiwa hello").await;
    page.sees("Ada", "@Kaiwa hello").await;
    page.hides("[data-testid=deaf]").await;
    page.has_no_complaints().await;
}

/// Markup in every name that somebody can choose.
#[tokio::test]
async fn hostile_names_stay_names() {
    let markup = "<img src=x onerror=alert(1)>";
    let world = format!(
        "[guild]\nname = '''{markup}'''\nowner = 'Ada'\n[bot]\nname = 'Kaiwa'\n\
         [[roles]]\nname = '''{markup}'''\nhoist = true\n\
         [[users]]\nname = 'Ada'\nroles = ['''{markup}''']\n[[users]]\nname = '''{markup}'''\n\
         [[channels]]\nname = 'general'\ntopic = '''{markup}'''\n\
         [[channels]]\nname = 'random'\ntopic = '''</p><script>alert(1)</script>'''\n\
         [[channels]]\nname = 'code'\n[[guilds]]\nname = '<b>two</b>'\nowner = 'Ada'\n[[guilds.members]]\nname = 'Ada'\n[[guilds.channels]]\nname = 'x'\n"
    );
    let world = kaiwa_emulator::World::from_toml(&world).expect("a world");
    let story = Story::in_world(world).await;
    let Some(page) = Page::open(&story.ready().page_url).await else {
        return;
    };
    page.says_in(".guild-name", markup).await;
    page.says_in(".topic", markup).await;
    page.says_in(".member-list h2", &markup.to_uppercase())
        .await;
    page.says_in(".member-row", markup).await;
    let id = story.person_id(markup);
    page.writes("hi").await;
    let mine = page.sees("Ada", "hi").await;
    story.bot_posts("general", json!({
        "content": format!("<@{id}>"),
        "embeds": [{"title": markup, "author": {"name": markup}, "footer": {"text": markup}, "fields": [{"name": markup, "value": markup}]}],
        "components": [{"type": 1, "components": [{"type": 2, "style": 1, "custom_id": markup, "label": markup}]}],
    }));
    page.says_in(".embed-title", markup).await;
    page.says_in(".mention", markup).await;
    page.says_in("[data-testid=component-button]", markup).await;
    page.clicks(&mine).await;
    page.keeps_picture(PICTURES, "hostile.png").await;
    let made =
        "return document.querySelectorAll('#app :is(script, img[onerror], img[src=x], b)').length";
    assert_eq!(page.browser.run(made).await, 0);
    page.has_no_complaints().await;
}
