// Discord's inline markdown as a tree. Pure; one pass; linear on any input.
//
// A span is a string or { type, … }: `strong`, `em`, `underline`, `strike`,
// `spoiler` and `link` hold `children`; the others are leaves.

const MAX_DEPTH = 24;
const MAX_BACKTICKS = 8;
const WORD = /[\p{L}\p{N}_]/u;

const MARKS = {
  "*": { 1: "em", 2: "strong" },
  _: { 1: "em", 2: "underline" },
  "~": { 2: "strike" },
  "|": { 2: "spoiler" },
};

const TAGS = [
  { pattern: /<@!?(\d{1,20})>/y, make: ([, id]) => ({ type: "user", id }) },
  { pattern: /<@&(\d{1,20})>/y, make: ([, id]) => ({ type: "role", id }) },
  { pattern: /<#(\d{1,20})>/y, make: ([, id]) => ({ type: "channel", id }) },
  { pattern: /<a?:(\w{1,32}):(\d{1,20})>/y, make: ([, name, id]) => ({ type: "emoji", name, id }) },
  { pattern: /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, make: ([, seconds, style]) => ({ type: "time", seconds: Number(seconds), style: style ?? "f" }) },
  { pattern: /<\/([^<>:\n]{1,100}):(\d{1,20})>/y, make: ([, name, id]) => ({ type: "command", name, id }) },
  { pattern: /<(https?:\/\/[^\s<>]+)>/iy, make: ([, url]) => link(url, [url]) },
];
const BARE_URL = /https?:\/\/[^\s<]+/iy;
const CROWD = /@(?:everyone|here)(?!\w)/y;
const ESCAPABLE = /[!-/:-@[-`{-~]/;

export function parseSpans(text) {
  return new Scanner(text, true).run();
}

// `url` when it is safe to follow, else `null`.
export function safeUrl(url) {
  try {
    const { protocol, href } = new URL(url);
    return protocol === "http:" || protocol === "https:" ? href : null;
  } catch {
    return null;
  }
}

function link(url, children) {
  const href = safeUrl(url);
  return href ? { type: "link", href, children } : null;
}

class Scanner {
  #text;
  #at = 0;
  #plain = 0;
  #links;
  // Open marks, outermost first. Each collects what follows it.
  #stack = [{ mark: "", type: null, children: [] }];
  #unclosedBackticks = new Set();
  #masked = null;

  constructor(text, links) {
    this.#text = text;
    this.#links = links;
  }

  run() {
    while (this.#at < this.#text.length) {
      if (!this.#special()) this.#at += 1;
    }
    this.#flush(this.#at);
    while (this.#stack.length > 1) this.#abandon();
    return this.#stack[0].children;
  }

  // Reads the construct at the cursor, or says that there is none.
  #special() {
    const char = this.#text[this.#at];
    switch (char) {
      case "\\": return this.#escape();
      case "`": return this.#code();
      case "*":
      case "_":
      case "~":
      case "|": return this.#marks(char);
      case "<": return this.#tag();
      case "[": return this.#maskedLink();
      case "@": return this.#crowd();
      case "h":
      case "H": return this.#url();
      default: return false;
    }
  }

  #flush(end) {
    if (end > this.#plain) this.#append(this.#text.slice(this.#plain, end));
  }

  #append(span) {
    const { children } = this.#stack.at(-1);
    if (typeof span === "string" && typeof children.at(-1) === "string") children.push(children.pop() + span);
    else children.push(span);
  }

  // Puts a finished span in place of the text up to `end`.
  #take(span, end) {
    this.#flush(this.#at);
    this.#append(span);
    this.#at = end;
    this.#plain = end;
    return true;
  }

  #escape() {
    const next = this.#text[this.#at + 1];
    return next !== undefined && ESCAPABLE.test(next) ? this.#take(next, this.#at + 2) : false;
  }

  #code() {
    const open = this.#runLength("`", this.#at);
    const start = this.#at + open;
    const end = open <= MAX_BACKTICKS ? this.#closingBackticks(open, start) : -1;
    if (end < 0) return this.#take("`".repeat(open), start);
    const inner = this.#text.slice(start, end);
    const text = inner.startsWith(" `") || inner.endsWith("` ") ? inner.trim() : inner;
    return this.#take({ type: "code", text }, end + open);
  }

  #closingBackticks(length, from) {
    if (this.#unclosedBackticks.has(length)) return -1;
    for (let at = this.#text.indexOf("`", from); at >= 0; at = this.#text.indexOf("`", at)) {
      const run = this.#runLength("`", at);
      if (run === length && at > from) return at;
      at += run;
    }
    this.#unclosedBackticks.add(length);
    return -1;
  }

  #runLength(char, from) {
    let end = from;
    while (this.#text[end] === char) end += 1;
    return end - from;
  }

  #marks(char) {
    const start = this.#at;
    const length = this.#runLength(char, start);
    const before = this.#text[start - 1] ?? " ";
    const after = this.#text[start + length] ?? " ";
    this.#flush(start);
    let left = length;
    for (let closed = this.#close(char, left, before, after); closed > 0; closed = this.#close(char, left, before, after)) left -= closed;
    for (let opened = this.#open(char, left, before, after); opened > 0; opened = this.#open(char, left, before, after)) left -= opened;
    if (left > 0) this.#append(char.repeat(left));
    this.#at = start + length;
    this.#plain = this.#at;
    return true;
  }

  // Closes the innermost open mark of this kind that fits; anything opened
  // inside it was text after all.
  #close(char, left, before, after) {
    for (let depth = this.#stack.length - 1; depth > 0; depth -= 1) {
      const { mark, type, children } = this.#stack[depth];
      if (mark[0] !== char || mark.length > left) continue;
      if (mark.length === 1 && /\s/.test(before)) continue;
      if (mark === "_" && WORD.test(after)) continue;
      if (depth === this.#stack.length - 1 && children.length === 0) continue;
      while (this.#stack.length - 1 > depth) this.#abandon();
      const span = { type, children: this.#stack.pop().children };
      this.#append(span);
      return mark.length;
    }
    return 0;
  }

  #open(char, left, before, after) {
    if (this.#stack.length > MAX_DEPTH) return 0;
    const kinds = MARKS[char];
    if (left >= 2 && kinds[2]) return this.#push(char.repeat(2), kinds[2]);
    if (left !== 1 || !kinds[1] || /\s/.test(after)) return 0;
    if (char === "_" && WORD.test(before)) return 0;
    return this.#push(char, kinds[1]);
  }

  #push(mark, type) {
    this.#stack.push({ mark, type, children: [] });
    return mark.length;
  }

  #abandon() {
    const { mark, children } = this.#stack.pop();
    this.#append(mark);
    for (const child of children) this.#append(child);
  }

  #tag() {
    for (const { pattern, make } of TAGS) {
      pattern.lastIndex = this.#at;
      const match = pattern.exec(this.#text);
      const span = match && make(match);
      if (span) return this.#take(span, pattern.lastIndex);
    }
    return false;
  }

  #crowd() {
    CROWD.lastIndex = this.#at;
    const match = CROWD.exec(this.#text);
    return match ? this.#take({ type: "crowd", text: match[0] }, CROWD.lastIndex) : false;
  }

  #url() {
    BARE_URL.lastIndex = this.#at;
    const match = this.#links && BARE_URL.exec(this.#text);
    if (!match || WORD.test(this.#text[this.#at - 1] ?? " ")) return false;
    const url = trimUrl(match[0]);
    return this.#take(link(url, [url]) ?? url, this.#at + url.length);
  }

  // `[label](url)`. What stands before and after a `](` is read once, however
  // many brackets open in front of it.
  #maskedLink() {
    if (!this.#links) return false;
    if (this.#masked === null || (this.#masked.close >= 0 && this.#masked.close < this.#at)) this.#masked = this.#findMasked();
    const { close, open, url, end } = this.#masked;
    if (close < 0 || open !== this.#at || !url) return false;
    const label = this.#text.slice(open + 1, close);
    if (label.trim() === "" || /https?:\/\//i.test(label)) return false;
    const span = link(url, new Scanner(label, false).run());
    return span ? this.#take(span, end) : false;
  }

  #findMasked() {
    const close = this.#text.indexOf("](", this.#at);
    if (close < 0) return { close };
    const open = this.#text.lastIndexOf("[", close);
    const end = this.#addressEnd(close + 2);
    if (end < 0) return { close, open };
    const url = this.#text.slice(close + 2, end).replace(/^<|>$/g, "");
    return { close, open, url, end: end + 1 };
  }

  // Where the parenthesis that opened before an address closes. Addresses may
  // hold balanced ones themselves, but no space and no bracket.
  #addressEnd(from) {
    let depth = 1;
    for (let at = from; at < this.#text.length && !/[\s[]/.test(this.#text[at]); at += 1) {
      if (this.#text[at] === "(") depth += 1;
      if (this.#text[at] === ")") depth -= 1;
      if (depth === 0) return at;
    }
    return -1;
  }
}

// Leaves out what ends a sentence or a mark rather than the address.
function trimUrl(url) {
  let end = url.length;
  while (end > 0 && /[.,:;"'!?\]*_~|]/.test(url[end - 1])) end -= 1;
  if (url[end - 1] === ")" && !url.slice(0, end).includes("(")) end -= 1;
  return url.slice(0, end);
}
