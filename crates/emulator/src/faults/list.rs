//! Which faults there are, and ending one of them.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::{Faults, Left, RequestFault, RestFault};

/// A fault that is not over yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultStatus {
    /// What [`Faults::end`] takes.
    pub id: String,
    /// Whom and what it meets, as it was asked for.
    pub fault: Value,
}

impl Faults {
    /// Every fault that is not over, in the order they were asked for, those
    /// of the gateway last.
    #[must_use]
    pub fn list(&self) -> Vec<FaultStatus> {
        let mut all = self.rest_faults();
        let state = self.emulator.state();
        let mut seen = Vec::new();
        for connected in state.connections.values() {
            let Some(person) = connected.person else {
                continue;
            };
            let disturbed = [
                ("deafen_gateway", connected.deaf),
                ("stall_gateway", connected.stalled),
            ];
            for (name, on) in disturbed {
                if on && !seen.contains(&(person, name)) {
                    seen.push((person, name));
                }
            }
        }
        seen.sort_unstable();
        for (person, name) in seen {
            all.push(gateway_fault(name, person, &json!({ "user_id": person })));
        }
        for (person, trouble) in state.sessions.troubles() {
            let ms = u64::try_from(trouble.delay.as_millis()).unwrap_or(u64::MAX);
            let kinds = [
                ("duplicate_events", "times", u64::from(trouble.duplicate)),
                ("reorder_events", "times", u64::from(trouble.reorder)),
                ("delay_events", "ms", ms),
            ];
            for (name, key, value) in kinds {
                if value > 0 {
                    let details = json!({ "user_id": person, key: value });
                    all.push(gateway_fault(name, person, &details));
                }
            }
        }
        all
    }

    fn rest_faults(&self) -> Vec<FaultStatus> {
        let now = self.emulator.clock().moment();
        let mut plans = self.plans();
        plans.rules.retain(|rule| !rule.is_over(now));
        let mut all: Vec<_> = plans
            .rules
            .iter()
            .map(|rule| {
                let requests = &rule.requests;
                let mut about = json!({
                    "path": requests.path_part,
                    "fault": described(&rule.fault),
                });
                if let Some(method) = &requests.method {
                    about["method"] = json!(method.as_str());
                }
                if let Some(user) = &requests.user_id {
                    about["user_id"] = json!(user);
                }
                if requests.skip > 0 {
                    about["skip"] = json!(requests.skip);
                }
                match rule.left {
                    Left::Times(times) => about["times"] = json!(times),
                    Left::Until(None) => {}
                    Left::Until(Some(end)) => {
                        about["for_ms"] = millis(end.saturating_duration_since(now));
                    }
                }
                FaultStatus {
                    id: rule.id.to_string(),
                    fault: json!({ "rest": about }),
                }
            })
            .collect();
        if plans.refused_resumes > 0 {
            let name = match plans.resumable_later {
                true => "postpone_resumes",
                false => "refuse_resumes",
            };
            all.push(FaultStatus {
                id: name.to_owned(),
                fault: json!({ name: plans.refused_resumes }),
            });
        }
        all
    }

    /// Ends one fault of the [list](Self::list). Says whether it was there.
    pub fn end(&self, id: &str) -> bool {
        match id.split_once(':') {
            Some(("deafen_gateway", user)) => self.undeafen_gateway(user) > 0,
            Some(("stall_gateway", user)) => self.unstall_gateway(user) > 0,
            Some((name, user)) => {
                let there = self.list().iter().any(|fault| fault.id == id);
                match name {
                    "duplicate_events" => self.duplicate_events(user, 0),
                    "reorder_events" => self.reorder_events(user, 0),
                    "delay_events" => self.delay_events(user, Duration::ZERO),
                    _ => 0,
                };
                there
            }
            None if matches!(id, "refuse_resumes" | "postpone_resumes") => {
                let mut plans = self.plans();
                std::mem::take(&mut plans.refused_resumes) > 0
            }
            None => {
                let mut plans = self.plans();
                let before = plans.rules.len();
                plans.rules.retain(|rule| {
                    rule.id.to_string() != id || matches!(rule.fault, RequestFault::Hold(_))
                });
                plans.rules.len() < before
            }
        }
    }
}

fn gateway_fault(name: &str, person: impl std::fmt::Display, details: &Value) -> FaultStatus {
    FaultStatus {
        id: format!("{name}:{person}"),
        fault: json!({ name: details }),
    }
}

fn millis(span: Duration) -> Value {
    json!(u64::try_from(span.as_millis()).unwrap_or(u64::MAX))
}

fn described(fault: &RequestFault) -> Value {
    match fault {
        RequestFault::Hold(_) => json!("hold"),
        RequestFault::Rest(RestFault::ResetBefore) => json!("reset_before"),
        RequestFault::Rest(RestFault::ResetAfter) => json!("reset_after"),
        RequestFault::Rest(RestFault::Fail { status, body }) => {
            json!({ "fail": { "status": status.as_u16(), "body": body } })
        }
        RequestFault::Rest(RestFault::Limit {
            retry_after,
            global,
        }) => {
            json!({ "limit": { "retry_after": retry_after.as_secs_f64(), "global": global } })
        }
        RequestFault::Rest(RestFault::SharedLimit { retry_after }) => {
            json!({ "limit": { "retry_after": retry_after.as_secs_f64(), "shared": true } })
        }
        RequestFault::Rest(RestFault::First(first)) => json!({ "first": {
            "user_id": first.user_id,
            "method": first.method.as_str(),
            "path": first.path,
            "body": first.body,
        } }),
    }
}
