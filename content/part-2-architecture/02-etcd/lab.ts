/** Three labs: a majority that is lost, the past of one object, and a commit that does not ask enough members. */
import type { Input, Row } from "@shikumi/sim";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });
const fault = (atMs: number, what: "stop" | "start", actor: string): Input => ({
  atMs,
  do: what,
  actor,
});
const slow = (atMs: number, actor: string, extraMs: number): Input => {
  return { atMs, do: "slow", actor, extraMs };
};
const create = (atMs: number, name: string, soup: string) =>
  kubectl(atMs, `create configmap ${name} --from-literal=soup=${soup}`);
const serve = (atMs: number, soup: string) =>
  kubectl(atMs, `patch configmap menu -p '{"data":{"soup":"${soup}"}}'`);
const look = (atMs: number) =>
  kubectl(
    atMs,
    "get configmap menu -o custom-columns=NAME:.metadata.name,SOUP:.data.soup,VERSION:.metadata.resourceVersion",
  );
const CONFIGMAPS = "/api/v1/namespaces/default/configmaps";
const cached = (atMs: number) => kubectl(atMs, `get --raw '${CONFIGMAPS}/menu?resourceVersion=0'`);
const past = (atMs: number, revision: number) =>
  kubectl(
    atMs,
    `get --raw '${CONFIGMAPS}?fieldSelector=metadata.name=menu&resourceVersion=${revision}&resourceVersionMatch=Exact'`,
  );

const MEMBERS = [1, 2, 3, 4, 5].map((n) => `etcd/m${n}`);
const [M1, ...OTHERS] = MEMBERS as [string, ...string[]];
const CUTS_MS = [12_000, 26_000, 40_000, 54_000];
const CUT_MS = 8_000;
const READ_AT_MS = 86_000;

/** For a while `m1` and one other talk to each other alone. */
function cut(atMs: number, other: string): Input[] {
  const few = [M1, other];
  const many = MEMBERS.filter((member) => !few.includes(member));
  const pairs = few.flatMap((one) => many.map((two) => [one, two] as const));
  return pairs.flatMap((between): Input[] => [
    { atMs, do: "partition", between },
    { atMs: atMs + CUT_MS, do: "heal", between },
  ]);
}

const WRITES: readonly (readonly [atMs: number, name: string])[] = [
  ...CUTS_MS.flatMap((atMs, i) => [
    [atMs + 300, `cut-${i + 1}`] as const,
    [atMs + CUT_MS + 3_000, `healed-${i + 1}`] as const,
  ]),
  [71_000, "two-down"],
];

/** The code of the answer to the only request of this kind for an object. */
function answerTo(rows: readonly Row[], verb: "GET" | "POST", name: string): Row | undefined {
  const subject = `${verb} configmaps default/${name}`;
  const asked = rows.find((row) => row.verb === "request" && row.subject === subject);
  return asked && rows.find((row) => row.verb === "response" && row.causeId === asked.id);
}

const wasCreated = (rows: readonly Row[], name: string) =>
  answerTo(rows, "POST", name)?.code === 201;

const checks: readonly Check[] = [
  {
    id: "kept",
    says: {
      en: "Every write that was answered with “created” is found by another API server at the end.",
      ja: "「created」と答えた書き込みは、最後に別のAPIサーバーから読んでも、すべて残っている。",
    },
    run(rows): CheckResult {
      for (const [, name] of WRITES) {
        if (!wasCreated(rows, name) || answerTo(rows, "GET", name)?.code === 200) continue;
        return {
          ok: false,
          atMs: answerTo(rows, "POST", name)!.atMs,
          seen: {
            en: `\`${name}\` was created, and is not there.`,
            ja: `\`${name}\`は作られたはずなのに、ありません。`,
          },
        };
      }
      return { ok: true };
    },
  },
  {
    id: "goes-on",
    says: {
      en: "With all members, and with two of five stopped, a write succeeds.",
      ja: "全員がいるときも、五つのうち二つが止まっているときも、書き込みができる。",
    },
    run(rows): CheckResult {
      const missed = WRITES.find(([, name]) => !name.startsWith("cut-") && !wasCreated(rows, name));
      if (!missed) return { ok: true };
      const [atMs, name] = missed;
      return {
        ok: false,
        atMs,
        seen: {
          en: `\`${name}\` was not created.`,
          ja: `\`${name}\`は作られませんでした。`,
        },
      };
    },
  },
];

export default defineLabs([
  {
    id: "quorum",
    title: { en: "Three members, then two, then one", ja: "三つから二つ、二つから一つへ" },
    caption: {
      en: "A follower is slow, then one member stops, then a second. Which of your requests are answered, and what has become of the others at the end?",
      ja: "まず一つが遅くなり、一つが止まり、もう一つ止まります。答えがもらえるのはどの要求で、残りは最後にどうなっているでしょうか。",
    },
    scenario: {
      ...{ name: "quorum", nodes: 1, etcdMembers: 3, etcd: "external" },
      ...{ untilMs: 60_000, quietMs: 0 },
    },
    manifest: "",
    inputs: [
      create(8_000, "menu", "miso"),
      slow(10_000, "etcd/m3", 500),
      serve(12_000, "tonjiru"),
      slow(14_000, "etcd/m3", 0),
      fault(18_000, "stop", "etcd/m3"),
      serve(21_000, "kenchin"),
      look(22_000),
      fault(26_000, "stop", "etcd/m2"),
      create(26_300, "late", "udon"),
      look(29_000),
      cached(30_000),
      create(30_500, "later", "ramen"),
      fault(48_400, "start", "etcd/m2"),
      kubectl(55_000, "get configmap menu late later"),
    ],
    files: ["etcd/raft/replication.ts", "etcd/raft/client.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
  },
  {
    id: "past",
    title: { en: "A list of a moment ago", ja: "少し前の一覧" },
    caption: {
      en: "An object is changed, deleted and created anew. Later you ask for the list as it was, three times with a revision of the past, and once more after ten minutes.",
      ja: "オブジェクトを変え、消し、作り直します。あとから過去のリビジョンを三つ指定して一覧を取り、10分後にもう一度だけ尋ねます。",
    },
    scenario: { name: "past", nodes: 1, untilMs: 622_000, quietMs: 0 },
    manifest: "",
    inputs: [
      create(8_000, "menu", "miso"),
      look(8_500),
      serve(10_000, "tonjiru"),
      look(10_500),
      kubectl(14_000, "delete configmap menu"),
      create(16_000, "menu", "ramen"),
      look(16_500),
      past(20_000, 126),
      past(21_000, 127),
      past(22_000, 129),
      past(620_000, 126),
    ],
    files: ["etcd/mvcc.ts", "apiserver/compactor.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
  },
  {
    id: "commit",
    title: { en: "Who has to have it?", ja: "何人が持てば確定か" },
    caption: {
      en: "Four times the API server's member is cut off, with another one of five. At last the API server goes away as well, and you read from another.",
      ja: "APIサーバーの使うメンバーが、ほかの一つとともに、四度切り離されます。最後にはAPIサーバーも止まり、別のAPIサーバーから読みます。",
    },
    task: {
      en: "Mend `advance`, so that no write that was answered with “created” is ever lost, and two of five members may still stop.",
      ja: "`advance`を直してください。「created」と答えた書き込みを決して失わず、五つのうち二つが止まっても書き込めるようにします。",
    },
    scenario: {
      ...{ name: "commit", nodes: 1, controlPlanes: 2, etcdMembers: 5, etcd: "external" },
      ...{ untilMs: 90_000, quietMs: 0 },
    },
    manifest: "",
    inputs: [
      fault(9_000, "stop", "kube-apiserver/cp-2"),
      ...CUTS_MS.flatMap((atMs, i) => cut(atMs, OTHERS[i]!)),
      ...WRITES.map(([atMs, name]) => create(atMs, name, "miso")),
      fault(68_000, "stop", "etcd/m4"),
      fault(68_000, "stop", "etcd/m5"),
      fault(74_000, "start", "etcd/m4"),
      fault(74_000, "start", "etcd/m5"),
      fault(76_000, "start", "kube-apiserver/cp-2"),
      fault(80_000, "stop", "kube-apiserver/cp-1"),
      kubectl(READ_AT_MS, `get configmap ${WRITES.map(([, name]) => name).join(" ")}`),
    ],
    files: ["etcd/raft/replication.ts", "etcd/raft/state.ts"],
    seed: 7,
    meetsErrors: true,
    checks,
  },
]);
