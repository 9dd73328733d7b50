/** Who may be one and the same: asked by the engine in its review note, answered in the entity notes' properties. */

import { Notice, type TFile } from "obsidian";
import { entityLink, type MergeQuestion, type NoteLink, openQuestions, REVIEW } from "../domain/review";
import type { Desk } from "./desk";
import { openAtLine } from "./opening";
import { heading, problemText, textButton } from "./parts";

/** Show the open questions, all of them or those of one note. */
export async function mergeQuestions(parent: HTMLElement, desk: Desk, notePath: string | undefined, answered: () => void): Promise<void> {
  const note = desk.app.vault.getFileByPath(REVIEW);
  if (!note) return;
  const section = parent.createDiv();
  const questions = openQuestions(await desk.app.vault.cachedRead(note)).filter(
    ({ keep, merge }) => notePath === undefined || [keep, merge].some(({ path }) => `${path}.md` === notePath),
  );
  if (!questions.length) return;
  heading(section, "One and the same?", questions.length);
  for (const question of questions) ask(section, desk, question, answered);
}

function ask(parent: HTMLElement, desk: Desk, question: MergeQuestion, answered: () => void): void {
  const card = parent.createDiv({ cls: "vaultmem-card" });
  const names = card.createDiv({ cls: "vaultmem-row-title" });
  name(names, desk, question.merge);
  names.appendText(" is ");
  name(names, desk, question.keep);
  if (question.why) card.createDiv({ cls: "vaultmem-row-details", text: question.why });
  const buttons = card.createDiv({ cls: "vaultmem-buttons" });
  const answer = (act: (desk: Desk, question: MergeQuestion) => Promise<void>) => async (): Promise<void> => {
    try {
      await act(desk, question);
      await desk.takeOver();
      answered();
    } catch (problem) {
      new Notice(problemText(problem));
    }
  };
  textButton(buttons, "Merge", () => void answer(merge)()).addClass("mod-cta");
  textButton(buttons, "Keep apart", () => void answer(keepApart)());
}

function name(parent: HTMLElement, desk: Desk, link: NoteLink): void {
  const anchor = parent.createEl("a", { cls: "internal-link", text: link.name, href: "#" });
  anchor.addEventListener("click", (event) => {
    event.preventDefault();
    void openAtLine(desk.app, `${link.path}.md`, 0, event.metaKey || event.ctrlKey);
  });
}

/** `same_as` in the note that goes into the other; taken out again, they are two. */
async function merge(desk: Desk, { keep, merge: goes }: MergeQuestion): Promise<void> {
  await desk.app.fileManager.processFrontMatter(noteOf(desk, goes), (properties: Record<string, unknown>) => {
    properties["same_as"] = [entityLink(keep)];
  });
}

async function keepApart(desk: Desk, { keep, merge: other }: MergeQuestion): Promise<void> {
  for (const [one, two] of [[keep, other], [other, keep]] as const) {
    await desk.app.fileManager.processFrontMatter(noteOf(desk, one), (properties: Record<string, unknown>) => {
      const held: unknown = properties["not_same_as"];
      const links = Array.isArray(held) ? held.filter((each) => typeof each === "string") : [];
      properties["not_same_as"] = [...new Set([...links, entityLink(two)])];
    });
  }
}

function noteOf(desk: Desk, { path }: NoteLink): TFile {
  const file = desk.app.vault.getFileByPath(`${path}.md`);
  if (!file) throw new Error(`${path} is not in the vault any more.`);
  return file;
}
