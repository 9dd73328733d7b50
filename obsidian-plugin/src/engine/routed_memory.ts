/** The engine's answer, and where there is no engine that of the notes. */

import type { Memory } from "../domain/memory";
import { NoEngine } from "./engine";

/** Every question of `Memory`, asked of `engine` first. */
export function routed(engine: Memory, notes: Memory): Memory {
  const ask = async <T>(question: (memory: Memory) => Promise<T>): Promise<T> => {
    try {
      return await question(engine);
    } catch (problem) {
      if (problem instanceof NoEngine) return question(notes);
      throw problem;
    }
  };
  return {
    recall: (query, filters, limit, signal) => ask((memory) => memory.recall(query, filters, limit, signal)),
    sources: () => ask((memory) => memory.sources()),
    roots: (scope) => ask((memory) => memory.roots(scope)),
    below: (nodeId) => ask((memory) => memory.below(nodeId)),
    entities: (query, limit, signal) => ask((memory) => memory.entities(query, limit, signal)),
    mentions: (entity, name, limit) => ask((memory) => memory.mentions(entity, name, limit)),
    timeline: (entity) => ask((memory) => memory.timeline(entity)),
    graph: (entity, hops, limit) => ask((memory) => memory.graph(entity, hops, limit)),
    digest: (period) => ask((memory) => memory.digest(period)),
    dropped: (limit) => ask((memory) => memory.dropped(limit)),
    status: () => ask((memory) => memory.status()),
    explain: (nodeId, query) => ask((memory) => memory.explain(nodeId, query)),
    sync: (rebuild) => ask((memory) => memory.sync(rebuild)),
  };
}
