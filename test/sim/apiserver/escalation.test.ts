import { describe, expect, it } from "vitest";
import { type Bench, newServer, userOf } from "./server.ts";

const group = "rbac.authorization.k8s.io";
const all = ["roles", "rolebindings", "clusterroles", "clusterrolebindings"];
const alice = userOf("alice", "dev");

type Rule = { readonly [field: string]: readonly string[] | undefined };

/** Alice may write RBAC objects everywhere, and has `rules` besides. */
function bench(...rules: Rule[]): Bench {
  const made = newServer();
  const write = { verbs: ["*"], apiGroups: [group], resources: all };
  // All verbs but those that are asked for by name here.
  const verbs = ["create", "update", "patch", "get", "list"];
  const body = { metadata: { name: "alice" }, rules: [{ ...write, verbs }, ...rules] };
  made.ask({ verb: "create", group, resource: "clusterroles", namespace: "", body });
  const binding = {
    metadata: { name: "alice" },
    roleRef: { apiGroup: group, kind: "ClusterRole", name: "alice" },
    subjects: [{ kind: "User", name: "alice" }],
  };
  made.ask({
    verb: "create",
    group,
    resource: "clusterrolebindings",
    namespace: "",
    body: binding,
  });
  return made;
}

function ask(
  on: Bench,
  resource: string,
  body: object,
  verb: "create" | "update" = "create",
  name?: string,
) {
  const namespace = resource.startsWith("cluster") ? "" : "default";
  const answer = on.ask({ verb, group, resource, namespace, body, name, credentials: alice });
  const { message } = answer.body as { message?: string };
  return { code: answer.code, message };
}

const role = (name: string, ...rules: Rule[]) => ({ metadata: { name }, rules });
const pods = (...verbs: string[]) => ({ verbs, apiGroups: [""], resources: ["pods"] });
const grants =
  'user "alice" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held';

describe("who writes a role", () => {
  it("must hold all that it allows", () => {
    const on = bench(pods("get", "list"));
    expect(ask(on, "roles", role("r", pods("get", "list"))).code).toBe(201);
    const secrets = {
      verbs: ["get"],
      apiGroups: [""],
      resources: ["secrets"],
      resourceNames: ["a", "b"],
    };
    expect(ask(on, "roles", role("s", pods("list", "watch", "delete"), secrets))).toEqual({
      code: 403,
      message:
        `roles.${group} "s" is forbidden: ${grants}:\n` +
        '{APIGroups:[""], Resources:["pods"], Verbs:["watch" "delete"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["get"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]}',
    });
  });

  it("is told before what is wrong with the role itself", () => {
    expect(ask(bench(), "roles", role("a/b", pods("get"))).code).toBe(403);
    expect(ask(bench(), "roles", role("a/b")).code).toBe(422);
  });

  it("must hold paths, subresources and stars too", () => {
    const on = bench(
      { verbs: ["get"], nonResourceURLs: ["/logs/*"] },
      { verbs: ["*"], apiGroups: ["apps"], resources: ["*/scale"] },
    );
    const mine = [
      { verbs: ["get"], nonResourceURLs: ["/logs/a"] },
      { verbs: ["patch"], apiGroups: ["apps"], resources: ["deployments/scale"] },
    ];
    expect(ask(on, "clusterroles", role("r", ...mine)).code).toBe(201);
    const more = [
      { verbs: ["get", "post"], nonResourceURLs: ["/x", "/logs/b"] },
      { verbs: ["*"], apiGroups: ["apps"], resources: ["deployments"] },
    ];
    expect(ask(on, "clusterroles", role("s", ...more)).message).toBe(
      `clusterroles.${group} "s" is forbidden: ${grants}:\n` +
        '{APIGroups:["apps"], Resources:["deployments"], Verbs:["*"]}\n' +
        '{NonResourceURLs:["/logs/b"], Verbs:["post"]}\n' +
        '{NonResourceURLs:["/x"], Verbs:["get"]}\n' +
        '{NonResourceURLs:["/x"], Verbs:["post"]}',
    );
  });

  it("may do so with the verb escalate", () => {
    const may = { verbs: ["escalate"], apiGroups: [group], resources: ["roles"] };
    expect(ask(bench(may), "roles", role("r", pods("get"))).code).toBe(201);
    expect(ask(bench(may), "clusterroles", role("r", pods("get"))).code).toBe(403);
  });

  it("may do so with a role of the name that the verb is for, if the request names it", () => {
    const named = { apiGroups: [group], resources: ["roles"], resourceNames: ["r"] };
    const on = bench({ ...named, verbs: ["escalate"] });
    expect(ask(on, "roles", role("r", pods("get"))).code).toBe(403);
    expect(ask(on, "roles", role("r", pods("get")), "update", "r").code).toBe(201);
    expect(ask(on, "roles", role("s", pods("get")), "update", "s").code).toBe(403);
  });

  it("holds it on update, too, unless only owners or finalizers go", () => {
    const on = bench();
    const old = { ...role("r", pods("get")), metadata: { name: "r", finalizers: ["e.x/f"] } };
    on.ask({ verb: "create", group, resource: "roles", body: old });
    const patchType = "application/merge-patch+json" as const;
    const patch = (body: object) =>
      on.ask({
        verb: "patch",
        group,
        resource: "roles",
        name: "r",
        body,
        patchType,
        credentials: alice,
      });
    expect(patch({ metadata: { labels: { a: "b" } } }).code).toBe(403);
    expect(patch({ metadata: { finalizers: null } }).code).toBe(200);
  });

  it("must hold everything for a role that aggregates others", () => {
    const body = { ...role("r"), aggregationRule: { clusterRoleSelectors: [{}] } };
    expect(ask(bench(), "clusterroles", body)).toEqual({
      code: 403,
      message: `clusterroles.${group} "r" is forbidden: must have cluster-admin privileges to use an aggregationRule`,
    });
    const root = [
      { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
      { verbs: ["*"], nonResourceURLs: ["*"] },
    ];
    expect(ask(bench(...root), "clusterroles", body).code).toBe(201);
  });
});

describe("who binds a role", () => {
  const binding = (kind: string, name: string) => ({
    metadata: { name: "b" },
    roleRef: { apiGroup: group, kind, name },
    subjects: [{ kind: "User", name: "bob" }],
  });
  const withRole = (on: Bench) => {
    on.ask({ verb: "create", group, resource: "roles", body: role("r", pods("get")) });
    return on;
  };

  it("must hold all that it allows", () => {
    expect(ask(withRole(bench()), "rolebindings", binding("Role", "r"))).toEqual({
      code: 403,
      message:
        `rolebindings.${group} "b" is forbidden: ${grants}:\n` +
        '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
    });
    expect(ask(withRole(bench(pods("get"))), "rolebindings", binding("Role", "r")).code).toBe(201);
  });

  it("may do so with the verb bind, of the role that is named", () => {
    const may = { verbs: ["bind"], apiGroups: [group], resources: ["roles"], resourceNames: ["r"] };
    expect(ask(withRole(bench(may)), "rolebindings", binding("Role", "r")).code).toBe(201);
    const other = { ...may, resourceNames: ["s"] };
    expect(ask(withRole(bench(other)), "rolebindings", binding("Role", "r")).code).toBe(403);
  });

  it("is told if there is no such role", () => {
    expect(ask(bench(), "rolebindings", binding("Role", "r"))).toEqual({
      code: 404,
      message: `roles.${group} "r" not found`,
    });
    expect(ask(bench(), "clusterrolebindings", binding("Pod", "r"))).toEqual({
      code: 500,
      message: 'unsupported role reference kind: "Pod"',
    });
  });

  it("is told what of their own rights could not be read", () => {
    const on = withRole(bench());
    const gone = { ...binding("Role", "gone"), subjects: [{ kind: "User", name: "alice" }] };
    on.ask({ verb: "create", group, resource: "rolebindings", body: gone });
    const body = { ...binding("Role", "r"), metadata: { name: "c" } };
    expect(ask(on, "rolebindings", body).message).toMatch(
      new RegExp(`Verbs:\\["get"\\]}; resolution errors: \\[roles.${group} "gone" not found\\]$`),
    );
  });
});
