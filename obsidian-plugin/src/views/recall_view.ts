/** The docked pane: type, and the passages that answer stand below. */

import { debounce, SearchComponent } from "obsidian";
import { NO_FILTERS } from "../domain/memory";
import { VIEWS } from "./desk";
import { FilterBar } from "./filter_bar";
import { HitList } from "./hit_list";
import { MemoryView } from "./memory_view";
import { iconButton, said } from "./parts";

/** Milliseconds of rest after a key before memory is asked. */
const REST_MS = 15;

export class RecallView extends MemoryView {
  override icon = "search";
  private search!: SearchComponent;
  private filters!: FilterBar;

  getViewType(): string {
    return VIEWS.recall;
  }

  getDisplayText(): string {
    return "Recall";
  }

  protected build(top: HTMLElement): void {
    const row = top.createDiv({ cls: "vaultmem-search" });
    this.search = new SearchComponent(row.createDiv({ cls: "vaultmem-search-box" }));
    this.search.setPlaceholder("Ask your memory…").setValue(this.about);
    this.search.inputEl.setAttr("aria-label", "Ask your memory");
    const ask = debounce(() => void this.refresh(), REST_MS, true);
    this.search.onChange((value) => {
      this.about = value;
      this.app.workspace.requestSaveLayout();
      ask();
    });
    this.search.inputEl.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" && this.hits?.enter()) event.preventDefault();
      if (event.key === "Enter" && !event.isComposing) ask();
    });
    this.filters = new FilterBar(top.createDiv(), this.desk, () => void this.refresh());
    const toggle = iconButton(row, "sliders-horizontal", "Filters", () => {
      toggle.setAttr("aria-expanded", String(this.filters.toggle()));
    });
    toggle.setAttr("aria-expanded", "false");
  }

  private hits: HitList | undefined;

  /** Put the cursor where one types. */
  focus(): void {
    this.search.inputEl.focus();
    this.search.inputEl.select();
  }

  protected override async fill(signal: AbortSignal): Promise<void> {
    if (this.search.getValue() !== this.about) this.search.setValue(this.about);
    const query = this.about.trim();
    if (!query) {
      this.hits = undefined;
      this.body.empty();
      said(this.body, "pane-empty", "Ask in your own words. People, times like “last week” and topics all count.");
      return;
    }
    const filters = this.filters?.value ?? NO_FILTERS;
    const found = await this.desk.memory.recall(query, filters, this.desk.limit(), signal);
    if (signal.aborted) return;
    this.body.empty();
    if (found.noGoodAnswer && found.hits.length) said(this.body, "mod-weak", "Nothing answers this well. This comes nearest:");
    const list = this.body.createDiv();
    this.hits = new HitList(list, {
      desk: this.desk,
      view: VIEWS.recall,
      hoverParent: this,
      query: () => query,
      above: () => this.focus(),
    });
    this.hits.show(found.hits);
    if (!found.hits.length) said(this.body, "pane-empty", "Nothing found.");
    const more = found.total - found.hits.length;
    const left = more > 0 ? `${found.hits.length} of ${found.total} passages that hold these words.` : "";
    if (left) said(this.body, "mod-foot", left);
    if (found.degraded) said(this.body, "mod-foot", `Missing: ${found.degraded}`);
  }
}
