/**
 * Stands in the worker behind the simulator's bundle: makes the edited modules
 * and those that import them, loads the entry, and lets host.ts run it. All
 * this is in place before the reader's code is, and keeps what it needs of the
 * platform for itself.
 */
import { asConstants } from "../bindings.ts";
import { type Host, ProgramHost } from "../host.ts";
import type { LinkedModule } from "../link.ts";
import { asEntry, type SimEntry } from "../program.ts";
import type { HostRequest, PartScript, StartRequest } from "../protocol.ts";
import { asScript, WRAPPER } from "../script.ts";
import { CORE_NAME, CORE_PREFIX } from "../stack.ts";

interface WorkerScope {
  __sim: Record<string, Record<string, unknown>>;
  /** Calls functions that lie in parts; see scripts/sim/bundle.ts. */
  __late?: { told?: (what: number | string) => void };
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
const late = self.__late;
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
/** Name of each part's script by its address. */
const scriptOf = new Map<string, string>();

function makeModule(id: string, code: string): string {
  const text = `${code}\n//# sourceURL=sim:///${id}`;
  const url = viaData
    ? `data:text/javascript,${encode(text).replace(/'/g, "%27")}`
    : makeUrl.call(URL, new NativeBlob([text], { type: "text/javascript" }));
  urlOf.set(id, url);
  moduleOf.set(url, id);
  return url;
}

/** The expression of a bundled module's namespace. */
function namespaceOf(id: string): string {
  return `globalThis.__sim[${toText(id)}]`;
}

/** A module that gives on what the bundle's module of this path exports. */
function standIn(id: string): string {
  const names = ownKeys(bundled()[id] ?? {}).filter((name) => typeof name === "string");
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

/** Runs a part's script, which adds to `__sim` what it holds. */
function addPart({ name, code }: PartScript): void {
  const file = `${CORE_PREFIX}${name}.js`;
  const text = `${code}\n//# sourceURL=${file}`;
  const url = viaData
    ? `data:text/javascript,${encode(text).replace(/'/g, "%27")}`
    : makeUrl.call(URL, new NativeBlob([text], { type: "text/javascript" }));
  scriptOf.set(url, file);
  ownImportScripts(url);
}

async function load({ program, parts }: StartRequest): Promise<SimEntry> {
  for (const part of parts) addPart(part);
  const { modules, entry } = program;
  for (const module of modules) makeModule(module.id, linked(module));
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

function normalise(stack: string): string {
  return stack
    .replaceAll(self.location.href, CORE_NAME)
    .replace(/(?:blob|data):[^\s)]*?(?=:\d+(?::\d+)?\)?(?:\n|$))/g, (url) => {
      const id = moduleOf.get(url);
      return id ? `sim:///${id}` : (scriptOf.get(url) ?? url);
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
      if (late) late.told = listener;
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
  port.onmessage = ({ data }: MessageEvent<HostRequest>) => program.handle(data);
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
