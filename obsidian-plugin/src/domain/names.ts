/** Names of files that are dropped into the inbox: legal on every system, and never one that is taken. */

const UNSAFE = /[*"\\/<>:|?#^[\]\p{Cc}]+/gu;
const LONGEST = 80;

export function fileName(title: string, ending: string, isTaken: (name: string) => boolean): string {
  const plain = title.replace(UNSAFE, " ").replace(/\s+/gu, " ").trim().replace(/^\.+|\.+$/gu, "");
  const base = [...plain].slice(0, LONGEST).join("").trim() || "note";
  for (let n = 1; ; n += 1) {
    const name = `${base}${n > 1 ? ` ${n}` : ""}${ending}`;
    if (!isTaken(name)) return name;
  }
}

/** A title for a text that was given none: its first line that says something. */
export function firstWords(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^[#*\-_>\s]+/u, "").trim());
  return [...(lines.find((line) => line !== "") ?? "")].slice(0, 60).join("");
}
