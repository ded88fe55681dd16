// What somebody may do in a channel, by Discord's rules. Pure.

const ADMINISTRATOR = 1n << 3n;
export const VIEW_CHANNEL = 1n << 10n;
export const SEND_MESSAGES = 1n << 11n;
const ALL = ~0n;

// `roles` is the guild's map of roles, `channel` one with overwrites of its own
// (of a thread, its parent).
export function permissionsIn(guild, roles, member, channel) {
  if (guild.owner_id === member.user?.id) return ALL;
  const held = [guild.id, ...(member.roles ?? [])];
  const base = held.reduce((bits, id) => bits | bitsOf(roles.get(id)?.permissions), 0n);
  if (base & ADMINISTRATOR) return ALL;
  const overwrites = new Map((channel.permission_overwrites ?? []).map((one) => [one.id, one]));
  const own = held.slice(1).map((id) => overwrites.get(id)).filter(Boolean);
  const steps = [[overwrites.get(guild.id)], own, [overwrites.get(member.user?.id)]];
  return steps.reduce(apply, base);
}

function apply(bits, overwrites) {
  const known = overwrites.filter(Boolean);
  const all = (key) => known.reduce((sum, one) => sum | bitsOf(one[key]), 0n);
  return (bits & ~all("deny")) | all("allow");
}

function bitsOf(text) {
  return /^\d{1,20}$/.test(String(text ?? "")) ? BigInt(text) : 0n;
}
