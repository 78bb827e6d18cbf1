/** Call stacks of three engines, in which our files are named `sim:///path`. */
import type { Frame } from "./types.ts";

const PLACE = /sim:\/\/\/([\w./-]+\.ts):(\d+)(?::(\d+))?/;

/** The frames of `stack` that lie in the simulator's files, innermost first. */
export function framesOf(stack: string): Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.split("\n")) {
    const place = PLACE.exec(line);
    if (!place) continue;
    const before = line.slice(0, place.index);
    // V8: `at async Class.name (`; the others: `name@`.
    const name =
      /^\s*at (?:async )?(?:new )?(\S+) \($/.exec(before)?.[1] ??
      /^([^@]*)@$/.exec(before)?.[1] ??
      "";
    frames.push({ file: place[1]!, line: Number(place[2]), column: Number(place[3] ?? 1), name });
  }
  return frames;
}

/** Paths whose frames only pass a call on; the line of interest is theirs who called. */
const PLUMBING = /^(kernel|client)\/|(^|\/)transport\.ts$/;

/** The innermost frame that is not plumbing: the line that did it. */
export function actingFrame(frames: readonly Frame[]): Frame | undefined {
  return frames.find((frame) => !PLUMBING.test(frame.file)) ?? frames[0];
}
