//! Who speaks in the scopes.
//!
//! The personas of a scope are read once and kept until they change: every
//! message has to be compared with their names. Whoever changes one does so
//! through here. If the store cannot be read, those known last count, or the
//! bot itself alone: no answer waits for them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kaiwa_domain::port::{Clock, Pending, PersonaChange, Personas};
use kaiwa_domain::{Me, Persona, PersonaId, PictureId, Scope, StoreError};
use kaiwa_pipeline::admit::CalledPersona;

/// Of how many scopes personas are kept in memory.
const SCOPES: usize = 1024;

/// How long the store may take.
const READ_WITHIN: Duration = Duration::from_millis(2_500);

/// The personas of one scope.
#[derive(Debug, Default)]
pub struct ScopePersonas {
    personas: Vec<Persona>,
    alters: Vec<CalledPersona>,
}

impl ScopePersonas {
    pub(crate) fn new(mut personas: Vec<Persona>) -> Self {
        for persona in &mut personas {
            // Only exports need it.
            persona.card = None;
        }
        Self {
            alters: CalledPersona::among(&personas),
            personas,
        }
    }

    /// Those beside the bot itself, as far as they can be called.
    pub fn alters(&self) -> &[CalledPersona] {
        &self.alters
    }

    /// The persona of a number, as far as it is not as the settings say.
    pub fn find(&self, id: PersonaId) -> Option<&Persona> {
        self.personas.iter().find(|it| it.id == id)
    }

    /// What they are called, the bot itself included.
    pub fn cast(&self, me: &Me) -> Vec<(PersonaId, String)> {
        let alters = self.alters.iter().map(|it| (it.id, it.name.clone()));
        let main = (PersonaId::MAIN, me.name.clone());
        std::iter::once(main).chain(alters).collect()
    }
}

/// The personas of every scope. Clones share them.
#[derive(Clone)]
pub struct PersonaBook {
    store: Arc<dyn Personas>,
    clock: Arc<dyn Clock>,
    known: Arc<Mutex<KnownPersonas>>,
}

#[derive(Default)]
struct KnownPersonas {
    scopes: HashMap<Scope, KnownCast>,
    /// How often something was changed: what was read before a change may be
    /// out of date.
    changes: u64,
    /// Counts uses.
    uses: u64,
}

struct KnownCast {
    cast: Arc<ScopePersonas>,
    is_stale: bool,
    last_use: u64,
}

impl PersonaBook {
    /// What `store` holds.
    pub fn new(store: Arc<dyn Personas>, clock: Arc<dyn Clock>) -> Self {
        Self {
            store,
            clock,
            known: Arc::default(),
        }
    }

    /// The personas of a scope, from memory unless they have changed.
    pub async fn of(&self, scope: Scope) -> Arc<ScopePersonas> {
        let (last_known, changes) = {
            let mut known = self.lock();
            known.uses += 1;
            let uses = known.uses;
            match known.scopes.get_mut(&scope) {
                Some(cast) if !cast.is_stale => {
                    cast.last_use = uses;
                    return cast.cast.clone();
                }
                stale => (stale.map(|it| it.cast.clone()), known.changes),
            }
        };
        let read = tokio::select! {
            read = self.store.personas(scope) => read,
            () = self.clock.sleep(READ_WITHIN) => Err(StoreError::Transient {
                reason: "the personas took too long to read".to_owned(),
            }),
        };
        match read {
            Ok(personas) => {
                let cast = Arc::new(ScopePersonas::new(personas));
                self.lock().learn(scope, cast.clone(), changes);
                cast
            }
            Err(error) => {
                tracing::warn!(%scope, %error, "the personas cannot be read; the last known ones count");
                last_known.unwrap_or_default()
            }
        }
    }

    /// The personas of a scope are others than before, or none any more.
    pub(crate) fn changed(&self, scope: Scope) {
        let mut known = self.lock();
        known.changes += 1;
        if let Some(cast) = known.scopes.get_mut(&scope) {
            cast.is_stale = true;
        }
    }

    fn lock(&self) -> MutexGuard<'_, KnownPersonas> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownPersonas {
    fn learn(&mut self, scope: Scope, cast: Arc<ScopePersonas>, changes_before: u64) {
        if self.scopes.len() >= SCOPES && !self.scopes.contains_key(&scope) {
            let oldest = self.scopes.iter().min_by_key(|(_, known)| known.last_use);
            if let Some(oldest) = oldest.map(|(scope, _)| *scope) {
                self.scopes.remove(&oldest);
            }
        }
        let known = KnownCast {
            cast,
            is_stale: self.changes != changes_before,
            last_use: self.uses,
        };
        self.scopes.insert(scope, known);
    }
}

/// Changes are known to the next message.
impl Personas for PersonaBook {
    fn personas(&self, scope: Scope) -> Pending<'_, Result<Vec<Persona>, StoreError>> {
        self.store.personas(scope)
    }

    fn persona(
        &self,
        scope: Scope,
        id: PersonaId,
    ) -> Pending<'_, Result<Option<Persona>, StoreError>> {
        self.store.persona(scope, id)
    }

    fn add_persona<'a>(
        &'a self,
        change: &'a PersonaChange<'a>,
    ) -> Pending<'a, Result<PersonaId, StoreError>> {
        Box::pin(async move {
            let added = self.store.add_persona(change).await;
            self.changed(change.scope);
            added
        })
    }

    fn save_persona<'a>(
        &'a self,
        change: &'a PersonaChange<'a>,
    ) -> Pending<'a, Result<bool, StoreError>> {
        Box::pin(async move {
            let saved = self.store.save_persona(change).await;
            self.changed(change.scope);
            saved
        })
    }

    fn delete_persona(&self, scope: Scope, id: PersonaId) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(async move {
            let deleted = self.store.delete_persona(scope, id).await;
            self.changed(scope);
            deleted
        })
    }

    fn picture(
        &self,
        scope: Scope,
        persona: PersonaId,
        picture: PictureId,
    ) -> Pending<'_, Result<Option<Vec<u8>>, StoreError>> {
        self.store.picture(scope, persona, picture)
    }

    fn shown_pictures(&self) -> Pending<'_, Result<Vec<PictureId>, StoreError>> {
        self.store.shown_pictures()
    }
}
