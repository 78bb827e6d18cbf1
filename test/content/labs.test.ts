/**
 * Every lab of every lesson: it runs; if it sets a task, the start fails a
 * check and the solution passes all of them on 20 seeds.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as sim from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import type { Lab } from "../../src/sandbox/lab.ts";
import type { Asked } from "./lab-runner.ts";
import { type Report, runsOf } from "./lab-runs.ts";

const root = join(import.meta.dirname, "../..");
const files = globSync("content/*/*/lab.ts", { cwd: root }).sort();
const SEEDS = 20;

/** The lab with the files of a folder in place of the simulator's. */
function runEdited(asked: Asked): Report {
  const argv = [join(root, "test/content/lab-runner.ts"), JSON.stringify(asked)];
  const child = spawnSync(process.execPath, argv, { encoding: "utf8", cwd: root });
  if (child.status !== 0) throw new Error(child.stderr.slice(0, 3000));
  return JSON.parse(child.stdout) as Report;
}

expect(files.length).toBeGreaterThan(0);
for (const file of files) {
  const { default: labs } = (await import(pathToFileURL(join(root, file)).href)) as {
    default: readonly Lab[];
  };
  describe(basename(dirname(file)), () => {
    it("is plain data, which a worker can be sent", () => {
      for (const { scenario, inputs = [] } of labs) {
        expect(JSON.parse(JSON.stringify({ scenario, inputs }))).toEqual({ scenario, inputs });
      }
    });
    for (const lab of labs) {
      const { id, checks = [] } = lab;
      if (checks.length === 0) {
        it(`lab ${id} runs`, async () => {
          const report = await runsOf({ sim, lab, seeds: 1 });
          expect(report.errors.length > 0).toBe(lab.meetsErrors ?? false);
          expect(report.rows).toBeGreaterThan(50);
        });
        continue;
      }
      const folder = join(root, dirname(file));
      const asked = { file: join(root, file), lab: id, seeds: SEEDS };
      it(`lab ${id}: the start fails a check`, async () => {
        const overlay = join(folder, "start", id);
        const { seen } = existsSync(overlay)
          ? runEdited({ ...asked, overlay, untilFailure: true })
          : await runsOf({ sim, lab, seeds: SEEDS, untilFailure: true });
        expect(seen).not.toEqual([]);
      });
      it(`lab ${id}: the solution passes all checks on ${SEEDS} seeds`, () => {
        const overlay = join(folder, "solution", id);
        expect(existsSync(overlay)).toBe(true);
        const { passed, seen } = runEdited({ ...asked, overlay, untilFailure: false });
        expect(seen).toEqual([]);
        expect(passed).toEqual(Object.fromEntries(checks.map((check) => [check.id, SEEDS])));
      });
    }
  });
}
