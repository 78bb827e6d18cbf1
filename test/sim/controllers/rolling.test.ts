/** What one step of a rolling update takes away, where statuses lag behind. */
import { describe, expect, it } from "vitest";
import { growNew, shrinkOld } from "../../../sim/src/controllers/deployment/rolling.ts";
import { scaledSizes } from "../../../sim/src/controllers/deployment/scale.ts";
import { deployment, replicaSet } from "../../vectors-harness/deployments.ts";

/** [spec.replicas, status.availableReplicas] of the old ones, oldest first, and of the new one. */
function step(replicas: number, old: [number, number][], newest: [number, number]) {
  const owner = deployment(replicas, { maxSurge: 2, maxUnavailable: 1 });
  const sets = old.map(([spec, available], i) => replicaSet(`old${i}`, spec, available, i));
  const rollout = { deployment: owner, newest: replicaSet("new", ...newest, 9), old: sets };
  expect(growNew(rollout)).toEqual([]);
  return Object.fromEntries(
    shrinkOld(rollout).map(({ rs, replicas }) => [rs.metadata.name, replicas]),
  );
}

describe("a step of a rolling update", () => {
  it("takes away what is beyond the least that must be available", () => {
    expect(step(4, [[3, 3]], [3, 3])).toEqual({ old0: 0 });
  });

  it("takes nothing while an old ReplicaSet still has to lose Pods", () => {
    // 6 of old0 are counted as available, 3 of them are about to be deleted.
    expect(step(4, [[3, 6]], [3, 3])).toEqual({});
  });

  it("takes broken Pods of older ReplicaSets even then, and of younger ones not", () => {
    expect(
      step(
        4,
        [
          [2, 1],
          [1, 2],
          [2, 1],
        ],
        [1, 1],
      ),
    ).toEqual({ old0: 1 });
  });

  it("does not look further once the broken ones are as many as may go", () => {
    expect(
      step(
        4,
        [
          [4, 1],
          [1, 2],
        ],
        [1, 1],
      ),
    ).toEqual({ old0: 1 });
  });
});

describe("a Deployment that is scaled in the middle of a rollout", () => {
  // Upstream's defect, kept: kubernetes/kubernetes#138036.
  it("writes nothing to the one ReplicaSet with Pods if that has the size already", () => {
    const owner = deployment(3, { maxSurge: 0, maxUnavailable: 1 });
    const newest = replicaSet("new", 0, 0, 9);
    const sizes = (replicas: number) => {
      const old = [replicaSet("old", replicas, replicas, 0)];
      return scaledSizes({ deployment: owner, newest, old }).map(({ replicas: to }) => to);
    };
    expect(sizes(4)).toEqual([3]);
    expect(sizes(3)).toEqual([]);
  });
});
