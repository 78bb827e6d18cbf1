/** `-o`: formats, the order of fields, and when a wrong one is refused. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

const MAPS = `apiVersion: v1
kind: ConfigMap
metadata: {name: x}
data: {a: "1"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "y"}
data: {a: "b"}
`;

const REFUSED =
  'error: unable to match a printer suitable for the output format "nope", allowed formats are: ' +
  "go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,template," +
  "templatefile,yaml\n[exit 1]";

describe("kubectl -o", () => {
  let shell: Terminal;
  const run = (line: string, files?: Record<string, string>) => shell.run(line, files);

  beforeAll(async () => {
    shell = await terminal();
    await run("create deployment web --image=nginx:1.27");
  });

  it("writes KYAML", async () => {
    expect(await run("create configmap x --from-literal=a=1 --dry-run=client -o kyaml")).toBe(
      '---\n{\n  kind: "ConfigMap",\n  apiVersion: "v1",\n  metadata: {\n    name: "x",\n  },\n' +
        '  data: {\n    a: "1",\n  },\n}\n[exit 0]',
    );
    expect(await run("get deploy nope -o kyaml --ignore-not-found")).toBe("[exit 0]");
    expect(await run("get hpa -o kyaml")).toBe(
      '---\n{\n  apiVersion: "v1",\n  items: [],\n  kind: "List",\n  metadata: {\n' +
        '    resourceVersion: "",\n  },\n}\n[exit 0]',
    );
    expect(await run("config view -o kyaml")).toContain(
      '{\n  kind: "Config",\n  apiVersion: "v1",',
    );
  });

  it("takes the names of plain formats in capitals, and of no others", async () => {
    expect(await run("get deploy web -o Name")).toBe("deployment.apps/web\n[exit 0]");
    expect(await run("get deploy web -o JSON")).toMatch(/^\{\n {4}"apiVersion"/);
    expect(await run("get deploy web -o WIDE")).toContain('output format "WIDE", allowed formats');
  });

  it.each([
    "create deployment d --image=b -o nope",
    "create -o nope",
    "create -f nofile -o nope",
    "replace -o nope",
    "scale deploy web --replicas=3 -o nope",
    "annotate deploy web a=b -o nope",
    "set image deploy web nginx=b -o nope",
    "set env deploy web A=b -o nope",
    "set resources deploy web -o nope",
    "set serviceaccount deploy web a -o nope",
    "set subject rolebinding zz --user=a -o nope",
    "expose deploy web --port=80 -o nope",
    "run -o nope --image=b",
    "rollout history deploy web -o nope",
    "rollout pause deploy web -o nope",
    "taint node node-1 a=b:NoSchedule -o nope",
    "certificate approve -o nope",
    "events -o nope",
    "auth whoami -o nope",
  ])("%s: is refused", async (line) => {
    expect(await run(line)).toBe(REFUSED);
  });

  it("changes nothing where it refuses a format at once", async () => {
    const spec = await run("get deploy web -o jsonpath={.spec.replicas}{..image}");
    expect(spec).toBe("1nginx:1.27\n[exit 0]");
    expect(await run("get deploy d")).toContain('deployments.apps "d" not found');
    expect(await run("get svc web")).toContain('services "web" not found');
    expect(await run("get node node-1 -o jsonpath={.spec.taints}")).toBe("[exit 0]");
    expect(await run("get deploy nope -o nope")).toBe(
      'Error from server (NotFound): deployments.apps "nope" not found\n[exit 1]',
    );
    expect(await run("api-resources -o nope")).toContain(
      "allowed formats are: json,kyaml,name,wide,yaml\n",
    );
  });

  it("has fields in the order of Go's type where a command knows the type", async () => {
    expect(await run("run a --image=b --dry-run=client -o json")).toBe(
      `{
    "kind": "Pod",
    "apiVersion": "v1",
    "metadata": {
        "name": "a",
        "labels": {
            "run": "a"
        }
    },
    "spec": {
        "containers": [
            {
                "name": "a",
                "image": "b",
                "resources": {}
            }
        ],
        "restartPolicy": "Always",
        "dnsPolicy": "ClusterFirst"
    },
    "status": {}
}
[exit 0]`,
    );
    const events = (await run("events -o json")).split("\n");
    expect(events.slice(1, 7).map((line) => line.trim())).toEqual([
      '"kind": "EventList",',
      '"apiVersion": "v1",',
      '"metadata": {},',
      '"items": [',
      "{",
      '"kind": "Event",',
    ]);
    const history = await run("rollout history deploy web -o json");
    expect(history).toMatch(/^\{\n {4}"kind": "ReplicaSet",\n {4}"apiVersion": "apps\/v1",/);
  });

  it("shows all that was applied at the end, as one List", async () => {
    const files = { f: MAPS };
    expect(await run("apply -f f -o name", files)).toBe("configmap/x\nconfigmap/y\n[exit 0]");
    const json = await run("apply -f f -o json", files);
    expect(json).toMatch(
      /^\{\n {4}"kind": "List",\n {4}"apiVersion": "v1",\n {4}"metadata": \{\},\n {4}"items": \[/,
    );
    expect(json).toMatch(/"items": \[\n {8}\{\n {12}"apiVersion": "v1",\n {12}"data"/);
    expect(await run("apply -f f -o yaml", files)).toMatch(
      /^apiVersion: v1\nitems:\n- apiVersion: v1\n[\s\S]*\nkind: List\nmetadata: \{\}\n\[exit 0\]$/,
    );
    expect(await run("apply -f f -o jsonpath={.items[*].metadata.name}", files)).toBe(
      "x y\n[exit 0]",
    );
  });

  it("shows a file that is changed here as it is there", async () => {
    const line = "label -f f a=b --local -o jsonpath={.metadata.namespace}";
    const own = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: foo}\n";
    expect(await run(line, { f: own })).toBe("foo\n[exit 0]");
    expect(await run(line, { f: own.replace(", namespace: foo", "") })).toBe("[exit 0]");
  });
});

describe("metadata that Go cannot read", () => {
  const WRONG = `apiVersion: v1
kind: ConfigMap
metadata: {name: yes}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b, labels: {version: 1}}
---
apiVersion: v1
kind: ConfigMap
metadata: 3
---
apiVersion: 1
kind: ConfigMap
metadata: {name: c}
`;
  it.each(["create", "apply", "get", "delete"])("is refused by kubectl %s", async (verb) => {
    const shell = await terminal();
    const unable = 'unable to decode "f": json: cannot unmarshal';
    expect((await shell.run(`${verb} -f f`, { f: WRONG })).split("\n")).toEqual([
      `${unable} bool into Go struct field ObjectMeta.metadata.name of type string`,
      `${unable} number into Go struct field ObjectMeta.metadata.labels of type string`,
      `${unable} number into Go struct field metadataOnlyObject.metadata of type v1.ObjectMeta`,
      `${unable} number into Go struct field metadataOnlyObject.TypeMeta.apiVersion of type string`,
      "[exit 1]",
    ]);
  });
});
