/** The calls and answers that pytest makes and checks too. */

import { readFileSync } from "node:fs";
import path from "node:path";

export interface Case {
  tool: string;
  arguments: Record<string, unknown>;
  answer: unknown;
}

const FOLDER = path.join(import.meta.dirname, "..", "..", "tests", "cases", "wire");

export function readCase(name: string): Case {
  return JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), "utf8")) as Case;
}
