/**
 * Call stacks of three engines. The simulator's files are named `sim:///path`
 * in them, the minified bundle `sim-core:///`, which a source map resolves.
 */
import type { SourceMap } from "./source-map.ts";
import type { Frame } from "./types.ts";

/** Begins the names of the bundle's scripts in a call stack. */
export const CORE_PREFIX = "sim-core:///";
/** The script that holds what every run executes. */
export const CORE = "core";

const PLACE = /sim:\/\/\/([\w./-]+\.ts):(\d+)(?::(\d+))?/;
const CORE_PLACE = /sim-core:\/\/\/(\w+)\.js:(\d+):(\d+)/;

/** The source map of the core or of a part, if it is known. */
export type Maps = (script: string) => SourceMap | undefined;

/** Names of the bundle's scripts that a stack goes through. */
export function scriptsIn(stack: string): string[] {
  const places = stack.match(new RegExp(CORE_PLACE, "g")) ?? [];
  return [...new Set(places.map((place) => CORE_PLACE.exec(place)![1]!))];
}

/**
 * The frames of `stack` that lie in the simulator's files, innermost first;
 * those in the bundle too if its maps are given.
 */
export function framesOf(stack: string, maps?: Maps): Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.split("\n")) {
    const place = PLACE.exec(line);
    if (place) {
      const [, file, row, column] = place;
      const name = nameIn(line.slice(0, place.index));
      frames.push({ file: file!, line: Number(row), column: Number(column ?? 1), name });
      continue;
    }
    const inCore = CORE_PLACE.exec(line);
    if (!inCore) continue;
    const [, script = "", row, column] = inCore;
    const source = maps?.(script)?.place(Number(row), Number(column));
    // Functions and classes have lost their names in the bundle, methods not.
    if (source?.file.endsWith(".ts"))
      frames.push({ ...source, name: methodOf(nameIn(line.slice(0, inCore.index))) });
  }
  return frames;
}

/** V8: `at async Class.name (`; the others: `name@`. */
function nameIn(before: string): string {
  const v8 = /^\s*at (?:async )?(?:new )?(\S+)(?: \[as \S+\])? \($/.exec(before);
  return v8?.[1] ?? /^([^@]*)@$/.exec(before)?.[1] ?? "";
}

function methodOf(name: string): string {
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "";
}

/** Files whose frames only pass a call on, the kernel's first of all. */
const PLUMBING = [/^(kernel|client)\/|(^|\/)transport\.ts$/, /^kernel\/|(^|\/)transport\.ts$/];

/** The innermost frame that is not plumbing: the line that did it. */
export function actingFrame(frames: readonly Frame[]): Frame | undefined {
  for (const plumbing of PLUMBING) {
    const found = frames.find((frame) => !plumbing.test(frame.file));
    if (found) return found;
  }
  return frames[0];
}
