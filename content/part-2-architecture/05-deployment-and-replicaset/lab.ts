/** Three labs: a rollout within its bounds, one that is stuck, and one that the reader makes go one by one. */
import type { Scenario } from "@shikumi/sim";
import { type ObjectSummary, objectId, type Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const WANTED = 6;

/** Six shops that need some seconds before they serve, in the version `tag`. */
function shop(tag: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: ${WANTED}
  progressDeadlineSeconds: 20
  strategy:
    rollingUpdate:
      maxSurge: 25%
      maxUnavailable: 25%
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: shop
          image: shop:${tag}
          readinessProbe:
            httpGet:
              path: /
              port: 80
            periodSeconds: 1
`;
}

/** An image that takes three seconds to serve, and has no version 3.0. */
const scenario: Scenario = {
  // A new Pod is silent for longer than the usual three seconds.
  quietMs: 6_000,
  nodes: 3,
  images: [{ name: "shop", tags: ["1.0", "2.0"], sizeBytes: 40_000_000, startMs: 3_000 }],
};

interface Moment {
  readonly atMs: number;
  readonly pods: readonly ObjectSummary[];
}

/** The Pods that are not being deleted, after each change of one. */
function moments(rows: readonly Row[]): Moment[] {
  const pods = new Map<string, ObjectSummary>();
  const found: Moment[] = [];
  for (const { atMs, object, type } of rows) {
    if (object?.kind !== "Pod") continue;
    if (type === "DELETED" || object.deleting) pods.delete(objectId(object));
    else pods.set(objectId(object), object);
    found.push({ atMs, pods: [...pods.values()] });
  }
  return found;
}

const ready = ({ pods }: Moment) => pods.filter((pod) => pod.ready);
const seconds = (ms: number) => (ms / 1_000).toFixed(1);

/** The first moment at which `count` is wrong, told in both languages. */
function never(
  at: readonly Moment[],
  isWrong: (moment: Moment) => boolean,
  tell: (moment: Moment) => { en: string; ja: string },
): CheckResult {
  const wrong = at.find(isWrong);
  if (!wrong) return { ok: true };
  const { atMs } = wrong;
  const { en, ja } = tell(wrong);
  return {
    ok: false,
    atMs,
    seen: {
      en: `At ${seconds(atMs)} s there were ${en}.`,
      ja: `${seconds(atMs)}秒に、${ja}でした。`,
    },
  };
}

/** From the moment on at which all shops of version 1.0 serve. */
function fromTheRollout(rows: readonly Row[]): Moment[] {
  const all = moments(rows);
  const begin = all.findIndex((moment) => ready(moment).length === WANTED);
  return begin < 0 ? [] : all.slice(begin);
}

const checks: readonly Check[] = [
  {
    id: "one-more-at-most",
    says: {
      en: "There are never more than 7 Pods, besides those that are being deleted.",
      ja: "削除中のものを除いて、Podは7個を超えない。",
    },
    run: (rows) =>
      never(
        moments(rows),
        ({ pods }) => pods.length > WANTED + 1,
        ({ pods }) => ({ en: `${pods.length} Pods`, ja: `Podが${pods.length}個` }),
      ),
  },
  {
    id: "never-fewer",
    says: {
      en: "Once 6 Pods are ready, there are never fewer ready ones.",
      ja: "6個のPodがReadyになってからは、Readyなものが6個を下回らない。",
    },
    run: (rows) =>
      never(
        fromTheRollout(rows),
        (moment) => ready(moment).length < WANTED,
        (moment) => ({
          en: `only ${ready(moment).length} ready Pods`,
          ja: `ReadyなPodが${ready(moment).length}個だけ`,
        }),
      ),
  },
  {
    id: "it-ends",
    says: {
      en: "The run ends with 6 ready Pods, all of version 2.0.",
      ja: "実行の最後に、6個のPodがすべて2.0で、Readyになっている。",
    },
    run(rows) {
      const last = moments(rows).at(-1);
      const done = last ? ready(last).filter((pod) => pod.image === "shop:2.0").length : 0;
      if (done === WANTED && last?.pods.length === WANTED) return { ok: true };
      const old = (last?.pods.length ?? 0) - done;
      return {
        ok: false,
        atMs: last?.atMs,
        seen: {
          en: `At the end ${done} Pods of version 2.0 were ready; ${old} others were left.`,
          ja: `最後に、2.0でReadyなPodは${done}個、ほかのPodは${old}個でした。`,
        },
      };
    },
  },
];

export default defineLabs([
  {
    id: "rollout",
    title: { en: "A rollout within its bounds", ja: "上限と下限の間を進む更新" },
    caption: {
      en: "At 12 s version 2.0 is applied: one ReplicaSet grows, the other shrinks, and the Deployment controller touches nothing else.",
      ja: "12秒に2.0が適用されます。一方のReplicaSetが増え、もう一方が減ります。Deploymentコントローラーが触るのは、この二つだけです。",
    },
    scenario: { ...scenario, name: "rollout", untilMs: 60_000 },
    manifest: shop("1.0"),
    inputs: [{ atMs: 12_000, do: "apply", yaml: shop("2.0") }],
    files: [],
    seed: 7,
  },
  {
    id: "stuck",
    title: { en: "A version that does not exist", ja: "存在しない版" },
    caption: {
      en: "Version 3.0 was never built. The rollout stops by itself, and stays there until someone applies another version.",
      ja: "3.0のイメージは、どこにもありません。更新はひとりでに止まり、誰かが別の版を適用するまで、そのままです。",
    },
    scenario: { ...scenario, name: "stuck", untilMs: 80_000 },
    manifest: shop("2.0"),
    inputs: [
      { atMs: 12_000, do: "apply", yaml: shop("3.0") },
      { atMs: 50_000, do: "apply", yaml: shop("2.0") },
    ],
    files: [],
    seed: 7,
  },
  {
    id: "one-by-one",
    title: { en: "One by one", ja: "1個ずつ" },
    caption: {
      en: "The rolling step in the editor decides how the two ReplicaSets change; make it replace one Pod at a time.",
      ja: "エディターにあるのは、二つのReplicaSetの変え方を決める部分です。Podを1個ずつ入れ替えるようにしてください。",
    },
    task: {
      en: "Whatever the percentages say, replace one Pod at a time: never more than 7 Pods, and never fewer than 6 ready ones. Two files take part in it.",
      ja: "割合の指定にかかわらず、Podを1個ずつ入れ替えてください。Podは7個まで、Readyなものは6個を下回らないこと。関わるファイルは二つあります。",
    },
    scenario: { ...scenario, name: "one-by-one", untilMs: 90_000 },
    manifest: shop("1.0"),
    inputs: [{ atMs: 12_000, do: "apply", yaml: shop("2.0") }],
    files: ["controllers/deployment/rolling.ts", "controllers/deployment/new-replicas.ts"],
    seed: 7,
    checks,
  },
]);
