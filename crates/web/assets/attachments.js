// Files that hang on a message: pictures in place, the others to be fetched.

import { h, icon, ownFile, sizeInWords } from "./dom.js";

const WIDTH = 550;
const HEIGHT = 350;
const SHOWN = /^image\/(png|jpeg|gif|webp)$/;

export function attachments({ attachments: files }) {
  const known = (files ?? []).filter(({ url }) => /^https?:/i.test(url ?? ""));
  return known.length > 0 ? h("div", { class: "attachments" }, known.map(attachment)) : null;
}

function attachment(file) {
  const picture = SHOWN.test(file.content_type ?? "") && ownFile(file.url);
  const node = picture ? pictureOf(file) : cardOf(file);
  return /^SPOILER_/.test(file.filename ?? "") ? hidden(node, file.filename) : node;
}

function pictureOf({ url, filename, description, width, height }) {
  const href = ownFile(url);
  // With its size said, the picture does not move the text when it arrives.
  const size = width && height ? fit(width, height) : { class: "unsized" };
  const image = h("img", { src: href, alt: description ?? filename ?? "attachment", title: description, loading: "lazy", ...size });
  return h("a", { href, target: "_blank", rel: "noopener noreferrer", class: "picture" }, image);
}

export function fit(width, height, most = WIDTH) {
  const scale = Math.min(1, most / width, HEIGHT / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

export function cardOf({ url, filename, size, description }) {
  const name = filename ?? "attachment";
  const about = [Number.isFinite(size) ? sizeInWords(size) : null, description].filter(Boolean).join(" · ");
  return h(
    "a",
    { href: ownFile(url) ?? url, target: "_blank", rel: "noopener noreferrer", class: "attachment", dataset: { testid: "file" } },
    icon("file"),
    h("span", { class: "attachment-words" }, h("strong", {}, name), about ? h("span", {}, about) : null),
  );
}

// What its sender marked as a spoiler waits to be asked for.
export function hidden(node, name) {
  const reveal = () => holder.replaceWith(node);
  const holder = h("button", { type: "button", class: "hidden-file", "aria-label": `Spoiler: ${name.replace(/^SPOILER_/, "")}, press to reveal`, dataset: { testid: "spoiler-file" }, on: { click: reveal } }, icon("eye"), "Spoiler");
  return holder;
}
