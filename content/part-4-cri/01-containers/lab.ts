/** Two labs: what two containers of a Pod share, and a limit that nobody enforces. */
import type { Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const MB = 1_000_000;

/** A Pod of two containers, and one of a single container beside it. */
const pods = `apiVersion: v1
kind: Pod
metadata:
  name: shop
spec:
  containers:
    - name: web
      image: nginx:1.27
      resources:
        limits:
          cpu: 500m
          memory: 128Mi
    - name: logger
      image: busybox:1.37
      command: [sh, -c, sleep 3600]
---
apiVersion: v1
kind: Pod
metadata:
  name: neighbour
spec:
  containers:
    - name: web
      image: nginx:1.27
`;

/** One container takes more and more; it says how much it may have. */
const leaking = `apiVersion: v1
kind: Pod
metadata:
  name: shop
spec:
  containers:
    - name: web
      image: nginx:1.27
    - name: cache
      image: registry.example/cache:1.0
      resources:
        limits:
          memory: 256Mi
`;

const containerd = (rows: readonly Row[]) =>
  rows.filter(({ actor, verb }) => actor === "containerd/node-1" && verb === "container");

const shopOf = (row: Row) =>
  row.object?.kind === "Pod" && row.object.name === "shop" ? row.object : undefined;

const failed = (en: string, ja: string, row?: Row): CheckResult => ({
  ok: false,
  seen: { en, ja },
  atMs: row?.atMs,
});

const checks: readonly Check[] = [
  {
    id: "killed",
    says: {
      en: "`cache` is killed when it reaches its limit, within 20 s of its start, and its Pod says `OOMKilled`.",
      ja: "`cache`は、起動から20秒以内に、上限に達したところで止められ、Podの状態が`OOMKilled`になる。",
    },
    run(rows) {
      const order = containerd(rows);
      const start = order.find(({ subject }) => subject === "start cache");
      const end = order.find(({ subject }) => subject === "exit cache");
      if (!start)
        return failed("`cache` never started.", "`cache`は一度も起動しませんでした。", rows.at(-1));
      const told = rows.some((row) => shopOf(row)?.status === "OOMKilled");
      if (end && told && end.atMs - start.atMs <= 20_000) return { ok: true };
      const seconds = (((end ?? rows.at(-1))?.atMs ?? 0) - start.atMs) / 1000;
      return failed(
        `It went on for ${seconds.toFixed(1)} s, long past its limit.`,
        `上限をはるかに超えて、${seconds.toFixed(1)}秒間も動き続けました。`,
        end ?? rows.at(-1),
      );
    },
  },
  {
    id: "neighbour",
    says: {
      en: "`web`, in the same Pod, runs to the end and is never stopped.",
      ja: "同じPodの`web`は、一度も止められずに最後まで動いている。",
    },
    run(rows) {
      const order = containerd(rows);
      const start = order.find(({ subject }) => subject === "start web");
      const end = order.find(({ subject }) => /^(exit|OOM kill) web$/.test(subject));
      if (!start)
        return failed("`web` never started.", "`web`は一度も起動しませんでした。", rows.at(-1));
      if (!end) return { ok: true };
      return failed(`What came over it: ${end.subject}.`, `起きたこと: ${end.subject}。`, end);
    },
  },
  {
    id: "node",
    says: {
      en: "The node itself never runs out of memory.",
      ja: "node全体のメモリは、一度も尽きない。",
    },
    run(rows) {
      const kill = containerd(rows).find(({ subject }) => subject.startsWith("OOM kill"));
      const evicted = rows.find((row) => shopOf(row)?.status === "Evicted");
      if (!kill && !evicted) return { ok: true };
      return failed(
        "It did: the kernel had to choose a process to kill, or the kubelet a Pod to evict.",
        "尽きました。カーネルが止めるプロセスを選ぶか、kubeletが追い出すPodを選ぶことになりました。",
        kill ?? evicted,
      );
    },
  },
];

export default defineLabs([
  {
    id: "inside",
    title: { en: "What is in a Pod", ja: "Podの中身" },
    caption: {
      en: "There is no container in the kernel. There are processes, and what each of them may see and use.",
      ja: "カーネルに、コンテナというものはありません。あるのはプロセスと、それぞれが何を見て何を使えるかという決まりです。",
    },
    scenario: { name: "inside", nodes: 1, untilMs: 20_000 },
    manifest: pods,
    inputs: [
      { atMs: 8_000, do: "crictl", node: "node-1", line: "pods" },
      { atMs: 8_500, do: "crictl", node: "node-1", line: "ps" },
      { atMs: 9_000, do: "crictl", node: "node-1", line: "images" },
    ],
    files: ["cri/namespaces.ts", "kubelet/runtime/cgroups.ts"],
    seed: 7,
  },
  {
    id: "limit",
    title: { en: "A limit that nobody enforces", ja: "誰も守らせない上限" },
    caption: {
      en: "A limit in a manifest is a wish. What holds a process back is a number in its cgroup.",
      ja: "マニフェストの上限は、願いにすぎません。プロセスを実際に抑えるのは、cgroupに書かれた数字です。",
    },
    task: {
      en: "`cache` leaks 20 MB a second. Its limit of 256Mi stands in the manifest, but the kubelet does not hand it on. Have it write the memory limit into the container's cgroup.",
      ja: "`cache`は、毎秒20MBずつメモリを取り続けます。上限の256Miはマニフェストにありますが、kubeletはそれを伝えていません。コンテナのcgroupにメモリの上限を書かせてください。",
    },
    scenario: {
      name: "limit",
      nodes: [{ memory: "1Gi" }],
      images: [
        {
          name: "registry.example/cache",
          sizeBytes: 30 * MB,
          ports: [],
          memoryBytes: 30 * MB,
          memoryGrowthBytesPerSecond: 20 * MB,
        },
      ],
      untilMs: 70_000,
      quietMs: 0,
    },
    manifest: leaking,
    inputs: [{ atMs: 65_000, do: "kubectl", line: "get pods" }],
    files: ["kubelet/runtime/cgroups.ts", "cri/oom-killer.ts"],
    seed: 7,
    checks,
  },
]);
