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

it("refuses an amount of a quota that has no value", async () => {
  const shell = await terminal();
  expect(await shell.run("create quota q --hard=pods=1,a")).toBe(
    "error: Invalid argument syntax a, expected <resource>=<value>\n[exit 1]",
  );
});

describe("kubectl -k", () => {
  const none = (folder: string) =>
    "error: must build at directory: not a valid directory: evalsymlink failure on " +
    `'${folder}' : lstat /${folder}: no such file or directory\n[exit 1]`;

  it("says that there is no such directory", async () => {
    const shell = await terminal();
    expect(await shell.run("apply -k foo")).toBe(none("foo"));
    expect(await shell.run("create -k foo")).toBe(none("foo"));
    expect(await shell.run("delete -k foo")).toBe(none("foo"));
    expect(await shell.run("label -k foo a=b")).toBe(none("foo"));
    expect(await shell.run("apply -k .")).toContain(
      "error: unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in",
    );
    expect(await shell.run("apply -k foo -f f", { f: "" })).toBe(
      "error: only one of -f or -k can be specified\n[exit 1]",
    );
    expect(await shell.run("apply -k foo bar")).toContain("error: Unexpected args: [bar]");
    expect(await shell.run("wait -k foo --for=create")).toContain("unknown shorthand flag: 'k'");
    expect(await shell.run("apply -k")).toContain("error: flag needs an argument: 'k' in -k");
  });
});

describe("kubectl explain", () => {
  it("goes into no type that it is within already", async () => {
    const shell = await terminal();
    const text = await shell.run("explain crd --recursive");
    expect(text).toContain("          clientConfig\t<WebhookClientConfig>".slice(2));
    expect(text.match(/allOf\t<\[\]JSONSchemaProps>/g)).toHaveLength(1);
    const volume = await shell.run("explain pod.spec.volumes.hostPath");
    expect(volume).toContain('enum: "", BlockDevice, CharDevice, Directory, ....');
  });

  it("knows the form of old", async () => {
    const shell = await terminal();
    const old = (words: string) => shell.run(`explain ${words} --output plaintext-openapiv2`);
    expect(await old("deploy.spec.strategy --recursive")).toBe(
      "KIND:     Deployment\nVERSION:  apps/v1\n\nRESOURCE: strategy <Object>\n\n" +
        "DESCRIPTION:\n     <empty>\n\nFIELDS:\n   rollingUpdate\t<Object>\n" +
        "      maxSurge\t<string>\n      maxUnavailable\t<string>\n   type\t<string>\n[exit 0]",
    );
    expect(await old("pod.spec.containers.env")).toContain(
      "RESOURCE: env <[]Object>\n\nDESCRIPTION:\n     <empty>\n\nFIELDS:\n   name\t<string> -required-\n\n",
    );
    expect(await old("deploy.spec.replicas.zzz")).toContain("FIELD:    zzz <integer>\n");
    expect(await old("deploy.zzz")).toBe('error: field "zzz" does not exist\n[exit 1]');
    expect(await old("deploy --api-version=apps/v9")).toBe(
      'error: couldn\'t find resource for "apps/v9, Kind=Deployment"\n[exit 1]',
    );
  });
});

describe("kubectl describe", () => {
  const OBJECTS = `apiVersion: networking.k8s.io/v1
kind: ServiceCIDR
metadata: {name: more, labels: {a: b}}
spec: {cidrs: [10.200.0.0/24, "2001:db8::/64"]}
---
apiVersion: networking.k8s.io/v1
kind: IPAddress
metadata: {name: 10.200.0.7}
spec: {parentRef: {resource: services, name: s, namespace: default}}
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata: {name: gold, annotations: {a: b}}
driverName: d.example.com
parameters: {iops: "1", throughput: "2"}
`;
  it("has words for addresses and for classes of volumes' attributes", async () => {
    const shell = await terminal();
    await shell.run("create -f f", { f: OBJECTS });
    expect(await shell.run("describe servicecidr more")).toBe(
      "Name:         more\nLabels:       a=b\nAnnotations:  <none>\n" +
        "CIDRs:        10.200.0.0/24, 2001:db8::/64\nEvents:       <none>\n[exit 0]",
    );
    expect(await shell.run("describe ipaddress 10.200.0.7")).toBe(
      "Name:         10.200.0.7\nLabels:       <none>\nAnnotations:  <none>\n" +
        "Parent Reference:\n  Group:      \n  Resource:   services\n  Namespace:  default\n" +
        "  Name:       s\nEvents:       <none>\n[exit 0]",
    );
    expect(await shell.run("describe vac gold")).toBe(
      "Name:         gold\nAnnotations:  a=b\nDriverName:   d.example.com\n" +
        "Parameters:   iops=1,throughput=2\nEvents:       <none>\n[exit 0]",
    );
  });
});
