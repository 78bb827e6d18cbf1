/** What still works when a part of the control plane is stopped: one run of the simulator for each, and five probes in it. */
import { createSession, type Input, type Row, rowOf, type Scenario } from "@shikumi/sim";

export const PROBES = ["restart", "read", "write", "schedule", "grow"] as const;
export type Probe = (typeof PROBES)[number];

export interface Case {
  readonly id: string;
  readonly stops: readonly string[];
  readonly scenario?: Scenario;
}

const onAll = (part: string) => [1, 2, 3].map((n) => `${part}/cp-${n}`);

export const CASES: readonly Case[] = [
  { id: "nothing", stops: [] },
  { id: "one-machine", stops: ["node/cp-2"] },
  { id: "two-machines", stops: ["node/cp-2", "node/cp-3"] },
  {
    id: "two-machines-external",
    stops: ["node/cp-2", "node/cp-3"],
    scenario: { etcdMembers: 3, etcd: "external" },
  },
  { id: "one-of-two", stops: ["node/cp-2"], scenario: { controlPlanes: 2 } },
  { id: "load-balancer", stops: ["load-balancer"] },
  { id: "two-api-servers", stops: ["kube-apiserver/cp-2", "kube-apiserver/cp-3"] },
  { id: "two-etcd", stops: ["etcd/cp-2", "etcd/cp-3"] },
  { id: "schedulers", stops: onAll("kube-scheduler") },
  { id: "controllers", stops: onAll("kube-controller-manager") },
];

const STOP_MS = 15_000;
const PROBE_MS = 18_000;
const END_MS = 50_000;

const web = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.27
`;

/** By probe: seconds until it had worked, or undefined if it never did. */
export type Answers = Readonly<Record<Probe, number | undefined>>;

export async function measure({ stops, scenario }: Case, seed = 7): Promise<Answers> {
  const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });
  const inputs: Input[] = [
    { atMs: 6_000, do: "apply", yaml: web },
    kubectl(6_000, "run worker --image=worker:1"),
    ...stops.map((actor): Input => ({ atMs: STOP_MS, do: "stop", actor })),
    kubectl(PROBE_MS, "get deployment web"),
    kubectl(PROBE_MS, "run probe --image=nginx:1.27"),
    kubectl(PROBE_MS, "scale deployment web --replicas=4"),
  ];
  let readAtMs: number | undefined;
  const session = createSession({
    seed,
    scenario: {
      ...{ nodes: 2, controlPlanes: 3, quietMs: 0, untilMs: END_MS },
      // It ends by itself some seconds after the stop.
      images: [
        { name: "worker", tags: ["1"], sizeBytes: 1_000_000, exit: { afterMs: 12_000, code: 1 } },
      ],
      ...scenario,
    },
    inputs,
    onOutput: ({ atMs, text, isError }) => {
      if (!isError && text.startsWith("NAME")) readAtMs = atMs;
    },
  });
  await session.run();
  const rows: Row[] = [];
  for (const entry of session.kernel.trace) {
    if (entry.atMs > STOP_MS && (entry.verb === "write" || entry.verb === "container"))
      rows.push(rowOf(entry));
  }
  return answersOf(rows, readAtMs);
}

function answersOf(rows: readonly Row[], readAtMs: number | undefined): Answers {
  const since = (atMs: number | undefined) =>
    atMs === undefined ? undefined : (atMs - PROBE_MS) / 1_000;
  const first = (is: (row: Row) => boolean) => since(rows.find(is)?.atMs);
  const pod = (row: Row, name: string) =>
    row.object?.kind === "Pod" && row.object.name.startsWith(name);
  const sized = (row: Row, at: number) =>
    row.object?.kind === "Deployment" && row.object.counts?.[at] === 4;
  const restart = first((row) => row.verb === "container" && row.subject === "start worker");
  return {
    restart: restart === undefined ? undefined : 0,
    read: since(readAtMs),
    write: first((row) => sized(row, 0)),
    schedule: first((row) => pod(row, "probe") && row.object?.ready === true),
    grow: first((row) => sized(row, 3)),
  };
}

let once: Promise<readonly { readonly id: string; readonly answers: Answers }[]> | undefined;

/** All cases; measured once in a build. */
export function measureAll() {
  once ??= (async () => {
    const table = [];
    for (const one of CASES) table.push({ id: one.id, answers: await measure(one) });
    return table;
  })();
  return once;
}
