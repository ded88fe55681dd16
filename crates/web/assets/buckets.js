// Rate-limit buckets and what is left of each.

import { h } from "./dom.js";

const REFRESH_MS = 500;

export function bucketsTab({ session, world }) {
  const rows = h("tbody", {});
  const hint = h("p", { class: "surface-hint" }, "Every allowance is whole: nobody has asked anything in the last seconds.");
  const table = h(
    "table",
    { class: "buckets", dataset: { testid: "buckets" } },
    h("thead", {}, h("tr", {}, ["Who", "Bucket", "Of", "Left", "", "Whole again in"].map((name) => h("th", { scope: "col" }, name)))),
    rows,
  );
  const node = h("div", {}, hint, table);
  let ticking = 0;

  const who = (id) => [...(world()?.bots ?? []), ...(world()?.users ?? [])].find((one) => one.id === id)?.name ?? id;
  const row = ({ user_id: user, bucket, resource_id: resource, limit, remaining, reset_after: reset }) => {
    const channel = resource ? session()?.directory.channel(resource) : null;
    const about = resource ? (channel?.name ? `#${channel.name}` : resource) : "";
    return h(
      "tr",
      { class: remaining === 0 ? "empty" : "", dataset: { testid: "bucket" } },
      h("td", {}, who(user)),
      h("td", {}, h("code", {}, bucket)),
      h("td", {}, about),
      h("td", {}, `${remaining} of ${limit}`),
      h("td", {}, h("meter", { class: "bucket-meter", min: "0", max: limit, value: remaining, "aria-label": `${remaining} of ${limit} left` })),
      h("td", {}, `${Number(reset).toFixed(1)} s`),
    );
  };
  const refresh = async () => {
    const answer = await fetch("/emulator/buckets").then((response) => (response.ok ? response.json() : null)).catch(() => null);
    if (answer === null) return clearInterval(ticking);
    hint.hidden = answer.buckets.length > 0;
    table.hidden = answer.buckets.length === 0;
    rows.replaceChildren(...answer.buckets.map(row));
  };
  const show = () => {
    refresh();
    ticking = setInterval(refresh, REFRESH_MS);
  };
  return { node, show, hide: () => clearInterval(ticking) };
}
