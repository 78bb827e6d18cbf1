/** What the figure of the namespaces draws, from a run of its lab. */
import { describe, expect, it } from "vitest";
import labs from "../../content/part-4-cri/01-containers/lab.ts";
import { namespaceTable } from "../../src/figures/namespaces/table.ts";
import { labOf, runOf } from "../../src/figures/run.ts";

async function table(manifest?: string) {
  return namespaceTable(await runOf(labOf(labs, "inside"), { manifest }));
}

describe("the namespaces of a node's processes", () => {
  it("has a column for each process, the pause of a Pod first", async () => {
    const { columns } = await table();
    expect(columns.map(({ pod, process }) => `${pod} ${process}`)).toEqual([
      ...["shop pause", "shop web", "shop logger", "neighbour pause", "neighbour web"],
    ]);
  });

  it("shares network, IPC and host name in a Pod, and nothing between Pods", async () => {
    const { lines } = await table();
    const cells = Object.fromEntries(lines.map((line) => [line.kind, line.cells.join(" ")]));
    const [all, own] = ["pod pod pod pod pod", "own own own own own"];
    expect(cells).toEqual({
      ...{ network: all, ipc: all, uts: all, pid: own, mount: own, cgroup: own },
      user: "node node node node node",
    });
    const counts = Object.fromEntries(lines.map(({ kind, count }) => [kind, count]));
    expect(counts).toMatchObject({ network: 2, ipc: 2, uts: 2, pid: 5, mount: 5, user: 0 });
  });

  it("shares the processes too where the Pod says so, and uses the node's network where it says so", async () => {
    const { lines } = await table(`apiVersion: v1
kind: Pod
metadata: { name: open }
spec:
  shareProcessNamespace: true
  hostNetwork: true
  containers:
    - { name: a, image: "nginx:1.27" }
    - { name: b, image: "busybox:1.37", command: [sh, -c, sleep 3600] }
`);
    const cells = Object.fromEntries(lines.map((line) => [line.kind, line.cells.join(" ")]));
    expect(cells).toMatchObject({
      network: "node node node",
      uts: "node node node",
      pid: "pod pod pod",
    });
  });
});
