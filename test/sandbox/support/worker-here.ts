/** A thread that runs programs as the page's worker does: scripts, then a start. */
import { runInThisContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import { type Host, ProgramHost } from "../../../src/sandbox/runtime/host.ts";
import { asEntry } from "../../../src/sandbox/runtime/program.ts";
import type { HostRequest, LoadRequest } from "../../../src/sandbox/runtime/protocol.ts";

type Told = (what: number | string) => void;

interface Bundle {
  readonly __sim: Readonly<Record<string, object>>;
  readonly __late: { told?: Told };
}

const bundle = globalThis as unknown as Bundle;
const port = parentPort!;
let told: Told = () => {};
let loaded: Promise<void> | undefined;

const host: Host = {
  post: (text) => port.postMessage(text),
  now: () => performance.now(),
  breathe: () => new Promise((done) => setImmediate(done)),
  load: async () => {
    await loaded;
    return asEntry(bundle.__sim["index.ts"]!, "index.ts");
  },
  normalise: (stack) => stack,
  heapBytes: () => 0,
  onMissing: (listener) => {
    told = listener;
  },
};
const program = new ProgramHost(host);
port.on("message", (request: HostRequest | LoadRequest) => {
  if (request.t !== "load") return program.handle(request);
  loaded = load(request);
});

async function load({ text }: LoadRequest): Promise<void> {
  await loaded;
  runInThisContext(await text.text());
  bundle.__late.told = told;
}
process.on("unhandledRejection", (error) => program.fail(error));
process.on("uncaughtException", (error) => program.fail(error));
