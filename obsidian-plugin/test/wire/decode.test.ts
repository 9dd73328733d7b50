/** The answers that pytest checks, through the plugin's decoders. */

import { describe, expect, it } from "vitest";
import * as answers from "../../src/wire/answers";
import { BadAnswer } from "../../src/wire/decode";
import { readCase } from "../cases";

const DECODERS = {
  search: answers.found,
  search_nothing: answers.found,
  search_hostile: answers.found,
  tree: answers.found,
  topic: answers.found,
  mentions: answers.found,
  entities: answers.entityList,
  sources: answers.sourceList,
  digest: answers.digest,
  digest_none: answers.digest,
  graph: answers.entityGraph,
  timeline: answers.timeline,
  dropped: answers.droppedList,
  status: answers.status,
  explain: answers.explained,
};

describe("the engine's answers", () => {
  it.each(Object.entries(DECODERS))("%s is understood", (name, decode) => {
    expect(decode(readCase(name).answer, name)).toBeTruthy();
  });

  it("are kept as they are", () => {
    const found = answers.found(readCase("search").answer, "search");
    const [first] = found.hits;
    expect(first?.notePath).toMatch(/^wiki\/raw\/chat\//);
    expect(first?.block).toMatch(/^m-[0-9a-f]{12}$/);
    expect(first?.lines[0]).toBeLessThanOrEqual(first?.lines[1] ?? 0);
    expect(answers.status(readCase("status").answer, "").failed).toEqual(["_failed/broken.pdf"]);
    expect(answers.droppedList(readCase("dropped").answer, "").rows[0]?.reason).toBe("not_salient");
    const hostile = answers.found(readCase("search_hostile").answer, "");
    expect(JSON.stringify(hostile)).toContain("<b>a lamp</b>");
  });

  it("say where they are not what they must be", () => {
    expect(() => answers.found({ hits: [{ node_id: 7 }], total: 1 }, "answer")).toThrow(BadAnswer);
    expect(() => answers.found({ hits: [{ node_id: 7 }], total: 1 }, "answer")).toThrow("answer.hits[0].node_id");
    for (const odd of [null, 7, "text", [], { hits: {} }, { hits: [null] }]) {
      expect(() => answers.found(odd, "answer")).toThrow(BadAnswer);
    }
  });
});
