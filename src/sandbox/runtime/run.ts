/**
 * One run as the page sees it, over whichever back end: links the program,
 * opens a connection to a host, checks and bounds all that comes from it, and
 * kills it when it falls silent. Nothing here waits for ever.
 */
import { LinkError, type LinkedProgram } from "./link.ts";
import {
  CAPS,
  decode,
  type HostError,
  type HostMessage,
  type HostRequest,
  NOTHING_SENT,
  type StartRequest,
} from "./protocol.ts";
import { Queue } from "./queue.ts";
import { actingFrame, CORE_PREFIX, framesOf } from "./stack.ts";
import {
  BootError,
  DEFAULT_LIMITS,
  type Frame,
  type Json,
  type Limits,
  type Program,
  type Question,
  type Row,
  type Run,
  type RunEnd,
  type RunError,
  type RunMessage,
  runError,
} from "./types.ts";

/** A live host. */
export interface Connection {
  send(request: HostRequest): void;
  kill(): void;
}

export interface ConnectionEvents {
  /** A text from the host, not yet looked at. */
  onText(text: unknown): void;
  /** The host ended by itself. `words` says how, for readers of English. */
  onClosed(words: string): void;
  /** The host is started again, with what it was missing; then it is listened to. */
  onRestart?(done: Promise<void>): void;
  /** What the host's process printed outside the protocol. */
  onPrinted?(text: string): void;
}

export interface Backend {
  /** Throws LinkError or BootError. */
  link(program: Program): Promise<LinkedProgram>;
  /** The frames of a call stack that lie in the simulator's files. */
  frames(stack: string): Promise<Frame[]>;
  /** Opens a connection and sends it `start`. Throws BootError. */
  connect(start: StartRequest, program: Program, events: ConnectionEvents): Promise<Connection>;
  /** How much slower than a worker its sign of life may be. */
  readonly patience: number;
  /** Time from the connection to the first sign of life, in ms. */
  readonly startMs: number;
  /** Time from there until all modules are loaded, in ms. */
  readonly loadMs: number;
}

/** Time given to messages that are already on their way, in ms. */
const GRACE_MS = 120;
/** Beyond the limit that the host minds itself, in ms. */
const WALL_MARGIN_MS = 2_000;
const STOP_MS = 1_500;
const ANSWER_MS = 10_000;

/** Messages that the reader's code can cause by itself: no sign of life. */
const WORDS: ReadonlySet<string> = new Set(["console", "problem", "error"]);
/** Mistakes in manifests, and errors, that are passed on. */
const TOLD_MAX = 200;

/** What a host says of itself. */
type Told = Exclude<HostMessage, { t: "answer" }>;

export class ProgramRun implements Run {
  readonly end: Promise<RunEnd>;
  private readonly backend: Backend;
  private readonly program: Program;
  private readonly limits: Limits;
  private readonly mode: { quiet: boolean; stackAt: number };
  private readonly queue = new Queue<RunMessage>();
  private readonly answers = new Map<
    number,
    { resolve(value: Json): void; reject(error: Error): void }
  >();
  private connection: Connection | null = null;
  private settle: (end: RunEnd) => void = () => {};
  private over: RunEnd | null = null;
  private timers: ReturnType<typeof setTimeout>[] = [];
  private silence: ReturnType<typeof setTimeout> | undefined;
  /** Signs of life so far. */
  private signs = 0;
  private stopping = false;
  /** The lines of an error are being looked up; later messages are held. */
  private looking = false;
  private readonly held: Told[] = [];
  private edited: readonly string[] = [];
  private disposed = false;
  private revived: ProgramRun | null = null;
  private nextAnswer = 1;
  private messages = 0;
  private length = 0;
  private entries = 0;
  private lines = 0;
  private told = 0;

  constructor(backend: Backend, program: Program, mode = { quiet: false, stackAt: 0 }) {
    this.backend = backend;
    this.program = program;
    this.mode = mode;
    this.limits = lowered(program.limits);
    this.end = new Promise((resolve) => {
      this.settle = resolve;
    });
    void this.open();
  }

  [Symbol.asyncIterator](): AsyncIterator<RunMessage> {
    return this.queue[Symbol.asyncIterator]();
  }

  stop(): void {
    if (this.over || this.stopping) return;
    this.stopping = true;
    this.connection?.send({ t: "stop" });
    const ms = STOP_MS * this.backend.patience;
    this.later(ms, () =>
      this.kill(runError("unresponsive", `did not stop within ${ms} ms`, { params: { ms } })),
    );
  }

  async ask(question: Question): Promise<Json> {
    if (question.ask === "stack") return this.stackOf(question.id);
    const end = await this.end;
    if (this.connection) return this.request(question);
    if (!end.ok) throw new Error(`the run ended early: ${end.error.message}`);
    if (this.disposed) throw new Error("the run was let go");
    this.revived ??= new ProgramRun(this.backend, this.program, { quiet: true, stackAt: 0 });
    return this.revived.ask(question);
  }

  dispose(): void {
    this.disposed = true;
    this.revived?.dispose();
    this.release();
  }

  /** Ends the host but keeps the run: a question re-runs the program. */
  release(): void {
    this.finish({ ok: false, error: runError("crashed", "the run was let go") });
    for (const { reject } of this.answers.values()) reject(new Error("the run was let go"));
    this.answers.clear();
    this.connection?.kill();
    this.connection = null;
  }

  private async open(): Promise<void> {
    try {
      const linked = await this.backend.link(this.program);
      this.edited = linked.edited;
      const start = this.startRequest(linked);
      const connection = await this.backend.connect(start, this.program, {
        onText: (text) => this.receive(text),
        onClosed: (words) => this.closed(words),
        onPrinted: (text) => this.printed(text),
        onRestart: (done) => this.restarted(done),
      });
      if (this.over) return connection.kill();
      this.connection = connection;
      if (this.stopping) connection.send({ t: "stop" });
      const { patience, startMs, loadMs } = this.backend;
      const wallMs = this.limits.wallMs * patience + WALL_MARGIN_MS;
      this.later(startMs + loadMs + wallMs, () => {
        this.kill(runError("unresponsive", "ran past its time", { params: { ms: wallMs } }));
      });
      this.listen(this.backend.startMs);
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  private restarted(done: Promise<void>): void {
    clearTimeout(this.silence);
    done.then(
      () => this.listen(this.backend.startMs),
      (error) => this.fail(error),
    );
  }

  private startRequest(linked: LinkedProgram): StartRequest {
    const { scenario, seed, inputs } = this.program;
    const limits = { ...this.limits, wallMs: this.limits.wallMs * this.backend.patience };
    const { mode } = this;
    const more = { limits, after: NOTHING_SENT };
    return { t: "start", program: linked, scenario, seed, inputs, ...mode, ...more };
  }

  private fail(thrown: unknown): void {
    if (thrown instanceof LinkError) {
      for (const error of thrown.errors.slice(1)) this.queue.push({ type: "error", error });
      this.kill(thrown.errors[0]!);
      return;
    }
    const reason = thrown instanceof BootError ? thrown.reason : "service-failed";
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    this.kill(runError("boot", message, { params: { reason } }));
  }

  /** Starts, or starts anew, the wait for a sign of life. */
  private listen(ms = this.limits.silenceMs * this.backend.patience): void {
    clearTimeout(this.silence);
    if (this.over) return;
    this.silence = setTimeout(() => {
      const { signs } = this;
      // Our own page may have been busy: let what has arrived be read first.
      this.silence = setTimeout(() => {
        if (this.signs !== signs || this.looking) return this.listen();
        this.kill(
          runError("unresponsive", `gave no sign of life for ${ms} ms`, { params: { ms } }),
        );
      }, GRACE_MS);
    }, ms);
  }

  private receive(text: unknown): void {
    const message = decode(text);
    this.length += typeof text === "string" ? text.length : 0;
    const tooMuch = ++this.messages > CAPS.messages || this.length > CAPS.totalLength;
    if (tooMuch) this.kill(runError("flood", "sent too many messages"));
    else if (!message) this.kill(runError("protocol", "sent what is not of the protocol"));
    else if (message.t === "answer") this.answered(message.n, message.value);
    else this.take(message);
  }

  private take(message: Told): void {
    if (this.over) return;
    if (this.looking) {
      this.held.push(message);
      return;
    }
    if (!WORDS.has(message.t)) {
      this.signs++;
      this.listen(message.t === "started" ? this.backend.loadMs : undefined);
    }
    switch (message.t) {
      case "rows":
        this.rows(message.rows);
        break;
      case "console":
        if (++this.lines > this.limits.consoleLines) break;
        this.queue.push({ type: "console", line: message.line });
        break;
      case "progress": {
        const { atMs, steps, entries } = message;
        this.queue.push({ type: "progress", atMs, steps, entries });
        break;
      }
      case "problem":
        if (++this.told > TOLD_MAX) break;
        this.queue.push({ type: "problem", problem: message.problem });
        break;
      case "error":
        if (++this.told <= TOLD_MAX || message.error.fatal) this.failed(message.error);
        break;
      case "result":
        this.queue.push({ type: "result", result: message.result });
        this.finish({ ok: true, result: message.result });
    }
  }

  private rows(rows: readonly Row[]): void {
    this.entries += rows.length;
    // The host itself minds the limit, give or take what one look misses.
    if (this.entries <= this.limits.entries * 1.5 + 10_000) this.queue.push({ type: "rows", rows });
    else this.kill(runError("flood", "sent more entries than a run may have"));
  }

  private failed(error: HostError): void {
    if (error.stack.includes(CORE_PREFIX)) void this.lookUp(error);
    else this.tell(error, framesOf(error.stack));
  }

  /** Asks the bundle's map for the lines; what comes meanwhile waits its turn. */
  private async lookUp(error: HostError): Promise<void> {
    this.looking = true;
    const frames = await this.backend.frames(error.stack).catch(() => framesOf(error.stack));
    this.looking = false;
    this.tell(error, frames);
    for (const message of this.held.splice(0)) this.take(message);
  }

  private tell(error: HostError, frames: Frame[]): void {
    const told = this.describe(error, frames);
    this.queue.push({ type: "error", error: told });
    if (told.fatal) this.finish({ ok: false, error: told }); // Lives on, to be asked.
  }

  /** The error at the reader's own line if one is among the frames. */
  private describe({ kind, message, actor, fatal }: HostError, frames: Frame[]): RunError {
    const at = frames.find(({ file }) => this.edited.includes(file)) ?? actingFrame(frames);
    const place = at ? { file: at.file, line: at.line, column: at.column } : {};
    const text = message.split("\n", 1)[0] ?? "";
    return runError(kind, text, { params: { actor, text }, fatal, frames, ...place });
  }

  private printed(text: string): void {
    if (this.over || ++this.lines > this.limits.consoleLines) return;
    const line = {
      level: "log",
      from: "code",
      atMs: 0,
      text: text.slice(0, CAPS.consoleText),
    } as const;
    this.queue.push({ type: "console", line });
  }

  private closed(words: string): void {
    this.kill(runError("crashed", words));
  }

  private kill(error: RunError): void {
    if (!this.over) {
      this.queue.push({ type: "error", error });
      this.finish({ ok: false, error });
    }
    this.release();
  }

  private finish(end: RunEnd): void {
    if (this.over) return;
    this.over = end;
    clearTimeout(this.silence);
    for (const timer of this.timers) clearTimeout(timer);
    this.queue.end();
    this.settle(end);
  }

  private later(ms: number, action: () => void): void {
    this.timers.push(setTimeout(action, ms));
  }

  private request(question: Question): Promise<Json> {
    const n = this.nextAnswer++;
    return new Promise<Json>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("no answer")), ANSWER_MS);
      this.answers.set(n, {
        resolve: (value) => {
          clearTimeout(late);
          resolve(value);
        },
        reject: (error) => {
          clearTimeout(late);
          reject(error);
        },
      });
      this.connection?.send({ t: "ask", n, question });
    });
  }

  private answered(n: number, value: Json): void {
    if (n === 0 && this.mode.stackAt > 0) {
      this.stack = typeof value === "string" ? value : "";
      const result = {
        reason: "stopped",
        steps: 0,
        atMs: 0,
        entries: 0,
        hash: "",
        wallMs: 0,
      } as const;
      this.finish({ ok: true, result });
      this.release();
      return;
    }
    this.answers.get(n)?.resolve(value);
    this.answers.delete(n);
  }

  private stack = "";

  /** Re-runs the program up to the entry. */
  private async stackOf(id: number): Promise<Json> {
    const again = new ProgramRun(this.backend, this.program, { quiet: true, stackAt: id });
    const end = await again.end;
    if (!end.ok) throw new Error(end.error.message);
    const frames = await this.backend.frames(again.stack);
    return frames.map((frame) => ({ ...frame }));
  }
}

function lowered(limits: Partial<Limits> = {}): Limits {
  const entries = Object.entries(DEFAULT_LIMITS) as [keyof Limits, number][];
  const least = entries.map(([name, value]) => [name, Math.min(value, limits[name] ?? value)]);
  return Object.fromEntries(least);
}
