/** Small pieces that all views are made of. Text is always set as text. */

import { setIcon, setTooltip } from "obsidian";
import type { Segment } from "../domain/marks";
import type { WhyRow } from "../domain/why";

export function iconButton(parent: HTMLElement, icon: string, name: string, act: () => void): HTMLButtonElement {
  const button = parent.createEl("button", { cls: "clickable-icon vaultmem-icon", attr: { "aria-label": name, type: "button" } });
  setIcon(button, icon);
  setTooltip(button, name);
  button.addEventListener("click", act);
  return button;
}

export function textButton(parent: HTMLElement, name: string, act: () => void): HTMLButtonElement {
  const button = parent.createEl("button", { text: name, attr: { type: "button" } });
  button.addEventListener("click", act);
  return button;
}

export function marked(parent: HTMLElement, pieces: readonly Segment[]): void {
  for (const { text, isMark } of pieces) {
    if (isMark) parent.createSpan({ cls: "search-result-file-matched-text", text });
    else parent.appendText(text);
  }
}

/** Empty states and notes of a few words. */
export function said(parent: HTMLElement, cls: string, text: string): HTMLElement {
  return parent.createDiv({ cls: `vaultmem-said ${cls}`, text });
}

/** Names and values with a bar each. */
export function bars(parent: HTMLElement, rows: readonly WhyRow[]): void {
  const table = parent.createDiv({ cls: "vaultmem-bars" });
  for (const { name, value, share } of rows) {
    table.createSpan({ cls: "vaultmem-bar-name", text: name });
    const bar = table.createEl("progress", { cls: "vaultmem-bar", attr: { max: "1", "aria-label": name } });
    bar.value = share;
    table.createSpan({ cls: "vaultmem-bar-value", text: value.toFixed(2) });
  }
}

export function heading(parent: HTMLElement, text: string, count?: number): HTMLElement {
  const row = parent.createDiv({ cls: "vaultmem-heading", attr: { role: "heading", "aria-level": "2" } });
  row.createSpan({ text });
  if (count !== undefined) row.createSpan({ cls: "tree-item-flair", text: String(count) });
  return row;
}

export function problemText(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
