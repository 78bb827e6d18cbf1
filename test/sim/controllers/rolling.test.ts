/** What one step of a rolling update takes away, where statuses lag behind. */
import { describe, expect, it } from "vitest";
import { growNew, shrinkOld } from "../../../sim/src/controllers/deployment/rolling.ts";
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
