/**
 * The worker's own script: loads the simulator's scripts, makes the edited
 * modules and those that import them, loads the entry, and lets host.ts run
 * it. All this is in place before the reader's code is, and keeps what it needs
 * of the platform for itself.
 */
import { asConstants } from "../bindings.ts";
import { type Host, ProgramHost } from "../host.ts";
import type { FarModule, LinkedModule, LinkedProgram } from "../link.ts";
import { asEntry, type SimEntry } from "../program.ts";
import type { HostRequest, LoadRequest, ScriptPlace, StartRequest } from "../protocol.ts";
import { asScript, WRAPPER } from "../script.ts";
import { CORE_PREFIX } from "../stack.ts";

type Namespace = Record<string, unknown>;
type Told = (what: number | string) => void;

interface WorkerScope {
  __sim: Record<string, Namespace>;
  /** What modules of parts that are not there give until they are; see `standFor`. */
  __far: Record<string, Namespace>;
  /** Calls functions that lie in parts; see scripts/sim/bundle.ts. */
  __late?: { told?: Told; miss(what: number | string): Namespace };
  location: { protocol: string; href: string };
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage: (message: unknown) => void;
  importScripts: (url: string) => void;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

declare const self: WorkerScope;

/** Posts of its own that the reader's code may make before it is stopped. */
const POSTS_MAX = 200;

class FloodError extends Error {
  override name = "FloodError";
}

// What is kept from the reader's hands.
/** What the bundle exports, by path; the part `table` replaces it whole. */
const bundled = () => self.__sim ?? {};
const post = MessagePort.prototype.postMessage;
const { apply, ownKeys } = Reflect;
const clock = performance;
const perform = clock.now;
const toText = JSON.stringify;
const makeUrl = URL.createObjectURL;
const NativeBlob = Blob;
const encode = encodeURIComponent;
const viaData = self.location.protocol === "data:";
const ownImportScripts = self.importScripts.bind(self);
const sayReady = self.postMessage.bind(self);
const listen = self.addEventListener.bind(self);

/** Takes the next uncaught error, if set. */
let onUncaught: ((event: ErrorEvent) => void) | null = null;

/** Address of each module made here, and the module of each address. */
const urlOf = new Map<string, string>();
const moduleOf = new Map<string, string>();
/** The simulator's scripts in a text, by its address and by its name. */
const texts = new Map<string, readonly ScriptPlace[]>();
/** Told of calls into parts that are not there. */
let told: Told = () => {};
/** The texts that were given are run. */
let loaded: Promise<void> | undefined;

/** The address of `text` as a script. */
function addressOf(text: string): string {
  return viaData
    ? `data:text/javascript,${encode(text).replace(/'/g, "%27")}`
    : makeUrl.call(URL, new NativeBlob([text], { type: "text/javascript" }));
}

function makeModule(id: string, code: string): string {
  const text = `${code}\n//# sourceURL=sim:///${id}`;
  const url = addressOf(text);
  urlOf.set(id, url);
  moduleOf.set(url, id);
  return url;
}

/** The expression of a bundled module's namespace. */
function namespaceOf(id: string): string {
  return `globalThis.${bundled()[id] ? "__sim" : "__far"}[${toText(id)}]`;
}

/** What a module of a part gives while the part is not there: functions that find it when called. */
function standFor(id: string, { part, functions, classes }: FarModule): Namespace {
  const found = () => bundled()[id] ?? self.__late!.miss(part);
  const stand: Namespace = {};
  for (const name of functions)
    stand[name] = (...args: unknown[]) =>
      (found()[name] as (...args: unknown[]) => unknown)(...args);
  for (const name of classes) {
    function Stand(...args: unknown[]) {
      return new (found()[name] as new (...args: unknown[]) => unknown)(...args);
    }
    stand[name] = Stand;
  }
  return stand;
}

/** A module that gives on what the bundle's module of this path exports. */
function standIn(id: string): string {
  const space = bundled()[id] ?? self.__far[id] ?? {};
  const names = ownKeys(space).filter((name) => typeof name === "string");
  const lines = names.map(
    (name, i) => `const v${i} = m[${toText(name)}]; export { v${i} as ${String(name)} };`,
  );
  return makeModule(id, `const m = ${namespaceOf(id)}; ${lines.join(" ")}`);
}

/** The module's text with its imports led to where they are to be had. */
function linked(module: LinkedModule): string {
  const { code } = module;
  let text = "";
  let at = 0;
  for (const { start, end, from, to, id } of module.imports) {
    const constants = urlOf.has(id) ? null : asConstants(code.slice(from, to), namespaceOf(id));
    if (constants !== null) {
      text += code.slice(at, from) + constants;
      at = to;
    } else {
      text += code.slice(at, start) + (urlOf.get(id) ?? standIn(id));
      at = end;
    }
  }
  return text + code.slice(at);
}

/** Runs scripts of the simulator. */
async function addScripts({ name, text, scripts }: LoadRequest): Promise<void> {
  await loaded; // In their order.
  const url = viaData ? addressOf(await text.text()) : makeUrl.call(URL, text);
  texts.set(name, scripts).set(url, scripts);
  ownImportScripts(url);
  if (self.__late) self.__late.told = told;
}

/** Time without a start after which a worker rehearses, in ms. */
const REHEARSE_MS = 60;
let rehearsal: ReturnType<typeof setTimeout> | undefined;

/**
 * Builds a cluster that nobody sees, so that the browser has compiled what the
 * run will execute first. Only the simulator's own code is called.
 */
function rehearse(entry: string): void {
  const late = self.__late;
  if (late) late.told = undefined;
  try {
    const { createSession } = asEntry(bundled()[entry] ?? {}, entry);
    createSession({ scenario: {}, seed: 1, inputs: [], onOutput: () => {} });
  } catch {
    // What fails here fails again in the run, where it is told.
  }
  if (late) late.told = told;
}

function receive(request: HostRequest | LoadRequest, program: ProgramHost): void {
  clearTimeout(rehearsal);
  if (request.t !== "load") return program.handle(request);
  loaded = addScripts(request);
  rehearsal = setTimeout(rehearse, REHEARSE_MS, request.entry);
}

function makeModules({ modules, far }: LinkedProgram): void {
  self.__far = {};
  for (const [id, one] of Object.entries(far)) self.__far[id] = standFor(id, one);
  for (const module of modules) makeModule(module.id, linked(module));
}

async function load({ program }: StartRequest): Promise<SimEntry> {
  await loaded;
  const { modules, entry } = program;
  makeModules(program);
  try {
    const url = urlOf.get(entry);
    return asEntry(url ? await import(url) : (bundled()[entry] ?? {}), entry);
  } catch (error) {
    throw error instanceof SyntaxError ? await found(error, modules) : error;
  }
}

/** The error with its place: one by one, the first that fails is the one. */
async function found(error: SyntaxError, modules: readonly LinkedModule[]): Promise<Error> {
  for (const module of modules) {
    try {
      await import(urlOf.get(module.id)!);
    } catch {
      return withPlace(error, module);
    }
  }
  return error;
}

/** The error with the line that a plain script of the same text gives. */
function withPlace(error: SyntaxError, module: LinkedModule): Promise<Error> {
  const text = asScript(module.code);
  const script = makeUrl.call(URL, new NativeBlob([text], { type: "text/javascript" }));
  return new Promise((resolve) => {
    const done = (line: number, column: number) => {
      onUncaught = null;
      const place = `sim:///${module.id}:${line}:${column}`;
      error.stack = `${error.message}\n    at ${place}`;
      resolve(error);
    };
    onUncaught = ({ lineno, colno }) =>
      done(lineno || 1, lineno === 1 ? Math.max(1, colno - WRAPPER.length) : colno || 1);
    setTimeout(() => {
      ownImportScripts(script);
      done(1, 1); // It parses as a script: the line is not known.
    });
  });
}

/** A place in a script's address, or in the name that it has of its own. */
const PLACES = new RegExp(`((?:blob|data):[^\\s)]*?|${CORE_PREFIX}text\\d+\\.js):(\\d+)`, "g");

function normalise(stack: string): string {
  return stack.replace(PLACES, (place, url: string, row: string) => {
    const id = moduleOf.get(url);
    if (id) return `sim:///${id}:${row}`;
    const line = Number(row) - 1;
    const script = texts.get(url)?.findLast(({ from }) => from <= line);
    return script ? `${CORE_PREFIX}${script.name}.js:${line - script.from + 1}` : place;
  });
}

/** Puts `value` where the reader's code looks for `name`, for good. */
function fix(target: object, name: string, value: unknown): void {
  for (let at: object | null = target; at; at = Object.getPrototypeOf(at)) {
    if (!Object.hasOwn(at, name)) continue;
    Object.defineProperty(at, name, { value, writable: false, configurable: false });
  }
}

function closeOff(): void {
  let posts = 0;
  const refuse = () => {
    if (++posts > POSTS_MAX) throw new FloodError(`more than ${POSTS_MAX} messages were posted`);
  };
  fix(self, "postMessage", refuse);
  fix(MessagePort.prototype, "postMessage", refuse);
  for (const name of ["Worker", "SharedWorker", "BroadcastChannel", "importScripts"])
    fix(self, name, undefined);
}

function connect(port: MessagePort): void {
  const waiting: (() => void)[] = [];
  const turn = new MessageChannel();
  turn.port1.onmessage = () => waiting.shift()?.();
  const host: Host = {
    post: (text) => apply(post, port, [text]),
    now: () => apply(perform, clock, []),
    breathe: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        apply(post, turn.port2, [null]);
      }),
    load,
    normalise,
    onMissing: (listener) => {
      told = listener;
    },
    heapBytes: () => (clock as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0,
  };
  const program = new ProgramHost(host);
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    console[level] = (...parts: unknown[]) =>
      program.print(level, "code", parts.map(show).join(" "));
  }
  listen("error", (event) => {
    event.preventDefault();
    if (onUncaught) onUncaught(event as ErrorEvent);
    else program.fail((event as ErrorEvent).error ?? (event as ErrorEvent).message);
  });
  listen("unhandledrejection", (event) => {
    event.preventDefault();
    program.fail((event as PromiseRejectionEvent).reason);
  });
  closeOff();
  port.onmessage = ({ data }) => receive(data, program);
}

/** A value as the console shows it. */
function show(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return toText(value) ?? String(value);
  } catch {
    return String(value);
  }
}

self.onmessage = (event) => {
  const [port] = event.ports;
  if (!port) return;
  self.onmessage = null;
  connect(port);
};
sayReady("ready");
