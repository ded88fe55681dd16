//! Which messages count.

use super::*;

#[test]
fn messages_of_one_answer_are_one_entry() {
    let mut history = conversation(&[("Ada", "count"), ("Kaiwa", "1"), ("Kaiwa", "2")]);
    history.push(record(said(ago(1, 3), "Ben", "wow")));
    history.push(record(said(ago(1, 4), "Kaiwa", "3")));
    let mut scene = Scene::new(history, question("Ada", "again"));
    scene.check(&expect![[r#"
        User| Ada: count
        Assistant| 1
        2
        User| Ben: wow
        Assistant| 3
        ---
        User| Ada: again
    "#]]);
    // By the record, whatever came between.
    for spoken in scene.history.iter_mut().filter(|it| it.by.is_some()) {
        spoken.turn = Some(TurnId::of_message(ago(1, 0)));
    }
    scene.check(&expect![[r#"
        User| Ada: count
        Assistant| 1
        2
        3
        User| Ben: wow
        ---
        User| Ada: again
    "#]]);
    // A reply begins another answer.
    let ben = said(ago(1, 3), "Ben", "wow");
    scene.history = conversation(&[("Kaiwa", "1")]);
    let other = replies(said(ago(1, 9), "Kaiwa", "thanks"), &ben);
    scene.history.push(record(other));
    scene.check(&expect![[r#"
        Assistant| 1
        Assistant| thanks
        ---
        User| Ada: again
    "#]]);
    scene.rules.messages = 1;
    scene.check(&expect![[r#"
        Assistant| thanks
        ---
        User| Ada: again
    "#]]);
}

#[test]
fn the_newest_are_kept() {
    let lines: Vec<String> = (0..100).map(|n| n.to_string()).collect();
    let lines: Vec<(&str, &str)> = lines.iter().map(|it| ("Ben", &**it)).collect();
    let mut scene = Scene::new(conversation(&lines), question("Ada", "x"));
    scene.rules.messages = 2;
    scene.check(&expect![[r#"
        User| Ben: 98
        User| Ben: 99
        ---
        User| Ada: x
    "#]]);
}

#[test]
fn the_old_is_left_out_but_for_the_last_exchange() {
    let asked = said(ago(90, 0), "Ada", "<@1> how old are you?");
    let history = vec![
        record(said(ago(95, 0), "Ben", "<@1> hello")),
        record(said(ago(94, 0), "Kaiwa", "Hello, Ben.")),
        record(asked.clone()),
        record(replies(said(ago(89, 0), "Kaiwa", "Three."), &asked)),
        record(said(ago(88, 0), "Ben", "<@1> really?")),
        record(said(ago(2, 0), "Ben", "new")),
    ];
    let mut scene = Scene::new(history, question("Ada", "and I?"));
    scene.check(&expect![[r#"
        User| Ada: @Kaiwa how old are you?
        Assistant| Three.
        User| Ben: new
        ---
        User| Ada: and I?
    "#]]);
    scene.rules.since = Some(ago(3, 0).created_at());
    scene.check(&expect![[r#"
        User| Ben: new
        ---
        User| Ada: and I?
    "#]]);
    scene.rules.since = None;
    scene.rules.after = Some(ago(2, 0));
    scene.check(&expect![[r#"
        User| Ada: and I?
    "#]]);
}

#[test]
fn what_is_directed_counts_with_what_leads_up_to_it() {
    let tea = said(ago(20, 0), "Ben", "tea is green");
    let idle = said(ago(19, 0), "Ben", "nobody asked");
    let asked = replies(said(ago(18, 0), "Cleo", "<@1> is it?"), &tea);
    let answer = replies(said(ago(17, 0), "Kaiwa", "It is."), &asked);
    let triggered = said(ago(16, 0), "Ben", "kaiwa rocks");
    let thanks = replies(said(ago(15, 0), "Kaiwa", "Thanks."), &triggered);
    let back = replies(said(ago(14, 0), "Cleo", "good"), &answer);
    let mut roles = said(ago(13, 0), "Ben", "<@&9> hey");
    roles.mention_roles = vec![RoleId::new(9)];
    let last = said(ago(12, 0), "Dan", "chatter");
    let history = [
        tea, idle, asked, answer, triggered, thanks, back, roles, last,
    ];
    let mut scene = Scene::new(history.map(record).into(), question("Ada", "x"));
    scene.rules.directed = true;
    scene.rules.around = 1;
    scene.guild = Some(GuildSnapshot {
        my_roles: vec![RoleId::new(9)],
        ..GuildSnapshot::new(GUILD)
    });
    scene.check(&expect![[r#"
        User| Ben: tea is green
        User| Cleo: [Replying to Ben] @Kaiwa is it?
        Assistant| It is.
        User| Ben: kaiwa rocks
        Assistant| Thanks.
        User| Cleo: [Replying to Kaiwa] good
        User| Ben: <@&9> hey
        User| Dan: chatter
        ---
        User| Ada: x
    "#]]);
    scene.rules.around = 0;
    assert!(!scene.lines().contains("chatter"));
    scene.question = Question::Message(Message {
        scope: Scope::Dm(user("Ada")),
        ..question("Ada", "x")
    });
    assert!(scene.lines().contains("chatter"), "all is directed there");
}

#[test]
fn notices_and_what_waits_is_hidden() {
    let mut history = conversation(&[("Ada", "a"), ("Kaiwa", "b"), ("Ben", "<@1> c")]);
    let mut notice = record(said(ago(1, 3), "Kaiwa", "(My answer broke off here.)"));
    notice.is_notice = true;
    history.push(notice);
    let mut scene = Scene::new(history, question("Ada", "x"));
    static PENDING: [MessageId; 1] = [MessageId::new(((NOW - 1) * 60_000) << 22 | 2)];
    scene.rules.pending = &PENDING;
    scene.check(&expect![[r#"
        User| Ada: a
        Assistant| b
        ---
        User| Ada: x
    "#]]);
}

#[test]
fn what_would_spoil_the_answer_is_left_out() {
    let asked = said(ago(9, 0), "Ada", "<@1> who are you?");
    let bad = replies(said(ago(8, 0), "Kaiwa", "I'm CLAUDE, hello."), &asked);
    let bad_too = record(said(ago(8, 1), "Kaiwa", "More of it."));
    let mut history = vec![record(asked), record(bad), bad_too];
    // Where nothing is replied to, what stands before led to it.
    history.push(record(said(ago(7, 0), "Ben", "and?")));
    history.push(record(said(ago(6, 0), "Ben", "stay")));
    let mut scene = Scene::new(history, question("Ada", "x"));
    let patterns: &'static [String] = Box::leak(Box::new(["i'm claude".to_owned()]));
    scene.rules.skip = patterns;
    scene.check(&expect![[r#"
        User| Ben: and?
        User| Ben: stay
        ---
        User| Ada: x
    "#]]);
    let bad = record(said(ago(5, 0), "Kaiwa", "I'm Claude."));
    scene.history.push(bad);
    scene.check(&expect![[r#"
        User| Ben: and?
        ---
        User| Ada: x
    "#]]);
    // Others may say so.
    scene.history = conversation(&[("Ben", "I'm Claude.")]);
    assert!(scene.lines().contains("Ben: I'm Claude."));
}
