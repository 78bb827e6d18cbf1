/** Two labs: one ADD and one DEL, and a plugin that hands out addresses. */
import { type ObjectSummary, objectId, objectsAt, type Row } from "@shikumi/sim/view";
import { type Check, defineLabs } from "../../../src/sandbox/lab.ts";

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: nginx
      image: nginx:1.27
      ports:
        - containerPort: 80
          hostPort: 8080
`;

const ADDRESSES = ["10.88.0.10", "10.88.0.11", "10.88.0.12"];

/** A network whose addresses somebody has written down. */
const writtenDown = JSON.stringify(
  {
    cniVersion: "1.0.0",
    name: "podnet",
    plugins: [
      {
        type: "bridge",
        bridge: "cni0",
        isGateway: true,
        ipam: {
          type: "static",
          addresses: ADDRESSES.map((ip) => ({ address: `${ip}/24`, gateway: "10.88.0.1" })),
          routes: [{ dst: "0.0.0.0/0" }],
        },
      },
    ],
  },
  undefined,
  2,
);

const fourPods = ["a", "b", "c", "d"]
  .map(
    (name) => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  containers:
    - name: nginx
      image: nginx:1.27
`,
  )
  .join("---\n");

/** Moments at which a Pod changed, with all that are not being deleted. */
function* moments(rows: readonly Row[]): Iterable<[row: Row, pods: readonly ObjectSummary[]]> {
  const pods = new Map<string, ObjectSummary>();
  for (const row of rows) {
    if (row.object?.kind !== "Pod") continue;
    if (row.type === "DELETED" || row.object.deleting) pods.delete(objectId(row.object));
    else pods.set(objectId(row.object), row.object);
    yield [row, [...pods.values()]];
  }
}

const checks: readonly Check[] = [
  {
    id: "own-address",
    says: {
      en: "No two Pods have the same address.",
      ja: "同じアドレスのPodが、同時に二つ以上ない。",
    },
    run(rows) {
      for (const [{ atMs }, pods] of moments(rows)) {
        const ips = pods.flatMap(({ ip }) => ip ?? []);
        const twice = ips.find((ip, i) => ips.indexOf(ip) !== i);
        if (!twice) continue;
        const names = pods.filter(({ ip }) => ip === twice).map(({ name }) => name);
        return {
          ok: false,
          atMs,
          seen: {
            en: `The Pods ${names.join(" and ")} had ${twice} at the same time.`,
            ja: `Podの${names.join("と")}が、同時に${twice}でした。`,
          },
        };
      }
      return { ok: true };
    },
  },
  {
    id: "of-the-list",
    says: {
      en: "Every address is one of the three in the configuration.",
      ja: "どのアドレスも、設定にある三つのうちの一つである。",
    },
    run(rows) {
      for (const [{ atMs }, pods] of moments(rows)) {
        const other = pods.find(({ ip }) => ip && !ADDRESSES.includes(ip));
        if (!other) continue;
        return {
          ok: false,
          atMs,
          seen: {
            en: `Pod ${other.name} had ${other.ip}.`,
            ja: `Podの${other.name}が${other.ip}でした。`,
          },
        };
      }
      return { ok: true };
    },
  },
  {
    id: "given-back",
    says: {
      en: "Pod `a` is gone in the end, and `b`, `c` and `d` are ready.",
      ja: "最後に、`a`はなくなり、`b`、`c`、`d`がReadyになっている。",
    },
    run(rows) {
      const objects = objectsAt(rows, rows.at(-1)?.id ?? 0);
      const pods = ["a", "b", "c", "d"].map((name) => objects.get(`Pod default/${name}`));
      const [a, ...others] = pods;
      if (!a && others.every((other) => other?.ready)) return { ok: true };
      const list = pods.flatMap((one) => (one ? `${one.name}: ${one.status}` : [])).join(", ");
      return {
        ok: false,
        atMs: rows.at(-1)?.atMs,
        seen: { en: `In the end: ${list}`, ja: `最後の状態は、${list}` },
      };
    },
  },
];

export default defineLabs([
  {
    id: "one-add",
    title: { en: "One ADD, one DEL", ja: "一度のADD、一度のDEL" },
    caption: {
      en: "The plugins run one after another, each for an instant, when the Pod is made; at 8 s it is deleted, and they run in the opposite order.",
      ja: "Podができるとき、プラグインが一つずつ、一瞬だけ動きます。8秒にPodを削除すると、今度は逆の順で動きます。",
    },
    scenario: { name: "one-add", nodes: 1, untilMs: 30_000 },
    manifest: pod,
    inputs: [{ atMs: 8_000, do: "kubectl", line: "delete pod web" }],
    files: ["cni/libcni.ts", "cni/plugins/bridge.ts", "cni/plugins/portmap.ts"],
    seed: 7,
  },
  {
    id: "pool",
    title: { en: "A plugin that hands out addresses", ja: "アドレスを配るプラグイン" },
    caption: {
      en: "Four Pods, three addresses; at 12 s Pod `a` is deleted. As it stands, the plugin gives every Pod the same.",
      ja: "Podが四つ、アドレスが三つ。12秒に`a`を削除します。いまのプラグインは、どのPodにも同じものを渡します。",
    },
    task: {
      en: "Make `static` a pool: each ADD gives one address of the list that nobody has, or fails; DEL gives it back. A DEL for a container that never got one must succeed.",
      ja: "`static`を、アドレスを配るプラグインにしてください。ADDは、まだ誰も持っていないものを一つ渡し、なければ失敗します。DELは、それを返します。何も受け取らなかったコンテナのDELも、成功しなければなりません。",
    },
    scenario: {
      name: "pool",
      nodes: [{ files: [{ path: "/etc/cni/net.d/10-podnet.conflist", text: writtenDown }] }],
      untilMs: 50_000,
      quietMs: 0,
    },
    manifest: fourPods,
    inputs: [{ atMs: 12_000, do: "kubectl", line: "delete pod a" }],
    files: ["cni/plugins/static.ts", "cni/plugins/host-local-store.ts"],
    seed: 7,
    checks,
  },
]);
