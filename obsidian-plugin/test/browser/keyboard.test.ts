/** Everything by keyboard alone, as a person without a mouse does it. */

import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readCase } from "../cases";
import { openBrowser, openPage, TableEngine } from "./bench";
import { filled, sampleFiles, withTrouble } from "./content";

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
});
beforeEach(async () => {
  page = await openPage(browser, { theme: "light", width: 400, files: withTrouble(sampleFiles()), engine: filled() });
});
afterEach(async () => {
  await page.close();
});

const show = (type: string, about?: string): Promise<void> =>
  page.evaluate(([name, what]) => window.openView(`vaultmem-${name}`, what), [type, about] as const);
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
const opened = (): Promise<string[]> => page.evaluate(() => window.seen.opened);
const noteText = (path: string): Promise<string> => page.evaluate((each) => window.app.vault.texts.get(each) ?? "", path);

/** Tab until what has the focus is called so. */
async function tabTo(name: string): Promise<void> {
  for (let n = 0; n < 60; n += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const at = document.activeElement;
      return at?.getAttribute("aria-label") ?? at?.textContent ?? "";
    });
    if (found === name) return;
  }
  throw new Error(`Tab never comes to ${name}`);
}

describe("the recall pane", () => {
  it("is typed into, walked through and opened at the very message", async () => {
    await page.evaluate(() => window.runCommand("open-recall"));
    await page.waitForSelector(".vaultmem-search-box input");
    await page.keyboard.type("what did Lumen charge?");
    await page.waitForSelector(".vaultmem-hit");
    expect(await page.locator(".search-result-file-matched-text").first().innerText()).toBe("Lumen");
    await press("ArrowDown");
    expect(await focused()).toContain("I will call Lumen tomorrow");
    await press("ArrowRight");
    await page.waitForSelector(".vaultmem-why .vaultmem-why-title");
    expect(await page.locator(".vaultmem-why").innerText()).toContain("Its own words");
    await press("ArrowLeft");
    expect(await page.locator(".vaultmem-why").count()).toBe(0);
    await press("ArrowDown", "ArrowUp", "Control+Enter");
    expect((await opened())[0]).toMatch(/0001-1d8d4f\.md at \^m-f99a696fc036$/);
    await press("End", "Home", "ArrowUp");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  });

  it("offers every action of a result in a menu", async () => {
    await show("recall", "Lumen");
    await page.waitForSelector(".vaultmem-row");
    await page.locator(".vaultmem-row").first().dispatchEvent("contextmenu");
    const entries = await page.locator(".menu button").allInnerTexts();
    expect(entries).toEqual(expect.arrayContaining(["Open in new tab", "Copy link", "Insert link", "Copy as quotation", "Show in the tree"]));
  });

  it("gives a link when a result is dragged, and a preview when it is pointed at", async () => {
    await show("recall", "Lumen");
    await page.waitForSelector(".vaultmem-row");
    const told = await page.evaluate(() => {
      const row = document.querySelector(".vaultmem-row");
      const hovered: string[] = [];
      window.app.workspace.on("hover-link", (about: { linktext: string; source: string }) => hovered.push(about.linktext, about.source));
      const drag = new DragEvent("dragstart", { dataTransfer: new DataTransfer() });
      row?.dispatchEvent(drag);
      row?.dispatchEvent(new MouseEvent("mouseover"));
      return [drag.dataTransfer?.getData("text/plain") ?? "", ...hovered];
    });
    expect(told[0]).toMatch(/^\[\[wiki\/raw\/chat\/.*#\^m-f99a696fc036\|Harbour Lights crew\]\]$/);
    expect(told.slice(1)).toEqual([expect.stringMatching(/#\^m-f99a696fc036$/), "vaultmem-recall"]);
  });

  it("filters", async () => {
    const asked: Record<string, unknown>[] = [];
    const engine = new TableEngine((tool, given) => {
      if (tool === "memory_search") asked.push(given);
      return readCase(tool === "memory_search" ? "search" : "sources").answer;
    });
    const own = await openPage(browser, { theme: "light", width: 300, files: {}, engine });
    await own.evaluate(() => window.openView("vaultmem-recall", "Lumen"));
    await own.getByLabel("Filters").first().press("Enter");
    await own.getByLabel("Kind").selectOption("chat");
    await own.getByLabel("Source").selectOption("whatsapp:Harbour Lights crew");
    await own.getByLabel("From").fill("2026-03-01");
    await own.getByLabel("Also what was dropped").press("Space");
    await own.waitForFunction(() => !document.querySelector(".is-loading"));
    const filters = { kind: "chat", source: "whatsapp:Harbour Lights crew", since: "2026-03-01", dropped: true };
    expect(asked.at(-1)).toEqual({ query: "Lumen", k: 20, ...filters });
    await own.close();
  });

  it("shows no answer that was overtaken", async () => {
    const held: (() => void)[] = [];
    const engine = filled();
    const take = engine.take.bind(engine);
    engine.take = (line) => {
      if (line.includes('"query":"lum"')) held.push(() => take(line));
      else take(line);
    };
    const own = await openPage(browser, { theme: "light", width: 300, files: {}, engine });
    await own.evaluate(() => window.runCommand("open-recall"));
    await own.keyboard.type("lum");
    await expect.poll(() => held.length).toBe(1);
    await own.keyboard.type("en");
    await own.waitForSelector(".vaultmem-hit");
    held[0]?.();
    await own.waitForTimeout(100);
    expect(await own.locator(".vaultmem-said.mod-error").count()).toBe(0);
    expect(await own.locator(".vaultmem-hit").count()).toBeGreaterThan(1);
    await own.close();
  });
});

describe("the quick modal", () => {
  it("opens, chooses, inserts", async () => {
    await page.evaluate(() => window.runCommand("quick-recall"));
    await page.keyboard.type("lumen");
    await page.waitForSelector(".suggestion-item");
    await page.screenshot({ path: "shots/modal-full-narrow-light.png" });
    await press("ArrowDown", "ArrowUp", "Enter");
    expect((await opened())[0]).toMatch(/\^m-f99a696fc036$/);
    await page.evaluate(() => window.runCommand("quick-recall"));
    await page.keyboard.type("lumen");
    await page.waitForSelector(".suggestion-item");
    await press("Shift+Enter");
    await page.waitForSelector("[data-type=vaultmem-recall] .vaultmem-hit");
    expect(await page.inputValue(".vaultmem-search-box input")).toBe("lumen");
  });
});

describe("the other views", () => {
  it("tree: opens down to the passages", async () => {
    await show("tree");
    await page.locator(".vaultmem-row").first().focus();
    await press("ArrowDown", "ArrowRight");
    await page.waitForSelector("[aria-level='2']");
    await press("ArrowDown", "ArrowRight");
    await page.waitForSelector("[aria-level='3']");
    expect(await page.locator("[aria-level='2']").first().getAttribute("aria-expanded")).toBe("true");
    await press("ArrowLeft");
    expect(await page.locator("[aria-level='3']").first().isVisible()).toBe(false);
    expect(await page.locator("[data-row][tabindex='0']").count()).toBe(1);
  });

  it("entity: found by name, opened, and back", async () => {
    await page.evaluate(() => window.runCommand("open-entities"));
    await page.locator(".vaultmem-search-box input").focus();
    await page.keyboard.type("mara");
    await page.waitForTimeout(200);
    await page.waitForSelector("[data-row]");
    await press("ArrowDown", "Enter");
    await page.waitForSelector(".vaultmem-chart");
    await tabTo("March 2026: 14");
    await tabTo("All people and topics").catch(() => page.getByLabel("All people and topics").focus());
    await press("Enter");
    await page.waitForSelector("[role=list][aria-label='People and topics']");
  });

  it("entity: a merge is written into the note that goes, and nowhere else", async () => {
    await show("entity");
    await page.waitForSelector(".vaultmem-card");
    const before = await page.evaluate(() => Object.fromEntries(window.app.vault.texts));
    await tabTo("Merge");
    await press("Enter");
    await expect.poll(() => noteText("entities/person/bob-stone.md")).toContain("[[entities/person/robert-stone|Robert Stone]]");
    const now = await page.evaluate(() => Object.fromEntries(window.app.vault.texts));
    expect(Object.keys(now).filter((path) => now[path] !== before[path])).toEqual(["entities/person/bob-stone.md"]);
    expect(await page.evaluate(() => window.seen.notices)).toEqual(["Memory is up to date."]);
    await tabTo("Keep apart");
    await press("Enter");
    await expect.poll(() => noteText("entities/person/robert-stone.md")).toContain("not_same_as");
  });

  it("ingest: a dropped note is kept, a failed file goes back", async () => {
    const path = (readCase("dropped").answer as { dropped: { note_path: string }[] }).dropped[0]?.note_path ?? "";
    const files = { ...withTrouble(sampleFiles()), [path]: "---\nchunk_id: \"1\"\nmemory_status: dropped\n---\nhi\n" };
    await page.evaluate((each) => window.setFiles(each), files);
    await page.evaluate(() => window.runCommand("open-ingest"));
    await page.waitForSelector("text=hi hello");
    await tabTo("Keep: hi hello");
    await press("Enter");
    await expect.poll(() => noteText(path)).toContain("memory_status: admitted");
    await page.waitForSelector("text=It is no PDF");
    await tabTo("Try again");
    await press("Enter");
    await expect.poll(() => noteText("inbox/broken.pdf")).toBe("%PDF");
    expect(await noteText("inbox/_failed/broken.pdf.reason.md")).toBe("");
  });

  it("digest: links open, days go by", async () => {
    await show("digest", "2026-03-10");
    await page.waitForSelector(".vaultmem-digest a");
    await tabTo("The day after");
    await page.locator(".vaultmem-digest a").first().focus();
    await press("Enter");
    expect((await opened())[0]).toMatch(/^wiki\/|^missing: wiki\//);
  });

  it("graph: arrows go round, Enter puts one into the middle, what has the focus is told", async () => {
    await show("graph", "person:mara-lindqvist");
    await page.waitForSelector(".vaultmem-node");
    const { chunks } = (readCase("graph").answer as { nodes: { chunks: number }[] }).nodes[0] ?? { chunks: 0 };
    await tabTo(`Mara Lindqvist, in ${chunks} notes`);
    await press("ArrowRight");
    const second = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    expect(second).not.toContain("Mara Lindqvist");
    expect(await page.locator(".vaultmem-told").innerText()).toContain("Beside: Mara Lindqvist");
    await press("ArrowLeft", "ArrowDown", "Enter");
    await page.waitForSelector(".vaultmem-node.is-middle");
  });

  it("commands: what is ingested is dropped into the inbox, through Obsidian", async () => {
    await page.evaluate(() => {
      window.activate("entities/person/jonas-petrov.md");
      window.runCommand("ingest-note");
    });
    await expect.poll(() => noteText("inbox/jonas-petrov.md")).toContain("person:jonas-petrov");
    await page.evaluate(() => window.runCommand("show-entity"));
    await page.waitForSelector("[data-type=vaultmem-entity] .vaultmem-chart");
    expect(await page.evaluate(() => window.seen.notices)).toEqual(["Memory is up to date."]);
  });

  it("settings: the program is kept on the device alone", async () => {
    await page.evaluate(() => window.showSettings());
    await page.getByLabel("Path of the program").fill("/opt/vaultmem");
    await press("Tab");
    expect(await page.evaluate(() => window.app.loadLocalStorage("vaultmem-program"))).toBe("/opt/vaultmem");
    expect(await page.evaluate(() => JSON.stringify(window.plugin.data))).not.toContain("/opt/vaultmem");
    await page.screenshot({ path: "shots/settings-full-narrow-light.png" });
  });

  it("names every control", async () => {
    for (const view of ["recall", "tree", "entity", "ingest", "digest", "graph"]) await show(view, view === "entity" ? "person:mara-lindqvist" : undefined);
    await page.waitForTimeout(200);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, [tabindex]")]
        .filter((each) => !(each.getAttribute("aria-label") ?? each.textContent ?? "").trim() && !(each as HTMLInputElement).labels?.length)
        .map((each) => each.outerHTML),
    );
    expect(nameless).toEqual([]);
  });
});
