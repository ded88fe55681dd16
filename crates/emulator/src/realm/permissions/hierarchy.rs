//! Who stands above whom: roles are ordered, the owner is above all.

use std::cmp::Reverse;

use crate::{
    realm::{Guild, Role},
    snowflake::Snowflake,
};

/// A place in the order of roles. Of two roles at one position, the older one
/// is higher.
type RoleRank = (usize, Reverse<Snowflake>);

fn rank(role: &Role) -> RoleRank {
    (role.position, Reverse(role.id))
}

/// The highest role of a member; `None` when they have none but `@everyone`.
fn highest(guild: &Guild, person: Snowflake) -> Option<RoleRank> {
    let held = &guild.member(person)?.roles;
    let theirs = guild.roles.iter().filter(|role| held.contains(&role.id));
    theirs.map(rank).max()
}

/// Whether a member may act on another one: kick, ban, rename, time out.
pub(crate) fn outranks(guild: &Guild, actor: Snowflake, target: Snowflake) -> bool {
    if target == guild.owner {
        return false;
    }
    actor == guild.owner || highest(guild, actor) > highest(guild, target)
}

/// Whether a member may change, give or take a role.
pub(crate) fn stands_above(guild: &Guild, actor: Snowflake, role: &Role) -> bool {
    if actor == guild.owner {
        return true;
    }
    let own = highest(guild, actor);
    // Everybody stands above `@everyone`.
    role.id == guild.id || own.is_some_and(|own| own > rank(role))
}
