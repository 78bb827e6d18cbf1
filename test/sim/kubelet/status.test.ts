import { describe, expect, it } from "vitest";
import { Pod, type PodStatus } from "../../../sim/src/api/kinds/pod.ts";
import type { Client } from "../../../sim/src/client/client.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import { podConditions } from "../../../sim/src/kubelet/status/conditions.ts";
import { StatusManager } from "../../../sim/src/kubelet/status/manager.ts";
import { condition, podOf, World } from "./world.ts";

const ready = (status: string): PodStatus => ({ conditions: [{ type: "Ready", status }] });

/** The Pod's object as the API had it in one version. */
function pod(version: number, status: PodStatus = {}, deletionTimestamp?: string): Pod {
  const { metadata, ...rest } = podOf("web", {});
  const resourceVersion = `${version}`;
  return {
    ...rest,
    metadata: { ...metadata, uid: "u", resourceVersion, deletionTimestamp },
    status,
  };
}

/** A status manager before an API that answers after 10 ms, and what was asked of it. */
function manager(answer: () => Pod = () => pod(1)) {
  const kernel = new Kernel({ seed: 1 });
  const asked: unknown[] = [];
  const client = {
    async patch(...[, , , , body]: readonly unknown[]) {
      asked.push((body as { status: unknown }).status);
      await kernel.sleep(10);
      return answer();
    },
    async delete() {
      asked.push("delete");
    },
  } as unknown as Client;
  const status = new StatusManager({ kernel, actor: "kubelet/node-1", client });
  const run = (ms: number) => kernel.run({ untilMs: kernel.now() + ms });
  return { status, asked, run };
}

describe("the status manager", () => {
  it("puts right what others wrote, though a worker has the object from before", async () => {
    const { status, asked, run } = manager(() => pod(2, ready("True")));
    status.set(pod(1), ready("True"));
    await run(1_000);
    // Both came at once, after the node had been cut off: a label, then a verdict.
    status.update(pod(3, ready("True")));
    status.update(pod(4, ready("False")));
    status.set(pod(3, ready("True")), ready("True"));
    expect(asked).toHaveLength(1);
    await run(20_000);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject(ready("True"));
  });

  it("puts right what others wrote while its own answer was on the way", async () => {
    const { status, asked, run } = manager(() => pod(2, ready("True")));
    status.set(pod(1), ready("True"));
    await run(5);
    status.update(pod(3, ready("False")));
    await run(20_000);
    expect(asked).toHaveLength(2);
  });

  it("puts right what others wrote while a status was set that was written already", async () => {
    const { status, asked, run } = manager(() => pod(2, ready("True")));
    status.set(pod(1), ready("True"));
    await run(1_000);
    // One after the other, before there is time to write the first.
    status.set(pod(1), ready("False"));
    status.set(pod(1), ready("True"));
    await run(1_000);
    status.update(pod(3, ready("False")));
    await run(20_000);
    expect(asked).toHaveLength(2);
  });

  it("has nothing to put right while its own write has not come back", async () => {
    const { status, asked, run } = manager(() => pod(2, ready("True")));
    status.set(pod(1), ready("True"));
    await run(5);
    status.update(pod(1, ready("False")));
    await run(20_000);
    expect(asked).toHaveLength(1);
  });

  it("deletes a Pod whose deletion began while its worker had an older object", async () => {
    const { status, asked, run } = manager();
    status.set(pod(1), ready("True"));
    await run(1_000);
    status.update(pod(2, ready("True"), "2026-01-01T00:00:00Z"));
    status.finish(pod(1));
    await run(1_000);
    expect(asked.at(-1)).toBe("delete");
  });
});

describe("a Pod's conditions", () => {
  it("call a Pod failed or initialized by what its containers once did", () => {
    const base = { pod: pod(1), sandboxReady: true, initStatuses: [], others: [] };
    const failed = podConditions({ ...base, phase: "Failed", statuses: [] });
    expect(failed[3]).toEqual({ type: "ContainersReady", status: "False", reason: "PodFailed" });
    const spec = { ...base.pod.spec, initContainers: [{ name: "first", image: "i" }] };
    const initialized = (state: object) => {
      const one = { name: "app", image: "i", imageID: "", ready: false, restartCount: 0, state };
      const input = { ...base, pod: { ...base.pod, spec }, statuses: [one] };
      return podConditions({ ...input, phase: "Running" })[1]?.status;
    };
    expect(initialized({ terminated: { exitCode: 1 } })).toBe("True");
    expect(initialized({ waiting: { reason: "PodInitializing" } })).toBe("False");
  });

  it("give no reason once they are true", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", {}]);
    await world.run(10);
    const of = (type: string) => (at: Pod) =>
      at.status?.conditions?.find((one) => one.type === type)?.reason;
    const reasons = world.history.map(({ pod }) => of("Ready")(pod));
    expect(reasons).toContain("ContainersNotReady");
    const conditions = world.pod()!.status!.conditions!;
    expect(conditions.every(({ status }) => status === "True")).toBe(true);
    for (const one of conditions) expect(Object.keys(one)).not.toContain("reason");
    for (const one of conditions) expect(Object.keys(one)).not.toContain("message");
  });

  it("come back after others wrote them, whenever the kubelet began again", async () => {
    for (let delayMs = 0; delayMs < 12; delayMs += 0.5) {
      const world = new World();
      await world.run(2);
      await world.create(["web", {}]);
      await world.run(10);
      world.cluster.stop("kubelet/node-1");
      world.cluster.startAgain("kubelet/node-1");
      await world.run(delayMs / 1000);
      const body = { status: ready("False") };
      const type = "application/strategic-merge-patch+json";
      const subresource = "status";
      await world.do((client) => client.patch(Pod, "default", "web", type, body, { subresource }));
      expect(condition(world.pod(), "Ready")).toBe("False");
      await world.run(30);
      expect(`${delayMs}: ${condition(world.pod(), "Ready")}`).toBe(`${delayMs}: True`);
    }
  });
});
