/** kubectl auth reconcile, certificate, describe csr; texts as kubectl 1.35.2 prints them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type Terminal, terminal } from "./support.ts";

const role = (verbs: string) => `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: rec, namespace: default}
rules: [{apiGroups: [""], resources: [pods], verbs: [${verbs}]}]
`;
const binding = (name: string, to = "rec") => `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: rec, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${to}}
subjects: [{kind: User, name: ${name}, apiGroup: rbac.authorization.k8s.io}]
`;

let shell: Terminal;

beforeEach(async () => {
  shell = await terminal();
});

describe("kubectl auth reconcile", () => {
  const reconcile = (text: string, more = "") =>
    shell.run(`auth reconcile -f r.yaml${more}`, { "r.yaml": text });

  it("creates, adds what is missing, and does nothing of what is there", async () => {
    expect(await reconcile(role("get, list"))).toBe(
      "role.rbac.authorization.k8s.io/rec reconciled\n\treconciliation required create\n" +
        "\tmissing rules added:\n\t\t{Verbs:[get list] APIGroups:[] Resources:[pods] " +
        "ResourceNames:[] NonResourceURLs:[]}\n[exit 0]",
    );
    expect(await reconcile(role("get"))).toBe(
      "role.rbac.authorization.k8s.io/rec reconciled\n[exit 0]",
    );
    const said = await reconcile(role("get, watch"));
    expect(said).toContain(
      "reconciliation required update\n\tmissing rules added:\n\t\t{Verbs:[watch]",
    );
    const verbs = "get role rec -o jsonpath={.rules[*].verbs}";
    expect(await shell.run(verbs)).toContain('["get","list"] ["watch"]');
  });

  it("takes extra rights away only if it is told to, and never for show", async () => {
    await reconcile(role("get, list"));
    expect(await reconcile(role("get"), " --remove-extra-permissions --dry-run=client")).toContain(
      "reconciled (dry run)",
    );
    const verbs = "get role rec -o jsonpath={.rules[*].verbs}";
    expect(await shell.run(verbs)).toContain('["get","list"]');
    expect(await reconcile(role("get"), " --remove-extra-permissions")).toContain(
      "\textra rules removed:\n\t\t{Verbs:[list]",
    );
    expect(await shell.run(verbs)).toContain('["get"]');
    expect(await reconcile(role("get"), " --dry-run=server")).toContain(
      "--dry-run=server for command reconcile is not supported yet",
    );
  });

  it("adds subjects, and makes a binding anew that leads elsewhere", async () => {
    await reconcile(binding("ann"));
    const added = await reconcile(binding("bob"));
    expect(added).toContain(
      "missing subjects added:\n\t\t{Kind:User APIGroup:rbac.authorization.k8s.io Name:bob Namespace:}",
    );
    const names = "get rolebinding rec -o jsonpath={.subjects[*].name}";
    expect(await shell.run(names)).toContain("ann bob");
    expect(await reconcile(binding("bob"), " --remove-extra-subjects")).toContain("Name:ann");
    expect(await reconcile(binding("bob", "other"))).toContain("reconciliation required recreate");
  });

  it("leaves alone what opted out, and what is no such kind", async () => {
    await reconcile(role("get"));
    await shell.run("annotate role rec rbac.authorization.kubernetes.io/autoupdate=false");
    expect(await reconcile(role("get, list"))).toContain(
      "required update, but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)",
    );
    const verbs = "get role rec -o jsonpath={.rules[*].verbs}";
    expect(await shell.run(verbs)).toBe('["get"]\n[exit 0]');
    const other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
    expect(await reconcile(other)).toBe("[exit 0]");
    expect(await shell.run("auth reconcile")).toContain("error: must specify one of -f and -k");
  });
});

describe("kubectl certificate and describe csr", () => {
  const csr = readFileSync(join(import.meta.dirname, "described/csr.yaml"), "utf8");

  it("approves or denies once, and tells what was asked for", async () => {
    await shell.run("create -f csr.yaml", { "csr.yaml": csr });
    expect(await shell.run("certificate approve csr/c1")).toBe(
      "certificatesigningrequest.certificates.k8s.io/c1 approved\n[exit 0]",
    );
    expect(await shell.run("certificate deny c1")).toBe(
      'error: certificate signing request "c1" is already Approved\n[exit 1]',
    );
    const text = await shell.run("describe csr c1 --show-events=false");
    expect(text.replace(/Timestamp: .*/, "Timestamp: T")).toBe(
      [
        "Name:                c1",
        "Labels:              a=b",
        "Annotations:         <none>",
        "CreationTimestamp: T",
        "Requesting User:     kubernetes-admin",
        "Signer:              example.com/foo",
        "Requested Duration:  24h",
        "Status:              Approved",
        "Subject:",
        "  Common Name:    angela",
        "  Serial Number:  ",
        "[exit 0]",
      ].join("\n"),
    );
  });
});
