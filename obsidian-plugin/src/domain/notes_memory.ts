/**
 * Memory without the engine: what the notes' own names and properties say, as Obsidian has read them. It ranks and
 * understands nothing; it is honest about that in `degraded`.
 */

import type {
  Digest,
  DroppedList,
  EntityGraph,
  EntityList,
  Explained,
  Found,
  Hit,
  SourceList,
  Status,
  Synced,
  Timeline,
} from "./answers";
import { fold, wordsOf } from "./marks";
import type { Filters, Memory } from "./memory";
import { grouped, type Note, numberOf, textOf, textsOf } from "./note";

/** The vault as Obsidian knows it. */
export interface NoteBook {
  notes(): readonly Note[];
  /** The body of a note, "" when it is not there. */
  body(path: string): Promise<string>;
  /** Paths below the inbox folder. */
  inbox(): readonly string[];
  /** `2026-04-21` here and now. */
  today(): string;
}

const NAMES_ONLY = "the engine: only names, aliases and headings were looked through";
const SUMMARIES = "wiki/summaries/";
const RAW = "wiki/raw/";
const DAILY = `${SUMMARIES}global/daily/`;

export class NotesMemory implements Memory {
  constructor(private readonly book: NoteBook) {}

  async recall(query: string, filters: Filters, limit: number): Promise<Found> {
    const words = wordsOf(query);
    const rated = this.chunks()
      .filter((note) => passes(note, filters))
      .map((note) => ({ note, score: nameScore(note, words) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score || startOf(other.note).localeCompare(startOf(one.note)));
    const hits = rated.slice(0, limit).map(({ note, score }) => asHit(note, score));
    return { hits, total: rated.length, degraded: NAMES_ONLY, noGoodAnswer: false };
  }

  async sources(): Promise<SourceList> {
    const bySource = grouped(this.chunks(), (note) => textOf(note, "source_id"));
    const hits = [...bySource].map(([sourceId, notes]) => {
      const [first, last] = spanOf(notes);
      const scope = textOf(notes[0], "tree_scope") || sourceId;
      return {
        sourceId,
        kind: textOf(notes[0], "source_kind"),
        scope,
        title: sourceId.slice(sourceId.indexOf(":") + 1),
        chunks: notes.length,
        dropped: notes.filter((note) => textOf(note, "memory_status") === "dropped").length,
        first,
        last,
        state: "idle" as const,
      };
    });
    hits.sort((one, other) => other.last.localeCompare(one.last));
    return { hits, total: hits.length, degraded: "" };
  }

  async roots(scope: string): Promise<Found> {
    const summaries = this.book.notes().filter((note) => note.path.startsWith(SUMMARIES));
    const own = summaries.filter((note) => textOf(note, "tree_kind") === "source" && textOf(note, "tree_scope") === scope);
    const listed = new Set(own.flatMap((note) => textsOf(note, "child_ids")));
    const loose = this.admitted().filter((note) => textOf(note, "tree_scope") === scope);
    const roots = [...own, ...loose].filter((note) => !listed.has(idOf(note)));
    roots.sort((one, other) => startOf(other).localeCompare(startOf(one)));
    return all(roots.map((note) => asHit(note, 0)));
  }

  async below(nodeId: string): Promise<Found> {
    const byId = new Map(this.book.notes().map((note) => [idOf(note), note]));
    const node = byId.get(nodeId);
    const children = node ? textsOf(node, "child_ids") : [];
    const notes = children.flatMap((id) => byId.get(id) ?? []);
    if (node && !children.length) return all([{ ...asHit(node, 0), content: await this.book.body(node.path) }]);
    return all(notes.map((note) => asHit(note, 0)));
  }

  async entities(query: string, limit: number): Promise<EntityList> {
    const counts = new Map<string, number>();
    for (const id of this.admitted().flatMap((note) => textsOf(note, "entities"))) counts.set(id, (counts.get(id) ?? 0) + 1);
    const wanted = fold(query.trim());
    const hits = this.book
      .notes()
      .filter((note) => textOf(note, "id") && textOf(note, "kind") && textOf(note, "display_name"))
      .map((note) => ({
        id: textOf(note, "id"),
        kind: textOf(note, "kind"),
        displayName: textOf(note, "display_name"),
        aliases: textsOf(note, "aliases"),
        mentions: counts.get(textOf(note, "id")) ?? 0,
        notePath: note.path,
      }))
      .filter((row) => [row.id, row.displayName, ...row.aliases].some((name) => fold(name).includes(wanted)))
      .sort((one, other) => other.mentions - one.mentions || one.displayName.localeCompare(other.displayName));
    return { hits: hits.slice(0, limit), total: hits.length, degraded: "" };
  }

  async mentions(entity: string, _name: string, limit: number): Promise<Found> {
    const notes = this.naming(entity);
    return { ...all(notes.slice(0, limit).map((note) => asHit(note, 0))), total: notes.length };
  }

  async timeline(entity: string): Promise<Timeline> {
    const notes = this.naming(entity);
    const months = grouped(notes, (note) => startOf(note).slice(0, 7));
    const own = this.book.notes().find((note) => textOf(note, "id") === entity);
    return {
      entity,
      displayName: textOf(own, "display_name") || entity,
      notePath: own?.path ?? "",
      chunks: notes.length,
      months: [...months].map(([month, each]) => ({ month, chunks: each.length })).sort((a, b) => a.month.localeCompare(b.month)),
    };
  }

  async graph(entity: string, _hops: number, limit: number): Promise<EntityGraph> {
    const shared = new Map<string, number>();
    for (const id of this.naming(entity).flatMap((note) => textsOf(note, "entities"))) {
      if (id !== entity) shared.set(id, (shared.get(id) ?? 0) + 1);
    }
    const named = new Map((await this.entities("", Number.MAX_SAFE_INTEGER)).hits.map((row) => [row.id, row]));
    const near = [...shared].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).slice(0, limit - 1);
    const node = (id: string, hops: number, chunks: number): EntityGraph["nodes"][number] => ({
      id,
      displayName: named.get(id)?.displayName ?? id.slice(id.indexOf(":") + 1),
      hops,
      chunks,
      notePath: named.get(id)?.notePath ?? "",
    });
    return {
      entity,
      nodes: [node(entity, 0, this.naming(entity).length), ...near.map(([id, chunks]) => node(id, 1, chunks))],
      edges: near.map(([id, weight]) => ({ subject: entity, object: id, weight })),
    };
  }

  async digest(period: string): Promise<Digest> {
    const days = this.book.notes().filter((note) => note.path.startsWith(DAILY)).map((note) => note.path);
    const today = this.book.today();
    const newest = days.filter((path) => path <= `${DAILY}${today}.md`).sort().pop();
    const wanted = period === "today" ? today : period;
    const path = wanted ? (days.find((each) => each === `${DAILY}${wanted}.md`) ?? "") : (newest ?? "");
    const name = path ? path.slice(DAILY.length, -3) : wanted || today;
    const content = path ? await this.book.body(path) : "";
    const degraded = path ? "" : "no digest stands in the vault for this time";
    return { period: name, title: name, nodeId: "", notePath: path, content, childIds: [], degraded };
  }

  async dropped(limit: number): Promise<DroppedList> {
    const notes = this.chunks().filter((note) => textOf(note, "memory_status") === "dropped");
    notes.sort((one, other) => startOf(other).localeCompare(startOf(one)));
    const rows = notes.slice(0, limit).map((note) => ({
      chunkId: idOf(note),
      reason: textOf(note, "drop_reason") || "by hand",
      why: "",
      score: numberOf(note, "memory_score"),
      start: startOf(note),
      sourceId: textOf(note, "source_id"),
      notePath: note.path,
      text: textsOf(note, "aliases")[0] ?? "",
    }));
    return { rows, total: notes.length };
  }

  async status(): Promise<Status> {
    const chunks = this.chunks();
    const counted = (status: string): number => chunks.filter((note) => textOf(note, "memory_status") === status).length;
    const files = this.book.inbox();
    return {
      counts: new Map([
        ["notes", chunks.length],
        ...["admitted", "dropped", "pending"].map((status): [string, number] => [status, counted(status)]),
      ]),
      lastPass: "",
      stale: 0,
      inbox: files.filter((name) => !name.startsWith("_failed/")),
      skipped: new Map(),
      failed: files.filter((name) => name.startsWith("_failed/") && !name.endsWith(".reason.md")),
      unfinished: 0,
      problems: new Map(),
      writer: "",
      degraded: [],
      jobs: new Map(),
    };
  }

  async explain(nodeId: string): Promise<Explained> {
    const note = this.book.notes().find((each) => idOf(each) === nodeId);
    if (!note) throw new Error("No note of this vault has that id.");
    const signals = textsOf(note, "signals").map((line) => line.split(" "));
    return {
      nodeId,
      isLeaf: note.path.startsWith(RAW),
      notePath: note.path,
      title: textsOf(note, "aliases")[0] ?? "",
      status: textOf(note, "memory_status"),
      score: numberOf(note, "memory_score"),
      band: textOf(note, "memory_status") || "A summary",
      dropReason: textOf(note, "drop_reason"),
      why: textOf(note, "drop_reason"),
      signals: new Map(signals.map(([name = "", value = "0"]) => [name, { value: Number(value) || 0, weight: 0 }])),
      sourceRef: textOf(note, "source_ref"),
      parentPath: "",
      edited: false,
      redacted: new Map(),
      answers: [],
    };
  }

  sync(): Promise<Synced> {
    return Promise.resolve({ doneBy: "nobody", files: [] });
  }

  private chunks(): Note[] {
    return this.book.notes().filter((note) => note.path.startsWith(RAW) && textOf(note, "chunk_id"));
  }

  private admitted(): Note[] {
    return this.chunks().filter((note) => textOf(note, "memory_status") !== "dropped");
  }

  private naming(entity: string): Note[] {
    const notes = this.admitted().filter((note) => textsOf(note, "entities").includes(entity));
    return notes.sort((one, other) => startOf(other).localeCompare(startOf(one)));
  }
}

function all(hits: Hit[]): Found {
  return { hits, total: hits.length, degraded: "", noGoodAnswer: false };
}

function idOf(note: Note): string {
  return textOf(note, "chunk_id") || textOf(note, "node_id");
}

/** ISO, UTC: properties carry no zone. */
function startOf(note: Note): string {
  const text = textOf(note, "time_range_start");
  return text && !text.endsWith("Z") ? `${text}Z` : text;
}

function spanOf(notes: readonly Note[]): [string, string] {
  const times = notes.map(startOf).sort();
  return [times[0] ?? "", times.at(-1) ?? ""];
}

/** How many of the words stand in a note's names; 0 for none. */
function nameScore(note: Note, words: readonly string[]): number {
  const names = fold([note.path, ...textsOf(note, "aliases"), ...note.headings].join(" "));
  return words.filter((word) => names.includes(word)).length;
}

function passes(note: Note, filters: Filters): boolean {
  const day = startOf(note).slice(0, 10);
  return (
    (filters.dropped || textOf(note, "memory_status") !== "dropped") &&
    (!filters.kind || textOf(note, "source_kind") === filters.kind) &&
    (!filters.source || textOf(note, "source_id") === filters.source) &&
    (!filters.since || day >= filters.since) &&
    (!filters.until || day <= filters.until) &&
    (!filters.entity || textsOf(note, "entities").some((id) => fold(id).includes(fold(filters.entity).replace(/ /g, "-"))))
  );
}

function asHit(note: Note, score: number): Hit {
  const isLeaf = textOf(note, "chunk_id") !== "";
  return {
    nodeId: idOf(note),
    isLeaf,
    treeKind: isLeaf ? "source" : textOf(note, "tree_kind"),
    treeScope: textOf(note, "tree_scope"),
    level: numberOf(note, "tree_level"),
    content: textsOf(note, "aliases")[0] ?? note.path,
    before: "",
    after: "",
    entities: textsOf(note, "entities"),
    start: startOf(note),
    end: textOf(note, "time_range_end"),
    score,
    scoreParts: new Map(),
    childIds: textsOf(note, "child_ids"),
    sourceRef: textOf(note, "source_ref"),
    notePath: note.path,
    heading: textOf(note, "heading"),
    block: "",
    lines: [1, 1],
    author: "",
  };
}
