/** What a view may use of the plugin. Views keep nothing else of it, and the plugin keeps no view. */

import type { App } from "obsidian";
import type { Hit } from "../domain/answers";
import type { Calendar } from "../domain/hits";
import type { Memory } from "../domain/memory";
import type { Engine } from "../engine/engine";

export const VIEWS = {
  recall: "vaultmem-recall",
  tree: "vaultmem-tree",
  entity: "vaultmem-entity",
  ingest: "vaultmem-ingest",
  digest: "vaultmem-digest",
  graph: "vaultmem-graph",
} as const;

export type ViewType = (typeof VIEWS)[keyof typeof VIEWS];

export interface Desk {
  app: App;
  memory: Memory;
  engine: Engine;
  calendar: () => Calendar;
  /** Folder of the vault that files are dropped into. */
  inbox: () => string;
  /** How many results a list shows. */
  limit: () => number;
  /** Show a view, and what it is about: a query, an entity's id, a node. */
  show: (view: ViewType, about?: string) => Promise<void>;
  /** Take over what was changed by hand, and say how it went. */
  takeOver: () => Promise<void>;
  insertLink: (hit: Hit) => void;
  /** Ask where the program is. */
  chooseProgram: () => void;
}
