/** What is shipped: built twice it is the same, and the Python package carries just that. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../manifest.json";
import versions from "../../versions.json";

const ROOT = path.join(import.meta.dirname, "..", "..");
const SHIPPED = path.join(ROOT, "..", "vaultmem", "surfaces", "obsidian_plugin");
const FILES = ["main.js", "manifest.json", "styles.css"];

function built(): Record<string, string> {
  const out = mkdtempSync(path.join(tmpdir(), "plugin-"));
  execFileSync(process.execPath, ["esbuild.config.mjs", out], { cwd: ROOT });
  expect(readdirSync(out).sort()).toEqual(FILES);
  return Object.fromEntries(FILES.map((name) => [name, readFileSync(path.join(out, name), "latin1")]));
}

describe("the bundle", () => {
  const first = built();

  it("is the same when it is built again", () => {
    expect(built()).toEqual(first);
  });

  it("is what the Python package ships: `npm run build` makes it anew", () => {
    for (const name of FILES) expect(readFileSync(path.join(SHIPPED, name), "latin1") === first[name], name).toBe(true);
  });

  it("holds no path of the machine, no network call, nothing that turns text into markup or code", () => {
    const code = first["main.js"] ?? "";
    for (const word of [ROOT, "/node_modules/", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function", "fetch(", "XMLHttpRequest", "requestUrl", "WebSocket", "console.log"]) {
      expect(code.includes(word), word).toBe(false);
    }
  });

  it("is named as Obsidian wants it", () => {
    expect(manifest.id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(manifest.description.length).toBeLessThanOrEqual(250);
    expect((versions as Record<string, string>)[manifest.version]).toBe(manifest.minAppVersion);
    expect(JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"))).toMatchObject({ version: manifest.version });
  });

  it("names no registry in its lockfile", () => {
    const lock = readFileSync(path.join(ROOT, "package-lock.json"), "utf8");
    const hosts = [...lock.matchAll(/"resolved": "https?:\/\/([^/"]+)/g)].map(({ 1: host }) => host);
    expect(hosts.filter((host) => host !== "registry.npmjs.org")).toEqual([]);
  });
});
