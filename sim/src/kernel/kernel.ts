/**
 * The kernel: a discrete-event clock. Steps run one at a time by (time,
 * sequence); simulated I/O costs simulated time, never wall time. Components
 * written with `async`/`await` are processes: the kernel wakes one, lets its
 * microtasks run until it waits on the kernel again or ends, then takes the
 * next step. Nothing else decides the order, so a run is a value.
 * Longer because: the clock and the processes it wakes are one loop.
 * Leaves out: real time. A host that wants it calls `run` by the clock.
 */
import { Calendar } from "./calendar.ts";
import { Faults } from "./faults.ts";
import { Step, StepHeap } from "./heap.ts";
import {
  DEFAULT_EPOCH,
  type KernelOptions,
  type RunOptions,
  type RunResult,
  type Timer,
} from "./options.ts";
import { Process, StuckError } from "./process.ts";
import { Random } from "./random.ts";
import { Run } from "./run.ts";
import { Trace } from "./trace.ts";
import { Begin, Wait, type Wake } from "./wake.ts";

/** Microtasks given to a process that may wait for several things at once. */
const TICKS_PARTIAL = 64;
/** Microtasks left to a process's other branches after each begin of a wait. */
const TICKS_REST = 8;
/** Microtasks after which a process that waits on nothing is suspected. */
const TICKS_STUCK = 10_000;
/** Its `then` takes one microtask. */
const TICK = Promise.resolve();
/** Simulated ms that a suspected process has to show that it moves. */
const SUSPECT_MS = 1_000;

/** The clock of a run, its seeded chance, its trace and its faults. */
export class Kernel {
  readonly random: Random;
  readonly trace: Trace;
  readonly faults: Faults;
  /** Trace entry under which new entries and steps are filed. */
  causeId = 0;
  /** Process that is running now, if any. */
  current: Process | null = null;
  /** Called with an error that left a process; default: it ends the run. */
  onError: ((error: unknown, process: Process) => void) | null = null;
  /** Steps run since the start. */
  steps = 0;
  private nowMs = 0;
  private seq = 0;
  private readonly calendar: Calendar;
  private readonly heap = new StepHeap();
  private readonly wakes: Wake[] = [];
  private readonly ids: Random;
  private failure: { error: unknown } | null = null;

  constructor(options: KernelOptions = {}) {
    this.random = new Random(options.seed ?? 1);
    this.ids = this.random.fork("ids");
    this.trace = new Trace(options.trace);
    this.calendar = new Calendar(options.epoch ?? DEFAULT_EPOCH);
    this.faults = new Faults(this);
  }

  /** Simulated time, in ms since the run began. */
  now(): number {
    return this.nowMs;
  }

  /** Simulated moment as RFC 3339 in whole seconds, as `metav1.Time`. */
  timestamp(atMs = this.nowMs): string {
    return this.calendar.timestamp(atMs);
  }

  /** The same with six decimals, as `metav1.MicroTime`. */
  microTimestamp(atMs = this.nowMs): string {
    return this.calendar.microTimestamp(atMs);
  }

  /** Simulated ms of an RFC 3339 moment; the inverse of `timestamp`. */
  msOf(timestamp: string): number {
    return this.calendar.msOf(timestamp);
  }

  /** A new object uid, seeded. */
  uid(): string {
    return this.ids.uuid();
  }

  /**
   * Records an entry under the current cause; returns its id. A subject that
   * is null is worded when somebody reads it (see `trace.wordings`): most
   * entries of a large run are never read.
   */
  record(
    actor: string,
    verb: string,
    subject: string | null,
    target = "",
    detail?: unknown,
  ): number {
    return this.trace.add(
      this.nowMs,
      actor,
      verb,
      subject,
      this.causeId,
      target,
      detail,
    );
  }

  /** Runs `run` after `delayMs` of simulated time, under the present cause. */
  after(delayMs: number, run: () => void): Timer {
    if (!(delayMs >= 0)) throw new RangeError(`delay ${delayMs} ms`);
    const atMs = this.nowMs + delayMs;
    const step = new Step(atMs, this.seq++, this.causeId, run);
    this.heap.push(step);
    return step;
  }

  /** Starts a process: `body` runs in a step of its own, at this moment. */
  spawn(actor: string, body: () => Promise<void>): Process {
    const process = new Process(actor, this.causeId);
    this.after(0, () => {
      this.wakes.push(new Begin(process, () => this.start(process, body)));
    });
    return process;
  }

  private start(process: Process, body: () => Promise<void>): void {
    let done: Promise<void>;
    try {
      done = body();
    } catch (error) {
      done = Promise.reject(error);
    }
    done.then(
      () => process.end(),
      (error) => {
        process.end();
        this.fail(error, process);
      },
    );
  }

  private fail(error: unknown, process: Process): void {
    if (this.onError) this.onError(error, process);
    else this.failure ??= { error };
  }

  /**
   * A promise of the kernel's: `start` gets `resolve` and `reject` and calls
   * one of them in a later step. The process that awaits it is woken then.
   */
  wait<T>(
    start: (resolve: (value: T) => void, reject: (e: unknown) => void) => void,
  ): Promise<T> {
    const wait = new Wait<T>(this.current, this.causeId);
    this.current?.beginWait();
    start(
      (value) => {
        if (wait.settle({ value })) this.wakes.push(wait);
      },
      (error) => {
        if (wait.settle({ error })) this.wakes.push(wait);
      },
    );
    return wait.promise;
  }

  /** Waits `ms` of simulated time. */
  sleep(ms: number): Promise<void> {
    return this.wait((resolve) => this.after(ms, () => resolve()));
  }

  /** Runs the next step. Returns false if there is none. */
  async step(): Promise<boolean> {
    return (await this.run({ maxSteps: 1 })).steps > 0;
  }

  /** Runs steps until there are none, or as `options` says. */
  run(options: RunOptions = {}): Promise<RunResult> {
    const run = new Run(options);
    return new Promise((resolve, reject) => {
      const go = () => {
        try {
          const result = this.goOn(run);
          if (result) resolve(result);
          else if (run.tickMax > 0) TICK.then(next);
          else run.onYield!().then(go, reject);
        } catch (error) {
          reject(error);
        }
      };
      // A chain of callbacks is cheaper than a loop of `await`: there are
      // half a million microtasks in a run of a thousand Pods.
      const next = () => {
        if (this.rests(run)) go();
        else TICK.then(next);
      };
      go();
    });
  }

  /** Until the end, or the next wake (`run.tickMax` > 0), or a yield. */
  private goOn(run: Run): RunResult | undefined {
    for (;;) {
      if (this.wakes.length > 0) {
        this.wakeNext(run);
        return undefined;
      }
      this.raise();
      if (run.inStep) {
        run.inStep = false;
        const { steps } = run;
        if (run.stopWhen?.()) return { reason: "stopped", steps };
        if (steps >= run.maxSteps) return { reason: "steps", steps };
        if (run.onYield && steps % run.yieldEvery === 0) return undefined;
      }
      const next = this.nextStep(run.untilMs);
      if (!next) {
        const idle = this.heap.size === 0;
        if (!idle) this.nowMs = Math.max(this.nowMs, run.untilMs);
        return { reason: idle ? "idle" : "time", steps: run.steps };
      }
      this.runStep(next);
      run.steps++;
      run.inStep = true;
    }
  }

  /** Takes the next step not later than `untilMs`, skipping cancelled ones. */
  private nextStep(untilMs = Number.POSITIVE_INFINITY): Step | undefined {
    for (;;) {
      const next = this.heap.peek();
      if (!next) return undefined;
      if (next.run === null) this.heap.pop();
      else return next.atMs <= untilMs ? this.heap.pop() : undefined;
    }
  }

  private runStep(step: Step): void {
    this.nowMs = step.atMs;
    this.causeId = step.causeId;
    this.current = null;
    this.steps++;
    step.run!();
  }

  /** Wakes the next process that this step called, and lets it move. */
  private wakeNext(run: Run): void {
    const wake = this.wakes.shift()!;
    const { process } = wake;
    this.current = process;
    if (wake.waited) this.causeId = wake.causeId;
    else if (process) this.causeId = process.causeId;
    if (process && wake.waited) process.endWait();
    run.process = process;
    run.waits = process?.waitsBegun ?? 0;
    run.tick = 0;
    run.tickMax = process ? TICKS_STUCK : TICKS_PARTIAL;
    wake.deliver();
  }

  /** A microtask later: has the process that was woken come to rest? */
  private rests(run: Run): boolean {
    const { process } = run;
    if (process && process.waitsBegun > run.waits) {
      run.waits = process.waitsBegun;
      run.tickMax = run.tick + TICKS_REST;
    } else if (process && run.tickMax === TICKS_STUCK) {
      if (process.ended) run.tickMax = run.tick + TICKS_REST;
      else if (process.waiting > 0) run.tickMax = TICKS_PARTIAL;
    }
    if (++run.tick < run.tickMax) return false;
    if (process && run.tickMax === TICKS_STUCK) this.suspect(process);
    run.tickMax = 0;
    this.current = null;
    return true;
  }

  /** It waits for nothing of the kernel's: stuck, unless it moves soon. */
  private suspect(process: Process): void {
    const { waitsBegun } = process;
    this.current = null;
    this.after(SUSPECT_MS, () => {
      if (process.ended || process.waitsBegun > waitsBegun) return;
      process.end();
      this.fail(new StuckError(process, this.nowMs), process);
    });
  }

  private raise(): void {
    if (!this.failure) return;
    const { error } = this.failure;
    this.failure = null;
    throw error;
  }
}
