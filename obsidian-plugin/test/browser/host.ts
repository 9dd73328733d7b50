/** In place of the child process: lines go to the test runner, which has the engine or an answer. */

import type { After, Pipe } from "../../src/wire/rpc";

declare global {
  interface Window {
    /** What the runner offers. */
    engineLine: (line: string) => Promise<void>;
    hasEngine: boolean;
    /** Called by the runner. */
    takeLine: (line: string) => void;
    endEngine: (reason: string) => void;
  }
}

export const host = {
  find: async (): Promise<string> => (window.hasEngine ? "/usr/bin/vaultmem" : ""),
  problemOf: async (): Promise<string> => "",
  start: (_program: string, _vault: string, _note: (text: string) => void, _after: After): Pipe => ({
    write: (line) => void window.engineLine(line),
    onLine: (take) => (window.takeLine = take),
    onClose: (take) => (window.endEngine = take),
    close: () => undefined,
  }),
};
