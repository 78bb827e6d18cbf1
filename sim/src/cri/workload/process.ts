/**
 * The program that runs in a container: what its image says, or what its
 * command says where a shell can do it. It starts, serves, prints, uses
 * memory, hears TERM, and ends; nothing runs between those moments.
 */
import type { Kernel, Timer } from "../../kernel/index.ts";
import { ownWrite, type Written } from "./disk.ts";
import { type ExecResult, runBeside } from "./exec.ts";
import { httpStatus, type ImageDefinition } from "./image.ts";
import { grown, memoryOf, outOfMemoryMs } from "./memory.ts";
import { ImageOutput, justAfter, type LogLine, Output } from "./output.ts";
import { knowsCommand, runWords, type ShellWorld } from "./shell.ts";

export interface ProcessOptions {
  readonly kernel: Kernel;
  readonly image: ImageDefinition;
  /** The command and its arguments; empty: the image's own. */
  readonly words: readonly string[];
  /** Ports that the Pod declares. */
  readonly declaredPorts: readonly number[];
  /** Bytes; absent: none. */
  readonly memoryLimitBytes?: number;
  /** It is process 1 of its namespace: TERM has no default action there. */
  readonly isInit: boolean;
  readonly resolves?: (name: string) => boolean;
  readonly onExit: (exit: ProcessExit) => void;
}

export interface ProcessExit {
  readonly code: number;
  /** `Completed`, `Error`, `OOMKilled`. */
  readonly reason: string;
}

/** 128 + 9: ended by KILL. */
export const KILLED = 137;
/** 128 + 15: ended by TERM. */
const TERMINATED = 143;

export class ContainerProcess {
  readonly startedAtMs: number;
  private readonly options: ProcessOptions;
  /** Files that it made; none has any until it makes one. */
  private files: Map<string, number> | undefined;
  private output: Output | ImageOutput | undefined;
  /** Its next step of its own, and its end for want of memory. */
  private next: Timer | undefined;
  private outOfMemory: Timer | undefined;
  private readonly scripted: boolean;
  private endedAtMs: number | undefined;

  constructor(options: ProcessOptions) {
    this.options = options;
    this.startedAtMs = options.kernel.now();
    const { image, words } = options;
    this.limitMemory(options.memoryLimitBytes);
    const shell = image.shell ?? false;
    this.scripted = shell && words.length > 0 && knowsCommand(words);
    if (!this.scripted && image.logs) {
      this.output = new ImageOutput(image.logs, this.startedAtMs);
    }
    if (this.scripted) this.advance(runWords(words, this.world()));
    else if (image.exit) {
      const { afterMs, code } = image.exit;
      this.after(afterMs, () => this.end(code));
    }
  }

  /** In bytes; absent: none. It ends once it takes more. */
  limitMemory(limitBytes: number | undefined): void {
    const { kernel, image, words } = this.options;
    this.outOfMemory?.cancel();
    const oomMs = outOfMemoryMs(image, words, limitBytes);
    if (oomMs === undefined || this.ended) return;
    const inMs = Math.max(0, oomMs - this.ageMs());
    this.outOfMemory = kernel.after(inMs, () => this.end(KILLED, "OOMKilled"));
  }

  /** True if something listens on the port now. */
  serves(port: number): boolean {
    const { image, declaredPorts } = this.options;
    if (this.ended || this.scripted) return false;
    if (this.ageMs() < (image.startMs ?? 0)) return false;
    const ports = image.ports ?? declaredPorts;
    if (!image.ports && ports.length === 0) return true;
    return ports.includes(port);
  }

  /** HTTP status for a path; only where `serves`. */
  http(path: string): number {
    return httpStatus(this.options.image, path, this.ageMs());
  }

  /** The same of a gRPC health check; undefined: knows no such service. */
  grpc(service: string): string | undefined {
    const { grpc } = this.options.image;
    return grpc ? grpc[service] : "SERVING";
  }

  get answerMs(): number {
    return this.options.image.answerMs ?? 0;
  }

  memoryBytes(): number {
    const growth = this.options.image.memoryGrowthBytesPerSecond ?? 0;
    return this.memoryAtStart() + (growth * this.ageMs()) / 1000;
  }

  /** Before it has grown. */
  memoryAtStart(): number {
    const { image, words } = this.options;
    return memoryOf(image, words) ?? 0;
  }

  cpuMilli(): number {
    return this.options.image.cpuMilli ?? 1;
  }

  /** How many there are of it: itself, and what it has started. */
  processes(): number {
    const { processes = 1, processGrowthPerSecond = 0 } = this.options.image;
    return processes + grown(processGrowthPerSecond, this.ageMs());
  }

  /** What it has written. */
  writes(): readonly Written[] {
    const own = ownWrite(this.options.image, this.ageMs());
    if (!own && !this.files) return NO_FILES;
    return [...(own ? [own] : []), ...(this.files ?? [])];
  }

  /** What it has printed from a moment until before another. */
  logs(fromMs = 0, toMs = FOR_EVER_MS): readonly LogLine[] {
    return this.output?.lines(fromMs, this.atMost(toMs)) ?? NO_LINES;
  }

  /** Bytes of the same in a log file. */
  logBytes(fromMs = 0, toMs = FOR_EVER_MS): number {
    return this.output?.bytes(fromMs, this.atMost(toMs)) ?? 0;
  }

  private atMost(toMs: number): number {
    return Math.min(toMs, justAfter(this.startedAtMs + this.ageMs()));
  }

  /** Runs another command beside the program, as exec does, at once. */
  exec(words: readonly string[]): ExecResult {
    return runBeside(this.options.image, words, this.world());
  }

  /** TERM: the program ends when its image says, or never. */
  terminate(): void {
    const { stopMs = 0, stopCode } = this.options.image;
    // sleep and sh have no handler for TERM: as process 1 they ignore it.
    const deaf = this.scripted && this.options.isInit;
    if (this.ended || deaf || stopMs === "never") return;
    const code = stopCode ?? (this.scripted ? TERMINATED : 0);
    if (stopMs === 0) this.end(code);
    else this.after(stopMs, () => this.end(code));
  }

  /** KILL: nobody can refuse it. */
  kill(): void {
    this.end(KILLED);
  }

  end(code: number, reason = code === 0 ? "Completed" : "Error"): void {
    if (this.ended) return;
    this.endedAtMs = this.options.kernel.now();
    this.next?.cancel();
    this.outOfMemory?.cancel();
    this.options.onExit({ code, reason });
  }

  private get ended(): boolean {
    return this.endedAtMs !== undefined;
  }

  /** Of the life that it had, once it has ended. */
  private ageMs(): number {
    const now = this.endedAtMs ?? this.options.kernel.now();
    return now - this.startedAtMs;
  }

  private advance(script: Generator<number, number>): void {
    if (this.ended) return;
    const { done, value } = script.next();
    if (done) this.after(0, () => this.end(value));
    else this.after(value, () => this.advance(script));
  }

  private after(ms: number, run: () => void): void {
    // For ever needs no timer.
    this.next?.cancel();
    this.next =
      ms < FOR_EVER_MS ? this.options.kernel.after(ms, run) : undefined;
  }

  private print(text: string, stream?: LogLine["stream"]): void {
    this.output ??= new Output();
    if (!(this.output instanceof Output)) return;
    this.output.print({ atMs: this.options.kernel.now(), text, stream });
  }

  private world(): ShellWorld {
    const { kernel, resolves } = this.options;
    return {
      files: (this.files ??= new Map()),
      print: (text, stream) => this.print(text, stream),
      date: () => kernel.timestamp(),
      resolves: resolves ?? (() => true),
    };
  }
}

const NO_LINES: readonly LogLine[] = [];
const NO_FILES: readonly Written[] = [];
/** A hundred years. */
const FOR_EVER_MS = 3.2e12;
