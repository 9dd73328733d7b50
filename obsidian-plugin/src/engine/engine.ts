/** The one engine of this window: started by the first question, started again when it died, told to everybody. */

import { EngineMemory } from "../wire/engine_memory";
import type { Decoder } from "../wire/decode";
import { type After, Gone, RpcClient, type Pipe } from "../wire/rpc";
import type { Host } from "./child";

export type EngineState =
  | { name: "idle" | "starting" | "stopped" }
  | { name: "ready"; program: string; version: string }
  | { name: "missing" }
  | { name: "failed"; reason: string };

interface Running {
  client: RpcClient;
  pipe: Pipe;
}

/** Starts within a minute, after which it is left alone until somebody asks for a restart. */
const MOST_STARTS = 3;
const MINUTE_MS = 60_000;
const MOST_LOG_LINES = 200;

/** There is no program, or it does not run: the notes answer instead. */
export class NoEngine extends Error {
  override name = "NoEngine";
}

export interface Settings {
  /** Absolute path of the vault. */
  vault: string;
  /** The program this device's user chose; "" to look for it. */
  chosen: () => string;
  pluginVersion: string;
}

export class Engine {
  readonly memory: EngineMemory;
  state: EngineState = { name: "idle" };
  readonly log: string[] = [];
  private running: Promise<Running> | undefined;
  private starts: number[] = [];
  private readonly watchers = new Set<() => void>();

  constructor(
    private readonly host: Host,
    private readonly settings: Settings,
    private readonly after: After,
    private readonly now: () => number = Date.now,
  ) {
    this.memory = new EngineMemory((tool, given, decode, signal) => this.call(tool, given, decode, signal));
  }

  /** Be told whenever the state changes; the answer ends that. */
  watch(told: () => void): () => void {
    this.watchers.add(told);
    return () => this.watchers.delete(told);
  }

  get isDown(): boolean {
    return this.state.name === "missing" || this.state.name === "failed" || this.state.name === "stopped";
  }

  /** Forget failures and start anew. */
  async restart(): Promise<void> {
    await this.stop();
    this.starts = [];
    this.set({ name: "idle" });
    await this.client();
  }

  /** End the child; questions after that start none. */
  async stop(): Promise<void> {
    const running = this.running;
    this.running = undefined;
    this.set({ name: "stopped" });
    const found = await running?.catch(() => undefined);
    found?.pipe.close();
  }

  private async call<T>(
    tool: string,
    given: Record<string, unknown>,
    decode: Decoder<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const client = await this.client();
    try {
      return await client.call(tool, given, decode, signal);
    } catch (problem) {
      if (problem instanceof Gone) throw new NoEngine(problem.message);
      throw problem;
    }
  }

  /** The running engine's client. Throws NoEngine. */
  private async client(): Promise<RpcClient> {
    if (!this.running && this.isDown) throw new NoEngine(this.told());
    this.running ??= this.start();
    try {
      return (await this.running).client;
    } catch (problem) {
      this.running = undefined;
      throw problem;
    }
  }

  private async start(): Promise<Running> {
    this.starts = [...this.starts.filter((at) => this.now() - at < MINUTE_MS), this.now()];
    this.set({ name: "starting" });
    const { vault, pluginVersion } = this.settings;
    const program = this.settings.chosen() || (await this.host.find(vault));
    if (!program) return this.fail({ name: "missing" });
    const problem = await this.host.problemOf(program, vault);
    if (problem) return this.fail({ name: "failed", reason: `${program}: ${problem}` });
    const pipe = this.host.start(program, vault, (text) => this.note(text), this.after);
    const client = new RpcClient(
      {
        write: (line) => pipe.write(line),
        onLine: (take) => pipe.onLine(take),
        onClose: (take) =>
          pipe.onClose((reason) => {
            take(reason);
            this.ended(reason);
          }),
        close: () => pipe.close(),
      },
      this.after,
    );
    try {
      const version = await client.hello(pluginVersion);
      this.set({ name: "ready", program, version });
      return { client, pipe };
    } catch (cause) {
      pipe.close();
      return this.fail({ name: "failed", reason: cause instanceof Error ? cause.message : String(cause) });
    }
  }

  private fail(state: EngineState): never {
    this.set(state);
    throw new NoEngine(this.told());
  }

  /** It died by itself: the next question starts it, but one that keeps dying is left alone. */
  private ended(reason: string): void {
    this.note(reason);
    if (this.state.name !== "ready") return;
    this.running = undefined;
    this.set(this.starts.length < MOST_STARTS ? { name: "idle" } : { name: "failed", reason });
  }

  private told(): string {
    if (this.state.name === "missing") return "The program was not found on this computer.";
    return this.state.name === "failed" ? this.state.reason : "The engine was stopped.";
  }

  private note(text: string): void {
    this.log.push(...text.split("\n").filter((line) => line.trim()));
    this.log.splice(0, Math.max(0, this.log.length - MOST_LOG_LINES));
  }

  private set(state: EngineState): void {
    this.state = state;
    for (const told of this.watchers) told();
  }
}
