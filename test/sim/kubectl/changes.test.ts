/** wait, patch, replace, delete, label, expose, create: what they refuse and say. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

const MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n";
const files = { "c.yaml": MAP };

let shell: Terminal;

beforeAll(async () => {
  shell = await terminal();
  await shell.run("create deployment web --image=nginx:1.27 --replicas=2");
  await shell.run("run one --image=nginx:1.27 --port=80");
  await shell.pass(20_000);
});

const said = async (line: string) => (await shell.run(line, files)).replace(/\n?\[exit \d\]$/, "");
const says = (pairs: readonly (readonly [string, string])[]) =>
  it.each(pairs)("%s", async (line, text) => expect(await said(line)).toBe(text));

describe("kubectl wait", () => {
  says([
    ["wait --for=condition=Foo pod/one --timeout=0", "error: condition not met for pods/one"],
    [
      "wait --for=condition=Foo pod/one deploy/web --timeout=1s",
      "timed out waiting for the condition on pods/one\ntimed out waiting for the condition on deployments/web",
    ],
    ["wait --for=condition=Ready pod/one -o name", "pod/one"],
    ["wait --for=Delete pod/nosuch", ""],
    ["wait --for=create pod/nosuch --timeout=1s", "error: timed out waiting for the condition"],
    ["wait --for=create pod -l run=one", "pod/one condition met"],
    ["wait --for=jsonpath={.spec.nodeName} pod/one", "pod/one condition met"],
    ["wait --for=jsonpath={.status.phase}=Running pod/one", "pod/one condition met"],
    [
      'wait --for=jsonpath={.status.conditions[?(@.type=="Ready")].status}=True pod/one',
      "pod/one condition met",
    ],
    [
      "wait --for=jsonpath={.spec.containers}=c pod/one",
      "error: jsonpath leads to a nested object or list which is not supported",
    ],
    [
      "wait --for=jsonpath={.a}=b=c pod/one",
      "error: jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'",
    ],
    ["wait --for=foo pod/one", 'error: unrecognized condition: "foo"'],
  ]);
});

describe("kubectl patch", () => {
  says([
    ['patch deploy web -p {"spec":{"replicas":2}}', "deployment.apps/web patched (no change)"],
    [
      'patch deploy web --subresource=scale --type=merge -p {"spec":{"replicas":3}}',
      "scale.autoscaling/web patched",
    ],
    [
      'patch deploy web -p {"metadata":{"labels":{"k":"v"}}} --dry-run=client -o jsonpath={.metadata.labels.k}',
      "v",
    ],
    ["patch deploy web -o jsonpath={.metadata.labels.k} -p {} --dry-run=server", ""],
    [
      'patch -f c.yaml --local --type=merge -p {"data":{"x":"y"}} -o jsonpath={.data}',
      '{"a":"b","x":"y"}',
    ],
    [
      'patch -f c.yaml --local --type=json -p [{"op":"remove","path":"/data/a"}] -o jsonpath={.data}',
      "{}",
    ],
    [
      "patch deploy web -p {} --patch-file=c.yaml",
      "error: cannot specify --patch and --patch-file together",
    ],
  ]);
});

describe("kubectl replace and delete", () => {
  says([
    ["replace -f c.yaml --grace-period=0", "error: --grace-period must have --force specified"],
    ["replace -f c.yaml --timeout=1s", "error: --timeout must have --force specified"],
    [
      "replace -f c.yaml --force --dry-run=server",
      "error: --dry-run can not be used when --force is set",
    ],
    [
      "replace -f c.yaml --force --cascade=foo",
      'error: invalid cascade value (foo). Must be "background", "foreground", or "orphan"',
    ],
    [
      "delete pod x --now --grace-period=1",
      "error: --now and --grace-period cannot be specified together",
    ],
    [
      "delete pod x --now --force",
      "error: --force and --grace-period greater than 0 cannot be specified together",
    ],
    ["delete pods --all -l a=b", "error: setting 'all' parameter but found a non empty selector. "],
    ["delete pods a -l a=b", "error: name cannot be provided when a selector is specified"],
    ["delete pod x -o json", "error: unexpected -o output mode: json. We only support '-o name'"],
    [
      "delete -f c.yaml",
      'Error from server (NotFound): error when deleting "c.yaml": configmaps "c" not found',
    ],
    [
      "delete pod one -i",
      "You are about to delete the following 1 resource(s):\npod/one\nDo you want to continue? (y/N): deletion is cancelled",
    ],
  ]);

  it("deletes what a person agrees to", async () => {
    await shell.run("create configmap gone --from-literal=a=b");
    expect(await shell.run("delete cm gone -i", { "-": "y\n" })).toContain(
      'configmap "gone" deleted',
    );
  });
});

describe("kubectl label, taint, scale, expose and autoscale", () => {
  says([
    [
      "label pods --all a=b --resource-version=1",
      "error: --resource-version may only be used with a single resource",
    ],
    ["label pods --all a=b -l c=d", "error: cannot set --all and --selector at the same time"],
    [
      "label pod one a=b --local",
      "error: can only use local files by -f pod.yaml or --filename=pod.json when --local=true is set",
    ],
    ["label -f c.yaml x=y --local -o jsonpath={.metadata}", '{"labels":{"x":"y"},"name":"c"}'],
    ["annotate -f c.yaml x=y --local", "configmap/c annotated"],
    [
      "taint node node-1 a=b:NoSchedule a=b:NoSchedule-",
      "error: can not both modify and remove the following taint(s) in the same command: a=NoSchedule",
    ],
    ["scale deploy -l no=such --replicas=1", "error: no objects passed to scale"],
    ["expose node node-1 --port=80", "error: cannot expose a Node"],
    [
      'expose pod one --port=80 --name=e --overrides={"spec":{"type":"NodePort"}} --dry-run=client -o jsonpath={.spec.type}',
      "NodePort",
    ],
    ["autoscale deploy web --max=3", "horizontalpodautoscaler.autoscaling/web autoscaled"],
    [
      "autoscale deploy web --max=3",
      "error: failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: empty input",
    ],
  ]);
});

describe("kubectl create", () => {
  const dry = "--dry-run=client -o";
  says([
    [
      "create token default --bound-object-kind=Pod",
      "error: --bound-object-name is required if --bound-object-kind is provided",
    ],
    [
      "create token default --bound-object-kind=Foo --bound-object-name=x",
      "error: supported --bound-object-kind values are Node, Pod, Secret",
    ],
    [
      "create token default --bound-object-uid=x",
      "error: --bound-object-uid can only be set if --bound-object-kind is provided",
    ],
    ["create token default --duration=-1s", "error: --duration must be greater than or equal to 0"],
    [
      "create token default --duration=1500ms",
      "error: --duration cannot be expressed in units less than seconds",
    ],
    ["create token default --audience=a --audience=b -o jsonpath={.spec.audiences}", '["a","b"]'],
    [
      "create token default --bound-object-kind=Pod --bound-object-name=one -o name",
      "tokenrequest.authentication.k8s.io/default",
    ],
    [`create cm h1 --from-literal=a=b --append-hash ${dry} name`, "configmap/h1-m9ffg48bcf"],
    [`create cm h2 --append-hash ${dry} name`, "configmap/h2-k2dbt472c6"],
    [
      `create secret generic s1 --from-literal=a=b --append-hash ${dry} name`,
      "secret/s1-6c2f4hf6dh",
    ],
    [
      `create secret generic s1 --from-literal=a=b --type=foo --append-hash ${dry} name`,
      "secret/s1-k2ttc57982",
    ],
    [
      `create clusterrole r --aggregation-rule=a=b,c=d ${dry} jsonpath={.aggregationRule}`,
      '{"clusterRoleSelectors":[{"matchLabels":{"a":"b","c":"d"}}]}',
    ],
    [
      "create clusterrole r --aggregation-rule=a=b --verb=get --resource=pods",
      "error: aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames",
    ],
    [
      "create clusterrole r --verb=get --non-resource-url=logs",
      "error: nonResourceURL should start with /",
    ],
    [
      "create clusterrole r --verb=watch --non-resource-url=/x",
      "error: invalid verb: 'watch' for nonResourceURL",
    ],
    [
      `create role r --verb=get,*,list --resource=*.apps ${dry} jsonpath={.rules}`,
      '[{"apiGroups":["apps"],"resources":["*"],"verbs":["*"]}]',
    ],
    [
      "create role r --verb=get --resource=rs.extensions",
      'the server doesn\'t have a resource type "rs" in group "extensions"',
    ],
    [
      "create quota q --hard=cpu=x",
      "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      `create pdb p --selector=a,!b,c=d --min-available=1 ${dry} jsonpath={.spec.selector}`,
      '{"matchExpressions":[{"key":"a","operator":"Exists"},{"key":"b","operator":"DoesNotExist"}],"matchLabels":{"c":"d"}}',
    ],
    [
      "create pdb p --selector=a!=b --min-available=1",
      'error: "!=" is not a valid label selector operator',
    ],
    [
      `create ingress i --rule=h/a*=s:80,tls=x --rule=h/b=t:http,tls ${dry} jsonpath={.spec.tls}{.spec.rules[*].http.paths[*].path}`,
      '[{"hosts":["h"],"secretName":"x"}]/a /b',
    ],
    [
      "create ingress i --default-backend=s",
      "error: default-backend should be in format servicename:serviceport",
    ],
    [
      "create ingress i --annotation=a --rule=h/=s:80",
      "error: annotation a is invalid and should be in format key=[value]",
    ],
  ]);
});
