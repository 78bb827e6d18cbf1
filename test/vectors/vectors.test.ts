import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { behaviours, canReplay, findVectors, replayFile } from "../vectors-harness/index.ts";

const here = dirname(fileURLToPath(import.meta.url));
const files = findVectors(here);

describe("recorded vectors", () => {
  it("has a known format in every file", () => {
    const unknown = files.filter((file) => !behaviours.includes(file.behaviour));
    expect(unknown.map((file) => file.path)).toEqual([]);
  });

  for (const file of files.filter(canReplay)) {
    it(`replays ${relative(here, file.path)}`, { timeout: 120_000 }, async () => {
      const report = await replayFile(file);
      expect(report.reason).toBeUndefined();
      expect(report.failures).toEqual([]);
      expect(report.total).toBeGreaterThan(0);
      expect(report.passed).toBe(report.total);
    });
  }
});
