/** A thread that runs programs as the page's worker does: core, then parts. */
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { type Host, ProgramHost } from "../../../src/sandbox/runtime/host.ts";
import { asEntry } from "../../../src/sandbox/runtime/program.ts";

interface Bundle {
  readonly __sim: Readonly<Record<string, object>>;
  readonly __late: { told?: (what: number | string) => void };
}

runInThisContext(readFileSync(workerData as string, "utf8"));
const { __sim, __late } = globalThis as unknown as Bundle;
const port = parentPort!;

const host: Host = {
  post: (text) => port.postMessage(text),
  now: () => performance.now(),
  breathe: () => new Promise((done) => setImmediate(done)),
  load: async ({ parts }) => {
    for (const { code } of parts) runInThisContext(code);
    return asEntry(__sim["index.ts"]!, "index.ts");
  },
  normalise: (stack) => stack,
  heapBytes: () => 0,
  onMissing: (listener) => {
    __late.told = listener;
  },
};
const program = new ProgramHost(host);
port.on("message", (request) => program.handle(request));
process.on("unhandledRejection", (error) => program.fail(error));
process.on("uncaughtException", (error) => program.fail(error));
