import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../../sim/src/api/text-diff.ts";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { changeComplaint } from "./kinds-support.ts";

type Body = KubeObject & { message?: string; spec?: object };
interface Case {
  response: { body?: Body };
}

describe("a change that a Pod does not allow", () => {
  it("is shown as the real server showed it", () => {
    const file = new URL("../../vectors/apiserver-golden.json", import.meta.url);
    const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: Case[] };
    const bodies = cases.map((c) => c.response.body);
    const pod = bodies.find((b) => b?.kind === "Pod" && b.metadata.name === "p1");
    const told = bodies.find((b) => b?.message?.includes("pod updates may not change"));
    if (!pod) throw new Error("the recording has no Pod p1");
    const next = { ...pod, spec: { ...pod.spec, nodeName: "n1" } };
    expect(`Pod "p1" is invalid: ${changeComplaint(next, pod)}`).toBe(told?.message);
  });
});

describe("unified diffs", () => {
  it("say nothing of equal texts", () => {
    expect(unifiedDiff(["a", "b"], ["a", "b"])).toBe("");
  });

  it("show three lines around a change, and far changes apart", () => {
    const before = [..."abcdefghijklmnop"];
    const after = before.map((line) => (line === "b" ? "B" : line)).filter((line) => line !== "o");
    expect(unifiedDiff(before, after)).toBe(
      "@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n@@ -12,5 +12,4 @@\n l\n m\n n\n-o\n p\n",
    );
  });

  it("join changes that are near", () => {
    const before = [..."abcdefgh"];
    const after = before.map((line) => (line === "b" || line === "f" ? line.toUpperCase() : line));
    expect(unifiedDiff(before, after)).toBe(
      "@@ -1,8 +1,8 @@\n a\n-b\n+B\n c\n d\n e\n-f\n+F\n g\n h\n",
    );
  });
});
