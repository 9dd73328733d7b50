/** Where the program is, asked where it is missed. */

import { Modal, Setting } from "obsidian";
import { programRow } from "../settings";
import type { Desk } from "./desk";

export class ProgramModal extends Modal {
  constructor(private readonly desk: Desk) {
    super(desk.app);
  }

  override onOpen(): void {
    this.setTitle("Where is vaultmem?");
    const row = new Setting(this.contentEl).setName("Program").setDesc("Its full path on this device. It is kept here only, never in the vault.");
    programRow(row, this.desk);
  }

  override onClose(): void {
    this.contentEl.empty();
  }
}
