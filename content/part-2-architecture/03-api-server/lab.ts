/** Three labs: seven requests on the same way, a webhook that does not answer, and one that injects too much. */
import type { Input, Row } from "@shikumi/sim";
import { type Check, type CheckResult, defineLabs } from "../../../src/sandbox/lab.ts";

const kubectl = (atMs: number, line: string, stdin?: string): Input => ({
  ...{ atMs, do: "kubectl", line },
  ...(stdin && { stdin }),
});

const apply = (atMs: number, yaml: string): Input => ({ atMs, do: "apply", yaml });

/** What is in the shop before anybody asks: who may do what, and how much. */
const SHOP = `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: developers
  namespace: shop
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: edit
subjects:
  - apiGroup: rbac.authorization.k8s.io
    kind: User
    name: jane
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: small
  namespace: shop
spec:
  hard:
    requests.cpu: "1"
---
apiVersion: v1
kind: LimitRange
metadata:
  name: usual
  namespace: shop
spec:
  limits:
    - type: Container
      defaultRequest:
        cpu: 200m
`;

const WEB = `apiVersion: v1
kind: Pod
metadata:
  name: web
  namespace: shop
spec:
  containers:
    - name: web
      image: nginx:1.27
`;

const INJECTOR = `apiVersion: v1
kind: Namespace
metadata:
  name: mesh
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: sidecar-injector
  namespace: mesh
spec:
  selector:
    matchLabels:
      app: sidecar-injector
  template:
    metadata:
      labels:
        app: sidecar-injector
    spec:
      containers:
        - name: injector
          image: registry.example/sidecar-injector:1.0
          ports:
            - containerPort: 443
---
apiVersion: v1
kind: Service
metadata:
  name: sidecar-injector
  namespace: mesh
spec:
  selector:
    app: sidecar-injector
  ports:
    - port: 443
`;

const HOOK = (more: string, last = "") => `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: sidecar-injector
webhooks:
  - name: sidecar-injector.example.com
    clientConfig:
      service:
        namespace: mesh
        name: sidecar-injector
    rules:
      - apiGroups: [""]
        apiVersions: [v1]
        operations: [CREATE]
        resources: [pods]
${more}    admissionReviewVersions: [v1]
    sideEffects: None
${last}`;

const NOT_MESH = `    namespaceSelector:
      matchExpressions:
        - key: kubernetes.io/metadata.name
          operator: NotIn
          values: [mesh]
`;

const INJECTOR_ACTOR = "sidecar-injector";
const ORDER = "mutatingwebhookconfiguration sidecar-injector --type=json";
const CONTAINERS =
  "get pods -o custom-columns=NAME:.metadata.name,CONTAINERS:.spec.containers[*].name";

const policy = (value: string) =>
  `patch ${ORDER} -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"${value}"}]'`;

const APPS = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
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
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: report
spec:
  selector:
    matchLabels:
      app: report
  template:
    metadata:
      labels:
        app: report
      annotations:
        mesh.example.com/inject: "false"
    spec:
      containers:
        - name: report
          image: registry.example/report:1.0
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: agent
  namespace: kube-system
spec:
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
    spec:
      containers:
        - name: agent
          image: registry.example/agent:1.0
`;

/** Names of containers by Pod, out of the table that kubectl printed at the end. */
function containersOf(rows: readonly Row[]): Map<string, string[]> {
  const isTable = ({ verb, subject }: Row) => verb === "log" && /^NAMESPACE +NAME /.test(subject);
  const [, ...lines] = rows.findLast(isTable)?.subject.split("\n") ?? [];
  const cells = lines.map((line) => line.trim().split(/ +/));
  return new Map(
    cells.map(([namespace, name, all = ""]) => [`${namespace}/${name}`, all.split(",")]),
  );
}

const failed = (en: string, ja: string): CheckResult => ({ ok: false, seen: { en, ja } });

/** Pods whose names begin so are there in this number, each with these containers. */
function wants(id: string, pods: string, count: number, each: string, says: Check["says"]): Check {
  return {
    id,
    says,
    run(rows) {
      const found = [...containersOf(rows)].filter(([name]) => name.startsWith(pods));
      const wrong = found.find(([, containers]) => containers.join() !== each);
      if (wrong) {
        const list = wrong[1].join(", ");
        return failed(
          `\`${wrong[0]}\` has the containers ${list}.`,
          `\`${wrong[0]}\`のコンテナは${list}です。`,
        );
      }
      if (found.length === count) return { ok: true };
      const why = rows.find(
        ({ verb, actor, subject }) =>
          verb === "response" && actor === "kube-apiserver" && subject.startsWith("422"),
      );
      return failed(
        `${found.length} of ${count} are there${why ? "; the API server answered 422" : ""}.`,
        `${count}個のうち${found.length}個しかありません${why ? "。APIサーバーは422を返しました" : ""}。`,
      );
    },
  };
}

const checks: readonly Check[] = [
  wants("web", "default/web-", 3, "nginx,proxy", {
    en: "Each of the three `web` Pods has one `proxy` beside its own container.",
    ja: "三つの`web`のPodに、自分のコンテナと、`proxy`が一つずつある。",
  }),
  wants("report", "default/report-", 1, "report", {
    en: "`report`, whose annotation says no, is left as it is.",
    ja: "アノテーションで断っている`report`は、そのままである。",
  }),
  wants("agent", "kube-system/agent-", 1, "agent", {
    en: "`agent` in `kube-system` is left as it is.",
    ja: "`kube-system`の`agent`は、そのままである。",
  }),
];

export default defineLabs([
  {
    id: "stations",
    title: { en: "Seven requests on one way", ja: "同じ道を行く七つの要求" },
    caption: {
      en: "Your Pod goes through all stations. Of the six requests after it, each is turned away at another one.",
      ja: "あなたのPodは、すべての関門を通ります。その後の六つの要求は、それぞれ別の関門で返されます。",
    },
    scenario: { ...{ name: "stations", nodes: 1 }, ...{ untilMs: 30_000, quietMs: 0 } },
    manifest: WEB,
    applyAtMs: 4_000,
    inputs: [
      apply(1_000, SHOP),
      kubectl(2_000, "create -f - --dry-run=server -o yaml", WEB),
      kubectl(9_500, "config set-credentials ghost --token=made-up"),
      kubectl(10_000, "run a -n shop --image=nginx:1.27 --user=ghost"),
      kubectl(12_000, "run b -n shop --image=nginx:1.27 --as=tom"),
      kubectl(
        14_000,
        `run c -n shop --image=nginx:1.27 --as=jane --overrides='{"spec":{"serviceAccountName":"robot"}}'`,
      ),
      kubectl(16_000, "run d -n shop --image=nginx:1.27 --port=70000 --as=jane"),
      kubectl(
        18_000,
        `run e -n shop --image=nginx:1.27 --as=jane --overrides='{"spec":{"containers":[{"name":"e","image":"nginx:1.27","resources":{"requests":{"cpu":"2"}}}]}}'`,
      ),
      kubectl(20_000, "run web -n shop --image=nginx:1.27 --as=jane"),
    ],
    files: ["apiserver/pipeline.ts", "apiserver/admission/plugins/index.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
  },
  {
    id: "no-answer",
    title: { en: "A webhook that does not answer", ja: "答えないwebhook" },
    caption: {
      en: "The webhook answers, then is too slow under `Fail` and under `Ignore`; at the end it is scaled to 0, and back to 1.",
      ja: "webhookは、初めは答えます。次に、`Fail`と`Ignore`のそれぞれで、間に合わなくなります。最後に、いったん0個に減らしてから、1個に戻します。",
    },
    scenario: {
      ...{ name: "no-answer", nodes: 1, webhooks: true },
      ...{ untilMs: 45_000, quietMs: 0 },
    },
    manifest: HOOK("", "    timeoutSeconds: 5\n    failurePolicy: Fail\n"),
    applyAtMs: 6_000,
    inputs: [
      apply(1_000, INJECTOR),
      kubectl(8_000, "run one --image=nginx:1.27"),
      { atMs: 10_000, do: "slow", actor: INJECTOR_ACTOR, extraMs: 20_000 },
      kubectl(11_000, "run two --image=nginx:1.27"),
      kubectl(18_000, policy("Ignore")),
      kubectl(19_000, "run three --image=nginx:1.27"),
      { atMs: 26_000, do: "slow", actor: INJECTOR_ACTOR, extraMs: 0 },
      kubectl(27_000, policy("Fail")),
      kubectl(28_000, CONTAINERS),
      kubectl(30_000, "scale deployment sidecar-injector -n mesh --replicas=0"),
      kubectl(34_000, "scale deployment sidecar-injector -n mesh --replicas=1"),
      kubectl(42_000, "get deployments -n mesh"),
      kubectl(43_000, "get events -n mesh --field-selector=reason=FailedCreate"),
    ],
    files: ["apiserver/admission/webhooks/call.ts", "apiserver/webhook-call.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
  },
  {
    id: "injector",
    title: { en: "A webhook that injects too much", ja: "何にでも差し込むwebhook" },
    caption: {
      en: "Three `web` Pods are to have a sidecar; `report` has said no, and `agent` belongs to the system.",
      ja: "三つの`web`のPodには、サイドカーを差し込みます。`report`は断っていて、`agent`はシステムのものです。",
    },
    task: {
      en: "Mend `wantsSidecar`: no Pod is given a second `proxy`, however often the webhook is asked, none that has said no, and none in `kube-system`.",
      ja: "`wantsSidecar`を直してください。何度たずねられても`proxy`を二つ差し込まず、断っているPodと、`kube-system`のPodには差し込まないようにします。",
    },
    scenario: {
      ...{ name: "injector", nodes: 2, webhooks: true },
      ...{ untilMs: 21_000, quietMs: 0 },
    },
    manifest: APPS,
    applyAtMs: 8_000,
    inputs: [
      apply(1_000, INJECTOR),
      apply(6_000, HOOK(NOT_MESH, "    reinvocationPolicy: IfNeeded\n")),
      kubectl(19_000, "get events --field-selector=reason=FailedCreate"),
      kubectl(
        20_000,
        "get pods -A -o custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,CONTAINERS:.spec.containers[*].name",
      ),
    ],
    files: ["webhooks/sidecar-injector.ts", "apiserver/admission/webhooks/plugins.ts"],
    seed: 7,
    show: "console",
    meetsErrors: true,
    checks,
  },
]);
