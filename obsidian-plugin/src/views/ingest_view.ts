/** What became of what was dropped into the inbox; what was not kept can be admitted here. */

import { normalizePath, Notice, type TFile } from "obsidian";
import type { DroppedList, DroppedRow, SourceList } from "../domain/answers";
import { droppedDetails, type FileLine, type IngestState, ingestState, reasonText } from "../domain/ingest";
import { whenOf } from "../domain/hits";
import { VIEWS } from "./desk";
import { dropFromDisk } from "./dropping";
import { MemoryView } from "./memory_view";
import { openAtLine, whereOf } from "./opening";
import { heading, iconButton, problemText, said, textButton } from "./parts";
import { onActivate, roving } from "./roving";

const MOST_DROPPED = 100;

export class IngestView extends MemoryView {
  override icon = "inbox";

  getViewType(): string {
    return VIEWS.ingest;
  }

  getDisplayText(): string {
    return "Ingest status";
  }

  protected build(top: HTMLElement): void {
    const bar = top.createDiv({ cls: "vaultmem-bar-row" });
    bar.createDiv({ cls: "vaultmem-bar-title", text: "Ingest status" });
    iconButton(bar, "plus", "Ingest file from disk", () => dropFromDisk(this.desk));
    iconButton(bar, "refresh-cw", "Bring memory up to date", () => void this.takeOver());
    const { vault } = this.app;
    const changed = (path: string): void => {
      if (path.startsWith(`${this.desk.inbox()}/`)) void this.refresh();
    };
    this.registerEvent(vault.on("create", (file) => changed(file.path)));
    this.registerEvent(vault.on("delete", (file) => changed(file.path)));
    this.registerEvent(vault.on("rename", (file) => changed(file.path)));
    roving(this.body);
  }

  private async takeOver(): Promise<void> {
    await this.desk.takeOver();
    await this.refresh();
  }

  protected override async fill(signal: AbortSignal): Promise<void> {
    const { memory } = this.desk;
    const [status, dropped, sources] = await Promise.all([memory.status(), memory.dropped(MOST_DROPPED), memory.sources()]);
    const state = ingestState(status, this.desk.inbox(), this.desk.calendar());
    const failed = await Promise.all(state.failed.map((file) => this.withReason(file)));
    if (signal.aborted) return;
    this.body.empty();
    for (const line of state.summary) this.body.createDiv({ cls: "vaultmem-summary", text: line });
    this.files("Waiting", state.waiting, "Nothing waits in the inbox.");
    if (state.left.length) this.files("Left alone", state.left, "");
    this.failed(failed);
    this.dropped(dropped);
    this.problems(state);
    this.kept(sources);
  }

  private files(title: string, files: readonly FileLine[], empty: string): void {
    heading(this.body, title, files.length);
    for (const file of files) this.row(this.body, file.name, file.reason, file.path);
    if (!files.length) said(this.body, "", empty);
  }

  private failed(files: readonly FileLine[]): void {
    if (!files.length) return;
    heading(this.body, "Failed", files.length);
    for (const file of files) {
      const self = this.row(this.body, file.name, file.reason, `${file.path}.reason.md`);
      iconButton(self, "rotate-ccw", "Try again", () => void this.retry(file)).addEventListener("click", stop);
    }
  }

  private dropped({ rows, total }: DroppedList): void {
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

  private problems({ problems }: IngestState): void {
    if (problems.length) this.files("Notes with a problem", problems, "");
  }

  private kept({ hits }: SourceList): void {
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

  private row(parent: HTMLElement, title: string, details: string, path: string): HTMLElement {
    const self = parent.createDiv({ cls: "tree-item-self is-clickable vaultmem-row", attr: { "data-row": "", role: "button", tabindex: "0" } });
    const inner = self.createDiv({ cls: "vaultmem-row-inner" });
    inner.createDiv({ cls: "vaultmem-row-title", text: title });
    if (details) inner.createDiv({ cls: "vaultmem-row-details", text: details });
    if (path) onActivate(self, (event) => void openAtLine(this.app, path, 0, whereOf(event)));
    return self;
  }

  /** The reason stands in a note beside the file. */
  private async withReason(file: FileLine): Promise<FileLine> {
    const note = this.app.vault.getFileByPath(`${file.path}.reason.md`);
    return note ? { ...file, reason: reasonText(await this.app.vault.cachedRead(note)) } : file;
  }

  /** Back into the inbox; its old reason goes to the trash. */
  private async retry(file: FileLine): Promise<void> {
    const { vault, fileManager } = this.app;
    const held = vault.getFileByPath(file.path);
    try {
      if (!held) throw new Error(`${file.path} is not in the vault any more.`);
      const reason = vault.getFileByPath(`${file.path}.reason.md`);
      await fileManager.renameFile(held, normalizePath(`${this.desk.inbox()}/${held.name}`));
      if (reason) await fileManager.trashFile(reason);
      await this.takeOver();
    } catch (problem) {
      new Notice(problemText(problem));
    }
  }

  /** The person's word, in the note's own property: it stays so. */
  private async keep(row: DroppedRow, button: HTMLButtonElement): Promise<void> {
    const file = this.app.vault.getFileByPath(row.notePath);
    if (!file) {
      new Notice(`${row.notePath} is not in the vault any more.`);
      return;
    }
    button.disabled = true;
    try {
      await admit(this, file);
      await this.takeOver();
    } catch (problem) {
      button.disabled = false;
      new Notice(problemText(problem));
    }
  }
}

async function admit(view: IngestView, file: TFile): Promise<void> {
  await view.app.fileManager.processFrontMatter(file, (properties: Record<string, unknown>) => {
    properties["memory_status"] = "admitted";
  });
}

function stop(event: Event): void {
  event.stopPropagation();
}
