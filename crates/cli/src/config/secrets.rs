//! Secrets come from the environment, are never printed, and never stand in a
//! file.

use kaiwa_provider::Vendor;
use secrecy::SecretString;

use super::Config;

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
    /// A key for a vendor is missing.
    #[error(
        "no key for {vendor}: set {variable} in the environment, or set key_env in [vendors.{vendor}] to the name of another variable, or to [] if no key is wanted"
    )]
    NoKey {
        /// Who wants it.
        vendor: String,
        /// The variable to set.
        variable: String,
    },
    /// A key for a search engine is missing.
    #[error(
        "no key for {engine}: set {variable} in the environment, or take {engine} out of search.engines"
    )]
    NoSearchKey {
        /// Who wants it.
        engine: &'static str,
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
    /// The bot's token.
    pub fn discord_token(
        &self,
        environment: &impl Fn(&str) -> Option<String>,
    ) -> Result<SecretString, SecretError> {
        let variable = &self.discord.token_env;
        secret(environment, variable)?.ok_or_else(|| SecretError::NoToken {
            variable: variable.clone(),
        })
    }

    /// The key of a search engine.
    pub fn search_key(
        &self,
        engine: &'static str,
        variable: &str,
        environment: &impl Fn(&str) -> Option<String>,
    ) -> Result<SecretString, SecretError> {
        secret(environment, variable)?.ok_or_else(|| SecretError::NoSearchKey {
            engine,
            variable: variable.to_owned(),
        })
    }

    /// The variables that hold a vendor's keys; none if it wants no key.
    pub fn key_variables(&self, vendor: &str) -> Vec<&str> {
        let own = self.vendors.get(vendor);
        match own.and_then(|own| own.settings.key_env.as_ref()) {
            Some(variables) => variables.iter().map(String::as_str).collect(),
            None => Vendor::named(vendor)
                .and_then(|vendor| vendor.key_env)
                .into_iter()
                .collect(),
        }
    }

    /// A vendor's keys, in the order in which they are used.
    pub fn keys(
        &self,
        vendor: &str,
        environment: &impl Fn(&str) -> Option<String>,
    ) -> Result<Vec<SecretString>, SecretError> {
        let variables = self.key_variables(vendor);
        let keys = variables.into_iter().map(|variable| {
            secret(environment, variable)?.ok_or_else(|| SecretError::NoKey {
                vendor: vendor.to_owned(),
                variable: variable.to_owned(),
            })
        });
        keys.collect()
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

    fn lookup(environment: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        |name| {
            let found = environment.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| (*value).to_owned())
        }
    }

    /// What is read, or the sentence that the operator reads.
    fn exposed(
        found: Result<Vec<SecretString>, SecretError>,
        environment: &[(&str, &str)],
    ) -> Result<Vec<String>, String> {
        let told = format!("{found:?}");
        for (_, value) in environment {
            let hidden = value.trim().is_empty() || !told.contains(value);
            assert!(hidden, "a secret was printed: {told}");
        }
        let plain = |key: &SecretString| key.expose_secret().to_owned();
        found
            .map(|keys| keys.iter().map(plain).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_token_comes_from_the_variable_that_the_file_names() {
        fn check(file: &str, environment: &[(&str, &str)], expect: Result<&str, &str>) {
            let config = Config::parse(Path::new("kaiwa.toml"), file).unwrap();
            let token = config.discord_token(&lookup(environment));
            let token = exposed(token.map(|token| vec![token]), environment);
            assert_eq!(
                token.map(|it| it.concat()),
                expect.map(str::to_owned).map_err(str::to_owned)
            );
        }
        check("", &[("DISCORD_TOKEN", "ab.cd")], Ok("ab.cd"));
        check("", &[("DISCORD_TOKEN", " ab.cd\n")], Ok("ab.cd"));
        check(
            "discord.token_env = \"OTHER\"",
            &[("DISCORD_TOKEN", "wrong"), ("OTHER", "right")],
            Ok("right"),
        );
        let no_token = "no bot token: set DISCORD_TOKEN in the environment (create one at the developer portal under Bot)";
        check("", &[], Err(no_token));
        check("", &[("DISCORD_TOKEN", " ")], Err(no_token));
        check(
            "",
            &[("DISCORD_TOKEN", "Bot ab.cd")],
            Err(
                "DISCORD_TOKEN holds a space or a character that no secret has: copy it again, alone and whole",
            ),
        );
    }

    #[test]
    fn keys_come_from_the_vendors_variables_or_those_that_the_file_names() {
        fn check(file: &str, vendor: &str, expect: Result<&[&str], &str>) {
            let environment = [
                ("OPENAI_API_KEY", "sk-1"),
                ("A", "sk-a"),
                ("B", "sk-b"),
                ("BAD", "s k"),
            ];
            let config = Config::parse(Path::new("kaiwa.toml"), file).unwrap();
            let keys = config.keys(vendor, &lookup(&environment));
            let expect = expect.map(|keys| keys.iter().map(|&key| key.to_owned()).collect());
            assert_eq!(exposed(keys, &environment), expect.map_err(str::to_owned));
        }
        check("", "openai", Ok(&["sk-1"]));
        check("", "ollama", Ok(&[]));
        check("vendors.openai.key_env = \"A\"", "openai", Ok(&["sk-a"]));
        check(
            "vendors.openai.key_env = [\"B\", \"A\"]",
            "openai",
            Ok(&["sk-b", "sk-a"]),
        );
        check("vendors.openai.key_env = []", "openai", Ok(&[]));
        check("vendors.mine.base_url = \"http://m\"", "mine", Ok(&[]));
        check(
            "",
            "anthropic",
            Err(
                "no key for anthropic: set ANTHROPIC_API_KEY in the environment, or set key_env in [vendors.anthropic] to the name of another variable, or to [] if no key is wanted",
            ),
        );
        check(
            "vendors.openai.key_env = [\"A\", \"C\"]",
            "openai",
            Err(
                "no key for openai: set C in the environment, or set key_env in [vendors.openai] to the name of another variable, or to [] if no key is wanted",
            ),
        );
        check(
            "vendors.openai.key_env = \"BAD\"",
            "openai",
            Err(
                "BAD holds a space or a character that no secret has: copy it again, alone and whole",
            ),
        );
    }
}
