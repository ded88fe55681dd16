//! Who speaks in a scope.

use kaiwa_domain::port::{PersonaChange, Personas, SettingsStore};
use kaiwa_domain::settings::{SettingKey, SettingPlace};
use kaiwa_domain::{
    Effect, Identity, LoreEntry, PERSONAS_PER_SCOPE, PICTURE_BYTES, PICTURES_PER_SCOPE, Persona,
    PersonaId, PictureId, Portrait, Scope, Sprite, StoreError, UserId,
};

use super::settings::setting;
use super::{AWAY, Engine, HOME, NOW, admit, queue, say, turn};

fn named(name: &str) -> Persona {
    Persona {
        name: name.to_owned(),
        ..Persona::default()
    }
}

fn change<'a>(scope: Scope, persona: &'a Persona, pictures: &'a [Vec<u8>]) -> PersonaChange<'a> {
    PersonaChange {
        scope,
        persona,
        pictures,
        by: Some(UserId::new(u64::MAX)),
        at: NOW,
    }
}

/// Adds a persona with a picture.
pub(super) async fn add_painted(store: &impl Personas, scope: Scope, by: Option<UserId>) {
    let pictures = [b"picture".to_vec()];
    let persona = Persona {
        avatar: Some(PictureId::of(&pictures[0])),
        ..named("Painted")
    };
    let change = PersonaChange {
        by,
        ..change(scope, &persona, &pictures)
    };
    store.add_persona(&change).await.unwrap();
}

/// One with something in every field, and its pictures.
fn whole() -> (Persona, [Vec<u8>; 2]) {
    let pictures = [b"face".to_vec(), b"smile".to_vec()];
    let persona = Persona {
        id: PersonaId::MAIN,
        name: "ミナ 🎐".to_owned(),
        avatar: Some(PictureId::of(&pictures[0])),
        personality: "{{char}} is calm.\n\"Quoted\".".to_owned(),
        dialogues: vec!["{{user}}: hi\n{{char}}: hello".to_owned()],
        greetings: vec!["Hello!".to_owned(), String::new()],
        lore: vec![LoreEntry {
            keys: vec!["tea".to_owned(), "茶".to_owned()],
            text: "She grows tea.".to_owned(),
            always: true,
        }],
        triggers: vec!["mina".to_owned()],
        degree: Some(3),
        model: Some("small".to_owned()),
        sprites: vec![Sprite {
            name: "smile".to_owned(),
            picture: PictureId::of(&pictures[1]),
            usage: "when glad".to_owned(),
            is_identity: true,
        }],
        card: Some("{\"spec\":\"chara_card_v2\"}".to_owned()),
    };
    (persona, pictures)
}

pub(super) async fn a_persona_is_kept_as_it_is_over_a_reopening<E: Engine>(engine: E) {
    let store = engine.open().await;
    let (mut mina, pictures) = whole();
    mina.id = store
        .add_persona(&change(HOME, &mina, &pictures))
        .await
        .unwrap();
    assert_ne!(mina.id, PersonaId::MAIN);
    let mut main = named("Kai");
    // The bot itself needs no adding.
    assert_eq!(
        store.save_persona(&change(HOME, &main, &[])).await,
        Ok(true)
    );
    engine.close(store).await;

    let store = engine.open().await;
    let both = vec![main.clone(), mina.clone()];
    assert_eq!(store.personas(HOME).await, Ok(both));
    assert_eq!(store.persona(HOME, mina.id).await, Ok(Some(mina.clone())));
    assert_eq!(store.persona(AWAY, mina.id).await, Ok(None));
    assert_eq!(store.personas(AWAY).await, Ok(Vec::new()));
    let face = store.picture(HOME, mina.id, PictureId::of(b"face")).await;
    assert_eq!(face, Ok(Some(b"face".to_vec())));
    let elsewhere = store.picture(AWAY, mina.id, PictureId::of(b"face")).await;
    assert_eq!(elsewhere, Ok(None));

    // A picture that is kept need not be given again; one that is no longer
    // shown is gone.
    (mina.avatar, mina.personality) = (None, "louder".to_owned());
    assert_eq!(
        store.save_persona(&change(HOME, &mina, &[])).await,
        Ok(true)
    );
    assert_eq!(store.persona(HOME, mina.id).await, Ok(Some(mina.clone())));
    let face = store.picture(HOME, mina.id, PictureId::of(b"face")).await;
    assert_eq!(face, Ok(None));
    let smile = store.picture(HOME, mina.id, PictureId::of(b"smile")).await;
    assert_eq!(smile, Ok(Some(b"smile".to_vec())));
    main.personality = "brief".to_owned();
    assert_eq!(
        store.save_persona(&change(HOME, &main, &[])).await,
        Ok(true)
    );
    assert_eq!(store.personas(HOME).await, Ok(vec![main, mina]));
}

pub(super) async fn personas_are_bounded_and_told_apart<E: Engine>(engine: E) {
    let store = engine.open().await;
    let refused = |outcome: Result<PersonaId, StoreError>| {
        assert!(
            matches!(outcome, Err(StoreError::Conflict { .. })),
            "{outcome:?}"
        );
    };
    for number in 0..PERSONAS_PER_SCOPE {
        let persona = named(&format!("Number {number}"));
        store
            .add_persona(&change(HOME, &persona, &[]))
            .await
            .unwrap();
    }
    refused(store.add_persona(&change(HOME, &named("More"), &[])).await);
    let twice = named("nUMBER 7");
    refused(store.add_persona(&change(HOME, &twice, &[])).await);
    let renamed = Persona {
        id: PersonaId::new(3),
        ..twice.clone()
    };
    let renamed = store.save_persona(&change(HOME, &renamed, &[])).await;
    assert!(
        matches!(renamed, Err(StoreError::Conflict { .. })),
        "{renamed:?}"
    );
    // Elsewhere they may be called the same.
    let there = store.add_persona(&change(AWAY, &twice, &[])).await.unwrap();

    refused(store.add_persona(&change(AWAY, &named(" "), &[])).await);
    let missing = Persona {
        avatar: Some(PictureId::of(b"nowhere")),
        ..named("Faceless")
    };
    refused(store.add_persona(&change(AWAY, &missing, &[])).await);
    let large = [vec![0; PICTURE_BYTES + 1]];
    let heavy = Persona {
        avatar: Some(PictureId::of(&large[0])),
        ..named("Heavy")
    };
    refused(store.add_persona(&change(AWAY, &heavy, &large)).await);
    let only = store.personas(AWAY).await.unwrap();
    assert_eq!(only.len(), 1, "{only:?}");
    let nobody = Persona {
        id: PersonaId::new(there.get() + 1),
        ..named("Nobody")
    };
    assert_eq!(
        store.save_persona(&change(AWAY, &nobody, &[])).await,
        Ok(false)
    );
}

/// All scopes share what Discord has room for.
pub(super) async fn the_pictures_of_a_scope_are_bounded<E: Engine>(engine: E) {
    let store = engine.open().await;
    let painted = |name: &str, numbers: std::ops::Range<usize>| {
        let pictures: Vec<Vec<u8>> = numbers.map(|it| it.to_string().into_bytes()).collect();
        let sprites = pictures.iter().enumerate().map(|(index, bytes)| Sprite {
            name: format!("mood {index}"),
            picture: PictureId::of(bytes),
            usage: String::new(),
            is_identity: false,
        });
        let persona = Persona {
            sprites: sprites.collect(),
            ..named(name)
        };
        (persona, pictures)
    };
    let add = async |scope, name: &str, numbers| {
        let (persona, pictures) = painted(name, numbers);
        let added = store.add_persona(&change(scope, &persona, &pictures)).await;
        added.map(|id| Persona { id, ..persona })
    };
    let refused =
        |outcome: &Result<Persona, StoreError>| matches!(outcome, Err(StoreError::Conflict { .. }));
    let mut last = None;
    for first in (0..PICTURES_PER_SCOPE).step_by(50) {
        let name = format!("Number {first}");
        last = Some(add(HOME, &name, first..first + 50).await.unwrap());
    }
    let mut last = last.unwrap();
    let more = add(HOME, "More", 1000..1001).await;
    assert!(refused(&more), "{more:?}");
    assert_eq!(store.personas(HOME).await.unwrap().len(), 4);
    // What is there already takes no room, nor does what is in other scopes.
    add(HOME, "Same", 0..50).await.unwrap();
    add(HOME, "Plain", 0..0).await.unwrap();
    add(AWAY, "More", 1000..1001).await.unwrap();
    // One may be changed for another, and makes room when it is gone.
    let other = [b"other".to_vec()];
    last.sprites[0].picture = PictureId::of(&other[0]);
    let saved = store.save_persona(&change(HOME, &last, &other)).await;
    assert_eq!(saved, Ok(true));
    last.sprites.pop();
    let saved = store.save_persona(&change(HOME, &last, &[])).await;
    assert_eq!(saved, Ok(true));
    add(HOME, "More", 1000..1001).await.unwrap();
}

pub(super) async fn a_persona_goes_with_its_pictures_and_settings<E: Engine>(engine: E) {
    let store = engine.open().await;
    let (mina, pictures) = whole();
    let gone = store
        .add_persona(&change(HOME, &mina, &pictures))
        .await
        .unwrap();
    let stays = store
        .add_persona(&change(HOME, &named("Kai"), &[]))
        .await
        .unwrap();
    for persona in [gone, stays] {
        let place = SettingPlace::Persona(persona);
        let degree = setting(HOME, place, SettingKey::Degree, "2");
        store.set(&degree).await.unwrap();
    }
    assert_eq!(store.delete_persona(AWAY, gone).await, Ok(false));
    assert_eq!(store.delete_persona(HOME, gone).await, Ok(true));
    assert_eq!(store.delete_persona(HOME, gone).await, Ok(false));
    let left = store.personas(HOME).await.unwrap();
    assert_eq!(left.len(), 1);
    let settings = store.settings(HOME).await.unwrap();
    assert_eq!(settings.len(), 1);
    assert_eq!(settings[0].place, SettingPlace::Persona(stays));
    let rows = engine.row_counts().await;
    assert!(
        rows.contains(&("persona_picture".to_owned(), 0)),
        "{rows:?}"
    );
}

pub(super) async fn a_number_that_spoke_is_not_given_again<E: Engine>(engine: E) {
    let store = engine.open().await;
    let first = store
        .add_persona(&change(HOME, &named("Kai"), &[]))
        .await
        .unwrap();
    let mut asked = turn(HOME, 1);
    asked.persona = first;
    admit(&*store, &asked).await;
    store.delete_persona(HOME, first).await.unwrap();
    let second = store
        .add_persona(&change(HOME, &named("Mina"), &[]))
        .await
        .unwrap();
    assert_ne!(second, first);
}

pub(super) async fn a_picture_is_used_while_somebody_has_it_or_was_shown_with_it<E: Engine>(
    engine: E,
) {
    let store = engine.open().await;
    assert_eq!(store.shown_pictures().await, Ok(Vec::new()));
    let (mut mina, pictures) = whole();
    let [face, smile] = pictures.each_ref().map(|it| PictureId::of(it));
    for scope in [HOME, AWAY] {
        let change = change(scope, &mina, &pictures);
        mina.id = store.add_persona(&change).await.unwrap();
    }
    let shown = async || {
        let mut shown = store.shown_pictures().await.unwrap();
        shown.sort_unstable();
        shown
    };
    let mut both = vec![face, smile];
    both.sort_unstable();
    assert_eq!(shown().await, both, "each once");
    store.delete_persona(HOME, mina.id).await.unwrap();
    assert_eq!(shown().await, both, "in one of two scopes");
    store.delete_persona(AWAY, mina.id).await.unwrap();
    assert_eq!(shown().await, []);

    // What waits to be said or was said is shown with it.
    let turn = turn(HOME, 7);
    admit(&*store, &turn).await;
    let portrait = Portrait {
        of: mina.id,
        picture: face,
    };
    let line = Effect {
        identity: Identity::new("Mina", Some(portrait)),
        ..say(&turn, 0, "Hello.")
    };
    let plain = Effect {
        identity: Identity::new("Tom", None),
        ..say(&turn, 1, "Meow.")
    };
    for effect in [line, plain] {
        queue(&*store, &effect).await.unwrap();
    }
    assert_eq!(shown().await, [face]);
}
