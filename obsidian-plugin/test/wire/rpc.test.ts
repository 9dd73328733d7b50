/** The protocol, over pipes made of arrays. */

import { describe, expect, it } from "vitest";
import { record } from "../../src/wire/decode";
import { Lines } from "../../src/wire/lines";
import { Cancelled, Gone, type Pipe, Refused, RpcClient } from "../../src/wire/rpc";
import { after } from "./clock";

class Wire implements Pipe {
  readonly sent: Record<string, unknown>[] = [];
  take: (line: string) => void = () => undefined;
  end: (reason: string) => void = () => undefined;

  write(line: string): void {
    this.sent.push(JSON.parse(line) as Record<string, unknown>);
  }
  onLine(take: (line: string) => void): void {
    this.take = take;
  }
  onClose(take: (reason: string) => void): void {
    this.end = take;
  }
  close(): void {
    this.end("closed");
  }
  answer(id: number, result: unknown): void {
    this.take(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }
}

function client(): { wire: Wire; rpc: RpcClient } {
  const wire = new Wire();
  return { wire, rpc: new RpcClient(wire, after) };
}

describe("the client", () => {
  it("gives each question its own answer, in whatever order they come", async () => {
    const { wire, rpc } = client();
    const [one, two] = [rpc.call("a", {}, record), rpc.call("b", { x: 1 }, record)];
    wire.answer(2, { structuredContent: { n: 2 }, isError: false });
    wire.answer(1, { structuredContent: { n: 1 } });
    expect(await one).toEqual({ n: 1 });
    expect(await two).toEqual({ n: 2 });
    expect(wire.sent[1]).toMatchObject({ method: "tools/call", params: { name: "b", arguments: { x: 1 } } });
  });

  it("drops an answer nobody waits for any more, and tells the engine", async () => {
    const { wire, rpc } = client();
    const stop = new AbortController();
    const asked = rpc.call("a", {}, record, stop.signal);
    stop.abort();
    await expect(asked).rejects.toThrow(Cancelled);
    expect(wire.sent[1]).toMatchObject({ method: "notifications/cancelled", params: { requestId: 1 } });
    wire.answer(1, { structuredContent: {} });
    await expect(rpc.call("a", {}, record, stop.signal)).rejects.toThrow(Cancelled);
  });

  it("hands on what the engine says is wrong", async () => {
    const { wire, rpc } = client();
    const refused = rpc.call("a", {}, record);
    wire.answer(1, { isError: true, content: [{ type: "text", text: "say since as a day" }] });
    await expect(refused).rejects.toThrow(new Refused("say since as a day"));
    const unknown = rpc.call("b", {}, record);
    wire.take(JSON.stringify({ jsonrpc: "2.0", id: 2, error: { code: -32602, message: "unknown tool" } }));
    await expect(unknown).rejects.toThrow("unknown tool");
  });

  it("ends all questions with the engine", async () => {
    const { wire, rpc } = client();
    const asked = rpc.call("a", {}, record);
    wire.end("no vault here");
    await expect(asked).rejects.toThrow(new Gone("no vault here"));
    await expect(rpc.call("a", {}, record)).rejects.toThrow(Gone);
  });

  it("passes over lines that are no messages", async () => {
    const { wire, rpc } = client();
    const asked = rpc.call("a", {}, record);
    for (const odd of ["", "{", "[]", "7", '{"id":"1"}', '{"id":99,"result":{}}']) wire.take(odd);
    wire.answer(1, { structuredContent: {} });
    expect(await asked).toEqual({});
  });
});

describe("lines", () => {
  it("are put together from pieces, inside characters too", () => {
    const taken: string[] = [];
    const lines = new Lines((line) => taken.push(line));
    for (const byte of new TextEncoder().encode('{"a":"ä😀"}\n\n{"b":1}\nrest')) lines.push(Uint8Array.of(byte));
    expect(taken).toEqual(['{"a":"ä😀"}', '{"b":1}']);
  });
});
