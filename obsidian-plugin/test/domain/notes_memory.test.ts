/** Without the engine: the sample vault's own notes answer. */

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { NO_FILTERS } from "../../src/domain/memory";
import type { Note } from "../../src/domain/note";
import { NotesMemory } from "../../src/domain/notes_memory";

const SAMPLE = path.join(import.meta.dirname, "..", "..", "..", "sample_vault");

function readNote(name: string): Note {
  const text = readFileSync(path.join(SAMPLE, name), "utf8");
  const found = /^---\n([\s\S]*?)\n---\n/.exec(text);
  const properties = found ? (parse(found[1] ?? "") as Record<string, unknown>) : {};
  return { path: name, properties, headings: [...text.matchAll(/^#+ (.*)$/gm)].map(({ 1: heading = "" }) => heading) };
}

const names = readdirSync(SAMPLE, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
const notes = names.map(readNote);
const odd: Note[] = [
  { path: "wiki/raw/odd.md", properties: { chunk_id: 7, entities: "person:x", memory_status: ["dropped"], time_range_start: {} }, headings: [] },
  { path: "entities/odd.md", properties: { id: [], kind: null, display_name: 3 }, headings: [] },
];
const memory = new NotesMemory({
  notes: () => [...notes, ...odd],
  body: async (each) => `# body of ${each}`,
  inbox: () => ["a.md", "_failed/b.pdf", "_failed/b.pdf.reason.md"],
  today: () => "2026-03-11",
});

describe("the notes' own memory", () => {
  it("finds by names alone, and says so", async () => {
    const found = await memory.recall("Lighting plan", NO_FILTERS, 5);
    expect(found.hits[0]?.notePath).toContain("Lighting plan");
    expect(found.degraded).toContain("the engine");
    expect((await memory.recall("Lighting plan", { ...NO_FILTERS, kind: "chat" }, 5)).hits).toEqual([]);
    expect((await memory.recall("", NO_FILTERS, 5)).hits).toEqual([]);
  });

  it("knows sources, trees and what stands below", async () => {
    const { hits } = await memory.sources();
    const crew = hits.find((row) => row.sourceId === "whatsapp:Harbour Lights crew");
    expect(crew?.chunks).toBe(4);
    const [summary] = (await memory.roots(crew?.scope ?? "")).hits;
    expect(summary).toMatchObject({ isLeaf: false, level: 1 });
    expect((await memory.below(summary?.nodeId ?? "")).hits).toHaveLength(4);
  });

  it("knows people, their months and their company", async () => {
    const [most] = (await memory.entities("", 5)).hits;
    expect(most?.mentions).toBeGreaterThan(0);
    const line = await memory.timeline("person:mara-lindqvist");
    expect(line.displayName).toBe("Mara Lindqvist");
    expect(line.months.reduce((sum, month) => sum + month.chunks, 0)).toBe(line.chunks);
    const graph = await memory.graph("person:mara-lindqvist", 1, 5);
    expect(graph.nodes).toHaveLength(5);
    expect((await memory.mentions("person:mara-lindqvist", "Mara", 3)).hits).toHaveLength(3);
  });

  it("reads digests, the inbox and what was dropped", async () => {
    expect((await memory.digest("today")).period).toBe("2026-03-11");
    expect((await memory.digest("")).notePath).toBe("wiki/summaries/global/daily/2026-03-11.md");
    expect((await memory.digest("2020-01-01")).content).toBe("");
    const status = await memory.status();
    expect([status.inbox, status.failed]).toEqual([["a.md"], ["_failed/b.pdf"]]);
    expect((await memory.dropped(5)).rows).toEqual([]);
    expect((await memory.sync()).doneBy).toBe("nobody");
    await expect(memory.explain("nothing")).rejects.toThrow();
  });
});
