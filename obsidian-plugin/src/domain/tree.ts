/** Rows of the memory tree: sources, their summaries, chunks, and the passages of a chunk. */

import type { Hit, SourceRow } from "./answers";
import { type Calendar, hitRow, plain, titleOf, undisguised, whenOf } from "./hits";

export type TreeKind = "source" | "summary" | "chunk" | "passage";

export interface TreeRow {
  kind: TreeKind;
  /** What is asked for when it is opened: a scope or a node's id. */
  key: string;
  label: string;
  details: string;
  /** A line of its text; "" for none. */
  text: string;
  hit: Hit | undefined;
}

const ICONS: Record<TreeKind, string> = { source: "library", summary: "layers", chunk: "file-text", passage: "text" };

export function iconOf(row: TreeRow): string {
  return ICONS[row.kind];
}

export function canOpen(row: TreeRow): boolean {
  return row.kind !== "passage";
}

export function sourceTreeRow(source: SourceRow, calendar: Calendar): TreeRow {
  const span = [whenOf(source.first, calendar), whenOf(source.last, calendar)].filter((part) => part !== "");
  const notes = `${source.chunks} ${source.chunks === 1 ? "note" : "notes"}`;
  const details = [notes, [...new Set(span)].join(" – ")].filter((part) => part !== "").join(" · ");
  return { kind: "source", key: source.scope, label: undisguised(source.title || source.sourceId), details, text: "", hit: undefined };
}

/** One row for each tree: mail threads of one mailbox are one tree. */
export function treesOf(sources: readonly SourceRow[]): SourceRow[] {
  const byScope = new Map<string, SourceRow>();
  for (const row of sources) {
    const held = byScope.get(row.scope);
    byScope.set(row.scope, held ? joined(held, row) : row);
  }
  return [...byScope.values()].sort((one, other) => other.last.localeCompare(one.last));
}

function joined(one: SourceRow, other: SourceRow): SourceRow {
  return {
    ...one,
    title: one.scope.slice(one.scope.indexOf(":") + 1) || one.title,
    chunks: one.chunks + other.chunks,
    dropped: one.dropped + other.dropped,
    first: one.first < other.first ? one.first : other.first,
    last: one.last > other.last ? one.last : other.last,
  };
}

/** What stands below a row. Below a chunk stand its passages, which are the last. */
export function hitTreeRow(hit: Hit, parent: TreeKind | undefined, calendar: Calendar): TreeRow {
  const isPassage = parent === "chunk";
  const kind: TreeKind = isPassage ? "passage" : hit.isLeaf ? "chunk" : "summary";
  const shown = hitRow(hit, "", calendar);
  const label = isPassage ? firstLine(hit) : titleOf(hit);
  const count = hit.childIds.length;
  const below = hit.isLeaf ? "" : `${count} below`;
  return {
    kind,
    key: hit.nodeId,
    label,
    details: [...shown.details, below].filter((part) => part !== "").join(" · "),
    text: kind === "chunk" ? firstLine(hit) : "",
    hit,
  };
}

const LINE = 160;

function firstLine(hit: Hit): string {
  const line = plain(hit.content).replace(/\s+/gu, " ").trim();
  const cut = [...line].slice(0, LINE).join("");
  return cut.length < line.length ? `${cut.trim()}…` : line;
}

/** An id of a chunk or node is 32 hex digits; all else names a source tree. */
export function isNodeId(about: string): boolean {
  return /^[0-9a-f]{12,64}$/u.test(about);
}
