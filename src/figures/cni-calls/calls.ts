/**
 * Every plugin that one command of the CNI executed, with what went into it
 * and what came out, from the trace of a run.
 */
import type { TraceEntry } from "@shikumi/sim";

export interface PluginCall {
  /** `ADD bridge` */
  readonly name: string;
  /** The plugin that executed it in turn; absent if the runtime did. */
  readonly by?: string;
  readonly env: readonly (readonly [name: string, value: string])[];
  readonly stdin: readonly Line[];
  readonly stdout: readonly Line[];
  readonly exit: number;
}

export interface Line {
  readonly text: string;
  /** Of `prevResult`: the answer of the plugin before. */
  readonly isPrevious: boolean;
}

interface CniDetail {
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: { readonly type?: string };
  readonly stdout?: unknown;
  readonly exit?: number;
}

/** The executions of the first attachment in the run for `command`. */
export function pluginCalls(entries: readonly TraceEntry[], command: string): PluginCall[] {
  const all = entries.filter(({ verb, subject }) => verb === "cni" && subject.startsWith(command));
  const first = all[0]?.detail as CniDetail | undefined;
  const id = first?.env.CNI_CONTAINERID;
  return all.flatMap(({ subject, detail }) => {
    const { env, stdin, stdout, exit = 0 } = detail as CniDetail;
    if (env.CNI_CONTAINERID !== id) return [];
    const { type } = stdin;
    return {
      name: subject,
      by: type && !subject.endsWith(` ${type}`) ? type : undefined,
      env: Object.entries(env).map(([name, value]) => [name, shorten(value)] as const),
      stdin: linesOf(stdin),
      stdout: stdout ? linesOf(stdout) : [],
      exit,
    };
  });
}

/** Longest object or list that stays on one line, in characters. */
const SHORT = 34;

/** JSON as lines, short objects on one, those of `prevResult` marked. */
function linesOf(value: unknown): Line[] {
  let inside = false;
  return shorten(print(value, ""))
    .split("\n")
    .map((text) => {
      if (/^ {2}"/.test(text)) inside = text.startsWith('  "prevResult"');
      if (/^}/.test(text)) inside = false;
      return { text, isPrevious: inside };
    });
}

function print(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : "{}";
  const parts = Object.entries(value)
    .filter(([, child]) => child !== undefined)
    .map(([name, child]) => {
      const text = print(child, `${indent}  `);
      return isList ? text : `${JSON.stringify(name)}: ${text}`;
    });
  const line = parts.join(", ");
  if (line.length <= SHORT && !line.includes("\n")) {
    return isList || line === "" ? `${open}${line}${close}` : `${open} ${line} ${close}`;
  }
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}${close}`;
}

/** Ids are cut to what tells them apart. */
function shorten(text: string): string {
  return text
    .replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, "$1…")
    .replace(
      /\b([0-9a-f]{4})[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
      "$1…",
    );
}
