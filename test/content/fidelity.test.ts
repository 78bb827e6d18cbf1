/** The page on fidelity speaks of the whole simulator, and of nothing that is not there. */
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fidelityParts, leavesOut } from "../../src/lib/fidelity.ts";
import { numbersApart } from "../../src/lib/lesson-text.ts";
import { findVectors } from "../vectors-harness/index.ts";

const parts = fidelityParts();

describe("fidelity.yaml", () => {
  it("has each folder of the simulator in one part", () => {
    const folders = readdirSync("sim/src", { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const told = parts.flatMap((part) => part.folders);
    expect(told.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
  });

  it("names every recording, and none that there is not", () => {
    const known = new Set(findVectors("test/vectors").map(({ behaviour }) => behaviour));
    const told = new Set(parts.flatMap((part) => part.recordings ?? []));
    expect([...told].toSorted()).toEqual([...known].toSorted());
  });

  it.each(parts)("$id is whole", (part) => {
    expect(part.id).toMatch(/^[a-z-]+$/);
    for (const path of part.tests) expect(existsSync(path), path).toBe(true);
    for (const { ja, en } of [...part.modelled, ...(part.simplified ?? []), ...part.leftOut]) {
      expect(ja).toMatch(/。$/);
      expect(en).toMatch(/\.$/);
      expect(numbersApart(ja, en)).toEqual([]);
    }
  });
});

describe("what a file's header leaves out", () => {
  it("is read over several lines, and ends where the next entry begins", () => {
    const header =
      "/**\n * A store.\n * Leaves out: files, and\n *             disks.\n * Try: more.\n */";
    expect(leavesOut(header)).toBe("files, and disks.");
  });

  it("is nothing where the header says so, or says none", () => {
    expect(leavesOut("/**\n * A store.\n * Leaves out: nothing that shows.\n */")).toBeUndefined();
    expect(leavesOut("/** A store. */\nconst text = 'Leaves out: all';")).toBeUndefined();
  });
});
