/** Two labs: an operator that keeps a kind of its own, and one that the reader writes. */
import type { Input, Row } from "@shikumi/sim";
import { type ObjectSummary, objectsAt } from "@shikumi/sim/view";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const OPERATOR = "website-operator";

const kind = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: websites.example.com
spec:
  group: example.com
  names:
    kind: Website
    plural: websites
    singular: website
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
      additionalPrinterColumns:
        - name: Wanted
          type: integer
          jsonPath: .spec.replicas
        - name: Ready
          type: integer
          jsonPath: .status.readyReplicas
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [image]
              properties:
                image:
                  type: string
                replicas:
                  type: integer
                  minimum: 0
                  default: 1
            status:
              type: object
              properties:
                readyReplicas:
                  type: integer
`;

const website = (name: string, replicas: string) => `apiVersion: example.com/v1
kind: Website
metadata:
  name: ${name}
spec:
  image: nginx:1.27
${replicas}`;

const shop = website("shop", "  replicas: 2\n");
const kubectl = (atMs: number, line: string): Input => ({ atMs, do: "kubectl", line });
const apply = (atMs: number, yaml: string): Input => ({ atMs, do: "apply", yaml });
const wants = (replicas: number) =>
  `patch website shop --type=merge -p '{"spec":{"replicas":${replicas}}}'`;

/** An object by kind and name as it was at a moment, in ms. */
function objectAt(rows: readonly Row[], atMs: number, kind: string, name: string) {
  const last = rows.findLast((row) => row.atMs <= atMs)?.id ?? 0;
  return objectsAt(rows, last).get(`${kind} default/${name}`);
}

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

function failed(atMs: number, en: string, ja: string): CheckResult {
  return { ok: false, atMs, seen: { en, ja } };
}

/** Fails if the Deployment `shop` does not want so many Pods at that moment. */
function wanted(rows: readonly Row[], atMs: number, count: number): CheckResult {
  const found = objectAt(rows, atMs, "Deployment", "shop")?.counts?.[0];
  if (found === count) return { ok: true };
  return found === undefined
    ? failed(
        atMs,
        `At ${seconds(atMs)} s there was no Deployment \`shop\`.`,
        `${seconds(atMs)}秒に、Deployment \`shop\`はありませんでした。`,
      )
    : failed(
        atMs,
        `At ${seconds(atMs)} s the Deployment wanted ${found}.`,
        `${seconds(atMs)}秒に、Deploymentが求めていたのは${found}個でした。`,
      );
}

/** Fails if a Service of that name is not there, or (`gone`) still is. */
function service(rows: readonly Row[], atMs: number, name: string): CheckResult {
  if (objectAt(rows, atMs, "Service", name)) return { ok: true };
  return failed(
    atMs,
    `At ${seconds(atMs)} s there was no Service \`${name}\`.`,
    `${seconds(atMs)}秒に、Service \`${name}\`はありませんでした。`,
  );
}

const firstFailure = (...results: readonly CheckResult[]): CheckResult =>
  results.find(({ ok }) => !ok) ?? { ok: true };

const OWNED = /^(Website|Deployment|Service)$/;
const isOwn = (object: ObjectSummary | undefined) =>
  OWNED.test(object?.kind ?? "") && object?.namespace === "default";

const checks: readonly Check[] = [
  {
    id: "made",
    says: {
      en: "Each Website gets a Deployment of its name with as many replicas, and a Service.",
      ja: "Websiteごとに、同じ名前で同じ数のDeploymentと、Serviceができる。",
    },
    run: (rows) =>
      firstFailure(
        wanted(rows, 9_000, 2),
        service(rows, 9_000, "shop"),
        service(rows, 9_000, "blog"),
      ),
  },
  {
    id: "told",
    says: {
      en: "The status of `shop` says 2 when both Pods are ready.",
      ja: "Podが二つとも準備できたら、`shop`の`status`が2になる。",
    },
    run(rows) {
      const ready = objectAt(rows, 13_000, "Website", "shop")?.counts?.[3] ?? 0;
      if (ready === 2) return { ok: true };
      return failed(13_000, `At 13.0 s it said ${ready}.`, `13.0秒に、${ready}となっていました。`);
    },
  },
  {
    id: "kept",
    says: {
      en: "Somebody scales the Deployment to 5, and later deletes it. Both are put right within 4 s.",
      ja: "誰かがDeploymentを5に変えても、あとで削除しても、4秒以内に元に戻る。",
    },
    run: (rows) => firstFailure(wanted(rows, 18_000, 2), wanted(rows, 24_000, 2)),
  },
  {
    id: "missed",
    says: {
      en: "What changed while the operator was stopped is caught up with.",
      ja: "オペレーターが止まっていた間の変更に、あとから追いつく。",
    },
    run: (rows) => firstFailure(wanted(rows, 40_000, 3), service(rows, 40_000, "shop")),
  },
  {
    id: "quiet",
    says: {
      en: "When all is as it should be, nothing is written.",
      ja: "すべてがそのとおりになっていれば、何も書き込まない。",
    },
    run(rows) {
      const written = rows.filter(
        ({ atMs, object }) => isOwn(object) && atMs > 44_000 && atMs < 54_000,
      );
      if (written.length === 0) return { ok: true };
      return failed(
        written[0]!.atMs,
        `Between 44 and 54 s there were ${written.length} writes.`,
        `44秒から54秒の間に、${written.length}回書き込まれました。`,
      );
    },
  },
  {
    id: "gone",
    says: {
      en: "The Website `shop` is deleted, and its Deployment and its Service go with it. `blog` stays.",
      ja: "Website `shop`を削除すると、DeploymentもServiceもなくなる。`blog`は残る。",
    },
    run(rows) {
      const left = ["Deployment", "Service"].filter((one) => objectAt(rows, 63_000, one, "shop"));
      if (left.length === 0) return service(rows, 63_000, "blog");
      return failed(
        63_000,
        `Still there at 63.0 s: ${left.join(", ")}.`,
        `63.0秒に残っていたもの: ${left.join("、")}。`,
      );
    },
  },
];

export default defineLabs([
  {
    id: "kept",
    title: { en: "A kind of your own", ja: "自分で作った種類" },
    caption: {
      en: "The operator undoes what others do to the Deployment, sleeps through two changes, and leaves the cleaning up to somebody else.",
      ja: "オペレーターは、Deploymentを誰かが変えても元に戻します。二つの変更を寝過ごし、後片づけはほかの部品に任せます。",
    },
    scenario: { name: "kept", nodes: 2, operator: true, untilMs: 58_000, quietMs: 0 },
    manifest: kind,
    inputs: [
      apply(4_000, shop),
      kubectl(10_000, "get websites,deployments,services"),
      kubectl(14_000, "scale deployment shop --replicas=5"),
      kubectl(18_000, "get websites,deployments"),
      kubectl(20_000, "delete deployment shop --wait=false"),
      kubectl(25_000, "get deployments,pods"),
      { atMs: 30_000, do: "stop", actor: OPERATOR },
      kubectl(31_000, wants(3)),
      kubectl(32_000, "scale deployment shop --replicas=1"),
      kubectl(36_000, "get websites,deployments"),
      { atMs: 40_000, do: "start", actor: OPERATOR },
      kubectl(46_000, "get websites,deployments"),
      kubectl(50_000, "delete website shop --wait=false"),
      kubectl(56_000, "get websites,deployments,services,pods"),
    ],
    files: ["operators/website.ts"],
    seed: 7,
    show: "console",
  },
  {
    id: "write-it",
    title: { en: "Write the operator", ja: "オペレーターを書く" },
    caption: {
      en: "It hears of every Website and does nothing. `apply` lies ready at the end of the file.",
      ja: "すべてのWebsiteを知らされながら、何もしません。`apply`は、ファイルの最後に用意してあります。",
    },
    task: {
      en: "Write the operator, so that each Website has its Deployment and its Service, whatever others do and however often it is stopped.",
      ja: "オペレーターを書いてください。誰が何をしても、何度止められても、WebsiteごとにDeploymentとServiceがあるようにします。",
    },
    scenario: { name: "write-it", nodes: 2, operator: true, untilMs: 64_000, quietMs: 0 },
    manifest: kind,
    inputs: [
      apply(4_000, shop),
      apply(5_000, website("blog", "")),
      kubectl(14_000, "scale deployment shop --replicas=5"),
      kubectl(20_000, "delete deployment shop --wait=false"),
      { atMs: 28_000, do: "stop", actor: OPERATOR },
      kubectl(29_000, wants(3)),
      kubectl(30_000, "delete service shop --wait=false"),
      { atMs: 34_000, do: "start", actor: OPERATOR },
      kubectl(57_000, "delete website shop --wait=false"),
    ],
    files: ["operators/website.ts"],
    seed: 7,
    meetsErrors: true,
    checks,
  },
]);
