import { describe, expect, it } from "vitest";
import { defineKind, newKinds } from "../../../sim/src/api/kinds/index.ts";
import { humanDuration } from "../../../sim/src/api/table.ts";
import { defaulted, kindOf, pod, sent, workload } from "./kinds-support.ts";

describe("the kinds of a cluster", () => {
  it("are found by kind, by resource and by what people type", () => {
    const kinds = newKinds();
    expect(kinds.kindOf("apps/v1", "Deployment")?.resource).toBe("deployments");
    expect(kinds.resourceOf("", "v1", "pods")?.kind).toBe("Pod");
    for (const name of ["po", "pod", "pods", "Pods"]) expect(kinds.byName(name)?.kind).toBe("Pod");
    expect(kinds.byName("deploy.apps")?.kind).toBe("Deployment");
    expect(kinds.byName("events.events.k8s.io")?.group).toBe("events.k8s.io");
    expect(kinds.byName("nothing")).toBeUndefined();
  });

  it("grow by a kind in one cluster alone", () => {
    const [one, other] = [newKinds(), newKinds()];
    one.schemas.add("Cat metadata+:ObjectMeta spec+:CatSpec\nCatSpec lives*:i=9");
    const cat = defineKind({ group: "zoo.example", kind: "Cat", shortNames: ["meow"] });
    one.add(cat);
    expect(one.byName("meow")).toBe(cat);
    expect(other.byName("meow")).toBeUndefined();
    const sentCat = { apiVersion: "zoo.example/v1", kind: "Cat", metadata: { name: "tom" } };
    expect(one.applyDefaults(cat, sentCat)).toMatchObject({ spec: { lives: 9 } });
    one.remove(cat);
    expect(one.byName("meow")).toBeUndefined();
  });

  it("say so when they are on their way out", () => {
    expect(newKinds().byName("endpoints")?.deprecation).toBe(
      "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
    );
    expect(newKinds().byName("pods")?.deprecation).toBe("");
  });

  it("have a definition that nobody can change", () => {
    for (const kind of newKinds().all()) expect(Object.isFrozen(kind)).toBe(true);
  });
});

describe("strategies", () => {
  const { strategy } = kindOf("apps/v1", "Deployment");
  const old = { ...defaulted(workload("Deployment", {})), status: { replicas: 3 } };
  const made = strategy.prepareForCreate(old);

  it("clear the status of a new object and count its generation from 1", () => {
    expect(made).toMatchObject({ status: {}, metadata: { generation: 1 } });
    expect(made).toHaveProperty("status", {});
  });

  it("count up for a change of the spec, not of labels or status", () => {
    const labelled = {
      ...made,
      metadata: { ...made.metadata, labels: { a: "b" } },
      status: { x: 1 },
    };
    const same = strategy.prepareForUpdate(labelled, made);
    expect(same.metadata.generation).toBe(1);
    expect(same).toHaveProperty("status", {});
    const scaled = { ...made, spec: { ...workload("Deployment", {}), replicas: 5 } };
    expect(strategy.prepareForUpdate(scaled, made).metadata.generation).toBe(2);
  });

  it("write a status without touching the spec", () => {
    const next = { ...made, spec: {}, status: { replicas: 2 } };
    const kept = strategy.prepareForStatusUpdate(next, made);
    expect(kept).toHaveProperty("status", { replicas: 2 });
    expect(kept).toMatchObject({ spec: { replicas: 1 } });
  });

  it("give a Pod its phase and QoS class, a gated one its condition", () => {
    const kind = kindOf("v1", "Pod");
    const resources = { limits: { cpu: "1", memory: "1Gi" } };
    const firm = pod({ containers: [{ name: "c", image: "x", resources }] });
    expect(kind.strategy.prepareForCreate(defaulted(firm))).toHaveProperty("status", {
      phase: "Pending",
      qosClass: "Guaranteed",
    });
    const gated = kind.strategy.prepareForCreate(
      defaulted(pod({ schedulingGates: [{ name: "g" }] })),
    );
    expect(gated).toMatchObject({ status: { conditions: [{ reason: "SchedulingGated" }] } });
  });

  it("make a Job select its own Pods by its uid", () => {
    const job = sent("batch/v1", "Job", { spec: { template: { spec: {} } } });
    const named = { ...job, metadata: { ...job.metadata, uid: "u-1" } };
    expect(kindOf("batch/v1", "Job").strategy.prepareForCreate(named)).toMatchObject({
      spec: {
        selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "u-1" } },
        template: { metadata: { labels: { "job-name": "x", "controller-uid": "u-1" } } },
      },
    });
  });
});

describe("ages", () => {
  it("are written as kubectl writes them", () => {
    const second = 1000;
    const [minute, hour, day] = [60 * second, 3600 * second, 86_400 * second];
    expect(
      [0, 119 * second, 2 * minute, 5 * minute + 2 * second, 10 * minute, 179 * minute].map(
        humanDuration,
      ),
    ).toEqual(["0s", "119s", "2m", "5m2s", "10m", "179m"]);
    expect(
      [3 * hour + 10 * minute, 8 * hour, 47 * hour, 50 * hour, 9 * day, 400 * day, 731 * day].map(
        humanDuration,
      ),
    ).toEqual(["3h10m", "8h", "47h", "2d2h", "9d", "400d", "2y1d"]);
    expect(humanDuration(-2 * second)).toBe("<invalid>");
    expect(humanDuration(-1 * second)).toBe("0s");
  });
});
