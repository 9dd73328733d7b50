/** Why this is a result and why memory kept it, in words. */

import type { Explained, Hit } from "./answers";
import { capital } from "./hits";

export interface WhyRow {
  name: string;
  value: number;
  /** Share of the largest part, for a bar: 0 to 1. */
  share: number;
}

const PARTS: Record<string, string> = {
  words: "Its own words",
  near: "Words beside it",
  parent: "Words of its note",
  vector: "Its meaning",
  title: "The name of its note",
  asks: "It answers the kind of question",
  when: "It says when",
  time: "Its time",
  speaker: "Who said it",
  entities: "People and things named",
  recency: "How recent it is",
};

const SIGNALS: Record<string, string> = {
  token_count: "Length",
  unique_words: "Variety of words",
  metadata_weight: "Kind of source",
  source_weight: "Source",
  interaction: "Your part in it",
  entity_density: "Names and numbers",
  llm_importance: "Importance, by a model",
  sent: "You wrote it",
  reply: "It is a reply",
  dm: "A direct message",
  mention: "It mentions you",
  priority_high: "Marked as important",
};

/** What a score is made of, the largest part first; parts that add nothing are left out. */
export function whyRows(parts: ReadonlyMap<string, number>): WhyRow[] {
  const rows = [...parts].filter(([, value]) => Math.abs(value) >= 0.0005).sort(([, one], [, other]) => other - one);
  const most = Math.max(...rows.map(([, value]) => Math.abs(value)), 1e-9);
  return rows.map(([name, value]) => ({ name: PARTS[name] ?? name, value, share: Math.abs(value) / most }));
}

/** The signals of the gate, heaviest first. */
export function signalRows(explained: Explained): WhyRow[] {
  const rows = [...explained.signals].sort(([, one], [, other]) => other.weight - one.weight);
  return rows.map(([name, { value }]) => ({ name: SIGNALS[name] ?? name, value, share: Math.min(1, Math.max(0, value)) }));
}

/** Sentences about the note: how it was judged, what was taken out, whether a person changed it. */
export function decisionLines(explained: Explained): string[] {
  const redacted = [...explained.redacted].map(([family, count]) => `${count} × ${family}`).join(", ");
  return [
    capital(explained.band),
    explained.why && capital(explained.why),
    explained.sourceRef && `From ${explained.sourceRef}`,
    redacted && `Secrets taken out: ${redacted}`,
    explained.edited ? "A person edited it" : "",
    explained.parentPath && `Summed up in ${explained.parentPath}`,
  ].filter((line) => line !== "");
}

/** One line for a row that has no parts: it was listed, not ranked. */
export function whyListed(hit: Hit): string {
  return hit.isLeaf ? "Listed by its time, not ranked." : `Stands for ${hit.childIds.length} below it.`;
}
