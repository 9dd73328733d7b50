/** Bytes in pieces of any size into whole lines. */

export class Lines {
  private readonly decoder = new TextDecoder();
  private rest = "";

  constructor(private readonly take: (line: string) => void) {}

  push(piece: Uint8Array): void {
    this.rest += this.decoder.decode(piece, { stream: true });
    let end = this.rest.indexOf("\n");
    while (end >= 0) {
      const line = this.rest.slice(0, end);
      this.rest = this.rest.slice(end + 1);
      if (line.trim()) this.take(line);
      end = this.rest.indexOf("\n");
    }
  }
}
