//! Secrets come from the environment, are never printed, and never stand in a
//! file.

use secrecy::SecretString;

use super::Config;

/// What nobody but us may know.
#[derive(Debug)]
pub struct Secrets {
    /// The bot's token.
    pub discord_token: SecretString,
    /// The key for the model's server, if one is configured.
    pub provider_key: Option<SecretString>,
}

/// Why there are no secrets. Says which variable, never what was in it.
#[derive(PartialEq, Eq, Debug, thiserror::Error)]
pub enum SecretError {
    /// The bot has no token.
    #[error(
        "no bot token: set {variable} in the environment (create one at the developer portal under Bot)"
    )]
    NoToken {
        /// The variable to set.
        variable: String,
    },
    /// The key for the model's server is missing.
    #[error(
        "no key for the model: set {variable} in the environment, or remove provider.key_env if the server wants none"
    )]
    NoKey {
        /// The variable to set.
        variable: String,
    },
    /// What the variable holds cannot be a secret.
    #[error(
        "{variable} holds a space or a character that no secret has: copy it again, alone and whole"
    )]
    Malformed {
        /// The variable to set.
        variable: String,
    },
}

impl Config {
    /// Both secrets, as `run` needs them.
    pub fn secrets(
        &self,
        environment: &impl Fn(&str) -> Option<String>,
    ) -> Result<Secrets, SecretError> {
        let variable = &self.discord.token_env;
        Ok(Secrets {
            discord_token: secret(environment, variable)?.ok_or_else(|| SecretError::NoToken {
                variable: variable.clone(),
            })?,
            provider_key: self.provider_key(environment)?,
        })
    }

    /// The key for the model's server alone, for use without Discord.
    pub fn provider_key(
        &self,
        environment: &impl Fn(&str) -> Option<String>,
    ) -> Result<Option<SecretString>, SecretError> {
        let named = self.provider.as_ref().and_then(|it| it.key_env.as_ref());
        let Some(variable) = named else {
            return Ok(None);
        };
        match secret(environment, variable)? {
            Some(key) => Ok(Some(key)),
            None => Err(SecretError::NoKey {
                variable: variable.clone(),
            }),
        }
    }
}

/// The process's own environment. A value that is not UTF-8 is not there.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the one place that reads it"
)]
pub fn environment(variable: &str) -> Option<String> {
    std::env::var(variable).ok()
}

fn secret(
    environment: &impl Fn(&str) -> Option<String>,
    variable: &str,
) -> Result<Option<SecretString>, SecretError> {
    let value = environment(variable).unwrap_or_default();
    match value.trim() {
        "" => Ok(None),
        // What an HTTP header can carry.
        value if value.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Ok(Some(SecretString::from(value)))
        }
        _ => Err(SecretError::Malformed {
            variable: variable.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use secrecy::ExposeSecret;

    use super::*;

    const WITH_KEY: &str = "[provider]\nbase_url = \"http://m\"\nmodel = \"m\"\nkey_env = \"KEY\"";

    /// The token and the key that `file` and the environment give, or the
    /// sentence that the operator reads.
    fn check(
        file: &str,
        environment: &[(&str, &str)],
        expected: Result<(&str, Option<&str>), &str>,
    ) {
        let config = Config::parse(Path::new("kaiwa.toml"), file).unwrap();
        let lookup = |name: &str| {
            let found = environment.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let secrets = config.secrets(&lookup);
        let told = format!("{secrets:?}");
        for (_, value) in environment {
            let hidden = value.trim().is_empty() || !told.contains(value);
            assert!(hidden, "a secret was printed: {told}");
        }
        let plain = secrets
            .as_ref()
            .map(|secrets| {
                let key = secrets.provider_key.as_ref();
                let token = secrets.discord_token.expose_secret();
                (token, key.map(ExposeSecret::expose_secret))
            })
            .map_err(ToString::to_string);
        assert_eq!(plain, expected.map_err(str::to_owned));
    }

    #[test]
    fn secrets_come_from_the_variables_that_the_file_names() {
        check("", &[("DISCORD_TOKEN", "ab.cd")], Ok(("ab.cd", None)));
        check("", &[("DISCORD_TOKEN", " ab.cd\n")], Ok(("ab.cd", None)));
        check(
            "discord.token_env = \"OTHER\"",
            &[("DISCORD_TOKEN", "wrong"), ("OTHER", "right")],
            Ok(("right", None)),
        );
        let both = [("DISCORD_TOKEN", "ab.cd"), ("KEY", "sk-1")];
        check(WITH_KEY, &both, Ok(("ab.cd", Some("sk-1"))));
        check("", &both, Ok(("ab.cd", None)));
    }

    #[test]
    fn a_missing_secret_is_asked_for() {
        let no_token = "no bot token: set DISCORD_TOKEN in the environment (create one at the developer portal under Bot)";
        check("", &[], Err(no_token));
        check("", &[("DISCORD_TOKEN", " ")], Err(no_token));
        check(
            WITH_KEY,
            &[("DISCORD_TOKEN", "ab.cd")],
            Err(
                "no key for the model: set KEY in the environment, or remove provider.key_env if the server wants none",
            ),
        );
        check(
            "",
            &[("DISCORD_TOKEN", "Bot ab.cd")],
            Err(
                "DISCORD_TOKEN holds a space or a character that no secret has: copy it again, alone and whole",
            ),
        );
    }
}
