/** Opening notes at the very message or line. */

import { type App, Keymap, MarkdownView, Notice, type PaneType } from "obsidian";
import type { Hit } from "../domain/answers";
import { linkText } from "../domain/hits";

type Where = PaneType | boolean;

/** Where a click or key press wants it: Mod or the middle button is a new tab. */
export function whereOf(event: MouseEvent | KeyboardEvent): Where {
  if (event.instanceOf(MouseEvent) && event.button === 1) return "tab";
  return Keymap.isModEvent(event);
}

/** At its block, else at its line. */
export async function openHit(app: App, hit: Hit, where: Where): Promise<void> {
  if (hit.block) await app.workspace.openLinkText(linkText(hit), "", where);
  else await openAtLine(app, hit.notePath, hit.lines[0], where);
}

/** `line` counts from 1; 0 is the note as it was last left. */
export async function openAtLine(app: App, path: string, line: number, where: Where): Promise<void> {
  const file = app.vault.getFileByPath(path);
  if (!file) {
    new Notice(`${path} is not in the vault any more.`);
    return;
  }
  const leaf = app.workspace.getLeaf(where);
  await leaf.openFile(file, line > 0 ? { active: true, eState: { line: line - 1 } } : { active: true });
  if (line > 0 && leaf.view instanceof MarkdownView) leaf.view.setEphemeralState({ line: line - 1 });
}
