import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Engine, NoEngine } from "../../src/engine/engine";
import { candidates, findProgram, noteOfInstaller, problemOf } from "../../src/engine/program";
import type { Pipe } from "../../src/wire/rpc";
import { after } from "../wire/clock";

function program(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "vaultmem");
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
  return file;
}

describe("the program", () => {
  it("is looked for where Python puts programs, then on PATH, never in shims or beside the vault", () => {
    const linux = candidates({ platform: "linux", home: "/home/a", env: { PATH: "/opt/x:/home/a/.pyenv/shims:relative:." } });
    expect(linux[0]).toBe("/home/a/.local/bin/vaultmem");
    expect(linux).toContain("/opt/x/vaultmem");
    expect(linux.filter((each) => each.includes("shims") || !each.startsWith("/"))).toEqual([]);
    const windows = candidates({ platform: "win32", home: "C:\\Users\\a", env: { APPDATA: "C:\\R", Path: "D:\\bin" } });
    expect(windows).toContain("C:\\R\\Python\\*\\Scripts\\vaultmem.exe");
    expect(windows).toContain("D:\\bin\\vaultmem.exe");
  });

  it("is found, but not inside the vault", async () => {
    const home = mkdtempSync(path.join(tmpdir(), "home-"));
    const vault = path.join(home, "notes");
    const inside = program(path.join(vault, "bin"));
    const machine = { platform: "linux", home, env: { PATH: path.join(vault, "bin") } };
    expect(await findProgram(machine, vault)).not.toBe(inside);
    expect(await problemOf(inside, vault)).toContain("inside the vault");
    const own = program(path.join(home, ".local", "bin"));
    expect(await findProgram(machine, vault)).toBe(own);
    const venv = program(path.join(home, "somewhere", "bin"));
    const note = noteOfInstaller(machine);
    expect(note).toBe(path.join(home, ".local", "share", "vaultmem", "program.txt"));
    mkdirSync(path.dirname(note), { recursive: true });
    writeFileSync(note, `${venv}\n`);
    expect(await findProgram(machine, vault)).toBe(venv);
    writeFileSync(note, `${inside}\n`);
    expect(await findProgram(machine, vault)).toBe(own);
    chmodSync(own, 0o644);
    expect(await problemOf(own, vault)).not.toBe(process.getuid?.() === 0 ? "no" : "");
    expect(await problemOf(home, "/nowhere")).toContain("a folder");
    expect(await problemOf("vaultmem", vault)).toContain("absolute");
  });
});

describe("the engine", () => {
  const dead = (): { starts: number; engine: Engine } => {
    const state = { starts: 0 } as { starts: number; engine: Engine };
    const start = (): Pipe => {
      state.starts += 1;
      let end: (reason: string) => void = () => undefined;
      return { write: () => queueMicrotask(() => end("no module named vaultmem")), onLine: () => undefined, onClose: (take) => (end = take), close: () => undefined };
    };
    const host = { find: async () => "/bin/vaultmem", problemOf: async () => "", start };
    state.engine = new Engine(host, { vault: "/v", chosen: () => "", pluginVersion: "0" }, after);
    return state;
  };

  it("is started by the first question, and says why it did not start", async () => {
    const state = dead();
    expect(state.starts).toBe(0);
    await expect(state.engine.memory.status()).rejects.toThrow(new NoEngine("no module named vaultmem"));
    await expect(state.engine.memory.status()).rejects.toThrow(NoEngine);
    expect(state.starts).toBe(1);
    expect(state.engine.state).toEqual({ name: "failed", reason: "no module named vaultmem" });
    await expect(state.engine.restart()).rejects.toThrow(NoEngine);
    expect(state.starts).toBe(2);
  });

  it("is told missing when there is no program", async () => {
    const host = { find: async () => "", problemOf: async () => "", start: () => { throw new Error("never"); } };
    const engine = new Engine(host, { vault: "/v", chosen: () => "", pluginVersion: "0" }, after);
    let told = 0;
    engine.watch(() => (told += 1));
    await expect(engine.memory.status()).rejects.toThrow(NoEngine);
    expect(engine.state.name).toBe("missing");
    expect(told).toBe(2);
  });
});
