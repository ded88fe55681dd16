//! Who speaks in a scope, as rows.

use std::collections::{BTreeMap, BTreeSet};

use kaiwa_domain::port::{Pending, PersonaChange, Personas};
use kaiwa_domain::settings::SettingPlace;
use kaiwa_domain::{
    DataSubject, PERSONAS_PER_SCOPE, PICTURE_BYTES, PICTURES_PER_SCOPE, Persona, PersonaId,
    PictureId, Scope, StoreError,
};

use super::memory::{conflict, scope_of};
use super::{MemoryStore, State};

type PictureRows = BTreeMap<(Scope, PersonaId, PictureId), Vec<u8>>;

#[derive(Default)]
pub(super) struct PersonaTables {
    rows: BTreeMap<(Scope, PersonaId), Persona>,
    pictures: PictureRows,
    /// The last number of each scope.
    last: BTreeMap<Scope, u32>,
}

impl PersonaTables {
    pub(super) fn row_counts(&self) -> [(&'static str, usize); 2] {
        [
            ("persona", self.rows.len()),
            ("persona_picture", self.pictures.len()),
        ]
    }

    pub(super) fn erase(&mut self, subject: DataSubject) {
        let gone = scope_of(subject);
        self.rows.retain(|(scope, _), _| *scope != gone);
        self.pictures.retain(|(scope, ..), _| *scope != gone);
    }

    fn of(&self, scope: Scope) -> impl Iterator<Item = &Persona> {
        let rows = self.rows.iter().filter(move |((of, _), _)| *of == scope);
        rows.map(|(_, persona)| persona)
    }

    fn write(
        &mut self,
        change: &PersonaChange<'_>,
        id: Option<PersonaId>,
    ) -> Result<PersonaId, StoreError> {
        let PersonaChange { scope, persona, .. } = *change;
        if let Err(bad) = persona.check() {
            return conflict(&bad.to_string());
        }
        if change.pictures.iter().any(|it| it.len() > PICTURE_BYTES) {
            return conflict("a picture is too large");
        }
        let others: Vec<&Persona> = self.of(scope).filter(|it| Some(it.id) != id).collect();
        if others.iter().any(|it| it.is_called(&persona.name)) {
            return conflict("there is a persona of that name already");
        }
        if id.is_none() && others.len() >= PERSONAS_PER_SCOPE {
            return conflict("there are too many personas");
        }
        let last = self.last.get(&scope).copied().unwrap_or(0);
        let id = id.unwrap_or(PersonaId::new(last + 1));
        let given = |picture| {
            let mut given = change.pictures.iter();
            given.find(|bytes| PictureId::of(bytes) == picture)
        };
        let mut pictures = BTreeMap::new();
        for picture in persona.pictures() {
            let key = (scope, id, picture);
            match self.pictures.get(&key).or_else(|| given(picture)) {
                Some(bytes) => drop(pictures.insert(key, bytes.clone())),
                None => return conflict("a picture is missing"),
            }
        }
        let different = |tables: &[&PictureRows]| {
            let keys = tables.iter().flat_map(|table| table.keys());
            let here = keys.filter(|(of, ..)| *of == scope);
            here.map(|(.., picture)| *picture)
                .collect::<BTreeSet<_>>()
                .len()
        };
        let mut others = self.pictures.clone();
        others.retain(|(of, persona, _), _| (*of, *persona) != (scope, id));
        let after = different(&[&others, &pictures]);
        if after > PICTURES_PER_SCOPE && after > different(&[&self.pictures]) {
            return conflict("there are too many pictures");
        }
        self.pictures = others;
        self.pictures.extend(pictures);
        self.last.insert(scope, last.max(id.get()));
        let persona = Persona {
            id,
            ..persona.clone()
        };
        self.rows.insert((scope, id), persona);
        Ok(id)
    }
}

impl State {
    fn delete_persona(&mut self, scope: Scope, id: PersonaId) -> bool {
        let place = SettingPlace::Persona(id);
        self.settings
            .retain(|it| !(it.scope == scope && it.place == place));
        self.memory.delete_notes_of(scope, id);
        let tables = &mut self.personas;
        tables
            .pictures
            .retain(|(of, persona, _), _| (*of, *persona) != (scope, id));
        tables.rows.remove(&(scope, id)).is_some()
    }
}

impl Personas for MemoryStore {
    fn personas(&self, scope: Scope) -> Pending<'_, Result<Vec<Persona>, StoreError>> {
        self.call(move |state| Ok(state.personas.of(scope).cloned().collect()))
    }

    fn persona(
        &self,
        scope: Scope,
        id: PersonaId,
    ) -> Pending<'_, Result<Option<Persona>, StoreError>> {
        self.call(move |state| Ok(state.personas.rows.get(&(scope, id)).cloned()))
    }

    fn add_persona<'a>(
        &'a self,
        change: &'a PersonaChange<'a>,
    ) -> Pending<'a, Result<PersonaId, StoreError>> {
        self.call(move |state| state.personas.write(change, None))
    }

    fn save_persona<'a>(
        &'a self,
        change: &'a PersonaChange<'a>,
    ) -> Pending<'a, Result<bool, StoreError>> {
        self.call(move |state| {
            let id = change.persona.id;
            let there = state.personas.rows.contains_key(&(change.scope, id));
            if !there && id != PersonaId::MAIN {
                return Ok(false);
            }
            state.personas.write(change, Some(id)).map(|_| true)
        })
    }

    fn delete_persona(&self, scope: Scope, id: PersonaId) -> Pending<'_, Result<bool, StoreError>> {
        self.call(move |state| Ok(state.delete_persona(scope, id)))
    }

    fn picture(
        &self,
        scope: Scope,
        persona: PersonaId,
        picture: PictureId,
    ) -> Pending<'_, Result<Option<Vec<u8>>, StoreError>> {
        self.call(move |state| {
            Ok(state
                .personas
                .pictures
                .get(&(scope, persona, picture))
                .cloned())
        })
    }

    fn shown_pictures(&self) -> Pending<'_, Result<Vec<PictureId>, StoreError>> {
        self.call(|state| {
            let kept = state.personas.pictures.keys().map(|(.., picture)| *picture);
            let shown: BTreeSet<_> = kept.chain(state.journal.shown_pictures()).collect();
            Ok(shown.into_iter().collect())
        })
    }
}
