/**
 * What passes between the page and the place where a program runs, which is
 * called the host: a worker, or a Node process in a WebContainer.
 *
 *   page → host   HostRequest: start (once), stop, ask; to a worker also load
 *   host → page   texts, each the JSON of one HostMessage
 *
 *   start → started → loaded → (rows | console | progress | error)* → result | error!
 *         → (ask → answer)*
 *
 * A host lives on after its result, so that its trace can be asked. The
 * reader's code runs in the same place as the host's own and may send what it
 * likes: `decode` takes nothing on trust. It bounds the length before it
 * parses, copies the known fields of the known types, cuts texts, and gives
 * null for the rest. All texts are shown as text, never as markup.
 */
import type { LinkedProgram } from "./link.ts";
import type {
  ConsoleLevel,
  ConsoleLine,
  EndReason,
  Input,
  Json,
  Limits,
  Problem,
  Question,
  Row,
  RunErrorKind,
  RunResult,
  Scenario,
} from "./types.ts";

export interface StartRequest {
  readonly t: "start";
  readonly program: LinkedProgram;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly inputs: readonly Input[];
  readonly limits: Limits;
  /** Send no rows and no console: the run is only to be asked. */
  readonly quiet: boolean;
  /** Run only to this entry and send its call stack; 0: the whole run. */
  readonly stackAt: number;
  /** What an earlier start of the same run has sent and is not to be sent again. */
  readonly after: Sent;
}

/** To a worker alone: scripts of the simulator, to be run before a program is. */
export interface LoadRequest {
  readonly t: "load";
  /** Names the text in a call stack; of this worker's texts, this one's alone. */
  readonly name: string;
  /** The scripts, one after the other; named at its end. */
  readonly text: Blob;
  readonly scripts: readonly ScriptPlace[];
  /** Module whose namespace a run starts from. */
  readonly entry: string;
}

/** A script in a text of several: the line on which it begins, from 0. */
export interface ScriptPlace {
  readonly name: string;
  readonly from: number;
}

/** How much of a run has been sent. */
export interface Sent {
  readonly rows: number;
  readonly lines: number;
  readonly failures: number;
}

export const NOTHING_SENT: Sent = { rows: 0, lines: 0, failures: 0 };

/**
 * The run called into a part that it was started without: a function by its
 * number, or the part by name. All that was sent holds; the run has to be
 * started again with the part, and comes the same way.
 */
export interface Missing {
  readonly t: "missing";
  readonly what: number | string;
  readonly sent: Sent;
}

/** `text` as a Missing; null if it is another message, or none. */
export function decodeMissing(text: unknown): Missing | null {
  if (typeof text !== "string" || !text.startsWith('{"t":"missing"')) return null;
  try {
    const { what, sent } = JSON.parse(text) as { what?: unknown; sent?: unknown };
    const { rows, lines, failures } = object(sent);
    return {
      t: "missing",
      what: typeof what === "number" ? count(what) : cut(what),
      sent: { rows: count(rows), lines: count(lines), failures: count(failures) },
    };
  } catch {
    return null;
  }
}

export type HostRequest =
  | StartRequest
  | { readonly t: "stop" }
  | { readonly t: "ask"; readonly n: number; readonly question: Question };

export interface HostError {
  readonly kind: RunErrorKind;
  readonly message: string;
  /** Call stack in which the simulator's files are named `sim:///path`. */
  readonly stack: string;
  /** Component that failed, if known. */
  readonly actor: string;
  readonly fatal: boolean;
}

export type HostMessage =
  | { readonly t: "started" }
  /** The modules are loaded; the run begins. */
  | { readonly t: "loaded" }
  | { readonly t: "rows"; readonly rows: readonly Row[] }
  | { readonly t: "console"; readonly line: ConsoleLine }
  | { readonly t: "problem"; readonly problem: Problem }
  | {
      readonly t: "progress";
      readonly atMs: number;
      readonly steps: number;
      readonly entries: number;
    }
  | { readonly t: "result"; readonly result: RunResult }
  | { readonly t: "error"; readonly error: HostError }
  | { readonly t: "answer"; readonly n: number; readonly value: Json };

/** Bounds on what is taken from a host; lengths in UTF-16 units. */
export const CAPS = {
  messageLength: 8_000_000,
  /** Of one run, all messages together. */
  totalLength: 600_000_000,
  messages: 60_000,
  rowsPerMessage: 4_000,
  text: 2_000,
  consoleText: 8_000,
  stack: 20_000,
  listLength: 200,
} as const;

/** The message in `text`, made of known parts alone; null if it is none. */
export function decode(text: unknown): HostMessage | null {
  if (typeof text !== "string" || text.length > CAPS.messageLength) return null;
  try {
    return readMessage(JSON.parse(text));
  } catch {
    return null;
  }
}

type Loose = { readonly [key: string]: unknown };

function readMessage(value: unknown): HostMessage | null {
  if (!isObject(value)) return null;
  switch (value.t) {
    case "started":
      return { t: "started" };
    case "loaded":
      return { t: "loaded" };
    case "rows":
      return readRows(value.rows);
    case "console":
      return { t: "console", line: readLine(object(value.line)) };
    case "problem":
      return { t: "problem", problem: readProblem(object(value.problem)) };
    case "progress":
      return {
        t: "progress",
        atMs: time(value.atMs),
        steps: count(value.steps),
        entries: count(value.entries),
      };
    case "result":
      return { t: "result", result: readResult(object(value.result)) };
    case "error":
      return { t: "error", error: readError(object(value.error)) };
    case "answer":
      return { t: "answer", n: count(value.n), value: (value.value ?? null) as Json };
    default:
      return null;
  }
}

function readRows(value: unknown): HostMessage | null {
  if (!Array.isArray(value) || value.length > CAPS.rowsPerMessage) return null;
  return { t: "rows", rows: value.map((row) => readRow(object(row))) };
}

const TYPES = ["ADDED", "MODIFIED", "DELETED"] as const;

function readRow(row: Loose): Row {
  const clean: Writable<Row> = {
    id: count(row.id),
    atMs: time(row.atMs),
    actor: cut(row.actor),
    verb: cut(row.verb),
    subject: cut(row.subject),
    target: cut(row.target),
    causeId: count(row.causeId),
  };
  if (row.object !== undefined) clean.object = readSummary(object(row.object));
  const type = TYPES.find((known) => known === row.type);
  if (type) clean.type = type;
  if (row.code !== undefined) clean.code = count(row.code);
  return clean;
}

type Summary = NonNullable<Row["object"]>;

function readSummary(value: Loose): Summary {
  const clean: Writable<Summary> = {
    kind: cut(value.kind),
    namespace: cut(value.namespace),
    name: cut(value.name),
    uid: cut(value.uid),
  };
  for (const name of ["owner", "status", "node", "ip", "image"] as const) {
    if (value[name] !== undefined) clean[name] = cut(value[name]);
  }
  for (const name of ["deleting", "ready", "unschedulable"] as const) {
    if (value[name] !== undefined) clean[name] = value[name] === true;
  }
  if (value.taints !== undefined) clean.taints = list(value.taints).map((taint) => cut(taint));
  if (value.counts !== undefined) clean.counts = list(value.counts).map((number) => count(number));
  return clean;
}

const LEVELS: readonly ConsoleLevel[] = ["log", "info", "warn", "error", "debug"];

function readLine(line: Loose): ConsoleLine {
  const level = LEVELS.find((known) => known === line.level) ?? "log";
  return {
    level,
    from: cut(line.from),
    atMs: time(line.atMs),
    text: cut(line.text, CAPS.consoleText),
  };
}

function readProblem(value: Loose): Problem {
  const params = Object.entries(object(value.params)).slice(0, CAPS.listLength);
  return {
    code: cut(value.code),
    params: Object.fromEntries(params.map(([name, text]) => [cut(name), cut(text)])),
    file: cut(value.file),
    document: count(value.document),
    line: count(value.line),
    column: count(value.column),
  };
}

const REASONS: readonly EndReason[] = [
  "quiet",
  "idle",
  "time",
  "stopped",
  "steps",
  "entries",
  "wall",
];

function readResult(value: Loose): RunResult {
  const reason = REASONS.find((known) => known === value.reason);
  if (!reason) throw new TypeError("reason");
  return {
    reason,
    steps: count(value.steps),
    atMs: time(value.atMs),
    entries: count(value.entries),
    hash: cut(value.hash, 64),
    wallMs: time(value.wallMs),
  };
}

/** Kinds that a host may report of itself; the page alone tells of the rest. */
const HOST_KINDS: readonly RunErrorKind[] = [
  "syntax",
  "throw",
  "stuck",
  "invariant",
  "memory",
  "flood",
];

function readError(value: Loose): HostError {
  const kind = HOST_KINDS.find((known) => known === value.kind) ?? "throw";
  return {
    kind,
    message: cut(value.message, CAPS.text),
    stack: cut(value.stack, CAPS.stack),
    actor: cut(value.actor),
    fatal: value.fatal !== false,
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function isObject(value: unknown): value is Loose {
  return typeof value === "object" && value !== null;
}

function object(value: unknown): Loose {
  if (!isObject(value)) throw new TypeError("object");
  return value;
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError("list");
  return value.slice(0, CAPS.listLength);
}

function count(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new TypeError("count");
  return value as number;
}

function time(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new TypeError("time");
  return value;
}

function cut(value: unknown, lengthMax: number = CAPS.text): string {
  if (typeof value !== "string") throw new TypeError("text");
  return value.length > lengthMax ? `${value.slice(0, lengthMax)}…` : value;
}
