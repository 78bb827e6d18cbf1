/**
 * Joins a sandbox's store to a back end: boots it, runs the reader's program,
 * carries rows and lines over in batches, and falls back to the page's worker
 * if the chosen back end cannot start.
 */
import { batch, type Signal, signal } from "@preact/signals";
import type { Row } from "@shikumi/sim";
import { runChecks } from "./checker.ts";
import { type Inspector, inspectorOf } from "./inspect.ts";
import type { Check, Lab } from "./lab.ts";
import type { SimAssets } from "./runtime/manifest.ts";
import {
  BootError,
  type BootStage,
  type Run,
  type RunMessage,
  type SimRuntime,
} from "./runtime/types.ts";
import type { ConsoleLine, LabData, SandboxStore } from "./store.ts";

type Kind = SimRuntime["kind"];

const BOOT_MS: Record<Kind, number> = { worker: 10_000, webcontainer: 30_000 };
/** Lines of the console that the page keeps. */
const LINES_MAX = 1_000;
/** Mistakes that are told at once; the first ones are mended first. */
const PROBLEMS_MAX = 8;

export class Driver {
  readonly kind: Signal<Kind> = signal("worker");
  readonly stage: Signal<BootStage | null> = signal(null);
  /** Why the last attempt at a WebContainer fell back. */
  readonly fallback: Signal<BootError["reason"] | null> = signal(null);
  readonly testing: Signal<"no" | "running" | number> = signal("no");
  readonly inspector: Inspector;
  private readonly store: SandboxStore;
  private readonly simBase: string;
  private loadedAssets: Promise<SimAssets> | null = null;
  private readonly runtimes = new Map<Kind, Promise<SimRuntime>>();
  private current: Run | null = null;
  private checkRun: Run | null = null;
  private isCheckStopped = false;
  private pending: Row[] = [];
  private warmed = false;
  private readonly warmedFiles = new Set<string>();

  constructor(store: SandboxStore, simBase: string) {
    this.store = store;
    this.simBase = simBase;
    this.inspector = inspectorOf(() => this.current);
  }

  /** Loaded when the reader comes near: a page that is only read needs none. */
  private assets(): Promise<SimAssets> {
    this.loadedAssets ??= import("./runtime/manifest.ts").then(
      ({ SimAssets }) => new SimAssets(this.simBase),
    );
    return this.loadedAssets;
  }

  /** The reader comes near: fetches the simulator and spawns a spare worker. */
  warm(): void {
    if (this.warmed) return;
    this.warmed = true;
    // A failure here is told when the reader presses Run.
    void this.boot("worker").catch(() => (this.warmed = false));
  }

  /** The reader is in a file of the simulator: fetches what a run with an edit of it needs. */
  warmEditing(file: string): void {
    if (this.warmedFiles.has(file)) return;
    this.warmedFiles.add(file);
    const load = async () => {
      const [assets, { warmEditing }] = await Promise.all([
        this.assets(),
        import("./runtime/load.ts"),
      ]);
      await warmEditing(assets, file);
    };
    void load().catch(() => this.warmedFiles.delete(file)); // Told when the reader presses Run.
  }

  private async boot(kind: Kind): Promise<SimRuntime> {
    const made = this.runtimes.get(kind) ?? this.create(kind);
    this.runtimes.set(kind, made);
    made.catch(() => this.runtimes.delete(kind)); // The next call tries again.
    const runtime = await made;
    await runtime.boot({
      signal: new AbortController().signal,
      timeoutMs: BOOT_MS[kind],
      onStage: (stage) => {
        if (kind === this.kind.value) this.stage.value = stage === "ready" ? null : stage;
      },
    });
    return runtime;
  }

  private async create(kind: Kind): Promise<SimRuntime> {
    const assets = await this.assets();
    if (kind === "worker") {
      const { WorkerRuntime } = await import("./runtime/worker/runtime.ts");
      return new WorkerRuntime(assets);
    }
    const { WebContainerRuntime } = await import("./runtime/webcontainer/runtime.ts");
    return new WebContainerRuntime(assets);
  }

  /** Chooses where to run; a WebContainer that does not start falls back. */
  async use(kind: Kind): Promise<void> {
    this.kind.value = kind;
    this.fallback.value = null;
    if (kind === "webcontainer") await this.ready();
  }

  private async ready(): Promise<SimRuntime> {
    try {
      return await this.boot(this.kind.value);
    } catch (error) {
      if (this.kind.value === "worker") throw error;
      this.stage.value = null;
      this.fallback.value = error instanceof BootError ? error.reason : "service-failed";
      this.kind.value = "worker";
      return this.boot("worker");
    }
  }

  async run(): Promise<void> {
    const { store } = this;
    this.current?.dispose();
    this.current = null;
    store.clearRun();
    store.status.value = "loading";
    let runtime: SimRuntime;
    try {
      runtime = await this.ready();
    } catch (error) {
      this.bootFailed(error);
      return;
    }
    const run = runtime.run(this.program());
    this.current = run;
    store.status.value = "running";
    for await (const message of run) {
      if (this.current !== run) return;
      this.take(message);
    }
    if (this.current === run) this.finish(await run.end);
  }

  /** Runs again with one more kubectl command, at the moment that is shown. */
  async ask(typed: string): Promise<void> {
    const { store } = this;
    if (store.rows.value.length === 0) {
      await this.run();
      store.step(store.beats.value.length); // The whole run, before it is asked.
    }
    if (store.addCommand(typed)) await this.run();
  }

  private take(message: RunMessage): void {
    const { store } = this;
    if (message.type === "rows") {
      this.pending.push(...message.rows);
      if (store.rows.value.length === 0) this.flushRows();
    } else if (message.type === "console") this.print(message.line);
    else if (message.type === "problem")
      store.problems.value = [...store.problems.value, message.problem].slice(0, PROBLEMS_MAX);
    else if (message.type === "progress") store.atMs.value = message.atMs;
    else if (message.type === "error") store.error.value = message.error;
    else if (message.type === "result") store.result.value = message.result;
  }

  private print({ text, level, atMs }: ConsoleLine): void {
    const lines = this.store.console;
    if (lines.value.length < LINES_MAX) lines.value = [...lines.value, { text, level, atMs }];
  }

  private flushRows(): void {
    if (this.pending.length === 0) return;
    this.store.rows.value = [...this.store.rows.value, ...this.pending];
    this.pending = [];
  }

  private finish(end: Awaited<Run["end"]>): void {
    const { store } = this;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    batch(() => {
      this.flushRows();
      if (end.ok) {
        store.result.value = end.result;
        store.status.value = end.result.reason === "stopped" ? "stopped" : "done";
      } else {
        store.error.value = end.error;
        store.status.value = "failed";
      }
      store.showFromStart(still || !end.ok);
    });
  }

  private bootFailed(error: unknown): void {
    const reason = error instanceof BootError ? error.reason : "blocked";
    this.store.status.value = "failed";
    this.store.error.value = {
      kind: "boot",
      key: "sandbox.error.boot",
      params: { reason },
      message: String(error),
      fatal: true,
    };
  }

  stop(): void {
    this.current?.stop();
    this.stopCheck();
  }

  /** Between two runs of it too. */
  stopCheck(): void {
    this.isCheckStopped = true;
    this.checkRun?.stop();
  }

  /** Runs the lab's checks on several seeds, and shows a run that fails one. */
  async check(): Promise<void> {
    const { store } = this;
    if (store.checking.value) return;
    this.isCheckStopped = false;
    batch(() => {
      store.checking.value = true;
      store.verdicts.value = [];
      store.error.value = null;
    });
    try {
      const checks = await checksOf(store.lab);
      const verdicts = await runChecks(
        checks,
        store.seed.value,
        (seed) => this.rowsOf(seed),
        (found) => (store.verdicts.value = found),
      );
      const failure = verdicts.find((verdict) => verdict.failure)?.failure;
      if (failure && failure.seed !== store.seed.value) store.setSeed(failure.seed);
    } catch (error) {
      this.bootFailed(error);
    } finally {
      store.checking.value = false;
    }
  }

  /** Shows the lab's solution, or again what the reader had. */
  async solve(): Promise<void> {
    const { store } = this;
    if (store.own.value) return store.showOwn();
    try {
      const { solutionOf } = await import("./solutions.ts");
      store.showSolution(await solutionOf(store.lab));
    } catch (error) {
      this.bootFailed(new BootError("load-failed", String(error)));
    }
  }

  /** All rows of one run with this seed; null if it ended in an error, or was stopped. */
  private async rowsOf(seed: number): Promise<readonly Row[] | null> {
    const { store } = this;
    const runtime = await this.ready();
    if (this.isCheckStopped) return null;
    const run = runtime.run({ ...this.program(), inputs: store.labInputs(), seed });
    this.checkRun = run;
    const rows: Row[] = [];
    for await (const message of run) {
      if (message.type === "rows") rows.push(...message.rows);
      else if (message.type === "error" && !this.isCheckStopped) store.error.value = message.error;
    }
    const end = await run.end;
    run.dispose();
    // Whoever stopped it does not want to hear that it had to be killed for that.
    if (this.isCheckStopped) return null;
    if (!end.ok) store.error.value = end.error;
    return end.ok && end.result.reason !== "stopped" ? rows : null;
  }

  /** What the reader has now, as a program. */
  private program() {
    const { store } = this;
    return {
      files: store.edits.value,
      scenario: store.lab.scenario,
      seed: store.seed.value,
      inputs: store.inputs(),
    };
  }

  reset(): void {
    this.current?.dispose();
    this.current = null;
    this.pending = [];
    this.store.reset();
  }

  /** Runs the package's own tests, where the back end can. */
  async test(): Promise<void> {
    const runtime = await this.ready();
    if (!runtime.test) return;
    this.testing.value = "running";
    const run = await runtime.test(this.program());
    const reader = run.output.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const line of value.split("\n"))
        if (line.trim()) this.print({ text: line, level: "log" });
    }
    this.testing.value = await run.exit;
  }

  /** All files of the simulator, in order. */
  async files(): Promise<readonly string[]> {
    return (await this.assets()).paths();
  }

  /** Opens a file of the simulator in the editor. */
  async open(file: string): Promise<void> {
    const known = this.store.originals.value[file];
    const original = known ?? (await (await this.assets()).sources([file]))[file];
    if (original !== undefined) this.store.openFile(file, original);
    else if (this.store.openFiles.value.includes(file)) this.store.activeFile.value = file;
  }

  dispose(): void {
    this.current?.dispose();
    for (const made of this.runtimes.values())
      void made.then(
        (runtime) => runtime.dispose(),
        () => {},
      );
  }
}

const labFiles = import.meta.glob<{ default: readonly Lab[] }>("/content/*/*/lab.ts");

/** The checks of a lab, from the lesson's own file, loaded when asked for. */
async function checksOf({ lesson, id }: LabData): Promise<readonly Check[]> {
  const path = Object.keys(labFiles).find(
    (file) => file.split("/").at(-2)?.replace(/^\d+-/, "") === lesson,
  );
  const labs = path ? (await labFiles[path]!()).default : [];
  return labs.find((lab) => lab.id === id)?.checks ?? [];
}
