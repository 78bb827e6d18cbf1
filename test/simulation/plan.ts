/**
 * What one seed does: a small cluster, a workload that is created, scaled,
 * rolled and deleted, and faults that all end at a moment known beforehand.
 * All of it is plain inputs, so a seed is also a link to the page.
 */
import type { Input, LatencyModel, Scenario } from "../../sim/src/index.ts";
import { Random } from "../../sim/src/index.ts";
import { widen } from "./more.ts";
import { apply, BEGIN_MS, CALM_MS, kubectl, machinesOf, membersOf, nodesOf } from "./parts.ts";

/** So long after that, at most, all must be as asked for, in ms, if all clocks are right. */
const CONVERGE_MS = 600_000;
/** Steps of a rollout that each wait until the furthest clock has come round. */
const SKEWED_STEPS = 10;
/** A reflector that lost its server tries again within twice 30 s. Source: client-go reflector.go */
const REFLECTOR_MS = 60_000;
/** What was expected and never seen is given up after this, when somebody looks. Source: controller_utils.go */
const EXPECTATIONS_MS = 300_000;

export interface Plan {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly inputs: readonly Input[];
  /** Every fault has ended by now, and nobody changes what is asked for, in ms. */
  readonly calmMs: number;
  /** So long after that, at most, all is as asked for, in ms. */
  readonly convergeMs: number;
  /** While news of what was written may be late without bound, in ms. */
  readonly late: readonly Span[];
  /** Requests or answers may be lost: a controller may ask twice. */
  readonly lossy: boolean;
  /** Pods may go by other means than a rollout. */
  readonly disruptive: boolean;
  /** News has reached who waits for it after so long, in ms. */
  readonly newsMs: number;
  /** How far two clocks may be apart, in ms. */
  readonly skewMs: number;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Pods that the namespace `limited` may have. */
export const QUOTA_PODS = 4;

const QUOTA = `apiVersion: v1
kind: Namespace
metadata: { name: limited }
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: pods, namespace: limited }
spec: { hard: { pods: "${QUOTA_PODS}" } }
`;

/** `narrow`: the plan without what was added to plans later. */
export function planOf(seed: number, narrow = false): Plan {
  const random = new Random(`plan/${seed}`);
  const scenario = scenarioOf(random.fork("scenario"));
  const work = workOf(random.fork("work"));
  const faults = random.int(6) === 0 ? [] : faultsOf(random.fork("faults"), scenario);
  const draft = { scenario, inputs: [...work, ...faults], calmMs: CALM_MS };
  const plan = narrow ? draft : widen(draft, random, faults.length > 0);
  const planned = plan.inputs.toSorted((a, b) => a.atMs - b.atMs);
  const does = (...what: readonly string[]) => planned.some((input) => what.includes(input.do));
  const clocks = Object.values(plan.scenario.clocks ?? {});
  const [, mostMs] = plan.scenario.latency?.apiMs ?? [0, 2];
  const { calmMs } = plan;
  const skewMs = Math.max(0, ...clocks) - Math.min(0, ...clocks);
  const convergeMs = CONVERGE_MS + SKEWED_STEPS * skewMs;
  const lossy = does("stop", "partition");
  // Upstream an informer tells all anew after 12 to 24 hours; here somebody touches all sooner.
  const touch = [TOUCH, TOUCH_SERVICE].map((line) =>
    kubectl(calmMs + EXPECTATIONS_MS + 10_000, line),
  );
  return {
    ...{ seed, calmMs, convergeMs, lossy },
    scenario: { ...plan.scenario, untilMs: calmMs + convergeMs },
    inputs: lossy ? [...planned, ...touch] : planned,
    late: planned.flatMap((input, i) => lateFrom(input, planned.slice(i + 1))),
    disruptive: planned.some(disrupts),
    newsMs: does("stop", "partition", "slow") ? Number.POSITIVE_INFINITY : 100 + 4 * mostMs,
    skewMs,
  };
}

const TOUCH = "annotate replicasets,daemonsets,jobs --all --all-namespaces seen=again --overwrite";
/** After errors its controller waits up to 1,000 s, and not for ever. Source: endpointslice_controller.go */
const TOUCH_SERVICE = "annotate service a seen=again --overwrite";
const BETWEEN = /apiserver|etcd|load|node\/cp|controller/;

/** From a fault on the way of news until its end, and until the last has tried again. */
function lateFrom(input: Input, rest: readonly Input[]): Span[] {
  const spanTo = (isEnd: (one: Input) => boolean): Span[] => {
    const toMs = rest.find(isEnd)?.atMs ?? Number.POSITIVE_INFINITY;
    return [{ fromMs: input.atMs, toMs: toMs + REFLECTOR_MS }];
  };
  if (input.do === "stop" && BETWEEN.test(input.actor))
    return spanTo((one) => one.do === "start" && one.actor === input.actor);
  if (input.do === "slow" && input.extraMs > 0 && BETWEEN.test(input.actor))
    return spanTo((one) => one.do === "slow" && one.actor === input.actor && one.extraMs === 0);
  if (input.do !== "partition" || !BETWEEN.test(input.between.join(" "))) return [];
  return spanTo((one) => one.do === "heal" && `${one.between}` === `${input.between}`);
}

/** Pods are deleted, evicted, or their Node may be taken for dead. */
function disrupts(input: Input): boolean {
  if (input.do === "stop") return /^(kubelet|node|kube-apiserver|etcd|load)/.test(input.actor);
  if (input.do === "partition") return /kubelet|etcd|load/.test(input.between.join(" "));
  return input.do === "kubectl" && /^(delete pod|drain)/.test(input.line);
}

function scenarioOf(random: Random): Scenario {
  const highlyAvailable = random.int(3) === 0;
  const far = random.int(4) === 0;
  const latency: Partial<LatencyModel> = far ? { apiMs: [5, 60] } : {};
  return {
    nodes: 2 + random.int(3),
    quietMs: 0,
    latency,
    controlPlanes: highlyAvailable ? 3 : 1,
    etcdMembers: highlyAvailable || random.int(5) === 0 ? 3 : 1,
    etcd: random.int(2) === 0 ? "stacked" : "external",
  };
}

// region: workload
function workOf(random: Random): Input[] {
  const inputs: Input[] = [apply(BEGIN_MS, QUOTA)];
  const at = () => BEGIN_MS + 500 + random.int(CALM_MS - BEGIN_MS - 1_000);
  const names = ["a", "b", "c"].slice(0, 1 + random.int(3));
  for (const [i, name] of names.entries()) {
    const limited = i === 2;
    const ns = limited ? "limited" : "default";
    const born = BEGIN_MS + 500 + random.int(10_000);
    inputs.push(apply(born, deployment(random, name, ns)));
    for (let n = random.int(5); n > 0; n--) inputs.push(kubectl(at(), change(random, name, ns)));
  }
  if (random.int(3) === 0) {
    inputs.push(apply(BEGIN_MS + random.int(10_000), statefulSet(1 + random.int(3))));
    const pod = `delete pod s-${random.int(3)} --wait=false`;
    if (random.int(2) === 0) inputs.push(kubectl(at(), pod));
    if (random.int(2) === 0)
      inputs.push(kubectl(at(), `scale statefulset s --replicas=${random.int(4)}`));
  }
  if (random.int(3) === 0) inputs.push(apply(BEGIN_MS + random.int(10_000), DAEMON_SET));
  if (random.int(3) === 0) inputs.push(apply(at(), job(1 + random.int(4), 1 + random.int(3))));
  for (let n = random.int(3) - 1; n > 0; n--) inputs.push(...maintenance(random, at()));
  return inputs;
}
// endregion: workload

/** Something done to a Deployment that exists. */
function change(random: Random, name: string, ns: string): string {
  const image = `nginx:1.${20 + random.int(4)}`;
  const replicas = random.int(7);
  const line = random.pick([
    `scale deployment ${name} --replicas=${replicas}`,
    `scale deployment ${name} --replicas=${replicas}`,
    `set image deployment/${name} c=${image}`,
    `set image deployment/${name} c=${image}`,
    `rollout restart deployment/${name}`,
    `rollout undo deployment/${name}`,
    `rollout pause deployment/${name}`,
    `rollout resume deployment/${name}`,
    `delete pod -l app=${name} --wait=false`,
    `delete deployment ${name} --cascade=${random.pick(["foreground", "background"])} --wait=false`,
  ]);
  return `${line} -n ${ns}`;
}

/** A Node is cordoned or drained, and given back. */
function maintenance(random: Random, atMs: number): Input[] {
  const drain = "drain node-1 --ignore-daemonsets --force --timeout=20s";
  const first = random.pick([drain, "cordon node-1"]);
  return [kubectl(atMs, first), kubectl(CALM_MS, "uncordon node-1")];
}

// region: faults
function faultsOf(random: Random, scenario: Scenario): Input[] {
  const inputs: Input[] = [];
  for (let n = 1 + random.int(4); n > 0; n--) {
    const from = BEGIN_MS + random.int(CALM_MS - BEGIN_MS - 2_000);
    const to = Math.min(CALM_MS, from + 200 + random.int(random.pick([2_000, 30_000])));
    const actor = random.pick(actorsOf(scenario));
    const kind = random.int(4);
    if (kind <= 1) {
      inputs.push({ atMs: from, do: "stop", actor }, { atMs: to, do: "start", actor });
    } else if (kind === 2) {
      const between = cutOf(random, scenario);
      inputs.push({ atMs: from, do: "partition", between }, { atMs: to, do: "heal", between });
    } else {
      const slow = random.pick(slowable(scenario));
      const extraMs = 5 + random.int(random.pick([50, 1_000]));
      inputs.push({ atMs: from, do: "slow", actor: slow, extraMs });
      inputs.push({ atMs: to, do: "slow", actor: slow, extraMs: 0 });
    }
  }
  return inputs;
}
// endregion: faults

/** What can be stopped. */
function actorsOf(scenario: Scenario): string[] {
  const machines = machinesOf(scenario);
  const several = machines.length > 1;
  return [
    ...machines.map((on) => `kube-controller-manager${on}`),
    ...machines.map((on) => `kube-scheduler${on}`),
    ...machines.map((on) => `kube-apiserver${on || (membersOf(scenario).length ? "/cp-1" : "")}`),
    ...membersOf(scenario),
    ...nodesOf(scenario).map((name) => `kubelet/${name}`),
    `node/${nodesOf(scenario)[0]}`,
    ...(several ? ["load-balancer", "node/cp-1", "node/cp-2"] : []),
  ];
}

const CONTROLLERS = [
  "deployment-controller",
  "replicaset-controller",
  "statefulset-controller",
  "job-controller",
  "garbage-collector",
  "resourcequota-controller",
];

/** Who can lose sight of whom. */
function cutOf(random: Random, scenario: Scenario): [string, string] {
  const machines = machinesOf(scenario);
  const members = membersOf(scenario);
  const server = `kube-apiserver${random.pick(machines) || (members.length ? "/cp-1" : "")}`;
  if (members.length > 2 && random.int(3) === 0)
    return [members[0]!, random.pick(members.slice(1))];
  const client = random.pick([
    ...CONTROLLERS,
    ...machines.map((on) => `kube-controller-manager${on}`),
    ...machines.map((on) => `kube-scheduler${on}`),
    ...nodesOf(scenario).map((name) => `kubelet/${name}`),
  ]);
  if (machines.length > 1 && random.int(3) === 0) return [client, "load-balancer"];
  return [client, server];
}

function slowable(scenario: Scenario): string[] {
  return [...actorsOf(scenario).filter((one) => !one.startsWith("node/")), ...CONTROLLERS];
}

function deployment(random: Random, name: string, namespace: string): string {
  const bounds = random.pick([
    { maxSurge: 1, maxUnavailable: 0 },
    { maxSurge: 0, maxUnavailable: 1 },
    { maxSurge: "25%", maxUnavailable: "25%" },
    { maxSurge: 2, maxUnavailable: 2 },
  ]);
  const type = random.int(6) === 0 ? "Recreate" : "RollingUpdate";
  const strategy = type === "Recreate" ? { type } : { type, rollingUpdate: bounds };
  const grace = random.pick([0, 1, 5, 30]);
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  replicas: ${random.int(7)}
  minReadySeconds: ${random.pick([0, 0, 2])}
  selector: { matchLabels: { app: ${name} } }
  strategy: ${JSON.stringify(strategy)}
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      terminationGracePeriodSeconds: ${grace}
      containers:
        - name: c
          image: nginx:1.19
          resources: { requests: { cpu: ${random.pick([100, 200, 500])}m } }
`;
}

function statefulSet(replicas: number): string {
  return `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: s }
spec:
  replicas: ${replicas}
  serviceName: s
  selector: { matchLabels: { app: s } }
  template:
    metadata: { labels: { app: s } }
    spec: { containers: [{ name: c, image: "nginx:1.20" }] }
`;
}

function job(completions: number, parallelism: number): string {
  return `apiVersion: batch/v1
kind: Job
metadata: { name: j }
spec:
  completions: ${completions}
  parallelism: ${parallelism}
  template:
    metadata: { labels: { app: j } }
    spec:
      restartPolicy: Never
      containers: [{ name: c, image: "busybox:1.36", command: [sh, -c, "sleep 3"] }]
`;
}

const DAEMON_SET = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: d }
spec:
  selector: { matchLabels: { app: d } }
  template:
    metadata: { labels: { app: d } }
    spec: { containers: [{ name: c, image: "nginx:1.20" }] }
`;
