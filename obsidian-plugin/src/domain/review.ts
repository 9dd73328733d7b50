/** The questions of `entities/Review.md`: who may be one and the same. The engine writes them, a person answers. */

export interface MergeQuestion {
  /** Block id of its line. */
  key: string;
  /** The note that stays, and the one that would say `same_as` of it. */
  keep: NoteLink;
  merge: NoteLink;
  why: string;
}

export interface NoteLink {
  /** Vault path without `.md`. */
  path: string;
  name: string;
}

export const REVIEW = "entities/Review.md";

const LINK = String.raw`\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]`;
const QUESTION = new RegExp(
  String.raw`^\s*[-*+] \[ \] merge ${LINK}\s*(?:<-|←)\s*${LINK}\s*(?:\((.*)\))?.*\^(ms-[0-9a-f]{8})\s*$`,
  "u",
);

/** Those that nobody has ticked. */
export function openQuestions(body: string): MergeQuestion[] {
  return body.split(/\r?\n/u).flatMap((line) => {
    const found = QUESTION.exec(line);
    if (!found) return [];
    const [, keep = "", keepName = "", merge = "", mergeName = "", why = "", key = ""] = found;
    return [{ key, keep: link(keep, keepName), merge: link(merge, mergeName), why }];
  });
}

function link(path: string, name: string): NoteLink {
  return { path: path.trim(), name: name.trim() || (path.split("/").pop() ?? path) };
}

/** What a note's `same_as` or `not_same_as` says. */
export function entityLink({ path, name }: NoteLink): string {
  return `[[${path}|${name.replace(/[[\]|]/gu, " ")}]]`;
}
