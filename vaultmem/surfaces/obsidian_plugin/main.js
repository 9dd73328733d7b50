"use strict";
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all2) => {
  for (var name2 in all2)
    __defProp(target, name2, { get: all2[name2], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// src/main.ts
var main_exports = {};
__export(main_exports, {
  default: () => VaultmemPlugin
});
module.exports = __toCommonJS(main_exports);
var import_obsidian23 = require("obsidian");

// src/commands.ts
var import_obsidian5 = require("obsidian");

// src/views/desk.ts
var VIEWS = {
  recall: "vaultmem-recall",
  tree: "vaultmem-tree",
  entity: "vaultmem-entity",
  ingest: "vaultmem-ingest",
  digest: "vaultmem-digest",
  graph: "vaultmem-graph"
};

// src/views/dropping.ts
var import_obsidian2 = require("obsidian");

// src/domain/names.ts
var UNSAFE = /[*"\\/<>:|?#^[\]\p{Cc}]+/gu;
var LONGEST = 80;
function fileName(title, ending, isTaken2) {
  const plain2 = title.replace(UNSAFE, " ").replace(/\s+/gu, " ").trim().replace(/^\.+|\.+$/gu, "");
  const base = [...plain2].slice(0, LONGEST).join("").trim() || "note";
  for (let n = 1; ; n += 1) {
    const name2 = `${base}${n > 1 ? ` ${n}` : ""}${ending}`;
    if (!isTaken2(name2)) return name2;
  }
}
function firstWords(text2) {
  const lines2 = text2.split("\n").map((line) => line.replace(/^[#*\-_>\s]+/u, "").trim());
  return [...lines2.find((line) => line !== "") ?? ""].slice(0, 60).join("");
}

// src/views/parts.ts
var import_obsidian = require("obsidian");
function iconButton(parent, icon, name2, act) {
  const button = parent.createEl("button", { cls: "clickable-icon vaultmem-icon", attr: { "aria-label": name2, type: "button" } });
  (0, import_obsidian.setIcon)(button, icon);
  (0, import_obsidian.setTooltip)(button, name2);
  button.addEventListener("click", act);
  return button;
}
function textButton(parent, name2, act) {
  const button = parent.createEl("button", { text: name2, attr: { type: "button" } });
  button.addEventListener("click", act);
  return button;
}
function marked(parent, pieces) {
  for (const { text: text2, isMark } of pieces) {
    if (isMark) parent.createSpan({ cls: "search-result-file-matched-text", text: text2 });
    else parent.appendText(text2);
  }
}
function said(parent, cls, text2) {
  return parent.createDiv({ cls: `vaultmem-said ${cls}`, text: text2 });
}
function bars(parent, rows) {
  const table = parent.createDiv({ cls: "vaultmem-bars" });
  for (const { name: name2, value, share } of rows) {
    table.createSpan({ cls: "vaultmem-bar-name", text: name2 });
    const bar = table.createEl("progress", { cls: "vaultmem-bar", attr: { max: "1", "aria-label": name2 } });
    bar.value = share;
    table.createSpan({ cls: "vaultmem-bar-value", text: value.toFixed(2) });
  }
}
function heading(parent, text2, count2) {
  const row = parent.createDiv({ cls: "vaultmem-heading", attr: { role: "heading", "aria-level": "2" } });
  row.createSpan({ text: text2 });
  if (count2 !== void 0) row.createSpan({ cls: "tree-item-flair", text: String(count2) });
  return row;
}
function problemText(problem) {
  return problem instanceof Error ? problem.message : String(problem);
}

// src/views/dropping.ts
async function dropFiles(desk, files) {
  await dropping(desk, files.length, async () => {
    for (const file of files) {
      const target = await place(desk, file.basename, `.${file.extension}`);
      await desk.app.vault.copy(file, target);
    }
  });
}
async function dropText(desk, text2, from) {
  await dropping(desk, 1, async () => {
    const target = await place(desk, firstWords(text2), ".md");
    const origin = from ? `

From [[${from.path.replace(/\.md$/u, "")}]]
` : "\n";
    await desk.app.vault.create(target, `${text2.trim()}${origin}`);
  });
}
function dropFromDisk(desk) {
  const input = activeDocument.body.createEl("input", { type: "file", cls: "vaultmem-hidden", attr: { multiple: "" } });
  input.addEventListener("change", () => {
    const chosen = [...input.files ?? []];
    input.remove();
    void dropping(desk, chosen.length, async () => {
      for (const file of chosen) await put(desk, file.name, await file.arrayBuffer());
    });
  });
  input.addEventListener("cancel", () => input.remove());
  input.click();
}
async function put(desk, name2, data) {
  const dot = name2.lastIndexOf(".");
  const [base, ending] = dot > 0 ? [name2.slice(0, dot), name2.slice(dot)] : [name2, ""];
  await desk.app.vault.createBinary(await place(desk, base, ending), data);
}
async function place(desk, title, ending) {
  const { vault } = desk.app;
  const folder = (0, import_obsidian2.normalizePath)(desk.inbox());
  if (!vault.getFolderByPath(folder)) await vault.createFolder(folder);
  return `${folder}/${fileName(title, ending, (name2) => isTaken(desk.app, `${folder}/${name2}`))}`;
}
function isTaken(app, path2) {
  return app.vault.getAbstractFileByPath(path2) !== null;
}
async function dropping(desk, count2, act) {
  if (!count2) return;
  try {
    await act();
  } catch (problem) {
    new import_obsidian2.Notice(problemText(problem));
    return;
  }
  await desk.takeOver();
}

// src/views/recall_modal.ts
var import_obsidian4 = require("obsidian");

// src/domain/marks.ts
var ASKING = new Set(
  "a about all an and are as at be been but by can could did do does for from had has have how i in is it its me my of on or our say says she so that the their them they this to us was we were what when where which who whom why will with would you your der die das und ist was wer wie wo wann ein eine le la les et est que qui de des un une el los y es por como quien".split(" ")
);
var WORD = /[\p{L}\p{M}\p{N}_]+/gu;
var UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/u;
var ENDING = /(?:ing|ed|es|s|e|en|er|d|n)$/u;
var SHORTEST_STEM = 3;
function fold(text2) {
  return text2.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
function wordsOf(query) {
  const words = (query.match(WORD) ?? []).map(fold);
  const telling = words.filter((word) => !ASKING.has(word) && (word.length > 1 || /\d/.test(word) || UNSPACED.test(word)));
  return [...new Set(telling)];
}
function segments(text2, words) {
  const found2 = [];
  let at = 0;
  for (const { 0: token, index: index2 } of text2.matchAll(WORD)) {
    for (const [first, last] of marksIn(token, words)) {
      if (index2 + first > at) found2.push({ text: text2.slice(at, index2 + first), isMark: false });
      found2.push({ text: text2.slice(index2 + first, index2 + last), isMark: true });
      at = index2 + last;
    }
  }
  if (at < text2.length) found2.push({ text: text2.slice(at), isMark: false });
  return found2;
}
function marksIn(token, words) {
  const folded = fold(token);
  if (words.some((word) => isSame(folded, word))) return [[0, token.length]];
  if (!UNSPACED.test(token)) return [];
  const spans = words.map((word) => [token.indexOf(word), word.length]).filter(([at]) => at >= 0);
  return spans.sort(([one], [other]) => one - other).reduce((kept, [at, length]) => {
    if (at >= (kept.at(-1)?.[1] ?? 0)) kept.push([at, at + length]);
    return kept;
  }, []);
}
function isSame(token, word) {
  if (token === word) return true;
  const [one, other] = [token.replace(ENDING, ""), word.replace(ENDING, "")];
  if (Math.min(one.length, other.length) < SHORTEST_STEM) return false;
  return one === other || one === word || other === token;
}
function excerpt(text2, words, most) {
  const line = text2.replace(/\s+/gu, " ").trim();
  if (line.length <= most) return line;
  const first = [...line.matchAll(WORD)].find(({ 0: token }) => marksIn(token, words).length > 0)?.index ?? 0;
  const from = first <= most / 2 ? 0 : wordStart(line, first - Math.floor(most / 3));
  const to = from + most >= line.length ? line.length : wordEnd(line, from + most);
  return `${from > 0 ? "… " : ""}${line.slice(from, to).trim()}${to < line.length ? " …" : ""}`;
}
function wordStart(line, near) {
  const space = line.indexOf(" ", near);
  return space >= 0 && space < near + 40 ? space + 1 : whole(line, near);
}
function wordEnd(line, near) {
  const space = line.lastIndexOf(" ", near);
  return space > near - 40 ? space : whole(line, near);
}
function whole(line, at) {
  const unit = line.charCodeAt(at);
  return unit >= 56320 && unit <= 57343 ? at + 1 : at;
}

// src/domain/hits.ts
var EXCERPT = 320;
var DAY_MS = 864e5;
function hitRow(hit2, query, calendar) {
  const words = wordsOf(query);
  const kind = hit2.isLeaf ? "" : `summary, level ${hit2.level}`;
  return {
    hit: hit2,
    title: titleOf(hit2),
    details: [undisguised(hit2.author), whenOf(hit2.start, calendar), kind].filter((part) => part !== ""),
    excerpt: segments(excerpt(plain(hit2.content), words, EXCERPT), words),
    place: `${baseName(hit2.notePath)}, line ${hit2.lines[0]}`
  };
}
function titleOf(hit2) {
  if (!hit2.isLeaf) return summaryTitle(hit2);
  const heading2 = plain(hit2.heading.split(" > ").pop() ?? "").trim();
  return heading2 || fileTitle(hit2.sourceRef) || scopeTitle(hit2.treeScope) || baseName(hit2.notePath);
}
function summaryTitle(hit2) {
  if (hit2.treeKind === "global") return baseName(hit2.notePath);
  const scope = scopeTitle(hit2.treeScope);
  return hit2.treeKind === "topic" ? scope.replace(/-/gu, " ").replace(/\p{L}+/gu, capital) : scope || baseName(hit2.notePath);
}
function fileTitle(sourceRef) {
  const file = (sourceRef.split(" # ")[0] ?? "").split("/").pop() ?? "";
  return undisguised(file).replace(/\.[A-Za-z0-9]{1,5}$/u, "").replace(/^WhatsApp Chat (?:with|-) /u, "");
}
function scopeTitle(scope) {
  return undisguised(scope.slice(scope.indexOf(":") + 1));
}
function capital(text2) {
  return text2.charAt(0).toUpperCase() + text2.slice(1);
}
function baseName(path2) {
  return (path2.split("/").pop() ?? path2).replace(/\.md$/u, "");
}
var DISGUISE = /[\u202a-\u202e\u2066-\u2069]|(?![\t\n])\p{Cc}/gu;
function undisguised(text2) {
  return text2.replace(DISGUISE, "");
}
function plain(markdown) {
  return undisguised(markdown).replace(/\*\*(?=\S)([^*\n]+?)\*\*/gu, "$1").replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/gu, "$1").replace(/\[([^\]]*)\]\([^)]*\)/gu, "$1").replace(/^ {0,3}#{1,6} +/gmu, "").replace(/\\([[\]%*_`#])/gu, "$1");
}
var times = /* @__PURE__ */ new WeakMap();
function timesOf(calendar) {
  const made = times.get(calendar) ?? timesIn(calendar);
  times.set(calendar, made);
  return made;
}
function timesIn({ now, locale, zone: timeZone }) {
  const day = new Intl.DateTimeFormat("en-CA", { timeZone });
  return {
    day,
    today: day.format(now),
    yesterday: day.format(new Date(now.getTime() - DAY_MS)),
    clock: new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone })
  };
}
function whenOf(iso, calendar) {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  const { today, yesterday, day, clock, date } = timesOf(calendar);
  if (day.format(at) === today) return `Today ${clock.format(at)}`;
  if (day.format(at) === yesterday) return `Yesterday ${clock.format(at)}`;
  return date.format(at);
}
function linkText(hit2) {
  const path2 = hit2.notePath.replace(/\.md$/u, "");
  if (hit2.block) return `${path2}#^${hit2.block}`;
  const heading2 = hit2.isLeaf ? hit2.heading.split(" > ").pop() ?? "" : "";
  const safe = heading2.replace(/[#|^:%[\]\\]+/gu, " ").replace(/\s+/gu, " ").trim();
  return safe ? `${path2}#${safe}` : path2;
}
function wikilink(hit2) {
  return `[[${linkText(hit2)}|${safeAlias(titleOf(hit2))}]]`;
}
function safeAlias(title) {
  return title.replace(/[[\]|\r\n]+/gu, " ").replace(/\s+/gu, " ").trim() || "note";
}
function asContext(hit2, calendar) {
  const who = [hit2.author, whenOf(hit2.start, calendar)].filter((part) => part !== "").join(", ");
  const quoted = hit2.content.trim().split("\n").map((line) => `> ${line}`);
  return [...quoted, ">", `> ${who ? `${who} — ` : ""}${wikilink(hit2)}`].join("\n") + "\n";
}

// src/domain/memory.ts
var NO_FILTERS = { kind: "", source: "", since: "", until: "", entity: "", dropped: false };

// src/wire/decode.ts
var BadAnswer = class extends Error {
  constructor(where, expected) {
    super(`The engine's answer has no ${expected} at ${where}: its version may not fit the plugin's.`);
    this.name = "BadAnswer";
  }
};
var text = (value, where) => {
  if (typeof value !== "string") throw new BadAnswer(where, "text");
  return value;
};
var count = (value, where) => {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new BadAnswer(where, "number");
  return value;
};
var flag = (value, where) => {
  if (typeof value !== "boolean") throw new BadAnswer(where, "true or false");
  return value;
};
var record = (value, where) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new BadAnswer(where, "object");
  return Object.fromEntries(Object.entries(value));
};
function list(item) {
  return (value, where) => {
    if (!Array.isArray(value)) throw new BadAnswer(where, "list");
    return value.map((each, n) => item(each, `${where}[${n}]`));
  };
}
function mapOf(item) {
  return (value, where) => new Map(Object.entries(record(value, where)).map(([key, each]) => [key, item(each, `${where}.${key}`)]));
}
function or(item, otherwise) {
  return (value, where) => value === void 0 || value === null ? otherwise : item(value, where);
}
function oneOf(...words) {
  return (value, where) => words.find((word) => word === text(value, where)) ?? words[0];
}
var Fields = class {
  constructor(value, where) {
    this.where = where;
    this.held = record(value, where);
  }
  where;
  held;
  get(key, item) {
    return item(this.held[key], `${this.where}.${key}`);
  }
};

// src/wire/rpc.ts
var Refused = class extends Error {
  name = "Refused";
};
var Gone = class extends Error {
  name = "Gone";
};
var Cancelled = class extends Error {
  name = "Cancelled";
  constructor() {
    super("cancelled");
  }
};
var PROTOCOL = "2025-06-18";
var PATIENCE_MS = 6e4;
var block = (value, where) => new Fields(value, where).get("text", or(text, ""));
var RpcClient = class {
  constructor(pipe, after) {
    this.pipe = pipe;
    this.after = after;
    pipe.onLine((line) => this.take(line));
    pipe.onClose((reason) => this.end(reason));
  }
  pipe;
  after;
  last = 0;
  waiting = /* @__PURE__ */ new Map();
  closed = "";
  /** Say hello; the engine's version. */
  async hello(clientVersion) {
    const answer = await this.ask("initialize", {
      protocolVersion: PROTOCOL,
      capabilities: {},
      clientInfo: { name: "vaultmem-obsidian", version: clientVersion }
    });
    this.tell("notifications/initialized", {});
    const server = new Fields(answer, "initialize").get("serverInfo", record);
    return new Fields(server, "serverInfo").get("version", or(text, ""));
  }
  /** Call a tool. A stopped `signal` rejects with Cancelled at once, and the engine is told. */
  async call(tool, given2, decode, signal2) {
    const answer = new Fields(await this.ask("tools/call", { name: tool, arguments: given2 }, signal2), tool);
    if (answer.get("isError", or(flag, false))) {
      throw new Refused(answer.get("content", list(block)).join(" ") || `${tool} failed`);
    }
    return answer.get("structuredContent", decode);
  }
  ask(method, params, signal2) {
    if (this.closed) return Promise.reject(new Gone(this.closed));
    if (signal2?.aborted) return Promise.reject(new Cancelled());
    const id = ++this.last;
    return new Promise((done, failed) => {
      const stop2 = () => {
        this.drop(id, new Cancelled());
      };
      const disarm = this.after(PATIENCE_MS, () => {
        this.drop(id, new Gone(`no answer to ${method} within ${PATIENCE_MS / 1e3} s`));
      });
      signal2?.addEventListener("abort", stop2, { once: true });
      const settle = () => {
        disarm();
        signal2?.removeEventListener("abort", stop2);
      };
      this.waiting.set(id, { done, failed, settle });
      this.pipe.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }
  tell(method, params) {
    if (!this.closed) this.pipe.write(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }
  drop(id, problem) {
    this.tell("notifications/cancelled", { requestId: id });
    this.settle(id)?.failed(problem);
  }
  settle(id) {
    const found2 = this.waiting.get(id);
    this.waiting.delete(id);
    found2?.settle();
    return found2;
  }
  take(line) {
    let message;
    try {
      message = record(JSON.parse(line), "message");
    } catch {
      return;
    }
    const { id, error, result } = message;
    const waiting = typeof id === "number" ? this.settle(id) : void 0;
    if (!waiting) return;
    if (error !== void 0) waiting.failed(new Refused(new Fields(error, "error").get("message", or(text, "refused"))));
    else waiting.done(result);
  }
  end(reason) {
    this.closed = reason || "the engine ended";
    for (const id of [...this.waiting.keys()]) this.settle(id)?.failed(new Gone(this.closed));
  }
};

// src/views/opening.ts
var import_obsidian3 = require("obsidian");
function whereOf(event) {
  if (event.instanceOf(MouseEvent) && event.button === 1) return "tab";
  return import_obsidian3.Keymap.isModEvent(event);
}
async function openHit(app, hit2, where) {
  if (hit2.block) await app.workspace.openLinkText(linkText(hit2), "", where);
  else await openAtLine(app, hit2.notePath, hit2.lines[0], where);
}
async function openAtLine(app, path2, line, where) {
  const file = app.vault.getFileByPath(path2);
  if (!file) {
    new import_obsidian3.Notice(`${path2} is not in the vault any more.`);
    return;
  }
  const leaf = app.workspace.getLeaf(where);
  await leaf.openFile(file, line > 0 ? { active: true, eState: { line: line - 1 } } : { active: true });
  if (line > 0 && leaf.view instanceof import_obsidian3.MarkdownView) leaf.view.setEphemeralState({ line: line - 1 });
}

// src/views/recall_modal.ts
var FEW = 20;
var RecallModal = class extends import_obsidian4.SuggestModal {
  constructor(desk) {
    super(desk.app);
    this.desk = desk;
    this.calendar = desk.calendar();
    this.limit = FEW;
    this.emptyStateText = "Nothing found.";
    this.setPlaceholder("Ask your memory…");
    this.modalEl.addClass("vaultmem-modal");
    this.setInstructions([
      { command: "↑↓", purpose: "to choose" },
      { command: "↵", purpose: "to open" },
      { command: "ctrl/cmd ↵", purpose: "to open in a new tab" },
      { command: "alt ↵", purpose: "to insert a link" },
      { command: "shift ↵", purpose: "to keep the results in the pane" }
    ]);
    this.scope.register(["Alt"], "Enter", (event) => this.selectActiveSuggestion(event));
    this.scope.register(["Mod"], "Enter", (event) => this.selectActiveSuggestion(event));
    this.scope.register(["Shift"], "Enter", () => {
      this.close();
      void this.desk.show(VIEWS.recall, this.query);
      return false;
    });
  }
  desk;
  asked;
  query = "";
  /** Of the list that is shown. */
  calendar;
  /** The newest question's answer; one that was overtaken stays empty, for the next follows at once. */
  async getSuggestions(query) {
    this.asked?.abort();
    this.query = query.trim();
    if (!this.query) return [];
    const asked = new AbortController();
    this.asked = asked;
    try {
      const { hits } = await this.desk.memory.recall(this.query, NO_FILTERS, FEW, asked.signal);
      this.calendar = this.desk.calendar();
      return hits;
    } catch (problem) {
      if (!(problem instanceof Cancelled)) new import_obsidian4.Notice(problemText(problem));
      return [];
    }
  }
  renderSuggestion(hit2, el) {
    const row = hitRow(hit2, this.query, this.calendar);
    el.addClass("vaultmem-suggestion");
    const top = el.createDiv({ cls: "vaultmem-row-top" });
    top.createSpan({ cls: "vaultmem-row-title", text: row.title });
    top.createSpan({ cls: "vaultmem-row-details", text: row.details.join(" · ") });
    marked(el.createDiv({ cls: "vaultmem-row-text" }), row.excerpt);
    el.createDiv({ cls: "vaultmem-row-place", text: row.place });
  }
  onChooseSuggestion(hit2, event) {
    if (event.altKey) this.desk.insertLink(hit2);
    else openHit(this.app, hit2, whereOf(event)).catch((problem) => new import_obsidian4.Notice(problemText(problem)));
  }
};

// src/commands.ts
function addCommands(plugin, desk) {
  const { app } = desk;
  const add = (id, name2, act) => {
    plugin.addCommand({ id, name: name2, callback: act });
  };
  add("open-recall", "Open recall", () => void desk.show(VIEWS.recall));
  add("quick-recall", "Quick recall", () => new RecallModal(desk).open());
  onSelection(plugin, "recall-selection", "Recall selection", (text2) => void desk.show(VIEWS.recall, text2));
  onFile(plugin, "ingest-note", "Ingest current note", () => true, (file) => void dropFiles(desk, [file]));
  onSelection(plugin, "ingest-selection", "Ingest selection", (text2, file) => void dropText(desk, text2, file));
  add("ingest-file", "Ingest file from disk", () => dropFromDisk(desk));
  add("open-digest", "Open today's digest", () => void desk.show(VIEWS.digest, "today"));
  onFile(plugin, "show-entity", "Show entity for current note", isEntity(desk), (file) => void showEntity(desk, file));
  add("open-entities", "Open people and topics", () => void desk.show(VIEWS.entity));
  onFile(plugin, "show-graph", "Show memory graph", isEntity(desk), (file) => void desk.show(VIEWS.graph, property(desk, file, "id")));
  onFile(plugin, "drill-down", "Drill down from current summary", isNode(desk), (file) => void desk.show(VIEWS.tree, nodeOf(desk, file)));
  add("open-tree", "Open memory tree", () => void desk.show(VIEWS.tree));
  add("open-ingest", "Open ingest status", () => void desk.show(VIEWS.ingest));
  add("sync", "Bring memory up to date", () => void desk.takeOver());
  add("rebuild-index", "Rebuild index", () => void rebuild(desk));
  add("restart-service", "Restart service", () => void restart(desk));
  plugin.registerEvent(app.workspace.on("file-menu", (menu, file) => fileMenu(desk, menu, file)));
  plugin.registerEvent(app.workspace.on("files-menu", (menu, files) => filesMenu(desk, menu, files)));
  plugin.registerEvent(app.workspace.on("editor-menu", (menu, editor, info) => editorMenu(desk, menu, editor, info)));
}
function onSelection(plugin, id, name2, act) {
  plugin.addCommand({
    id,
    name: name2,
    editorCheckCallback: (checking, editor, info) => {
      const text2 = editor.getSelection().trim();
      if (!text2) return false;
      if (!checking) act(text2, info.file);
      return true;
    }
  });
}
function onFile(plugin, id, name2, fits, act) {
  plugin.addCommand({
    id,
    name: name2,
    checkCallback: (checking) => {
      const file = plugin.app.workspace.getActiveFile();
      if (!file || !fits(file)) return false;
      if (!checking) act(file);
      return true;
    }
  });
}
function property(desk, file, key) {
  const value = desk.app.metadataCache.getFileCache(file)?.frontmatter?.[key];
  return typeof value === "string" ? value : "";
}
function nodeOf(desk, file) {
  return property(desk, file, "node_id") || property(desk, file, "chunk_id");
}
var isNode = (desk) => (file) => nodeOf(desk, file) !== "";
var isEntity = (desk) => (file) => property(desk, file, "id").includes(":") || property(desk, file, "entity_id").includes(":") || isNode(desk)(file);
async function showEntity(desk, file) {
  await desk.show(VIEWS.entity, entityOf(desk, file));
}
function entityOf(desk, file) {
  const named = desk.app.metadataCache.getFileCache(file)?.frontmatter?.["entities"];
  const first = Array.isArray(named) ? named[0] : "";
  return property(desk, file, "id") || property(desk, file, "entity_id") || (typeof first === "string" ? first : "");
}
async function rebuild(desk) {
  const notice = new import_obsidian5.Notice("Rebuilding the index…", 0);
  try {
    const done = await desk.memory.sync(true);
    new import_obsidian5.Notice(done.doneBy === "this call" ? "The index was rebuilt." : "The index is rebuilt in the background.");
  } catch (problem) {
    new import_obsidian5.Notice(problemText(problem));
  } finally {
    notice.hide();
  }
}
async function restart(desk) {
  try {
    await desk.engine.restart();
    new import_obsidian5.Notice("The engine runs.");
  } catch (problem) {
    new import_obsidian5.Notice(problemText(problem));
  }
}
function fileMenu(desk, menu, file) {
  if (!(file instanceof import_obsidian5.TFile)) return;
  const add = (title, icon, act) => {
    menu.addItem((item) => item.setTitle(title).setIcon(icon).setSection("vaultmem").onClick(act));
  };
  if (isNode(desk)(file)) add("Show in the memory tree", "list-tree", () => void desk.show(VIEWS.tree, nodeOf(desk, file)));
  else add("Ingest into memory", "inbox", () => void dropFiles(desk, [file]));
  const entity = property(desk, file, "id");
  if (!entity.includes(":")) return;
  add("Show mentions over time", "users", () => void desk.show(VIEWS.entity, entity));
  add("Show memory graph", "waypoints", () => void desk.show(VIEWS.graph, entity));
}
function filesMenu(desk, menu, files) {
  const chosen = files.filter((file) => file instanceof import_obsidian5.TFile);
  if (!chosen.length) return;
  menu.addItem((item) => item.setTitle(`Ingest ${chosen.length} files into memory`).setIcon("inbox").onClick(() => void dropFiles(desk, chosen)));
}
function editorMenu(desk, menu, editor, info) {
  const text2 = editor.getSelection().trim();
  if (!text2) return;
  menu.addItem((item) => item.setTitle("Recall selection").setIcon("search").onClick(() => void desk.show(VIEWS.recall, text2)));
  menu.addItem((item) => item.setTitle("Ingest selection").setIcon("inbox").onClick(() => void dropText(desk, text2, info.file)));
}

// src/open_desk.ts
var import_obsidian15 = require("obsidian");

// src/domain/note.ts
function textOf(note, key) {
  const value = note?.properties[key];
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
function textsOf(note, key) {
  const value = note.properties[key];
  if (typeof value === "string") return value ? [value] : [];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
function numberOf(note, key) {
  const value = Number(note.properties[key]);
  return Number.isFinite(value) ? value : 0;
}
function grouped(things, keyOf) {
  const found2 = /* @__PURE__ */ new Map();
  for (const thing of things) {
    const held = found2.get(keyOf(thing));
    if (held) held.push(thing);
    else found2.set(keyOf(thing), [thing]);
  }
  return found2;
}

// src/domain/notes_memory.ts
var NAMES_ONLY = "the engine: only names, aliases and headings were looked through";
var SUMMARIES = "wiki/summaries/";
var RAW = "wiki/raw/";
var DAILY = `${SUMMARIES}global/daily/`;
var NotesMemory = class {
  constructor(book) {
    this.book = book;
  }
  book;
  async recall(query, filters, limit) {
    const words = wordsOf(query);
    const rated = this.chunks().filter((note) => passes(note, filters)).map((note) => ({ note, score: nameScore(note, words) })).filter(({ score }) => score > 0).sort((one, other) => other.score - one.score || startOf(other.note).localeCompare(startOf(one.note)));
    const hits = rated.slice(0, limit).map(({ note, score }) => asHit(note, score));
    return { hits, total: rated.length, degraded: NAMES_ONLY, noGoodAnswer: false };
  }
  async sources() {
    const bySource = grouped(this.chunks(), (note) => textOf(note, "source_id"));
    const hits = [...bySource].map(([sourceId, notes]) => {
      const [first, last] = spanOf(notes);
      const scope = textOf(notes[0], "tree_scope") || sourceId;
      return {
        sourceId,
        kind: textOf(notes[0], "source_kind"),
        scope,
        title: sourceId.slice(sourceId.indexOf(":") + 1),
        chunks: notes.length,
        dropped: notes.filter((note) => textOf(note, "memory_status") === "dropped").length,
        first,
        last,
        state: "idle"
      };
    });
    hits.sort((one, other) => other.last.localeCompare(one.last));
    return { hits, total: hits.length, degraded: "" };
  }
  async roots(scope) {
    const summaries = this.book.notes().filter((note) => note.path.startsWith(SUMMARIES));
    const own = summaries.filter((note) => textOf(note, "tree_kind") === "source" && textOf(note, "tree_scope") === scope);
    const listed = new Set(own.flatMap((note) => textsOf(note, "child_ids")));
    const loose = this.admitted().filter((note) => textOf(note, "tree_scope") === scope);
    const roots = [...own, ...loose].filter((note) => !listed.has(idOf(note)));
    roots.sort((one, other) => startOf(other).localeCompare(startOf(one)));
    return all(roots.map((note) => asHit(note, 0)));
  }
  async below(nodeId) {
    const byId = new Map(this.book.notes().map((note) => [idOf(note), note]));
    const node = byId.get(nodeId);
    const children = node ? textsOf(node, "child_ids") : [];
    const notes = children.flatMap((id) => byId.get(id) ?? []);
    if (node && !children.length) return all([{ ...asHit(node, 0), content: await this.book.body(node.path) }]);
    return all(notes.map((note) => asHit(note, 0)));
  }
  async entities(query, limit) {
    const counts = /* @__PURE__ */ new Map();
    for (const id of this.admitted().flatMap((note) => textsOf(note, "entities"))) counts.set(id, (counts.get(id) ?? 0) + 1);
    const wanted = fold(query.trim());
    const hits = this.book.notes().filter((note) => textOf(note, "id") && textOf(note, "kind") && textOf(note, "display_name")).map((note) => ({
      id: textOf(note, "id"),
      kind: textOf(note, "kind"),
      displayName: textOf(note, "display_name"),
      aliases: textsOf(note, "aliases"),
      mentions: counts.get(textOf(note, "id")) ?? 0,
      notePath: note.path
    })).filter((row) => [row.id, row.displayName, ...row.aliases].some((name2) => fold(name2).includes(wanted))).sort((one, other) => other.mentions - one.mentions || one.displayName.localeCompare(other.displayName));
    return { hits: hits.slice(0, limit), total: hits.length, degraded: "" };
  }
  async mentions(entity, _name, limit) {
    const notes = this.naming(entity);
    return { ...all(notes.slice(0, limit).map((note) => asHit(note, 0))), total: notes.length };
  }
  async timeline(entity) {
    const notes = this.naming(entity);
    const months = grouped(notes, (note) => startOf(note).slice(0, 7));
    const own = this.book.notes().find((note) => textOf(note, "id") === entity);
    return {
      entity,
      displayName: textOf(own, "display_name") || entity,
      notePath: own?.path ?? "",
      chunks: notes.length,
      months: [...months].map(([month2, each]) => ({ month: month2, chunks: each.length })).sort((a, b) => a.month.localeCompare(b.month))
    };
  }
  async graph(entity, _hops, limit) {
    const shared = /* @__PURE__ */ new Map();
    for (const id of this.naming(entity).flatMap((note) => textsOf(note, "entities"))) {
      if (id !== entity) shared.set(id, (shared.get(id) ?? 0) + 1);
    }
    const named = new Map((await this.entities("", Number.MAX_SAFE_INTEGER)).hits.map((row) => [row.id, row]));
    const near = [...shared].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).slice(0, limit - 1);
    const node = (id, hops, chunks) => ({
      id,
      displayName: named.get(id)?.displayName ?? id.slice(id.indexOf(":") + 1),
      hops,
      chunks,
      notePath: named.get(id)?.notePath ?? ""
    });
    return {
      entity,
      nodes: [node(entity, 0, this.naming(entity).length), ...near.map(([id, chunks]) => node(id, 1, chunks))],
      edges: near.map(([id, weight]) => ({ subject: entity, object: id, weight }))
    };
  }
  async digest(period) {
    const days = this.book.notes().filter((note) => note.path.startsWith(DAILY)).map((note) => note.path);
    const today = this.book.today();
    const newest = days.filter((path3) => path3 <= `${DAILY}${today}.md`).sort().pop();
    const wanted = period === "today" ? today : period;
    const path2 = wanted ? days.find((each) => each === `${DAILY}${wanted}.md`) ?? "" : newest ?? "";
    const name2 = path2 ? path2.slice(DAILY.length, -3) : wanted || today;
    const content = path2 ? await this.book.body(path2) : "";
    const degraded = path2 ? "" : "no digest stands in the vault for this time";
    return { period: name2, title: name2, nodeId: "", notePath: path2, content, childIds: [], degraded };
  }
  async dropped(limit) {
    const notes = this.chunks().filter((note) => textOf(note, "memory_status") === "dropped");
    notes.sort((one, other) => startOf(other).localeCompare(startOf(one)));
    const rows = notes.slice(0, limit).map((note) => ({
      chunkId: idOf(note),
      reason: textOf(note, "drop_reason") || "by hand",
      why: "",
      score: numberOf(note, "memory_score"),
      start: startOf(note),
      sourceId: textOf(note, "source_id"),
      notePath: note.path,
      text: textsOf(note, "aliases")[0] ?? ""
    }));
    return { rows, total: notes.length };
  }
  async status() {
    const chunks = this.chunks();
    const counted = (status2) => chunks.filter((note) => textOf(note, "memory_status") === status2).length;
    const files = this.book.inbox();
    return {
      counts: new Map([
        ["notes", chunks.length],
        ...["admitted", "dropped", "pending"].map((status2) => [status2, counted(status2)])
      ]),
      lastPass: "",
      stale: 0,
      inbox: files.filter((name2) => !name2.startsWith("_failed/")),
      skipped: /* @__PURE__ */ new Map(),
      failed: files.filter((name2) => name2.startsWith("_failed/") && !name2.endsWith(".reason.md")),
      unfinished: 0,
      problems: /* @__PURE__ */ new Map(),
      writer: "",
      degraded: [],
      jobs: /* @__PURE__ */ new Map()
    };
  }
  async explain(nodeId) {
    const note = this.book.notes().find((each) => idOf(each) === nodeId);
    if (!note) throw new Error("No note of this vault has that id.");
    const signals = textsOf(note, "signals").map((line) => line.split(" "));
    return {
      nodeId,
      isLeaf: note.path.startsWith(RAW),
      notePath: note.path,
      title: textsOf(note, "aliases")[0] ?? "",
      status: textOf(note, "memory_status"),
      score: numberOf(note, "memory_score"),
      band: textOf(note, "memory_status") || "A summary",
      dropReason: textOf(note, "drop_reason"),
      why: textOf(note, "drop_reason"),
      signals: new Map(signals.map(([name2 = "", value = "0"]) => [name2, { value: Number(value) || 0, weight: 0 }])),
      sourceRef: textOf(note, "source_ref"),
      parentPath: "",
      edited: false,
      redacted: /* @__PURE__ */ new Map(),
      answers: []
    };
  }
  sync() {
    return Promise.resolve({ doneBy: "nobody", files: [] });
  }
  chunks() {
    return this.book.notes().filter((note) => note.path.startsWith(RAW) && textOf(note, "chunk_id"));
  }
  admitted() {
    return this.chunks().filter((note) => textOf(note, "memory_status") !== "dropped");
  }
  naming(entity) {
    const notes = this.admitted().filter((note) => textsOf(note, "entities").includes(entity));
    return notes.sort((one, other) => startOf(other).localeCompare(startOf(one)));
  }
};
function all(hits) {
  return { hits, total: hits.length, degraded: "", noGoodAnswer: false };
}
function idOf(note) {
  return textOf(note, "chunk_id") || textOf(note, "node_id");
}
function startOf(note) {
  const text2 = textOf(note, "time_range_start");
  return text2 && !text2.endsWith("Z") ? `${text2}Z` : text2;
}
function spanOf(notes) {
  const times2 = notes.map(startOf).sort();
  return [times2[0] ?? "", times2.at(-1) ?? ""];
}
function nameScore(note, words) {
  const names = fold([note.path, ...textsOf(note, "aliases"), ...note.headings].join(" "));
  return words.filter((word) => names.includes(word)).length;
}
function passes(note, filters) {
  const day = startOf(note).slice(0, 10);
  return (filters.dropped || textOf(note, "memory_status") !== "dropped") && (!filters.kind || textOf(note, "source_kind") === filters.kind) && (!filters.source || textOf(note, "source_id") === filters.source) && (!filters.since || day >= filters.since) && (!filters.until || day <= filters.until) && (!filters.entity || textsOf(note, "entities").some((id) => fold(id).includes(fold(filters.entity).replace(/ /g, "-"))));
}
function asHit(note, score) {
  const isLeaf = textOf(note, "chunk_id") !== "";
  return {
    nodeId: idOf(note),
    isLeaf,
    treeKind: isLeaf ? "source" : textOf(note, "tree_kind"),
    treeScope: textOf(note, "tree_scope"),
    level: numberOf(note, "tree_level"),
    content: textsOf(note, "aliases")[0] ?? note.path,
    before: "",
    after: "",
    entities: textsOf(note, "entities"),
    start: startOf(note),
    end: textOf(note, "time_range_end"),
    score,
    scoreParts: /* @__PURE__ */ new Map(),
    childIds: textsOf(note, "child_ids"),
    sourceRef: textOf(note, "source_ref"),
    notePath: note.path,
    heading: textOf(note, "heading"),
    block: "",
    lines: [1, 1],
    author: ""
  };
}

// src/engine/child.ts
var import_node_child_process = require("node:child_process");
var import_node_os = require("node:os");
var import_node_process = __toESM(require("node:process"), 1);

// src/wire/lines.ts
var Lines = class {
  constructor(take) {
    this.take = take;
  }
  take;
  decoder = new TextDecoder();
  rest = "";
  push(piece) {
    this.rest += this.decoder.decode(piece, { stream: true });
    let end = this.rest.indexOf("\n");
    while (end >= 0) {
      const line = this.rest.slice(0, end);
      this.rest = this.rest.slice(end + 1);
      if (line.trim()) this.take(line);
      end = this.rest.indexOf("\n");
    }
  }
};

// src/engine/program.ts
var import_node_fs = require("node:fs");
var import_promises = require("node:fs/promises");
var import_node_path = __toESM(require("node:path"), 1);
var NOTE = "program.txt";
function candidates(machine) {
  const { home, env } = machine;
  const windows = machine.platform === "win32";
  const rules = windows ? import_node_path.default.win32 : import_node_path.default.posix;
  const join = (...parts) => rules.join(...parts);
  const name2 = windows ? "vaultmem.exe" : "vaultmem";
  const bin = windows ? "Scripts" : "bin";
  const roaming = env["APPDATA"] ?? join(home, "AppData", "Roaming");
  const local = env["LOCALAPPDATA"] ?? join(home, "AppData", "Local");
  const homes = windows ? [join(roaming, "Python", "*", bin), join(local, "Programs", "Python", "*", bin), join(home, "pipx", "venvs", "vaultmem", bin)] : ["/opt/homebrew/bin", "/usr/local/bin", join(home, "Library", "Python", "*", "bin"), "/usr/bin"];
  const shared = env["XDG_DATA_HOME"] ?? join(home, ".local", "share");
  const venvs = ["vaultmem/.venv", ".venv", "venv", ".virtualenvs/vaultmem", ".venvs/vaultmem"];
  const folders = [
    join(home, ".local", "bin"),
    join(shared, "pipx", "venvs", "vaultmem", bin),
    join(shared, "uv", "tools", "vaultmem", bin),
    ...homes,
    ...venvs.map((venv) => join(home, ...venv.split("/"), bin)),
    ...onPath(machine)
  ];
  return [...new Set(folders.map((folder) => join(folder, name2)))];
}
function onPath({ platform, env }) {
  const windows = platform === "win32";
  const parts = (env["PATH"] ?? env["Path"] ?? "").split(windows ? ";" : ":");
  const rules = windows ? import_node_path.default.win32 : import_node_path.default.posix;
  return parts.filter((part) => rules.isAbsolute(part) && !/[\\/]shims[\\/]?$/.test(part));
}
function noteOfInstaller({ platform, home, env }) {
  const given2 = env["VAULTMEM_DATA"];
  if (platform === "win32") {
    return import_node_path.default.win32.join(given2 ?? import_node_path.default.win32.join(env["LOCALAPPDATA"] ?? import_node_path.default.win32.join(home, "AppData", "Local"), "vaultmem"), NOTE);
  }
  const shared = platform === "darwin" ? import_node_path.default.posix.join(home, "Library", "Application Support") : env["XDG_DATA_HOME"] ?? import_node_path.default.posix.join(home, ".local", "share");
  return import_node_path.default.posix.join(given2 ?? import_node_path.default.posix.join(shared, "vaultmem"), NOTE);
}
async function problemOf(program, vault) {
  if (!import_node_path.default.isAbsolute(program)) return "The path must be absolute.";
  if (isInside(program, vault)) return "A program inside the vault is not run: whoever shares the vault could change it.";
  try {
    if (!(await (0, import_promises.stat)(program)).isFile()) return "There is a folder, not a program.";
    await (0, import_promises.access)(program, import_node_fs.constants.X_OK);
    return "";
  } catch {
    return "There is no program at this path, or it may not be run.";
  }
}
function isInside(program, folder) {
  const way = import_node_path.default.relative(folder, program);
  return way !== "" && !way.startsWith("..") && !import_node_path.default.isAbsolute(way);
}
async function findProgram(machine, vault) {
  const note = noteOfInstaller(machine);
  const noted = isInside(note, vault) ? "" : (await (0, import_promises.readFile)(note, "utf8").catch(() => "")).trim();
  if (noted && !await problemOf(noted, vault)) return noted;
  for (const candidate of candidates(machine)) {
    for (const program of await expand(candidate)) {
      if (!await problemOf(program, vault)) return program;
    }
  }
  return "";
}
async function expand(candidate) {
  const [before, after] = candidate.split("*");
  if (before === void 0 || after === void 0) return [candidate];
  try {
    const names = await (0, import_promises.readdir)(before);
    return names.sort((a, b) => b.localeCompare(a, "en", { numeric: true })).map((name2) => `${before}${name2}${after}`);
  } catch {
    return [];
  }
}

// src/engine/child.ts
var host = {
  find: (vault) => findProgram({ platform: import_node_process.default.platform, home: (0, import_node_os.homedir)(), env: import_node_process.default.env }, vault),
  problemOf,
  start: startChild
};
function startChild(program, vault, note, after) {
  const child = (0, import_node_child_process.spawn)(program, ["--vault", vault, "mcp"], {
    cwd: (0, import_node_os.homedir)(),
    env: { ...import_node_process.default.env, PYTHONUTF8: "1", PYTHONUNBUFFERED: "1" },
    shell: false,
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"]
  });
  let onLine = () => void 0;
  let onClose = () => void 0;
  let last = "";
  const lines2 = new Lines((line) => onLine(line));
  child.stdout.on("data", (piece) => lines2.push(piece));
  child.stderr.on("data", (piece) => {
    last = piece.toString("utf8").trim().split("\n").pop() ?? last;
    note(piece.toString("utf8"));
  });
  child.on("error", (problem) => onClose(problem.message));
  child.on("close", (code) => onClose(last || `the engine ended (${code ?? "killed"})`));
  child.stdin.on("error", () => void 0);
  return {
    write: (line) => void child.stdin.write(`${line}
`),
    onLine: (take) => onLine = take,
    onClose: (take) => onClose = take,
    // the end of stdin ends the engine; it has two seconds for what it is writing
    close: () => {
      child.stdin.end();
      after(2500, () => void child.kill());
    }
  };
}

// src/wire/answers.ts
var lines = (value, where) => {
  const [first = 1, last = first] = list(count)(value, where);
  return [first, last];
};
var hit = (value, where) => {
  const from = new Fields(value, where);
  return {
    nodeId: from.get("node_id", text),
    isLeaf: from.get("node_kind", oneOf("leaf", "summary")) === "leaf",
    treeKind: from.get("tree_kind", text),
    treeScope: from.get("tree_scope", text),
    level: from.get("level", count),
    content: from.get("content", text),
    before: from.get("before", text),
    after: from.get("after", text),
    entities: from.get("entities", list(text)),
    start: from.get("time_range_start", text),
    end: from.get("time_range_end", text),
    score: from.get("score", count),
    scoreParts: from.get("score_parts", mapOf(count)),
    childIds: from.get("child_ids", list(text)),
    sourceRef: from.get("source_ref", text),
    notePath: from.get("note_path", text),
    heading: from.get("heading", text),
    block: from.get("block", text),
    lines: from.get("lines", lines),
    author: from.get("author", or(text, ""))
  };
};
var found = (value, where) => {
  const from = new Fields(value, where);
  return {
    hits: from.get("hits", list(hit)),
    total: from.get("total", count),
    degraded: from.get("degraded", or(text, "")),
    noGoodAnswer: from.get("no_good_answer", or(flag, false))
  };
};
var entityRow = (value, where) => {
  const from = new Fields(value, where);
  return {
    id: from.get("id", text),
    kind: from.get("kind", text),
    displayName: from.get("display_name", text),
    aliases: from.get("aliases", list(text)),
    mentions: from.get("mentions", count),
    notePath: from.get("note_path", text)
  };
};
var entityList = (value, where) => {
  const from = new Fields(value, where);
  return {
    hits: from.get("hits", list(entityRow)),
    total: from.get("total", count),
    degraded: from.get("degraded", or(text, ""))
  };
};
var sourceRow = (value, where) => {
  const from = new Fields(value, where);
  return {
    sourceId: from.get("source_id", text),
    kind: from.get("source_kind", text),
    scope: from.get("tree_scope", text),
    title: from.get("title", text),
    chunks: from.get("chunks", count),
    dropped: from.get("dropped", count),
    first: from.get("first", text),
    last: from.get("last", text),
    state: from.get("state", oneOf("idle", "recent", "active"))
  };
};
var sourceList = (value, where) => {
  const from = new Fields(value, where);
  return {
    hits: from.get("hits", list(sourceRow)),
    total: from.get("total", count),
    degraded: from.get("degraded", or(text, ""))
  };
};
var signal = (value, where) => {
  const from = new Fields(value, where);
  return { value: from.get("value", count), weight: from.get("weight", count) };
};
var answered = (value, where) => {
  const from = new Fields(value, where);
  return {
    rank: from.get("rank", count),
    score: from.get("score", count),
    scoreParts: from.get("score_parts", mapOf(count)),
    content: from.get("content", text)
  };
};
var explained = (value, where) => {
  const from = new Fields(value, where);
  return {
    nodeId: from.get("node_id", text),
    isLeaf: from.get("node_kind", oneOf("leaf", "summary")) === "leaf",
    notePath: from.get("note_path", text),
    title: from.get("title", text),
    status: from.get("status", text),
    score: from.get("score", count),
    band: from.get("band", text),
    dropReason: from.get("drop_reason", text),
    why: from.get("why", text),
    signals: from.get("signals", mapOf(signal)),
    sourceRef: from.get("source_ref", text),
    parentPath: from.get("parent_path", text),
    edited: from.get("edited", flag),
    redacted: from.get("redacted", mapOf(count)),
    answers: from.get("answers", list(answered))
  };
};
var droppedRow = (value, where) => {
  const from = new Fields(value, where);
  return {
    chunkId: from.get("chunk_id", text),
    reason: from.get("reason", text),
    why: from.get("why", text),
    score: from.get("score", count),
    start: from.get("time_range_start", text),
    sourceId: from.get("source_id", text),
    notePath: from.get("note_path", text),
    text: from.get("text", text)
  };
};
var droppedList = (value, where) => {
  const from = new Fields(value, where);
  return { rows: from.get("dropped", list(droppedRow)), total: from.get("total", count) };
};
var graphNode = (value, where) => {
  const from = new Fields(value, where);
  return {
    id: from.get("entity_id", text),
    displayName: from.get("display_name", text),
    hops: from.get("hops", count),
    chunks: from.get("chunks", count),
    notePath: from.get("note_path", text)
  };
};
var graphEdge = (value, where) => {
  const from = new Fields(value, where);
  return { subject: from.get("subject", text), object: from.get("object", text), weight: from.get("weight", count) };
};
var entityGraph = (value, where) => {
  const from = new Fields(value, where);
  return {
    entity: from.get("entity", text),
    nodes: from.get("nodes", list(graphNode)),
    edges: from.get("edges", list(graphEdge))
  };
};
var month = (value, where) => {
  const from = new Fields(value, where);
  return { month: from.get("month", text), chunks: from.get("chunks", count) };
};
var timeline = (value, where) => {
  const from = new Fields(value, where);
  return {
    entity: from.get("entity", text),
    displayName: from.get("display_name", text),
    notePath: from.get("note_path", text),
    chunks: from.get("chunks", count),
    months: from.get("months", list(month))
  };
};
var digest = (value, where) => {
  const from = new Fields(value, where);
  return {
    period: from.get("period", text),
    title: from.get("title", text),
    nodeId: from.get("node_id", text),
    notePath: from.get("note_path", text),
    content: from.get("content", text),
    childIds: from.get("child_ids", list(text)),
    degraded: from.get("degraded", or(text, ""))
  };
};
var status = (value, where) => {
  const from = new Fields(value, where);
  return {
    counts: from.get("counts", mapOf(count)),
    lastPass: from.get("last_pass", text),
    stale: from.get("stale", count),
    inbox: from.get("inbox", list(text)),
    skipped: from.get("skipped", mapOf(text)),
    failed: from.get("failed", list(text)),
    unfinished: from.get("unfinished", count),
    problems: from.get("problems", mapOf(text)),
    writer: from.get("writer", text),
    degraded: from.get("degraded", list(text)),
    jobs: from.get("jobs", mapOf(count))
  };
};
var fileRow = (value, where) => {
  const from = new Fields(value, where);
  return { file: from.get("file", text), outcome: from.get("outcome", text), reason: from.get("reason", or(text, "")) };
};
var synced = (value, where) => {
  const from = new Fields(value, where);
  return { doneBy: from.get("done_by", text), files: from.get("files", list(fileRow)) };
};

// src/wire/engine_memory.ts
var MANY = 100;
var EngineMemory = class {
  constructor(call) {
    this.call = call;
  }
  call;
  recall(query, filters, limit, signal2) {
    return this.call("memory_search", { query, k: limit, ...given(filters) }, found, signal2);
  }
  sources() {
    return this.call("memory_tree", { mode: "sync_status_list", limit: 1e3 }, sourceList);
  }
  roots(scope) {
    return this.call("memory_tree", { mode: "query_source", source: scope, limit: MANY }, found);
  }
  below(nodeId) {
    return this.call("memory_tree", { mode: "drill_down", node_id: nodeId, limit: MANY }, found);
  }
  entities(query, limit, signal2) {
    return this.call("memory_tree", { mode: "search_entities", query, limit }, entityList, signal2);
  }
  async mentions(entity, name2, limit) {
    const found2 = await this.call("memory_search", { query: name2, entity, k: limit }, found);
    return { ...found2, hits: found2.hits.sort((one, other) => other.start.localeCompare(one.start)) };
  }
  timeline(entity) {
    return this.call("memory_view", { view: "timeline", of: entity }, timeline);
  }
  graph(entity, hops, limit) {
    return this.call("memory_view", { view: "graph", of: entity, hops, limit }, entityGraph);
  }
  digest(period) {
    return this.call("memory_view", { view: "digest", of: period }, digest);
  }
  dropped(limit) {
    return this.call("memory_view", { view: "dropped", limit }, droppedList);
  }
  status() {
    return this.call("memory_status", {}, status);
  }
  explain(nodeId, query) {
    return this.call("memory_explain", { node_id: nodeId, query }, explained);
  }
  sync(rebuild2) {
    return this.call("memory_sync", { rebuild: rebuild2 }, synced);
  }
};
function given(filters) {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== "" && value !== false));
}

// src/engine/engine.ts
var MOST_STARTS = 3;
var MINUTE_MS = 6e4;
var MOST_LOG_LINES = 200;
var NoEngine = class extends Error {
  name = "NoEngine";
};
var Engine = class {
  constructor(host2, settings, after, now = Date.now) {
    this.host = host2;
    this.settings = settings;
    this.after = after;
    this.now = now;
    this.memory = new EngineMemory((tool, given2, decode, signal2) => this.call(tool, given2, decode, signal2));
  }
  host;
  settings;
  after;
  now;
  memory;
  state = { name: "idle" };
  log = [];
  running;
  starts = [];
  watchers = /* @__PURE__ */ new Set();
  /** Be told whenever the state changes; the answer ends that. */
  watch(told) {
    this.watchers.add(told);
    return () => this.watchers.delete(told);
  }
  get isDown() {
    return this.state.name === "missing" || this.state.name === "failed" || this.state.name === "stopped";
  }
  /** Forget failures and start anew. */
  async restart() {
    await this.stop();
    this.starts = [];
    this.set({ name: "idle" });
    await this.client();
  }
  /** End the child; questions after that start none. */
  async stop() {
    const running = this.running;
    this.running = void 0;
    this.set({ name: "stopped" });
    const found2 = await running?.catch(() => void 0);
    found2?.pipe.close();
  }
  async call(tool, given2, decode, signal2) {
    const client = await this.client();
    try {
      return await client.call(tool, given2, decode, signal2);
    } catch (problem) {
      if (problem instanceof Gone) throw new NoEngine(problem.message);
      throw problem;
    }
  }
  /** The running engine's client. Throws NoEngine. */
  async client() {
    if (!this.running && this.isDown) throw new NoEngine(this.told());
    this.running ??= this.start();
    try {
      return (await this.running).client;
    } catch (problem) {
      this.running = void 0;
      throw problem;
    }
  }
  async start() {
    this.starts = [...this.starts.filter((at) => this.now() - at < MINUTE_MS), this.now()];
    this.set({ name: "starting" });
    const { vault, pluginVersion } = this.settings;
    const program = this.settings.chosen() || await this.host.find(vault);
    if (!program) return this.fail({ name: "missing" });
    const problem = await this.host.problemOf(program, vault);
    if (problem) return this.fail({ name: "failed", reason: `${program}: ${problem}` });
    const pipe = this.host.start(program, vault, (text2) => this.note(text2), this.after);
    const client = new RpcClient(
      {
        write: (line) => pipe.write(line),
        onLine: (take) => pipe.onLine(take),
        onClose: (take) => pipe.onClose((reason) => {
          take(reason);
          this.ended(reason);
        }),
        close: () => pipe.close()
      },
      this.after
    );
    try {
      const version = await client.hello(pluginVersion);
      this.set({ name: "ready", program, version });
      return { client, pipe };
    } catch (cause) {
      pipe.close();
      return this.fail({ name: "failed", reason: cause instanceof Error ? cause.message : String(cause) });
    }
  }
  fail(state) {
    this.set(state);
    throw new NoEngine(this.told());
  }
  /** It died by itself: the next question starts it, but one that keeps dying is left alone. */
  ended(reason) {
    this.note(reason);
    if (this.state.name !== "ready") return;
    this.running = void 0;
    this.set(this.starts.length < MOST_STARTS ? { name: "idle" } : { name: "failed", reason });
  }
  told() {
    if (this.state.name === "missing") return "The program was not found on this computer.";
    return this.state.name === "failed" ? this.state.reason : "The engine was stopped.";
  }
  note(text2) {
    this.log.push(...text2.split("\n").filter((line) => line.trim()));
    this.log.splice(0, Math.max(0, this.log.length - MOST_LOG_LINES));
  }
  set(state) {
    this.state = state;
    for (const told of this.watchers) told();
  }
};

// src/engine/note_book.ts
var import_obsidian6 = require("obsidian");
var ObsidianNotes = class {
  constructor(app, inboxFolder, owner) {
    this.app = app;
    this.inboxFolder = inboxFolder;
    const forget = () => this.held = void 0;
    owner.registerEvent(app.metadataCache.on("changed", forget));
    owner.registerEvent(app.metadataCache.on("deleted", forget));
    owner.registerEvent(app.vault.on("rename", forget));
  }
  app;
  inboxFolder;
  held;
  notes() {
    this.held ??= this.app.vault.getMarkdownFiles().map((file) => {
      const cache = this.app.metadataCache.getFileCache(file);
      return { path: file.path, properties: propertiesOf(cache), headings: (cache?.headings ?? []).map(({ heading: heading2 }) => heading2) };
    });
    return this.held;
  }
  async body(path2) {
    const file = this.app.vault.getFileByPath(path2);
    if (!file) return "";
    const text2 = await this.app.vault.cachedRead(file);
    const end = this.app.metadataCache.getFileCache(file)?.frontmatterPosition?.end.offset ?? 0;
    return text2.slice(end).trimStart();
  }
  inbox() {
    const root = this.app.vault.getFolderByPath(this.inboxFolder());
    return root ? filesBelow(root).map((file) => file.path.slice(root.path.length + 1)) : [];
  }
  today() {
    return new Intl.DateTimeFormat("en-CA").format(/* @__PURE__ */ new Date());
  }
};
function propertiesOf(cache) {
  return { ...cache?.frontmatter };
}
function filesBelow(folder) {
  return folder.children.flatMap((child) => {
    if (child instanceof import_obsidian6.TFile) return [child];
    return child instanceof import_obsidian6.TFolder ? filesBelow(child) : [];
  });
}

// src/engine/routed_memory.ts
function routed(engine, notes) {
  const ask2 = async (question) => {
    try {
      return await question(engine);
    } catch (problem) {
      if (problem instanceof NoEngine) return question(notes);
      throw problem;
    }
  };
  return {
    recall: (query, filters, limit, signal2) => ask2((memory) => memory.recall(query, filters, limit, signal2)),
    sources: () => ask2((memory) => memory.sources()),
    roots: (scope) => ask2((memory) => memory.roots(scope)),
    below: (nodeId) => ask2((memory) => memory.below(nodeId)),
    entities: (query, limit, signal2) => ask2((memory) => memory.entities(query, limit, signal2)),
    mentions: (entity, name2, limit) => ask2((memory) => memory.mentions(entity, name2, limit)),
    timeline: (entity) => ask2((memory) => memory.timeline(entity)),
    graph: (entity, hops, limit) => ask2((memory) => memory.graph(entity, hops, limit)),
    digest: (period) => ask2((memory) => memory.digest(period)),
    dropped: (limit) => ask2((memory) => memory.dropped(limit)),
    status: () => ask2((memory) => memory.status()),
    explain: (nodeId, query) => ask2((memory) => memory.explain(nodeId, query)),
    sync: (rebuild2) => ask2((memory) => memory.sync(rebuild2))
  };
}

// src/settings.ts
var import_obsidian8 = require("obsidian");

// src/views/log_modal.ts
var import_obsidian7 = require("obsidian");
var LogModal = class extends import_obsidian7.Modal {
  constructor(desk) {
    super(desk.app);
    this.desk = desk;
  }
  desk;
  onOpen() {
    this.setTitle("Engine log");
    const { log, state } = this.desk.engine;
    said(this.contentEl, "", `State: ${state.name}${state.name === "failed" ? `, ${state.reason}` : ""}`);
    if (log.length) this.contentEl.createEl("pre", { cls: "vaultmem-log", text: log.join("\n") });
    else said(this.contentEl, "", "It said nothing.");
  }
  onClose() {
    this.contentEl.empty();
  }
};

// src/settings.ts
var DEFAULTS = { limit: 20, inbox: "inbox" };
var PROGRAM = "vaultmem-program";
function readSettings(data) {
  const held = typeof data === "object" && data !== null ? data : {};
  const limit = Number(held.limit);
  const inbox = typeof held.inbox === "string" ? held.inbox.trim() : "";
  return { limit: limit >= 5 && limit <= 100 ? Math.round(limit) : DEFAULTS.limit, inbox: inbox || DEFAULTS.inbox };
}
function chosenProgram(app) {
  const held = app.loadLocalStorage(PROGRAM);
  return typeof held === "string" ? held : "";
}
function chooseProgram(app, program) {
  app.saveLocalStorage(PROGRAM, program || null);
}
var SettingsTab = class extends import_obsidian8.PluginSettingTab {
  constructor(plugin, desk) {
    super(plugin.app, plugin);
    this.plugin = plugin;
    this.desk = desk;
  }
  plugin;
  desk;
  /** Obsidian before 1.13. */
  display() {
    this.containerEl.empty();
    for (const { name: name2, desc, render } of this.rows()) {
      render(new import_obsidian8.Setting(this.containerEl).setName(name2).setDesc(desc));
    }
  }
  /** Obsidian from 1.13 on, whose search finds them. */
  getSettingDefinitions() {
    return this.rows();
  }
  rows() {
    return [
      {
        name: "Program",
        desc: "Path of the vaultmem program on this device. Empty: it is looked for where Python programs usually are.",
        render: (setting) => programRow(setting, this.desk)
      },
      {
        name: "Engine",
        desc: "Restart it, or see what it last said.",
        render: (setting) => engineRow(setting, this.desk)
      },
      {
        name: "Results",
        desc: "How many a list shows.",
        render: (setting) => {
          setting.addSlider(
            (slider) => slider.setLimits(5, 100, 5).setValue(this.plugin.settings.limit).onChange((limit) => this.keep({ limit }))
          );
        }
      },
      {
        name: "Inbox folder",
        desc: "What you ingest is dropped there. The engine's own setting has to name the same folder.",
        render: (setting) => {
          setting.addText(
            (text2) => text2.setPlaceholder(DEFAULTS.inbox).setValue(this.plugin.settings.inbox).onChange((inbox) => this.keep({ inbox }))
          );
        }
      }
    ];
  }
  async keep(part) {
    this.plugin.settings = readSettings({ ...this.plugin.settings, ...part });
    await this.plugin.saveSettings();
  }
};
function programRow(setting, desk) {
  setting.addText((text2) => {
    text2.setPlaceholder("/home/you/.local/bin/vaultmem").setValue(chosenProgram(desk.app));
    text2.inputEl.setAttr("aria-label", "Path of the program");
    text2.inputEl.addEventListener("change", () => chooseProgram(desk.app, text2.getValue().trim()));
  });
  setting.addButton((button) => button.setButtonText("Test").onClick(() => test(desk)));
}
function engineRow(setting, desk) {
  setting.addButton((button) => button.setButtonText("Restart").onClick(() => test(desk)));
  setting.addButton((button) => button.setButtonText("Show log").onClick(() => new LogModal(desk).open()));
}
async function test(desk) {
  try {
    await desk.engine.restart();
    const { state } = desk.engine;
    if (state.name === "ready") new import_obsidian8.Notice(`The engine runs: ${state.program}, version ${state.version}.`);
  } catch (problem) {
    new import_obsidian8.Notice(problemText(problem));
  }
}

// src/views/program_modal.ts
var import_obsidian9 = require("obsidian");
var ProgramModal = class extends import_obsidian9.Modal {
  constructor(desk) {
    super(desk.app);
    this.desk = desk;
  }
  desk;
  onOpen() {
    this.setTitle("Where is vaultmem?");
    const row = new import_obsidian9.Setting(this.contentEl).setName("Program").setDesc("Its full path on this device. It is kept here only, never in the vault.");
    programRow(row, this.desk);
  }
  onClose() {
    this.contentEl.empty();
  }
};

// src/views/recall_view.ts
var import_obsidian14 = require("obsidian");

// src/views/filter_bar.ts
var import_obsidian10 = require("obsidian");
var KINDS = { "": "All kinds", chat: "Chats", email: "Mails", document: "Documents" };
var FilterBar = class {
  constructor(parent, desk, changed) {
    this.desk = desk;
    this.changed = changed;
    this.panel = parent.createDiv({ cls: "vaultmem-filters", attr: { role: "group", "aria-label": "Filters" } });
    this.panel.hide();
  }
  desk;
  changed;
  value = NO_FILTERS;
  panel;
  isBuilt = false;
  /** Show or hide it; whether it is shown. */
  toggle() {
    const open2 = !this.panel.isShown();
    this.panel.toggle(open2);
    if (open2 && !this.isBuilt) this.build();
    return open2;
  }
  build() {
    this.isBuilt = true;
    this.panel.empty();
    const kinds = new import_obsidian10.DropdownComponent(this.field("Kind")).addOptions(KINDS);
    kinds.onChange((kind) => this.set({ kind: isKind(kind) ? kind : "" }));
    const sources = new import_obsidian10.DropdownComponent(this.field("Source")).addOption("", "All sources");
    sources.onChange((source) => this.set({ source }));
    this.desk.memory.sources().then(
      ({ hits }) => {
        for (const row of hits) sources.addOption(row.sourceId, row.title || row.sourceId);
      },
      () => void 0
      // without sources there is nothing to choose from
    );
    const since = this.day("From", (day) => this.set({ since: day }));
    const until = this.day("Until", (day) => this.set({ until: day }));
    const entity = new import_obsidian10.TextComponent(this.field("About")).setPlaceholder("Person or topic");
    entity.inputEl.addEventListener("change", () => this.set({ entity: entity.getValue().trim() }));
    const dropped = this.field("Also what was dropped").createEl("input", { type: "checkbox" });
    dropped.addEventListener("change", () => this.set({ dropped: dropped.checked }));
    textButton(this.panel, "Clear filters", () => {
      this.value = NO_FILTERS;
      for (const each of [kinds, sources]) each.setValue("");
      for (const input of [since, until, entity.inputEl]) input.value = "";
      dropped.checked = false;
      this.changed();
    });
  }
  field(name2) {
    const label = this.panel.createEl("label", { cls: "vaultmem-field" });
    label.createSpan({ text: name2 });
    return label;
  }
  day(name2, take) {
    const input = this.field(name2).createEl("input", { type: "date" });
    input.addEventListener("change", () => take(input.value));
    return input;
  }
  set(part) {
    this.value = { ...this.value, ...part };
    this.changed();
  }
};
function isKind(kind) {
  return kind in KINDS;
}

// src/views/hit_list.ts
var import_obsidian11 = require("obsidian");

// src/domain/why.ts
var PARTS = {
  words: "Its own words",
  near: "Words beside it",
  parent: "Words of its note",
  vector: "Its meaning",
  title: "The name of its note",
  asks: "It answers the kind of question",
  when: "It says when",
  time: "Its time",
  speaker: "Who said it",
  entities: "People and things named",
  recency: "How recent it is"
};
var SIGNALS = {
  token_count: "Length",
  unique_words: "Variety of words",
  metadata_weight: "Kind of source",
  source_weight: "Source",
  interaction: "Your part in it",
  entity_density: "Names and numbers",
  llm_importance: "Importance, by a model",
  sent: "You wrote it",
  reply: "It is a reply",
  dm: "A direct message",
  mention: "It mentions you",
  priority_high: "Marked as important"
};
function whyRows(parts) {
  const rows = [...parts].filter(([, value]) => Math.abs(value) >= 5e-4).sort(([, one], [, other]) => other - one);
  const most = Math.max(...rows.map(([, value]) => Math.abs(value)), 1e-9);
  return rows.map(([name2, value]) => ({ name: PARTS[name2] ?? name2, value, share: Math.abs(value) / most }));
}
function signalRows(explained2) {
  const rows = [...explained2.signals].sort(([, one], [, other]) => other.weight - one.weight);
  return rows.map(([name2, { value }]) => ({ name: SIGNALS[name2] ?? name2, value, share: Math.min(1, Math.max(0, value)) }));
}
function decisionLines(explained2) {
  const redacted = [...explained2.redacted].map(([family, count2]) => `${count2} × ${family}`).join(", ");
  return [
    capital(explained2.band),
    explained2.why && capital(explained2.why),
    explained2.sourceRef && `From ${explained2.sourceRef}`,
    redacted && `Secrets taken out: ${redacted}`,
    explained2.edited ? "A person edited it" : "",
    explained2.parentPath && `Summed up in ${explained2.parentPath}`
  ].filter((line) => line !== "");
}
function whyListed(hit2) {
  return hit2.isLeaf ? "Listed by its time, not ranked." : `Stands for ${hit2.childIds.length} below it.`;
}

// src/views/roving.ts
var ROW = "[data-row]";
function roving(list2, keys = {}) {
  const rows = () => [...list2.querySelectorAll(ROW)].filter((row) => row.getClientRects().length > 0);
  const focus = (row) => {
    if (!row) return false;
    for (const other of rows()) other.tabIndex = other === row ? 0 : -1;
    row.focus();
    row.scrollIntoView({ block: "nearest" });
    return true;
  };
  const current = () => list2.doc.activeElement?.closest(ROW) ?? null;
  const step = (by) => {
    const all2 = rows();
    const at = all2.findIndex((row) => row === current());
    if (at === 0 && by < 0 && keys.above) {
      keys.above();
      return true;
    }
    return focus(all2[Math.min(all2.length - 1, Math.max(0, at + by))]);
  };
  const sideways = (row, right) => {
    if (keys.isAcross) return step(right ? 1 : -1);
    if (!keys.expand || !row.instanceOf(HTMLElement)) return false;
    keys.expand(row, right);
    return true;
  };
  const act = (event) => {
    const row = current();
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return false;
    switch (event.key) {
      case "ArrowDown":
        return step(1);
      case "ArrowUp":
        return step(-1);
      case "Home":
        return focus(rows()[0]);
      case "End":
        return focus(rows().at(-1));
      case "ArrowRight":
      case "ArrowLeft":
        return sideways(row, event.key === "ArrowRight");
      default:
        return false;
    }
  };
  asHtml(list2).addEventListener("keydown", (event) => {
    if (act(event)) event.preventDefault();
  });
  return {
    refresh: () => {
      const all2 = rows();
      const held = all2.find((row) => row === current()) ?? all2[0];
      for (const row of all2) row.tabIndex = row === held ? 0 : -1;
    },
    enter: () => focus(rows()[0])
  };
}
function onActivate(row, act) {
  const target = asHtml(row);
  target.addEventListener("click", act);
  target.addEventListener("auxclick", (event) => {
    if (event.button === 1) act(event);
  });
  target.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== row) return;
    event.preventDefault();
    act(event);
  });
}
function asHtml(element) {
  return element;
}

// src/views/hit_list.ts
var HitList = class {
  constructor(list2, settings) {
    this.list = list2;
    this.settings = settings;
    list2.addClass("vaultmem-hits");
    list2.setAttrs({ role: "list", "aria-label": "Results" });
    this.rows = roving(list2, {
      expand: (row, open2) => void this.explain(row, open2),
      ...settings.above ? { above: settings.above } : {}
    });
  }
  list;
  settings;
  rows;
  shown = /* @__PURE__ */ new Map();
  show(hits) {
    this.list.empty();
    this.shown.clear();
    const calendar = this.settings.desk.calendar();
    for (const hit2 of hits) this.add(hit2, calendar);
    this.rows.refresh();
  }
  enter() {
    return this.rows.enter();
  }
  add(hit2, calendar) {
    const row = hitRow(hit2, this.settings.query(), calendar);
    const item = this.list.createDiv({ cls: "vaultmem-hit", attr: { role: "listitem" } });
    const self = item.createDiv({
      cls: "tree-item-self is-clickable vaultmem-row",
      attr: { "data-row": "", role: "button", draggable: "true", "aria-expanded": "false", tabindex: "-1" }
    });
    const inner = self.createDiv({ cls: "vaultmem-row-inner" });
    const top = inner.createDiv({ cls: "vaultmem-row-top" });
    top.createSpan({ cls: "vaultmem-row-title", text: row.title });
    if (row.details.length) top.createSpan({ cls: "vaultmem-row-details", text: row.details.join(" · ") });
    marked(inner.createDiv({ cls: "vaultmem-row-text" }), row.excerpt);
    inner.createDiv({ cls: "vaultmem-row-place", text: row.place, attr: { title: hit2.notePath } });
    const why = iconButton(self, "help-circle", "Why this result", () => {
      void this.explain(self, self.getAttr("aria-expanded") !== "true");
    });
    why.tabIndex = -1;
    why.addEventListener("click", (event) => event.stopPropagation());
    this.shown.set(self, hit2);
    this.connect(self, hit2);
  }
  connect(row, hit2) {
    const { desk, view, hoverParent } = this.settings;
    onActivate(row, (event) => {
      openHit(desk.app, hit2, whereOf(event)).catch((problem) => new import_obsidian11.Notice(problemText(problem)));
    });
    row.addEventListener("mouseover", (event) => {
      const linktext = linkText(hit2);
      desk.app.workspace.trigger("hover-link", { event, source: view, hoverParent, targetEl: row, linktext, sourcePath: "" });
    });
    row.addEventListener("dragstart", (event) => event.dataTransfer?.setData("text/plain", wikilink(hit2)));
    row.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      hitMenu(desk, hit2, () => void this.explain(row, true)).showAtMouseEvent(event);
    });
  }
  /** Open or close what stands behind a result. */
  async explain(row, open2) {
    const item = row.parentElement;
    const hit2 = this.shown.get(row);
    if (!item || !hit2 || row.getAttr("aria-expanded") === "true" === open2) return;
    row.setAttr("aria-expanded", String(open2));
    item.find(".vaultmem-why")?.remove();
    if (!open2) return;
    const why = item.createDiv({ cls: "vaultmem-why" });
    const parts = whyRows(hit2.scoreParts);
    if (parts.length) bars(why, parts);
    else said(why, "", whyListed(hit2));
    try {
      const told = await this.settings.desk.memory.explain(hit2.nodeId, "");
      for (const line of decisionLines(told)) why.createDiv({ cls: "vaultmem-why-line", text: line });
      const signals = signalRows(told);
      if (signals.length) {
        why.createDiv({ cls: "vaultmem-why-title", text: "Why memory kept it" });
        bars(why, signals);
      }
    } catch (problem) {
      said(why, "mod-error", problemText(problem));
    }
  }
};
function hitMenu(desk, hit2, explain) {
  const { app } = desk;
  const menu = new import_obsidian11.Menu();
  const add = (title, icon, act) => {
    menu.addItem((item) => item.setTitle(title).setIcon(icon).onClick(act));
  };
  add("Open in new tab", "file-plus", () => open(app, hit2));
  if (explain) add("Why this result", "help-circle", explain);
  menu.addSeparator();
  add("Copy link", "link", () => copy(wikilink(hit2)));
  add("Insert link", "text-cursor-input", () => desk.insertLink(hit2));
  add("Copy as quotation", "quote", () => copy(asContext(hit2, desk.calendar())));
  menu.addSeparator();
  add("Show in the tree", "list-tree", () => void desk.show("vaultmem-tree", hit2.isLeaf ? hit2.treeScope : hit2.nodeId));
  const [first] = hit2.entities;
  if (first) add("Show who is named", "users", () => void desk.show("vaultmem-entity", first));
  return menu;
}
function open(app, hit2) {
  openHit(app, hit2, "tab").catch((problem) => new import_obsidian11.Notice(problemText(problem)));
}
function copy(text2) {
  activeWindow.navigator.clipboard.writeText(text2).then(
    () => new import_obsidian11.Notice("Copied."),
    (problem) => new import_obsidian11.Notice(problemText(problem))
  );
}

// src/views/memory_view.ts
var import_obsidian13 = require("obsidian");

// src/views/banner.ts
var import_obsidian12 = require("obsidian");
var INSTALL = "pipx install vaultmem";
function engineBanner(parent, desk) {
  const { engine } = desk;
  const { state } = engine;
  parent.empty();
  parent.toggleClass("vaultmem-banner", engine.isDown || state.name === "starting");
  if (state.name === "starting") parent.createDiv({ text: "Starting the engine…" });
  if (!engine.isDown) return;
  parent.createDiv({ cls: "vaultmem-banner-title", text: "The engine is not running" });
  if (state.name === "failed") parent.createDiv({ cls: "vaultmem-reason", text: state.reason });
  if (state.name === "missing") {
    const line = parent.createDiv({ text: "The program was not found on this computer. Install it in a terminal: " });
    line.createEl("code", { text: INSTALL });
  }
  parent.createDiv({ text: "Until it runs you see what the notes' properties and names say, and files you add wait in the inbox." });
  const buttons = parent.createDiv({ cls: "vaultmem-buttons" });
  textButton(buttons, "Try again", () => {
    engine.restart().catch((problem) => new import_obsidian12.Notice(problemText(problem)));
  });
  textButton(buttons, "Choose the program", () => desk.chooseProgram());
}

// src/views/memory_view.ts
var MemoryView = class extends import_obsidian13.ItemView {
  constructor(leaf, desk) {
    super(leaf);
    this.desk = desk;
  }
  desk;
  /** What the view is about, as the workspace remembers it. */
  about = "";
  body;
  asked;
  banner;
  async onOpen() {
    this.contentEl.empty();
    this.contentEl.addClass("vaultmem-view");
    const top = this.contentEl.createDiv({ cls: "vaultmem-top" });
    this.banner = this.contentEl.createDiv({ attr: { role: "status" } });
    this.body = this.contentEl.createDiv({ cls: "vaultmem-body" });
    this.build(top);
    engineBanner(this.banner, this.desk);
    this.register(this.desk.engine.watch(() => engineBanner(this.banner, this.desk)));
    await this.refresh();
  }
  async onClose() {
    this.asked?.abort();
    this.contentEl.empty();
  }
  getState() {
    return { ...super.getState(), about: this.about };
  }
  async setState(state, result) {
    await super.setState(state, result);
    const about = typeof state === "object" && state !== null && "about" in state ? state.about : void 0;
    if (typeof about === "string" && about !== this.about) {
      this.about = about;
      await this.refresh();
    }
  }
  /** Ask anew; an answer that comes after a later question is dropped. */
  async refresh() {
    if (!this.body) return;
    this.asked?.abort();
    const asked = new AbortController();
    this.asked = asked;
    this.body.addClass("is-loading");
    try {
      await this.fill(asked.signal);
    } catch (problem) {
      if (problem instanceof Cancelled || asked.signal.aborted) return;
      this.body.empty();
      said(this.body, "mod-error", problemText(problem)).setAttr("role", "alert");
    } finally {
      if (this.asked === asked) this.body.removeClass("is-loading");
    }
  }
};

// src/views/recall_view.ts
var REST_MS = 15;
var RecallView = class extends MemoryView {
  icon = "search";
  search;
  filters;
  getViewType() {
    return VIEWS.recall;
  }
  getDisplayText() {
    return "Recall";
  }
  build(top) {
    const row = top.createDiv({ cls: "vaultmem-search" });
    this.search = new import_obsidian14.SearchComponent(row.createDiv({ cls: "vaultmem-search-box" }));
    this.search.setPlaceholder("Ask your memory…").setValue(this.about);
    this.search.inputEl.setAttr("aria-label", "Ask your memory");
    const ask2 = (0, import_obsidian14.debounce)(() => void this.refresh(), REST_MS, true);
    this.search.onChange((value) => {
      this.about = value;
      this.app.workspace.requestSaveLayout();
      ask2();
    });
    this.search.inputEl.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" && this.hits?.enter()) event.preventDefault();
      if (event.key === "Enter" && !event.isComposing) ask2();
    });
    this.filters = new FilterBar(top.createDiv(), this.desk, () => void this.refresh());
    const toggle = iconButton(row, "sliders-horizontal", "Filters", () => {
      toggle.setAttr("aria-expanded", String(this.filters.toggle()));
    });
    toggle.setAttr("aria-expanded", "false");
  }
  hits;
  /** Put the cursor where one types. */
  focus() {
    this.search.inputEl.focus();
    this.search.inputEl.select();
  }
  async fill(signal2) {
    if (this.search.getValue() !== this.about) this.search.setValue(this.about);
    const query = this.about.trim();
    if (!query) {
      this.hits = void 0;
      this.body.empty();
      said(this.body, "pane-empty", "Ask in your own words. People, times like “last week” and topics all count.");
      return;
    }
    const filters = this.filters?.value ?? NO_FILTERS;
    const found2 = await this.desk.memory.recall(query, filters, this.desk.limit(), signal2);
    if (signal2.aborted) return;
    this.body.empty();
    if (found2.noGoodAnswer && found2.hits.length) said(this.body, "mod-weak", "Nothing answers this well. This comes nearest:");
    const list2 = this.body.createDiv();
    this.hits = new HitList(list2, {
      desk: this.desk,
      view: VIEWS.recall,
      hoverParent: this,
      query: () => query,
      above: () => this.focus()
    });
    this.hits.show(found2.hits);
    if (!found2.hits.length) said(this.body, "pane-empty", "Nothing found.");
    const more = found2.total - found2.hits.length;
    const left = more > 0 ? `${found2.hits.length} of ${found2.total} passages that hold these words.` : "";
    if (left) said(this.body, "mod-foot", left);
    if (found2.degraded) said(this.body, "mod-foot", `Missing: ${found2.degraded}`);
  }
};

// src/open_desk.ts
var DOCKED = [VIEWS.recall, VIEWS.tree, VIEWS.entity, VIEWS.ingest];
function openDesk(plugin) {
  const { app } = plugin;
  const { adapter } = app.vault;
  const engine = new Engine(
    host,
    {
      vault: adapter instanceof import_obsidian15.FileSystemAdapter ? adapter.getBasePath() : "",
      chosen: () => chosenProgram(app),
      pluginVersion: plugin.manifest.version
    },
    (ms, act) => {
      const timer = window.setTimeout(act, ms);
      return () => window.clearTimeout(timer);
    }
  );
  plugin.register(() => void engine.stop());
  plugin.registerEvent(app.workspace.on("quit", () => void engine.stop()));
  const inbox = () => plugin.settings.inbox;
  const desk = {
    app,
    engine,
    inbox,
    memory: routed(engine.memory, new NotesMemory(new ObsidianNotes(app, inbox, plugin))),
    calendar: () => ({ now: /* @__PURE__ */ new Date(), locale: void 0, zone: void 0 }),
    limit: () => plugin.settings.limit,
    show: (view, about) => show(plugin, view, about),
    takeOver: () => takeOver(desk),
    insertLink: (hit2) => insertLink(plugin, hit2),
    chooseProgram: () => new ProgramModal(desk).open()
  };
  return desk;
}
async function show(plugin, view, about) {
  const { workspace } = plugin.app;
  let leaf = workspace.getLeavesOfType(view)[0];
  if (!leaf && DOCKED.includes(view)) leaf = await workspace.ensureSideLeaf(view, "right", { active: true });
  leaf ??= workspace.getLeaf("tab");
  if (about !== void 0 || leaf.getViewState().type !== view) {
    await leaf.setViewState({ type: view, active: true, ...about === void 0 ? {} : { state: { about } } });
  }
  await workspace.revealLeaf(leaf);
  if (leaf.view instanceof RecallView) leaf.view.focus();
}
async function takeOver(desk) {
  try {
    const done = await desk.memory.sync(false);
    const failed = done.files.filter((file) => file.outcome === "failed");
    if (failed.length) new import_obsidian15.Notice(`Could not be read: ${failed.map((file) => `${file.file} (${file.reason})`).join(", ")}`);
    else new import_obsidian15.Notice(SAID[done.doneBy] ?? done.doneBy);
  } catch (problem) {
    new import_obsidian15.Notice(problemText(problem));
  }
}
var SAID = {
  "this call": "Memory is up to date.",
  background: "Memory is being brought up to date in the background.",
  watch: "The running watch takes it over.",
  nobody: "The engine is not running: what is in the inbox waits there."
};
function insertLink(plugin, hit2) {
  const { workspace } = plugin.app;
  const found2 = workspace.getActiveViewOfType(import_obsidian15.MarkdownView) ?? mostRecent(plugin);
  if (found2) found2.editor.replaceSelection(wikilink(hit2));
  else new import_obsidian15.Notice("Open a note to insert the link into.");
}
function mostRecent(plugin) {
  const view = plugin.app.workspace.getMostRecentLeaf()?.view;
  return view instanceof import_obsidian15.MarkdownView ? view : null;
}

// src/views/digest_view.ts
var import_obsidian16 = require("obsidian");

// src/domain/days.ts
var DAY = /^(\d{4})-(\d{2})-(\d{2})$/u;
function shifted(day, by) {
  const found2 = DAY.exec(day);
  if (!found2) return "";
  const at = new Date(Date.UTC(Number(found2[1]), Number(found2[2]) - 1, Number(found2[3]) + by));
  return at.toISOString().slice(0, 10);
}
function dayTitle(day, locale) {
  if (!DAY.test(day)) return day;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
  return format.format(/* @__PURE__ */ new Date(`${day}T00:00:00Z`));
}
function digestBody(content) {
  return content.replace(/^\s*# [^\n]*\n/u, "").trim();
}

// src/views/digest_view.ts
var DigestView = class extends MemoryView {
  icon = "calendar-days";
  head;
  day = "";
  getViewType() {
    return VIEWS.digest;
  }
  getDisplayText() {
    return "Digest";
  }
  build(top) {
    const bar = top.createDiv({ cls: "vaultmem-bar-row" });
    iconButton(bar, "chevron-left", "The day before", () => void this.go(shifted(this.day, -1)));
    this.head = bar.createDiv({ cls: "vaultmem-bar-title vaultmem-day" });
    iconButton(bar, "chevron-right", "The day after", () => void this.go(shifted(this.day, 1)));
    iconButton(bar, "calendar-check", "Today", () => void this.go("today"));
    iconButton(bar, "history", "The newest day", () => void this.go(""));
    this.body.addEventListener("click", (event) => this.follow(event));
    this.body.addEventListener("mouseover", (event) => this.preview(event));
  }
  async go(period) {
    this.about = period;
    this.app.workspace.requestSaveLayout();
    await this.refresh();
  }
  async fill(signal2) {
    const digest2 = await this.desk.memory.digest(this.about);
    if (signal2.aborted) return;
    this.day = digest2.period;
    this.head.setText(dayTitle(digest2.period, this.desk.calendar().locale));
    this.body.empty();
    if (digest2.content) await this.render(digest2);
    else this.nothing(digest2);
  }
  async render(digest2) {
    const text2 = this.body.createDiv({ cls: "markdown-rendered vaultmem-digest" });
    await import_obsidian16.MarkdownRenderer.render(this.app, digestBody(digest2.content), text2, digest2.notePath, this);
    const buttons = this.body.createDiv({ cls: "vaultmem-buttons" });
    textButton(buttons, "Open note", () => void openAtLine(this.app, digest2.notePath, 0, false));
    if (digest2.nodeId) textButton(buttons, "Drill down", () => void this.desk.show(VIEWS.tree, digest2.nodeId));
  }
  nothing(digest2) {
    const waits = digest2.childIds.length;
    const why = capital(digest2.degraded || "nothing is known of this day");
    said(this.body, "pane-empty", waits ? `${waits} notes of this day wait for a digest.` : `${why}.`);
    const buttons = this.body.createDiv({ cls: "vaultmem-buttons" });
    if (waits) textButton(buttons, "Bring memory up to date", () => void this.desk.takeOver().then(() => this.refresh()));
    textButton(buttons, "Show the newest day", () => void this.go(""));
  }
  /** Rendered links open notes, as in a note itself. */
  follow(event) {
    const target = linkOf(event);
    if (!target) return;
    event.preventDefault();
    const opened = this.app.workspace.openLinkText(target.link, "", whereOf(event));
    opened.catch((problem) => new import_obsidian16.Notice(problemText(problem)));
  }
  preview(event) {
    const target = linkOf(event);
    if (!target) return;
    const { anchor: targetEl, link: linktext } = target;
    this.app.workspace.trigger("hover-link", { event, source: VIEWS.digest, hoverParent: this, targetEl, linktext, sourcePath: "" });
  }
};
function linkOf(event) {
  const { target } = event;
  if (!target?.instanceOf(HTMLElement)) return void 0;
  const anchor = target.closest("a.internal-link");
  const link2 = anchor?.getAttr("data-href") ?? "";
  return anchor && link2 ? { anchor, link: link2 } : void 0;
}

// src/views/entity_view.ts
var import_obsidian18 = require("obsidian");

// src/domain/months.ts
var MOST_BARS = 60;
function barsOf(months) {
  const counts = new Map(months.map(({ month: month2, chunks }) => [month2, chunks]));
  const names = [...counts.keys()].sort();
  const [first, last] = [names[0], names.at(-1)];
  if (first === void 0 || last === void 0) return [];
  const every = spanned(first, last);
  if (every.length <= MOST_BARS) return scaled(every.map((month2) => [month2, counts.get(month2) ?? 0]));
  const years = /* @__PURE__ */ new Map();
  for (const month2 of every) years.set(month2.slice(0, 4), (years.get(month2.slice(0, 4)) ?? 0) + (counts.get(month2) ?? 0));
  return scaled([...years]);
}
function spanned(first, last) {
  const found2 = [];
  for (let n = index(first); n <= index(last); n += 1) {
    found2.push(`${String(Math.floor(n / 12)).padStart(4, "0")}-${String(n % 12 + 1).padStart(2, "0")}`);
  }
  return found2;
}
function index(month2) {
  return Number(month2.slice(0, 4)) * 12 + Number(month2.slice(5, 7)) - 1;
}
function scaled(rows) {
  const most = Math.max(...rows.map(([, count2]) => count2), 1);
  return rows.map(([month2, count2]) => ({ month: month2, count: count2, share: count2 / most }));
}
function monthName(month2, locale) {
  if (month2.length < 7) return month2;
  const at = new Date(Date.UTC(Number(month2.slice(0, 4)), Number(month2.slice(5, 7)) - 1, 1));
  return new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(at);
}

// src/views/merge_questions.ts
var import_obsidian17 = require("obsidian");

// src/domain/review.ts
var REVIEW = "entities/Review.md";
var LINK = String.raw`\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]`;
var QUESTION = new RegExp(
  String.raw`^\s*[-*+] \[ \] merge ${LINK}\s*(?:<-|←)\s*${LINK}\s*(?:\((.*)\))?.*\^(ms-[0-9a-f]{8})\s*$`,
  "u"
);
function openQuestions(body) {
  return body.split(/\r?\n/u).flatMap((line) => {
    const found2 = QUESTION.exec(line);
    if (!found2) return [];
    const [, keep = "", keepName = "", merge2 = "", mergeName = "", why = "", key = ""] = found2;
    return [{ key, keep: link(keep, keepName), merge: link(merge2, mergeName), why }];
  });
}
function link(path2, name2) {
  return { path: path2.trim(), name: name2.trim() || (path2.split("/").pop() ?? path2) };
}
function entityLink({ path: path2, name: name2 }) {
  return `[[${path2}|${name2.replace(/[[\]|]/gu, " ")}]]`;
}

// src/views/merge_questions.ts
async function mergeQuestions(parent, desk, notePath, answered2) {
  const note = desk.app.vault.getFileByPath(REVIEW);
  if (!note) return;
  const section = parent.createDiv();
  const questions = openQuestions(await desk.app.vault.cachedRead(note)).filter(
    ({ keep, merge: merge2 }) => notePath === void 0 || [keep, merge2].some(({ path: path2 }) => `${path2}.md` === notePath)
  );
  if (!questions.length) return;
  heading(section, "One and the same?", questions.length);
  for (const question of questions) ask(section, desk, question, answered2);
}
function ask(parent, desk, question, answered2) {
  const card = parent.createDiv({ cls: "vaultmem-card" });
  const names = card.createDiv({ cls: "vaultmem-row-title" });
  name(names, desk, question.merge);
  names.appendText(" is ");
  name(names, desk, question.keep);
  if (question.why) card.createDiv({ cls: "vaultmem-row-details", text: question.why });
  const buttons = card.createDiv({ cls: "vaultmem-buttons" });
  const answer = (act) => async () => {
    try {
      await act(desk, question);
      await desk.takeOver();
      answered2();
    } catch (problem) {
      new import_obsidian17.Notice(problemText(problem));
    }
  };
  textButton(buttons, "Merge", () => void answer(merge)()).addClass("mod-cta");
  textButton(buttons, "Keep apart", () => void answer(keepApart)());
}
function name(parent, desk, link2) {
  const anchor = parent.createEl("a", { cls: "internal-link", text: link2.name, href: "#" });
  anchor.addEventListener("click", (event) => {
    event.preventDefault();
    void openAtLine(desk.app, `${link2.path}.md`, 0, event.metaKey || event.ctrlKey);
  });
}
async function merge(desk, { keep, merge: goes }) {
  await desk.app.fileManager.processFrontMatter(noteOf(desk, goes), (properties) => {
    properties["same_as"] = [entityLink(keep)];
  });
}
async function keepApart(desk, { keep, merge: other }) {
  for (const [one, two] of [[keep, other], [other, keep]]) {
    await desk.app.fileManager.processFrontMatter(noteOf(desk, one), (properties) => {
      const held = properties["not_same_as"];
      const links = Array.isArray(held) ? held.filter((each) => typeof each === "string") : [];
      properties["not_same_as"] = [.../* @__PURE__ */ new Set([...links, entityLink(two)])];
    });
  }
}
function noteOf(desk, { path: path2 }) {
  const file = desk.app.vault.getFileByPath(`${path2}.md`);
  if (!file) throw new Error(`${path2} is not in the vault any more.`);
  return file;
}

// src/views/entity_view.ts
var REST_MS2 = 15;
var MOST_LISTED = 50;
var MOST_MENTIONS = 100;
var EntityView = class extends MemoryView {
  icon = "users";
  search;
  rows;
  getViewType() {
    return VIEWS.entity;
  }
  getDisplayText() {
    return "People and topics";
  }
  build(top) {
    this.search = new import_obsidian18.SearchComponent(top.createDiv({ cls: "vaultmem-search vaultmem-search-box" }));
    this.search.setPlaceholder("Find a person, project or topic…");
    this.search.inputEl.setAttr("aria-label", "Find a person, project or topic");
    const ask2 = (0, import_obsidian18.debounce)(() => void this.go(""), REST_MS2, true);
    this.search.onChange(() => ask2());
    this.search.inputEl.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" && this.rows?.enter()) event.preventDefault();
    });
  }
  async go(entity) {
    this.about = entity;
    this.app.workspace.requestSaveLayout();
    await this.refresh();
  }
  async fill(signal2) {
    this.rows = void 0;
    if (this.about) await this.fillOne(this.about, signal2);
    else await this.fillAll(signal2);
  }
  async fillAll(signal2) {
    const found2 = await this.desk.memory.entities(this.search.getValue().trim(), MOST_LISTED, signal2);
    if (signal2.aborted) return;
    this.body.empty();
    await mergeQuestions(this.body, this.desk, void 0, () => void this.refresh());
    const list2 = this.body.createDiv({ attr: { role: "list", "aria-label": "People and topics" } });
    this.rows = roving(list2, { above: () => this.search.inputEl.focus() });
    for (const row of found2.hits) this.addRow(list2, row);
    this.rows.refresh();
    if (!found2.hits.length) said(this.body, "pane-empty", "Nobody and nothing of that name is known.");
    if (found2.total > found2.hits.length) said(this.body, "mod-foot", `${found2.hits.length} of ${found2.total}`);
    if (found2.degraded) said(this.body, "mod-foot", found2.degraded);
  }
  addRow(list2, row) {
    const item = list2.createDiv({ attr: { role: "listitem" } });
    const self = item.createDiv({ cls: "tree-item-self is-clickable vaultmem-row", attr: { "data-row": "", role: "button" } });
    const inner = self.createDiv({ cls: "vaultmem-row-inner" });
    inner.createDiv({ cls: "vaultmem-row-title", text: row.displayName });
    const others = row.aliases.filter((name2) => name2 !== row.displayName).join(", ");
    inner.createDiv({ cls: "vaultmem-row-details", text: [row.kind, others].filter((part) => part !== "").join(" · ") });
    self.createSpan({ cls: "tree-item-flair", text: String(row.mentions), attr: { "aria-label": `${row.mentions} mentions` } });
    onActivate(self, (event) => {
      if (whereOf(event) && row.notePath) void openAtLine(this.app, row.notePath, 0, whereOf(event));
      else void this.go(row.id);
    });
  }
  async fillOne(entity, signal2) {
    const { memory } = this.desk;
    const timeline2 = await memory.timeline(entity);
    const mentions = await memory.mentions(entity, timeline2.displayName, MOST_MENTIONS);
    if (signal2.aborted) return;
    this.body.empty();
    this.header(timeline2);
    await mergeQuestions(this.body, this.desk, timeline2.notePath, () => void this.refresh());
    this.chart(timeline2);
    heading(this.body, "Mentions", mentions.total);
    const byMonth = grouped(mentions.hits, (hit2) => hit2.start.slice(0, 7));
    for (const [month2, hits] of byMonth) {
      const part = this.body.createDiv({ attr: { "data-month": month2 } });
      part.createDiv({ cls: "vaultmem-month", text: month2 ? monthName(month2, this.desk.calendar().locale) : "Without a date" });
      const query = () => timeline2.displayName;
      new HitList(part.createDiv(), { desk: this.desk, view: VIEWS.entity, hoverParent: this, query }).show(hits);
    }
    if (!mentions.hits.length) said(this.body, "pane-empty", mentions.degraded || "Nothing that memory keeps names it.");
  }
  header(timeline2) {
    const bar = this.body.createDiv({ cls: "vaultmem-bar-row" });
    iconButton(bar, "arrow-left", "All people and topics", () => void this.go(""));
    const name2 = bar.createDiv({ cls: "vaultmem-bar-title" });
    name2.createDiv({ text: timeline2.displayName });
    name2.createDiv({ cls: "vaultmem-row-details", text: timeline2.entity });
    if (timeline2.notePath) iconButton(bar, "file-text", "Open note", () => void openAtLine(this.app, timeline2.notePath, 0, false));
    iconButton(bar, "waypoints", "Show memory graph", () => void this.desk.show(VIEWS.graph, timeline2.entity));
  }
  /** A column for each month; choosing one goes to what was said then. */
  chart(timeline2) {
    const bars2 = barsOf(timeline2.months);
    if (!bars2.length) return;
    heading(this.body, "Over time", timeline2.chunks);
    const chart = this.body.createDiv({ cls: "vaultmem-chart", attr: { role: "list", "aria-label": "Mentions over time" } });
    const keys = roving(chart, { isAcross: true });
    for (const { month: month2, count: count2, share } of bars2) {
      const label = `${monthName(month2, this.desk.calendar().locale)}: ${count2}`;
      const column = chart.createEl("button", { cls: "vaultmem-column", attr: { "data-row": "", "aria-label": label, type: "button" } });
      const fill = column.createSvg("svg", { attr: { viewBox: "0 0 10 100", preserveAspectRatio: "none", "aria-hidden": "true" } });
      const height = count2 ? Math.max(3, 100 * share) : 0;
      fill.createSvg("rect", { attr: { x: 1, width: 8, y: 100 - height, height } });
      onActivate(column, () => this.body.find(`[data-month^="${month2}"]`)?.scrollIntoView({ block: "start" }));
    }
    keys.refresh();
    const ends = this.body.createDiv({ cls: "vaultmem-chart-ends" });
    for (const bar of [bars2[0], bars2.at(-1)]) if (bar) ends.createSpan({ text: bar.month });
  }
};

// src/views/graph_view.ts
var import_obsidian19 = require("obsidian");

// src/domain/graph.ts
var MOST_NODES = 300;
var GAP = 74;
var FIRST_RING = 130;
var RING = 96;
function layoutOf(graph) {
  const nodes = graph.nodes.slice(0, MOST_NODES);
  const most = Math.max(...nodes.map((node) => node.chunks), 1);
  const placed = [];
  let radius = 0;
  for (const hops of [...new Set(nodes.map((node) => node.hops))].sort((a, b) => a - b)) {
    let rest = nodes.filter((node) => node.hops === hops);
    while (rest.length) {
      const room = hops === 0 ? 1 : Math.floor(2 * Math.PI * radius / GAP);
      const ring = rest.slice(0, room);
      rest = rest.slice(room);
      ring.forEach((node, n) => placed.push(place2(node, n, ring.length, radius, most)));
      radius += radius === 0 ? FIRST_RING : RING;
    }
  }
  const byId = new Map(placed.map((each) => [each.node.id, each]));
  const lines2 = linesOf(graph.edges, byId);
  return { placed, lines: lines2, extent: Math.max(...placed.map(({ x, y }) => Math.hypot(x, y)), 60) + 70 };
}
function place2(node, n, of, radius, most) {
  const turn = radius / RING % 2 < 1 ? 0 : Math.PI / of;
  const angle = 2 * Math.PI * n / of - Math.PI / 2 + turn;
  const size = 6 + 12 * Math.sqrt(node.chunks / most);
  const [x, y] = radius === 0 ? [0, 0] : [radius * Math.cos(angle), radius * Math.sin(angle)];
  return { node, x: round(x), y: round(y), radius: round(radius === 0 ? size + 4 : size) };
}
function linesOf(edges, byId) {
  const most = Math.max(...edges.map((edge) => edge.weight), 1);
  return edges.flatMap(({ subject, object, weight }) => {
    const [from, to] = [byId.get(subject), byId.get(object)];
    return from && to ? [{ from, to, weight, width: round(1 + 4 * weight / most) }] : [];
  });
}
function round(value) {
  return Math.round(value * 100) / 100;
}
function neighbours(layout, id) {
  return layout.lines.filter(({ from, to }) => from.node.id === id || to.node.id === id).sort((one, other) => other.weight - one.weight).map(({ from, to, weight }) => `${(from.node.id === id ? to : from).node.displayName} (${weight})`);
}
var LETTER = 0.6;
var LINE = 1.25;
var CLEAR = 24;
function labelled(layout, fontSize) {
  const kept = layout.placed.slice(0, CLEAR).map(({ x, y, radius: r }) => ({ left: x - r, right: x + r, top: y - r, bottom: y + r }));
  const ids = /* @__PURE__ */ new Set();
  for (const { node, x, y, radius } of layout.placed) {
    const half = [...shortName(node.displayName)].length * LETTER * fontSize / 2;
    const top = y + radius + 1;
    const box = { left: x - half, right: x + half, top, bottom: top + LINE * fontSize };
    if (ids.size && kept.some((other) => overlap(box, other))) continue;
    kept.push(box);
    ids.add(node.id);
  }
  return ids;
}
function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
function shortName(name2) {
  const letters = [...name2];
  return letters.length > 22 ? `${letters.slice(0, 21).join("")}…` : name2;
}

// src/views/graph_view.ts
var ZOOM = 1.3;
var FONT_PX = 11;
var GraphView = class extends MemoryView {
  icon = "waypoints";
  head;
  told;
  hops = 1;
  zoom = 1;
  svg;
  layout;
  getViewType() {
    return VIEWS.graph;
  }
  getDisplayText() {
    return "Memory graph";
  }
  build(top) {
    const bar = top.createDiv({ cls: "vaultmem-bar-row" });
    this.head = bar.createDiv({ cls: "vaultmem-bar-title" });
    const wider = iconButton(bar, "expand", "Show neighbours of neighbours", () => {
      this.hops = this.hops === 1 ? 2 : 1;
      wider.setAttr("aria-pressed", String(this.hops === 2));
      void this.refresh();
    });
    wider.setAttr("aria-pressed", "false");
    iconButton(bar, "zoom-in", "Zoom in", () => this.scale(ZOOM));
    iconButton(bar, "zoom-out", "Zoom out", () => this.scale(1 / ZOOM));
    this.told = top.createDiv({ cls: "vaultmem-told", attr: { "aria-live": "polite" } });
    this.body.addClass("vaultmem-graph-body");
  }
  async go(entity) {
    this.about = entity;
    this.app.workspace.requestSaveLayout();
    await this.refresh();
    this.svg?.querySelector("[data-row]")?.focus();
  }
  async fill(signal2) {
    if (!this.about) {
      this.body.empty();
      this.head.setText("Memory graph");
      said(this.body, "pane-empty", "Open the graph of a person or topic from its note, or from the list of people and topics.");
      return;
    }
    const graph = await this.desk.memory.graph(this.about, this.hops, MOST_NODES);
    if (signal2.aborted) return;
    this.body.empty();
    this.layout = layoutOf(graph);
    const middle = this.layout.placed[0];
    this.head.setText(middle?.node.displayName ?? this.about);
    this.told.setText("");
    this.draw(this.layout);
    if (graph.nodes.length < 2) said(this.body, "mod-foot", "Nobody and nothing stands beside it.");
  }
  draw(layout) {
    const svg = this.body.createSvg("svg", {
      cls: "vaultmem-graph",
      attr: { role: "group", "aria-label": "Memory graph" }
    });
    this.svg = svg;
    for (const { from, to, width } of layout.lines) {
      const attr = { x1: from.x, y1: from.y, x2: to.x, y2: to.y, "stroke-width": width };
      svg.createSvg("line", { cls: "vaultmem-edge", attr });
    }
    const keys = roving(svg, { isAcross: true });
    for (const placed of layout.placed) this.dot(svg, placed);
    keys.refresh();
    this.scale(1);
  }
  dot(svg, placed) {
    const { node, x, y, radius } = placed;
    const isMiddle = node.hops === 0;
    const group = svg.createSvg("g", {
      cls: isMiddle ? "vaultmem-node is-middle" : "vaultmem-node",
      attr: { "data-row": "", role: "button", tabindex: "-1", transform: `translate(${x} ${y})`, "data-id": node.id, "aria-label": `${node.displayName}, in ${node.chunks} notes` }
    });
    group.createSvg("circle", { attr: { r: radius } });
    const label = group.createSvg("text", { attr: { y: radius + 3, "text-anchor": "middle", "dominant-baseline": "hanging" } });
    label.textContent = shortName(node.displayName);
    const tell = () => this.tell(placed);
    group.addEventListener("focus", tell);
    group.addEventListener("mouseenter", tell);
    const act = (event) => {
      if (whereOf(event) && node.notePath) void openAtLine(this.app, node.notePath, 0, whereOf(event));
      else if (isMiddle) void this.desk.show(VIEWS.entity, node.id);
      else void this.go(node.id);
    };
    onActivate(group, act);
    group.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.menu(placed).showAtMouseEvent(event);
    });
  }
  menu({ node }) {
    const menu = new import_obsidian19.Menu();
    menu.addItem((item) => item.setTitle("Put into the middle").setIcon("waypoints").onClick(() => void this.go(node.id)));
    menu.addItem((item) => item.setTitle("Show mentions over time").setIcon("users").onClick(() => void this.desk.show(VIEWS.entity, node.id)));
    if (node.notePath) {
      menu.addItem((item) => item.setTitle("Open note").setIcon("file-text").onClick(() => void openAtLine(this.app, node.notePath, 0, "tab")));
    }
    return menu;
  }
  /** Who a dot is, and with whom. */
  tell({ node }) {
    const near = this.layout ? neighbours(this.layout, node.id) : [];
    const beside = near.length ? ` Beside: ${near.slice(0, 6).join(", ")}${near.length > 6 ? ", …" : ""}` : "";
    this.told.setText(`${node.displayName}: in ${node.chunks} notes.${beside}`);
  }
  onResize() {
    this.scale(1);
  }
  /** Names keep their size whatever the picture's; those that would lie on each other are shown when pointed at. */
  scale(by) {
    const { svg, layout } = this;
    if (!svg || !layout) return;
    this.zoom = Math.min(6, Math.max(1, this.zoom * by));
    const half = layout.extent / this.zoom;
    svg.setAttr("viewBox", `${-half} ${-half} ${2 * half} ${2 * half}`);
    const pixels = Math.min(svg.clientWidth, svg.clientHeight) || 300;
    const fontSize = FONT_PX * 2 * half / pixels;
    svg.setAttr("font-size", fontSize);
    const shown = labelled(layout, fontSize);
    for (const node of svg.querySelectorAll(".vaultmem-node")) {
      node.toggleClass("has-label", shown.has(node.getAttr("data-id") ?? ""));
    }
  }
};

// src/views/ingest_view.ts
var import_obsidian20 = require("obsidian");

// src/domain/ingest.ts
function ingestState(status2, inbox, calendar) {
  const line = (name2, reason = "") => ({ name: undisguised(name2), path: `${inbox}/${name2}`, reason });
  return {
    waiting: status2.inbox.map((name2) => line(name2)),
    left: [...status2.skipped].map(([name2, reason]) => line(name2, reason)),
    failed: status2.failed.map((name2) => ({ ...line(name2), name: name2.replace(/^_failed\//u, "") })),
    summary: summaryOf(status2, calendar),
    problems: [...status2.problems].map(([path2, reason]) => ({ name: path2, path: path2, reason }))
  };
}
function summaryOf(status2, calendar) {
  const count2 = (name2) => status2.counts.get(name2) ?? 0;
  const kept = `${count2("admitted")} of ${count2("notes")} notes kept`;
  const judged = [count2("dropped") && `${count2("dropped")} dropped`, count2("pending") && `${count2("pending")} still to be judged`];
  const jobs = status2.jobs.get("ready") ?? 0;
  const at = whenOf(status2.lastPass, calendar);
  return [
    [kept, ...judged].filter(Boolean).join(", "),
    status2.stale ? `${status2.stale} notes were changed since memory last looked` : "",
    jobs ? `${jobs} jobs wait in the background` : "",
    status2.unfinished ? `${status2.unfinished} files were interrupted and are finished by the next pass` : "",
    at ? `Last pass: ${at}` : "",
    status2.writer ? `Being written by ${status2.writer}` : "",
    ...status2.degraded
  ].filter((part) => part !== "");
}
function droppedDetails(row, calendar) {
  return [scopeTitle(row.sourceId), whenOf(row.start, calendar)].filter((part) => part !== "").join(" · ");
}
function reasonText(note) {
  const body = note.replace(/^---\n[\s\S]*?\n---\n/u, "");
  const parts = body.split(/\n\s*\n/u).map((part) => part.replace(/\s+/gu, " ").trim());
  return parts.find((part) => part !== "" && !part.startsWith("#")) ?? "";
}

// src/views/ingest_view.ts
var MOST_DROPPED = 100;
var IngestView = class extends MemoryView {
  icon = "inbox";
  getViewType() {
    return VIEWS.ingest;
  }
  getDisplayText() {
    return "Ingest status";
  }
  build(top) {
    const bar = top.createDiv({ cls: "vaultmem-bar-row" });
    bar.createDiv({ cls: "vaultmem-bar-title", text: "Ingest status" });
    iconButton(bar, "plus", "Ingest file from disk", () => dropFromDisk(this.desk));
    iconButton(bar, "refresh-cw", "Bring memory up to date", () => void this.takeOver());
    const { vault } = this.app;
    const changed = (path2) => {
      if (path2.startsWith(`${this.desk.inbox()}/`)) void this.refresh();
    };
    this.registerEvent(vault.on("create", (file) => changed(file.path)));
    this.registerEvent(vault.on("delete", (file) => changed(file.path)));
    this.registerEvent(vault.on("rename", (file) => changed(file.path)));
    roving(this.body);
  }
  async takeOver() {
    await this.desk.takeOver();
    await this.refresh();
  }
  async fill(signal2) {
    const { memory } = this.desk;
    const [status2, dropped, sources] = await Promise.all([memory.status(), memory.dropped(MOST_DROPPED), memory.sources()]);
    const state = ingestState(status2, this.desk.inbox(), this.desk.calendar());
    const failed = await Promise.all(state.failed.map((file) => this.withReason(file)));
    if (signal2.aborted) return;
    this.body.empty();
    for (const line of state.summary) this.body.createDiv({ cls: "vaultmem-summary", text: line });
    this.files("Waiting", state.waiting, "Nothing waits in the inbox.");
    if (state.left.length) this.files("Left alone", state.left, "");
    this.failed(failed);
    this.dropped(dropped);
    this.problems(state);
    this.kept(sources);
  }
  files(title, files, empty) {
    heading(this.body, title, files.length);
    for (const file of files) this.row(this.body, file.name, file.reason, file.path);
    if (!files.length) said(this.body, "", empty);
  }
  failed(files) {
    if (!files.length) return;
    heading(this.body, "Failed", files.length);
    for (const file of files) {
      const self = this.row(this.body, file.name, file.reason, `${file.path}.reason.md`);
      iconButton(self, "rotate-ccw", "Try again", () => void this.retry(file)).addEventListener("click", stop);
    }
  }
  dropped({ rows, total }) {
    heading(this.body, "Not kept", total);
    const calendar = this.desk.calendar();
    for (const each of rows) {
      const details = [each.why || each.reason, droppedDetails(each, calendar)].filter((part) => part !== "");
      const self = this.row(this.body, each.text || each.notePath, details.join(" · "), each.notePath);
      const keep = textButton(self, "Keep", () => void this.keep(each, keep));
      keep.setAttr("aria-label", `Keep: ${each.text}`);
      keep.addEventListener("click", stop);
    }
    if (!rows.length) said(this.body, "", "All that came in was kept.");
    if (total > rows.length) said(this.body, "mod-foot", `${rows.length} of ${total} are shown.`);
  }
  problems({ problems }) {
    if (problems.length) this.files("Notes with a problem", problems, "");
  }
  kept({ hits }) {
    heading(this.body, "Kept", hits.length);
    const calendar = this.desk.calendar();
    for (const source of hits) {
      const kept = `${source.chunks - source.dropped} of ${source.chunks} notes`;
      const details = [kept, whenOf(source.last, calendar)].filter((part) => part !== "").join(" · ");
      const self = this.row(this.body, source.title || source.sourceId, details, "");
      onActivate(self, () => void this.desk.show(VIEWS.tree, source.scope));
    }
    if (!hits.length) said(this.body, "", "Memory holds nothing yet.");
  }
  row(parent, title, details, path2) {
    const self = parent.createDiv({ cls: "tree-item-self is-clickable vaultmem-row", attr: { "data-row": "", role: "button", tabindex: "0" } });
    const inner = self.createDiv({ cls: "vaultmem-row-inner" });
    inner.createDiv({ cls: "vaultmem-row-title", text: title });
    if (details) inner.createDiv({ cls: "vaultmem-row-details", text: details });
    if (path2) onActivate(self, (event) => void openAtLine(this.app, path2, 0, whereOf(event)));
    return self;
  }
  /** The reason stands in a note beside the file. */
  async withReason(file) {
    const note = this.app.vault.getFileByPath(`${file.path}.reason.md`);
    return note ? { ...file, reason: reasonText(await this.app.vault.cachedRead(note)) } : file;
  }
  /** Back into the inbox; its old reason goes to the trash. */
  async retry(file) {
    const { vault, fileManager } = this.app;
    const held = vault.getFileByPath(file.path);
    try {
      if (!held) throw new Error(`${file.path} is not in the vault any more.`);
      const reason = vault.getFileByPath(`${file.path}.reason.md`);
      await fileManager.renameFile(held, (0, import_obsidian20.normalizePath)(`${this.desk.inbox()}/${held.name}`));
      if (reason) await fileManager.trashFile(reason);
      await this.takeOver();
    } catch (problem) {
      new import_obsidian20.Notice(problemText(problem));
    }
  }
  /** The person's word, in the note's own property: it stays so. */
  async keep(row, button) {
    const file = this.app.vault.getFileByPath(row.notePath);
    if (!file) {
      new import_obsidian20.Notice(`${row.notePath} is not in the vault any more.`);
      return;
    }
    button.disabled = true;
    try {
      await admit(this, file);
      await this.takeOver();
    } catch (problem) {
      button.disabled = false;
      new import_obsidian20.Notice(problemText(problem));
    }
  }
};
async function admit(view, file) {
  await view.app.fileManager.processFrontMatter(file, (properties) => {
    properties["memory_status"] = "admitted";
  });
}
function stop(event) {
  event.stopPropagation();
}

// src/views/inbox_count.ts
var import_obsidian21 = require("obsidian");
var REST_MS3 = 500;
var InboxCount = class extends import_obsidian21.Component {
  constructor(desk, item) {
    super();
    this.desk = desk;
    this.item = item;
  }
  desk;
  item;
  onload() {
    const { vault } = this.desk.app;
    const count2 = (0, import_obsidian21.debounce)(() => this.count(), REST_MS3, true);
    const changed = (path2) => {
      if (path2.startsWith(`${this.desk.inbox()}/`)) count2();
    };
    this.registerEvent(vault.on("create", (file) => changed(file.path)));
    this.registerEvent(vault.on("delete", (file) => changed(file.path)));
    this.registerEvent(
      vault.on("rename", (file, before) => {
        changed(file.path);
        changed(before);
      })
    );
    this.item.addClass("mod-clickable");
    this.item.setAttr("aria-label", "Open ingest status");
    this.registerDomEvent(this.item, "click", () => void this.desk.show(VIEWS.ingest));
    this.count();
  }
  count() {
    const folder = this.desk.app.vault.getFolderByPath(this.desk.inbox());
    const waiting = folder ? filesBelow(folder).filter((file) => !file.path.startsWith(`${folder.path}/_failed/`)).length : 0;
    this.item.setText(waiting ? `Memory: ${waiting} in the inbox` : "");
    this.item.toggle(waiting > 0);
  }
};

// src/views/tree_view.ts
var import_obsidian22 = require("obsidian");

// src/domain/tree.ts
var ICONS = { source: "library", summary: "layers", chunk: "file-text", passage: "text" };
function iconOf(row) {
  return ICONS[row.kind];
}
function canOpen(row) {
  return row.kind !== "passage";
}
function sourceTreeRow(source, calendar) {
  const span = [whenOf(source.first, calendar), whenOf(source.last, calendar)].filter((part) => part !== "");
  const notes = `${source.chunks} ${source.chunks === 1 ? "note" : "notes"}`;
  const details = [notes, [...new Set(span)].join(" – ")].filter((part) => part !== "").join(" · ");
  return { kind: "source", key: source.scope, label: undisguised(source.title || source.sourceId), details, text: "", hit: void 0 };
}
function treesOf(sources) {
  const byScope = /* @__PURE__ */ new Map();
  for (const row of sources) {
    const held = byScope.get(row.scope);
    byScope.set(row.scope, held ? joined(held, row) : row);
  }
  return [...byScope.values()].sort((one, other) => other.last.localeCompare(one.last));
}
function joined(one, other) {
  return {
    ...one,
    title: one.scope.slice(one.scope.indexOf(":") + 1) || one.title,
    chunks: one.chunks + other.chunks,
    dropped: one.dropped + other.dropped,
    first: one.first < other.first ? one.first : other.first,
    last: one.last > other.last ? one.last : other.last
  };
}
function hitTreeRow(hit2, parent, calendar) {
  const isPassage = parent === "chunk";
  const kind = isPassage ? "passage" : hit2.isLeaf ? "chunk" : "summary";
  const shown = hitRow(hit2, "", calendar);
  const label = isPassage ? firstLine(hit2) : titleOf(hit2);
  const count2 = hit2.childIds.length;
  const below = hit2.isLeaf ? "" : `${count2} below`;
  return {
    kind,
    key: hit2.nodeId,
    label,
    details: [...shown.details, below].filter((part) => part !== "").join(" · "),
    text: kind === "chunk" ? firstLine(hit2) : "",
    hit: hit2
  };
}
var LINE2 = 160;
function firstLine(hit2) {
  const line = plain(hit2.content).replace(/\s+/gu, " ").trim();
  const cut = [...line].slice(0, LINE2).join("");
  return cut.length < line.length ? `${cut.trim()}…` : line;
}
function isNodeId(about) {
  return /^[0-9a-f]{12,64}$/u.test(about);
}

// src/views/tree_view.ts
var PAGE = 100;
var TreeView = class extends MemoryView {
  icon = "list-tree";
  shown = /* @__PURE__ */ new Map();
  rows;
  head;
  getViewType() {
    return VIEWS.tree;
  }
  getDisplayText() {
    return "Memory tree";
  }
  build(top) {
    const bar = top.createDiv({ cls: "vaultmem-bar-row" });
    this.head = bar.createDiv({ cls: "vaultmem-bar-title" });
    iconButton(bar, "home", "All sources", () => void this.go(""));
    iconButton(bar, "refresh-cw", "Refresh", () => void this.refresh());
    this.body.setAttrs({ role: "tree", "aria-label": "Memory tree" });
    this.rows = roving(this.body, { expand: (row, open2) => void this.toggle(row, open2) });
  }
  async go(about) {
    this.about = about;
    this.app.workspace.requestSaveLayout();
    await this.refresh();
  }
  async fill(signal2) {
    const { memory } = this.desk;
    const calendar = this.desk.calendar();
    if (isNodeId(this.about)) {
      const [told, below] = await Promise.all([memory.explain(this.about, ""), memory.below(this.about)]);
      if (signal2.aborted) return;
      this.start(told.title || "Memory tree");
      this.list(this.body, below.hits.map((hit2) => hitTreeRow(hit2, told.isLeaf ? "chunk" : "summary", calendar)), 1);
      return;
    }
    const sources = treesOf((await memory.sources()).hits);
    if (signal2.aborted) return;
    this.start("All sources");
    this.list(this.body, sources.map((source) => sourceTreeRow(source, calendar)), 1);
    if (!sources.length) said(this.body, "pane-empty", "Memory holds nothing yet. Drop a chat, a mail or a document into the inbox.");
    const open2 = [...this.shown.values()].find(({ row }) => row.key === this.about);
    if (open2) await this.toggle(open2.self, true);
  }
  start(title) {
    this.head.setText(title);
    this.shown.clear();
    this.body.empty();
  }
  list(parent, rows, level) {
    for (const row of rows.slice(0, PAGE)) this.add(parent, row, level);
    const rest = rows.slice(PAGE);
    if (rest.length) {
      const more = textButton(parent, `Show ${rest.length} more`, () => {
        more.remove();
        this.list(parent, rest, level);
      });
    }
    this.rows.refresh();
  }
  add(parent, row, level) {
    const item = parent.createDiv({ cls: "tree-item vaultmem-tree-item", attr: { role: "none" } });
    const self = item.createDiv({
      cls: "tree-item-self is-clickable vaultmem-row",
      attr: { "data-row": "", role: "treeitem", tabindex: "-1", "aria-level": String(level) }
    });
    if (canOpen(row)) self.setAttr("aria-expanded", "false");
    (0, import_obsidian22.setIcon)(self.createDiv({ cls: "vaultmem-tree-icon" }), iconOf(row));
    const inner = self.createDiv({ cls: "vaultmem-row-inner" });
    inner.createDiv({ cls: "vaultmem-row-title", text: row.label });
    if (row.details) inner.createDiv({ cls: "vaultmem-row-details", text: row.details });
    if (row.text) inner.createDiv({ cls: "vaultmem-row-text", text: row.text });
    const children = item.createDiv({ cls: "tree-item-children vaultmem-tree-children", attr: { role: "group" } });
    this.shown.set(self, { row, children, self, level });
    const { hit: hit2 } = row;
    onActivate(self, (event) => {
      if (hit2 && (row.kind !== "summary" || whereOf(event))) this.open(hit2, event);
      else void this.toggle(self, self.getAttr("aria-expanded") !== "true");
    });
    if (hit2) this.connect(self, hit2);
  }
  connect(self, hit2) {
    self.draggable = true;
    self.addEventListener("dragstart", (event) => event.dataTransfer?.setData("text/plain", wikilink(hit2)));
    self.addEventListener("mouseover", (event) => {
      const about = { event, source: VIEWS.tree, hoverParent: this, targetEl: self, linktext: linkText(hit2), sourcePath: "" };
      this.app.workspace.trigger("hover-link", about);
    });
    self.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      hitMenu(this.desk, hit2).showAtMouseEvent(event);
    });
    if (hit2.isLeaf) return;
    const open2 = iconButton(self, "file-text", "Open note", () => this.open(hit2));
    open2.tabIndex = -1;
    open2.addEventListener("click", (event) => event.stopPropagation());
  }
  open(hit2, event) {
    openHit(this.app, hit2, event ? whereOf(event) : false).catch((problem) => new import_obsidian22.Notice(problemText(problem)));
  }
  /** Open or close a row; what stands below is asked for when it is first opened. */
  async toggle(self, open2) {
    const shown = this.shown.get(self);
    if (!shown || !canOpen(shown.row) || self.getAttr("aria-expanded") === "true" === open2) return;
    self.setAttr("aria-expanded", String(open2));
    shown.children.toggle(open2);
    if (!open2 || shown.children.childElementCount) return;
    const { memory } = this.desk;
    const calendar = this.desk.calendar();
    const { kind, key } = shown.row;
    try {
      const found2 = await (kind === "source" ? memory.roots(key) : memory.below(key));
      const rows = found2.hits.map((hit2) => hitTreeRow(hit2, kind, calendar));
      this.list(shown.children, rows, shown.level + 1);
      if (!rows.length) said(shown.children, "", "Nothing stands below.");
      if (found2.total > rows.length) said(shown.children, "mod-foot", `${rows.length} of ${found2.total} are shown.`);
    } catch (problem) {
      said(shown.children, "mod-error", problemText(problem));
    }
  }
};

// src/main.ts
var RIBBON = "brain";
var VaultmemPlugin = class extends import_obsidian23.Plugin {
  settings = DEFAULTS;
  async onload() {
    this.settings = readSettings(await this.loadData());
    const desk = openDesk(this);
    this.registerView(VIEWS.recall, (leaf) => new RecallView(leaf, desk));
    this.registerView(VIEWS.tree, (leaf) => new TreeView(leaf, desk));
    this.registerView(VIEWS.entity, (leaf) => new EntityView(leaf, desk));
    this.registerView(VIEWS.ingest, (leaf) => new IngestView(leaf, desk));
    this.registerView(VIEWS.digest, (leaf) => new DigestView(leaf, desk));
    this.registerView(VIEWS.graph, (leaf) => new GraphView(leaf, desk));
    for (const view of Object.values(VIEWS)) {
      this.registerHoverLinkSource(view, { display: "Memory", defaultMod: true });
    }
    this.addRibbonIcon(RIBBON, "Open recall", () => void desk.show(VIEWS.recall));
    addCommands(this, desk);
    this.addSettingTab(new SettingsTab(this, desk));
    this.app.workspace.onLayoutReady(() => this.addChild(new InboxCount(desk, this.addStatusBarItem())));
  }
  /** The first pane opens once, when the user enables the plugin; later Obsidian remembers where it was. */
  onUserEnable() {
    void this.app.workspace.ensureSideLeaf(VIEWS.recall, "right", { active: true, reveal: true });
  }
  async saveSettings() {
    await this.saveData(this.settings);
  }
};
