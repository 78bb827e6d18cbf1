import { describe, expect, it } from "vitest";
import { changeComplaint, complaint, sent } from "./kinds-support.ts";

const port = { port: 80 };
const service = (spec: object, name = "x") =>
  sent("v1", "Service", { spec: { ports: [port], ...spec } }, name);
const given = { clusterIP: "10.96.0.9", clusterIPs: ["10.96.0.9"] };
const valid = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

describe("a Service is refused for", () => {
  const rows: readonly (readonly [string, object, string])[] = [
    ["no ports", { ports: [] }, "spec.ports: Required value"],
    [
      "port 0",
      { ports: [{ port: 0 }] },
      "[spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, " +
        "spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive]",
    ],
    [
      "an unknown protocol",
      { ports: [{ port: 1, protocol: "ICMP" }] },
      'spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
    ],
    [
      "a port name that is no label",
      { ports: [{ port: 1, name: "a.b" }] },
      'spec.ports[0].name: Invalid value: "a.b": must not contain dots',
    ],
    [
      "a pair of ports twice",
      {
        ports: [
          { ...port, name: "a" },
          { ...port, name: "b" },
        ],
      },
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
    ],
    [
      "a name of a port twice",
      {
        ports: [
          { port: 1, name: "a" },
          { port: 2, name: "a" },
        ],
      },
      'spec.ports[1].name: Duplicate value: "a"',
    ],
    [
      "a node port of a ClusterIP",
      { ports: [{ port: 1, nodePort: 30000 }] },
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ],
    [
      "a type that is none",
      { type: "Foo" },
      'spec.type: Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
    [
      "an affinity that is none",
      { sessionAffinity: "Foo" },
      'spec.sessionAffinity: Unsupported value: "Foo": supported values: "ClientIP", "None"',
    ],
    [
      "an affinity that is too long",
      {
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } },
      },
      "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400",
    ],
    [
      "an address that is none",
      { clusterIP: "nope" },
      `spec.clusterIPs[0]: Invalid value: "nope": ${valid}`,
    ],
    [
      "leading zeros",
      { externalIPs: ["010.0.0.1"] },
      'spec.externalIPs[0]: Invalid value: "010.0.0.1": must not have leading 0s',
    ],
    [
      "an address of its own machine",
      { externalIPs: ["127.0.0.1"] },
      'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
    [
      "two addresses of one family",
      { clusterIPs: ["10.96.0.8", "10.96.0.9"], clusterIP: "10.96.0.8" },
      'spec.clusterIPs: Invalid value: ["10.96.0.8","10.96.0.9"]: may specify no more than one IP for each IP family',
    ],
    [
      "a family that is none",
      { ipFamilies: ["IPv5"], ipFamilyPolicy: "Dual" },
      '[spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6", ' +
        'spec.ipFamilyPolicy: Unsupported value: "Dual": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"]',
    ],
    [
      "an external policy inside",
      { externalTrafficPolicy: "Local" },
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ],
    [
      "a health port without need",
      { healthCheckNodePort: 30001 },
      "spec.healthCheckNodePort: Invalid value: 30001: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ],
    [
      "source ranges without balancer",
      { loadBalancerSourceRanges: ["10.0.0.0/8", "10.0.0.1/8"] },
      "[spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer', " +
        'spec.LoadBalancerSourceRanges[1]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length]',
    ],
    [
      "a distribution that is none",
      { trafficDistribution: "Far" },
      'spec.trafficDistribution: Unsupported value: "Far": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ],
    [
      "no address with a node port",
      { type: "NodePort", clusterIP: "None" },
      "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort services",
    ],
    [
      "a name elsewhere with an address",
      { type: "ExternalName", ...given },
      "[spec.clusterIPs: Forbidden: may not be set for ExternalName services, spec.externalName: Required value]",
    ],
  ];
  for (const [name, spec, expected] of rows) {
    it(name, () => expect(complaint(service(spec))).toBe(expected));
  }
});

describe("Services", () => {
  it("may be called by a number, and send a headless port elsewhere", () => {
    expect(complaint(service({}, "1a"))).toBe("");
    const ports = [{ port: 80, targetPort: 8080 }];
    expect(complaint(service({ clusterIP: "None", ports }))).toBe("");
  });

  it("tell what changed before what is wrong", () => {
    const next = service({
      clusterIP: "10.96.0.7",
      clusterIPs: ["10.96.0.7"],
      sessionAffinity: "x",
    });
    expect(changeComplaint(next, service(given))).toMatch(
      /^\[spec.clusterIPs\[0\]: Invalid value: \["10.96.0.7"\]: may not change once set, spec.sessionAffinity: /,
    );
  });

  it("keep the port of their health checks", () => {
    const of = (healthCheckNodePort: number) =>
      service({
        ...given,
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        healthCheckNodePort,
      });
    expect(changeComplaint(of(30001), of(30002))).toBe(
      "spec.healthCheckNodePort: Forbidden: field is immutable",
    );
  });
});
