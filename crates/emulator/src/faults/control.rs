//! `POST /emulator/faults`: faults for clients in other processes.
//!
//! The body is one of
//!
//! ```json
//! { "cut_gateway": { "user_id": "…", "how": "abrupt" } }
//! { "cut_gateway": { "user_id": "…", "how": "reconnect" } }
//! { "cut_gateway": { "user_id": "…", "how": 4000 } }
//! { "refuse_resumes": 1 }
//! ```
//!
//! and the answer is `{ "cut": N }`, the number of connections that it met.

use axum::{Json, extract::State};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Cut;
use crate::Emulator;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ask {
    CutGateway(CutGateway),
    RefuseResumes(u32),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CutGateway {
    user_id: String,
    how: How,
}

#[derive(Deserialize)]
#[serde(try_from = "Value")]
struct How(Cut);

impl TryFrom<Value> for How {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let code = value.as_u64().and_then(|code| u16::try_from(code).ok());
        match (value.as_str(), code) {
            (Some("abrupt"), _) => Ok(Self(Cut::Abrupt)),
            (Some("reconnect"), _) => Ok(Self(Cut::Reconnect)),
            (_, Some(code @ (1000 | 1001 | 4000..=4999))) => Ok(Self(Cut::Close(code))),
            _ => Err("how is \"abrupt\", \"reconnect\" or a close code: 1000, 1001, 4000 to 4999"),
        }
    }
}

pub(crate) async fn ask(State(emulator): State<Emulator>, Json(ask): Json<Ask>) -> Json<Value> {
    let faults = emulator.faults();
    let cut = match ask {
        Ask::CutGateway(CutGateway { user_id, how }) => faults.cut_gateway(&user_id, how.0),
        Ask::RefuseResumes(times) => {
            faults.refuse_resumes(times);
            0
        }
    };
    Json(json!({ "cut": cut }))
}
