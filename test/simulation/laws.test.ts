/** Each law of the simulation finds what it is there to find, and lets the rest pass. */
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../sim/src/api/types.ts";
import type { Plan } from "./plan.ts";
import { Safety } from "./safety.ts";

const CALM: Plan = {
  ...{ seed: 1, scenario: {}, inputs: [], calmMs: 70_000 },
  ...{ convergeMs: 0, late: [], lossy: false, disruptive: false, newsMs: 100, skewMs: 0 },
};

type Body = { readonly [field: string]: unknown };

/** A history to which one object after the other is written. */
class History {
  readonly safety: Safety;
  nowMs = 20_000;
  /** Node by Pod: where its containers run. */
  readonly running = new Map<string, string>();
  private version = 0;

  constructor(plan: Partial<Plan> = {}) {
    this.safety = new Safety(
      { ...CALM, ...plan },
      {
        now: () => this.nowMs,
        msOf: (timestamp) => Date.parse(timestamp),
        runs: (_, pod) => this.running.get(pod),
      },
    );
  }

  /** Writes `Kind ns/name`; what is not given stays as it was. */
  write(what: string, body: Body = {}, metadata: Body = {}): void {
    const { key, apiVersion, kind, namespace, name } = parts(what);
    const before = this.safety.world.objects.get(key);
    const resourceVersion = `${++this.version}`;
    const own = { name, namespace, uid: `${kind}-${name}`, generation: 1 };
    const after = {
      ...{ ...before, apiVersion, kind, ...body },
      metadata: { ...own, ...before?.metadata, ...metadata, resourceVersion },
    } as KubeObject;
    this.safety.look({ type: before ? "MODIFIED" : "ADDED", before, after });
  }

  remove(what: string): void {
    const before = this.safety.world.objects.get(parts(what).key);
    this.safety.look({ type: "DELETED", before });
  }
}

const GROUPS: { readonly [kind: string]: string } = {
  ...{ Deployment: "apps/v1", ReplicaSet: "apps/v1", StatefulSet: "apps/v1", DaemonSet: "apps/v1" },
  ...{ Job: "batch/v1", PodDisruptionBudget: "policy/v1" },
  VolumeAttachment: "storage.k8s.io/v1",
};

function parts(what: string) {
  const [kind = "", path = ""] = what.split(" ");
  const [namespace = "", name = ""] = path.split("/");
  const apiVersion = GROUPS[kind] ?? "v1";
  return { key: `${apiVersion}/${kind} ${namespace}/${name}`, apiVersion, kind, namespace, name };
}

const ownedBy = (kind: string, name: string) => ({
  ownerReferences: [{ kind, name, uid: `${kind}-${name}`, controller: true }],
});
const READY = {
  status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
};
const used = (pods: number) => ({ status: { used: { pods: `${pods}` } } });

describe("the law of rollouts", () => {
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  function rollout(plan: Partial<Plan> = {}): History {
    const history = new History(plan);
    const spec = { replicas: 2, strategy };
    const status = { observedGeneration: 1, replicas: 2, availableReplicas: 2 };
    history.write("Deployment default/web", { spec, status });
    history.write(
      "ReplicaSet default/old",
      { spec: { replicas: 2 } },
      ownedBy("Deployment", "web"),
    );
    for (const name of ["a", "b"])
      history.write(`Pod default/${name}`, READY, ownedBy("ReplicaSet", "old"));
    return history;
  }

  it("finds a Pod taken away that was promised to serve", () => {
    const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    expect(() => rollout().write("Pod default/a", {}, leaving)).toThrow(/at least 2 were promised/);
    expect(() => rollout({ disruptive: true }).write("Pod default/a", {}, leaving)).not.toThrow();
    const scaled = rollout();
    scaled.write("Deployment default/web", { spec: { replicas: 1, strategy } }, { generation: 2 });
    expect(() => scaled.write("Pod default/a", {}, leaving)).not.toThrow();
  });

  it("finds ReplicaSets that ask for more than the surge allows", () => {
    const history = rollout();
    const owner = ownedBy("Deployment", "web");
    history.write("ReplicaSet default/new", { spec: { replicas: 1 } }, owner);
    expect(() => history.write("ReplicaSet default/new", { spec: { replicas: 2 } })).toThrow(
      /4 Pods are asked for, 3 are allowed/,
    );
  });
});

describe("the law of quotas", () => {
  const pod = (history: History, name: string) => history.write(`Pod limited/${name}`);
  const charged = (history: History, pods: number) =>
    history.write("ResourceQuota limited/pods", used(pods));
  function full(): History {
    const history = new History();
    for (const [i, name] of ["a", "b", "c", "d"].entries()) {
      charged(history, i + 1);
      pod(history, name);
    }
    return history;
  }

  it("finds a Pod that nobody was charged for, and a charge too many", () => {
    expect(() => pod(full(), "e")).toThrow(/5 Pods were made in limited, 4 were charged/);
    expect(() => charged(full(), 5)).toThrow(/5 Pods are charged, 4 are allowed/);
  });

  it("forgives what a recount had not been told of, so many and no more", () => {
    const history = full();
    // The last Pod is as good as new: the controller's copy lacks it.
    charged(history, 3);
    charged(history, 4);
    pod(history, "e");
    history.remove("Pod limited/a");
    charged(history, 3);
    charged(history, 4);
    expect(() => pod(history, "f")).not.toThrow();
    expect(() => pod(history, "g")).toThrow(/made/);
  });

  it("forgives no recount that lacks old news", () => {
    const history = full();
    history.nowMs += 10_000;
    expect(() => charged(history, 3)).toThrow(/counted 3 Pods, and had been told of 4/);
  });
});

describe("the law of sets", () => {
  function statefulSet(plan: Partial<Plan> = {}): History {
    const history = new History(plan);
    history.write("StatefulSet default/s", { spec: { replicas: 2 } });
    return history;
  }
  const owner = ownedBy("StatefulSet", "s");

  it("finds a second Pod of a name, and one that begins too soon", () => {
    const history = statefulSet();
    expect(() => history.write("Pod default/s-1", {}, owner)).toThrow(/while s-0 is not ready/);
    const twice = statefulSet({ disruptive: true });
    twice.running.set("s-0", "node-1");
    expect(() => twice.write("Pod default/s-0", {}, owner)).toThrow(/still runs on node-1/);
    const fine = statefulSet();
    fine.write("Pod default/s-0", READY, owner);
    expect(() => fine.write("Pod default/s-1", {}, owner)).not.toThrow();
  });

  it("finds two Pods of a DaemonSet on a node", () => {
    const history = new History();
    history.write("DaemonSet default/d");
    const there = { spec: { nodeName: "node-1" } };
    history.write("Pod default/d-1", there, ownedBy("DaemonSet", "d"));
    const again = () => history.write("Pod default/d-2", there, ownedBy("DaemonSet", "d"));
    expect(again).toThrow(/2 Pods of a DaemonSet on node-1/);
  });

  it("finds too many Pods of a Job, and a Job that is no longer what it was", () => {
    const history = new History();
    const complete = { conditions: [{ type: "Complete", status: "True" }], succeeded: 2 };
    history.write("Job default/j", { spec: { parallelism: 1, completions: 2 } });
    history.write("Pod default/j-1", {}, ownedBy("Job", "j"));
    expect(() => history.write("Pod default/j-2", {}, ownedBy("Job", "j"))).toThrow(/1 may run/);
    history.write("Job default/j", { status: complete });
    const less = { status: { ...complete, succeeded: 1 } };
    expect(() => history.write("Job default/j", less)).toThrow(/forgot that Pods succeeded/);
  });
});

describe("the law of budgets", () => {
  const EVICTED = {
    status: {
      phase: "Running",
      conditions: [
        { type: "Ready", status: "True" },
        { type: "DisruptionTarget", status: "True", reason: "EvictionByEvictionAPI" },
      ],
    },
  };
  const labels = { labels: { app: "a" } };
  function budgeted(): History {
    const history = new History();
    history.write("PodDisruptionBudget default/a", {
      spec: { selector: { matchLabels: { app: "a" } } },
      status: { disruptionsAllowed: 1, desiredHealthy: 1 },
    });
    for (const name of ["x", "y"]) history.write(`Pod default/${name}`, READY, labels);
    history.nowMs += 10_000;
    return history;
  }
  const pay = (history: History, name: string, disruptionsAllowed: number) =>
    history.write("PodDisruptionBudget default/a", {
      status: { disruptionsAllowed, desiredHealthy: 1, disruptedPods: { [name]: "now" } },
    });

  it("finds an eviction that nobody paid, and one paid with nothing", () => {
    expect(() => budgeted().write("Pod default/x", EVICTED)).toThrow(/nobody paid/);
    expect(() => pay(budgeted(), "x", 1)).toThrow(/with 1 allowed, then 1/);
    const history = budgeted();
    pay(history, "x", 0);
    expect(() => history.write("Pod default/x", EVICTED)).not.toThrow();
  });

  it("finds too few Pods left where nothing else happened", () => {
    const history = budgeted();
    history.write("Pod default/y", { status: { phase: "Running" } });
    pay(history, "x", 0);
    // Just now another Pod went: the budget could not know.
    expect(() => history.write("Pod default/x", EVICTED)).not.toThrow();
    const later = budgeted();
    later.write("Pod default/y", { status: { phase: "Running" } });
    later.nowMs += 10_000;
    pay(later, "x", 0);
    expect(() => later.write("Pod default/x", EVICTED)).toThrow(/wants 1 Pods, 0 are left/);
  });
});

describe("the law of volumes", () => {
  it("finds a volume on two nodes, and one bound to a second claim", () => {
    const history = new History();
    const bound = (uid: string) => ({
      spec: { accessModes: ["ReadWriteOnce"], claimRef: { uid } },
    });
    history.write("PersistentVolume /pv", bound("one"));
    expect(() => history.write("PersistentVolume /pv", bound("two"))).toThrow(/bound to one, then/);
    const on = (nodeName: string) => ({
      spec: { nodeName, source: { persistentVolumeName: "pv" } },
      status: { attached: true },
    });
    history.write("VolumeAttachment /x", on("node-1"));
    expect(() => history.write("VolumeAttachment /y", on("node-2"))).toThrow(/node-1 and node-2/);
  });
});

describe("the law of history", () => {
  it("finds a write that was not based on the one before it", () => {
    const history = new History();
    history.write("Pod default/a");
    const { objects } = history.safety.world;
    const old = objects.get("v1/Pod default/a");
    history.write("Pod default/a", { spec: { nodeName: "node-1" } });
    const after = { ...old, metadata: { ...old?.metadata, resourceVersion: "9" } } as KubeObject;
    expect(() => history.safety.look({ type: "MODIFIED", before: old, after })).toThrow(
      /a committed write was lost/,
    );
  });

  it("finds a Pod bound twice", () => {
    const history = new History();
    history.write("Pod default/a", { spec: { nodeName: "node-1" } });
    expect(() => history.write("Pod default/a", { spec: { nodeName: "node-2" } })).toThrow(
      /bound twice: node-1, then node-2/,
    );
  });
});
