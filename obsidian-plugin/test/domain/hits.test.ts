import { describe, expect, it, vi } from "vitest";
import { asContext, type Calendar, hitRow, linkText, plain, titleOf, whenOf, wikilink } from "../../src/domain/hits";
import { excerpt, segments, wordsOf } from "../../src/domain/marks";
import { decisionLines, signalRows, whyRows } from "../../src/domain/why";
import * as answers from "../../src/wire/answers";
import { readCase } from "../cases";

const calendar: Calendar = { now: new Date("2026-06-01T12:00:00Z"), locale: "en-GB", zone: "UTC" };
const search = answers.found(readCase("search").answer, "search");
const [first] = search.hits;
if (!first) throw new Error("the case has no hit");

describe("a hit", () => {
  it("is shown with who, when and where", () => {
    const row = hitRow(first, "what did Lumen charge for the crane?", calendar);
    expect(row.title).toBe("Harbour Lights crew");
    expect(row.details).toEqual(["Jonas Petrov", "5 Mar 2026"]);
    expect(row.place).toMatch(/^0001-[0-9a-f]{6}, line \d+$/);
    expect(row.excerpt.filter((piece) => piece.isMark).map((piece) => piece.text)).toEqual(["Lumen"]);
    expect(row.excerpt.map((piece) => piece.text).join("")).toBe(first.content);
  });

  it("links to its message, its heading, or its note", () => {
    expect(linkText(first)).toBe(`${first.notePath.replace(".md", "")}#^${first.block}`);
    expect(linkText({ notePath: "a/b.md", block: "", heading: "Plan > Lights | #2 [[x]]", isLeaf: true })).toBe("a/b#Lights 2 x");
    expect(linkText({ notePath: "a/b.md", block: "", heading: "", isLeaf: true })).toBe("a/b");
  });

  it("has a name that breaks out of no link", () => {
    const hostile = { ...first, heading: "]] <img src=x> [[evil|\n# title" };
    expect(wikilink(hostile)).toMatch(/^\[\[[^[\]|\n]+\|[^[\]|\n]+\]\]$/);
    expect(titleOf({ ...first, heading: "a\u202egnp.exe\u0007" })).toBe("agnp.exe");
  });

  it("is quoted line by line", () => {
    const quoted = asContext({ ...first, content: "one\n\n# two" }, calendar);
    expect(quoted.trim().split("\n").every((line) => line.startsWith(">"))).toBe(true);
    expect(quoted).toContain("Jonas Petrov, 5 Mar 2026");
  });

  it("has a time as people say it", () => {
    expect(whenOf("2026-06-01T09:05:00Z", calendar)).toBe("Today 09:05");
    expect(whenOf("2026-05-31T23:59:00Z", calendar)).toBe("Yesterday 23:59");
    expect(whenOf("", calendar)).toBe("");
    expect(whenOf("2026-05-31T23:00:00Z", { ...calendar, zone: "Asia/Tokyo" })).toBe("Today 08:00");
    expect(plain("## A **bold** [[path/x|name]] and [site](https://e.example) \\[[")).toBe("A bold name and site [[");
  });

  it("costs a list no more formats of dates than a row", () => {
    const real = Intl.DateTimeFormat;
    let made = 0;
    const construct = (format: typeof real, given: ConstructorParameters<typeof real>): Intl.DateTimeFormat => {
      made += 1;
      return new format(...given);
    };
    const own = { ...calendar };
    vi.stubGlobal("Intl", { DateTimeFormat: new Proxy(real, { construct }) });
    hitRow(first, "Lumen", own);
    const forOne = made;
    for (let n = 0; n < 20; n += 1) hitRow(first, "Lumen", own);
    vi.unstubAllGlobals();
    expect([forOne > 0, made]).toEqual([true, forOne]);
  });
});

describe("marks", () => {
  it.each([
    ["what did Lumen charge?", "Lumen charged 1,840", ["Lumen", "charged"]],
    ["wo wohnt Jörg", "JORG wohnte in Köln", ["JORG", "wohnte"]],
    ["会議の予定", "明日の会議の予定は", ["会議の予定"]],
    ["1,450", "ask for 1,450.", ["1", "450"]],
    ["the of and", "the lamp of and", []],
    ["lens", "lenses and Lens", ["lenses", "Lens"]],
  ])("%s", (query, text, marked) => {
    const pieces = segments(text, wordsOf(query));
    expect(pieces.filter((piece) => piece.isMark).map((piece) => piece.text)).toEqual(marked);
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  });

  it("are kept by the excerpt, whatever the length and script", () => {
    const text = `${"filler words ".repeat(500)}the lamp 😀 stands here ${"more words ".repeat(500)}`;
    const cut = excerpt(text, ["lamp"], 120);
    expect(cut).toContain("lamp");
    expect(cut.length).toBeLessThan(200);
    expect(excerpt("😀".repeat(500), ["x"], 101)).not.toMatch(/\p{Cs}/u);
    const began = Date.now();
    excerpt("a".repeat(200_000), ["b"], 300);
    excerpt("字".repeat(100_000), ["典"], 300);
    expect(Date.now() - began).toBeLessThan(1000);
  });
});

describe("why", () => {
  it("tells the parts of a score, the largest first", () => {
    const rows = whyRows(first.scoreParts);
    expect(rows[0]?.share).toBe(1);
    expect(rows.map((row) => row.name)).toContain("Its own words");
    expect(rows.every((row) => row.value !== 0)).toBe(true);
    expect(whyRows(new Map([["unheard_of", 0.5]]))[0]?.name).toBe("unheard_of");
  });

  it("tells how a chunk was judged", () => {
    const told = answers.explained(readCase("explain").answer, "");
    expect(decisionLines(told)[0]).toMatch(/^Admitted/);
    expect(signalRows(told)[0]?.name).toBe("Your part in it");
  });
});
