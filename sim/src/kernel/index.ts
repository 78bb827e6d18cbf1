/** The kernel's public names. */
export { assert, InvariantError } from "./assert.ts";
export { withClock } from "./clock.ts";
export { Faults } from "./faults.ts";
export { flat } from "./flat.ts";
export { Kernel } from "./kernel.ts";
export {
  DEFAULT_EPOCH,
  type KernelOptions,
  type RunOptions,
  type RunResult,
  type Timer,
} from "./options.ts";
export { Process, StuckError } from "./process.ts";
export { Random } from "./random.ts";
export {
  Trace,
  type TraceEntry,
  type TraceLevel,
} from "./trace.ts";
export type { Verb, Verbs } from "./verbs.ts";
