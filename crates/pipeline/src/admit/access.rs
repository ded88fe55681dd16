//! Who may be answered, and where: lists of ids, never of names.

use kaiwa_domain::{Author, ChannelId};

use super::Gate;

/// Whether the lists of this place let somebody through in a channel.
pub(super) fn allows(gate: &Gate<'_>, author: &Author, channel: ChannelId) -> bool {
    let rules = gate.rules;
    let user = author.id.get();
    let roles = || author.roles.iter().map(|role| role.get());
    if rules.users_denied.contains(&user)
        || roles().any(|role| rules.roles_denied.contains(&role))
        || among(gate, channel, &rules.channels_denied)
    {
        return false;
    }
    let people = &rules.users_allowed;
    let of_roles = &rules.roles_allowed;
    let may = match (people.is_empty(), of_roles.is_empty()) {
        (true, true) => true,
        _ => people.contains(&user) || roles().any(|role| of_roles.contains(&role)),
    };
    may && (rules.channels_allowed.is_empty() || among(gate, channel, &rules.channels_allowed))
}

/// Whether a channel, or the one its thread belongs to, is in a list.
fn among(gate: &Gate<'_>, channel: ChannelId, list: &[u64]) -> bool {
    let parent = gate.channel.and_then(|channel| channel.parent);
    !list.is_empty()
        && (list.contains(&channel.get())
            || parent.is_some_and(|parent| list.contains(&parent.get())))
}
