import { beforeEach, describe, expect, it } from "vitest";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import { Action, clusterEvent } from "../../../sim/src/scheduler/cluster-events.ts";
import { Nominator } from "../../../sim/src/scheduler/queue/nominator.ts";
import { SchedulingQueue } from "../../../sim/src/scheduler/queue/queue.ts";
import type { QueuedPod } from "../../../sim/src/scheduler/queue/queued-pod.ts";
import { podOf } from "./objects.ts";

const NODE_ADDED = clusterEvent("Node", Action.Add);
const NODE_TAINTED = clusterEvent("Node", Action.UpdateNodeTaint);

let kernel: Kernel;
let queue: SchedulingQueue;

beforeEach(() => {
  kernel = new Kernel();
  const hints = new Map([
    ["Fit", [{ event: NODE_ADDED }]],
    ["Picky", [{ event: NODE_ADDED, hint: () => false }]],
  ]);
  const less = (a: QueuedPod, b: QueuedPod) => a.info.priority > b.info.priority;
  queue = new SchedulingQueue(kernel, { hints, less, preEnqueue: () => null }, new Nominator());
});

function add(name: string, priority = 0): void {
  const pod: Pod = podOf(name, { spec: { priority } });
  queue.add({ ...pod, metadata: { ...pod.metadata, uid: name } });
}

/** Pops the next Pod and gives it back as refused by `plugin`. */
function failNext(plugin: string): QueuedPod {
  const queued = queue.pop();
  if (!queued) throw new Error("the queue is empty");
  queued.unschedulablePlugins = new Set(plugin ? [plugin] : []);
  queue.giveBack(queued);
  return queued;
}

const nextName = () => queue.pop()?.info.pod.metadata.name;

describe("the scheduling queue", () => {
  it("gives the highest priority first, then the one that came first", () => {
    for (const [name, priority] of Object.entries({ a: 1, b: 5, c: 5, d: 9, e: 1 })) {
      add(name, priority);
    }
    expect([nextName(), nextName(), nextName(), nextName(), nextName()]).toEqual([
      ...["d", "b", "c", "a", "e"],
    ]);
    expect(nextName()).toBeUndefined();
  });

  it("forgets a deleted Pod wherever it waits", () => {
    for (const name of ["a", "b", "c"]) add(name);
    queue.delete("default/b");
    failNext("Fit");
    queue.delete("default/a");
    expect(nextName()).toBe("c");
    expect(queue.sizes).toEqual({ active: 0, backoff: 0, unschedulable: 0 });
  });

  it("moves a refused Pod only by events that its plugin registered", () => {
    add("a");
    failNext("Fit");
    queue.move(NODE_TAINTED);
    expect(queue.sizes.unschedulable).toBe(1);
    queue.move(NODE_ADDED);
    expect(queue.sizes.unschedulable).toBe(0);
  });

  it("leaves a Pod where it is if the hint says that the event does not help", () => {
    add("a");
    failNext("Picky");
    queue.move(NODE_ADDED);
    expect(queue.sizes.unschedulable).toBe(1);
  });

  it("takes a Pod out of its backoff early if nothing else waits", () => {
    add("a");
    failNext("Fit");
    queue.move(NODE_ADDED);
    expect(queue.sizes).toEqual({ active: 0, backoff: 1, unschedulable: 0 });
    expect(nextName()).toBe("a");
  });

  it("spares the API server: after an error the backoff is kept", async () => {
    add("a");
    failNext("");
    expect(nextName()).toBeUndefined();
    await kernel.run({ untilMs: 1000 });
    expect(queue.sizes.active).toBe(0);
    await kernel.run({ untilMs: 2000 });
    expect(nextName()).toBe("a");
  });

  it("doubles the backoff with each refusal, to 10 s", () => {
    add("a");
    const ends: number[] = [];
    for (let i = 0; i < 6; i++) {
      ends.push(failNext("Fit").backoffEndsAtMs);
      queue.move(NODE_ADDED);
    }
    expect(ends).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it("gives every Pod another try after 5 minutes", async () => {
    add("a");
    failNext("Picky");
    await kernel.run({ untilMs: 5 * 60_000 });
    expect(queue.sizes.unschedulable).toBe(1);
    await kernel.run({ untilMs: 5 * 60_000 + 30_000 });
    expect(queue.sizes.unschedulable).toBe(0);
  });

  it("calls when there is something to pop", () => {
    let calls = 0;
    queue.onReady = () => calls++;
    add("a");
    failNext("Fit");
    queue.activate("default/a");
    expect(calls).toBe(2);
  });
});
