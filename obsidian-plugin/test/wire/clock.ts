/** Node's timers in the shape the client takes them. */

import type { After } from "../../src/wire/rpc";

export const after: After = (ms, act) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};
