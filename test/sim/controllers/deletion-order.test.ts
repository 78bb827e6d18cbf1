import { expect, it } from "vitest";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { inDeletionOrder } from "../../../sim/src/controllers/shared/deletion-order.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

const COST = "controller.kubernetes.io/pod-deletion-cost";

function podOf(cost: string): Pod {
  const annotations = { [COST]: cost };
  const metadata = {
    name: cost,
    uid: cost,
    creationTimestamp: "2026-01-01T00:00:00Z",
    annotations,
  };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [] }, status: {} };
}

it("reads the cost of a deletion as Go does, and takes what is none for nothing", () => {
  const order = (...costs: string[]) =>
    inDeletionOrder(
      costs.map((cost) => ({ pod: podOf(cost), rank: 0 })),
      new Kernel(),
    ).map(({ metadata }) => metadata.name);
  expect(order("1", "-05", "-5000000000", "0")).toEqual(["-05", "-5000000000", "0", "1"]);
  expect(order("1", "2147483648", "007", "-1")).toEqual(["-1", "2147483648", "007", "1"]);
});
