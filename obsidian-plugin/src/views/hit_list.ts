/** A list of hits: open, preview on hover, drag as a link, why, and a menu for each. */

import { type App, type Component, Menu, Notice } from "obsidian";
import type { Hit } from "../domain/answers";
import { asContext, type Calendar, hitRow, linkText, wikilink } from "../domain/hits";
import { decisionLines, signalRows, whyListed, whyRows } from "../domain/why";
import type { Desk, ViewType } from "./desk";
import { openHit, whereOf } from "./opening";
import { bars, iconButton, marked, problemText, said } from "./parts";
import { onActivate, type Roving, roving } from "./roving";

export interface HitListSettings {
  desk: Desk;
  /** The view that shows the list: source of hover previews. */
  view: ViewType;
  hoverParent: Component;
  /** What was asked; its words are marked. */
  query: () => string;
  above?: () => void;
}

export class HitList {
  private readonly rows: Roving;

  constructor(
    private readonly list: HTMLElement,
    private readonly settings: HitListSettings,
  ) {
    list.addClass("vaultmem-hits");
    list.setAttrs({ role: "list", "aria-label": "Results" });
    this.rows = roving(list, {
      expand: (row, open) => void this.explain(row, open),
      ...(settings.above ? { above: settings.above } : {}),
    });
  }

  private readonly shown = new Map<HTMLElement, Hit>();

  show(hits: readonly Hit[]): void {
    this.list.empty();
    this.shown.clear();
    const calendar = this.settings.desk.calendar();
    for (const hit of hits) this.add(hit, calendar);
    this.rows.refresh();
  }

  enter(): boolean {
    return this.rows.enter();
  }

  private add(hit: Hit, calendar: Calendar): void {
    const row = hitRow(hit, this.settings.query(), calendar);
    const item = this.list.createDiv({ cls: "vaultmem-hit", attr: { role: "listitem" } });
    const self = item.createDiv({
      cls: "tree-item-self is-clickable vaultmem-row",
      attr: { "data-row": "", role: "button", draggable: "true", "aria-expanded": "false", tabindex: "-1" },
    });
    const inner = self.createDiv({ cls: "vaultmem-row-inner" });
    const top = inner.createDiv({ cls: "vaultmem-row-top" });
    top.createSpan({ cls: "vaultmem-row-title", text: row.title });
    if (row.details.length) top.createSpan({ cls: "vaultmem-row-details", text: row.details.join(" · ") });
    marked(inner.createDiv({ cls: "vaultmem-row-text" }), row.excerpt);
    inner.createDiv({ cls: "vaultmem-row-place", text: row.place, attr: { title: hit.notePath } });
    const why = iconButton(self, "help-circle", "Why this result", () => {
      void this.explain(self, self.getAttr("aria-expanded") !== "true");
    });
    why.tabIndex = -1;
    why.addEventListener("click", (event) => event.stopPropagation());
    this.shown.set(self, hit);
    this.connect(self, hit);
  }

  private connect(row: HTMLElement, hit: Hit): void {
    const { desk, view, hoverParent } = this.settings;
    onActivate(row, (event) => {
      openHit(desk.app, hit, whereOf(event)).catch((problem: unknown) => new Notice(problemText(problem)));
    });
    row.addEventListener("mouseover", (event) => {
      const linktext = linkText(hit);
      desk.app.workspace.trigger("hover-link", { event, source: view, hoverParent, targetEl: row, linktext, sourcePath: "" });
    });
    row.addEventListener("dragstart", (event) => event.dataTransfer?.setData("text/plain", wikilink(hit)));
    row.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      hitMenu(desk, hit, () => void this.explain(row, true)).showAtMouseEvent(event);
    });
  }

  /** Open or close what stands behind a result. */
  private async explain(row: HTMLElement, open: boolean): Promise<void> {
    const item = row.parentElement;
    const hit = this.shown.get(row);
    if (!item || !hit || (row.getAttr("aria-expanded") === "true") === open) return;
    row.setAttr("aria-expanded", String(open));
    item.find(".vaultmem-why")?.remove();
    if (!open) return;
    const why = item.createDiv({ cls: "vaultmem-why" });
    const parts = whyRows(hit.scoreParts);
    if (parts.length) bars(why, parts);
    else said(why, "", whyListed(hit));
    try {
      const told = await this.settings.desk.memory.explain(hit.nodeId, "");
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
}

/** What can be done with a hit. */
export function hitMenu(desk: Desk, hit: Hit, explain?: () => void): Menu {
  const { app } = desk;
  const menu = new Menu();
  const add = (title: string, icon: string, act: () => void): void => {
    menu.addItem((item) => item.setTitle(title).setIcon(icon).onClick(act));
  };
  add("Open in new tab", "file-plus", () => open(app, hit));
  if (explain) add("Why this result", "help-circle", explain);
  menu.addSeparator();
  add("Copy link", "link", () => copy(wikilink(hit)));
  add("Insert link", "text-cursor-input", () => desk.insertLink(hit));
  add("Copy as quotation", "quote", () => copy(asContext(hit, desk.calendar())));
  menu.addSeparator();
  add("Show in the tree", "list-tree", () => void desk.show("vaultmem-tree", hit.isLeaf ? hit.treeScope : hit.nodeId));
  const [first] = hit.entities;
  if (first) add("Show who is named", "users", () => void desk.show("vaultmem-entity", first));
  return menu;
}

function open(app: App, hit: Hit): void {
  openHit(app, hit, "tab").catch((problem: unknown) => new Notice(problemText(problem)));
}

function copy(text: string): void {
  activeWindow.navigator.clipboard.writeText(text).then(
    () => new Notice("Copied."),
    (problem: unknown) => new Notice(problemText(problem)),
  );
}
