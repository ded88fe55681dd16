//! Who speaks in a scope.

use super::Pending;
use crate::{Persona, PersonaId, PictureId, Scope, StoreError, Timestamp, UserId};

/// The personas of scopes, with their pictures.
///
/// A persona that does not [pass](Persona::check), one more than
/// [`PERSONAS_PER_SCOPE`](crate::PERSONAS_PER_SCOPE), a name that another one
/// of the scope has, a picture that is missing or larger than
/// [`PICTURE_BYTES`](crate::PICTURE_BYTES), and one beyond
/// [`PICTURES_PER_SCOPE`](crate::PICTURES_PER_SCOPE) are a
/// [`Conflict`](StoreError::Conflict).
pub trait Personas: Send + Sync {
    /// Those of a scope, in the order of their numbers. The main one is among
    /// them only if the scope has changed it.
    fn personas(&self, scope: Scope) -> Pending<'_, Result<Vec<Persona>, StoreError>>;

    /// One of them.
    fn persona(
        &self,
        scope: Scope,
        id: PersonaId,
    ) -> Pending<'_, Result<Option<Persona>, StoreError>>;

    /// Adds an alter, whose number is given here.
    fn add_persona<'a>(
        &'a self,
        change: &'a PersonaChange<'a>,
    ) -> Pending<'a, Result<PersonaId, StoreError>>;

    /// Changes a persona, and forgets the pictures that it is no longer shown
    /// with. False if there is none of this number; the main one is always
    /// there.
    fn save_persona<'a>(
        &'a self,
        change: &'a PersonaChange<'a>,
    ) -> Pending<'a, Result<bool, StoreError>>;

    /// Deletes a persona with its pictures, settings and notes. False if there was
    /// none.
    fn delete_persona(&self, scope: Scope, id: PersonaId) -> Pending<'_, Result<bool, StoreError>>;

    /// The bytes of a picture of a persona.
    fn picture(
        &self,
        scope: Scope,
        persona: PersonaId,
        picture: PictureId,
    ) -> Pending<'_, Result<Option<Vec<u8>>, StoreError>>;

    /// The pictures that a persona of any scope has or that something on record
    /// was said with. Names, no rows.
    fn shown_pictures(&self) -> Pending<'_, Result<Vec<PictureId>, StoreError>>;
}

/// A persona as it is to be from now on.
#[derive(Clone, Copy, Debug)]
pub struct PersonaChange<'a> {
    /// Whose it is.
    pub scope: Scope,
    /// The persona.
    pub persona: &'a Persona,
    /// Those of its pictures that are new.
    pub pictures: &'a [Vec<u8>],
    /// Who changed it; nobody if it was done on the command line.
    pub by: Option<UserId>,
    /// When.
    pub at: Timestamp,
}
