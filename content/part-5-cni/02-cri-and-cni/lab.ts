/** Two labs: nodes with different files in /etc/cni/net.d, and a runtime that is less strict about them. */
import { type ObjectSummary, objectsAt, type Row } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const FOLDER = "/etc/cni/net.d";
const USUAL = `${FOLDER}/10-podnet.conflist`;

/** A network of a bridge with addresses of `subnet`. */
function list(name: string, subnet: string, type = "bridge"): string {
  const ipam = {
    type: "host-local",
    ranges: [[{ subnet }]],
    routes: [{ dst: "0.0.0.0/0" }],
  };
  const plugins = [{ type, bridge: "cni0", isGateway: true, ipam }];
  return JSON.stringify({ cniVersion: "1.0.0", name, plugins }, undefined, 2);
}

/** Ends in the middle, as after a full disk. */
const CUT_OFF = '{ "cniVersion": "1.0.0", "name": "broken", "plug';

const web = `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: web
spec:
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

/** On every node, whatever its state, and in the node's own network. */
const agent = `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
spec:
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
    spec:
      hostNetwork: true
      tolerations:
        - operator: Exists
      containers:
        - name: agent
          image: nginx:1.27
`;

function atEnd(rows: readonly Row[]): Map<string, ObjectSummary> {
  return objectsAt(rows, rows.at(-1)?.id ?? 0);
}

/** The Pod of the node is ready and has an address that begins so. */
function podOn(node: string, prefix: string) {
  return (rows: readonly Row[]): CheckResult => {
    const all = [...atEnd(rows).values()];
    const pod = all.find((one) => one.kind === "Pod" && one.node === node);
    if (pod?.ready && pod.ip?.startsWith(prefix)) return { ok: true };
    const ready = atEnd(rows).get(`Node ${node}`)?.ready;
    return {
      ok: false,
      atMs: rows.at(-1)?.atMs,
      seen: {
        en: `In the end the node was ${ready ? "Ready" : "not Ready"}, its Pod: ${pod ? `${pod.status}, ${pod.ip ?? "no address"}` : "none"}.`,
        ja: `最後に、nodeは${ready ? "Ready" : "Readyでない状態"}、Podは${pod ? `${pod.status}(${pod.ip ?? "アドレスなし"})` : "なし"}でした。`,
      },
    };
  };
}

const checks: readonly Check[] = [
  {
    id: "skips",
    says: {
      en: "`cut-off`: the broken file is passed over, and the Pod gets an address of the next one, 10.244.0.0/24.",
      ja: "`cut-off`では、壊れたファイルが飛ばされ、Podは次のファイルのアドレス(10.244.0.0/24)を持つ。",
    },
    run: podOn("cut-off", "10.244.0."),
  },
  {
    id: "first-good",
    says: {
      en: "`two-good`: of the two good files the first still wins, 10.55.0.0/24.",
      ja: "`two-good`では、読める二つのうち、いままでどおり先のもの(10.55.0.0/24)が使われる。",
    },
    run: podOn("two-good", "10.55.0."),
  },
  {
    id: "still-tells",
    says: {
      en: "`none-good`: with no good file the node still says that it is not Ready.",
      ja: "`none-good`では、読めるファイルがないので、いままでどおりReadyにならない。",
    },
    run(rows) {
      if (atEnd(rows).get("Node none-good")?.ready === false) return { ok: true };
      return {
        ok: false,
        atMs: rows.at(-1)?.atMs,
        seen: { en: "The node said that it was Ready.", ja: "nodeがReadyになっていました。" },
      };
    },
  },
];

export default defineLabs([
  {
    id: "files",
    title: { en: "Three nodes, three folders", ja: "3台のnode、三つのフォルダー" },
    caption: {
      en: "The nodes differ in their files alone; at 25 s somebody writes the missing one.",
      ja: "nodeの違いは、ファイルだけです。25秒に、足りないファイルが書き込まれます。",
    },
    scenario: {
      name: "files",
      untilMs: 60_000,
      quietMs: 0,
      nodes: [
        {
          name: "two-files",
          files: [{ path: `${FOLDER}/05-other.conflist`, text: list("other", "10.55.0.0/24") }],
        },
        {
          name: "no-file",
          files: [
            { path: USUAL },
            { path: USUAL, text: list("podnet", "10.244.1.0/24"), atMs: 25_000 },
          ],
        },
        {
          name: "no-plugin",
          files: [{ path: USUAL, text: list("podnet", "10.244.2.0/24", "weave-net") }],
        },
      ],
    },
    manifest: `${web}---\n${agent}`,
    files: ["cni/conflist.ts", "cri/pod-network.ts"],
    seed: 7,
  },
  {
    id: "choice",
    title: {
      en: "A runtime that passes over broken files",
      ja: "壊れたファイルを飛ばすランタイム",
    },
    caption: {
      en: "containerd reads the first file and no other, even if it cannot be read; CRI-O would go on to the next.",
      ja: "containerdが読むのは最初のファイルだけで、それが壊れていても同じです。CRI-Oなら、次のファイルへ進みます。",
    },
    task: {
      en: "Let `loadNetwork` pass over files that it cannot read, as CRI-O does: the first good one is the network. If none is good, it must fail as before.",
      ja: "CRI-Oのように、読めないファイルを飛ばす`loadNetwork`にしてください。最初に読めたものがネットワークになります。一つも読めなければ、いままでどおり失敗します。",
    },
    scenario: {
      name: "choice",
      untilMs: 20_000,
      quietMs: 0,
      nodes: [
        { name: "cut-off", files: [{ path: `${FOLDER}/00-broken.conflist`, text: CUT_OFF }] },
        {
          name: "two-good",
          files: [
            { path: `${FOLDER}/00-broken.conf`, text: '{ "name": "no-type" }' },
            { path: `${FOLDER}/05-other.conflist`, text: list("other", "10.55.0.0/24") },
          ],
        },
        { name: "none-good", files: [{ path: USUAL, text: CUT_OFF }] },
      ],
    },
    manifest: web,
    files: ["cni/conflist.ts"],
    seed: 7,
    checks,
  },
]);
