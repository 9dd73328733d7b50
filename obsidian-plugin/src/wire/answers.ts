/** Decoders of what the tools of `vaultmem mcp` answer; `tests/cases/wire` of the repository holds examples. */

import type {
  Digest,
  DroppedList,
  DroppedRow,
  EntityGraph,
  EntityList,
  EntityRow,
  Explained,
  Found,
  GraphEdge,
  GraphNode,
  Hit,
  SourceList,
  SourceRow,
  Status,
  Synced,
  Timeline,
} from "../domain/answers";
import { count, type Decoder, Fields, flag, list, mapOf, oneOf, or, text } from "./decode";

const lines: Decoder<[number, number]> = (value, where) => {
  const [first = 1, last = first] = list(count)(value, where);
  return [first, last];
};

export const hit: Decoder<Hit> = (value, where) => {
  const from = new Fields(value, where);
  return {
    nodeId: from.get("node_id", text),
    isLeaf: from.get("node_kind", oneOf("leaf", "summary")) === "leaf",
    treeKind: from.get("tree_kind", text),
    treeScope: from.get("tree_scope", text),
    level: from.get("level", count),
    content: from.get("content", text),
    before: from.get("before", text),
    after: from.get("after", text),
    entities: from.get("entities", list(text)),
    start: from.get("time_range_start", text),
    end: from.get("time_range_end", text),
    score: from.get("score", count),
    scoreParts: from.get("score_parts", mapOf(count)),
    childIds: from.get("child_ids", list(text)),
    sourceRef: from.get("source_ref", text),
    notePath: from.get("note_path", text),
    heading: from.get("heading", text),
    block: from.get("block", text),
    lines: from.get("lines", lines),
    author: from.get("author", or(text, "")),
  };
};

export const found: Decoder<Found> = (value, where) => {
  const from = new Fields(value, where);
  return {
    hits: from.get("hits", list(hit)),
    total: from.get("total", count),
    degraded: from.get("degraded", or(text, "")),
    noGoodAnswer: from.get("no_good_answer", or(flag, false)),
  };
};

const entityRow: Decoder<EntityRow> = (value, where) => {
  const from = new Fields(value, where);
  return {
    id: from.get("id", text),
    kind: from.get("kind", text),
    displayName: from.get("display_name", text),
    aliases: from.get("aliases", list(text)),
    mentions: from.get("mentions", count),
    notePath: from.get("note_path", text),
  };
};

export const entityList: Decoder<EntityList> = (value, where) => {
  const from = new Fields(value, where);
  return {
    hits: from.get("hits", list(entityRow)),
    total: from.get("total", count),
    degraded: from.get("degraded", or(text, "")),
  };
};

const sourceRow: Decoder<SourceRow> = (value, where) => {
  const from = new Fields(value, where);
  return {
    sourceId: from.get("source_id", text),
    kind: from.get("source_kind", text),
    scope: from.get("tree_scope", text),
    title: from.get("title", text),
    chunks: from.get("chunks", count),
    dropped: from.get("dropped", count),
    first: from.get("first", text),
    last: from.get("last", text),
    state: from.get("state", oneOf("idle", "recent", "active")),
  };
};

export const sourceList: Decoder<SourceList> = (value, where) => {
  const from = new Fields(value, where);
  return {
    hits: from.get("hits", list(sourceRow)),
    total: from.get("total", count),
    degraded: from.get("degraded", or(text, "")),
  };
};

const signal: Decoder<{ value: number; weight: number }> = (value, where) => {
  const from = new Fields(value, where);
  return { value: from.get("value", count), weight: from.get("weight", count) };
};

const answered: Decoder<Explained["answers"][number]> = (value, where) => {
  const from = new Fields(value, where);
  return {
    rank: from.get("rank", count),
    score: from.get("score", count),
    scoreParts: from.get("score_parts", mapOf(count)),
    content: from.get("content", text),
  };
};

export const explained: Decoder<Explained> = (value, where) => {
  const from = new Fields(value, where);
  return {
    nodeId: from.get("node_id", text),
    isLeaf: from.get("node_kind", oneOf("leaf", "summary")) === "leaf",
    notePath: from.get("note_path", text),
    title: from.get("title", text),
    status: from.get("status", text),
    score: from.get("score", count),
    band: from.get("band", text),
    dropReason: from.get("drop_reason", text),
    why: from.get("why", text),
    signals: from.get("signals", mapOf(signal)),
    sourceRef: from.get("source_ref", text),
    parentPath: from.get("parent_path", text),
    edited: from.get("edited", flag),
    redacted: from.get("redacted", mapOf(count)),
    answers: from.get("answers", list(answered)),
  };
};

const droppedRow: Decoder<DroppedRow> = (value, where) => {
  const from = new Fields(value, where);
  return {
    chunkId: from.get("chunk_id", text),
    reason: from.get("reason", text),
    why: from.get("why", text),
    score: from.get("score", count),
    start: from.get("time_range_start", text),
    sourceId: from.get("source_id", text),
    notePath: from.get("note_path", text),
    text: from.get("text", text),
  };
};

export const droppedList: Decoder<DroppedList> = (value, where) => {
  const from = new Fields(value, where);
  return { rows: from.get("dropped", list(droppedRow)), total: from.get("total", count) };
};

const graphNode: Decoder<GraphNode> = (value, where) => {
  const from = new Fields(value, where);
  return {
    id: from.get("entity_id", text),
    displayName: from.get("display_name", text),
    hops: from.get("hops", count),
    chunks: from.get("chunks", count),
    notePath: from.get("note_path", text),
  };
};

const graphEdge: Decoder<GraphEdge> = (value, where) => {
  const from = new Fields(value, where);
  return { subject: from.get("subject", text), object: from.get("object", text), weight: from.get("weight", count) };
};

export const entityGraph: Decoder<EntityGraph> = (value, where) => {
  const from = new Fields(value, where);
  return {
    entity: from.get("entity", text),
    nodes: from.get("nodes", list(graphNode)),
    edges: from.get("edges", list(graphEdge)),
  };
};

const month: Decoder<Timeline["months"][number]> = (value, where) => {
  const from = new Fields(value, where);
  return { month: from.get("month", text), chunks: from.get("chunks", count) };
};

export const timeline: Decoder<Timeline> = (value, where) => {
  const from = new Fields(value, where);
  return {
    entity: from.get("entity", text),
    displayName: from.get("display_name", text),
    notePath: from.get("note_path", text),
    chunks: from.get("chunks", count),
    months: from.get("months", list(month)),
  };
};

export const digest: Decoder<Digest> = (value, where) => {
  const from = new Fields(value, where);
  return {
    period: from.get("period", text),
    title: from.get("title", text),
    nodeId: from.get("node_id", text),
    notePath: from.get("note_path", text),
    content: from.get("content", text),
    childIds: from.get("child_ids", list(text)),
    degraded: from.get("degraded", or(text, "")),
  };
};

export const status: Decoder<Status> = (value, where) => {
  const from = new Fields(value, where);
  return {
    counts: from.get("counts", mapOf(count)),
    lastPass: from.get("last_pass", text),
    stale: from.get("stale", count),
    inbox: from.get("inbox", list(text)),
    skipped: from.get("skipped", mapOf(text)),
    failed: from.get("failed", list(text)),
    unfinished: from.get("unfinished", count),
    problems: from.get("problems", mapOf(text)),
    writer: from.get("writer", text),
    degraded: from.get("degraded", list(text)),
    jobs: from.get("jobs", mapOf(count)),
  };
};

const fileRow: Decoder<Synced["files"][number]> = (value, where) => {
  const from = new Fields(value, where);
  return { file: from.get("file", text), outcome: from.get("outcome", text), reason: from.get("reason", or(text, "")) };
};

export const synced: Decoder<Synced> = (value, where) => {
  const from = new Fields(value, where);
  return { doneBy: from.get("done_by", text), files: from.get("files", list(fileRow)) };
};
