import { describe, expect, it } from "vitest";
import {
  type FilterDetail,
  type ScoreDetail,
  scoresOf,
} from "../../../sim/src/scheduler/explain.ts";
import { nodeOf, podOf } from "./objects.ts";
import { clusterWith, type TestCluster } from "./support.ts";

function detailOf(cluster: TestCluster, verb: string): unknown {
  return [...cluster.kernel.trace].findLast((entry) => entry.verb === verb)?.detail;
}

describe("the explanation in the trace", () => {
  it("names for each Node the plugin that refused it, or every score", async () => {
    const taints = [{ key: "a", effect: "NoSchedule" }];
    const cluster = await clusterWith([
      nodeOf("n1"),
      nodeOf("n2", { cpu: "1" }),
      nodeOf("n3", { taints }),
      nodeOf("n4", { cpu: "16" }),
    ]);
    await cluster.create(podOf("web", { cpu: "2" }));
    const filter = detailOf(cluster, "filter") as FilterDetail;
    expect(filter.fits).toEqual(["n1", "n4"]);
    expect(filter.refused).toEqual({
      n2: {
        plugin: "NodeResourcesFit",
        code: "UnschedulableAndUnresolvable",
        reasons: ["Insufficient cpu"],
      },
      n3: {
        plugin: "TaintToleration",
        code: "UnschedulableAndUnresolvable",
        reasons: ["node(s) had untolerated taint(s)"],
      },
    });
    const score = detailOf(cluster, "score") as ScoreDetail;
    expect(score.chosen).toBe("n4");
    expect(scoresOf(score, "n1")).toEqual({
      TaintToleration: 300,
      NodeResourcesFit: 73,
      NodeResourcesBalancedAllocation: 62,
      ImageLocality: 0,
      total: 435,
    });
  });

  it("only counts in a large cluster", async () => {
    const cluster = await clusterWith(
      Array.from({ length: 101 }, (_, i) => nodeOf(`n${i}`, { cpu: i < 3 ? "1" : "4" })),
    );
    await cluster.create(podOf("web", { cpu: "2" }));
    const filter = detailOf(cluster, "filter") as FilterDetail;
    expect(filter.fits).toBe(98);
    expect(filter.reasons).toEqual({ "NodeResourcesFit: Insufficient cpu": 3 });
  });

  it("has the write of the Pod as the cause of its cycle", async () => {
    const cluster = await clusterWith([nodeOf("n1")]);
    await cluster.create(podOf("web"));
    const { trace } = cluster.kernel;
    const bind = [...trace].find((entry) => entry.verb === "bind");
    expect(bind?.subject).toBe("Pod default/web to n1");
    const verbs = trace.why(bind?.id ?? 0).map(({ verb }) => verb);
    expect(verbs.slice(0, 2)).toEqual(["bind", "schedule"]);
    expect(verbs).toContain("watch");
    expect(verbs).toContain("write");
    expect(verbs.at(-1)).toBe("request");
  });
});
