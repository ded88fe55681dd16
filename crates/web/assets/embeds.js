// Embeds: boxes with a title, words, fields and pictures.

import { h, icon, ownFile } from "./dom.js";
import { fit } from "./attachments.js";
import { hexColor, renderLine, renderMarkdown } from "./markdown.js";
import { safeUrl } from "./markdown-spans.js";

const THUMBNAIL = 80;
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function embedded(embed, message, directory) {
  if (embed.type === "auto_moderation_message") return moderated(embed, directory);
  const { title, url, description, fields, footer, color, author, provider, image, thumbnail, video, timestamp } = embed;
  const small = thumbnail && !isLarge(embed) ? picture(thumbnail, message, THUMBNAIL) : null;
  const large = [image, isLarge(embed) ? thumbnail : null].map((one) => one && picture(one, message)).filter(Boolean);
  const node = h(
    "div",
    { class: "embed", dataset: { testid: "embed" } },
    h(
      "div",
      { class: "embed-main" },
      h(
        "div",
        { class: "embed-words" },
        provider?.name ? h("div", { class: "embed-provider" }, linked(provider.url, provider.name)) : null,
        author?.name ? h("div", { class: "embed-author" }, badge(author.icon_url, message), linked(author.url, author.name)) : null,
        title ? h("div", { class: "embed-title" }, linked(url, renderLine(title, directory))) : null,
        description ? h("div", { class: "embed-text message-body" }, renderMarkdown(description, directory)) : null,
        fields?.length > 0 ? h("div", { class: "embed-fields" }, fields.map((field) => fieldOf(field, directory))) : null,
      ),
      small,
    ),
    large,
    video?.url ? elsewhere(video.url, "Video") : null,
    foot(footer, timestamp, message),
  );
  if (Number.isInteger(color)) node.style.borderLeftColor = hexColor(color);
  return node;
}

// What a rule of the guild found, for those who look after it.
function moderated({ description, fields = [] }, directory) {
  const told = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const outcome = told.flagged_message_id ? "Auto moderation flagged a message" : "Auto moderation blocked a message";
  const found = [told.rule_name && `Rule: ${told.rule_name}`, told.keyword && `Keyword: ${told.keyword}`].filter(Boolean);
  return h(
    "div",
    { class: "embed", dataset: { testid: "moderated" } },
    h("div", { class: "embed-title" }, outcome, told.channel_id ? " in " : null, told.channel_id ? renderLine(`<#${told.channel_id}>`, directory) : null),
    h("div", { class: "embed-text message-body" }, renderMarkdown(description ?? "", directory)),
    h("div", { class: "embed-foot" }, h("span", {}, found.join(" • "))),
  );
}

function isLarge({ type }) {
  return type === "image" || type === "gifv";
}

function fieldOf({ name, value, inline }, directory) {
  return h(
    "div",
    { class: `embed-field ${inline ? "inline" : ""}`, dataset: { testid: "embed-field" } },
    h("strong", {}, renderLine(name ?? "", directory)),
    h("div", { class: "embed-text message-body" }, renderMarkdown(value ?? "", directory)),
  );
}

function foot(footer, timestamp, message) {
  const date = timestamp ? new Date(timestamp) : null;
  const when = date && !Number.isNaN(date.getTime()) ? h("time", { datetime: date.toISOString() }, calendar.format(date)) : null;
  if (!footer?.text && !when) return null;
  const dot = footer?.text && when ? " • " : null;
  return h("div", { class: "embed-foot" }, badge(footer?.icon_url, message), h("span", {}, footer?.text ?? null, dot, when));
}

function linked(url, words) {
  const href = url ? safeUrl(url) : null;
  return href ? h("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, words) : h("span", {}, words);
}

function badge(url, message) {
  const src = resolve(url, message);
  return src ? h("img", { class: "embed-icon", src, alt: "", width: "20", height: "20" }) : null;
}

// A picture of our own; one that lies elsewhere is not fetched, only named.
export function picture({ url, width, height, description }, message, most) {
  const src = resolve(url, message);
  if (!src) return elsewhere(url, "Picture");
  const size = width && height ? fit(width, height, most) : { class: "unsized" };
  return h("a", { href: src, target: "_blank", rel: "noopener noreferrer", class: most ? "embed-thumbnail" : "picture" }, h("img", { src, alt: description ?? "", loading: "lazy", ...size }));
}

function elsewhere(url, what) {
  const href = url ? safeUrl(url) : null;
  if (!href) return null;
  return h("a", { class: "elsewhere", href, target: "_blank", rel: "noopener noreferrer nofollow", title: href, dataset: { testid: "elsewhere" } }, icon("link"), `${what} at ${new URL(href).host}`);
}

// Where a picture is found here: on our CDN, or among the message's files.
export function resolve(url, message) {
  if (!url) return null;
  const name = /^attachment:\/\/(.+)$/.exec(url)?.[1];
  if (name === undefined) return ownFile(url);
  const file = (message.attachments ?? []).find(({ filename }) => filename === name);
  return file ? ownFile(file.url) : null;
}
