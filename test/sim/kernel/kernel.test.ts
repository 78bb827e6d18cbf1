import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Kernel, Random, StuckError } from "../../../sim/src/kernel/index.ts";

describe("the clock", () => {
  it("runs steps by time, and first in, first out among equals", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { maxLength: 200 }), async (delays) => {
        const kernel = new Kernel();
        const seen: [number, number][] = [];
        delays.forEach((delay, i) => {
          kernel.after(delay, () => seen.push([delay, i]));
        });
        await kernel.run();
        expect(seen).toEqual(
          delays.map((d, i) => [d, i]).sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!),
        );
      }),
    );
  });

  it("drops a cancelled step, and stops before a step later than untilMs", async () => {
    const kernel = new Kernel();
    const seen: string[] = [];
    kernel.after(5, () => seen.push("cancelled")).cancel();
    kernel.after(10, () => seen.push("ten"));
    kernel.after(20, () => seen.push("twenty"));
    expect(await kernel.run({ untilMs: 15 })).toMatchObject({ reason: "time", steps: 1 });
    expect(kernel.now()).toBe(15);
    expect(seen).toEqual(["ten"]);
    expect((await kernel.run()).reason).toBe("idle");
    expect(seen).toEqual(["ten", "twenty"]);
  });

  it("steps one at a time and pauses between steps", async () => {
    const kernel = new Kernel();
    let n = 0;
    for (let i = 0; i < 3; i++) kernel.after(i, () => n++);
    expect(await kernel.step()).toBe(true);
    expect(n).toBe(1);
    expect((await kernel.run({ maxSteps: 1 })).reason).toBe("steps");
    expect(n).toBe(2);
    expect((await kernel.run({ stopWhen: () => n === 3 })).reason).toBe("stopped");
    expect(await kernel.step()).toBe(false);
  });

  it("tells simulated time as the API does", async () => {
    const kernel = new Kernel({ epoch: "2026-01-01T00:00:00Z" });
    kernel.after(1500.25, () => {});
    await kernel.run();
    expect(kernel.timestamp()).toBe("2026-01-01T00:00:01Z");
    expect(kernel.microTimestamp()).toBe("2026-01-01T00:00:01.500250Z");
    expect(kernel.msOf("2026-01-01T00:01:00Z")).toBe(60_000);
  });
});

describe("processes", () => {
  it("interleave at their waits, in simulated time", async () => {
    const kernel = new Kernel();
    const seen: string[] = [];
    for (const [name, ms] of [
      ["a", 10],
      ["b", 4],
    ] as const) {
      kernel.spawn(name, async () => {
        for (let i = 0; i < 2; i++) {
          await kernel.sleep(ms);
          seen.push(`${name}@${kernel.now()}`);
        }
      });
    }
    await kernel.run();
    expect(seen).toEqual(["b@4", "b@8", "a@10", "a@20"]);
  });

  it("finish all their microtasks before the next step", async () => {
    const kernel = new Kernel();
    const seen: string[] = [];
    const deep = async (n: number): Promise<void> => {
      if (n > 0) await deep(n - 1);
    };
    kernel.spawn("p", async () => {
      await kernel.sleep(1);
      await deep(50);
      seen.push("p");
      await kernel.sleep(5);
    });
    kernel.after(1, () => {
      kernel.after(0, () => seen.push("next step"));
    });
    await kernel.run();
    expect(seen).toEqual(["p", "next step"]);
  });

  it("may wait for several things at once", async () => {
    const kernel = new Kernel();
    const seen: string[] = [];
    const branch = async (ms: number) => {
      await kernel.sleep(ms);
      await kernel.sleep(1);
      seen.push(`${ms} done @${kernel.now()}`);
      return ms;
    };
    kernel.spawn("p", async () => {
      const all = await Promise.all([branch(3), branch(1), branch(2)]);
      seen.push(`all ${all.join()} @${kernel.now()}`);
    });
    await kernel.run();
    expect(seen).toEqual(["1 done @2", "2 done @3", "3 done @4", "all 3,1,2 @4"]);
  });

  it("keep their cause across waits", async () => {
    const kernel = new Kernel();
    kernel.spawn("a", async () => {
      kernel.causeId = kernel.record("a", "reconcile", "x");
      await kernel.sleep(2);
      kernel.record("a", "log", "after the wait");
    });
    kernel.spawn("b", async () => {
      await kernel.sleep(1);
      kernel.record("b", "log", "no cause");
    });
    await kernel.run();
    const entries = [...kernel.trace];
    expect(entries.map((e) => [e.subject, e.causeId])).toEqual([
      ["x", 0],
      ["no cause", 0],
      ["after the wait", 1],
    ]);
    expect(kernel.trace.why(3).map((e) => e.id)).toEqual([3, 1]);
  });

  it("that wait for something foreign are found and named", async () => {
    const kernel = new Kernel();
    kernel.spawn("replicaset-controller", async () => {
      await kernel.sleep(7);
      await new Promise(() => {});
    });
    await expect(kernel.run()).rejects.toThrow(StuckError);
    expect(kernel.now()).toBe(1007);
  });

  it("that throw end the run unless somebody handles it", async () => {
    const kernel = new Kernel();
    const fail = async () => {
      await kernel.sleep(1);
      throw new Error("boom");
    };
    kernel.spawn("p", fail);
    await expect(kernel.run()).rejects.toThrow("boom");
    const caught: string[] = [];
    kernel.onError = (error, process) =>
      caught.push(`${process.actor}: ${(error as Error).message}`);
    kernel.spawn("q", fail);
    await kernel.run();
    expect(caught).toEqual(["q: boom"]);
  });
});

describe("a run is a value", () => {
  async function busyRun(seed: number): Promise<string> {
    const kernel = new Kernel({ seed });
    const random = kernel.random.fork("load");
    for (let p = 0; p < 5; p++) {
      kernel.spawn(`p${p}`, async () => {
        for (let i = 0; i < 20; i++) {
          await kernel.sleep(random.between(0, 3));
          kernel.causeId = kernel.record(`p${p}`, "log", kernel.uid());
        }
      });
    }
    await kernel.run();
    return kernel.trace.hash();
  }

  it("the same seed gives the same trace, another seed another", async () => {
    expect(await busyRun(7)).toBe(await busyRun(7));
    expect(await busyRun(7)).not.toBe(await busyRun(8));
  });

  it("the trace costs no change: ids and times are the same when it is thin", async () => {
    const ids = async (level: "full" | "thin") => {
      const kernel = new Kernel({ trace: level });
      for (let i = 0; i < 10; i++) {
        kernel.after(i, () => {
          kernel.record("a", i % 2 ? "write" : "request", `x${i}`);
        });
      }
      await kernel.run();
      return [...kernel.trace].filter((e) => e.verb === "write").map((e) => [e.id, e.atMs]);
    };
    expect(await ids("thin")).toEqual(await ids("full"));
  });
});

describe("randomness", () => {
  it("forks are independent of how much the parent drew", () => {
    const a = new Random(1);
    const b = new Random(1);
    b.float();
    expect(a.fork("x").float()).toBe(b.fork("x").float());
    expect(a.fork("x").float()).not.toBe(a.fork("y").float());
  });

  it("makes version 4 uuids, names of five letters, and even draws", () => {
    const random = new Random("names");
    expect(random.uuid()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(random.suffix()).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 40_000; i++) counts[random.int(4)]!++;
    for (const n of counts) expect(Math.abs(n - 10_000)).toBeLessThan(500);
  });
});

describe("faults", () => {
  it("block, slow and heal what passes between two components", () => {
    const { faults } = new Kernel();
    expect(faults.blocked("a", "b")).toBe(false);
    faults.partition("a", "b");
    expect(faults.blocked("b", "a")).toBe(true);
    faults.heal("b", "a");
    expect(faults.blocked("a", "b")).toBe(false);
    faults.slowDown("a", 30);
    faults.slowDown("b", 12);
    expect(faults.delayMs("a", "b")).toBe(42);
    const seen: string[] = [];
    faults.onChange((actor, up) => seen.push(`${actor} ${up}`));
    faults.stop("a");
    faults.stop("a");
    expect(faults.blocked("x", "a")).toBe(true);
    faults.start("a");
    expect(seen).toEqual(["a false", "a true"]);
  });
});
