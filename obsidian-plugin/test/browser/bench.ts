/** Chromium with the plugin in a page, and an engine behind it: answers from files, or the real program. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { build, type Plugin } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { Lines } from "../../src/wire/lines";

const HERE = import.meta.dirname;
const ROOT = path.join(HERE, "..", "..");
export const SHOTS = path.join(ROOT, "shots");
const PROGRAMS = [process.env["CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export type Theme = "light" | "dark";

/** Takes a line of the plugin; `reply` sends one back. */
export interface EngineSide {
  start(reply: (line: string) => void): void;
  take(line: string): void;
  stop(): void;
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = PROGRAMS.find((each) => each !== "" && existsSync(each));
  if (!executablePath) throw new Error("no Chromium on this machine: install 'chromium', or name one with CHROMIUM=/path");
  mkdirSync(SHOTS, { recursive: true });
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--force-color-profile=srgb"] });
}

let bundled: Promise<string> | undefined;

/** The plugin's own source, with Obsidian and the child process put in by tests. */
function bundle(): Promise<string> {
  bundled ??= build({
    entryPoints: [path.join(HERE, "page.ts")],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    alias: { obsidian: path.join(HERE, "obsidian", "index.ts") },
    plugins: [inPlaceOfTheChild],
    logLevel: "error",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  return bundled;
}

const inPlaceOfTheChild: Plugin = {
  name: "host",
  setup(made) {
    made.onResolve({ filter: /\/engine\/child$/ }, () => ({ path: path.join(HERE, "host.ts") }));
  },
};

/** Every icon whose name stands in the source. */
function icons(): Record<string, string> {
  const folder = path.join(ROOT, "node_modules", "lucide-static", "icons");
  const source = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(path.join(ROOT, "src", name), "utf8"))
    .join("\n");
  const names = new Set([...source.matchAll(/"([a-z][a-z0-9-]+)"/g)].map(({ 1: name = "" }) => name));
  const files = [...names].filter((name) => existsSync(path.join(folder, `${name}.svg`)));
  return Object.fromEntries(files.map((name) => [name, readFileSync(path.join(folder, `${name}.svg`), "utf8")]));
}

export interface Setup {
  theme: Theme;
  /** Of the pane, in pixels. */
  width: number;
  files: Record<string, string>;
  /** undefined: the program is missing. */
  engine: EngineSide | undefined;
  writeFile?: (path: string, text: string | null) => Promise<void>;
}

export async function openPage(browser: Browser, setup: Setup): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: setup.width, height: 800 }, colorScheme: setup.theme });
  page.on("pageerror", (problem) => {
    throw problem;
  });
  const { engine, writeFile } = setup;
  if (writeFile) await page.exposeFunction("writeFile", writeFile);
  await page.exposeFunction("engineLine", (line: string) => engine?.take(line));
  engine?.start((line) => {
    // a page that is being closed takes no more answers
    page.evaluate((each) => window.takeLine(each), line).catch(() => undefined);
  });
  const styles = [path.join(HERE, "app.css"), path.join(ROOT, "styles.css")].map((file) => readFileSync(file, "utf8"));
  await page.setContent(`<!doctype html><html lang="en"><body class="theme-${setup.theme}"></body></html>`);
  for (const content of styles) await page.addStyleTag({ content });
  await page.evaluate(`window.ICONS = ${JSON.stringify(icons())}; window.hasEngine = ${engine !== undefined};`);
  await page.addScriptTag({ content: await bundle() });
  await page.evaluate((files) => window.start(files), setup.files);
  return page;
}

/** The real `vaultmem mcp`. */
export class RealEngine implements EngineSide {
  /** Milliseconds each answered question took on this side. */
  readonly times: number[] = [];
  private child: ChildProcess | undefined;
  private readonly asked = new Map<number, number>();

  constructor(
    private readonly program: string,
    private readonly vault: string,
    private readonly env: Record<string, string>,
  ) {}

  start(reply: (line: string) => void): void {
    const lines = new Lines((line) => {
      const began = this.asked.get(Number(/"id":(\d+)/.exec(line)?.[1]));
      if (began) this.times.push(performance.now() - began);
      reply(line);
    });
    const child = spawn(this.program, ["--vault", this.vault, "mcp"], { env: this.env, stdio: ["pipe", "pipe", "inherit"] });
    child.stdout.on("data", (piece: Buffer) => lines.push(piece));
    this.child = child;
  }

  take(line: string): void {
    const { id } = JSON.parse(line) as { id?: number };
    if (id !== undefined) this.asked.set(id, performance.now());
    this.child?.stdin?.write(`${line}\n`);
  }

  stop(): void {
    this.child?.stdin?.end();
  }
}

/** Answers out of a table. */
export class TableEngine implements EngineSide {
  private reply: (line: string) => void = () => undefined;

  constructor(private readonly answer: (tool: string, given: Record<string, unknown>) => unknown) {}

  start(reply: (line: string) => void): void {
    this.reply = reply;
  }

  take(line: string): void {
    const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params: Record<string, unknown> };
    if (id === undefined) return;
    const result =
      method === "tools/call"
        ? this.result(String(params["name"]), (params["arguments"] ?? {}) as Record<string, unknown>)
        : { serverInfo: { name: "vaultmem", version: "0" } };
    this.reply(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }

  stop(): void {}

  private result(tool: string, given: Record<string, unknown>): unknown {
    try {
      return { structuredContent: this.answer(tool, given), isError: false };
    } catch (problem) {
      return { content: [{ type: "text", text: (problem as Error).message }], isError: true };
    }
  }
}
