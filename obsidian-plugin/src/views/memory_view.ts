/** What all panes share: the engine's state on top, one question at a time, problems as text. */

import { ItemView, type ViewStateResult, type WorkspaceLeaf } from "obsidian";
import { Cancelled } from "../wire/rpc";
import { engineBanner } from "./banner";
import type { Desk } from "./desk";
import { problemText, said } from "./parts";

export abstract class MemoryView extends ItemView {
  /** What the view is about, as the workspace remembers it. */
  protected about = "";
  protected body!: HTMLElement;
  private asked: AbortController | undefined;
  private banner!: HTMLElement;

  constructor(
    leaf: WorkspaceLeaf,
    protected readonly desk: Desk,
  ) {
    super(leaf);
  }

  /** Build what stays; called once. */
  protected abstract build(top: HTMLElement): void;
  /** Fill the body anew. */
  protected abstract fill(signal: AbortSignal): Promise<void>;

  override async onOpen(): Promise<void> {
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

  override async onClose(): Promise<void> {
    this.asked?.abort();
    this.contentEl.empty();
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), about: this.about };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    await super.setState(state, result);
    const about = typeof state === "object" && state !== null && "about" in state ? state.about : undefined;
    if (typeof about === "string" && about !== this.about) {
      this.about = about;
      await this.refresh();
    }
  }

  /** Ask anew; an answer that comes after a later question is dropped. */
  async refresh(): Promise<void> {
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
}
