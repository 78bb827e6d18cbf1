/** Help in kubectl's form, and what is said of unknown words; forms as kubectl 1.35.2 has them. */
import { beforeAll, describe, expect, it } from "vitest";
import { CREATE } from "../../../sim/src/kubectl/help/create.ts";
import { flagWords } from "../../../sim/src/kubectl/help/flag-words.ts";
import { GROUPS } from "../../../sim/src/kubectl/help/groups.ts";
import { ORDER } from "../../../sim/src/kubectl/help/root.ts";
import { SINGLE } from "../../../sim/src/kubectl/help/single.ts";
import { type Terminal, terminal } from "./support.ts";

const ALL = [...CREATE, ...GROUPS, ...SINGLE];
let shell: Terminal;

beforeAll(async () => {
  shell = await terminal();
});

describe("kubectl help", () => {
  it("lists commands by groups", async () => {
    const text = await shell.run("--help");
    expect(text).toContain("Basic Commands (Beginner):\n  create ");
    expect(text).toMatch(/\nUsage:\n {2}kubectl \[flags\] \[options\]\n/);
    expect(text).toMatch(/\[exit 0\]$/);
    expect(await shell.run("help")).toBe(text);
    expect(await shell.run("-h")).toBe(text);
  });

  it("shows usage and flags of a command, wherever help is asked for", async () => {
    const text = await shell.run("scale --help");
    expect(text).toContain("\n    -l, --selector='':\n\tChooses by labels");
    expect(text).toContain(
      "\nUsage:\n  kubectl scale [--resource-version=version] [--current-replicas=count] --replicas=COUNT (-f FILENAME | TYPE NAME) [options]\n",
    );
    expect(await shell.run("help scale")).toBe(text);
    expect(await shell.run("scale deploy/x -h --replicas=1")).toBe(text);
    expect(await shell.run("rollout undo --help")).toContain("--to-revision=0:");
    expect(await shell.run("help rollout")).toContain("Available Commands:\n  history ");
    expect(await shell.run("options")).toContain("    -n, --namespace='':");
    // What stands after the dashes is not kubectl's.
    expect(await shell.run("exec nosuch -- ls --help")).toContain("not found");
  });

  it("is shown by commands that do nothing alone, with upstream's exit codes", async () => {
    for (const [line, exit] of [
      ["rollout", 1],
      ["certificate", 0],
      ["auth", 1],
      ["set", 1],
      ["create secret", 1],
      ["config", 1],
    ])
      expect(await shell.run(String(line))).toMatch(
        new RegExp(`\nUsage:\n  kubectl ${line} [^]*\\[exit ${exit}\\]$`),
      );
    expect(await shell.run("rollout foo")).toBe(
      "error: unknown command \"foo\"\nSee 'kubectl rollout -h' for help and examples\n[exit 1]",
    );
  });

  it("has words for every flag, and a text for every command", () => {
    const flags = ALL.flatMap(({ flags = "" }) => flags.split(" ").filter(Boolean));
    const names = flags.map((flag) => flag.split("=")[0]!.split(",").at(-1)!);
    expect([...new Set(names)].filter((name) => flagWords(name) === "")).toEqual([]);
    expect(ORDER.filter((name) => !ALL.some(({ path }) => path === name))).toEqual([]);
  });
});

describe("what is no command", () => {
  it.each([
    ["gett pods", "\n\nDid you mean this?\n\tset\n\tget"],
    ["rollou", "\n\nDid you mean this?\n\trollout"],
    ["list", "\n\nDid you mean this?\n\tget\n\twait"],
    ["api-resource", "\n\nDid you mean this?\n\tapi-resources"],
    ["xyz123", ""],
  ])("%s", async (line, hint) => {
    const [word] = line.split(" ");
    expect(await shell.run(line)).toBe(
      `error: unknown command "${word}" for "kubectl"${hint}\n[exit 1]`,
    );
  });

  it("knows no such flag", async () => {
    expect(await shell.run("--foo")).toBe(
      "error: unknown flag: --foo\nSee 'kubectl --help' for usage.\n[exit 1]",
    );
    expect(await shell.run("get pods -Z")).toBe(
      "error: unknown shorthand flag: 'Z' in -Z\nSee 'kubectl get --help' for usage.\n[exit 1]",
    );
  });
});
