/** A vault of many chunk notes, written as FORMAT.md has them and read by the engine as a person's own. */

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const WORDS = (
  "harbour lamp crane ferry budget invoice meeting printer poster contract delivery museum lens ticket concert storm window " +
  "garden bicycle train kitchen library engine painting market bridge river mountain teacher doctor lawyer baker sailor engineer " +
  "morning evening winter summer agreed promised paid ordered broken repaired moved signed cancelled confirmed visited painted"
).split(" ");
const PEOPLE = ["Mara Lindqvist", "Jonas Petrov", "Amina Diallo", "Rui Tavares", "Sam Okafor"];
const SCOPES = 40;

/** The same numbers on every machine. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const hex = (text: string): string => createHash("sha256").update(text).digest("hex");

/** So many chat notes of one message each. */
export function writeChunks(root: string, count: number): void {
  const roll = dice(7);
  const pick = <T>(from: readonly T[]): T => from[roll(from.length)] as T;
  for (let n = 0; n < count; n += 1) {
    const scope = `slack:room-${n % SCOPES}`;
    const at = new Date(Date.UTC(2026, 3, 1 + (n % 4), 8, 0, Math.floor(n / 4)));
    const words = Array.from({ length: 20 }, () => pick(WORDS)).join(" ");
    const stamp = at.toISOString().replace(".000", "");
    const body = `## ${stamp} — ${pick(PEOPLE)}\n\nWe ${words}, case ${n}.\n\n^m-${hex(String(n)).slice(0, 12)}\n`;
    writeNote(root, { n, scope, at, body });
  }
}

function writeNote(root: string, { n, scope, at, body }: { n: number; scope: string; at: Date; body: string }): void {
  const time = at.toISOString().slice(0, 19);
  const id = hex(`chunk ${n}`).slice(0, 32);
  const room = scope.replace(":", "-");
  const note = `wiki/raw/chat/${room}/2026-04/${String(n).padStart(5, "0")}-${id.slice(0, 6)}.md`;
  const lines = [
    `chunk_id: "${id}"`,
    `source_kind: chat`,
    `source_id: "${scope}"`,
    `tree_scope: "${scope}"`,
    `owner: ""`,
    `timestamp_ms: ${at.getTime()}`,
    `time_range_start: "${time}"`,
    `time_range_end: "${time}"`,
    `seq_in_source: ${Math.floor(n / SCOPES)}`,
    `position: "a${String(n).padStart(6, "0")}"`,
    `token_count: 60`,
    `memory_status: admitted`,
    `memory_score: 0.6`,
    `signals: []`,
    `drop_reason: ""`,
    `entities: []`,
    `source_ref: "slack export.zip # ${time}Z"`,
    `original: private`,
    `body_sha256: "${hex(body)}"`,
    `aliases:\n  - "${scope} ${time}"`,
    `tags: []`,
  ];
  const file = path.join(root, note);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `---\n${lines.join("\n")}\n---\n${body}`);
}
