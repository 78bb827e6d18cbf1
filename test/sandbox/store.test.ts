/** The state of a sandbox: what the reader typed outlives a look at the solution, and a reload. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LabData, SandboxStore } from "../../src/sandbox/store.ts";

const lab: LabData = {
  id: "loop",
  lesson: "reconcile-loop",
  title: "Loop",
  caption: "It loops.",
  task: "Write it.",
  scenario: { name: "loop" },
  manifest: "",
  files: ["a.ts"],
  seed: 7,
};
const open = () => new SandboxStore(lab, "en", { "a.ts": "original" });
const solution = { "a.ts": "solved", "b.ts": "solved too" };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the solution of a lab", () => {
  it("takes the place of the edits, opens its files, and gives the edits back", () => {
    const store = open();
    store.edit("a.ts", "mine");
    store.showSolution(solution);
    expect([store.textOf("a.ts"), store.textOf("b.ts")]).toEqual(["solved", "solved too"]);
    expect(store.openFiles.value).toContain("b.ts");
    store.showOwn();
    expect([store.textOf("a.ts"), store.textOf("b.ts")]).toEqual(["mine", undefined]);
    expect(store.own.value).toBeNull();
  });

  it("and the edits behind it are both there after a reload", () => {
    const before = open();
    before.edit("a.ts", "mine");
    before.showSolution(solution);
    before.edit("a.ts", "solved, and changed");
    const after = open();
    expect(after.textOf("a.ts")).toBe("solved, and changed");
    after.showOwn();
    expect(after.textOf("a.ts")).toBe("mine");
    expect(open().textOf("a.ts")).toBe("mine");
  });

  it("may be a manifest", () => {
    const store = open();
    store.edit("manifest.yaml", "my wish");
    store.edit("a.ts", "mine");
    store.showSolution({ "manifest.yaml": "the wish" });
    expect([store.manifest.value, store.textOf("a.ts")]).toEqual(["the wish", "original"]);
    expect(store.activeFile.value).toBe("manifest.yaml");
    const after = open();
    after.showOwn();
    expect([after.manifest.value, after.textOf("a.ts")]).toEqual(["my wish", "mine"]);
  });

  it("goes with Reset, as everything does", () => {
    const store = open();
    store.edit("a.ts", "mine");
    store.showSolution(solution);
    store.reset();
    expect([store.own.value, store.textOf("a.ts")]).toEqual([null, "original"]);
    expect(open().textOf("a.ts")).toBe("original");
  });
});
