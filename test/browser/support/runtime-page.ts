/** The page that the runtime's tests drive: `sandbox` holds what they call. */
import {
  bootWebContainerOr,
  createWorkerRuntime,
  type Json,
  type Program,
  type Question,
  type RunEnd,
  type RunMessage,
  SimAssets,
  type SimRuntime,
  warmEditing,
} from "../../../src/sandbox/runtime/index.ts";
import { WebContainerRuntime } from "../../../src/sandbox/runtime/webcontainer/runtime.ts";

export interface Collected {
  readonly messages: RunMessage[];
  readonly end: RunEnd;
  readonly answers: Json[];
  /** From the call to the first message with rows, in ms. */
  readonly firstMs: number;
  /** From the call to the end, in ms. */
  readonly endMs: number;
}

export interface RunOptions {
  /** Stop at the first message of this type. */
  readonly stopAt?: RunMessage["type"];
  readonly questions?: readonly Question[];
}

const assets = new SimAssets(new URL("sim/", location.href));
const stages: string[] = [];
let runtime: SimRuntime = createWorkerRuntime(assets);

async function boot(kind: SimRuntime["kind"], timeoutMs = 30_000): Promise<string> {
  const options = {
    signal: new AbortController().signal,
    timeoutMs,
    onStage: (stage: string) => stages.push(stage),
  };
  if (kind === "worker") {
    await runtime.boot(options);
    return "";
  }
  // Less than the usual patience: the tests' Node is a real one.
  const loadMs = Number(new URLSearchParams(location.search).get("loadMs") ?? 2_500);
  const container = new WebContainerRuntime(assets, { patience: 2, loadMs });
  try {
    await container.boot(options);
    runtime = container;
    return "";
  } catch (error) {
    return (error as { key?: string }).key ?? String(error);
  }
}

async function bootOrFallBack(timeoutMs: number): Promise<{ kind: string; fellBack: string }> {
  const signal = new AbortController().signal;
  const booted = await bootWebContainerOr(runtime, assets, {
    signal,
    timeoutMs,
    onStage: () => {},
  });
  runtime = booted.runtime;
  return { kind: runtime.kind, fellBack: booted.fellBack?.key ?? "" };
}

async function run(
  program: Program,
  { stopAt, questions = [] }: RunOptions = {},
): Promise<Collected> {
  const began = performance.now();
  const messages: RunMessage[] = [];
  let firstMs = 0;
  const run = runtime.run(program);
  for await (const message of run) {
    if (message.type === "rows") firstMs ||= performance.now() - began;
    messages.push(message);
    if (message.type === stopAt) run.stop();
  }
  const end = await run.end;
  const endMs = performance.now() - began;
  const answers: Json[] = [];
  for (const question of questions)
    answers.push(await run.ask(question).catch((error) => String(error)));
  return { messages, end, answers, firstMs, endMs };
}

async function npmTest(program: Program): Promise<{ exit: number; output: string }> {
  const test = await runtime.test!(program);
  let output = "";
  const reader = test.output.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) output += part.value;
  return { exit: await test.exit, output };
}

/** Types a line into a shell; gives what it printed by the time it left. */
async function shell(line: string): Promise<string> {
  const terminal = await runtime.shell!({ cols: 80, rows: 24 });
  terminal.write(`${line}\nexit\n`);
  let output = "";
  const reader = terminal.output.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) output += part.value;
  await terminal.exit;
  return output;
}

/** Longest time that this page could not act, in ms, while `work` ran. */
async function longestPause<T>(work: () => Promise<T>): Promise<{ pauseMs: number; value: T }> {
  let pauseMs = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    pauseMs = Math.max(pauseMs, now - last);
    last = now;
  }, 5);
  const value = await work();
  clearInterval(timer);
  return { pauseMs, value };
}

export const sandbox = {
  boot,
  bootOrFallBack,
  run,
  npmTest,
  shell,
  longestPause,
  stages,
  source: async (path: string) => (await assets.sources([path]))[path]!,
  warmEditing: (path: string) => warmEditing(assets, path),
  dispose: () => runtime.dispose(),
};

declare global {
  interface Window {
    sandbox: typeof sandbox;
  }
}

window.sandbox = sandbox;
