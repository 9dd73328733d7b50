/** A note as Obsidian's metadata has it; anybody may have written anything into its properties. */

export interface Note {
  path: string;
  properties: Record<string, unknown>;
  headings: string[];
}

/** A property as text; "" when it is absent or no text. */
export function textOf(note: Note | undefined, key: string): string {
  const value = note?.properties[key];
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** A property as a list of text; one text is a list of one. */
export function textsOf(note: Note, key: string): string[] {
  const value = note.properties[key];
  if (typeof value === "string") return value ? [value] : [];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

export function numberOf(note: Note, key: string): number {
  const value = Number(note.properties[key]);
  return Number.isFinite(value) ? value : 0;
}

/** Things by what they have in common, in the order in which it first appears. */
export function grouped<T>(things: readonly T[], keyOf: (thing: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const thing of things) {
    const held = found.get(keyOf(thing));
    if (held) held.push(thing);
    else found.set(keyOf(thing), [thing]);
  }
  return found;
}
