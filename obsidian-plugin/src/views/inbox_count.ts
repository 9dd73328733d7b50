/** How many files wait in the inbox, in the status bar. */

import { Component, debounce } from "obsidian";
import { filesBelow } from "../engine/note_book";
import { type Desk, VIEWS } from "./desk";

const REST_MS = 500;

export class InboxCount extends Component {
  constructor(
    private readonly desk: Desk,
    private readonly item: HTMLElement,
  ) {
    super();
  }

  override onload(): void {
    const { vault } = this.desk.app;
    const count = debounce(() => this.count(), REST_MS, true);
    const changed = (path: string): void => {
      if (path.startsWith(`${this.desk.inbox()}/`)) count();
    };
    this.registerEvent(vault.on("create", (file) => changed(file.path)));
    this.registerEvent(vault.on("delete", (file) => changed(file.path)));
    this.registerEvent(
      vault.on("rename", (file, before) => {
        changed(file.path);
        changed(before);
      }),
    );
    this.item.addClass("mod-clickable");
    this.item.setAttr("aria-label", "Open ingest status");
    this.registerDomEvent(this.item, "click", () => void this.desk.show(VIEWS.ingest));
    this.count();
  }

  private count(): void {
    const folder = this.desk.app.vault.getFolderByPath(this.desk.inbox());
    const waiting = folder ? filesBelow(folder).filter((file) => !file.path.startsWith(`${folder.path}/_failed/`)).length : 0;
    this.item.setText(waiting ? `Memory: ${waiting} in the inbox` : "");
    this.item.toggle(waiting > 0);
  }
}
