/** Putting things into the inbox, through Obsidian. The engine files them; without one they wait there. */

import { type App, normalizePath, Notice, type TFile } from "obsidian";
import { fileName, firstWords } from "../domain/names";
import type { Desk } from "./desk";
import { problemText } from "./parts";

/** Copy notes or other files of the vault. */
export async function dropFiles(desk: Desk, files: readonly TFile[]): Promise<void> {
  await dropping(desk, files.length, async () => {
    for (const file of files) {
      const target = await place(desk, file.basename, `.${file.extension}`);
      await desk.app.vault.copy(file, target);
    }
  });
}

/** A selection becomes a note of its own, which says where it came from. */
export async function dropText(desk: Desk, text: string, from: TFile | null): Promise<void> {
  await dropping(desk, 1, async () => {
    const target = await place(desk, firstWords(text), ".md");
    const origin = from ? `\n\nFrom [[${from.path.replace(/\.md$/u, "")}]]\n` : "\n";
    await desk.app.vault.create(target, `${text.trim()}${origin}`);
  });
}

/** Files of this computer, chosen in the system's own dialog. */
export function dropFromDisk(desk: Desk): void {
  const input = activeDocument.body.createEl("input", { type: "file", cls: "vaultmem-hidden", attr: { multiple: "" } });
  input.addEventListener("change", () => {
    const chosen = [...(input.files ?? [])];
    input.remove();
    void dropping(desk, chosen.length, async () => {
      for (const file of chosen) await put(desk, file.name, await file.arrayBuffer());
    });
  });
  input.addEventListener("cancel", () => input.remove());
  input.click();
}

async function put(desk: Desk, name: string, data: ArrayBuffer): Promise<void> {
  const dot = name.lastIndexOf(".");
  const [base, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  await desk.app.vault.createBinary(await place(desk, base, ending), data);
}

/** A free path in the inbox; the folder is made when it is not there. */
async function place(desk: Desk, title: string, ending: string): Promise<string> {
  const { vault } = desk.app;
  const folder = normalizePath(desk.inbox());
  if (!vault.getFolderByPath(folder)) await vault.createFolder(folder);
  return `${folder}/${fileName(title, ending, (name) => isTaken(desk.app, `${folder}/${name}`))}`;
}

function isTaken(app: App, path: string): boolean {
  return app.vault.getAbstractFileByPath(path) !== null;
}

async function dropping(desk: Desk, count: number, act: () => Promise<void>): Promise<void> {
  if (!count) return;
  try {
    await act();
  } catch (problem) {
    new Notice(problemText(problem));
    return;
  }
  await desk.takeOver();
}
