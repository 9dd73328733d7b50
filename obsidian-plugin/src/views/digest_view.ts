/** What a day was about, each sentence with its link. */

import { MarkdownRenderer, Notice } from "obsidian";
import type { Digest } from "../domain/answers";
import { dayTitle, digestBody, shifted } from "../domain/days";
import { capital } from "../domain/hits";
import { VIEWS } from "./desk";
import { MemoryView } from "./memory_view";
import { openAtLine, whereOf } from "./opening";
import { iconButton, problemText, said, textButton } from "./parts";

export class DigestView extends MemoryView {
  override icon = "calendar-days";
  private head!: HTMLElement;
  private day = "";

  getViewType(): string {
    return VIEWS.digest;
  }

  getDisplayText(): string {
    return "Digest";
  }

  protected build(top: HTMLElement): void {
    const bar = top.createDiv({ cls: "vaultmem-bar-row" });
    iconButton(bar, "chevron-left", "The day before", () => void this.go(shifted(this.day, -1)));
    this.head = bar.createDiv({ cls: "vaultmem-bar-title vaultmem-day" });
    iconButton(bar, "chevron-right", "The day after", () => void this.go(shifted(this.day, 1)));
    iconButton(bar, "calendar-check", "Today", () => void this.go("today"));
    iconButton(bar, "history", "The newest day", () => void this.go(""));
    this.body.addEventListener("click", (event) => this.follow(event));
    this.body.addEventListener("mouseover", (event) => this.preview(event));
  }

  private async go(period: string): Promise<void> {
    this.about = period;
    this.app.workspace.requestSaveLayout();
    await this.refresh();
  }

  protected override async fill(signal: AbortSignal): Promise<void> {
    const digest = await this.desk.memory.digest(this.about);
    if (signal.aborted) return;
    this.day = digest.period;
    this.head.setText(dayTitle(digest.period, this.desk.calendar().locale));
    this.body.empty();
    if (digest.content) await this.render(digest);
    else this.nothing(digest);
  }

  private async render(digest: Digest): Promise<void> {
    const text = this.body.createDiv({ cls: "markdown-rendered vaultmem-digest" });
    await MarkdownRenderer.render(this.app, digestBody(digest.content), text, digest.notePath, this);
    const buttons = this.body.createDiv({ cls: "vaultmem-buttons" });
    textButton(buttons, "Open note", () => void openAtLine(this.app, digest.notePath, 0, false));
    if (digest.nodeId) textButton(buttons, "Drill down", () => void this.desk.show(VIEWS.tree, digest.nodeId));
  }

  private nothing(digest: Digest): void {
    const waits = digest.childIds.length;
    const why = capital(digest.degraded || "nothing is known of this day");
    said(this.body, "pane-empty", waits ? `${waits} notes of this day wait for a digest.` : `${why}.`);
    const buttons = this.body.createDiv({ cls: "vaultmem-buttons" });
    if (waits) textButton(buttons, "Bring memory up to date", () => void this.desk.takeOver().then(() => this.refresh()));
    textButton(buttons, "Show the newest day", () => void this.go(""));
  }

  /** Rendered links open notes, as in a note itself. */
  private follow(event: MouseEvent): void {
    const target = linkOf(event);
    if (!target) return;
    event.preventDefault();
    const opened = this.app.workspace.openLinkText(target.link, "", whereOf(event));
    opened.catch((problem: unknown) => new Notice(problemText(problem)));
  }

  private preview(event: MouseEvent): void {
    const target = linkOf(event);
    if (!target) return;
    const { anchor: targetEl, link: linktext } = target;
    this.app.workspace.trigger("hover-link", { event, source: VIEWS.digest, hoverParent: this, targetEl, linktext, sourcePath: "" });
  }
}

function linkOf(event: MouseEvent): { anchor: HTMLElement; link: string } | undefined {
  const { target } = event;
  if (!(target as Node | null)?.instanceOf(HTMLElement)) return undefined;
  const anchor = (target as HTMLElement).closest<HTMLElement>("a.internal-link");
  const link = anchor?.getAttr("data-href") ?? "";
  return anchor && link ? { anchor, link } : undefined;
}
