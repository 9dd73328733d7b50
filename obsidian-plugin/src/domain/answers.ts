/** What memory answers. Times are ISO, UTC; paths are relative to the vault's root. */

/** One passage, or one summary. */
export interface Hit {
  nodeId: string;
  isLeaf: boolean;
  treeKind: string;
  treeScope: string;
  level: number;
  content: string;
  before: string;
  after: string;
  entities: string[];
  start: string;
  end: string;
  score: number;
  scoreParts: Map<string, number>;
  childIds: string[];
  sourceRef: string;
  notePath: string;
  heading: string;
  /** Block id of the message or paragraph, without the caret; "" for none. */
  block: string;
  /** First and last line of the note, from 1. */
  lines: [number, number];
  author: string;
}

export interface Found {
  hits: Hit[];
  total: number;
  /** In words what was missing; "" for nothing. */
  degraded: string;
  noGoodAnswer: boolean;
}

export interface EntityRow {
  id: string;
  kind: string;
  displayName: string;
  aliases: string[];
  mentions: number;
  notePath: string;
}

export interface EntityList {
  hits: EntityRow[];
  total: number;
  degraded: string;
}

export interface SourceRow {
  sourceId: string;
  kind: string;
  scope: string;
  title: string;
  chunks: number;
  dropped: number;
  first: string;
  last: string;
  state: "idle" | "recent" | "active";
}

export interface SourceList {
  hits: SourceRow[];
  total: number;
  degraded: string;
}

export interface Explained {
  nodeId: string;
  isLeaf: boolean;
  notePath: string;
  title: string;
  status: string;
  score: number;
  band: string;
  dropReason: string;
  why: string;
  signals: Map<string, { value: number; weight: number }>;
  sourceRef: string;
  parentPath: string;
  edited: boolean;
  redacted: Map<string, number>;
  /** Its passages among the answer to the question. */
  answers: { rank: number; score: number; scoreParts: Map<string, number>; content: string }[];
}

export interface DroppedRow {
  chunkId: string;
  reason: string;
  why: string;
  score: number;
  start: string;
  sourceId: string;
  notePath: string;
  text: string;
}

export interface DroppedList {
  rows: DroppedRow[];
  total: number;
}

export interface GraphNode {
  id: string;
  displayName: string;
  hops: number;
  chunks: number;
  notePath: string;
}

export interface GraphEdge {
  subject: string;
  object: string;
  weight: number;
}

export interface EntityGraph {
  entity: string;
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export interface Timeline {
  entity: string;
  displayName: string;
  notePath: string;
  chunks: number;
  months: { month: string; chunks: number }[];
}

export interface Digest {
  period: string;
  title: string;
  nodeId: string;
  notePath: string;
  /** Markdown of the note's body; "" while no digest stands. */
  content: string;
  childIds: string[];
  degraded: string;
}

export interface Status {
  counts: Map<string, number>;
  lastPass: string;
  stale: number;
  inbox: string[];
  skipped: Map<string, string>;
  failed: string[];
  unfinished: number;
  problems: Map<string, string>;
  writer: string;
  degraded: string[];
  jobs: Map<string, number>;
}

export interface Synced {
  /** "this call", "background" or "watch". */
  doneBy: string;
  files: { file: string; outcome: string; reason: string }[];
}
