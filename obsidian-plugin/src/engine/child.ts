/** The engine as a child process: `vaultmem --vault PATH mcp`, no shell, lines over its own pipes. */

import { spawn } from "node:child_process";
import { homedir } from "node:os";
import process from "node:process";
import { Lines } from "../wire/lines";
import type { After, Pipe } from "../wire/rpc";
import { findProgram, problemOf } from "./program";

/** What runs programs on this device; tests put another in its place. */
export interface Host {
  /** The program's path, "" when it is not found. */
  find(vault: string): Promise<string>;
  /** Why a path cannot be the program; "" when it can. */
  problemOf(program: string, vault: string): Promise<string>;
  /** Start the engine. `note` takes what it says on stderr. */
  start(program: string, vault: string, note: (text: string) => void, after: After): Pipe;
}

export const host: Host = {
  find: (vault) => findProgram({ platform: process.platform, home: homedir(), env: process.env }, vault),
  problemOf,
  start: startChild,
};

function startChild(program: string, vault: string, note: (text: string) => void, after: After): Pipe {
  const child = spawn(program, ["--vault", vault, "mcp"], {
    cwd: homedir(),
    env: { ...process.env, PYTHONUTF8: "1", PYTHONUNBUFFERED: "1" },
    shell: false,
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let onLine: (line: string) => void = () => undefined;
  let onClose: (reason: string) => void = () => undefined;
  let last = "";
  const lines = new Lines((line) => onLine(line));
  child.stdout.on("data", (piece: Buffer) => lines.push(piece));
  child.stderr.on("data", (piece: Buffer) => {
    last = piece.toString("utf8").trim().split("\n").pop() ?? last;
    note(piece.toString("utf8"));
  });
  child.on("error", (problem) => onClose(problem.message));
  child.on("close", (code) => onClose(last || `the engine ended (${code ?? "killed"})`));
  child.stdin.on("error", () => undefined); // a child that died: "close" says so
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    onLine: (take) => (onLine = take),
    onClose: (take) => (onClose = take),
    // the end of stdin ends the engine; it has two seconds for what it is writing
    close: () => {
      child.stdin.end();
      after(2500, () => void child.kill());
    },
  };
}
