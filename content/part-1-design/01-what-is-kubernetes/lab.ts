/** Two labs: a wish that the reader changes in three places, and the patience with a silent node. */
import type { Input } from "@shikumi/sim";
import { type ObjectSummary, objectId, type Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

interface Shop {
  readonly replicas: number;
  readonly tag: string;
}

function shop({ replicas, tag }: Shop): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: ${replicas}
  strategy:
    type: RollingUpdate
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: shop
          image: shop:${tag}
`;
}

const first = shop({ replicas: 3, tag: "1.0" });
const APPLY_AT_MS = 27_000;
const OLD = "shop:1.0";
const NEW = "shop:1.1";

const web = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 6
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: nginx
          image: nginx:1.27
`;

const DIES_AT_MS = 20_000;
const REPLACED_BY_MS = DIES_AT_MS + 100_000;
const CUT_AT_MS = 160_000;
const HEALS_AT_MS = CUT_AT_MS + 55_000;
const UNTIL_MS = 300_000;
const DEAD = "node-2";
const CUT = "node-3";
const cut: readonly [string, string] = [`kubelet/${CUT}`, "kube-apiserver"];

const seconds = (atMs: number) => (atMs / 1_000).toFixed(0);

interface Moment {
  readonly atMs: number;
  readonly pods: readonly ObjectSummary[];
}

/** The Pods after each change of one; those that are being deleted are among them. */
function moments(rows: readonly Row[]): Moment[] {
  const pods = new Map<string, ObjectSummary>();
  return rows.flatMap(({ atMs, object, type }) => {
    if (object?.kind !== "Pod") return [];
    if (type === "DELETED") pods.delete(objectId(object));
    else pods.set(objectId(object), object);
    return [{ atMs, pods: [...pods.values()] }];
  });
}

/** Pods at a moment, in ms, that are not being deleted. */
function podsAt(rows: readonly Row[], atMs: number): ObjectSummary[] {
  const last = moments(rows).findLast((moment) => moment.atMs <= atMs);
  return (last?.pods ?? []).filter((pod) => !pod.deleting);
}

const serves = (pod: ObjectSummary) => pod.ready && !pod.deleting;

const declareChecks: readonly Check[] = [
  {
    id: "five-of-the-new",
    says: {
      en: "The run ends with 5 ready Pods of `shop:1.1`, and no others.",
      ja: "実行の最後に、`shop:1.1`のPodが5個Readyで、ほかのPodはない。",
    },
    run(rows) {
      const atMs = rows.at(-1)?.atMs ?? 0;
      const pods = podsAt(rows, atMs);
      const done = pods.filter((pod) => pod.ready && pod.image === NEW).length;
      if (done === 5 && pods.length === 5) return { ok: true };
      const rest = pods.length - done;
      return {
        ok: false,
        atMs,
        seen: {
          en: `At the end ${done} Pods of ${NEW} were ready; there were ${rest} others.`,
          ja: `最後に、${NEW}でReadyなPodは${done}個、ほかのPodは${rest}個でした。`,
        },
      };
    },
  },
  {
    id: "never-both",
    says: {
      en: "A Pod of 1.0 and a Pod of 1.1 are never ready at the same time.",
      ja: "1.0のPodと1.1のPodが、同時にReadyになることはない。",
    },
    run(rows) {
      const both = moments(rows).find(({ pods }) =>
        [OLD, NEW].every((image) => pods.some((pod) => serves(pod) && pod.image === image)),
      );
      if (!both) return { ok: true };
      const { atMs } = both;
      return {
        ok: false,
        atMs,
        seen: {
          en: `At ${seconds(atMs)} s Pods of both versions were ready.`,
          ja: `${seconds(atMs)}秒に、両方の版のPodがReadyでした。`,
        },
      };
    },
  },
];

/** Fails unless six ready Pods are on nodes that are not `DEAD`. */
function sixElsewhere(rows: readonly Row[], atMs: number): CheckResult {
  const pods = podsAt(rows, atMs);
  const good = pods.filter((pod) => pod.ready && pod.node !== DEAD).length;
  if (good === 6) return { ok: true };
  return {
    ok: false,
    atMs,
    seen: {
      en: `At ${seconds(atMs)} s ${good} ready Pods were on nodes that are alive.`,
      ja: `${seconds(atMs)}秒に、生きているnodeでReadyなPodは${good}個でした。`,
    },
  };
}

const patienceChecks: readonly Check[] = [
  {
    id: "dead-is-replaced",
    says: {
      en: "100 s after `node-2` died, 6 ready Pods are on the other nodes.",
      ja: "`node-2`が壊れてから100秒後に、ほかのnodeでPodが6個Readyになっている。",
    },
    run: (rows) => sixElsewhere(rows, REPLACED_BY_MS),
  },
  {
    id: "silent-is-spared",
    says: {
      en: "`node-3` is cut off for 55 s, and none of its Pods is given up.",
      ja: "`node-3`が55秒間つながらなくても、その上のPodを一つもあきらめない。",
    },
    run(rows) {
      const lost = rows.find(
        ({ atMs, object }) =>
          atMs > CUT_AT_MS && object?.kind === "Pod" && object.deleting && object.node === CUT,
      );
      if (!lost) return { ok: true };
      const { atMs, object } = lost;
      return {
        ok: false,
        atMs,
        seen: {
          en: `At ${seconds(atMs)} s the Pod ${object?.name} on ${CUT} was deleted.`,
          ja: `${seconds(atMs)}秒に、${CUT}のPod ${object?.name}が削除されました。`,
        },
      };
    },
  },
];

const cutOff = (atMs: number, what: "partition" | "heal"): Input => ({
  atMs,
  do: what,
  between: cut,
});

export default defineLabs([
  {
    id: "declare",
    title: { en: "Change what is wanted", ja: "望みを書き換える" },
    caption: {
      en: "Version 1.0 crashes six seconds after each start. At 27 s the manifest in the editor is applied.",
      ja: "1.0は、起動するたびに6秒で落ちます。27秒に、エディターのマニフェストが適用されます。",
    },
    task: {
      en: "Ask for five Pods of the mended version, `shop:1.1`, and see to it that the two versions never run at the same time. Three words of the manifest have to change.",
      ja: "直った版`shop:1.1`のPodを5個求めてください。ただし、二つの版が同時に動くことのないようにします。マニフェストの3か所を書き換えます。",
    },
    scenario: {
      name: "declare",
      nodes: 3,
      untilMs: 60_000,
      quietMs: 0,
      images: [
        { name: "shop", tags: ["1.0"], sizeBytes: 30_000_000, exit: { afterMs: 6_000, code: 1 } },
        { name: "shop", tags: ["1.1"], sizeBytes: 30_000_000 },
      ],
    },
    manifest: first,
    applyAtMs: APPLY_AT_MS,
    inputs: [{ atMs: 1_000, do: "apply", yaml: first }],
    files: [],
    seed: 7,
    checks: declareChecks,
  },
  {
    id: "patience",
    title: { en: "How long to wait for a silent machine", ja: "黙ったマシンを、どれだけ待つか" },
    caption: {
      en: "`node-2` dies at 20 s. `node-3` is cut off at 160 s, and is back 55 s later. From outside, both look alike.",
      ja: "`node-2`は20秒に壊れます。`node-3`は160秒につながらなくなり、55秒後に戻ります。外からは、どちらも同じに見えます。",
    },
    task: {
      en: "Have the Pods of the dead node replaced within 100 s, without giving up those of the node that is only cut off. One number in the file decides it.",
      ja: "壊れたnodeのPodは100秒以内に作り直し、つながらないだけのnodeのPodはあきらめないようにしてください。決めるのは、このファイルの数一つです。",
    },
    scenario: { name: "patience", nodes: 3, untilMs: UNTIL_MS, quietMs: 0 },
    manifest: web,
    inputs: [
      { atMs: DIES_AT_MS, do: "stop", actor: `node/${DEAD}` },
      cutOff(CUT_AT_MS, "partition"),
      cutOff(HEALS_AT_MS, "heal"),
    ],
    files: ["apiserver/admission/plugins/default-toleration-seconds.ts"],
    seed: 7,
    checks: patienceChecks,
  },
]);
