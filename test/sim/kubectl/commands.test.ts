/** Commands that the recorded session does not hold; texts as kubectl 1.35.2 prints them. */
import { beforeEach, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

const BUDGET = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: keep}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
`;

describe("kubectl in the page", () => {
  let shell: Terminal;

  beforeEach(async () => {
    shell = await terminal();
    await shell.run("create deployment web --image=nginx:1.27 --replicas=2");
    await shell.run("rollout status deploy/web");
  });

  it("takes common flags before the command", async () => {
    expect(await shell.run("-n kube-system rollout history deploy/x")).toBe(
      'Error from server (NotFound): deployments.apps "x" not found\n[exit 1]',
    );
  });

  it("prints one object's field by JSONPath", async () => {
    const text = await shell.run("get deploy web -o jsonpath={.spec.replicas}");
    expect(text).toBe("2\n[exit 0]");
  });

  it("configures a budget each time: its selector is replaced, not compared", async () => {
    const files = { "pdb.yaml": BUDGET };
    const said = (done: string) => `poddisruptionbudget.policy/keep ${done}\n[exit 0]`;
    expect(await shell.run("apply -f pdb.yaml", files)).toBe(said("created"));
    const version = "get pdb keep -o jsonpath={.metadata.resourceVersion}";
    const before = await shell.run(version);
    expect(await shell.run("apply -f pdb.yaml", files)).toBe(said("configured"));
    expect(await shell.run(version)).toBe(before);
  });

  it("pauses once", async () => {
    expect(await shell.run("rollout pause deploy/web")).toContain("deployment.apps/web paused");
    expect(await shell.run("rollout pause deploy/web")).toBe(
      'error: deployments.apps "web" is already paused\n[exit 1]',
    );
  });

  it("refuses a taint that is there, and takes it away", async () => {
    expect(await shell.run("taint node node-1 a=b:NoSchedule")).toContain("node/node-1 tainted");
    expect(await shell.run("taint node node-1 a=c:NoSchedule")).toBe(
      "error: node node-1 already has a taint(s) with same effect(s) and --overwrite is false\n[exit 1]",
    );
    expect(await shell.run("taint node node-1 a-")).toContain("node/node-1 untainted");
  });

  it("will not drain a Node of bare Pods, and says why", async () => {
    await shell.run("run bare --image=nginx:1.27");
    await shell.pass(5_000);
    const where = await shell.run("get pod bare -o jsonpath={.spec.nodeName}");
    const node = where.split("\n")[0];
    expect(await shell.run(`drain ${node}`)).toContain(
      "cannot delete Pods that declare no controller (use --force to override): default/bare",
    );
    expect(await shell.run(`drain ${node} --force`)).toContain(`node/${node} drained`);
  });

  it("waits for a condition, and no longer than it was told", async () => {
    expect(await shell.run("wait --for=condition=available deploy/web")).toBe(
      "deployment.apps/web condition met\n[exit 0]",
    );
    expect(await shell.run("wait --for=condition=nothing deploy/web --timeout=2s")).toBe(
      "error: timed out waiting for the condition on deployments/web\n[exit 1]",
    );
  });

  it("waits until a deleted Pod is gone", async () => {
    await shell.run("run bare --image=nginx:1.27");
    await shell.pass(5_000);
    const before = shell.session.kernel.now();
    const text = await shell.run("delete pod bare");
    expect(text).toBe('pod "bare" deleted from default namespace\n[exit 0]');
    expect(shell.session.kernel.now()).toBeGreaterThan(before);
    expect(await shell.run("get pod bare")).toContain("NotFound");
  });

  it("watches until its time is over", async () => {
    const text = await shell.run("get deploy web -w --request-timeout=3s");
    expect(text).toMatch(/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +2\/2/);
  });

  it("reads what a container printed", async () => {
    await shell.run("create job hello --image=busybox -- echo hi there");
    await shell.pass(8_000);
    expect(await shell.run("logs job/hello")).toBe("hi there\n[exit 0]");
  });

  it("makes manifests without a cluster's help", async () => {
    const text = await shell.run("create deployment x --image=a/b:1 --dry-run=client -o yaml");
    expect(text).toContain("      - image: a/b:1\n        name: b\n        resources: {}\n");
  });

  it("prints how the control plane's parts are, and that nobody should ask so", async () => {
    const warning = "Warning: v1 ComponentStatus is deprecated in v1.19+";
    const text = await shell.run("get cs");
    expect(text.split("\n").map((line) => line.trim())).toEqual([
      warning,
      "NAME                 STATUS    MESSAGE   ERROR",
      "controller-manager   Healthy   ok",
      "scheduler            Healthy   ok",
      "etcd-0               Healthy   ok",
      "[exit 0]",
    ]);
    // Told once, however often the server says it.
    const twice = await shell.run("get cs scheduler etcd-0 -o name");
    expect(twice).toBe(`${warning}\ncomponentstatus/scheduler\ncomponentstatus/etcd-0\n[exit 0]`);
    expect(await shell.run("get cs kubelet")).toContain(
      "Error from server: Component not found: kubelet\n[exit 1]",
    );
  });

  it("acts as somebody else, in every command", async () => {
    const edit = "create rolebinding e --clusterrole=view --user=alice";
    await shell.run(edit);
    expect(await shell.run("get deploy -o name --as alice")).toBe("deployment.apps/web\n[exit 0]");
    expect(await shell.run("--as=alice delete deploy web")).toContain(
      'User "alice" cannot delete resource "deployments" in API group "apps" in the namespace "default"',
    );
    expect(await shell.run("--as alice auth can-i list pods")).toBe("yes\n[exit 0]");
    expect(await shell.run("auth can-i delete pods --as alice")).toBe("no\n[exit 1]");
    const group = "auth can-i delete pods --as alice --as-group system:masters --as-group a";
    expect(await shell.run(group)).toBe("yes\n[exit 0]");
    const watched = await shell.run("wait --for=delete secret/x --as bob");
    expect(watched).toContain('User "bob" cannot get resource "secrets"');
  });

  it("lists the rules of whom it acts as", async () => {
    const mine = await shell.run("auth can-i --list");
    expect(mine).toMatch(/\n\*\.\* +\[\] +\[\] +\[\*\]\n/);
    const rules = await shell.run("auth can-i --list --as alice");
    expect(rules).not.toContain("*.*");
    expect(rules).toContain("selfsubjectreviews.authentication.k8s.io");
    const grouped = await shell.run("auth can-i --list --as a --as-group system:masters");
    expect(grouped).not.toBe(rules);
    const nobody = await shell.run("auth can-i --list --as system:anonymous");
    expect(nobody).toContain(
      'User "system:anonymous" cannot create resource "selfsubjectrulesreviews"',
    );
  });

  it("lists a resource once, with all its verbs, however many rules there are", async () => {
    await shell.run("create role a --verb=get,list --resource=pods,deployments.apps/scale");
    await shell.run("create role b --verb=watch,get --resource=pods");
    await shell.run("create rolebinding a --role=a --user=carol");
    await shell.run("create rolebinding b --role=b --user=carol");
    const rules = await shell.run("auth can-i --list --as carol --no-headers");
    const lines = rules.split("\n").map((line) => line.replace(/ +/g, " "));
    expect(lines.slice(0, 2)).toEqual([
      "selfsubjectreviews.authentication.k8s.io [] [] [create]",
      "selfsubjectaccessreviews.authorization.k8s.io [] [] [create]",
    ]);
    expect(lines).toContain("pods [] [] [get list watch]");
    expect(lines).toContain("deployments.apps/scale [] [] [get list]");
    expect(lines.filter((line) => line.startsWith("pods "))).toHaveLength(1);
    // Paths stay one a verb, in the order of what they are.
    const paths = lines.filter((line) => line.startsWith(" ["));
    expect(paths.length).toBeGreaterThan(5);
    expect(paths).toEqual(paths.toSorted());
  });

  it("says whom it acts as", async () => {
    const flags = "--as alice --as-uid u1 --as-group dev --as-user-extra a.io/b=1";
    const text = await shell.run(`auth whoami ${flags} --as-user-extra=a.io/b=2`);
    expect(text.split("\n")).toEqual([
      "ATTRIBUTE       VALUE",
      "Username        alice",
      "UID             u1",
      "Groups          [dev system:authenticated]",
      "Extra: a.io/b   [1 2]",
      "[exit 0]",
    ]);
    expect(await shell.run("get pods --as-group dev")).toBe(
      "error: invalid configuration: requesting uid, groups or user-extra for kubernetes-admin without impersonating a user\n[exit 1]",
    );
  });

  it("prints what a path of the server answers", async () => {
    expect(await shell.run("get --raw /readyz")).toBe("ok\n[exit 0]");
    const verbose = await shell.run("get --raw /livez?verbose");
    expect(verbose).toMatch(/^\[\+\]ping ok\n.*\nlivez check passed\n\[exit 0\]$/s);
    const path = "/apis/apps/v1/namespaces/default/deployments/web";
    const text = await shell.run(`get --raw ${path}`);
    expect(JSON.parse(text.split("\n")[0]!)).toMatchObject({
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: { name: "web" },
    });
    expect(text).toMatch(/^[^\n]*\n\[exit 0\]$/);
    expect(await shell.run("get --raw /api")).toContain('"kind":"APIVersions"');
    const statuses = await shell.run("get --raw /api/v1/componentstatuses");
    expect(statuses).toMatch(
      /^Warning: v1 ComponentStatus is dep.*\n\{"kind":"ComponentStatusList"/,
    );
  });

  it("tells what is wrong with a path as the client library does", async () => {
    expect(await shell.run("get --raw /apis/apps/v1/namespaces/default/deployments/x")).toBe(
      'Error from server (NotFound): deployments.apps "x" not found\n[exit 1]',
    );
    expect(await shell.run("get --raw /nothing")).toBe(
      "Error from server (NotFound): the server could not find the requested resource\n[exit 1]",
    );
    expect(await shell.run("get --raw /metrics --as alice")).toBe(
      'Error from server (Forbidden): forbidden: User "alice" cannot get path "/metrics"\n[exit 1]',
    );
    expect(await shell.run("get --raw /api/v1/pods?watch=true")).toContain("does not stream");
    shell.session.cluster.stop("etcd");
    expect(await shell.run("get --raw /livez")).toMatch(
      /^Error from server \(InternalError\): an error on the server \("\[\+\]ping ok\\n.*livez check failed"\) has prevented/,
    );
    shell.session.cluster.stop("kube-apiserver");
    expect(await shell.run("get --raw /livez")).toContain("was refused - did you specify");
  });

  it("takes a path alone", async () => {
    const raw = async (rest: string) => (await shell.run(`get ${rest}`)).split("\n")[0];
    const filters =
      "error: --raw may not be specified with other flags that filter the server request or alter the output";
    expect(await raw("--raw /api -w")).toBe(filters);
    expect(await raw("--raw /api -l a=b")).toBe(filters);
    expect(await raw("--raw /api -o yaml")).toBe(
      "error: --raw and --output are mutually exclusive",
    );
    expect(await raw("pods --raw /api")).toBe(
      "error: arguments may not be passed when --raw is specified",
    );
    expect(await raw("--raw api")).toBe(
      'error: --raw must be a valid URL path: parse "api": invalid URI for request',
    );
  });

  it("prints labels, templates, columns and lists of values as the real one does", async () => {
    const lines = async (line: string) =>
      (await shell.run(line)).split("\n").map((l) => l.trimEnd());
    const [, row] = await lines("get deploy web -L app,none");
    expect(row).toMatch(/ web$/);
    const columns = "get deploy web -o custom-columns=L:.metadata.labels,X:.none";
    expect(await lines(columns)).toEqual(["L              X", "map[app:web]   <none>", "[exit 0]"]);
    expect(await lines("get deploy web -o go-template={{.metadata.name}}")).toContain("web");
    expect((await lines("get deploy -o jsonpath-as-json={.items[*].metadata.name}"))[1]).toBe(
      '    "web"',
    );
    expect(await lines("get deploy web -o jsonpath=")).toEqual([
      "error: template format specified but no template given",
      "[exit 1]",
    ]);
  });

  it("says what it looked for and did not find", async () => {
    const first = async (line: string) => (await shell.run(line)).split("\n")[0];
    expect(await first("get pods -n nosuch nothing")).toBe(
      'Error from server (NotFound): namespaces "nosuch" not found',
    );
    expect(await first("get pods --field-selector=foo=bar")).toBe(
      'Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "", field selector "foo=bar": field label not supported: foo',
    );
    expect(await first("get foo.bar")).toBe(
      'error: the server doesn\'t have a resource type "foo"',
    );
    expect(await first("get pods --sort-by=.metadata.nothing")).toBe(
      "No resources found in default namespace.",
    );
    expect(await first("get pods -o")).toBe("error: flag needs an argument: 'o' in -o");
  });

  it("marks objects, or says why not, in the words of the real one", async () => {
    const said = async (line: string) => (await shell.run(line)).split("\n").slice(0, -1).join("|");
    expect(await said("label deploy web a=b a-")).toBe(
      "error: can not both modify and remove a label in the same command",
    );
    expect(await said("label deploy web =b")).toBe("error: at least one label update is required");
    expect(await said("label")).toContain("error: one or more resources must be specified as");
    expect(await said("label deploy web a=b/c")).toContain(
      'error: invalid label value: "a=b/c": a valid label must be an empty string or',
    );
    expect(await said("label deploy web z=1 --resource-version=1")).toContain("Conflict");
    expect(
      await said("label deploy web z=1 --dry-run=client -o jsonpath={.metadata.labels.z}"),
    ).toBe("1");
    expect(await said("annotate deploy web a=b a-")).toContain("same command: a");
    expect(await said("label nodes --all t=1 --overwrite")).toContain("node/node-3 labeled");
    expect(await said("label node --list -l t=1")).toContain("Listing labels for Node./node-1:| ");
  });

  it("refuses a taint that it cannot read, before it asks the server", async () => {
    const said = async (line: string) => (await shell.run(line)).split("\n")[0];
    expect(await said("taint node node-1 a=b=c:NoSchedule")).toBe(
      "error: invalid taint spec: a=b=c:NoSchedule",
    );
    expect(await said("taint node node-1 q=1:NoSchedule q=2:NoSchedule")).toBe(
      "error: duplicated taints with the same key and effect: {q 2 NoSchedule <nil>}",
    );
    expect(await said("taint node node-1 q=1:NoSchedule q-")).toContain("same command: q=");
    expect(await said("taint pod x q=1:NoSchedule")).toBe(
      "error: invalid resource type pod, only node types are supported",
    );
    await shell.run("taint node node-1 q=1:NoSchedule");
    expect(await said("taint node node-1 q=2:NoSchedule --overwrite")).toBe("node/node-1 modified");
  });

  it("evicts nothing in a dry run", async () => {
    const before = await shell.run("get pods -o name");
    const client = await shell.run("drain node-1 node-2 node-3 --dry-run=client --force");
    expect(client).toMatch(/evicting pod default\/web-\S+ \(dry run\)\n/);
    expect(client).toContain("node/node-1 drained (dry run)");
    const server = await shell.run("drain node-1 node-2 node-3 --dry-run=server --force");
    expect(server).toMatch(/evicting pod default\/web-\S+ \(server dry run\)\n/);
    expect(server).not.toContain("evicted");
    expect(await shell.run("get pods -o name")).toBe(before);
    expect(await shell.run("drain")).toContain(
      "error: USAGE: drain NODE [flags]\nSee 'kubectl drain",
    );
  });

  it("rolls out and scales what it can, and names what it cannot", async () => {
    const said = async (line: string) => (await shell.run(line)).split("\n")[0];
    expect(await said("rollout restart deploy")).toBe("deployment.apps/web restarted");
    await shell.run("rollout status deploy/web");
    const dry = await shell.run("rollout undo deploy/web --dry-run=client");
    expect(dry).toContain("deployment.apps/web Pod Template:\n  Labels:\tapp=web\n");
    expect(dry).toContain("\n (dry run)\n");
    expect(await said("rollout history deploy/web --revision=9")).toBe(
      "error: unable to find the specified revision",
    );
    expect(await said("rollout status")).toBe("error: required resource not specified");
    const set = await said("get rs -o name");
    expect(await said(`rollout history ${set!.replace(".apps", "")}`)).toBe(
      'error: no history viewer has been implemented for "ReplicaSet.apps"',
    );
    await shell.run("rollout pause deploy/web");
    expect(await said("rollout undo deploy/web")).toContain(
      "resume it first with 'kubectl rollout resume' and try again",
    );
    expect(await said("scale deploy web --replicas=3 --resource-version=1")).toMatch(
      /^error: Expected resource version to be 1, was \d+$/,
    );
  });

  it("checks what autoscale and expose are asked before they make anything", async () => {
    const said = async (line: string) => (await shell.run(line)).split("\n")[0];
    expect(await said("autoscale deploy web")).toBe('error: required flag(s) "max" not set');
    expect(await said("autoscale deploy web --min=6 --max=5")).toContain(
      "must be larger or equal to --min=MINPODS, max: 5, min: 6",
    );
    expect(await said("autoscale deploy web --max=3 --cpu=abc")).toBe(
      "error: invalid resource cpu value: abc",
    );
    expect(await said("autoscale pod x --max=3")).toContain("NotFound");
    expect(await shell.run("autoscale deploy web --max=3 --cpu-percent=50 --dry-run=client")).toBe(
      "Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).\n" +
        "horizontalpodautoscaler.autoscaling/web created (dry run)\n[exit 0]",
    );
    expect(await said("expose deploy web")).toBe(
      "error: couldn't find port via --port flag or introspection",
    );
  });

  it("sets an account and a selector, and says nothing where nothing changes", async () => {
    expect(await shell.run("set sa deploy/web default")).toContain("web serviceaccount updated");
    const account = "get deploy web -o jsonpath={.spec.template.spec.serviceAccountName}";
    expect(await shell.run(account)).toBe("default\n[exit 0]");
    await shell.run("expose deploy web --port=80");
    expect(await shell.run("set selector svc web b=c")).toBe(
      "service/web selector updated\n[exit 0]",
    );
    expect(await shell.run("get svc web -o jsonpath={.spec.selector}")).toBe('{"b":"c"}\n[exit 0]');
    expect(await shell.run("set selector deploy web a=b")).toContain("only supported for Services");
    await shell.run("set env deploy/web A=b");
    expect(await shell.run("set env deploy/web A=b")).toBe("[exit 0]");
    expect(await shell.run("set env deploy/web 1A=b")).toContain('"1A" is not a valid key name');
    await shell.run("set resources deploy/web --limits=cpu=1");
    expect(await shell.run("set resources deploy/web --limits=cpu=1")).toBe("[exit 0]");
    expect(await shell.run("set resources deploy/web")).toContain(
      "error: you must specify an update",
    );
  });

  it("makes a token for a ServiceAccount", async () => {
    const token = (await shell.run("create token default --duration=20m")).split("\n")[0]!;
    const claims = JSON.parse(atob(token.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")));
    expect(claims.sub).toBe("system:serviceaccount:default:default");
    expect(claims.exp - claims.iat).toBe(1_200);
    expect(await shell.run("create token nobody")).toBe(
      'error: failed to create token: serviceaccounts "nobody" not found\n[exit 1]',
    );
  });

  it("offers help on a flag that it does not know", async () => {
    expect(await shell.run("get pods --foo")).toBe(
      "error: unknown flag: --foo\nSee 'kubectl get --help' for usage.\n[exit 1]",
    );
  });
});
