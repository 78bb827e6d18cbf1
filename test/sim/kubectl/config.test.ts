/** kubectl config, cluster-info, version, api-resources; texts as kubectl 1.35.2 prints them. */
import { beforeEach, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

let shell: Terminal;

beforeEach(async () => {
  shell = await terminal();
});

const said = async (line: string, files?: Record<string, string>) =>
  (await shell.run(line, files)).replace(/\n\[exit 0\]$/, "");
const config = (line: string) => said(`config ${line}`);

describe("kubectl config", () => {
  it("shows the kubeconfig of the run", async () => {
    expect(await config("current-context")).toBe("kubernetes-admin@kubernetes");
    expect(await config("view")).toBe(
      [
        "apiVersion: v1",
        "clusters:",
        "- cluster:",
        "    certificate-authority: /etc/kubernetes/pki/ca.crt",
        "    server: https://kube-apiserver:6443",
        "  name: kubernetes",
        "contexts:",
        "- context:",
        "    cluster: kubernetes",
        "    user: kubernetes-admin",
        "  name: kubernetes-admin@kubernetes",
        "current-context: kubernetes-admin@kubernetes",
        "kind: Config",
        "users:",
        "- name: kubernetes-admin",
        "  user:",
        "    client-certificate: /etc/kubernetes/pki/admin.crt",
        "    client-key: /etc/kubernetes/pki/admin.key",
      ].join("\n"),
    );
    expect(await config("view -o jsonpath={.clusters[*].name}")).toBe("kubernetes");
    expect(await config("get-clusters")).toBe("NAME\nkubernetes");
    expect(await config("get-users")).toBe("NAME\nkubernetes-admin");
    expect(await config("view foo")).toContain("error: unexpected arguments: [foo]");
    expect(await config("foo")).toContain('error: unknown command "foo"');
  });

  it("sets the namespace in which commands work", async () => {
    await shell.run("create namespace shop");
    expect(await config("set-context --current --namespace=shop")).toBe(
      'Context "kubernetes-admin@kubernetes" modified.',
    );
    expect(await said("create configmap c --from-literal=a=b")).toBe("configmap/c created");
    expect(await said("get cm c -o jsonpath={.metadata.namespace}")).toBe("shop");
    expect(await said("get pods")).toBe("No resources found in shop namespace.");
    expect(await said("-n default get pods")).toBe("No resources found in default namespace.");
    // It is a default: a manifest may say another one.
    const yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d, namespace: default}\n";
    expect(await said("apply -f d.yaml", { "d.yaml": yaml })).toBe("configmap/d created");
    const dry = "create cm e --dry-run=client -o jsonpath={.metadata.namespace}";
    expect(await said(dry)).toBe("[exit 0]");
  });

  it("makes, uses, renames and deletes contexts", async () => {
    expect(await config("set-context dev --cluster=kubernetes --user=bob -n shop")).toBe(
      'Context "dev" created.',
    );
    expect(await config("get-contexts dev")).toBe(
      "CURRENT   NAME   CLUSTER      AUTHINFO   NAMESPACE\n          dev    kubernetes   bob        shop",
    );
    expect(await config("use-context dev")).toBe('Switched to context "dev".');
    expect(await config("rename-context dev test")).toBe('Context "dev" renamed to "test".');
    expect(await config("current-context")).toBe("test");
    expect(await config("delete-context test")).toBe(
      'warning: this removed your active context, use "kubectl config use-context" to select a different one\n' +
        "deleted context test from /etc/kubernetes/admin.conf",
    );
    expect(await config("use-context test")).toContain(
      'error: no context exists with the name: "test"',
    );
    expect(await config("get-contexts nosuch")).toContain("error: context nosuch not found");
    expect(await config("set-context")).toContain("non-empty context name or --current");
    expect(await config("rename-context a b")).toContain(
      `cannot rename the context "a", it's not in /etc/kubernetes/admin.conf`,
    );
  });

  it("goes where the context leads, as whom it says", async () => {
    await config("set-cluster far --server=https://1.2.3.4:6443 --insecure-skip-tls-verify");
    await config("set-context far --cluster=far --user=kubernetes-admin");
    expect(await said("get pods --context=far")).toContain(
      "The connection to the server 1.2.3.4:6443 was refused - did you specify the right host or port?",
    );
    expect(await said("get pods --context=none")).toContain(
      "Error in configuration: context was not found for specified context: none",
    );
    await shell.run("create serviceaccount robot");
    const token = await said("create token robot");
    await config(`set-credentials robot --token=${token}`);
    const who = "auth whoami --user=robot -o jsonpath={.status.userInfo.username}";
    expect(await said(who)).toBe("system:serviceaccount:default:robot");
    expect(await said("get pods --user=nobody")).toContain("system:anonymous");
    await config("unset current-context");
    expect(await said("get pods")).toContain("The connection to the server localhost:8080");
    expect(await config("current-context")).toContain("error: current-context is not set");
  });

  it("hides secrets, and sets and unsets single properties", async () => {
    await config("set-credentials u --username=a --password=b");
    expect(await config("view")).toContain("password: REDACTED");
    expect(await config("view --raw")).toContain("password: b");
    expect(await config("set contexts.a.namespace prod")).toBe(
      'Property "contexts.a.namespace" set.',
    );
    expect(await config("view -o jsonpath={.contexts[0].context.namespace}")).toBe("prod");
    expect(await config("unset users.u.password")).toBe('Property "users.u.password" unset.');
    expect(await config("view --raw")).not.toContain("password");
    expect(await config("set foo.bar x")).toContain(
      "unable to parse foo.bar after [] at api.Config",
    );
    expect(await config("set-credentials u --token=x --username=a")).toContain(
      "more than one authentication method at the same time: --token, --username/--password",
    );
    expect(
      await config("set-cluster c --certificate-authority=x --insecure-skip-tls-verify"),
    ).toContain("you cannot specify a certificate authority and insecure mode at the same time");
  });
});

describe("what the cluster is", () => {
  it("says where the control plane is, and dumps what runs", async () => {
    expect(await said("cluster-info")).toContain(
      "Kubernetes control plane is running at https://kube-apiserver:6443\n",
    );
    await shell.run("run web --image=nginx");
    await shell.pass(5_000);
    const dump = await said("cluster-info dump --namespaces=default");
    expect(dump).toContain('"kind": "NodeList"');
    expect(dump).toContain("==== START logs for container web of pod default/web ====");
  });

  it("tells versions in every format", async () => {
    expect(await said("version")).toBe(
      "Client Version: v1.35.2\nKustomize Version: v5.7.1\nServer Version: v1.36.2",
    );
    expect(JSON.parse(await said("version -o json"))).toMatchObject({
      clientVersion: { gitVersion: "v1.35.2", major: "1" },
      serverVersion: { gitVersion: "v1.36.2", minor: "36" },
    });
    expect(await said("version --client -o yaml")).not.toContain("serverVersion");
  });

  it("lists resources as discovery says them", async () => {
    expect(await said("api-resources --sort-by=foo")).toContain(
      "error: --sort-by accepts only name or kind",
    );
    expect(await said("get pods --request-timeout=abc")).toContain(
      "error: Invalid timeout value. Timeout must be a single integer in seconds",
    );
    expect(await said("explain pod --output=foo")).toContain("error: unrecognized format: foo");
    expect(await said("auth can-i get pods x")).toContain("you must specify two arguments");
    expect(await said("auth can-i get /metrics --subresource=x")).toContain(
      "--subresource can not be used with NonResourceURL",
    );
    const list = JSON.parse(await said("api-resources --api-group=batch -o json"));
    expect(list.resources.map(({ name }: { name: string }) => name)).toEqual(["cronjobs", "jobs"]);
    expect(list.resources[0]).toMatchObject({ shortNames: ["cj"], singularName: "cronjob" });
  });
});
