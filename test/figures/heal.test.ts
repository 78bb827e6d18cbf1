/** The cluster of the first lesson: who mends what, and how long it takes, as its text says. */
import { createSession, type Input, rowOf } from "@shikumi/sim";
import { beforeAll, describe, expect, it } from "vitest";
import {
  deadNodes,
  exampleDeeds,
  FIRST,
  type Healing,
  healingsOf,
  imageLine,
  scaleLine,
  wantedBy,
} from "../../src/figures/heal/heal.ts";
import { type Deed, SCENARIO, SEED, withDeed, withTime } from "../../src/figures/hero/hero.ts";
import { storyOf, visibleBeats } from "../../src/figures/rail/story.ts";

async function beatsOf(inputs: readonly Input[]) {
  const session = createSession({ seed: SEED, scenario: withTime(SCENARIO, inputs), inputs });
  await session.run();
  return visibleBeats(storyOf([...session.kernel.trace].map(rowOf)), false);
}

async function heal(deeds: readonly Deed[]): Promise<Healing[]> {
  let inputs: readonly Input[] = FIRST;
  let beats = await beatsOf(inputs);
  for (const deed of deeds) {
    inputs = withDeed(inputs, deed, beats.at(-1)!.atMs);
    beats = await beatsOf(inputs);
  }
  return healingsOf(beats, inputs);
}

const shares = ({ mends }: Healing) => mends.map(({ actor, what, count }) => [actor, what, count]);

describe("the cluster that the reader breaks", () => {
  let found: Healing[];
  beforeAll(async () => {
    const pods = (await beatsOf(FIRST)).flatMap(({ object }) =>
      object?.kind === "Pod" ? object.name : [],
    );
    found = await heal(exampleDeeds(pods[0]!, "node-2"));
  });

  it("has a successor for a deleted Pod within a second", () => {
    const [deleted] = found;
    expect(shares(deleted!)).toEqual([
      ["replicaset-controller", "created", 1],
      ["kube-scheduler", "placed", 1],
      ["kubelet", "ready", 1],
    ]);
    expect(deleted).toMatchObject({ least: 2, ready: 3, wanted: 3 });
    expect(deleted!.wholeMs).toBeLessThan(1_000);
  });

  it("replaces an image one Pod after the other, with never fewer than three", () => {
    const [, image] = found;
    expect(shares(image!).slice(0, 3)).toEqual([
      ["deployment-controller", "version", 1],
      ["replicaset-controller", "created", 3],
      ["kube-scheduler", "placed", 3],
    ]);
    expect(image).toMatchObject({ least: 3, ready: 3 });
  });

  it("waits some 50 s for a silent node, and 300 s more before it gives its Pod up", () => {
    const [, , dead] = found;
    const [lost, evicted, created] = dead!.mends;
    expect(lost).toMatchObject({
      actor: "node-lifecycle-controller",
      what: "lost",
      nodes: ["node-2"],
    });
    expect(Math.abs(lost!.firstMs / 1_000 - 50)).toBeLessThan(5);
    expect(evicted).toMatchObject({
      actor: "taint-eviction-controller",
      what: "evicted",
      count: 1,
    });
    expect(Math.round((evicted!.firstMs - lost!.firstMs) / 1_000)).toBe(300);
    expect(created!.actor).toBe("replicaset-controller");
    expect(dead!.wholeMs! - evicted!.firstMs).toBeLessThan(2_000);
  });

  it("says that nothing was missing when a machine comes back", async () => {
    const [, back] = await heal([
      { do: "stop", actor: "node/node-3" },
      { do: "start", actor: "node/node-3" },
    ]);
    expect(back).toMatchObject({ ready: 3, wanted: 3, least: undefined, wholeMs: undefined });
  });

  it("grows to what is asked for", async () => {
    const [grown] = await heal([{ do: "kubectl", line: scaleLine(6) }]);
    expect(grown).toMatchObject({ least: 3, ready: 6, wanted: 6 });
  });

  it("knows what is asked for and what is broken", () => {
    const inputs: Input[] = [
      ...FIRST,
      { atMs: 2_000, do: "kubectl", line: imageLine("nginx:1.28") },
      { atMs: 3_000, do: "kubectl", line: scaleLine(6) },
      { atMs: 4_000, do: "stop", actor: "node/node-1" },
      { atMs: 5_000, do: "stop", actor: "node/node-2" },
      { atMs: 6_000, do: "start", actor: "node/node-1" },
    ];
    expect(wantedBy(FIRST)).toEqual({ image: "nginx:1.27", replicas: 3 });
    expect(wantedBy(inputs)).toEqual({ image: "nginx:1.28", replicas: 6 });
    expect(deadNodes(inputs)).toEqual(["node-2"]);
  });
});
