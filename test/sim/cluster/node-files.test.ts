/** Files of a scenario's nodes: what lies in /etc/cni/net.d decides about the network. */
import { createSession, type NodeOption, objectsAt, type Row, rowOf } from "@shikumi/sim";
import { describe, expect, it } from "vitest";

const PATH = "/etc/cni/net.d/10-podnet.conflist";
const POD = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: c, image: "nginx:1.27" }] }
`;

async function run(files: NonNullable<NodeOption["files"]>): Promise<Row[]> {
  const session = createSession({
    seed: 5,
    scenario: { nodes: [{ files }], untilMs: 40_000, quietMs: 0 },
    inputs: [{ atMs: 1_000, do: "apply", yaml: POD }],
  });
  await session.run();
  const rows: Row[] = [];
  for (const entry of session.kernel.trace) rows.push(rowOf(entry));
  return rows;
}

const statusOf = (rows: readonly Row[], id: string) =>
  objectsAt(rows, Number.POSITIVE_INFINITY).get(id)?.ready;

describe("files of a node", () => {
  it("have the usual network unless the scenario says otherwise", async () => {
    const rows = await run([]);
    expect(statusOf(rows, "Node node-1")).toBe(true);
    expect(statusOf(rows, "Pod default/web")).toBe(true);
  });

  it("may lack the network's file: the node is not Ready", async () => {
    const rows = await run([{ path: PATH }]);
    expect(statusOf(rows, "Node node-1")).toBe(false);
    expect(rows.some(({ verb }) => verb === "cni")).toBe(false);
  });

  it("may come later, and the runtime takes notice", async () => {
    const conf = { cniVersion: "1.0.0", name: "late", plugins: [{ type: "bridge" }] };
    const text = JSON.stringify(conf);
    const rows = await run([{ path: PATH }, { path: PATH, text, atMs: 15_000 }]);
    const told = rows.find(({ subject }) => subject === `writes ${PATH} on node-1`);
    expect(told?.atMs).toBe(15_000);
    expect(statusOf(rows, "Node node-1")).toBe(true);
  });
});

describe("a node whose plugin is missing", () => {
  const conf = { cniVersion: "1.0.0", name: "left", plugins: [{ type: "weave-net" }] };
  const files = [{ path: PATH, text: JSON.stringify(conf) }];

  it("is Ready, but tells why it can make no network, and why it cannot clean up", async () => {
    const session = createSession({
      seed: 5,
      scenario: { nodes: [{ files }], untilMs: 40_000, quietMs: 0 },
      inputs: [{ atMs: 1_000, do: "apply", yaml: POD }],
    });
    await session.run();
    const errors = new Map<string, string>();
    for (const { verb, subject, detail } of session.kernel.trace) {
      const { error } = (detail ?? {}) as { error?: string };
      if (verb === "cri" && error) errors.set(subject, error);
    }
    const missing = 'failed to find plugin "weave-net" in path [/opt/cni/bin]';
    expect(errors.get("RunPodSandbox")).toContain(
      `plugin type="weave-net" failed (add): ${missing}`,
    );
    expect(errors.get("StopPodSandbox")).toContain(`failed (delete): ${missing}`);
  });
});
