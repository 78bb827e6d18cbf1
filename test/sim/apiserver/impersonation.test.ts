import { describe, expect, it } from "vitest";
import { handle } from "../../../sim/src/apiserver/http/handle.ts";
import { ADMIN, type Bench, newServer } from "./server.ts";

const NODE = { "authentication.kubernetes.io/node-name": ["n1"] };
const TOKENS = new Map([
  ["root", { name: "root", groups: ["system:masters"] }],
  ["eve", { name: "eve", groups: [] }],
  ["agent", { name: "system:serviceaccount:kube-system:agent", groups: [], extra: NODE }],
]);

function bench(): Bench {
  return newServer({ tokens: TOKENS });
}

/** Gives rules of the cluster to a user. */
function grant({ ask }: Bench, user: string, ...rules: object[]): void {
  const group = "rbac.authorization.k8s.io";
  const apiVersion = `${group}/v1`;
  const namespace = undefined;
  const metadata = { name: "may" };
  const role = { apiVersion, kind: "ClusterRole", metadata, rules };
  ask({ verb: "create", group, resource: "clusterroles", namespace, body: role });
  const subjects = [{ kind: "User", apiGroup: group, name: user }];
  const roleRef = { apiGroup: group, kind: "ClusterRole", name: "may" };
  const body = { apiVersion, kind: "ClusterRoleBinding", metadata, roleRef, subjects };
  ask({ verb: "create", group, resource: "clusterrolebindings", namespace, body });
}

const rule = (verb: string, resource: string, group = "", ...resourceNames: string[]) => ({
  verbs: [verb],
  apiGroups: [group],
  resources: [resource],
  ...(resourceNames.length > 0 ? { resourceNames } : {}),
});
const OWN = "authentication.k8s.io";

async function get({ server }: Bench, token: string, more: HeadersInit, path = "/api/v1/nodes") {
  const headers = new Headers(more);
  headers.set("Authorization", `Bearer ${token}`);
  const answer = await handle(server, new Request(`https://x${path}`, { headers }));
  const { code = 200, message = "" } = await answer.json();
  return { code, message };
}

/** Who the server takes the request for. */
async function whoami({ server }: Bench, token: string, more: HeadersInit) {
  const headers = new Headers(more);
  headers.set("Authorization", `Bearer ${token}`);
  headers.set("Content-Type", "application/json");
  const init = { method: "POST", headers, body: "{}" };
  const url = `https://x/apis/${OWN}/v1/selfsubjectreviews`;
  const answer = await (await handle(server, new Request(url, init))).json();
  return answer.status.userInfo ?? answer;
}

const as = (user: string, more: Record<string, string> = {}) => ({
  "Impersonate-User": user,
  ...more,
});

describe("impersonation over HTTP", () => {
  it("makes the masters anybody", async () => {
    const one = bench();
    const { code, message } = await get(one, "root", as("alice"));
    expect(code).toBe(403);
    expect(message).toContain('User "alice" cannot list resource "nodes"');
    const groups = as("alice", { "Impersonate-Group": "system:masters" });
    expect((await get(one, "root", groups)).code).toBe(200);
  });

  it("takes over name, UID, groups and extra values", async () => {
    const headers = new Headers(as("alice", { "Impersonate-Uid": "u1" }));
    for (const group of ["dev", "ops"]) headers.append("Impersonate-Group", group);
    headers.append("Impersonate-Extra-Acme.io%2Fscope", "a");
    headers.append("Impersonate-Extra-Acme.io%2Fscope", "b");
    expect(await whoami(bench(), "root", headers)).toEqual({
      username: "alice",
      uid: "u1",
      groups: ["dev", "ops", "system:authenticated"],
      extra: { "acme.io/scope": ["a", "b"] },
    });
  });

  it("knows the groups of accounts, and who is anonymous", async () => {
    const one = bench();
    expect(await whoami(one, "root", as("system:serviceaccount:web:sa"))).toEqual({
      username: "system:serviceaccount:web:sa",
      groups: ["system:serviceaccounts", "system:serviceaccounts:web", "system:authenticated"],
    });
    const node = await whoami(one, "root", as("system:node:n1"));
    expect(node.groups).toEqual(["system:nodes", "system:authenticated"]);
    const nobody = await get(one, "root", as("system:anonymous"));
    expect(nobody.message).toContain('User "system:anonymous" cannot list');
    const path = "/apis/apps/v1/nothing";
    expect((await get(one, "root", as("system:anonymous"), path)).code).toBe(403);
    expect((await get(one, "root", as("alice"), "/metrics")).code).toBe(403);
    expect((await get(one, "root", as("alice"), "/version")).code).toBe(200);
  });

  it("is refused without a user", async () => {
    const headers = { "Impersonate-Group": "dev" };
    expect(await get(bench(), "root", headers)).toEqual({
      code: 400,
      message:
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"dev"}, Extra:map[string][]string(nil)} without impersonating a user name',
    });
  });

  it("needs the verb, on each part of the user", async () => {
    const one = bench();
    expect((await get(one, "eve", as("alice"))).message).toBe(
      'nodes is forbidden: User "eve" cannot impersonate-on:user-info:list resource "nodes" in API group "" at the cluster scope',
    );
    grant(one, "eve", rule("impersonate", "users", "", "alice"));
    expect(await whoami(one, "eve", as("alice"))).toMatchObject({ username: "alice" });
    const other = await get(one, "eve", as("bob"));
    expect(other.code).toBe(403);
    for (const [header, value] of [
      ["Impersonate-Group", "dev"],
      ["Impersonate-Uid", "u1"],
      ["Impersonate-Extra-scopes", "view"],
    ] as const) {
      expect((await get(one, "eve", as("alice", { [header]: value }))).message).toContain("eve");
    }
  });
});

describe("constrained impersonation", () => {
  it("allows one thing in another's name, and nothing else", async () => {
    const one = bench();
    grant(
      one,
      "eve",
      rule("impersonate-on:user-info:list", "nodes"),
      rule("impersonate:user-info", "users", OWN, "root"),
      rule("impersonate:user-info", "groups", OWN),
    );
    const dev = as("root", { "Impersonate-Group": "dev" });
    expect((await get(one, "eve", dev)).message).toContain('User "root" cannot list resource');
    expect((await get(one, "eve", dev, "/api/v1/pods")).message).toContain(
      'User "eve" cannot impersonate-on:user-info:list resource "pods"',
    );
    expect((await get(one, "eve", as("bob"))).message).toBe(
      'users.authentication.k8s.io "bob" is forbidden: User "eve" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope',
    );
    const masters = as("root", { "Impersonate-Group": "system:masters" });
    expect((await get(one, "eve", masters)).message).toMatch(
      /: impersonating the system:masters group is not allowed$/,
    );
    const scopes = as("root", { "Impersonate-Extra-scopes": "view" });
    expect((await get(one, "eve", scopes)).message).toContain(
      'invalid key in extra is not allowed: extra.key: Invalid value: "scopes"',
    );
  });

  it("lets an agent act as the node that it runs on", async () => {
    const one = bench();
    grant(
      one,
      "system:serviceaccount:kube-system:agent",
      rule("impersonate-on:associated-node:get", "nodes"),
      rule("impersonate:associated-node", "nodes", OWN),
    );
    const path = "/api/v1/nodes/n1";
    const mine = await get(one, "agent", as("system:node:n1"), path);
    expect(mine).toEqual({ code: 404, message: 'nodes "n1" not found' });
    const other = await get(one, "agent", as("system:node:n2"), path);
    expect(other.message).toContain("cannot impersonate-on:arbitrary-node:get");
  });

  it("checks an account by its namespace and name", async () => {
    const one = bench();
    grant(
      one,
      "eve",
      rule("impersonate-on:serviceaccount:list", "nodes"),
      rule("impersonate:serviceaccount", "serviceaccounts", OWN, "sa"),
    );
    const sa = await get(one, "eve", as("system:serviceaccount:web:sa"));
    expect(sa.message).toContain('User "system:serviceaccount:web:sa" cannot list');
    const other = await get(one, "eve", as("system:serviceaccount:web:x"));
    expect(other.message).toBe(
      'serviceaccounts.authentication.k8s.io "x" is forbidden: User "eve" cannot impersonate:serviceaccount resource "serviceaccounts" in API group "authentication.k8s.io" in the namespace "web"',
    );
  });
});

it("is done in the page as over HTTP", () => {
  const { ask } = bench();
  const credentials = { ...ADMIN, impersonate: { user: "alice", groups: ["system:masters"] } };
  expect(ask({ verb: "list", resource: "nodes", namespace: undefined, credentials }).code).toBe(
    200,
  );
});
