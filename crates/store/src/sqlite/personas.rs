//! Who speaks in a scope. What is written about them is sealed.

use kaiwa_domain::port::{Pending, PersonaChange, Personas};
use kaiwa_domain::{
    LoreEntry, PERSONAS_PER_SCOPE, PICTURE_BYTES, PICTURES_PER_SCOPE, Persona, PersonaId,
    PictureId, Scope, Sprite, StoreError,
};
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::Sqlite;
use super::columns::{signed, unreadable};
use super::journal::JournalError;
use super::keys::SealedRow;

impl Personas for Sqlite {
    fn personas(&self, scope: Scope) -> Pending<'_, Result<Vec<Persona>, StoreError>> {
        Box::pin(async move { Ok(self.read_personas(scope).await?) })
    }

    fn persona(
        &self,
        scope: Scope,
        id: PersonaId,
    ) -> Pending<'_, Result<Option<Persona>, StoreError>> {
        Box::pin(async move { Ok(self.read_persona(scope, id).await?) })
    }

    fn add_persona<'a>(
        &'a self,
        change: &'a PersonaChange<'a>,
    ) -> Pending<'a, Result<PersonaId, StoreError>> {
        Box::pin(async move { Ok(self.write_persona(change, None).await?) })
    }

    fn save_persona<'a>(
        &'a self,
        change: &'a PersonaChange<'a>,
    ) -> Pending<'a, Result<bool, StoreError>> {
        Box::pin(async move {
            match self.write_persona(change, Some(change.persona.id)).await {
                Ok(_) => Ok(true),
                Err(JournalError::NoSuchPersona) => Ok(false),
                Err(error) => Err(error.into()),
            }
        })
    }

    fn delete_persona(&self, scope: Scope, id: PersonaId) -> Pending<'_, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.delete_persona_rows(scope, id).await?) })
    }

    fn picture(
        &self,
        scope: Scope,
        persona: PersonaId,
        picture: PictureId,
    ) -> Pending<'_, Result<Option<Vec<u8>>, StoreError>> {
        Box::pin(async move { Ok(self.read_picture(scope, persona, picture).await?) })
    }

    fn shown_pictures(&self) -> Pending<'_, Result<Vec<PictureId>, StoreError>> {
        Box::pin(async move { Ok(self.read_shown_pictures().await?) })
    }
}

impl Sqlite {
    async fn read_personas(&self, scope: Scope) -> Result<Vec<Persona>, JournalError> {
        let rows = sqlx::query("SELECT * FROM persona WHERE scope = ?1 ORDER BY id")
            .bind(scope.to_string())
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(|row| self.read_row(row)).collect()
    }

    async fn read_persona(
        &self,
        scope: Scope,
        id: PersonaId,
    ) -> Result<Option<Persona>, JournalError> {
        let row = sqlx::query("SELECT * FROM persona WHERE scope = ?1 AND id = ?2")
            .bind(scope.to_string())
            .bind(id.get())
            .fetch_optional(&self.readers)
            .await?;
        row.map(|row| self.read_row(&row)).transpose()
    }

    /// Writes a persona under its number, or under a new one.
    async fn write_persona(
        &self,
        change: &PersonaChange<'_>,
        id: Option<PersonaId>,
    ) -> Result<PersonaId, JournalError> {
        change.persona.check()?;
        if change.pictures.iter().any(|it| it.len() > PICTURE_BYTES) {
            return Err(JournalError::PictureTooLarge);
        }
        let mut tx = self.write().await?;
        match self.persona_within(&mut tx, change, id).await {
            Ok(id) => {
                tx.commit().await?;
                Ok(id)
            }
            Err(error @ JournalError::Engine(_)) => Err(error),
            Err(error) => {
                tx.rollback().await?;
                Err(error)
            }
        }
    }

    async fn persona_within(
        &self,
        tx: &mut SqliteConnection,
        change: &PersonaChange<'_>,
        id: Option<PersonaId>,
    ) -> Result<PersonaId, JournalError> {
        let scope = change.scope.to_string();
        let rows = sqlx::query("SELECT * FROM persona WHERE scope = ?1")
            .bind(&scope)
            .fetch_all(&mut *tx)
            .await?;
        let known = rows.iter().map(|row| self.read_row(row));
        let mut others = known.collect::<Result<Vec<Persona>, JournalError>>()?;
        let before = others.len();
        others.retain(|it| Some(it.id) != id);
        let is_there = others.len() < before || id == Some(PersonaId::MAIN);
        if id.is_some() && !is_there {
            return Err(JournalError::NoSuchPersona);
        }
        if others.iter().any(|it| it.is_called(&change.persona.name)) {
            return Err(JournalError::SameName);
        }
        if id.is_none() && others.len() >= PERSONAS_PER_SCOPE {
            return Err(JournalError::TooManyPersonas);
        }
        let id = match id {
            Some(id) => id,
            None => next_id(tx, &scope).await?,
        };
        let name = id.to_string();
        let body = serde_json::to_vec(&Body::from(change.persona)).unwrap_or_default();
        let sealed = self.keys().seal(sealed_row(&scope, &name), &body)?;
        sqlx::query(
            "INSERT INTO persona (scope, id, key, body, changed_by, changed_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (scope, id) DO UPDATE SET key = excluded.key, body = excluded.body,
                 changed_by = excluded.changed_by, changed_at = excluded.changed_at",
        )
        .bind(&scope)
        .bind(id.get())
        .bind(sealed.key)
        .bind(sealed.body)
        .bind(change.by.map(|user| signed(user.get())))
        .bind(change.at.as_millis())
        .execute(&mut *tx)
        .await?;
        let before = count_pictures(tx, &scope).await?;
        write_pictures(tx, &scope, id, change).await?;
        let after = count_pictures(tx, &scope).await?;
        // Whoever has more from before keeps them, and may have fewer.
        if after > PICTURES_PER_SCOPE as u64 && after > before {
            return Err(JournalError::TooManyPictures);
        }
        Ok(id)
    }

    async fn delete_persona_rows(&self, scope: Scope, id: PersonaId) -> Result<bool, JournalError> {
        let mut tx = self.write().await?;
        let deleted = sqlx::query("DELETE FROM persona WHERE scope = ?1 AND id = ?2")
            .bind(scope.to_string())
            .bind(id.get())
            .execute(&mut *tx)
            .await?
            .rows_affected();
        sqlx::query("DELETE FROM setting WHERE scope = ?1 AND layer = 'persona' AND target = ?2")
            .bind(scope.to_string())
            .bind(id.get())
            .execute(&mut *tx)
            .await?;
        sqlx::query("DELETE FROM note WHERE scope = ?1 AND persona = ?2")
            .bind(scope.to_string())
            .bind(id.get())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(deleted > 0)
    }

    async fn read_picture(
        &self,
        scope: Scope,
        persona: PersonaId,
        picture: PictureId,
    ) -> Result<Option<Vec<u8>>, JournalError> {
        let body = sqlx::query_scalar(
            "SELECT body FROM persona_picture WHERE scope = ?1 AND persona = ?2 AND id = ?3",
        )
        .bind(scope.to_string())
        .bind(persona.get())
        .bind(picture.to_string())
        .fetch_optional(&self.readers)
        .await?;
        Ok(body)
    }

    async fn read_shown_pictures(&self) -> Result<Vec<PictureId>, JournalError> {
        let names: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM persona_picture
             UNION
             SELECT json_extract(identity, '$.portrait.picture') FROM effect
             WHERE json_extract(identity, '$.portrait.picture') IS NOT NULL",
        )
        .fetch_all(&self.readers)
        .await?;
        let read = |name: &String| {
            PictureId::parse(name).ok_or_else(|| unreadable("picture", name).into())
        };
        names.iter().map(read).collect()
    }

    fn read_row(&self, row: &SqliteRow) -> Result<Persona, JournalError> {
        let id: u32 = row.try_get("id")?;
        let name = id.to_string();
        let body = self.unseal(row, sealed_row(row.try_get("scope")?, &name))?;
        let body: Body =
            serde_json::from_str(&body).map_err(|_| unreadable("body", "no persona"))?;
        body.persona(PersonaId::new(id))
    }
}

/// A number that nothing in the scope goes by.
async fn next_id(tx: &mut SqliteConnection, scope: &str) -> Result<PersonaId, JournalError> {
    let last: u32 = sqlx::query_scalar(
        "SELECT max(ifnull((SELECT max(id) FROM persona WHERE scope = ?1), 0),
                    ifnull((SELECT max(persona) FROM turn WHERE scope = ?1), 0),
                    ifnull((SELECT max(persona) FROM message WHERE scope = ?1), 0))",
    )
    .bind(scope)
    .fetch_one(tx)
    .await?;
    Ok(PersonaId::new(last.saturating_add(1)))
}

/// How many different pictures the personas of a scope have.
async fn count_pictures(tx: &mut SqliteConnection, scope: &str) -> Result<u64, JournalError> {
    let count: i64 =
        sqlx::query_scalar("SELECT count(DISTINCT id) FROM persona_picture WHERE scope = ?1")
            .bind(scope)
            .fetch_one(tx)
            .await?;
    Ok(count.unsigned_abs())
}

/// Keeps the pictures that a persona is shown with, and no others.
async fn write_pictures(
    tx: &mut SqliteConnection,
    scope: &str,
    id: PersonaId,
    change: &PersonaChange<'_>,
) -> Result<(), JournalError> {
    for picture in change.pictures {
        sqlx::query(
            "INSERT INTO persona_picture (scope, persona, id, body) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO NOTHING",
        )
        .bind(scope)
        .bind(id.get())
        .bind(PictureId::of(picture).to_string())
        .bind(picture)
        .execute(&mut *tx)
        .await?;
    }
    let mut wanted: Vec<String> = change.persona.pictures().map(|it| it.to_string()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let listed = serde_json::to_string(&wanted).unwrap_or_default();
    sqlx::query(
        "DELETE FROM persona_picture WHERE scope = ?1 AND persona = ?2
         AND id NOT IN (SELECT value FROM json_each(?3))",
    )
    .bind(scope)
    .bind(id.get())
    .bind(listed)
    .execute(&mut *tx)
    .await?;
    let kept: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM persona_picture WHERE scope = ?1 AND persona = ?2",
    )
    .bind(scope)
    .bind(id.get())
    .fetch_one(&mut *tx)
    .await?;
    match kept.unsigned_abs() == wanted.len() as u64 {
        true => Ok(()),
        false => Err(JournalError::PictureMissing),
    }
}

const fn sealed_row<'a>(scope: &'a str, number: &'a str) -> SealedRow<'a> {
    SealedRow {
        table: "persona",
        scope,
        name: number,
    }
}

/// A persona as it stands in its row. Fields may be added, never changed.
#[derive(Serialize, Deserialize)]
struct Body {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    avatar: Option<String>,
    #[serde(default)]
    personality: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dialogues: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    greetings: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lore: Vec<LoreBody>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    triggers: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    degree: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sprites: Vec<SpriteBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    card: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct LoreBody {
    keys: Vec<String>,
    text: String,
    always: bool,
}

#[derive(Serialize, Deserialize)]
struct SpriteBody {
    name: String,
    picture: String,
    usage: String,
    is_identity: bool,
}

impl From<&Persona> for Body {
    fn from(persona: &Persona) -> Self {
        let lore = persona.lore.iter().map(|entry| LoreBody {
            keys: entry.keys.clone(),
            text: entry.text.clone(),
            always: entry.always,
        });
        let sprites = persona.sprites.iter().map(|sprite| SpriteBody {
            name: sprite.name.clone(),
            picture: sprite.picture.to_string(),
            usage: sprite.usage.clone(),
            is_identity: sprite.is_identity,
        });
        Self {
            name: persona.name.clone(),
            avatar: persona.avatar.map(|it| it.to_string()),
            personality: persona.personality.clone(),
            dialogues: persona.dialogues.clone(),
            greetings: persona.greetings.clone(),
            lore: lore.collect(),
            triggers: persona.triggers.clone(),
            degree: persona.degree,
            model: persona.model.clone(),
            sprites: sprites.collect(),
            card: persona.card.clone(),
        }
    }
}

impl Body {
    fn persona(self, id: PersonaId) -> Result<Persona, JournalError> {
        let picture = |text: &str| {
            PictureId::parse(text).ok_or_else(|| JournalError::from(unreadable("picture", text)))
        };
        let sprites = self.sprites.into_iter().map(|sprite| {
            Ok(Sprite {
                picture: picture(&sprite.picture)?,
                name: sprite.name,
                usage: sprite.usage,
                is_identity: sprite.is_identity,
            })
        });
        let lore = self.lore.into_iter().map(|entry| LoreEntry {
            keys: entry.keys,
            text: entry.text,
            always: entry.always,
        });
        Ok(Persona {
            id,
            name: self.name,
            avatar: self.avatar.as_deref().map(picture).transpose()?,
            personality: self.personality,
            dialogues: self.dialogues,
            greetings: self.greetings,
            lore: lore.collect(),
            triggers: self.triggers,
            degree: self.degree,
            model: self.model,
            sprites: sprites.collect::<Result<_, JournalError>>()?,
            card: self.card,
        })
    }
}
