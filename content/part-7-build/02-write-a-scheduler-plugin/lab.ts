/** One cluster, twice: with the scheduler as it is, and with a plugin that the reader writes. */
import type { Input, Row, Scenario } from "@shikumi/sim";
import { type ObjectSummary, objectId } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const RACKS: Readonly<Record<string, string>> = {
  ...{ "node-1": "a", "node-2": "a", "node-3": "b", "node-4": "c" },
};
const MOST = 2;
const LICENSED = /^cad-/;

const scenario = (name: string): Scenario => ({
  name,
  nodes: Object.entries(RACKS).map(([node, rack]) => ({
    name: node,
    labels: { "example.com/rack": rack },
  })),
  ...{ untilMs: 40_000, quietMs: 0 },
});

/** `label` is a line of its labels, or none. */
const pod = (name: string, label: string) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels:
    app: ${name.replace(/-\d+$/, "")}
${label}spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: app
      image: nginx:1.27
      resources:
        requests:
          cpu: 500m
`;

const numbered = (count: number, name: string, label: string) =>
  Array.from({ length: count }, (_, i) => pod(`${name}-${i + 1}`, label));
const manifest = [
  ...numbered(7, "cad", '    example.com/license: "yes"\n'),
  ...numbered(3, "web", ""),
].join("---\n");

const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });
const deleted = (atMs: number, name: string) => kubectl(atMs, `delete pod ${name} --wait=false`);

/** Pods that hold a place on a node, after each change of one of them. */
function moments(rows: readonly Row[]): { atMs: number; bound: ObjectSummary[] }[] {
  const pods = new Map<string, ObjectSummary>();
  return rows.flatMap(({ atMs, object, type }) => {
    if (object?.kind !== "Pod") return [];
    if (type === "DELETED") pods.delete(objectId(object));
    else pods.set(objectId(object), object);
    // Of one that is being deleted, the containers have ended once it is not ready.
    const holds = ({ node, deleting, ready }: ObjectSummary) => node && (ready || !deleting);
    return [{ atMs, bound: [...pods.values()].filter(holds) }];
  });
}

function failed(atMs: number, en: string, ja: string): CheckResult {
  return { ok: false, atMs, seen: { en, ja } };
}

/** Fails if so many licensed Pods do not have a node at that moment. */
function placed(rows: readonly Row[], untilMs: number, count: number): CheckResult {
  const last = moments(rows).findLast(({ atMs }) => atMs <= untilMs)?.bound ?? [];
  const found = last.filter(({ name }) => LICENSED.test(name)).length;
  if (found === count) return { ok: true };
  const at = (untilMs / 1_000).toFixed(0);
  return failed(
    untilMs,
    `At ${at} s, ${found} of them had a node.`,
    `${at}秒にnodeが決まっていたのは${found}個でした。`,
  );
}

// region: check
/** The first moment at which a rack has too many. */
function overfull(rows: readonly Row[]): CheckResult {
  for (const { atMs, bound } of moments(rows)) {
    const racks = bound
      .filter(({ name }) => LICENSED.test(name))
      .map(({ node = "" }) => RACKS[node] ?? "");
    const rack = racks.find((one) => racks.filter((other) => other === one).length > MOST);
    if (rack === undefined) continue;
    const count = racks.filter((other) => other === rack).length;
    return failed(
      atMs,
      `Rack ${rack} had ${count} of them.`,
      `ラック${rack}に${count}個ありました。`,
    );
  }
  return { ok: true };
}
// endregion

/** Cycles of the scheduler for the licensed Pods in a span of time. */
function tries(rows: readonly Row[], fromMs: number, toMs: number): number {
  return rows.filter(
    ({ verb, subject, atMs }) =>
      verb === "schedule" && /cad-/.test(subject) && atMs > fromMs && atMs < toMs,
  ).length;
}

const checks: readonly Check[] = [
  {
    id: "limit",
    says: {
      en: "No rack ever has more than 2 Pods with a license.",
      ja: "ライセンスの要るPodが、一つのラックに3個以上あることはない。",
    },
    run: overfull,
  },
  {
    id: "full",
    says: {
      en: "All 6 licenses are used, and the Pods `web`, which need none, have their nodes too.",
      ja: "6個のライセンスがすべて使われ、ライセンスの要らない`web`のPodにも、nodeが決まる。",
    },
    run(rows) {
      const last = moments(rows).findLast(({ atMs }) => atMs <= 8_000)?.bound ?? [];
      const web = last.filter(({ name }) => name.startsWith("web-")).length;
      if (web === 3) return placed(rows, 8_000, 6);
      return failed(
        8_000,
        `At 8 s, ${web} of the Pods \`web\` had a node.`,
        `8秒に、\`web\`のうちnodeが決まっていたのは${web}個でした。`,
      );
    },
  },
  {
    id: "quiet",
    says: {
      en: "A Pod without a license goes at 12 s. That helps nobody, and the one that waits is not tried again.",
      ja: "12秒に、ライセンスのないPodがなくなる。誰の助けにもならないので、待っているPodを試し直さない。",
    },
    run(rows) {
      const count = tries(rows, 12_000, 18_000);
      if (count === 0 && placed(rows, 8_000, 6).ok) return { ok: true };
      return failed(
        12_000,
        `Between 12 and 18 s it was tried ${count} times.`,
        `12秒から18秒の間に、${count}回試されました。`,
      );
    },
  },
  {
    id: "woken",
    says: {
      en: "At 20 s a licensed Pod goes, and the one that waits has its node 3 s later.",
      ja: "20秒に、ライセンスのあるPodが一つなくなる。待っていたPodのnodeが、3秒以内に決まる。",
    },
    run: (rows) => placed(rows, 23_000, 6),
  },
];

const inputs: readonly Input[] = [
  kubectl(9_000, "get pods -o wide"),
  kubectl(10_000, "describe pod cad-7"),
  deleted(12_000, "web-1"),
  deleted(20_000, "cad-2"),
  kubectl(24_000, "get pods -o wide"),
];

export default defineLabs([
  {
    id: "seven",
    title: { en: "Seven Pods, six licenses", ja: "Podは7個、ライセンスは6個" },
    caption: {
      en: "The scheduler knows room, labels and taints. Of licenses it knows nothing, and puts the Pods where there is room.",
      ja: "スケジューラーが知っているのは、空き、ラベル、taintです。ライセンスのことは知らず、空いているところへ置きます。",
    },
    scenario: scenario("seven"),
    manifest,
    inputs,
    files: ["scheduler/framework.ts"],
    seed: 7,
    show: "console",
  },
  {
    id: "licenses",
    title: { en: "Two in each rack", ja: "ラックごとに二つ" },
    caption: {
      en: "A filter says no, its state is made once a cycle, and an event says when it is worth another try.",
      ja: "フィルターが断り、その状態は1サイクルに一度だけ作られ、イベントが、いつ試し直すとよいかを決めます。",
    },
    task: {
      en: "Write the plugin `licenses`: at most two licensed Pods in each rack, and whoever waits is tried again when a license comes free, and not before.",
      ja: "プラグイン`licenses`を書いてください。ライセンスの要るPodはラックごとに二つまで。待っているPodは、ライセンスが空いたときに、そのときだけ試し直します。",
    },
    scenario: scenario("licenses"),
    manifest,
    inputs,
    files: ["scheduler/profile.ts"],
    seed: 7,
    show: "console",
    checks,
  },
]);
