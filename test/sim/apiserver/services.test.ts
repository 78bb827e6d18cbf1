import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../../sim/src/api/types.ts";
import { messageOf, newServer } from "./server.ts";

function created(spec: object, metadata: object = { name: "s" }) {
  const { ask } = newServer();
  const body = { metadata, spec: { ports: [{ port: 80 }], ...spec } };
  return ask({ verb: "create", resource: "services", body });
}

describe("a new Service is refused by the allocator for", () => {
  const rows: readonly (readonly [string, object, string])[] = [
    [
      "two families",
      { ipFamilyPolicy: "RequireDualStack" },
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ],
    [
      "a family that the cluster has not",
      { ipFamilies: ["IPv6"] },
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ],
    [
      "an address of such a family",
      { clusterIP: "fd00::1" },
      'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    ],
    [
      "two families on one stack",
      { ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "SingleStack" },
      "spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
    ],
    [
      "an address that is none, and says nothing of the rest",
      { clusterIP: "nope", sessionAffinity: "x" },
      'spec.clusterIPs[0]: Invalid value: "nope": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
  ];
  for (const [name, spec, expected] of rows) {
    it(name, () => {
      const answer = created(spec);
      expect(answer.code).toBe(422);
      expect(messageOf(answer)).toBe(`Service "s" is invalid: ${expected}`);
    });
  }

  it("a health port that is out of range", () => {
    const answer = created({
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      healthCheckNodePort: 80,
    });
    expect([answer.code, messageOf(answer)]).toEqual([
      500,
      "Internal error occurred: failed to allocate requested HealthCheck NodePort 80: " +
        "provided port is not in the valid range. The range of valid ports is 30000-32767",
    ]);
  });
});

describe("a new Service", () => {
  const specOf = (spec: object) =>
    (created(spec).body as KubeObject & { spec: Record<string, unknown> }).spec;

  it("without selector and address allows both families", () => {
    const { ipFamilies, ipFamilyPolicy } = specOf({ clusterIP: "None", ipFamilies: ["IPv6"] });
    expect([ipFamilies, ipFamilyPolicy]).toEqual([["IPv6", "IPv4"], "RequireDualStack"]);
  });

  it("without node ports of its own gets those that it names", () => {
    const { ports } = specOf({
      type: "LoadBalancer",
      allocateLoadBalancerNodePorts: false,
      ports: [
        { name: "a", port: 1, nodePort: 30000 },
        { name: "b", port: 2 },
      ],
    });
    expect((ports as { nodePort?: number }[]).map(({ nodePort }) => nodePort)).toEqual([
      30000,
      undefined,
    ]);
  });
});

describe("a Service that is not there", () => {
  it("is made by PUT, with an address", () => {
    const { ask } = newServer();
    const body = { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } };
    const put = ask({ verb: "update", resource: "services", name: "s", body });
    expect(put.code).toBe(201);
    expect((put.body as unknown as { spec: { clusterIP?: string } }).spec.clusterIP).toMatch(
      /^10\./,
    );
    const other = { metadata: { name: "c" } };
    expect(ask({ verb: "update", resource: "configmaps", name: "c", body: other }).code).toBe(404);
  });
});
