/** Which passages recall may look at. */

import { DropdownComponent, TextComponent } from "obsidian";
import { type Filters, NO_FILTERS } from "../domain/memory";
import type { Desk } from "./desk";
import { textButton } from "./parts";

const KINDS: Record<Filters["kind"], string> = { "": "All kinds", chat: "Chats", email: "Mails", document: "Documents" };

export class FilterBar {
  value: Filters = NO_FILTERS;
  private readonly panel: HTMLElement;
  private isBuilt = false;

  constructor(
    parent: HTMLElement,
    private readonly desk: Desk,
    private readonly changed: () => void,
  ) {
    this.panel = parent.createDiv({ cls: "vaultmem-filters", attr: { role: "group", "aria-label": "Filters" } });
    this.panel.hide();
  }

  /** Show or hide it; whether it is shown. */
  toggle(): boolean {
    const open = !this.panel.isShown();
    this.panel.toggle(open);
    if (open && !this.isBuilt) this.build();
    return open;
  }

  private build(): void {
    this.isBuilt = true;
    this.panel.empty();
    const kinds = new DropdownComponent(this.field("Kind")).addOptions(KINDS);
    kinds.onChange((kind) => this.set({ kind: isKind(kind) ? kind : "" }));
    const sources = new DropdownComponent(this.field("Source")).addOption("", "All sources");
    sources.onChange((source) => this.set({ source }));
    this.desk.memory.sources().then(
      ({ hits }) => {
        for (const row of hits) sources.addOption(row.sourceId, row.title || row.sourceId);
      },
      () => undefined, // without sources there is nothing to choose from
    );
    const since = this.day("From", (day) => this.set({ since: day }));
    const until = this.day("Until", (day) => this.set({ until: day }));
    const entity = new TextComponent(this.field("About")).setPlaceholder("Person or topic");
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

  private field(name: string): HTMLElement {
    const label = this.panel.createEl("label", { cls: "vaultmem-field" });
    label.createSpan({ text: name });
    return label;
  }

  private day(name: string, take: (day: string) => void): HTMLInputElement {
    const input = this.field(name).createEl("input", { type: "date" });
    input.addEventListener("change", () => take(input.value));
    return input;
  }

  private set(part: Partial<Filters>): void {
    this.value = { ...this.value, ...part };
    this.changed();
  }
}

function isKind(kind: string): kind is Filters["kind"] {
  return kind in KINDS;
}
