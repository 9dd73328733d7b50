/** What views ask of memory. The engine answers, and without one the notes as Obsidian knows them. */

import type {
  Digest,
  DroppedList,
  EntityGraph,
  EntityList,
  Explained,
  Found,
  SourceList,
  Status,
  Synced,
  Timeline,
} from "./answers";

export interface Filters {
  kind: "" | "chat" | "email" | "document";
  /** A source_id, or what it begins with. */
  source: string;
  /** ISO day, or "". */
  since: string;
  until: string;
  entity: string;
  dropped: boolean;
}

export const NO_FILTERS: Filters = { kind: "", source: "", since: "", until: "", entity: "", dropped: false };

export interface Memory {
  recall(query: string, filters: Filters, limit: number, signal?: AbortSignal): Promise<Found>;
  sources(): Promise<SourceList>;
  /** Summaries and loose chunks of one source. */
  roots(scope: string): Promise<Found>;
  /** What stands below a summary, or the passages of a chunk. */
  below(nodeId: string): Promise<Found>;
  entities(query: string, limit: number, signal?: AbortSignal): Promise<EntityList>;
  /** The passages that name an entity, newest first. */
  mentions(entity: string, name: string, limit: number): Promise<Found>;
  timeline(entity: string): Promise<Timeline>;
  graph(entity: string, hops: number, limit: number): Promise<EntityGraph>;
  /** `period` is `today`, `yesterday`, `2026-04-21`, `2026-W17`, …; "" is the newest day. */
  digest(period: string): Promise<Digest>;
  dropped(limit: number): Promise<DroppedList>;
  status(): Promise<Status>;
  explain(nodeId: string, query: string): Promise<Explained>;
  /** Take over what was changed in Obsidian. */
  sync(rebuild: boolean): Promise<Synced>;
}
