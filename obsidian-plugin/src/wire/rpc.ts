/** JSON-RPC 2.0 with the Model Context Protocol's handshake, one message a line, over any pair of pipes. */

import { type Decoder, Fields, flag, list, or, record, text } from "./decode";

/** What carries lines to the engine and back. */
export interface Pipe {
  /** Send one line, without its end. */
  write(line: string): void;
  /** Called once each; `line` has no end. */
  onLine(take: (line: string) => void): void;
  onClose(take: (reason: string) => void): void;
  close(): void;
}

/** Do it after so many milliseconds; the answer undoes that. */
export type After = (ms: number, act: () => void) => () => void;

/** The engine said no: its own words, which say what to do. */
export class Refused extends Error {
  override name = "Refused";
}

/** There is no engine (any more). */
export class Gone extends Error {
  override name = "Gone";
}

/** Nobody waits for this answer any more. */
export class Cancelled extends Error {
  override name = "Cancelled";

  constructor() {
    super("cancelled");
  }
}

interface Waiting {
  done: (value: unknown) => void;
  failed: (problem: Error) => void;
  /** Frees the timer and the listener of the signal. */
  settle: () => void;
}

const PROTOCOL = "2025-06-18";
/** A first answer may have to open a large vault; later ones take milliseconds. */
const PATIENCE_MS = 60_000;

const block: Decoder<string> = (value, where) => new Fields(value, where).get("text", or(text, ""));

export class RpcClient {
  private last = 0;
  private readonly waiting = new Map<number, Waiting>();
  private closed = "";

  constructor(
    private readonly pipe: Pipe,
    private readonly after: After,
  ) {
    pipe.onLine((line) => this.take(line));
    pipe.onClose((reason) => this.end(reason));
  }

  /** Say hello; the engine's version. */
  async hello(clientVersion: string): Promise<string> {
    const answer = await this.ask("initialize", {
      protocolVersion: PROTOCOL,
      capabilities: {},
      clientInfo: { name: "vaultmem-obsidian", version: clientVersion },
    });
    this.tell("notifications/initialized", {});
    const server = new Fields(answer, "initialize").get("serverInfo", record);
    return new Fields(server, "serverInfo").get("version", or(text, ""));
  }

  /** Call a tool. A stopped `signal` rejects with Cancelled at once, and the engine is told. */
  async call<T>(tool: string, given: Record<string, unknown>, decode: Decoder<T>, signal?: AbortSignal): Promise<T> {
    const answer = new Fields(await this.ask("tools/call", { name: tool, arguments: given }, signal), tool);
    if (answer.get("isError", or(flag, false))) {
      throw new Refused(answer.get("content", list(block)).join(" ") || `${tool} failed`);
    }
    return answer.get("structuredContent", decode);
  }

  private ask(method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<unknown> {
    if (this.closed) return Promise.reject(new Gone(this.closed));
    if (signal?.aborted) return Promise.reject(new Cancelled());
    const id = ++this.last;
    return new Promise((done, failed) => {
      const stop = (): void => {
        this.drop(id, new Cancelled());
      };
      const disarm = this.after(PATIENCE_MS, () => {
        this.drop(id, new Gone(`no answer to ${method} within ${PATIENCE_MS / 1000} s`));
      });
      signal?.addEventListener("abort", stop, { once: true });
      const settle = (): void => {
        disarm();
        signal?.removeEventListener("abort", stop);
      };
      this.waiting.set(id, { done, failed, settle });
      this.pipe.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  private tell(method: string, params: Record<string, unknown>): void {
    if (!this.closed) this.pipe.write(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  private drop(id: number, problem: Error): void {
    this.tell("notifications/cancelled", { requestId: id });
    this.settle(id)?.failed(problem);
  }

  private settle(id: number): Waiting | undefined {
    const found = this.waiting.get(id);
    this.waiting.delete(id);
    found?.settle();
    return found;
  }

  private take(line: string): void {
    let message: Record<string, unknown>;
    try {
      message = record(JSON.parse(line), "message");
    } catch {
      return; // what is no message is nobody's answer
    }
    const { id, error, result } = message;
    const waiting = typeof id === "number" ? this.settle(id) : undefined;
    if (!waiting) return;
    if (error !== undefined) waiting.failed(new Refused(new Fields(error, "error").get("message", or(text, "refused"))));
    else waiting.done(result);
  }

  private end(reason: string): void {
    this.closed = reason || "the engine ended";
    for (const id of [...this.waiting.keys()]) this.settle(id)?.failed(new Gone(this.closed));
  }
}
