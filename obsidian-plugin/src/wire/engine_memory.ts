/** Memory as the engine answers it: each question is one call of a tool. */

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
} from "../domain/answers";
import type { Filters, Memory } from "../domain/memory";
import * as answers from "./answers";
import type { Decoder } from "./decode";

/** Calls a tool; starts the engine when it does not run. */
export type Call = <T>(
  tool: string,
  given: Record<string, unknown>,
  decode: Decoder<T>,
  signal?: AbortSignal,
) => Promise<T>;

/** Passages or nodes that one list shows. */
const MANY = 100;

export class EngineMemory implements Memory {
  constructor(private readonly call: Call) {}

  recall(query: string, filters: Filters, limit: number, signal?: AbortSignal): Promise<Found> {
    return this.call("memory_search", { query, k: limit, ...given(filters) }, answers.found, signal);
  }

  sources(): Promise<SourceList> {
    return this.call("memory_tree", { mode: "sync_status_list", limit: 1000 }, answers.sourceList);
  }

  roots(scope: string): Promise<Found> {
    return this.call("memory_tree", { mode: "query_source", source: scope, limit: MANY }, answers.found);
  }

  below(nodeId: string): Promise<Found> {
    return this.call("memory_tree", { mode: "drill_down", node_id: nodeId, limit: MANY }, answers.found);
  }

  entities(query: string, limit: number, signal?: AbortSignal): Promise<EntityList> {
    return this.call("memory_tree", { mode: "search_entities", query, limit }, answers.entityList, signal);
  }

  async mentions(entity: string, name: string, limit: number): Promise<Found> {
    const found = await this.call("memory_search", { query: name, entity, k: limit }, answers.found);
    return { ...found, hits: found.hits.sort((one, other) => other.start.localeCompare(one.start)) };
  }

  timeline(entity: string): Promise<Timeline> {
    return this.call("memory_view", { view: "timeline", of: entity }, answers.timeline);
  }

  graph(entity: string, hops: number, limit: number): Promise<EntityGraph> {
    return this.call("memory_view", { view: "graph", of: entity, hops, limit }, answers.entityGraph);
  }

  digest(period: string): Promise<Digest> {
    return this.call("memory_view", { view: "digest", of: period }, answers.digest);
  }

  dropped(limit: number): Promise<DroppedList> {
    return this.call("memory_view", { view: "dropped", limit }, answers.droppedList);
  }

  status(): Promise<Status> {
    return this.call("memory_status", {}, answers.status);
  }

  explain(nodeId: string, query: string): Promise<Explained> {
    return this.call("memory_explain", { node_id: nodeId, query }, answers.explained);
  }

  sync(rebuild: boolean): Promise<Synced> {
    return this.call("memory_sync", { rebuild }, answers.synced);
  }
}

/** Only the filters that are set: the engine takes no empty ones. */
function given(filters: Filters): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== "" && value !== false));
}
