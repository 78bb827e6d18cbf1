/** Two labs: a cluster at rest that nobody asks, and a watch whose past is forgotten. */
import type { Input } from "@shikumi/sim";
import type { Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const MANAGER = "kube-controller-manager";
const SERVER = "kube-apiserver";

/** A ReplicaSet of `replicas` Pods. */
function crew(replicas: number): string {
  return `apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: crew
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
      containers:
        - name: crew
          image: nginx:1.27
`;
}

const CUT_AT_MS = 8_000;
const HEALED_AT_MS = 13_000;

/** The controllers are cut off; meanwhile something changes and the server starts anew. */
const forgetful: readonly Input[] = [
  { atMs: CUT_AT_MS, do: "partition", between: [MANAGER, SERVER] },
  { atMs: 9_000, do: "apply", yaml: crew(5) },
  { atMs: 11_000, do: "stop", actor: SERVER },
  { atMs: 11_500, do: "start", actor: SERVER },
  { atMs: HEALED_AT_MS, do: "heal", between: [MANAGER, SERVER] },
  { atMs: 55_000, do: "kubectl", line: "get replicaset,pods" },
];

const isOf = (row: Row, subject: string) => row.actor === MANAGER && row.subject === subject;

/** Pods of the crew at the end. */
function podsAtTheEnd(rows: readonly Row[]): number {
  const pods = new Set<string>();
  for (const { object, type } of rows) {
    if (object?.kind !== "Pod") continue;
    if (type === "DELETED") pods.delete(object.name);
    else pods.add(object.name);
  }
  return pods.size;
}

const failed = (en: string, ja: string, row?: Row): CheckResult => ({
  ok: false,
  seen: { en, ja },
  atMs: row?.atMs,
});

const checks: readonly Check[] = [
  {
    id: "caught-up",
    says: {
      en: "At the end there are the 5 Pods that the ReplicaSet asks for since 9 s.",
      ja: "最後には、ReplicaSetが9秒から求めている5個のPodがある。",
    },
    run(rows) {
      const count = podsAtTheEnd(rows);
      if (count === 5) return { ok: true };
      const errors = rows.filter((row) => row.verb === "error" && isOf(row, "watch replicasets"));
      return failed(
        `There were ${count}. The watch for ReplicaSets failed ${errors.length} times.`,
        `${count}個でした。ReplicaSetの監視は${errors.length}回失敗しています。`,
        errors.at(-1) ?? rows.at(-1),
      );
    },
  },
  {
    id: "listed-once-more",
    says: {
      en: "The controllers list the ReplicaSets twice in all: at the start, and once after 410.",
      ja: "コントローラーがReplicaSetの一覧を取るのは、始めと、410の後の、合わせて2回である。",
    },
    run(rows) {
      const lists = rows.filter(
        (row) => row.verb === "request" && isOf(row, "LIST replicasets.apps"),
      );
      if (lists.length === 2) return { ok: true };
      return failed(
        `They listed them ${lists.length} times.`,
        `${lists.length}回でした。`,
        lists.at(-1),
      );
    },
  },
  {
    id: "resumed",
    says: {
      en: "A watch that merely broke goes on where it ended: before 410 there is no second list.",
      ja: "切れただけの監視は、終わったところから続く。410より前に、2回目の一覧はない。",
    },
    run(rows) {
      const lists = rows.filter(
        (row) => row.verb === "request" && isOf(row, "LIST replicasets.apps"),
      );
      // The line breaks first, and only the server's answer after that is 410.
      const asked = rows.find(
        (row) =>
          row.verb === "request" && row.atMs >= HEALED_AT_MS && isOf(row, "WATCH replicasets.apps"),
      );
      const early = lists.slice(1).find((row) => !asked || row.id < asked.id);
      if (!early) return { ok: true };
      return failed(
        "It listed again without need.",
        "必要もないのに、一覧を取り直しました。",
        early,
      );
    },
  },
];

export default defineLabs([
  {
    id: "rest",
    title: { en: "A cluster at rest", ja: "何も起きないクラスター" },
    caption: {
      en: "Everybody lists once and then waits to be told. What still goes to and fro are the heartbeats of the nodes.",
      ja: "誰もが一度だけ一覧を取り、あとは知らせを待ちます。それでも行き来するのは、nodeの心拍だけです。",
    },
    scenario: { name: "rest", nodes: 3, untilMs: 60_000, quietMs: 0 },
    manifest: crew(3),
    inputs: [{ atMs: 40_000, do: "kubectl", line: "scale replicaset crew --replicas=4" }],
    files: ["client/reflector.ts", "client/informer.ts"],
    seed: 7,
  },
  {
    id: "gone",
    title: { en: "A past that is forgotten", ja: "忘れられた過去" },
    caption: {
      en: "A watch goes on from a version. If the server has forgotten that version, only a new list helps.",
      ja: "監視は、ある版から続きます。サーバーがその版を忘れていたら、一覧を取り直すしかありません。",
    },
    task: {
      en: "After 13 s the controllers ask for the changes since a version that the API server no longer knows, and are told 410. Make the reflector list anew then, and only then.",
      ja: "13秒より後、コントローラーは、APIサーバーがもう知らない版からの変更を求め、410を返されます。そのときに、そのときだけ、一覧を取り直すようにしてください。",
    },
    scenario: { name: "gone", nodes: 2, untilMs: 60_000, quietMs: 0 },
    manifest: crew(3),
    inputs: forgetful,
    files: ["client/reflector.ts", "client/informer.ts"],
    seed: 7,
    checks,
  },
]);
