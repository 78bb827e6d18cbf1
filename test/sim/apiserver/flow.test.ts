import { describe, expect, it } from "vitest";
import type { AuditEvent } from "../../../sim/src/apiserver/audit.ts";
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
