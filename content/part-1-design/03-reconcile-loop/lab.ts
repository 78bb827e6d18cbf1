/** Two labs: a controller that missed everything, and one that the reader writes. */
import type { Input } from "@shikumi/sim";
import { type ObjectSummary, objectId, type Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const MANAGER = "kube-controller-manager";

/** A ReplicaSet of `replicas` Pods; `note` makes it a change that nobody needs. */
function crew(replicas: number, note = "-"): string {
  return `apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: crew
  annotations:
    note: "${note}"
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: crew
  template:
    metadata:
      labels:
        app: crew
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: crew
          image: nginx:1.27
`;
}

const apply = (atMs: number, yaml: string): Input => ({ atMs, do: "apply", yaml });
const stop = (atMs: number): Input => ({ atMs, do: "stop", actor: MANAGER });
const start = (atMs: number): Input => ({ atMs, do: "start", actor: MANAGER });

interface Moment {
  readonly atMs: number;
  /** Pods that are not being deleted. */
  readonly count: number;
}

function moments(rows: readonly Row[]): Moment[] {
  const pods = new Map<string, ObjectSummary>();
  return rows.flatMap(({ atMs, object, type }) => {
    if (object?.kind !== "Pod") return [];
    if (type === "DELETED" || object.deleting) pods.delete(objectId(object));
    else pods.set(objectId(object), object);
    return [{ atMs, count: pods.size }];
  });
}

/** Pods at a moment, in ms. */
function countAt(rows: readonly Row[], atMs: number): number {
  return moments(rows).findLast((moment) => moment.atMs <= atMs)?.count ?? 0;
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

function seen(atMs: number, count: number): CheckResult {
  const en = `At ${seconds(atMs)} s there ${count === 1 ? "was 1 Pod" : `were ${count} Pods`}.`;
  return { ok: false, atMs, seen: { en, ja: `${seconds(atMs)}秒に、Podは${count}個でした。` } };
}

/** Fails if at `atMs` there are not `wanted` Pods. */
function settled(rows: readonly Row[], atMs: number, wanted: number): CheckResult {
  const count = countAt(rows, atMs);
  return count === wanted ? { ok: true } : seen(atMs, count);
}

/** Fails at the first moment between two at which the count leaves the range. */
function within(
  rows: readonly Row[],
  [fromMs, toMs]: readonly [number, number],
  [least, most]: readonly [number, number],
): CheckResult {
  const wrong = moments(rows).find(
    ({ atMs, count }) => atMs >= fromMs && atMs < toMs && (count < least || count > most),
  );
  return wrong ? seen(wrong.atMs, wrong.count) : { ok: true };
}

const firstFailure = (...results: readonly CheckResult[]): CheckResult =>
  results.find(({ ok }) => !ok) ?? { ok: true };

const checks: readonly Check[] = [
  {
    id: "duplicates",
    says: {
      en: "The same news three times over makes 3 Pods, and never more.",
      ja: "同じ知らせが3回続けて届いても、Podは3個。それを超えない。",
    },
    run: (rows) => firstFailure(within(rows, [0, 10_000], [0, 3]), settled(rows, 9_500, 3)),
  },
  {
    id: "missed",
    says: {
      en: "A change to 5, made while the controller is down, is carried out when it is back.",
      ja: "コントローラーが止まっている間の5個への変更を、戻ってから実行する。",
    },
    run: (rows) => firstFailure(within(rows, [10_000, 20_000], [3, 5]), settled(rows, 19_500, 5)),
  },
  {
    id: "crash-up",
    says: {
      en: "After a crash while it grows to 12, there are 12 Pods, and never more.",
      ja: "12個に増やす途中で落ちても、最後は12個。それを超えない。",
    },
    run: (rows) => firstFailure(within(rows, [20_000, 32_000], [5, 12]), settled(rows, 31_500, 12)),
  },
  {
    id: "crash-down",
    says: {
      en: "After a crash while it shrinks to 2, there are 2 Pods, and never fewer.",
      ja: "2個に減らす途中で落ちても、最後は2個。それを下回らない。",
    },
    run: (rows) => firstFailure(within(rows, [32_000, 60_000], [2, 12]), settled(rows, 43_500, 2)),
  },
];

export default defineLabs([
  {
    id: "missed",
    title: { en: "It missed everything", ja: "何も見ていなかった" },
    caption: {
      en: "Three changes came and went while nobody watched. One look at how things are is enough.",
      ja: "誰も見ていない間に、変更が三度ありました。それでも、いまの状態を一度見れば足ります。",
    },
    scenario: { name: "missed", nodes: 2, untilMs: 40_000 },
    manifest: crew(3),
    inputs: [
      stop(6_000),
      apply(8_000, crew(5)),
      apply(9_000, crew(1)),
      apply(10_000, crew(4)),
      start(14_000),
    ],
    files: [],
    seed: 7,
  },
  {
    id: "write-it",
    title: { en: "Write the loop", ja: "ループを書く" },
    caption: {
      en: "The `reconcile` in the editor sees everything and does nothing. What it needs lies below it in the file.",
      ja: "エディターの`reconcile`は、すべてを見ていながら、何もしません。必要な道具は、同じファイルの下のほうにあります。",
    },
    task: {
      en: "Write `reconcile` so that as many Pods live as `spec.replicas` says, whatever happens to the news and to the controller itself.",
      ja: "`spec.replicas`の数だけPodが動くように、`reconcile`を書いてください。知らせが欠けても重なっても、コントローラー自身が落ちても、成り立つようにします。",
    },
    scenario: { name: "write-it", nodes: 2, untilMs: 45_000, quietMs: 0 },
    manifest: crew(3),
    inputs: [
      // News of changes comes late: the local copies are 60 ms old.
      { atMs: 500, do: "slow", actor: MANAGER, extraMs: 60 },
      apply(1_040, crew(3, "once more")),
      apply(1_080, crew(3, "and again")),
      stop(10_000),
      apply(11_000, crew(5)),
      start(14_000),
      apply(20_000, crew(12)),
      stop(20_070),
      start(24_000),
      apply(32_000, crew(2)),
      stop(32_075),
      start(36_000),
    ],
    files: ["controllers/replicaset.ts"],
    seed: 7,
    checks,
  },
]);
