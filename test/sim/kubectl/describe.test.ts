/**
 * kubectl describe against `described/recorded.txt`: what kubectl 1.35.2 printed of the
 * same objects, asked of this API server over HTTP. Times, uids and versions are masked.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

const dir = join(import.meta.dirname, "described");
const read = (name: string) => readFileSync(join(dir, name), "utf8");

const recorded = read("recorded.txt")
  .split(/^\$ kubectl /m)
  .slice(1)
  .map((part) => {
    const end = part.indexOf("\n");
    return { line: part.slice(0, end), text: part.slice(end + 1) };
  });

const MASKS: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uid>"],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(Z| \+0000 UTC)/g, "<time>"],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/g, "<time>"],
  [/(Resource Version: +)\d+/g, "$1<n>"],
  [/kube-api-access-\w{5}/g, "kube-api-access-<id>"],
  [/ +Age +From.*\n +----.*|\d+s \(x\d+ over \d+s\) +/g, "<events>"],
  [/^Warning: v1 Endpoints is deprecated.*\n/, ""],
];

/** A map of upstream's: its rows come in any order. */
function masked(text: string): string {
  const all = MASKS.reduce((now, [pattern, by]) => now.replace(pattern, by), text);
  const rows = / ?Container +(cpu|memory) .*\n?/g;
  const limits = (all.match(rows) ?? []).map((row) => row.trim()).toSorted();
  return [all.replace(rows, "").trimEnd(), ...limits].join("\n");
}

describe("kubectl describe", () => {
  let shell: Terminal;

  beforeAll(async () => {
    shell = await terminal();
    const files = { "objects.yaml": read("objects.yaml"), "widget.yaml": read("widget.yaml") };
    await shell.run("apply -f objects.yaml", files);
    await shell.pass(2_000);
    await shell.run("apply -f widget.yaml", files);
    await shell.pass(20_000);
  });

  it.each(recorded)("$line: as the real one prints it", async ({ line, text }) => {
    const said = (await shell.run(line)).replace(/\n\[exit 0\]$/, "");
    expect(masked(said)).toBe(masked(text));
  });
});
