/**
 * Runs a program in Node, for the WebContainer back end (mounted as
 * `runner.mjs`): `node runner.mjs PREFIX START.json`. Messages go out as JSON
 * lines that begin with PREFIX, since a WebContainer mixes standard output,
 * errors and echo in one stream; requests come in the same way.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { Script } from "node:vm";
import { type Host, ProgramHost } from "../host.ts";
import type { LinkedModule } from "../link.ts";
import { asEntry } from "../program.ts";
import { asScript } from "../script.ts";
import { requestPrefix } from "./lines.ts";

const [prefix = "", startFile = ""] = process.argv.splice(2);
const source = pathToFileURL(`${process.cwd()}/src/`).href;
const write = process.stdout.write.bind(process.stdout);
const { setImmediate: later } = globalThis;
const perform = performance.now.bind(performance);
const memory = process.memoryUsage.bind(process);

const host: Host = {
  post: (text) => {
    write(`${prefix}${text}\n`);
  },
  now: perform,
  breathe: () => new Promise((resolve) => later(resolve)),
  load: async ({ program }) => {
    const namespace = await import(`${source}${program.entry}`).catch((error) => {
      throw error instanceof SyntaxError ? withPlace(error, program.modules) : error;
    });
    return asEntry(namespace, program.entry);
  },
  normalise: (stack) => stack.replaceAll(source, "sim:///"),
  heapBytes: () => memory().heapUsed,
};

/** The error with the line that a plain script of the same text gives. */
function withPlace(error: SyntaxError, modules: readonly LinkedModule[]): Error {
  for (const { id, code } of modules) {
    try {
      new Script(asScript(code), { filename: `sim:///${id}` });
    } catch (placed) {
      if (placed instanceof SyntaxError) return placed;
    }
  }
  return error;
}

const program = new ProgramHost(host);

for (const level of ["log", "info", "warn", "error", "debug"] as const) {
  console[level] = (...parts: unknown[]) => program.print(level, "code", format(...parts));
}
process.on("uncaughtException", (error) => program.fail(error));
process.on("unhandledRejection", (error) => program.fail(error));

const requests = requestPrefix(prefix);
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  if (line.startsWith(requests)) program.handle(JSON.parse(line.slice(requests.length)));
});
program.handle(JSON.parse(readFileSync(startFile, "utf8")));
