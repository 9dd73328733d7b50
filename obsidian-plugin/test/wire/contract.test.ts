/** The plugin's own engine and decoders against the real `vaultmem mcp`. */

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_FILTERS } from "../../src/domain/memory";
import { host } from "../../src/engine/child";
import { Engine, NoEngine } from "../../src/engine/engine";
import { Refused } from "../../src/wire/rpc";
import { program, TestVault } from "../vaults";
import { after } from "./clock";

let vault: TestVault;
let engine: Engine;

beforeAll(() => {
  vault = new TestVault();
  vault.write("inbox/Lens.md", "# Lens\n\nThe Fresnel lens weighs 380 kg without its frame.\n\n[[Inês Carvalho]] carries it.\n");
  vault.write("inbox/WhatsApp Chat with Greetings.txt", "[02/03/2026, 09:00:00] Mara: hi\n[02/03/2026, 09:00:10] Jonas: hello\n");
  vault.write("inbox/broken.pdf", "%PDF-1.7 nothing");
  vault.sync();
  Object.assign(process.env, vault.env);
  engine = new Engine(host, { vault: vault.root, chosen: program, pluginVersion: "0" }, after);
});

afterAll(async () => {
  await engine.stop();
  vault.remove();
});

describe("the real engine", () => {
  it("answers every question a view asks", async () => {
    const { memory } = engine;
    expect(engine.state.name).toBe("idle");
    const found = await memory.recall("what does the lens weigh?", NO_FILTERS, 5);
    expect(found.hits[0]?.content).toContain("380 kg");
    expect(engine.state.name).toBe("ready");
    const sources = await memory.sources();
    expect(sources.hits.map((row) => row.title)).toContain("Lens");
    const roots = await memory.roots(sources.hits.find((row) => row.title === "Lens")?.scope ?? "");
    expect((await memory.below(roots.hits[0]?.nodeId ?? "")).total).toBeGreaterThan(0);
    const who = (await memory.entities("Inês", 5)).hits[0];
    expect(who?.displayName).toBe("Inês Carvalho");
    expect((await memory.timeline(who?.id ?? "")).chunks).toBe(1);
    expect((await memory.mentions(who?.id ?? "", who?.displayName ?? "", 5)).hits).toHaveLength(1);
    expect((await memory.graph(who?.id ?? "", 1, 300)).nodes[0]?.id).toBe(who?.id);
    expect((await memory.digest("")).title).not.toBe("");
    expect((await memory.status()).failed).toEqual(["_failed/broken.pdf"]);
    const why = await memory.explain(found.hits[0]?.nodeId ?? "", "what does the lens weigh?");
    expect(why.answers[0]?.rank).toBe(1);
  });

  it("takes over what a person admitted", async () => {
    const { memory } = engine;
    const row = (await memory.dropped(10)).rows[0];
    expect(row?.reason).toBe("not_salient");
    expect((await memory.recall("hello", NO_FILTERS, 5)).hits.map((hit) => hit.nodeId)).not.toContain(row?.chunkId);
    const note = path.join(vault.root, row?.notePath ?? "");
    writeFileSync(note, readFileSync(note, "utf8").replace("memory_status: dropped", "memory_status: admitted"));
    expect((await memory.sync(false)).doneBy).toBe("this call");
    expect((await memory.recall("hello", NO_FILTERS, 5)).hits[0]?.nodeId).toBe(row?.chunkId);
  });

  it("says in its own words what is wrong", async () => {
    await expect(engine.memory.below("nonsense")).rejects.toThrow(Refused);
    await expect(engine.memory.recall("x", { ...NO_FILTERS, since: "someday" }, 5)).rejects.toThrow(/since/);
  });

  it("starts again after it died, and stays down when stopped", async () => {
    await engine.stop();
    await expect(engine.memory.status()).rejects.toThrow(NoEngine);
    await engine.restart();
    expect((await engine.memory.status()).counts.get("admitted")).toBe(2);
  });
});
