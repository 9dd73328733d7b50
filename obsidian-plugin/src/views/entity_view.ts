/** A person or topic: its names, its mentions over time, and who may be the same. */

import { debounce, SearchComponent } from "obsidian";
import type { EntityRow, Timeline } from "../domain/answers";
import { grouped } from "../domain/note";
import { barsOf, monthName } from "../domain/months";
import { VIEWS } from "./desk";
import { HitList } from "./hit_list";
import { MemoryView } from "./memory_view";
import { mergeQuestions } from "./merge_questions";
import { openAtLine, whereOf } from "./opening";
import { heading, iconButton, said } from "./parts";
import { onActivate, type Roving, roving } from "./roving";

const REST_MS = 15;
const MOST_LISTED = 50;
const MOST_MENTIONS = 100;

export class EntityView extends MemoryView {
  override icon = "users";
  private search!: SearchComponent;
  private rows: Roving | undefined;

  getViewType(): string {
    return VIEWS.entity;
  }

  getDisplayText(): string {
    return "People and topics";
  }

  protected build(top: HTMLElement): void {
    this.search = new SearchComponent(top.createDiv({ cls: "vaultmem-search vaultmem-search-box" }));
    this.search.setPlaceholder("Find a person, project or topic…");
    this.search.inputEl.setAttr("aria-label", "Find a person, project or topic");
    const ask = debounce(() => void this.go(""), REST_MS, true);
    this.search.onChange(() => ask());
    this.search.inputEl.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" && this.rows?.enter()) event.preventDefault();
    });
  }

  private async go(entity: string): Promise<void> {
    this.about = entity;
    this.app.workspace.requestSaveLayout();
    await this.refresh();
  }

  protected override async fill(signal: AbortSignal): Promise<void> {
    this.rows = undefined;
    if (this.about) await this.fillOne(this.about, signal);
    else await this.fillAll(signal);
  }

  private async fillAll(signal: AbortSignal): Promise<void> {
    const found = await this.desk.memory.entities(this.search.getValue().trim(), MOST_LISTED, signal);
    if (signal.aborted) return;
    this.body.empty();
    await mergeQuestions(this.body, this.desk, undefined, () => void this.refresh());
    const list = this.body.createDiv({ attr: { role: "list", "aria-label": "People and topics" } });
    this.rows = roving(list, { above: () => this.search.inputEl.focus() });
    for (const row of found.hits) this.addRow(list, row);
    this.rows.refresh();
    if (!found.hits.length) said(this.body, "pane-empty", "Nobody and nothing of that name is known.");
    if (found.total > found.hits.length) said(this.body, "mod-foot", `${found.hits.length} of ${found.total}`);
    if (found.degraded) said(this.body, "mod-foot", found.degraded);
  }

  private addRow(list: HTMLElement, row: EntityRow): void {
    const item = list.createDiv({ attr: { role: "listitem" } });
    const self = item.createDiv({ cls: "tree-item-self is-clickable vaultmem-row", attr: { "data-row": "", role: "button" } });
    const inner = self.createDiv({ cls: "vaultmem-row-inner" });
    inner.createDiv({ cls: "vaultmem-row-title", text: row.displayName });
    const others = row.aliases.filter((name) => name !== row.displayName).join(", ");
    inner.createDiv({ cls: "vaultmem-row-details", text: [row.kind, others].filter((part) => part !== "").join(" · ") });
    self.createSpan({ cls: "tree-item-flair", text: String(row.mentions), attr: { "aria-label": `${row.mentions} mentions` } });
    onActivate(self, (event) => {
      if (whereOf(event) && row.notePath) void openAtLine(this.app, row.notePath, 0, whereOf(event));
      else void this.go(row.id);
    });
  }

  private async fillOne(entity: string, signal: AbortSignal): Promise<void> {
    const { memory } = this.desk;
    const timeline = await memory.timeline(entity);
    const mentions = await memory.mentions(entity, timeline.displayName, MOST_MENTIONS);
    if (signal.aborted) return;
    this.body.empty();
    this.header(timeline);
    await mergeQuestions(this.body, this.desk, timeline.notePath, () => void this.refresh());
    this.chart(timeline);
    heading(this.body, "Mentions", mentions.total);
    const byMonth = grouped(mentions.hits, (hit) => hit.start.slice(0, 7));
    for (const [month, hits] of byMonth) {
      const part = this.body.createDiv({ attr: { "data-month": month } });
      part.createDiv({ cls: "vaultmem-month", text: month ? monthName(month, this.desk.calendar().locale) : "Without a date" });
      const query = (): string => timeline.displayName;
      new HitList(part.createDiv(), { desk: this.desk, view: VIEWS.entity, hoverParent: this, query }).show(hits);
    }
    if (!mentions.hits.length) said(this.body, "pane-empty", mentions.degraded || "Nothing that memory keeps names it.");
  }

  private header(timeline: Timeline): void {
    const bar = this.body.createDiv({ cls: "vaultmem-bar-row" });
    iconButton(bar, "arrow-left", "All people and topics", () => void this.go(""));
    const name = bar.createDiv({ cls: "vaultmem-bar-title" });
    name.createDiv({ text: timeline.displayName });
    name.createDiv({ cls: "vaultmem-row-details", text: timeline.entity });
    if (timeline.notePath) iconButton(bar, "file-text", "Open note", () => void openAtLine(this.app, timeline.notePath, 0, false));
    iconButton(bar, "waypoints", "Show memory graph", () => void this.desk.show(VIEWS.graph, timeline.entity));
  }

  /** A column for each month; choosing one goes to what was said then. */
  private chart(timeline: Timeline): void {
    const bars = barsOf(timeline.months);
    if (!bars.length) return;
    heading(this.body, "Over time", timeline.chunks);
    const chart = this.body.createDiv({ cls: "vaultmem-chart", attr: { role: "list", "aria-label": "Mentions over time" } });
    const keys = roving(chart, { isAcross: true });
    for (const { month, count, share } of bars) {
      const label = `${monthName(month, this.desk.calendar().locale)}: ${count}`;
      const column = chart.createEl("button", { cls: "vaultmem-column", attr: { "data-row": "", "aria-label": label, type: "button" } });
      const fill = column.createSvg("svg", { attr: { viewBox: "0 0 10 100", preserveAspectRatio: "none", "aria-hidden": "true" } });
      const height = count ? Math.max(3, 100 * share) : 0;
      fill.createSvg("rect", { attr: { x: 1, width: 8, y: 100 - height, height } });
      onActivate(column, () => this.body.find(`[data-month^="${month}"]`)?.scrollIntoView({ block: "start" }));
    }
    keys.refresh();
    const ends = this.body.createDiv({ cls: "vaultmem-chart-ends" });
    for (const bar of [bars[0], bars.at(-1)]) if (bar) ends.createSpan({ text: bar.month });
  }
}
