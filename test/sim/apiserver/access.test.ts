import { describe, expect, it } from "vitest";
import type { Credentials } from "../../../sim/src/api/transport.ts";
import { authenticators } from "../../../sim/src/apiserver/authentication/authenticate.ts";
import { handle } from "../../../sim/src/apiserver/http/handle.ts";
import {
  ADMIN,
  account,
  type Bench,
  configMap,
  messageOf,
  newServer,
  pod,
  userOf,
} from "./server.ts";

const rbac = { group: "rbac.authorization.k8s.io" } as const;

function grant(bench: Bench, user: string, rule: object, namespace = "default"): void {
  const kind = "Role";
  const metadata = { name: "r" };
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const role = { apiVersion, kind, metadata, rules: [rule] };
  bench.ask({ verb: "create", ...rbac, resource: "roles", namespace, body: role });
  const roleRef = { apiGroup: rbac.group, kind, name: "r" };
  const subjects = [{ kind: "User", apiGroup: rbac.group, name: user }];
  const binding = { apiVersion, kind: "RoleBinding", metadata, roleRef, subjects };
  bench.ask({ verb: "create", ...rbac, resource: "rolebindings", namespace, body: binding });
}

describe("who may do what", () => {
  it("is nothing until a role is bound, and no more than the role says", () => {
    const bench = newServer();
    const credentials = userOf("alice", "dev");
    const list = { verb: "list", resource: "configmaps", credentials } as const;
    expect(messageOf(bench.ask(list))).toBe(
      'configmaps is forbidden: User "alice" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
    grant(bench, "alice", { verbs: ["list"], apiGroups: [""], resources: ["configmaps"] });
    expect(bench.ask(list).code).toBe(200);
    expect(bench.ask({ ...list, namespace: "kube-system" }).code).toBe(403);
    const create = bench.ask({ ...list, verb: "create", body: configMap("a") });
    expect(create.code).toBe(403);
  });

  it("follows the aggregated roles view, edit and admin", () => {
    const bench = newServer();
    const subjects = [{ kind: "User", apiGroup: rbac.group, name: "bob" }];
    for (const [role, creates] of [
      ["view", 403],
      ["edit", 201],
    ] as const) {
      const roleRef = { apiGroup: rbac.group, kind: "ClusterRole", name: role };
      const body = {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "RoleBinding",
        metadata: { name: role },
        roleRef,
        subjects,
      };
      bench.ask({ verb: "create", ...rbac, resource: "rolebindings", body });
      const credentials = userOf("bob");
      const maps = { resource: "configmaps", credentials } as const;
      expect(bench.ask({ verb: "list", ...maps }).code).toBe(200);
      expect(bench.ask({ verb: "create", ...maps, body: configMap(role) }).code).toBe(creates);
    }
  });

  it("lets a kubelet read only the Secrets that its own Pods mention", () => {
    const bench = newServer();
    account(bench);
    const secret = (name: string) => ({ apiVersion: "v1", kind: "Secret", metadata: { name } });
    for (const name of ["mine", "other"]) {
      bench.ask({ verb: "create", resource: "secrets", body: secret(name) });
    }
    const volumes = [{ name: "v", secret: { secretName: "mine" } }];
    bench.ask({ verb: "create", body: pod("p", {}, { volumes, nodeName: "n1" }) });
    const read = (node: string, name: string) => {
      const credentials = userOf(`system:node:${node}`, "system:nodes");
      return bench.ask({ verb: "get", resource: "secrets", name, credentials }).code;
    };
    expect([read("n1", "mine"), read("n1", "other"), read("n2", "mine")]).toEqual([200, 403, 403]);
  });

  it("knows a ServiceAccount by its token until the account is gone", () => {
    const bench = newServer();
    account(bench);
    const accounts = { resource: "serviceaccounts", name: "default" } as const;
    const asked = { verb: "create", ...accounts, subresource: "token", body: {} } as const;
    const { status } = bench.ask(asked).body as unknown as { status: { token: string } };
    const credentials = { token: status.token };
    const list = { verb: "list", resource: "configmaps", credentials } as const;
    expect(messageOf(bench.ask(list))).toContain(
      'User "system:serviceaccount:default:default" cannot list',
    );
    bench.ask({ verb: "delete", ...accounts });
    expect(bench.ask(list).code).toBe(401);
  });

  it("asks the authenticators in their order", () => {
    const { server } = newServer();
    const made = authenticators(new Map(), server.signer, () => true);
    expect(made.map(({ name }) => name)).toEqual(["x509", "token-file", "service-account"]);
  });
});

describe("over HTTP", () => {
  it("takes who brings no credentials for whom the server is told, else for nobody", async () => {
    const { server } = newServer();
    const read = async (fallback?: Credentials) => {
      const request = new Request("https://x/api/v1/namespaces/default/configmaps");
      return (await handle(server, request, fallback)).status;
    };
    expect([await read(), await read(ADMIN)]).toEqual([403, 200]);
  });
});
