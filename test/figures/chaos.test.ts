/** The table of answers of the lesson on high availability: what the text claims of it holds. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Answers, measureAll, type Probe } from "../../src/figures/chaos/measure.ts";

describe("what still works", () => {
  let table: ReadonlyMap<string, Answers>;
  beforeAll(async () => {
    table = new Map((await measureAll()).map(({ id, answers }) => [id, answers]));
  }, 60_000);
  const worked = (id: string) =>
    Object.entries(table.get(id) ?? {}).flatMap(([probe, s]) => (s === undefined ? [] : [probe]));
  const seconds = (id: string, probe: Probe) => Math.round(table.get(id)?.[probe] ?? Number.NaN);

  it("starts a container again, whatever is stopped", () => {
    for (const answers of table.values()) expect(answers.restart).toBeDefined();
  });

  it.each(["two-machines", "one-of-two", "load-balancer", "two-etcd"])(
    "does nothing else: %s",
    (id) => {
      expect(worked(id)).toEqual(["restart"]);
    },
  );

  it("needs a scheduler for a new Pod, and controllers to grow", () => {
    expect(worked("schedulers")).toEqual(["restart", "read", "write"]);
    expect(worked("controllers")).toEqual(["restart", "read", "write", "schedule"]);
  });

  it("waits until a Lease was taken over, as long as the text says", () => {
    expect(seconds("one-machine", "grow")).toBe(14);
    expect(seconds("two-machines-external", "schedule")).toBe(13);
    expect(seconds("two-machines-external", "grow")).toBe(16);
    expect(seconds("two-api-servers", "grow")).toBe(1);
  });
});
