use super::*;
use kaiwa_domain::settings::RoleQuota;
use kaiwa_domain::{
    Author, ChannelId, GuildId, Mention, MessageId, Moment, Reply, ScheduledTask, TaskKind, UserId,
};

const ME: UserId = UserId::new(1);
const ADA: UserId = UserId::new(2);
const BEN: UserId = UserId::new(5);
const HERE: ChannelId = ChannelId::new(4);
const OUR_ROLE: RoleId = RoleId::new(31);
const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// A message sent `age` before [`NOW`] by a human in a guild, to nobody.
fn message(age: Duration) -> Message {
    let sent = NOW.as_millis() - age.as_millis() as i64;
    let raw = (sent - kaiwa_domain::limits::SNOWFLAKE_EPOCH_MS) << 22;
    let author = Author {
        id: ADA,
        name: "Ada".into(),
        kind: AuthorKind::Human,
        roles: Vec::new(),
    };
    let scope = Scope::Guild(GuildId::new(3));
    Message::new(
        MessageId::new(raw as u64),
        scope,
        HERE,
        author,
        "hello".into(),
    )
}

fn rules() -> AdmitRules {
    AdmitRules {
        answer_within: Duration::from_secs(600),
        own_threads: true,
        user_turns: 5,
        guild_turns: 50,
        channel_queue: 20,
        match_limit: 3,
        ..AdmitRules::default()
    }
}

/// A place in which messages are let through the gate.
struct Place {
    rules: AdmitRules,
    channel: ChannelSnapshot,
    opted_out: bool,
    reads_all: bool,
    load: Load,
    state: AdmitState,
    moment: Moment,
    alters: Vec<CalledPersona>,
    replied_to: Option<PersonaId>,
}

impl Place {
    fn new(change: impl FnOnce(&mut AdmitRules)) -> Self {
        let mut rules = rules();
        change(&mut rules);
        Self {
            rules,
            channel: ChannelSnapshot::new(HERE),
            opted_out: false,
            reads_all: true,
            load: Load::default(),
            state: AdmitState::default(),
            moment: Moment::default(),
            alters: Vec::new(),
            replied_to: None,
        }
    }

    fn hears(&mut self, message: Message) -> &'static str {
        match self.decides(message) {
            Decision::Admitted(admitted) => admitted.address().name(),
            Decision::Ignored(reason) => reason.name(),
            Decision::Refused(refusal) => refusal.name(),
        }
    }

    fn is_refused(&mut self, message: Message) -> bool {
        matches!(self.decides(message), Decision::Refused(_))
    }

    fn decides(&mut self, message: Message) -> Decision {
        let me = Me {
            id: ME,
            name: "Kaiwa".into(),
        };
        let gate = Gate {
            me: &me,
            my_roles: &[OUR_ROLE],
            rules: &self.rules,
            channel: Some(&self.channel),
            replied_to: self.replied_to.or_else(|| {
                let author = message.reply.as_ref().and_then(Reply::author);
                (author == Some(ME)).then_some(PersonaId::MAIN)
            }),
            alters: &self.alters,
            opted_out: self.opted_out,
            reads_all: self.reads_all,
        };
        let question = Question::Message(message);
        self.state
            .admit(&gate, NOW, self.moment, self.load, question)
    }
}

/// A message with a change.
fn with(change: impl FnOnce(&mut Message)) -> Message {
    let mut message = message(Duration::from_secs(1));
    change(&mut message);
    message
}

fn to_us() -> Message {
    with(|m| m.mentions = mention(ME))
}

fn mention(id: UserId) -> Vec<Mention> {
    vec![Mention {
        id,
        name: "somebody".into(),
    }]
}

fn reply(author: Option<UserId>) -> Option<Reply> {
    let target = author.map(|id| {
        let mut target = message(Duration::from_secs(9));
        target.author.id = id;
        Box::new(target)
    });
    Some(Reply {
        to: MessageId::new(9),
        target,
    })
}

#[test]
fn who_is_answered() {
    let check = |message: Message, expected: &str| {
        assert_eq!(Place::new(|_| ()).hears(message), expected);
    };
    check(to_us(), "mention");
    check(with(|m| m.mention_roles = vec![OUR_ROLE]), "role");
    check(with(|m| m.reply = reply(Some(ME))), "reply");
    check(with(|m| m.scope = Scope::Dm(ADA)), "dm");

    check(with(|_| ()), "not_addressed");
    check(with(|m| m.text = "Kaiwa".into()), "not_addressed");
    check(with(|m| m.text = "@everyone".into()), "not_addressed");
    check(with(|m| m.mentions = mention(ADA)), "not_addressed");
    check(
        with(|m| m.mention_roles = vec![RoleId::new(3)]),
        "not_addressed",
    );
    check(with(|m| m.reply = reply(Some(ADA))), "not_addressed");
    check(with(|m| m.reply = reply(None)), "not_addressed");
}

#[test]
fn what_a_place_decides() {
    let check = |what: &str, change: fn(&mut AdmitRules), message: Message, expected: &str| {
        assert_eq!(Place::new(change).hears(message), expected, "{what}");
    };
    let says = |text: &str| {
        let text = text.to_owned();
        with(|m| m.text = text)
    };
    let words = |rules: &mut AdmitRules| rules.words = TriggerWords::new(&["kaiwa"]);
    check("a word", words, says("hey Kaaaiwa"), "word");
    check("no word", words, says("kaiwas"), "not_addressed");
    check("always", |r| r.always = true, says("hi"), "always");
    let no_ada = |r: &mut AdmitRules| r.users_denied = vec![ADA.get()];
    check("a denied user", no_ada, to_us(), "denied");
    let only_ben = |r: &mut AdmitRules| r.users_allowed = vec![BEN.get()];
    check("not among the allowed", only_ben, to_us(), "denied");
    let only_role = |r: &mut AdmitRules| r.roles_allowed = vec![32];
    check("without the role", only_role, to_us(), "denied");
    let mut member = to_us();
    member.author.roles = vec![RoleId::new(32)];
    check("with the role", only_role, member, "mention");
    let elsewhere = |r: &mut AdmitRules| r.channels_allowed = vec![99];
    check("another channel", elsewhere, to_us(), "denied");
    let not_here = |r: &mut AdmitRules| r.channels_denied = vec![HERE.get()];
    check("a denied channel", not_here, to_us(), "denied");
}

#[test]
fn threads_belong_to_their_channel_and_ours_to_us() {
    let mut place = Place::new(|rules| rules.channels_allowed = vec![70]);
    place.channel.kind = ChannelKind::Thread;
    place.channel.owner = Some(ADA);
    assert_eq!(place.hears(to_us()), "denied");
    place.channel.parent = Some(ChannelId::new(70));
    assert_eq!(place.hears(to_us()), "mention");
    assert_eq!(place.hears(with(|_| ())), "not_addressed");
    place.channel.owner = Some(ME);
    assert_eq!(place.hears(with(|_| ())), "own_thread");
    place.rules.own_threads = false;
    assert_eq!(place.hears(with(|_| ())), "not_addressed");
}

#[test]
fn where_we_do_not_talk_we_say_so_if_we_are_addressed() {
    for (kind, expected) in [
        (ChannelKind::Voice, "mention"),
        (ChannelKind::Announcement, "mention"),
        (ChannelKind::GroupDm, "wrong_place"),
        (ChannelKind::Other, "wrong_place"),
    ] {
        let mut place = Place::new(|_| ());
        place.channel.kind = kind;
        assert_eq!(place.hears(to_us()), expected, "{kind:?}");
        assert_eq!(place.hears(with(|_| ())), "not_addressed");
    }
}

/// Without the Message Content Intent only what is said to us has words.
#[test]
fn what_cannot_be_read_is_left_alone_unless_it_is_for_us() {
    let mut place = Place::new(|rules| {
        rules.always = true;
        rules.auto = Some(AutoReply { min: 0, max: 0 });
    });
    place.reads_all = false;
    let blank = |change: fn(&mut Message)| {
        with(|m| {
            m.text.clear();
            change(m);
        })
    };
    for (message, expected) in [
        (blank(|_| ()), "unreadable"),
        (blank(|m| m.mention_roles = vec![OUR_ROLE]), "unreadable"),
        (blank(|m| m.reply = reply(Some(ME))), "unreadable"),
        (blank(|m| m.stickers = vec!["Wave".into()]), "always"),
        (blank(|m| m.scope = Scope::Dm(ADA)), "dm"),
        (to_us(), "mention"),
    ] {
        assert_eq!(place.hears(message), expected);
    }
    // Who asked is told, and who did not is not.
    assert!(!place.is_refused(blank(|_| ())));
    assert!(place.is_refused(blank(|m| m.reply = reply(Some(ME)))));
    assert!(place.is_refused(blank(|m| m.mention_roles = vec![OUR_ROLE])));
    place.rules.users_denied = vec![ADA.get()];
    assert!(!place.is_refused(blank(|m| m.reply = reply(Some(ME)))));
    place.reads_all = true;
    place.rules = rules();
    assert_eq!(place.hears(blank(|m| m.reply = reply(Some(ME)))), "reply");
}

/// Among several people a message is for us only if it says so, and then they
/// hear that this is not the place.
#[test]
fn a_group_is_no_direct_message() {
    let mut place = Place::new(|_| ());
    let privately = |mut message: Message| {
        message.scope = Scope::Dm(ADA);
        message
    };
    place.channel.kind = ChannelKind::Dm;
    assert_eq!(place.hears(privately(with(|_| ()))), "dm");
    place.channel.kind = ChannelKind::GroupDm;
    assert_eq!(place.hears(privately(with(|_| ()))), "not_addressed");
    assert_eq!(place.hears(privately(to_us())), "wrong_place");
    let answer = with(|m| m.reply = reply(Some(ME)));
    assert_eq!(place.hears(privately(answer)), "wrong_place");
}

#[test]
fn who_is_never_answered() {
    for (kind, reason) in [
        (AuthorKind::Bot, "bot"),
        (AuthorKind::Webhook, "bot"),
        (AuthorKind::System, "system"),
    ] {
        let mut spoken = to_us();
        spoken.author.kind = kind;
        assert_eq!(Place::new(|_| ()).hears(spoken), reason);
    }
    let mut own = to_us();
    own.author.id = ME;
    assert_eq!(Place::new(|_| ()).hears(own), "own");
    let mut place = Place::new(|_| ());
    place.opted_out = true;
    assert_eq!(place.hears(to_us()), "opted_out");
}

#[test]
fn bots_may_talk_twice_in_a_row_and_then_a_person_has_to() {
    let mut place = Place::new(|rules| rules.answer_bots = true);
    let mut bot = to_us();
    bot.author.kind = AuthorKind::Bot;
    let heard = [0; 4].map(|_| place.hears(bot.clone()));
    assert_eq!(heard, ["mention", "mention", "bot_loop", "bot_loop"]);
    assert_eq!(place.hears(with(|_| ())), "not_addressed");
    assert_eq!(place.hears(bot), "mention");
}

#[test]
fn enough_talk_makes_us_join_in_channel_by_channel() {
    let mut place = Place::new(|rules| rules.auto = Some(AutoReply { min: 3, max: 3 }));
    let heard = [0; 7].map(|_| place.hears(with(|_| ())));
    let quiet = "not_addressed";
    assert_eq!(heard, [quiet, quiet, "auto", quiet, quiet, "auto", quiet]);
    let elsewhere = with(|m| m.channel = ChannelId::new(8));
    assert_eq!(place.hears(elsewhere), quiet, "each channel counts alone");

    let mut every = Place::new(|rules| rules.auto = Some(AutoReply { min: 0, max: 0 }));
    assert_eq!([0; 3].map(|_| every.hears(with(|_| ()))), ["auto"; 3]);

    let mut random = Place::new(|rules| rules.auto = Some(AutoReply { min: 2, max: 6 }));
    let mut gaps = Vec::new();
    let mut gap = 0;
    for id in 0..2000 {
        gap += 1;
        let spoken = with(|m| m.id = MessageId::new(m.id.get() + id));
        if random.hears(spoken) == "auto" {
            gaps.push(gap);
            gap = 0;
        }
    }
    assert!(gaps.iter().all(|gap| (2..=6).contains(gap)), "{gaps:?}");
    assert!((2..=6).all(|gap| gaps.contains(&gap)), "{gaps:?}");
}

#[test]
fn who_asks_too_much_is_refused_and_others_are_not() {
    let mut place = Place::new(|r| r.user_questions = Some((2, Duration::from_secs(60))));
    let heard = [0; 3].map(|_| place.hears(to_us()));
    assert_eq!(heard, ["mention", "mention", "slow_down"]);
    let mut ben = to_us();
    ben.author.id = BEN;
    assert_eq!(place.hears(ben), "mention");
    place.moment = place.moment.after(Duration::from_secs(60));
    assert_eq!(place.hears(to_us()), "mention");

    for (load, expected) in [
        (
            Load {
                user: 5,
                ..Load::default()
            },
            "user_busy",
        ),
        (
            Load {
                channel: 20,
                ..Load::default()
            },
            "channel_busy",
        ),
        (
            Load {
                scope: 50,
                ..Load::default()
            },
            "guild_busy",
        ),
        (
            Load {
                user: 4,
                channel: 19,
                scope: 49,
            },
            "mention",
        ),
    ] {
        let mut place = Place::new(|_| ());
        place.load = load;
        assert_eq!(place.hears(to_us()), expected);
        assert_eq!(place.hears(with(|_| ())), "not_addressed");
    }
}

#[test]
fn roles_have_quotas_of_their_own() {
    let mut place = Place::new(|rules| {
        rules.user_questions = Some((1, Duration::from_secs(60)));
        let window = Duration::from_secs(60);
        rules.role_quotas = [(40, 2), (41, 4)]
            .map(|(role, count)| RoleQuota {
                role: RoleId::new(role),
                count,
                window,
            })
            .into();
    });
    let mut asks = |user: u64, roles: &[u64]| {
        let mut question = to_us();
        question.author.id = UserId::new(user);
        question.author.roles = roles.iter().map(|id| RoleId::new(*id)).collect();
        (0..6)
            .filter(|_| place.hears(question.clone()) == "mention")
            .count()
    };
    assert_eq!(asks(100, &[]), 1);
    assert_eq!(asks(101, &[40]), 2);
    assert_eq!(asks(102, &[40, 41]), 4);
}

#[test]
fn whoever_is_refused_is_told_once_and_a_crowd_not_by_a_crowd() {
    let mut state = AdmitState::default();
    let start = Moment::default();
    assert!(state.tells(start, HERE, ADA));
    assert!(!state.tells(start, HERE, ADA));
    assert!(state.tells(start.after(Duration::from_secs(60)), HERE, ADA));
    let later = start.after(Duration::from_secs(100));
    let told = |state: &mut AdmitState, at: Moment, from: u64| {
        let crowd = from..from + 10_000;
        crowd
            .filter(|id| state.tells(at, HERE, UserId::new(*id)))
            .count()
    };
    assert_eq!(told(&mut state, later, 1_000), 10);
    let soon = later.after(Duration::from_secs(2));
    assert_eq!(told(&mut state, soon, 20_000), 2);
    let elsewhere = ChannelId::new(9);
    assert!(state.tells(soon, elsewhere, BEN));
}

#[test]
fn a_model_is_asked_now_and_then_and_not_if_we_talk_much() {
    let pause = Duration::from_secs(60);
    let mut place = Place::new(|rules| rules.join_in = Some(JoinIn { pause, share: 20 }));
    let me = Me {
        id: ME,
        name: "Kaiwa".into(),
    };
    let considers = |place: &mut Place| {
        let gate = Gate {
            me: &me,
            my_roles: &[],
            rules: &place.rules,
            channel: Some(&place.channel),
            replied_to: None,
            alters: &[],
            opted_out: false,
            reads_all: true,
        };
        place
            .state
            .considers(&gate, place.moment, &message(Duration::from_secs(1)))
    };
    assert!(considers(&mut place));
    assert!(!considers(&mut place));
    place.moment = place.moment.after(pause);
    assert!(considers(&mut place));
    place.moment = place.moment.after(pause);
    for _ in 0..4 {
        place.hears(with(|m| m.author.id = ME));
    }
    assert!(!considers(&mut place), "four of twenty are a fifth");
    place.hears(with(|_| ()));
    for _ in 0..16 {
        place.hears(with(|_| ()));
    }
    assert!(considers(&mut place));
}

#[test]
fn what_is_due_is_done_unless_it_is_late() {
    use TaskKind::{Answer, Remind};
    for (kind, age, expected) in [
        (Answer, 1_000, true),
        (Answer, 600_000, true),
        (Answer, 600_001, false),
        (Remind, 1_000, true),
        (Remind, 600_001, true),
    ] {
        let task = ScheduledTask {
            kind,
            schedule: 7,
            due: Timestamp::from_millis(NOW.as_millis() - age),
            scope: Scope::Guild(GuildId::new(3)),
            channel: HERE,
            asker: ADA,
            text: "say good morning".into(),
        };
        let me = Me {
            id: ME,
            name: "Kaiwa".into(),
        };
        let gate = Gate {
            me: &me,
            my_roles: &[],
            rules: &rules(),
            channel: None,
            replied_to: None,
            alters: &[],
            opted_out: false,
            reads_all: true,
        };
        let mut state = AdmitState::default();
        let question = Question::Scheduled(task);
        let decision = state.admit(&gate, NOW, Moment::default(), Load::default(), question);
        let turn = match &decision {
            Decision::Admitted(admitted) => Some(admitted.turn()),
            _ => None,
        };
        assert_eq!(turn.is_some(), expected, "{age}");
        if let Some(turn) = turn {
            let named = match kind {
                Answer => "schedule",
                Remind => "reminder",
            };
            assert_eq!(turn.id.trigger.kind(), named);
            assert_eq!(turn.asker, ADA);
        }
    }
}

#[test]
fn what_comes_too_late() {
    let limit = Duration::from_secs(600);
    let late = limit + Duration::from_millis(1);
    let check = |age, change: fn(&mut Message), expected: &str| {
        let mut message = message(age);
        change(&mut message);
        assert_eq!(Place::new(|_| ()).hears(message), expected);
    };
    check(limit, |m| m.mentions = mention(ME), "mention");
    check(late, |m| m.mentions = mention(ME), "stale");
}

/// Who answers a message in a place with Mina (1) and Old Tom (2).
fn answered_by(text: &str, change: impl FnOnce(&mut Place)) -> Vec<u32> {
    let alter = |id, name: &str, triggers: &[&str]| kaiwa_domain::Persona {
        id: PersonaId::new(id),
        name: name.to_owned(),
        triggers: triggers.iter().map(|it| (*it).to_owned()).collect(),
        ..kaiwa_domain::Persona::default()
    };
    let mut place = Place::new(|rules| rules.words = TriggerWords::new(&["kai"]));
    place.alters =
        CalledPersona::among(&[alter(1, "Mina", &["ミナ"]), alter(2, "Old Tom", &["cat"])]);
    change(&mut place);
    let asked = with(|message| {
        message.text = text.to_owned();
        if text.contains("<@1>") {
            message.mentions = mention(ME);
        }
    });
    match place.decides(asked) {
        Decision::Admitted(admitted) => {
            let others = admitted.others();
            let turns = std::iter::once(&admitted)
                .chain(&others)
                .map(Admitted::turn);
            let turns: Vec<Turn> = turns.collect();
            for (place, turn) in turns.iter().enumerate() {
                assert_eq!(
                    usize::from(turn.id.take),
                    place,
                    "each is a turn of its own"
                );
            }
            turns.iter().map(|turn| turn.persona.get()).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn who_is_named_answers_in_that_order() {
    let check = |text: &str, expect: &[u32]| {
        assert_eq!(answered_by(text, |_| ()), expect, "{text:?}");
    };
    check("hello there", &[]);
    check("hello Mina", &[1]);
    check("MIIINA!", &[1]);
    check("ミナさん", &[1]);
    check("the cat and mina", &[2, 1]);
    check("old tom, kai, mina: hello", &[2, 0, 1]);
    check("<@1> hello", &[0]);
    check("<@1> and Mina, hello", &[0, 1]);
    check("Mina, meet <@1>", &[1, 0]);
    check("Mina, mina and MINA", &[1]);
    check("minas", &[]);
}

#[test]
fn who_answers_follows_from_the_place_and_the_reply() {
    let mina = Some("mina".to_owned());
    let default = |place: &mut Place| place.rules.default_persona = mina.clone();
    assert_eq!(answered_by("<@1> hello", default), [1]);
    assert_eq!(answered_by("cat, hello", default), [2]);
    let gone = |place: &mut Place| place.rules.default_persona = Some("Nobody".to_owned());
    assert_eq!(answered_by("<@1> hello", gone), [0]);
    let reply = |place: &mut Place| place.replied_to = Some(PersonaId::new(2));
    assert_eq!(answered_by("really?", reply), [2]);
    assert_eq!(answered_by("really? ask Mina", reply), [2, 1]);
    assert_eq!(answered_by("really, cat?", reply), [2]);
    // Where only mentions are read, a mention is no name.
    let mention_only = |place: &mut Place| place.reads_all = false;
    assert_eq!(answered_by("<@1> hello Mina", mention_only), [1]);
    assert_eq!(answered_by("<@1> hello", mention_only), [0]);
    let two = |place: &mut Place| place.rules.match_limit = 2;
    assert_eq!(answered_by("old tom, kai, mina: hello", two), [2, 0]);
}
