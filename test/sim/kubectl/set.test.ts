/** kubectl set; texts as kubectl 1.35.2 prints them. */
import { beforeEach, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

const files = {
  "web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: other}
spec: {selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {containers: [{name: c, image: "nginx:1.28"}]}}}
`,
};

describe("kubectl set", () => {
  let shell: Terminal;
  const said = async (line: string) => (await shell.run(line, files)).split("\n");

  beforeEach(async () => {
    shell = await terminal();
    await shell.run("create deployment web --image=nginx:1.27");
  });

  it("lists variables, and where they are from", async () => {
    await said("create configmap conf --from-literal=app.key=1 --from-literal=B=2");
    expect(await said("set env deploy/web A=1 --from=configmap/conf --prefix=X_")).toEqual([
      "Warning: key app.key transferred to APP_KEY",
      "deployment.apps/web env updated",
      "[exit 0]",
    ]);
    expect(await said("set env deploy/web --list")).toEqual([
      "# Deployment web, container nginx",
      "X_A=1",
      "# X_B from configmap conf, key B",
      "# X_APP_KEY from configmap conf, key app.key",
      "[exit 0]",
    ]);
  });

  it("takes the place of a variable, unless it may not", async () => {
    await said("set env deploy/web A=1 B=2");
    expect(await said("set env deploy/web A=3 --overwrite=false")).toEqual([
      "error: deployments/web 'A' already has a value (1), and --overwrite is false",
      "[exit 1]",
    ]);
    await said("set env deploy/web A=3 C=4 B-");
    expect((await said("set env deploy/web --list")).slice(1, -1)).toEqual(["A=3", "C=4"]);
    expect((await said("set env deploy/web -c no A=1"))[0]).toBe(
      'Warning: Deployment/web does not have any containers matching "no"',
    );
  });

  it("shows the changed object in a dry run, and changes nothing", async () => {
    const image = "get deploy web -o jsonpath={.spec.template.spec.containers[0].image}";
    const shown = await said("set image deploy/web *=nginx:9 --dry-run=client -o yaml");
    expect(shown).toContain("      - image: nginx:9");
    expect((await said(image))[0]).toBe("nginx:1.27");
    const limits =
      "set resources deploy/web --limits=cpu=1000m --dry-run=client -o jsonpath={..limits.cpu}";
    expect((await said(limits))[0]).toBe("1");
    expect((await said("set resources deploy/web --limits=cpu"))[0]).toBe(
      "error: Invalid argument syntax cpu, expected <resource>=<value>",
    );
  });

  it("works on a file without asking the server", async () => {
    expect(await said("set image -f web.yaml c=nginx:7 --local -o yaml")).toEqual([
      ...["apiVersion: apps/v1", "kind: Deployment", "metadata:", "  name: other"],
      ...[
        "spec:",
        "  selector:",
        "    matchLabels:",
        "      app: x",
        "  strategy: {}",
        "  template:",
      ],
      ...["    metadata:", "      labels:", "        app: x", "    spec:", "      containers:"],
      ...[
        "      - image: nginx:7",
        "        name: c",
        "        resources: {}",
        "status: {}",
        "[exit 0]",
      ],
    ]);
    expect(await said("set image -f web.yaml c=nginx:1.28 --local")).toEqual(["[exit 0]"]);
    expect((await said("set image deploy/web c=x --local"))[0]).toContain(
      "by --filename when --local is set",
    );
  });

  it("adds subjects to bindings, each once", async () => {
    await said("create rolebinding b --clusterrole=view --user=a");
    const add = "set subject rolebinding b --user=a --group=g --serviceaccount=:sa";
    expect((await said(add))[0]).toBe("rolebinding.rbac.authorization.k8s.io/b subjects updated");
    expect(await said(add)).toEqual(["[exit 0]"]);
    expect((await said("get rolebinding b -o jsonpath={.subjects[*].name}"))[0]).toBe("a g sa");
    expect((await said("set subject rolebinding b"))[0]).toBe(
      "error: you must specify at least one value of user, group or serviceaccount",
    );
    expect((await said("set subject deploy web --user=u"))[0]).toBe(
      "error: deployments/web setting subjects is only supported for RoleBinding/ClusterRoleBinding",
    );
  });

  it("gives a Service no selector but of equalities", async () => {
    await said("create service clusterip web --tcp=80");
    expect((await said("set selector svc web app!=b"))[0]).toBe(
      "error: match expression [{app NotIn [b]}] not supported on this object",
    );
  });
});
