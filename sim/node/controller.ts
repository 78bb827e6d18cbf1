/**
 * `shikumi controller`: a controller that was written in the simulator, run
 * against a real cluster. The file is the same; its client, its clock and its
 * chance are others.
 */
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { basename, extname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { KubeConfig } from "@kubernetes/client-node";
import { ClusterProcess, type Component, type ComponentContext, Kernel } from "../src/process.ts";
import { readFlags, UsageError } from "./args.ts";
import { followClock } from "./clock.ts";
import { connectTo } from "./real-cluster.ts";

const FLAGS = { kubeconfig: true, context: true };
/** What the file exports. */
const START = "startOperator";
/** Where the simulator keeps such a file: what it imports is found from there. */
const HOME = new URL("../src/operators/", import.meta.url);

type Start = (context: ComponentContext) => Component;

export async function run(argv: string[]): Promise<number> {
  const flags = readFlags(argv, FLAGS);
  const [file, ...more] = flags.words;
  if (!file || more.length > 0) {
    throw new UsageError("controller needs one file: shikumi controller website.ts");
  }
  const config = await kubeconfigOf(flags.one("kubeconfig"), flags.one("context"));
  const actor = basename(file, extname(file));
  const operator = startOn(config, actor, await startIn(file), console.log);
  console.log(`${file} runs against ${config.getCurrentCluster()!.server}. Ctrl+C ends it.`);
  const stopped = new Promise<undefined>((done) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => done(undefined));
  });
  const failure = await Promise.race([stopped, operator.failed]);
  await operator.stop();
  if (failure === undefined) return 0;
  console.error(failure instanceof Error ? failure.stack : failure);
  return 1;
}

async function kubeconfigOf(
  file: string | undefined,
  context: string | undefined,
): Promise<KubeConfig> {
  const { KubeConfig } = await clientLibrary();
  const config = new KubeConfig();
  try {
    if (file) config.loadFromFile(file);
    else config.loadFromDefault();
  } catch (error) {
    throw new UsageError(`the kubeconfig cannot be read: ${(error as Error).message}`);
  }
  if (context !== undefined) {
    if (!config.getContextObject(context)) {
      const names = config.getContexts().map(({ name }) => name);
      throw new UsageError(
        `the kubeconfig has no context "${context}". There are: ${names.join(", ")}.`,
      );
    }
    config.setCurrentContext(context);
  }
  if (!config.getCurrentCluster()) {
    throw new UsageError("the kubeconfig names no cluster. Choose a context with --context.");
  }
  return config;
}

/** It reads kubeconfigs and logs in; nothing else in the package needs it. */
async function clientLibrary() {
  try {
    return await import("@kubernetes/client-node");
  } catch {
    throw new UsageError("controller needs a library: npm install @kubernetes/client-node");
  }
}

/** The file's own start. It may lie anywhere: `../client/…` is the simulator's. */
async function startIn(file: string): Promise<Start> {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`${file} cannot be read: there is no such file`);
  const url = pathToFileURL(path).href;
  registerHooks({
    resolve(specifier, context, next) {
      const isOwn = context.parentURL === url && /^\.{1,2}\//.test(specifier);
      if (!isOwn || existsSync(fileURLToPath(new URL(specifier, url)))) {
        return next(specifier, context);
      }
      return next(new URL(specifier, HOME).href, context);
    },
  });
  let module: Record<string, unknown>;
  try {
    module = await import(url);
  } catch (error) {
    throw new UsageError(`${file} cannot be run: ${(error as Error).message}`);
  }
  const start = module[START];
  if (typeof start !== "function") throw new UsageError(`${file} exports no function ${START}.`);
  return start as Start;
}

export interface RunningOperator {
  stop(): Promise<void>;
  /** Settles with what ended it, if anything did. */
  readonly failed: Promise<unknown>;
}

/** Runs it by the wall clock, under a name; `say` gets a line for each thing that it does. */
export function startOn(
  config: KubeConfig,
  actor: string,
  start: Start,
  say: (line: string) => void,
): RunningOperator {
  const kernel = new Kernel({
    seed: crypto.randomUUID(),
    trace: "off",
    epoch: new Date().toISOString(),
  });
  kernel.record = (_actor, verb, subject, target, detail) => {
    const text = [verb, subject, target, messageIn(detail)].filter(Boolean).join(" ");
    say(`${kernel.timestamp()} ${text}`);
    return 0;
  };
  const transport = connectTo(kernel, config);
  const operator = new ClusterProcess({
    ...{ kernel, actor },
    // Who it is, the kubeconfig says.
    credentials: () => ({}),
    connect: () => transport,
    start: (contextFor) => start(contextFor()),
  });
  operator.start();
  let fail: (error: unknown) => void;
  const failed = new Promise<unknown>((done) => {
    fail = done;
  });
  const rest = followClock(kernel, 1, (error) => fail(error));
  return {
    failed,
    async stop() {
      operator.stop();
      await rest();
    },
  };
}

function messageIn(detail: unknown): string {
  const { message } = (detail ?? {}) as { message?: unknown };
  return typeof message === "string" ? `(${message})` : "";
}
