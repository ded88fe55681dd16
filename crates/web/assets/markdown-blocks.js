// Discord's block markdown as a list of blocks. Pure; linear on any input.
//
// Blocks: { type: "paragraph" | "subtext", text }, { type: "heading", level, text },
// { type: "code", language, text }, { type: "quote", blocks },
// { type: "list", ordered, start, items: [{ text, lists }] }.

const FENCE = "```";
const MAX_LIST_DEPTH = 8;
const HEADING = /^(#{1,3}) +(\S.*)$/;
const ITEM = /^( *)(?:([-*])|(\d{1,9})\.) +(\S.*)$/;
const LANGUAGE = /^([\w+#.-]{1,32})\n/;

export function parseBlocks(text) {
  return new Reader(text.replaceAll("\r\n", "\n"), true).run();
}

class Reader {
  #text;
  #quotes;
  #at = 0;
  #lineEnd = -1;
  #blocks = [];
  #paragraph = "";
  #fencesLeft = true;

  constructor(text, quotes) {
    this.#text = text;
    this.#quotes = quotes;
  }

  run() {
    while (this.#at < this.#text.length) this.#line();
    this.#endParagraph();
    return this.#blocks;
  }

  #line() {
    const line = this.#peek();
    if (this.#quotes && line.startsWith(">>> ")) return this.#quoteRest();
    if (this.#quotes && isQuote(line)) return this.#quote();
    if (!line.includes(FENCE) || !this.#fence(line)) this.#plainLine(line);
  }

  #peek() {
    if (this.#lineEnd < this.#at) {
      const end = this.#text.indexOf("\n", this.#at);
      this.#lineEnd = end < 0 ? this.#text.length : end;
    }
    return this.#text.slice(this.#at, this.#lineEnd);
  }

  #skip(line) {
    this.#at += line.length + 1;
  }

  #plainLine(line) {
    const heading = HEADING.exec(line);
    if (heading) return this.#push({ type: "heading", level: heading[1].length, text: heading[2] }, line);
    if (line.startsWith("-# ") && line.trim().length > 2) return this.#push({ type: "subtext", text: line.slice(3) }, line);
    if (ITEM.test(line)) return this.#list();
    this.#paragraph += `${line}\n`;
    this.#skip(line);
  }

  #push(block, line) {
    this.#endParagraph();
    this.#blocks.push(block);
    this.#skip(line);
  }

  #endParagraph() {
    const text = this.#paragraph.replace(/\n$/, "");
    this.#paragraph = "";
    if (text !== "" && (text.trim() !== "" || this.#blocks.length > 0)) this.#blocks.push({ type: "paragraph", text });
  }

  // A fence may open in mid-line. Without its end it is text.
  #fence(line) {
    if (!this.#fencesLeft) return false;
    const open = this.#at + line.indexOf(FENCE);
    const close = this.#text.indexOf(FENCE, open + FENCE.length);
    if (close < 0) {
      this.#fencesLeft = false;
      return false;
    }
    const inner = this.#text.slice(open + FENCE.length, close);
    if (inner.trim() === "") return false;
    this.#paragraph += this.#text.slice(this.#at, open);
    this.#endParagraph();
    const language = LANGUAGE.exec(inner)?.[1] ?? "";
    const text = inner.slice(language.length).replace(/^\n/, "").replace(/\n$/, "");
    this.#blocks.push({ type: "code", language, text });
    this.#at = close + FENCE.length;
    while (this.#text[this.#at] === "`") this.#at += 1;
    if (this.#text[this.#at] === "\n") this.#at += 1;
    return true;
  }

  #quoteRest() {
    this.#endParagraph();
    this.#blocks.push({ type: "quote", blocks: new Reader(this.#text.slice(this.#at + 4), false).run() });
    this.#at = this.#text.length;
  }

  #quote() {
    this.#endParagraph();
    const lines = [];
    for (let line = this.#peek(); this.#at < this.#text.length && isQuote(line); line = this.#peek()) {
      lines.push(line.slice(2));
      this.#skip(line);
    }
    this.#blocks.push({ type: "quote", blocks: new Reader(lines.join("\n"), false).run() });
  }

  // Items nest by indentation; an indented line that is no item continues the
  // one above it.
  #list() {
    this.#endParagraph();
    const open = [];
    while (this.#at < this.#text.length) {
      const line = this.#peek();
      const match = ITEM.exec(line);
      if (line.includes(FENCE) && this.#fencesLeft && open.length > 0) break;
      if (!match && !(open.length > 0 && /^ {2,}\S/.test(line))) break;
      if (match) this.#item(open, match);
      else open.at(-1).list.items.at(-1).text += `\n${line.trim()}`;
      this.#skip(line);
    }
  }

  #item(open, [, indent, bullet, number, text]) {
    while (open.length > 0 && indent.length < open.at(-1).indent) open.pop();
    const ordered = bullet === undefined;
    const top = open.at(-1);
    const deeper = top && indent.length >= top.indent + 2 && open.length < MAX_LIST_DEPTH;
    if (!top || deeper || top.list.ordered !== ordered) {
      const list = { type: "list", ordered, start: Number(number ?? 1), items: [] };
      if (top && !deeper) open.pop();
      const parent = open.at(-1);
      if (parent) parent.list.items.at(-1).lists.push(list);
      else this.#blocks.push(list);
      open.push({ indent: indent.length, list });
    }
    open.at(-1).list.items.push({ text, lists: [] });
  }
}

function isQuote(line) {
  return line.startsWith("> ");
}
