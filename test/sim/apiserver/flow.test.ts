import { describe, expect, it } from "vitest";
import type { JsonObject, KubeList, KubeObject } from "../../../sim/src/api/types.ts";
import type { AuditEvent } from "../../../sim/src/apiserver/audit.ts";
import { handle } from "../../../sim/src/apiserver/http/handle.ts";
import { ADMIN, configMap, newServer, userOf } from "./server.ts";

describe("priority and fairness", () => {
  it("serves users in turn, refuses a full queue, and never holds up the masters", async () => {
    const flowControl = { seats: 1, holdMs: 10, queueLength: 5 };
    const { kernel, server } = newServer({ flowControl });
    const answered: string[] = [];
    const ask = (user: string, times: number) => {
      const credentials = user === "admin" ? ADMIN : userOf(user);
      for (let i = 0; i < times; i++) {
        const request = { verb: "list", group: "", version: "v1", resource: "configmaps" } as const;
        void Promise.resolve(server.execute({ ...request, credentials })).then(({ code }) =>
          answered.push(`${user} ${code}`),
        );
      }
    };
    kernel.after(0, () => {
      ask("greedy", 8);
      ask("modest", 1);
      ask("admin", 1);
    });
    await kernel.run({ untilMs: 15 });
    expect(answered.filter((one) => one === "greedy 429")).toHaveLength(2);
    expect(answered).toContain("admin 200");
    await kernel.run({ untilMs: 1000 });
    const order = answered.filter((one) => one.endsWith("403"));
    expect(order.indexOf("modest 403")).toBeLessThanOrEqual(2);
    expect(order).toHaveLength(7);
  });
});

describe("flow schemas and priority levels", () => {
  const group = "flowcontrol.apiserver.k8s.io";

  it("are there when somebody looks, as the real server makes them", () => {
    const { ask } = newServer();
    const before = ask({ verb: "list", resource: "configmaps" }).body as KubeList;
    const { body } = ask({ verb: "list", group, resource: "flowschemas", namespace: "" });
    const items = (body as KubeList).items as (KubeObject & { spec: JsonObject })[];
    expect(before.metadata.resourceVersion).not.toBe((body as KubeList).metadata.resourceVersion);
    const shown = items
      .map(({ metadata, spec }) => [spec.matchingPrecedence, metadata.name, metadata.uid])
      .toSorted((a, b) => Number(a[0]) - Number(b[0]));
    expect(shown.map(([precedence, name]) => `${precedence} ${name}`)).toEqual([
      "1 exempt",
      "2 probes",
      "100 system-leader-election",
      "150 endpoint-controller",
      "200 workload-leader-election",
      "400 system-node-high",
      "500 system-nodes",
      "800 kube-controller-manager",
      "800 kube-scheduler",
      "900 kube-system-service-accounts",
      "9000 service-accounts",
      "9900 global-default",
      "10000 catch-all",
    ]);
    expect(items[0]).toMatchObject({
      metadata: { name: "catch-all", annotations: { "apf.kubernetes.io/autoupdate-spec": "true" } },
      status: { conditions: [{ type: "Dangling", status: "False", reason: "Found" }] },
    });
    const levels = { group, resource: "prioritylevelconfigurations", namespace: "" } as const;
    expect(ask({ verb: "get", ...levels, name: "node-high" }).body).toMatchObject({
      spec: {
        type: "Limited",
        limited: {
          nominalConcurrencyShares: 40,
          lendablePercent: 25,
          limitResponse: {
            type: "Queue",
            queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 },
          },
        },
      },
    });
  });

  it("are named in every answer over HTTP, by what the request is", async () => {
    const tokens = new Map([
      ["root", { name: "root", groups: ["system:masters", "system:authenticated"] }],
      ["node", { name: "system:node:n", groups: ["system:nodes", "system:authenticated"] }],
      ["eve", { name: "eve", groups: ["system:authenticated"] }],
    ]);
    const { server, ask } = newServer({ tokens });
    const headersOf = async (token: string, path: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      const { headers: got } = await handle(server, new Request(`https://x${path}`, { headers }));
      return [
        got.get("X-Kubernetes-PF-FlowSchema-UID"),
        got.get("X-Kubernetes-PF-PriorityLevel-UID"),
      ];
    };
    const pods = "/api/v1/namespaces/default/pods";
    const seen = {
      exempt: await headersOf("root", pods),
      "system-nodes": await headersOf("node", pods),
      "system-node-high": await headersOf("node", "/api/v1/nodes"),
      "global-default": await headersOf("eve", pods),
    };
    for (const [name, [schema, level]] of Object.entries(seen)) {
      const get = (resource: string, name: string) =>
        ask({ verb: "get", group, resource, namespace: "", name }).body as KubeObject & {
          spec: { priorityLevelConfiguration: { name: string } };
        };
      const found = get("flowschemas", name);
      expect(found.metadata.uid).toBe(schema);
      const { name: of } = found.spec.priorityLevelConfiguration;
      expect(get("prioritylevelconfigurations", of).metadata.uid).toBe(level);
    }
    expect(await headersOf("nobody", pods)).toEqual([null, null]);
  });

  it("follow what is written: a schema of one's own comes first", async () => {
    const tokens = new Map([["eve", { name: "eve", groups: ["system:authenticated"] }]]);
    const { server, ask } = newServer({ tokens });
    const spec = {
      priorityLevelConfiguration: { name: "workload-low" },
      matchingPrecedence: 50,
      rules: [
        {
          subjects: [{ kind: "User", user: { name: "eve" } }],
          resourceRules: [
            { verbs: ["list"], apiGroups: [""], resources: ["pods"], namespaces: ["default"] },
          ],
        },
      ],
    };
    const body = {
      apiVersion: `${group}/v1`,
      kind: "FlowSchema",
      metadata: { name: "eves" },
      spec,
    };
    const made = ask({ verb: "create", group, resource: "flowschemas", namespace: "", body });
    const headers = { Authorization: "Bearer eve" };
    const url = "https://x/api/v1/namespaces/default/pods";
    const { headers: got } = await handle(server, new Request(url, { headers }));
    expect(got.get("X-Kubernetes-PF-FlowSchema-UID")).toBe((made.body as KubeObject).metadata.uid);
  });
});

describe("the audit log", () => {
  it("tells who asked for what and what came of it", () => {
    const events: AuditEvent[] = [];
    const audit = { level: "Metadata", log: (event: AuditEvent) => events.push(event) } as const;
    const { ask } = newServer({ audit });
    ask({ verb: "create", resource: "configmaps", body: configMap("a") });
    ask({ verb: "get", resource: "configmaps", name: "a", credentials: userOf("eve") });
    expect(
      events.map(({ verb, user, requestURI, responseStatus }) => [
        verb,
        user.username,
        requestURI,
        responseStatus.code,
      ]),
    ).toEqual([
      ["create", "admin", "/api/v1/namespaces/default/configmaps/a", 201],
      ["get", "eve", "/api/v1/namespaces/default/configmaps/a", 403],
    ]);
  });
});
