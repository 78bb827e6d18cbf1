/** Storage in a running cluster: from the claim to the mount, and to another node. */
import { createSession, type Input, type Session } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import type { VolumeAttachment } from "../../../sim/src/api/kinds/volumeattachment.ts";
import { CLAIM } from "./claim.ts";

const pod = (name: string, node: string) => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  nodeSelector: { kubernetes.io/hostname: ${node} }
  containers: [{ name: c, image: "nginx:1.27", volumeMounts: [{ name: d, mountPath: /data }] }]
  volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }]
---
`;

async function run(inputs: readonly Input[], untilMs: number): Promise<Session> {
  const session = createSession({
    seed: 4,
    scenario: { nodes: 2, storage: true, untilMs, quietMs: 0 },
    inputs,
  });
  await session.run();
  return session;
}

const calls = ({ kernel }: Session) =>
  [...kernel.trace].filter(({ verb }) => verb === "csi").map(({ subject }) => subject);

function phase({ cluster }: Session, name: string): string | undefined {
  const found = cluster.server.storageOf("pods").get("default", name);
  return (found as { status?: { phase?: string } } | undefined)?.status?.phase;
}

const START: Input = { atMs: 500, do: "apply", yaml: CLAIM + pod("a", "node-1") };

describe("storage in a cluster", () => {
  it("waits for the first consumer, then provisions, attaches, stages and publishes", async () => {
    const alone = await run([{ atMs: 500, do: "apply", yaml: CLAIM }], 20_000);
    expect(calls(alone)).toEqual([]);
    const session = await run([START], 30_000);
    expect([...new Set(calls(session))]).toEqual([
      ...["CreateVolume", "ControllerPublishVolume"],
      ...["NodeStageVolume", "NodePublishVolume"],
    ]);
    expect(phase(session, "a")).toBe("Running");
  });

  it("waits for the node that has it, and tells its Pod", async () => {
    const both: Input[] = [START, { atMs: 12_000, do: "apply", yaml: pod("b", "node-2") }];
    const waiting = await run(both, 30_000);
    expect(phase(waiting, "b")).toBe("Pending");
    const attachments = ({ cluster }: Session) =>
      [...cluster.server.storageOf("volumeattachments").cache.list("")].map(
        (one) => (one as VolumeAttachment).spec.nodeName,
      );
    expect(attachments(waiting)).toEqual(["node-1"]);
    const events = [...waiting.cluster.server.storageOf("events").cache.list("default")];
    const told = events.map((one) => (one as { message?: string }).message ?? "");
    expect(told.find((text) => text.startsWith("Multi-Attach"))).toMatch(
      /^Multi-Attach error for volume "pvc-[0-9a-f-]+" Volume is already used by pod\(s\) a$/,
    );
    const freed = await run(
      [...both, { atMs: 30_000, do: "kubectl", line: "delete pod a" }],
      60_000,
    );
    expect(phase(freed, "b")).toBe("Running");
    expect(attachments(freed)).toEqual(["node-2"]);
  });

  it("moves with its Pod to another node", async () => {
    const inputs: Input[] = [
      START,
      { atMs: 20_000, do: "kubectl", line: "delete pod a" },
      { atMs: 25_000, do: "apply", yaml: pod("b", "node-2") },
    ];
    const session = await run(inputs, 90_000);
    expect(phase(session, "b")).toBe("Running");
    const attachments = session.cluster.server.storageOf("volumeattachments").cache.list("");
    const nodes = attachments.map((one) => (one as VolumeAttachment).spec.nodeName);
    expect(nodes).toEqual(["node-2"]);
    expect(calls(session)).toContain("ControllerUnpublishVolume");
  });

  it("deletes the disk with the claim", async () => {
    const inputs: Input[] = [
      START,
      { atMs: 20_000, do: "kubectl", line: "delete pod a" },
      { atMs: 30_000, do: "kubectl", line: "delete pvc data" },
    ];
    const session = await run(inputs, 90_000);
    expect(calls(session)).toContain("DeleteVolume");
    expect(session.cluster.server.storageOf("persistentvolumes").cache.list("")).toEqual([]);
  });
});
