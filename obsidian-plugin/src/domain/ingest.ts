/** What became of what was dropped: waiting, left alone, failed, not kept, kept. */

import type { DroppedRow, Status } from "./answers";
import { type Calendar, scopeTitle, undisguised, whenOf } from "./hits";

export interface FileLine {
  name: string;
  /** Vault path of the file; "" where it is not shown by Obsidian. */
  path: string;
  reason: string;
}

export interface IngestState {
  waiting: FileLine[];
  left: FileLine[];
  failed: FileLine[];
  summary: string[];
  problems: FileLine[];
}

export function ingestState(status: Status, inbox: string, calendar: Calendar): IngestState {
  const line = (name: string, reason = ""): FileLine => ({ name: undisguised(name), path: `${inbox}/${name}`, reason });
  return {
    waiting: status.inbox.map((name) => line(name)),
    left: [...status.skipped].map(([name, reason]) => line(name, reason)),
    failed: status.failed.map((name) => ({ ...line(name), name: name.replace(/^_failed\//u, "") })),
    summary: summaryOf(status, calendar),
    problems: [...status.problems].map(([path, reason]) => ({ name: path, path, reason })),
  };
}

function summaryOf(status: Status, calendar: Calendar): string[] {
  const count = (name: string): number => status.counts.get(name) ?? 0;
  const kept = `${count("admitted")} of ${count("notes")} notes kept`;
  const judged = [count("dropped") && `${count("dropped")} dropped`, count("pending") && `${count("pending")} still to be judged`];
  const jobs = status.jobs.get("ready") ?? 0;
  const at = whenOf(status.lastPass, calendar);
  return [
    [kept, ...judged].filter(Boolean).join(", "),
    status.stale ? `${status.stale} notes were changed since memory last looked` : "",
    jobs ? `${jobs} jobs wait in the background` : "",
    status.unfinished ? `${status.unfinished} files were interrupted and are finished by the next pass` : "",
    at ? `Last pass: ${at}` : "",
    status.writer ? `Being written by ${status.writer}` : "",
    ...status.degraded,
  ].filter((part) => part !== "");
}

/** Why a chunk was not kept, and whose it is. */
export function droppedDetails(row: DroppedRow, calendar: Calendar): string {
  return [scopeTitle(row.sourceId), whenOf(row.start, calendar)].filter((part) => part !== "").join(" · ");
}

/** The first paragraph of a reason note, without its title. */
export function reasonText(note: string): string {
  const body = note.replace(/^---\n[\s\S]*?\n---\n/u, "");
  const parts = body.split(/\n\s*\n/u).map((part) => part.replace(/\s+/gu, " ").trim());
  return parts.find((part) => part !== "" && !part.startsWith("#")) ?? "";
}
