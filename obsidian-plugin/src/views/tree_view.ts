/** The memory tree: from a source to its summaries, to a chunk, to the very line. */

import { Notice, setIcon } from "obsidian";
import type { Hit } from "../domain/answers";
import { linkText, wikilink } from "../domain/hits";
import { canOpen, hitTreeRow, iconOf, isNodeId, sourceTreeRow, treesOf, type TreeRow } from "../domain/tree";
import { VIEWS } from "./desk";
import { hitMenu } from "./hit_list";
import { MemoryView } from "./memory_view";
import { openHit, whereOf } from "./opening";
import { iconButton, problemText, said, textButton } from "./parts";
import { onActivate, type Roving, roving } from "./roving";

/** Rows that are shown of one level before the reader asks for more. */
const PAGE = 100;

interface Shown {
  row: TreeRow;
  children: HTMLElement;
  self: HTMLElement;
  level: number;
}

export class TreeView extends MemoryView {
  override icon = "list-tree";
  private shown = new Map<HTMLElement, Shown>();
  private rows!: Roving;
  private head!: HTMLElement;

  getViewType(): string {
    return VIEWS.tree;
  }

  getDisplayText(): string {
    return "Memory tree";
  }

  protected build(top: HTMLElement): void {
    const bar = top.createDiv({ cls: "vaultmem-bar-row" });
    this.head = bar.createDiv({ cls: "vaultmem-bar-title" });
    iconButton(bar, "home", "All sources", () => void this.go(""));
    iconButton(bar, "refresh-cw", "Refresh", () => void this.refresh());
    this.body.setAttrs({ role: "tree", "aria-label": "Memory tree" });
    this.rows = roving(this.body, { expand: (row, open) => void this.toggle(row, open) });
  }

  private async go(about: string): Promise<void> {
    this.about = about;
    this.app.workspace.requestSaveLayout();
    await this.refresh();
  }

  protected override async fill(signal: AbortSignal): Promise<void> {
    const { memory } = this.desk;
    const calendar = this.desk.calendar();
    if (isNodeId(this.about)) {
      const [told, below] = await Promise.all([memory.explain(this.about, ""), memory.below(this.about)]);
      if (signal.aborted) return;
      this.start(told.title || "Memory tree");
      this.list(this.body, below.hits.map((hit) => hitTreeRow(hit, told.isLeaf ? "chunk" : "summary", calendar)), 1);
      return;
    }
    const sources = treesOf((await memory.sources()).hits);
    if (signal.aborted) return;
    this.start("All sources");
    this.list(this.body, sources.map((source) => sourceTreeRow(source, calendar)), 1);
    if (!sources.length) said(this.body, "pane-empty", "Memory holds nothing yet. Drop a chat, a mail or a document into the inbox.");
    const open = [...this.shown.values()].find(({ row }) => row.key === this.about);
    if (open) await this.toggle(open.self, true);
  }

  private start(title: string): void {
    this.head.setText(title);
    this.shown.clear();
    this.body.empty();
  }

  private list(parent: HTMLElement, rows: readonly TreeRow[], level: number): void {
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

  private add(parent: HTMLElement, row: TreeRow, level: number): void {
    const item = parent.createDiv({ cls: "tree-item vaultmem-tree-item", attr: { role: "none" } });
    const self = item.createDiv({
      cls: "tree-item-self is-clickable vaultmem-row",
      attr: { "data-row": "", role: "treeitem", tabindex: "-1", "aria-level": String(level) },
    });
    if (canOpen(row)) self.setAttr("aria-expanded", "false");
    setIcon(self.createDiv({ cls: "vaultmem-tree-icon" }), iconOf(row));
    const inner = self.createDiv({ cls: "vaultmem-row-inner" });
    inner.createDiv({ cls: "vaultmem-row-title", text: row.label });
    if (row.details) inner.createDiv({ cls: "vaultmem-row-details", text: row.details });
    if (row.text) inner.createDiv({ cls: "vaultmem-row-text", text: row.text });
    const children = item.createDiv({ cls: "tree-item-children vaultmem-tree-children", attr: { role: "group" } });
    this.shown.set(self, { row, children, self, level });
    const { hit } = row;
    onActivate(self, (event) => {
      if (hit && (row.kind !== "summary" || whereOf(event))) this.open(hit, event);
      else void this.toggle(self, self.getAttr("aria-expanded") !== "true");
    });
    if (hit) this.connect(self, hit);
  }

  private connect(self: HTMLElement, hit: Hit): void {
    self.draggable = true;
    self.addEventListener("dragstart", (event) => event.dataTransfer?.setData("text/plain", wikilink(hit)));
    self.addEventListener("mouseover", (event) => {
      const about = { event, source: VIEWS.tree, hoverParent: this, targetEl: self, linktext: linkText(hit), sourcePath: "" };
      this.app.workspace.trigger("hover-link", about);
    });
    self.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      hitMenu(this.desk, hit).showAtMouseEvent(event);
    });
    if (hit.isLeaf) return;
    const open = iconButton(self, "file-text", "Open note", () => this.open(hit));
    open.tabIndex = -1;
    open.addEventListener("click", (event) => event.stopPropagation());
  }

  private open(hit: Hit, event?: MouseEvent | KeyboardEvent): void {
    openHit(this.app, hit, event ? whereOf(event) : false).catch((problem: unknown) => new Notice(problemText(problem)));
  }

  /** Open or close a row; what stands below is asked for when it is first opened. */
  private async toggle(self: HTMLElement, open: boolean): Promise<void> {
    const shown = this.shown.get(self);
    if (!shown || !canOpen(shown.row) || (self.getAttr("aria-expanded") === "true") === open) return;
    self.setAttr("aria-expanded", String(open));
    shown.children.toggle(open);
    if (!open || shown.children.childElementCount) return;
    const { memory } = this.desk;
    const calendar = this.desk.calendar();
    const { kind, key } = shown.row;
    try {
      const found = await (kind === "source" ? memory.roots(key) : memory.below(key));
      const rows = found.hits.map((hit) => hitTreeRow(hit, kind, calendar));
      this.list(shown.children, rows, shown.level + 1);
      if (!rows.length) said(shown.children, "", "Nothing stands below.");
      if (found.total > rows.length) said(shown.children, "mod-foot", `${rows.length} of ${found.total} are shown.`);
    } catch (problem) {
      said(shown.children, "mod-error", problemText(problem));
    }
  }
}
