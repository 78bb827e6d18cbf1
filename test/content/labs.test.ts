/**
 * Every lab of every lesson: it runs; if it sets a task, the start fails a
 * check and the solution passes all of them, on 20 seeds each.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Lab } from "../../src/sandbox/lab.ts";

const root = join(import.meta.dirname, "../..");
const files = globSync("content/*/*/lab.ts", { cwd: root }).sort();
const scratch = mkdtempSync(join(tmpdir(), "shikumi-labs-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Report {
  /** By check: seeds that passed. */
  readonly passed: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly errors: readonly string[];
  readonly seen: readonly string[];
}

/** Runs the lab with `overlay` laid over the simulator's source, and its `manifest.yaml` if it has one. */
function runLab(file: string, lab: Lab, seeds: number, overlay?: string): Report {
  let sim = join(root, "sim/src");
  if (overlay) {
    sim = join(scratch, `${basename(dirname(file))}-${lab.id}-${basename(dirname(overlay))}`);
    cpSync(join(root, "sim/src"), sim, { recursive: true });
    cpSync(overlay, sim, { recursive: true });
  }
  const argv = [
    join(root, "test/content/lab-runner.ts"),
    sim,
    join(root, file),
    lab.id,
    String(seeds),
  ];
  const manifest = overlay && join(overlay, "manifest.yaml");
  if (manifest && existsSync(manifest)) argv.push(manifest);
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
      const { checks = [] } = lab;
      if (checks.length === 0) {
        it(`lab ${lab.id} runs`, () => {
          const report = runLab(file, lab, 1);
          expect(report.errors.length > 0).toBe(lab.meetsErrors ?? false);
          expect(report.rows).toBeGreaterThan(50);
        });
        continue;
      }
      it(`lab ${lab.id}: the start fails a check`, () => {
        const start = join(root, dirname(file), "start", lab.id);
        const { passed } = runLab(file, lab, 20, existsSync(start) ? start : undefined);
        expect(Object.values(passed).some((count) => count < 20)).toBe(true);
      });
      it(`lab ${lab.id}: the solution passes all checks on 20 seeds`, () => {
        const overlay = join(root, dirname(file), "solution", lab.id);
        expect(existsSync(overlay)).toBe(true);
        const { passed, seen } = runLab(file, lab, 20, overlay);
        expect(seen).toEqual([]);
        expect(passed).toEqual(Object.fromEntries(checks.map(({ id }) => [id, 20])));
      });
    }
  });
}
