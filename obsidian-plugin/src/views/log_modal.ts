/** What the engine last said on its error stream. */

import { Modal } from "obsidian";
import type { Desk } from "./desk";
import { said } from "./parts";

export class LogModal extends Modal {
  constructor(private readonly desk: Desk) {
    super(desk.app);
  }

  override onOpen(): void {
    this.setTitle("Engine log");
    const { log, state } = this.desk.engine;
    said(this.contentEl, "", `State: ${state.name}${state.name === "failed" ? `, ${state.reason}` : ""}`);
    if (log.length) this.contentEl.createEl("pre", { cls: "vaultmem-log", text: log.join("\n") });
    else said(this.contentEl, "", "It said nothing.");
  }

  override onClose(): void {
    this.contentEl.empty();
  }
}
