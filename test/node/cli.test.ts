/** The command line as a person meets it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { durationMs, readFlags } from "../../sim/node/args.ts";

const folder = mkdtempSync(join(tmpdir(), "shikumi-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

function shikumi(...argv: string[]) {
  return spawnSync(process.execPath, ["sim/node/cli.ts", ...argv], { encoding: "utf8" });
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const deployment = (image: string, cpu = "100m") => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "${image}", resources: {requests: {cpu: "${cpu}"}}}]}
`;

describe("shikumi run", () => {
  it("prints what happened and ends with the state reached", () => {
    const child = shikumi(
      "run",
      "-f",
      file("web.yaml", deployment("nginx:1.27")),
      "--expect",
      "available",
    );
    expect(child.status).toBe(0);
    expect(child.stdout).toContain("POST deployments.apps default/web");
    expect(child.stdout).toContain("RunPodSandbox");
    expect(child.stdout).toContain(
      "Deployment default/web: 2 wanted, 2 updated, 2 ready, 2 available",
    );
    expect(child.stdout).not.toContain("leases.coordination");
    expect(child.stdout).not.toContain("WATCH pods");
    expect(child.stdout).not.toContain("ContainerStatus");
    expect(child.stdout).toMatch(/node-lifecycle-controller → .* PATCH nodes node-1/);
  });

  it("exits 1 with the reason if the expectation was not met", () => {
    const manifest = file("big.yaml", deployment("nginx:1.27", "64"));
    const child = shikumi(
      "run",
      "-f",
      manifest,
      "--nodes",
      "2",
      "--expect",
      "available",
      "--for",
      "20s",
    );
    expect(child.status).toBe(1);
    expect(child.stderr).toContain("Deployment default/web has 0 of 2 Pods available");
    expect(child.stderr).toContain("Pending, no node");
  });

  it("says plainly what was typed wrong", () => {
    for (const [argv, says] of [
      [["run"], "run needs a manifest"],
      [["run", "-f", join(folder, "none.yaml")], "cannot be read"],
      [["run", "-f", "x", "--nodez", "3"], "there is no flag --nodez"],
      [["run", "-f", file("w.yaml", deployment("a")), "--for", "soon"], '"soon" is no duration'],
      [["fly"], 'there is no command "fly"'],
    ] as const) {
      const child = shikumi(...argv);
      expect(child.status).toBe(2);
      expect(child.stderr).toContain(says);
      expect(child.stderr).not.toContain("    at ");
    }
  });

  it("exits 1 if a manifest could not be applied", () => {
    const child = shikumi(
      "run",
      "-f",
      file("bad.yaml", "kind: Nothing\napiVersion: v1\nmetadata: {name: x}\n"),
    );
    expect(child.status).toBe(1);
    expect(child.stdout).toContain('no matches for kind "Nothing"');
  });
});

describe("flags", () => {
  it("are read in every usual form", () => {
    const flags = readFlags(["-f", "a", "--f=b", "c", "--all", "--", "--d"], {
      f: true,
      all: false,
    });
    expect(flags.all("f")).toEqual(["a", "b"]);
    expect(flags.has("all")).toBe(true);
    expect(flags.words).toEqual(["c"]);
    expect(flags.rest).toEqual(["--d"]);
  });

  it("take durations", () => {
    expect(["60s", "1500ms", "1m30s", "0.5s"].map(durationMs)).toEqual([60_000, 1500, 90_000, 500]);
    expect(() => durationMs("10")).toThrow("no duration");
  });
});
