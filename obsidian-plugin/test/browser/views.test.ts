/** Every view in a real browser: both themes, narrow and wide, full, empty, in trouble, and with hostile words. */

import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineSide, openBrowser, openPage, SHOTS, type Theme } from "./bench";
import { empty, filled, hostile, refusing, sampleFiles, withTrouble } from "./content";

const VIEWS: Record<string, string> = {
  recall: "what did Lumen charge for the crane?",
  tree: "whatsapp:Harbour Lights crew",
  entity: "person:mara-lindqvist",
  ingest: "",
  digest: "2026-03-10",
  graph: "person:mara-lindqvist",
};
const STATES: Record<string, () => EngineSide | undefined> = {
  full: filled,
  empty,
  error: refusing,
  hostile,
  missing: () => undefined,
};
const SIZES: Record<string, number> = { narrow: 300, wide: 900 };

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
});

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector(".is-loading"));
}

/** Pixels by which anything stands out to the right. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll(".vaultmem-body, .vaultmem-top, .vaultmem-banner")];
    return Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth));
  });
}

describe.each(Object.entries(STATES))("%s", (state, engine) => {
  describe.each(Object.entries(SIZES))("%s", (size, width) => {
    it.each(["light", "dark"] as Theme[])("%s: all views", async (theme) => {
      const files = state === "empty" ? {} : withTrouble(sampleFiles());
      const page = await openPage(browser, { theme, width, files, engine: engine() });
      for (const [view, about] of Object.entries(VIEWS)) {
        await page.evaluate(() => {
          for (const leaf of window.app.workspace.leaves.splice(0)) leaf.containerEl.remove();
        });
        await page.evaluate(([type, what]) => window.openView(type ?? "", what), [`vaultmem-${view}`, about]);
        await settled(page);
        if (state === "full" && view === "recall") await page.locator(".vaultmem-row").first().locator("button").click();
        await page.waitForTimeout(40);
        await page.screenshot({ path: path.join(SHOTS, `${view}-${state}-${size}-${theme}.png`) });
        expect(await overflow(page), `${view} is too wide`).toBeLessThanOrEqual(0);
        expect(await page.evaluate(() => "pwned" in window), "markup was carried out").toBe(false);
        expect(await page.locator("img, script, iframe").filter({ hasNot: page.locator("body > script") }).count()).toBeLessThanOrEqual(1);
        expect(await page.locator(".vaultmem-body").innerText()).not.toBe("");
      }
      expect(await page.evaluate(() => window.seen.unknownIcons)).toEqual([]);
      await page.close();
    });
  });
});
