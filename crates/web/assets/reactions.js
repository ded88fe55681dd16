// Reactions of a message after each of Discord's events about them. Pure.

// After one more (`step` 1) or one less (-1) of `emoji`.
export function withReaction(reactions, emoji, mine, step) {
  const known = reactions.find((one) => same(one.emoji, emoji));
  if (!known) return step > 0 ? [...reactions, { emoji, count: 1, me: mine }] : reactions;
  const next = { ...known, count: known.count + step, me: mine ? step > 0 : known.me };
  return reactions.map((one) => (one === known ? next : one)).filter(({ count }) => count > 0);
}

// Without any of `emoji`.
export function withoutEmoji(reactions, emoji) {
  return reactions.filter((one) => !same(one.emoji, emoji));
}

function same(one, other) {
  return one.id || other.id ? one.id === other.id : one.name === other.name;
}
