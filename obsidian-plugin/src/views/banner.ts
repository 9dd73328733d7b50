/** Says plainly whether the engine runs, and what to do when it does not. */

import { Notice } from "obsidian";
import type { Desk } from "./desk";
import { problemText, textButton } from "./parts";

const INSTALL = "pipx install vaultmem";

export function engineBanner(parent: HTMLElement, desk: Desk): void {
  const { engine } = desk;
  const { state } = engine;
  parent.empty();
  parent.toggleClass("vaultmem-banner", engine.isDown || state.name === "starting");
  if (state.name === "starting") parent.createDiv({ text: "Starting the engine…" });
  if (!engine.isDown) return;
  parent.createDiv({ cls: "vaultmem-banner-title", text: "The engine is not running" });
  if (state.name === "failed") parent.createDiv({ cls: "vaultmem-reason", text: state.reason });
  if (state.name === "missing") {
    const line = parent.createDiv({ text: "The program was not found on this computer. Install it in a terminal: " });
    line.createEl("code", { text: INSTALL });
  }
  parent.createDiv({ text: "Until it runs you see what the notes' properties and names say, and files you add wait in the inbox." });
  const buttons = parent.createDiv({ cls: "vaultmem-buttons" });
  textButton(buttons, "Try again", () => {
    engine.restart().catch((problem: unknown) => new Notice(problemText(problem)));
  });
  textButton(buttons, "Choose the program", () => desk.chooseProgram());
}
