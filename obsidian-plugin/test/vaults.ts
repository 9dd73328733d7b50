/** Vaults for tests, made by the real program below one temporary folder. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const REPO = path.join(import.meta.dirname, "..", "..");

/** The program under test: VAULTMEM, else that of the repository's own environment. */
export function program(): string {
  const found = process.env["VAULTMEM"] ?? path.join(REPO, ".venv", "bin", "vaultmem");
  if (!existsSync(found)) throw new Error(`no vaultmem at ${found}: set VAULTMEM to the program's path`);
  return found;
}

export class TestVault {
  readonly folder = mkdtempSync(path.join(tmpdir(), "vaultmem-"));
  readonly root = path.join(this.folder, "vault");
  readonly env: Record<string, string>;

  constructor() {
    const own = { VAULTMEM_DATA: path.join(this.folder, "data"), VAULTMEM_CONFIG: "/dev/null", TZ: "UTC" };
    this.env = { ...(process.env as Record<string, string>), ...own };
    this.run("init", this.root);
    const config = path.join(this.root, ".vaultmem", "config.yaml");
    writeFileSync(config, "timezone: UTC\nsettle_seconds: 0\nembedder: none\n");
  }

  write(name: string, text: string): void {
    const file = path.join(this.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  run(...given: string[]): string {
    return execFileSync(program(), given, { cwd: this.folder, env: this.env, encoding: "utf8" });
  }

  sync(): void {
    this.run("--vault", this.root, "sync");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
