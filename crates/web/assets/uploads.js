// Files that wait to be sent with a message: chosen, pasted or dropped.

import { h, icon, iconButton, sizeInWords } from "./dom.js";
import { notify } from "./notices.js";

const MOST = 10;
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_TOGETHER = 24 * 1024 * 1024;
const PREVIEWED_BYTES = 4 * 1024 * 1024;

export class Uploads {
  #files = [];
  #onChange;
  #picker = h("input", { type: "file", multiple: true, class: "unseen", tabindex: "-1", "aria-label": "Files to attach", dataset: { testid: "file-input" } });
  button = iconButton("attach", "Attach files", { dataset: { testid: "attach" }, on: { click: () => this.#picker.click() } });
  node = h("ul", { class: "uploads", "aria-label": "Files to send", hidden: true });

  constructor(onChange) {
    this.#onChange = onChange;
    this.#picker.addEventListener("change", () => {
      this.add(this.#picker.files);
      this.#picker.value = "";
    });
  }

  // What must be in the document for the button to work.
  get input() {
    return this.#picker;
  }

  get files() {
    return this.#files.map(({ file, description, spoiler }) => ({ file, description, spoiler }));
  }

  add(files) {
    for (const file of files) {
      const together = this.#files.reduce((sum, one) => sum + one.file.size, file.size);
      if (this.#files.length >= MOST) return notify(`Discord takes ${MOST} files at most.`);
      if (file.size > MOST_BYTES) notify(`${file.name} is larger than ${sizeInWords(MOST_BYTES)}.`);
      else if (together > MOST_TOGETHER) notify("Together these files are too large for one message.");
      else this.#files.push({ file, description: "", spoiler: false });
    }
    this.#render();
  }

  clear() {
    this.#files = [];
    this.#render();
  }

  // Takes what is dropped on `area` and what is pasted into `input`.
  accept(area, input) {
    const carries = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
    const over = (on) => (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      area.classList.toggle("drop-here", on);
    };
    area.addEventListener("dragenter", over(true));
    area.addEventListener("dragover", over(true));
    area.addEventListener("dragleave", (event) => area.contains(event.relatedTarget) || area.classList.remove("drop-here"));
    area.addEventListener("drop", (event) => {
      over(false)(event);
      if (carries(event)) this.add(event.dataTransfer.files);
      input.focus();
    });
    input.addEventListener("paste", (event) => {
      const files = event.clipboardData?.files ?? [];
      if (files.length === 0) return;
      event.preventDefault();
      this.add(files);
    });
  }

  #render() {
    this.node.hidden = this.#files.length === 0;
    this.node.replaceChildren(...this.#files.map((one) => this.#card(one)));
    this.#onChange();
  }

  #card(one) {
    const { file } = one;
    const remove = () => {
      this.#files = this.#files.filter((other) => other !== one);
      this.#render();
    };
    const toggle = ({ currentTarget }) => {
      one.spoiler = !one.spoiler;
      currentTarget.setAttribute("aria-pressed", String(one.spoiler));
    };
    const words = h("input", { type: "text", class: "upload-words", maxlength: "1024", placeholder: "Description", "aria-label": `Description of ${file.name}`, value: one.description, on: { input: () => { one.description = words.value; } } });
    return h(
      "li",
      { class: "upload", dataset: { testid: "upload" } },
      preview(file),
      h("strong", { title: file.name }, file.name),
      h("span", { class: "upload-size" }, sizeInWords(file.size)),
      words,
      h(
        "div",
        { class: "upload-buttons" },
        iconButton("eye", `Mark ${file.name} as a spoiler`, { "aria-pressed": String(one.spoiler), on: { click: toggle } }),
        iconButton("remove", `Do not send ${file.name}`, { class: "danger", dataset: { testid: "upload-remove" }, on: { click: remove } }),
      ),
    );
  }
}

function preview(file) {
  const holder = h("div", { class: "upload-preview" }, icon("file"));
  if (/^image\/(png|jpeg|gif|webp)$/.test(file.type) && file.size <= PREVIEWED_BYTES) {
    const reader = new FileReader();
    reader.onload = () => holder.replaceChildren(h("img", { src: reader.result, alt: "" }));
    reader.readAsDataURL(file);
  }
  return holder;
}
