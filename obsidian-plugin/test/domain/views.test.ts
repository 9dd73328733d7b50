import { describe, expect, it } from "vitest";
import { dayTitle, digestBody, shifted } from "../../src/domain/days";
import { labelled, layoutOf, neighbours } from "../../src/domain/graph";
import { ingestState, reasonText } from "../../src/domain/ingest";
import { barsOf, monthName } from "../../src/domain/months";
import { fileName, firstWords } from "../../src/domain/names";
import { entityLink, openQuestions } from "../../src/domain/review";
import { canOpen, hitTreeRow, isNodeId, treesOf } from "../../src/domain/tree";
import * as answers from "../../src/wire/answers";
import { readCase } from "../cases";

const calendar = { now: new Date("2026-06-01T12:00:00Z"), locale: "en-GB", zone: "UTC" };

describe("months", () => {
  it("stand without gaps, and become years when there are many", () => {
    expect(barsOf([{ month: "2026-01", chunks: 4 }, { month: "2025-11", chunks: 2 }])).toEqual([
      { month: "2025-11", count: 2, share: 0.5 },
      { month: "2025-12", count: 0, share: 0 },
      { month: "2026-01", count: 4, share: 1 },
    ]);
    expect(barsOf([])).toEqual([]);
    const long = barsOf([{ month: "1999-12", chunks: 1 }, { month: "2026-01", chunks: 1 }]);
    expect(long[0]).toEqual({ month: "1999", count: 1, share: 1 });
    expect(long).toHaveLength(28);
    expect(monthName("2026-03", "en-GB")).toBe("March 2026");
  });
});

describe("the graph", () => {
  const graph = answers.entityGraph(readCase("graph").answer, "");

  it("puts the entity into the middle and nobody on anybody", () => {
    const { placed, extent } = layoutOf(graph);
    expect(placed[0]).toMatchObject({ x: 0, y: 0, node: { id: "person:mara-lindqvist" } });
    const places = placed.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`);
    expect(new Set(places).size).toBe(places.length);
    expect(placed.every(({ x, y }) => Math.hypot(x, y) < extent)).toBe(true);
  });

  it("shows 300 at most, the same every time, names apart", () => {
    const node = (n: number): (typeof graph.nodes)[number] => ({ id: `p${n}`, displayName: `A name of some length ${n}`, hops: n ? 1 : 0, chunks: 1, notePath: "" });
    const many = { entity: "p0", nodes: Array.from({ length: 1000 }, (_, n) => node(n)), edges: [{ subject: "p0", object: "p999", weight: 1 }] };
    const layout = layoutOf(many);
    expect(layout.placed).toHaveLength(300);
    expect(layout.lines).toEqual([]);
    expect(layoutOf(many)).toEqual(layout);
    const shown = labelled(layout, 30);
    expect(shown.size).toBeGreaterThan(3);
    expect(shown.size).toBeLessThan(150);
    expect(shown.has("p0")).toBe(true);
  });

  it("says in words who stands beside whom", () => {
    expect(neighbours(layoutOf(graph), "person:mara-lindqvist").length).toBe(layoutOf(graph).lines.length);
  });
});

describe("review", () => {
  const line = "- [ ] merge [[entities/person/robert-stone|Robert Stone]] <- [[entities/person/bob-stone|Bob (Jr)]] (nickname and same surname) ^ms-0a1b2c3d";

  it("asks what nobody has answered", () => {
    const [one] = openQuestions(`# Review\r\n\r\n${line}\r\n`);
    expect(one).toEqual({
      key: "ms-0a1b2c3d",
      keep: { path: "entities/person/robert-stone", name: "Robert Stone" },
      merge: { path: "entities/person/bob-stone", name: "Bob (Jr)" },
      why: "nickname and same surname",
    });
    expect(openQuestions(line.replace("[ ]", "[x]"))).toEqual([]);
    expect(openQuestions("- merged [[a]] <- [[b]] ^ms-0a1b2c3d\nprose")).toEqual([]);
    expect(one && entityLink(one.keep)).toBe("[[entities/person/robert-stone|Robert Stone]]");
  });
});

describe("ingest", () => {
  it("tells what waits, failed and was kept", () => {
    const state = ingestState(answers.status(readCase("status").answer, ""), "inbox", calendar);
    expect(state.failed).toEqual([{ name: "broken.pdf", path: "inbox/_failed/broken.pdf", reason: "" }]);
    expect(state.summary[0]).toBe("17 of 18 notes kept, 1 dropped");
    expect(reasonText("# Not imported\n\nIt is no\nPDF.\n\nMend it.")).toBe("It is no PDF.");
    expect(reasonText("")).toBe("");
  });

  it("drops under names that every system takes", () => {
    const taken = new Set(["What. is it 1.md", "What. is it.md"]);
    expect(fileName("What? is/it*", ".md", (name) => taken.has(name))).toBe("What is it.md");
    expect(fileName("What. is it", ".md", (name) => taken.has(name))).toBe("What. is it 2.md");
    expect(fileName("../..//", ".md", () => false)).toBe("note.md");
    expect(fileName("😀".repeat(200), ".md", () => false)).not.toMatch(/\p{Cs}/u);
    expect(firstWords("\n## **Plan\ntext")).toBe("Plan");
  });
});

describe("the tree", () => {
  it("joins the sources of one tree and opens down to passages", () => {
    const sources = answers.sourceList(readCase("sources").answer, "").hits;
    const trees = treesOf(sources);
    expect(new Set(trees.map((row) => row.scope)).size).toBe(trees.length);
    expect(trees.reduce((sum, row) => sum + row.chunks, 0)).toBe(sources.reduce((sum, row) => sum + row.chunks, 0));
    const [hit] = answers.found(readCase("tree").answer, "").hits;
    if (!hit) throw new Error("the case has no hit");
    expect(hitTreeRow(hit, "source", calendar).kind).toBe("summary");
    const leaf = { ...hit, isLeaf: true };
    expect(hitTreeRow(leaf, "summary", calendar).kind).toBe("chunk");
    expect(canOpen(hitTreeRow(leaf, "chunk", calendar))).toBe(false);
    expect([isNodeId(hit.nodeId), isNodeId("whatsapp:x"), isNodeId("cafe")]).toEqual([true, false, false]);
  });
});

describe("days", () => {
  it("go by, over the ends of months and years", () => {
    expect([shifted("2026-03-01", -1), shifted("2024-02-28", 1), shifted("2025-12-31", 1), shifted("2026-W17", 1)]).toEqual(["2026-02-28", "2024-02-29", "2026-01-01", ""]);
    expect(dayTitle("2026-04-21", "en-GB")).toContain("21 April 2026");
    expect(digestBody("# 2026-04-21\n\n## To do\n")).toBe("## To do");
  });
});
