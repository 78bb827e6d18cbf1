/** What readers paste: each is applied, or refused with its place and remedy. */
import { createSession, type OutputLine, objectsAt, type Row, rowOf } from "@shikumi/sim";
import { describe, expect, it } from "vitest";
import { NGINX } from "../../fixtures/nginx-deployment.ts";

interface Outcome {
  readonly lines: readonly string[];
  readonly problems: readonly NonNullable<OutputLine["problem"]>[];
  /** `Pod default/web-…`: status, at the end. */
  readonly objects: ReturnType<typeof objectsAt>;
}

async function apply(yaml: string): Promise<Outcome> {
  const output: OutputLine[] = [];
  const session = createSession({
    seed: 3,
    scenario: { nodes: 3, untilMs: 30_000 },
    inputs: [{ atMs: 1_000, do: "apply", yaml }],
    onOutput: (line) => output.push(line),
  });
  await session.run();
  const rows: Row[] = [];
  for (const entry of session.kernel.trace) rows.push(rowOf(entry));
  return {
    lines: output.map((line) => line.text).filter((text) => text !== ""),
    problems: output.flatMap((line) => line.problem ?? []),
    objects: objectsAt(rows, Number.MAX_SAFE_INTEGER),
  };
}

const podsOf = ({ objects }: Outcome, prefix: string) =>
  [...objects.values()].filter((object) => object.kind === "Pod" && object.name.startsWith(prefix));

const GUESTBOOK = ["frontend", "redis-leader", "redis-follower"]
  .map(
    (name, i) => `# ${name}
apiVersion: v1
kind: Service
metadata:
  name: ${name}
  labels: {app: ${name}}
spec:
  ports:
  - port: ${i === 0 ? 80 : 6379}
    targetPort: ${i === 0 ? 80 : 6379}
  selector: {app: ${name}}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${i + 1}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
      - name: main
        image: "docker.io/${name}:1"
        resources: {requests: {cpu: 100m, memory: 100Mi}}
        env: [{name: GET_HOSTS_FROM, value: "dns"}]
        ports: [{containerPort: ${i === 0 ? 80 : 6379}}]
`,
  )
  .join("---\n");

const RICH = `apiVersion: apps/v1
kind: Deployment
metadata: {name: rich}
spec:
  replicas: 2
  selector: {matchLabels: {app: rich}}
  template:
    metadata: {labels: {app: rich}}
    spec:
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions:
              - {key: kubernetes.io/hostname, operator: In, values: [node-2]}
      containers:
      - name: c
        image: nginx:1.27
        resources:
          requests: {cpu: 250m, memory: 64Mi}
          limits: {cpu: "1", memory: 128Mi}
        startupProbe: {httpGet: {path: /, port: 80}, periodSeconds: 1, failureThreshold: 30}
        readinessProbe: {httpGet: {path: /, port: 80}, periodSeconds: 2}
        livenessProbe: {tcpSocket: {port: 80}}
`;

describe("what is applied", () => {
  it("the nginx Deployment of the documentation", async () => {
    const outcome = await apply(NGINX);
    expect(outcome.lines).toEqual(["deployment.apps/nginx-deployment created"]);
    expect(podsOf(outcome, "nginx-deployment-").map((pod) => pod.ready)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("a guestbook of several documents, in order", async () => {
    const outcome = await apply(GUESTBOOK);
    expect(outcome.lines).toEqual([
      "service/frontend created",
      "deployment.apps/frontend created",
      "service/redis-leader created",
      "deployment.apps/redis-leader created",
      "service/redis-follower created",
      "deployment.apps/redis-follower created",
    ]);
    expect(podsOf(outcome, "").filter((pod) => pod.ready)).toHaveLength(6);
  });

  it("a Deployment with probes, resources and affinity, where it asks to be", async () => {
    const outcome = await apply(RICH);
    const pods = podsOf(outcome, "rich-");
    expect(pods.map((pod) => [pod.ready, pod.node])).toEqual([
      [true, "node-2"],
      [true, "node-2"],
    ]);
  });

  it("a file with Windows line endings", async () => {
    const outcome = await apply(NGINX.replaceAll("\n", "\r\n"));
    expect(outcome.lines).toEqual(["deployment.apps/nginx-deployment created"]);
  });

  it("a List", async () => {
    const item = (name: string) =>
      `- {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: {a: "1"}}\n`;
    const outcome = await apply(`apiVersion: v1\nkind: List\nitems:\n${item("one")}${item("two")}`);
    expect(outcome.lines).toEqual(["configmap/one created", "configmap/two created"]);
  });

  it("2 MB of ConfigMaps", async () => {
    const line = "x".repeat(1000);
    const one = (i: number) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: big-${i}}\ndata:\n${Array.from({ length: 200 }, (_, j) => `  k${j}: "${line}"\n`).join("")}`;
    const yaml = Array.from({ length: 10 }, (_, i) => one(i)).join("---\n");
    expect(yaml.length).toBeGreaterThan(2_000_000);
    const outcome = await apply(yaml);
    expect(outcome.lines).toEqual(
      Array.from({ length: 10 }, (_, i) => `configmap/big-${i} created`),
    );
  });
});

describe("what is refused, with its place", () => {
  it("a tab", async () => {
    const outcome = await apply(NGINX.replace("      app: nginx", "\t\tapp: nginx"));
    expect(outcome.problems).toMatchObject([
      { code: expect.stringMatching(/^yaml\./), document: 1, line: 11 },
    ]);
  });

  it("a typo in kind, with what was meant", async () => {
    const outcome = await apply(NGINX.replace("kind: Deployment", "kind: Deploymnt"));
    expect(outcome.problems).toMatchObject([
      {
        code: "kindUnknown",
        line: 2,
        params: { kind: "Deploymnt", apiVersion: "apps/v1", near: "Deployment" },
      },
    ]);
    expect(outcome.lines[0]).toContain('no matches for kind "Deploymnt" in version "apps/v1"');
  });

  it("a wrong type in replicas", async () => {
    const outcome = await apply(
      `${GUESTBOOK}---\n${NGINX.replace("replicas: 3", "replicas: three")}`,
    );
    expect(outcome.problems).toMatchObject([
      { code: "wrongType", document: 7, params: { field: "spec.replicas", type: "int32" } },
    ]);
    // The other documents are applied all the same.
    expect(outcome.lines).toContain("deployment.apps/frontend created");
  });

  it("a misspelt field, at its line", async () => {
    const outcome = await apply(NGINX.replace("replicas: 3", "replicaz: 3"));
    expect(outcome.problems).toMatchObject([
      { code: "unknownField", line: 8, params: { field: "spec.replicaz" } },
    ]);
  });

  it("a value that validation refuses, at its line", async () => {
    const outcome = await apply(
      NGINX.replace("        app: nginx\n    spec", "        app: other\n    spec"),
    );
    expect(outcome.problems).toMatchObject([
      { code: "invalidField", params: { field: "spec.template.metadata.labels" } },
    ]);
  });

  it("an empty file, and one of comments alone", async () => {
    for (const text of ["", "# nothing yet\n"]) {
      const outcome = await apply(text);
      expect(outcome.problems).toMatchObject([{ code: "noObjects" }]);
      expect(outcome.lines).toEqual(["error: no objects passed to apply"]);
    }
  });

  it("a kind that is not known here", async () => {
    const outcome = await apply("apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: w}\n");
    expect(outcome.problems).toMatchObject([
      { code: "kindUnknown", line: 2, params: { near: "" } },
    ]);
  });
});
