import { describe, expect, it } from "vitest";
import { WorkQueue } from "../../../sim/src/client/workqueue.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

function setup(workMs = 10) {
  const kernel = new Kernel();
  const queue = new WorkQueue(kernel);
  const runs: string[] = [];
  const worker = async () => {
    for (let item = await queue.get(); item; item = await queue.get()) {
      runs.push(`${kernel.now()} ${item.key}`);
      await kernel.sleep(workMs);
      queue.done(item.key);
    }
  };
  const at = (ms: number, run: () => void) => kernel.after(ms, run);
  return { kernel, queue, runs, worker, at };
}

describe("WorkQueue", () => {
  it("folds adds of a key that waits into one", async () => {
    const { kernel, queue, runs, worker } = setup();
    for (const key of ["a", "b", "a", "a"]) queue.add(key);
    kernel.spawn("w", worker);
    await kernel.run();
    expect(runs).toEqual(["0 a", "10 b"]);
  });

  it("brings a key back that was added while it was worked on, once", async () => {
    const { kernel, queue, runs, worker, at } = setup();
    kernel.spawn("w", worker);
    kernel.spawn("w", worker);
    at(1, () => queue.add("a"));
    at(3, () => queue.add("a"));
    at(5, () => queue.add("a"));
    await kernel.run();
    expect(runs).toEqual(["1 a", "11 a"]);
  });

  it("doubles the wait of a key from 5 ms until it is forgotten", async () => {
    const { kernel, queue, runs, worker } = setup(0);
    kernel.spawn("w", worker);
    queue.addRateLimited("a");
    await kernel.run();
    queue.addRateLimited("a");
    await kernel.run();
    queue.addRateLimited("a");
    await kernel.run();
    expect(runs).toEqual(["5 a", "15 a", "35 a"]);
    queue.forget("a");
    queue.addRateLimited("a");
    await kernel.run();
    expect(runs.at(-1)).toBe("40 a");
  });

  it("waits 1,000 s at most", () => {
    const { kernel, queue } = setup();
    for (let i = 0; i < 30; i++) queue.addRateLimited("a");
    expect(queue.retries("a")).toBe(30);
    let steps = 0;
    return kernel.run({ untilMs: 1_000_000, stopWhen: () => ++steps > 100 }).then(() => {
      expect(queue.length).toBe(1);
    });
  });

  it("takes the earliest of several delayed adds", async () => {
    const { kernel, queue, runs, worker } = setup(0);
    kernel.spawn("w", worker);
    queue.addAfter("a", 50);
    queue.addAfter("a", 20);
    queue.addAfter("a", 80);
    await kernel.run();
    expect(runs).toEqual(["20 a"]);
  });

  it("keeps the cause of the add that queued the key", async () => {
    const { kernel, queue } = setup();
    kernel.causeId = 7;
    queue.add("a");
    kernel.causeId = 8;
    queue.add("a");
    let causeId = 0;
    kernel.spawn("w", async () => {
      causeId = (await queue.get())?.causeId ?? -1;
    });
    await kernel.run();
    expect(causeId).toBe(7);
  });

  it("ends its workers when it is shut down", async () => {
    const { kernel, queue, worker, at } = setup();
    const process = kernel.spawn("w", worker);
    at(5, () => queue.shutDown());
    await kernel.run();
    expect(process.ended).toBe(true);
    queue.add("a");
    expect(queue.length).toBe(0);
  });
});
