/** What the pages are filled with: the answers that pytest checks, nothing at all, trouble, and hostile words. */

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { readCase } from "../cases";
import { TableEngine } from "./bench";

const SAMPLE = path.join(import.meta.dirname, "..", "..", "..", "sample_vault");
export const HOSTILE = `<img src=x onerror="window.pwned=1">`;
const LONG = "Donaudampfschifffahrtsgesellschaftskapitänskajütentürschlüsselbundanhänger".repeat(4);

/** The notes of the sample vault, as Obsidian would have them. */
export function sampleFiles(): Record<string, string> {
  const names = readdirSync(SAMPLE, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(names.map((name) => [name.split(path.sep).join("/"), readFileSync(path.join(SAMPLE, name), "utf8")]));
}

/** Beside them: a question, a file that failed. */
export function withTrouble(files: Record<string, string>): Record<string, string> {
  return {
    ...files,
    "entities/person/bob-stone.md": "---\nid: person:bob-stone\nkind: person\ndisplay_name: Bob Stone\naliases: []\n---\n",
    "entities/person/robert-stone.md": "---\nid: person:robert-stone\nkind: person\ndisplay_name: Robert Stone\naliases: []\n---\n",
    "entities/Review.md":
      "# Review\n\n- [ ] merge [[entities/person/robert-stone|Robert Stone]] <- [[entities/person/bob-stone|Bob Stone]] (nickname and same surname) ^ms-0a1b2c3d\n",
    "inbox/_failed/broken.pdf": "%PDF",
    "inbox/_failed/broken.pdf.reason.md": "# Not imported\n\nIt is no PDF: nothing follows its first line.\n\nMend the file.\n",
  };
}

const KEYS: Record<string, string> = {
  search_entities: "entities",
  sync_status_list: "sources",
  query_source: "tree",
  drill_down: "tree",
  query_topic: "topic",
  digest: "digest",
  graph: "graph",
  timeline: "timeline",
  dropped: "dropped",
};

function caseOf(tool: string, given: Record<string, unknown>): string {
  if (tool === "memory_search") return given["entity"] ? "mentions" : "search";
  if (tool === "memory_status") return "status";
  if (tool === "memory_explain") return "explain";
  return KEYS[String(given["mode"] ?? given["view"])] ?? "";
}

/** Answers of the vault of `tests/cases/wire`. */
export function filled(): TableEngine {
  return new TableEngine((tool, given) => (tool === "memory_sync" ? SYNCED : readCase(caseOf(tool, given)).answer));
}

const SYNCED = { done_by: "this call", files: [] };
const NOTHING: Record<string, unknown> = {
  hits: [],
  total: 0,
  truncated: false,
  states: {},
  degraded: "",
  dropped: [],
  entity: "person:nobody",
  display_name: "Nobody",
  note_path: "",
  chunks: 0,
  months: [],
  nodes: [{ entity_id: "person:nobody", display_name: "Nobody", hops: 0, chunks: 0, note_path: "" }],
  edges: [],
};

/** A vault in which nothing is. */
export function empty(): TableEngine {
  return new TableEngine((tool, given) => {
    if (tool === "memory_sync") return SYNCED;
    if (given["view"] === "digest") return readCase("digest_none").answer;
    if (tool === "memory_status") return { ...(readCase("status").answer as object), counts: {}, failed: [], degraded: [] };
    return NOTHING;
  });
}

export function refusing(): TableEngine {
  return new TableEngine(() => {
    throw new Error(`no vault at /vault: run 'vaultmem init /vault' or name one with --vault ${HOSTILE}`);
  });
}

/** Every text is markup, or has no end. */
export function hostile(): TableEngine {
  const spoilt = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => spoilt(each, key));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoilt(each, name)]));
    }
    if (typeof value !== "string" || KEPT.has(key)) return value;
    return key === "content" ? `${HOSTILE} [[x|${HOSTILE}]] ${LONG} \u202e# ${value}` : `${HOSTILE} ${LONG}`;
  };
  return new TableEngine((tool, given) => {
    if (tool === "memory_sync") return SYNCED;
    const answer = spoilt(readCase(caseOf(tool, given)).answer, "") as Record<string, unknown>;
    return given["view"] === "graph" ? { ...answer, ...crowd() } : answer;
  });
}

/** Keys whose words are no text of others: ids that link rows, kinds and times. */
const KEPT = new Set(["node_id", "node_kind", "entity_id", "entity", "subject", "object", "block", "month", "state", "child_ids", "time_range_start", "time_range_end", "period"]);

/** As many nodes as one graph shows, and some more. */
function crowd(): object {
  const nodes = Array.from({ length: 340 }, (_, n) => ({
    entity_id: `person:p${n}`,
    display_name: n % 7 ? `${HOSTILE} person ${n}` : LONG,
    hops: n === 0 ? 0 : n < 60 ? 1 : 2,
    chunks: 340 - n,
    note_path: `entities/person/p${n}.md`,
  }));
  const edges = nodes.slice(1).map(({ entity_id }, n) => ({ subject: n < 59 ? "person:p0" : `person:p${1 + (n % 59)}`, object: entity_id, weight: 1 + (n % 9) }));
  return { entity: "person:p0", nodes, edges };
}
