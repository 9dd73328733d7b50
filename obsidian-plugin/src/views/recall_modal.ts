/** Quick recall: type, choose with the arrows, open. */

import { Notice, SuggestModal } from "obsidian";
import type { Hit } from "../domain/answers";
import { type Calendar, hitRow } from "../domain/hits";
import { NO_FILTERS } from "../domain/memory";
import { Cancelled } from "../wire/rpc";
import { type Desk, VIEWS } from "./desk";
import { openHit, whereOf } from "./opening";
import { marked, problemText } from "./parts";

/** More than one looks through without scrolling far. */
const FEW = 20;

export class RecallModal extends SuggestModal<Hit> {
  private asked: AbortController | undefined;
  private query = "";
  /** Of the list that is shown. */
  private calendar: Calendar;

  constructor(private readonly desk: Desk) {
    super(desk.app);
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
      { command: "shift ↵", purpose: "to keep the results in the pane" },
    ]);
    this.scope.register(["Alt"], "Enter", (event) => this.selectActiveSuggestion(event));
    this.scope.register(["Mod"], "Enter", (event) => this.selectActiveSuggestion(event));
    this.scope.register(["Shift"], "Enter", () => {
      this.close();
      void this.desk.show(VIEWS.recall, this.query);
      return false;
    });
  }

  /** The newest question's answer; one that was overtaken stays empty, for the next follows at once. */
  override async getSuggestions(query: string): Promise<Hit[]> {
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
      if (!(problem instanceof Cancelled)) new Notice(problemText(problem));
      return [];
    }
  }

  override renderSuggestion(hit: Hit, el: HTMLElement): void {
    const row = hitRow(hit, this.query, this.calendar);
    el.addClass("vaultmem-suggestion");
    const top = el.createDiv({ cls: "vaultmem-row-top" });
    top.createSpan({ cls: "vaultmem-row-title", text: row.title });
    top.createSpan({ cls: "vaultmem-row-details", text: row.details.join(" · ") });
    marked(el.createDiv({ cls: "vaultmem-row-text" }), row.excerpt);
    el.createDiv({ cls: "vaultmem-row-place", text: row.place });
  }

  override onChooseSuggestion(hit: Hit, event: MouseEvent | KeyboardEvent): void {
    if (event.altKey) this.desk.insertLink(hit);
    else openHit(this.app, hit, whereOf(event)).catch((problem: unknown) => new Notice(problemText(problem)));
  }
}
