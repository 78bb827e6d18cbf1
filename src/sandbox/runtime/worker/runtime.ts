/**
 * The worker back end, the embedded default: a classic worker inside an
 * opaque-origin frame. Starts in milliseconds and needs no header, no network
 * once loaded, and no trust in what it runs. One worker a run; the next one
 * is started while the reader still reads.
 */
import { framesWith, linkWith } from "../load.ts";
import type { SimAssets } from "../manifest.ts";
import { Parts } from "../parts.ts";
import type { StartRequest } from "../protocol.ts";
import { type Backend, type Connection, type ConnectionEvents, ProgramRun } from "../run.ts";
import { BootError, type BootOptions, type Program, type Run, type SimRuntime } from "../types.ts";
import { WorkerConnection } from "./connection.ts";
import { SandboxFrame, type SpawnedWorker } from "./frame.ts";

/** Finished runs whose workers are kept to be asked. */
const KEPT_RUNS = 2;
/** The spare worker starts so long after a run did, in ms. */
const SPARE_MS = 150;

export class WorkerRuntime implements SimRuntime {
  readonly kind = "worker";
  readonly can = { terminal: false, npmTest: false, offline: true } as const;
  private readonly assets: SimAssets;
  private readonly runs: ProgramRun[] = [];
  private readonly backend: Backend;
  private readonly parts: Parts;
  private frame: SandboxFrame | null = null;
  private booting: Promise<void> | null = null;
  private spare: Promise<SpawnedWorker> | null = null;
  private tell: (stage: Parameters<BootOptions["onStage"]>[0]) => void = () => {};

  constructor(assets: SimAssets) {
    this.assets = assets;
    this.parts = new Parts(assets);
    this.backend = {
      patience: 1,
      startMs: 5_000,
      loadMs: 2_000,
      link: (program) => linkWith(assets, program),
      frames: (stack) => framesWith(assets, stack),
      connect: (start, _program, events) => this.connect(start, events),
    };
  }

  async boot({ signal, timeoutMs, onStage }: BootOptions): Promise<void> {
    this.tell = onStage;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new BootError("timeout")), timeoutMs);
      signal.addEventListener("abort", () => reject(new BootError("aborted")), { once: true });
      this.start()
        .then(resolve, reject)
        .finally(() => clearTimeout(late));
    });
    onStage("ready");
  }

  run(program: Program): Run {
    for (const run of this.runs.splice(0, Math.max(0, this.runs.length - KEPT_RUNS + 1)))
      run.release();
    void this.start().catch(() => {}); // Told where the run waits for it.
    const run = new ProgramRun(this.backend, program);
    this.runs.push(run);
    return run;
  }

  async dispose(): Promise<void> {
    for (const run of this.runs.splice(0)) run.dispose();
    this.frame?.close();
    this.frame = this.booting = this.spare = null;
  }

  private start(): Promise<void> {
    this.booting ??= this.prepare().catch((error) => {
      this.frame?.close();
      this.frame = this.booting = this.spare = null; // The next call tries anew.
      throw error;
    });
    return this.booting;
  }

  private async prepare(): Promise<void> {
    this.tell("load");
    const frame = new SandboxFrame();
    this.frame = frame;
    const open = frame.open();
    const source = this.assets.text("worker"); // Asked for first: it is waited for first.
    void this.parts.ahead().catch(() => {}); // Told where it is waited for.
    await Promise.all([open, source]);
    frame.give(await source);
    this.tell("start");
    this.spare = this.spawn(frame);
    await this.spare;
  }

  /** A worker in which the simulator is loaded, or will be before it runs anything. */
  private async spawn(frame: SandboxFrame): Promise<SpawnedWorker> {
    const [worker, scripts] = await Promise.all([frame.spawn(), this.parts.ahead()]);
    worker.load(scripts, (await this.assets.manifest()).entry);
    return worker;
  }

  private async connect(start: StartRequest, events: ConnectionEvents): Promise<Connection> {
    const connection = new WorkerConnection(events, this.parts, () => this.take());
    await connection.open(start);
    return connection;
  }

  /** The spare worker; another one is started a little later. */
  private async take(): Promise<SpawnedWorker> {
    await this.start();
    const { frame, spare } = this;
    if (!frame) throw new BootError("aborted");
    this.spare = null;
    setTimeout(() => {
      if (this.frame !== frame || this.spare) return;
      this.spare = this.spawn(frame);
      this.spare.catch(() => (this.spare = null)); // The next run tries anew.
    }, SPARE_MS);
    return spare ?? this.spawn(frame);
  }
}
