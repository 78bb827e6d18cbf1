/**
 * What plans got later: budgets and drains, volumes, autoscalers, Services,
 * CronJobs, wrong clocks, five members of etcd, writers that meet, and faults
 * that outlast grace periods and the history of etcd. Each is drawn from a
 * stream of its own, so that what a seed did before, it still does.
 */
import type { Input, Random, Scenario } from "../../sim/src/index.ts";
import {
  apply,
  BEGIN_MS,
  CALM_MS,
  type Draft,
  kubectl,
  machinesOf,
  membersOf,
  nodesOf,
} from "./parts.ts";

/** Longer than the 5 minutes after which Pods leave a Node, and after which etcd is compacted. */
const LONG_MS = 480_000;

export function widen(draft: Draft, random: Random, faulty: boolean): Draft {
  const long = faulty && random.fork("long").int(10) === 0;
  const calmMs = long ? LONG_MS : draft.calmMs;
  const scenario = scenarioOf(random.fork("more scenario"), draft.scenario);
  const inputs = [...draft.inputs];
  const begin = (stream: Random) => BEGIN_MS + 500 + stream.int(8_000);
  const part = (name: string, share: number, make: (stream: Random) => Input[]) => {
    const stream = random.fork(name);
    if (stream.int(share) === 0) inputs.push(...make(stream));
  };
  part("budget", 3, (r) => [apply(begin(r), budget(r)), ...drains(r, scenario)]);
  if (scenario.storage) part("volumes", 1, (r) => volumes(r, begin(r)));
  part("autoscaler", 4, (r) => [apply(begin(r), autoscaled(r.int(4), 2 + r.int(3)))]);
  part("service", 2, (r) => [apply(begin(r), SERVICE)]);
  part("cronjob", 8, (r) => [apply(begin(r), cronJob(r))]);
  part("daemons", 6, (r) => daemons(r, begin(r)));
  part("rivals", 3, rivals);
  if (faulty) part("more faults", 2, (r) => faultsOf(r, scenario, CALM_MS, [200, 30_000]));
  if (long) part("long faults", 1, (r) => faultsOf(r, scenario, LONG_MS, [30_000, 420_000]));
  const drained = inputs.filter(isDrain).map(({ atMs }) => atMs + DRAIN_MS);
  const endMs = Math.max(calmMs, ...drained);
  return { scenario, inputs: inputs.map((input) => atEnd(input, endMs)), calmMs: endMs };
}

/** The longest that a drain takes, with its own time-out and the API's delays. */
const DRAIN_MS = 20_000;

function isDrain(input: Input): boolean {
  return input.do === "kubectl" && input.line.startsWith("drain");
}

/** Nodes are given back once the faults are over: else the command may be lost. */
function atEnd(input: Input, calmMs: number): Input {
  const last = input.do === "kubectl" && input.line.startsWith("uncordon");
  return last ? { ...input, atMs: calmMs } : input;
}

function scenarioOf(random: Random, scenario: Scenario): Scenario {
  const { controlPlanes = 1, etcdMembers = 1, nodes = 1 } = scenario;
  const machines = [
    ...machinesOf(scenario).map((on) => on.slice(1) || "cp-1"),
    ...nodesOf(scenario),
  ];
  const clocks: Record<string, number> = {};
  if (random.int(3) === 0) {
    const most = random.pick([300, 5_000, 120_000]);
    for (const machine of machines) {
      if (random.int(2) === 0) clocks[machine] = random.int(2 * most) - most;
    }
  }
  const five = etcdMembers > 1 && controlPlanes > 1 && random.int(3) === 0;
  return {
    ...scenario,
    nodes,
    clocks,
    etcdMembers: five ? 5 : etcdMembers,
    etcd: five ? "external" : scenario.etcd,
    storage: random.int(3) === 0,
  };
}

/** A Node is drained, and given back, now and again. */
function drains(random: Random, scenario: Scenario): Input[] {
  const inputs: Input[] = [];
  for (let n = 1 + random.int(3); n > 0; n--) {
    const node = random.pick(nodesOf(scenario));
    const at = BEGIN_MS + 5_000 + random.int(CALM_MS - BEGIN_MS - 6_000);
    const line = `drain ${node} --ignore-daemonsets --force --delete-emptydir-data --timeout=15s`;
    inputs.push(kubectl(at, line), kubectl(CALM_MS, `uncordon ${node}`));
  }
  return inputs;
}

function volumes(random: Random, atMs: number): Input[] {
  const at = () => atMs + 1_000 + random.int(CALM_MS - atMs - 2_000);
  const inputs = [apply(atMs, withVolumes(1 + random.int(3), random))];
  if (random.int(2) === 0)
    inputs.push(kubectl(at(), `scale statefulset v --replicas=${random.int(4)}`));
  if (random.int(2) === 0) inputs.push(kubectl(at(), `delete pod v-${random.int(2)} --wait=false`));
  if (random.int(3) === 0) inputs.push(kubectl(at(), "rollout restart statefulset/v"));
  if (random.int(5) === 0) inputs.push(kubectl(at(), "delete statefulset v --wait=false"));
  return inputs;
}

/** The DaemonSet that there may be is rolled, or one is made and rolled. */
function daemons(random: Random, atMs: number): Input[] {
  const at = () => atMs + 2_000 + random.int(CALM_MS - atMs - 3_000);
  return [apply(atMs, AGENT), kubectl(at(), "rollout restart daemonset/agent")];
}

/** Several write the same object at the same moment. */
function rivals(random: Random): Input[] {
  const at = BEGIN_MS + 12_000 + random.int(CALM_MS - BEGIN_MS - 15_000);
  const lines = [
    `scale deployment a --replicas=${random.int(7)}`,
    `set image deployment/a c=nginx:1.${20 + random.int(4)}`,
    `annotate deployment a note=${random.int(100)} --overwrite`,
    `label deployment a note=${random.int(100)} --overwrite`,
    "rollout restart deployment/a",
    "label pod -l app=a seen=yes --overwrite",
  ];
  return lines.filter(() => random.int(2) === 0).map((line) => kubectl(at + random.int(2), line));
}

/** Stops, cuts and slow parts of between so many ms, over before `endMs`. */
function faultsOf(
  random: Random,
  scenario: Scenario,
  endMs: number,
  [least, most]: readonly [number, number],
): Input[] {
  const inputs: Input[] = [];
  for (let n = 1 + random.int(3); n > 0; n--) {
    const from = BEGIN_MS + random.int(CALM_MS - BEGIN_MS - 2_000);
    const to = Math.min(endMs, from + least + random.int(most - least));
    const actor = random.pick(partsOf(scenario));
    const kind = random.int(4);
    if (kind <= 1) inputs.push({ atMs: from, do: "stop", actor }, { atMs: to, do: "start", actor });
    else if (kind === 2) {
      const between = cutOf(random, scenario);
      inputs.push({ atMs: from, do: "partition", between }, { atMs: to, do: "heal", between });
    } else {
      const extraMs = 5 + random.int(1_500);
      const slow = actor.startsWith("node/") ? "resourcequota-controller" : actor;
      inputs.push({ atMs: from, do: "slow", actor: slow, extraMs });
      inputs.push({ atMs: to, do: "slow", actor: slow, extraMs: 0 });
    }
  }
  return inputs;
}

function serversOf(scenario: Scenario): string[] {
  const plain = membersOf(scenario).length > 0 ? "/cp-1" : "";
  return machinesOf(scenario).map((on) => `kube-apiserver${on || plain}`);
}

/** Every process and machine that there is. */
function partsOf(scenario: Scenario): string[] {
  const nodes = nodesOf(scenario);
  const machines = machinesOf(scenario);
  return [
    ...machines.flatMap((on) => [`kube-controller-manager${on}`, `kube-scheduler${on}`]),
    ...serversOf(scenario),
    ...membersOf(scenario),
    ...nodes.flatMap((name) => [`kubelet/${name}`, `node/${name}`]),
    ...machines.filter(Boolean).map((on) => `node${on}`),
    ...(scenario.storage ? ["csi-provisioner", "csi-attacher"] : []),
  ];
}

const CONTROLLERS = [
  ...["daemonset-controller", "endpointslice-controller", "disruption-controller"],
  ...["horizontal-pod-autoscaler", "cronjob-controller", "node-lifecycle-controller"],
  ...["persistentvolume-controller", "attachdetach-controller", "taint-eviction-controller"],
  ...["statefulset-controller", "replicaset-controller", "pod-garbage-collector"],
];

function cutOf(random: Random, scenario: Scenario): [string, string] {
  const members = membersOf(scenario);
  if (members.length > 2 && random.int(3) === 0) {
    const at = random.int(members.length);
    return [members[at]!, members[(at + 1 + random.int(members.length - 1)) % members.length]!];
  }
  const client = random.pick([
    ...CONTROLLERS,
    ...machinesOf(scenario).flatMap((on) => [
      `kube-controller-manager${on}`,
      `kube-scheduler${on}`,
    ]),
    ...nodesOf(scenario).map((name) => `kubelet/${name}`),
    ...(scenario.storage ? ["csi-provisioner", "csi-attacher"] : []),
  ]);
  return [client, random.pick(serversOf(scenario))];
}

const budget = (random: Random) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: a }
spec:
  ${random.pick(["minAvailable: 2", "minAvailable: 50%", "maxUnavailable: 1", "maxUnavailable: 34%"])}
  selector: { matchLabels: { app: a } }
`;

const SERVICE = `apiVersion: v1
kind: Service
metadata: { name: a }
spec: { selector: { app: a }, ports: [{ port: 80 }] }
`;

const autoscaled = (replicas: number, least: number) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: h }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: h } }
  template:
    metadata: { labels: { app: h } }
    spec:
      containers:
        - { name: c, image: "registry.k8s.io/hpa-example", resources: { requests: { cpu: 10m } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: h }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: h }
  minReplicas: ${least}
  maxReplicas: ${least + 2}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: 40 } }
`;

const withVolumes = (replicas: number, random: Random) => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: v }
spec:
  replicas: ${replicas}
  serviceName: v
  podManagementPolicy: ${random.pick(["OrderedReady", "OrderedReady", "Parallel"])}
  selector: { matchLabels: { app: v } }
  template:
    metadata: { labels: { app: v } }
    spec:
      terminationGracePeriodSeconds: ${random.pick([1, 10])}
      containers:
        - { name: c, image: "nginx:1.20", volumeMounts: [{ name: data, mountPath: /data }] }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

const cronJob = (random: Random) => `apiVersion: batch/v1
kind: CronJob
metadata: { name: k }
spec:
  schedule: "* * * * *"
  concurrencyPolicy: ${random.pick(["Allow", "Forbid", "Replace"])}
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: ${random.pick(["Never", "OnFailure"])}
          containers: [{ name: c, image: "busybox:1.36", command: [sh, -c, "sleep 2"] }]
`;

const AGENT = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: agent } }
  updateStrategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 1 } }
  template:
    metadata: { labels: { app: agent } }
    spec: { containers: [{ name: c, image: "nginx:1.20" }] }
`;
