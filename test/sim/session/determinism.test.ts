/** A run is a value: the same in this process, again, and in another one. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSession, type Input, type TraceLevel } from "@shikumi/sim";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "shikumi-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const yaml = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 5
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "nginx:1.27"}]}
`;

async function hashOf(
  seed: number,
  inputs: readonly Input[],
  trace: TraceLevel = "full",
): Promise<string> {
  const session = createSession({ seed, trace, scenario: { nodes: 3, untilMs: 30_000 }, inputs });
  await session.run();
  return session.kernel.trace.hash();
}

const apply: Input = { atMs: 1_000, do: "apply", yaml };

describe("the same seed", () => {
  it("gives the same trace, and another seed another", async () => {
    const hash = await hashOf(11, [apply]);
    expect(await hashOf(11, [apply])).toBe(hash);
    expect(await hashOf(12, [apply])).not.toBe(hash);
  });

  it("gives the same trace with faults", async () => {
    const inputs: Input[] = [
      apply,
      { atMs: 1_004, do: "stop", actor: "kube-scheduler" },
      { atMs: 2_000, do: "start", actor: "kube-scheduler" },
      { atMs: 3_000, do: "stop", actor: "node/node-1" },
    ];
    expect(await hashOf(5, inputs)).toBe(await hashOf(5, inputs));
  });

  it("gives the same trace file in two other processes, byte for byte", () => {
    const manifest = join(folder, "web.yaml");
    writeFileSync(manifest, yaml);
    const run = (name: string) => {
      const out = join(folder, name);
      const child = spawnSync(
        process.execPath,
        [
          "sim/node/cli.ts",
          "run",
          "-f",
          manifest,
          "--seed",
          "9",
          "--expect",
          "available",
          "--trace",
          out,
        ],
        {
          encoding: "utf8",
        },
      );
      expect(child.stderr).toBe("");
      expect(child.status).toBe(0);
      return readFileSync(out, "utf8");
    };
    const first = run("a.json");
    expect(run("b.json")).toBe(first);
    expect(JSON.parse(first).length).toBeGreaterThan(200);
  });
});
