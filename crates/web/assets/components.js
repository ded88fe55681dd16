// Components of a message: buttons, selects, and the boxes of version two.

import { cardOf, fit, hidden } from "./attachments.js";
import { resolve } from "./embeds.js";
import { emojiNode, h, icon } from "./dom.js";
import { hexColor, notifiedBy, renderMarkdown } from "./markdown.js";
import { safeUrl } from "./markdown-spans.js";
import { selectElement } from "./selects.js";

const ROW = 1;
const BUTTON = 2;
const SELECTS = new Set([3, 5, 6, 7, 8]);
const SECTION = 9;
const TEXT = 10;
const THUMBNAIL = 11;
const GALLERY = 12;
const FILE = 13;
const SEPARATOR = 14;
const CONTAINER = 17;
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link", 6: "premium" };
const LINK = 5;
const COMPONENTS_V2 = 1 << 15;
const DEEPEST = 6;

// Whether components stand in place of a message's text.
export function isBuiltOfComponents({ flags }) {
  return ((flags ?? 0) & COMPONENTS_V2) !== 0;
}

// `onComponent(message, component, values)` gives a promise of its end.
export function components(message, { directory, onComponent }) {
  const parts = message.components ?? [];
  if (parts.length === 0) return null;
  const failure = h("div", { class: "component-failure", role: "status", dataset: { testid: "interaction-failed" }, hidden: true });
  const use = async (component, values, node) => {
    failure.hidden = true;
    node.classList.add("busy");
    node.setAttribute("aria-busy", "true");
    try {
      await onComponent(message, component, values);
    } catch (error) {
      failure.textContent = `This interaction failed. ${error.message}`;
      failure.hidden = false;
    }
    node.classList.remove("busy");
    node.removeAttribute("aria-busy");
  };
  const look = { message, directory, use };
  return h("div", { class: "components", dataset: { testid: "components" } }, parts.map((part) => component(part, look, 0)), failure);
}

function component(part, look, depth) {
  const inner = (list) => (depth < DEEPEST ? (list ?? []).map((one) => component(one, look, depth + 1)) : []);
  if (SELECTS.has(part.type)) return select(part, look);
  switch (part.type) {
    case ROW: return h("div", { class: "component-row" }, inner(part.components));
    case BUTTON: return button(part, look);
    case SECTION: return h("div", { class: "component-section" }, h("div", { class: "component-words" }, inner(part.components)), part.accessory ? inner([part.accessory]) : null);
    case TEXT: return h("div", { class: "component-text message-body", dataset: { testid: "text-display" } }, renderMarkdown(part.content ?? "", look.directory, notifiedBy(look.message)));
    case THUMBNAIL: return media(part, look, "component-thumbnail", 90);
    case GALLERY: return h("div", { class: "component-gallery", dataset: { testid: "gallery" } }, (part.items ?? []).map((item) => media(item, look, "picture", 260)));
    case FILE: return file(part, look);
    case SEPARATOR: return h("div", { class: `component-separator ${part.divider === false ? "" : "divider"} ${part.spacing === 2 ? "large" : ""}`, role: "separator" });
    case CONTAINER: return container(part, inner);
    default: return null;
  }
}

function container({ accent_color: color, spoiler, components: parts }, inner) {
  const node = h("div", { class: "component-container", dataset: { testid: "container" } }, inner(parts));
  if (Number.isInteger(color)) node.style.borderLeftColor = hexColor(color);
  return spoiler ? hidden(node, "a part of the message") : node;
}

function button(part, { directory, use }) {
  const { style, label, emoji, disabled, url } = part;
  const words = [emoji ? emojiNode(emoji, directory) : null, label ? h("span", {}, label) : null];
  const named = { class: `component-button style-${STYLES[style] ?? "secondary"}`, "aria-label": label ?? emoji?.name ?? "Button", dataset: { testid: "component-button", custom: part.custom_id ?? "" } };
  const href = style === LINK && url ? safeUrl(url) : null;
  if (href) return h("a", { ...named, href, target: "_blank", rel: "noopener noreferrer nofollow" }, words, icon("link"));
  const press = () => node.classList.contains("busy") || use(part, undefined, node);
  const node = h("button", { type: "button", ...named, disabled: Boolean(disabled) || style === LINK, on: { click: press } }, words);
  return node;
}

function select(part, { directory, message, use }) {
  const node = selectElement(part, {
    directory,
    resolved: message.resolved,
    onChoose: (values) => use(part, values, node),
  });
  return node;
}

function media(item, { message }, look, most) {
  const { url, width, height } = item.media ?? {};
  const src = resolve(url, message);
  const name = item.description ?? "picture";
  const href = src ?? (url ? safeUrl(url) : null);
  if (!href) return h("span", { class: "elsewhere" }, icon("file"), name);
  if (!src) return h("a", { class: "elsewhere", href, target: "_blank", rel: "noopener noreferrer nofollow", dataset: { testid: "elsewhere" } }, icon("link"), `${name} at ${new URL(href).host}`);
  const size = width && height ? fit(width, height, most) : { class: "unsized" };
  const node = h("a", { href, target: "_blank", rel: "noopener noreferrer", class: look }, h("img", { src, alt: name, loading: "lazy", ...size }));
  return item.spoiler ? hidden(node, name) : node;
}

function file(part, { message }) {
  const src = resolve(part.file?.url, message);
  const name = part.name ?? part.file?.url?.split("/").at(-1)?.split("?")[0] ?? "file";
  const node = src ? cardOf({ url: src, filename: name, size: part.size ?? undefined }) : h("span", { class: "attachment" }, icon("file"), name);
  return part.spoiler ? hidden(node, name) : node;
}
