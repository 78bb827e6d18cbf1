/**
 * Runs a program where it is to run: in the worker and in the WebContainer's
 * Node alike. Sends rows as they come, minds the limits, lives on to be asked.
 * The reader's code shares this place, so all that is needed from the platform
 * is taken into `Host` before that code is loaded.
 */
import type { TraceEntry } from "@shikumi/sim";
import type { SimEntry, SimSession } from "./program.ts";
import {
  type HostError,
  type HostMessage,
  type HostRequest,
  type Missing,
  NOTHING_SENT,
  type StartRequest,
} from "./protocol.ts";
import type { EndReason, Json, Question, RunErrorKind } from "./types.ts";

export interface Host {
  /** Sends the JSON of a HostMessage. */
  post(text: string): void;
  /** Wall time, in ms. */
  now(): number;
  /** Resolves in a later macrotask, so that requests get in. */
  breathe(): Promise<void>;
  /** Loads the entry module; throws what loading throws. */
  load(start: StartRequest): Promise<SimEntry>;
  /** Names the simulator's files `sim:///path` in a call stack. */
  normalise(stack: string): string;
  /** Bytes of heap in use, or 0 if unknown. */
  heapBytes(): number;
  /** Tells once, at once, of a call into what is not loaded; see Missing. */
  onMissing?(listener: (what: number | string) => void): void;
}

/** Rows are sent this often, in ms of wall time; the first ones sooner. */
const FLUSH_MS = 40;
const FLUSH_FIRST_MS = 6;
/** Work goes on for so long, in ms, before requests are let in. */
const SLICE_MS = 25;
/** Steps between two looks at the clock. */
const LOOK_EVERY = 16;
const ROWS_PER_MESSAGE = 2_000;
const HEAP_BYTES_MAX = 1_500_000_000;
/** Failures of components that are told, each once. */
const FAILURES_MAX = 20;
/** Errors that are answers: of the API server, of a runtime, of a storage driver. */
const ANSWERS = /^(StatusError|ConnectionError|RpcError|CsiError)\b/;
/** Frames kept of a call stack that was asked for. */
const STACK_FRAMES = 80;
/** Length of an answer's JSON. */
const ANSWER_LENGTH_MAX = 2_000_000;

export class ProgramHost {
  private readonly host: Host;
  private start: StartRequest | null = null;
  private session: SimSession | null = null;
  private rowOf: SimEntry["rowOf"] | null = null;
  private stopped = false;
  private limit: EndReason | null = null;
  private readonly failures = new Set<string>();
  private hash = 0x811c9dc5;
  /** Trace entries already turned into rows. */
  private sent = 0;
  private startedMs = 0;
  private flushedMs = 0;
  private lines = 0;
  /** Rows sent, or known to have been sent by an earlier start. */
  private told = 0;
  /** The run called into what is not loaded: nothing that follows is true. */
  private astray = false;

  constructor(host: Host) {
    this.host = host;
    host.onMissing?.((what) => this.sendMissing(what));
  }

  handle(request: HostRequest): void {
    if (request.t === "stop") this.stopped = true;
    else if (request.t === "ask") this.answer(request.n, request.question);
    else if (!this.start) {
      this.start = request;
      void this.run(request);
    }
  }

  /** A line that the reader's code or a command printed. */
  print(level: "log" | "info" | "warn" | "error" | "debug", from: string, text: string): void {
    const { start } = this;
    if (!start || start.quiet || start.stackAt > 0) return;
    if (this.astray || ++this.lines > start.limits.consoleLines) return;
    if (this.lines <= start.after.lines) return;
    const atMs = this.session?.kernel.now() ?? 0;
    this.send({ t: "console", line: { level, from, atMs, text } });
  }

  /** An error that nothing caught. */
  fail(error: unknown): void {
    this.send({ t: "error", error: this.describe(error, true) });
  }

  private send(message: HostMessage): void {
    if (!this.astray) this.host.post(JSON.stringify(message));
  }

  private sendMissing(what: number | string): void {
    if (this.astray) return;
    this.astray = true;
    const { after = NOTHING_SENT } = this.start ?? {};
    const sent = {
      rows: Math.max(this.told, after.rows),
      lines: Math.max(this.lines, after.lines),
      failures: Math.max(this.failures.size, after.failures),
    };
    const message: Missing = { t: "missing", what, sent };
    this.host.post(JSON.stringify(message));
  }

  private async run(start: StartRequest): Promise<void> {
    const { host } = this;
    if (start.stackAt > 0) Error.stackTraceLimit = STACK_FRAMES;
    this.send({ t: "started" });
    try {
      const { createSession, rowOf } = await host.load(start);
      this.startedMs = host.now();
      this.flushedMs = this.startedMs - FLUSH_MS + FLUSH_FIRST_MS;
      this.send({ t: "loaded" });
      const { scenario, seed, inputs } = start;
      const session = createSession({
        scenario,
        seed,
        inputs,
        onOutput: ({ isError, from, text, problem }) => {
          if (text) this.print(isError ? "error" : "log", from, text);
          if (problem && !start.quiet) this.send({ t: "problem", problem });
        },
      });
      this.session = session;
      this.rowOf = rowOf;
      if (start.stackAt > 0) session.kernel.trace.stackAt = start.stackAt;
      const reason = await this.drive(session, start);
      if (start.stackAt > 0) return this.sendStack(session);
      this.flush();
      this.finish(session, this.limit ?? reason);
    } catch (error) {
      this.flush();
      this.fail(error);
    }
  }

  private drive(session: SimSession, start: StartRequest): Promise<EndReason> {
    const { host } = this;
    const { kernel } = session;
    let looks = 0;
    let breathedMs = host.now();
    return session.run({
      maxSteps: start.limits.steps,
      stopWhen: () => {
        if (this.astray) return true;
        if (start.stackAt > 0 && kernel.trace.lastId >= start.stackAt) return true;
        if (++looks % LOOK_EVERY === 0) this.look(session, start);
        return this.stopped || this.limit !== null;
      },
      onYield: async () => {
        if (host.now() - breathedMs < SLICE_MS) return;
        await host.breathe();
        breathedMs = host.now();
      },
    });
  }

  /** Looks at the clock: time to send, or a limit reached? */
  private look(session: SimSession, start: StartRequest): void {
    const nowMs = this.host.now();
    const { limits } = start;
    if (session.kernel.trace.length >= limits.entries) this.limit = "entries";
    if (nowMs - this.startedMs >= limits.wallMs) this.limit = "wall";
    if (nowMs - this.flushedMs < FLUSH_MS) return;
    if (this.host.heapBytes() > HEAP_BYTES_MAX) throw new RangeError("out of memory");
    this.flush();
    const { kernel } = session;
    this.send({
      t: "progress",
      atMs: kernel.now(),
      steps: kernel.steps,
      entries: kernel.trace.length,
    });
    this.flushedMs = this.host.now();
  }

  /** Sends the entries that were recorded since the last time. */
  private flush(): void {
    const { session, rowOf, start } = this;
    if (!session || !rowOf || !start || start.stackAt > 0 || this.astray) return;
    const { trace } = session.kernel;
    while (this.sent < trace.length) {
      const isOld = this.sent < start.after.rows;
      const most = isOld ? start.after.rows : trace.length;
      const end = Math.min(trace.length, most, this.sent + ROWS_PER_MESSAGE);
      const rows = [];
      for (; this.sent < end; this.sent++) {
        const entry = trace.at(this.sent);
        if (entry.verb === "error") this.noteFailure(entry);
        rows.push(rowOf(entry));
      }
      const json = JSON.stringify(rows);
      this.addToHash(json);
      if (!isOld) this.told = this.sent;
      if (!start.quiet && !isOld) this.host.post(`{"t":"rows","rows":${json}}`);
    }
  }

  /** FNV-1a over the rows, brackets and commas between batches left out. */
  private addToHash(json: string): void {
    let h = this.hash;
    for (let i = 1; i < json.length - 1; i++) h = Math.imul(h ^ json.charCodeAt(i), 0x01000193);
    this.hash = Math.imul(h ^ 44, 0x01000193);
  }

  private finish(session: SimSession, reason: EndReason): void {
    const { kernel } = session;
    this.send({
      t: "result",
      result: {
        reason,
        steps: kernel.steps,
        atMs: kernel.now(),
        entries: kernel.trace.length,
        hash: (this.hash >>> 0).toString(16).padStart(8, "0"),
        wallMs: this.host.now() - this.startedMs,
      },
    });
  }

  private sendStack(session: SimSession): void {
    const value = this.host.normalise(session.kernel.trace.stack);
    this.send({ t: "answer", n: 0, value });
  }

  /** A component failed in the reader's code and will retry: told once a place. */
  private noteFailure(entry: TraceEntry): void {
    const { message, stack } = (entry.detail ?? {}) as { message?: unknown; stack?: unknown };
    if (typeof stack !== "string" || ANSWERS.test(stack)) return;
    const text = this.host.normalise(stack);
    const places = text.match(/sim:\/\/\/[^\s)]+/g) ?? [];
    const edited = this.start?.program.edited ?? [];
    const place = places.find((one) => edited.some((path) => one.startsWith(`sim:///${path}:`)));
    if (!place || this.failures.has(place) || this.failures.size >= FAILURES_MAX) return;
    this.failures.add(place);
    if (this.failures.size <= (this.start?.after.failures ?? 0)) return;
    const error = {
      kind: "throw" as const,
      message: String(message),
      stack: text,
      actor: entry.actor,
    };
    this.send({ t: "error", error: { ...error, fatal: false } });
  }

  private describe(thrown: unknown, fatal: boolean): HostError {
    const error = thrown as {
      name?: unknown;
      message?: unknown;
      stack?: unknown;
      actor?: unknown;
    } | null;
    const isError = typeof error === "object" && error !== null;
    const message = isError ? String(error.message ?? "") : String(thrown);
    return {
      kind: kindOf(isError ? String(error.name ?? "") : "", message),
      message,
      stack: this.host.normalise(isError ? String(error.stack ?? "") : ""),
      actor: isError && typeof error.actor === "string" ? error.actor : "",
      fatal,
    };
  }

  private answer(n: number, question: Question): void {
    let value: Json = null;
    try {
      value = this.answerOf(question);
      if (JSON.stringify(value).length > ANSWER_LENGTH_MAX) value = null;
    } catch {
      value = null; // What cannot be told as JSON is not told.
    }
    this.send({ t: "answer", n, value });
  }

  private answerOf(question: Question): Json {
    const trace = this.session?.kernel.trace;
    if (!trace) return null;
    switch (question.ask) {
      case "entry":
        return plain(trace.get(question.id) ?? null);
      case "why":
        return trace.why(question.id).map((entry) => entry.id);
      case "object":
        return plain(objectAt(trace, question.subject, question.atId));
      default:
        return null;
    }
  }
}

function objectAt(trace: SimSession["kernel"]["trace"], subject: string, atId: number): unknown {
  for (let i = trace.length - 1; i >= 0; i--) {
    const entry = trace.at(i);
    if (entry.id > atId || entry.verb !== "write" || entry.subject !== subject) continue;
    return (entry.detail as { after?: unknown } | undefined)?.after ?? null;
  }
  return null;
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

function kindOf(name: string, message: string): RunErrorKind {
  if (name === "StuckError") return "stuck";
  if (name === "InvariantError") return "invariant";
  if (name === "SyntaxError") return "syntax";
  if (name === "FloodError") return "flood";
  if (/out of memory|allocation failed|Invalid (array|string) length/i.test(message))
    return "memory";
  return "throw";
}
