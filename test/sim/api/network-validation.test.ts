import { describe, expect, it } from "vitest";
import { changeComplaint, complaint, kindOf, sent } from "./kinds-support.ts";

type Fields = { readonly [field: string]: unknown };

const label = (text: string) =>
  `${text}: a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ` +
  "and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', " +
  "regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

describe("NetworkPolicies", () => {
  const policy = (spec: Fields) => sent("networking.k8s.io/v1", "NetworkPolicy", { spec });
  const from = (peer: Fields) => policy({ podSelector: {}, ingress: [{ from: [peer] }] });
  const ports = (port: Fields) => policy({ podSelector: {}, egress: [{ ports: [port] }] });
  const cases: [object: ReturnType<typeof policy>, told: string][] = [
    [policy({ podSelector: {} }), ""],
    [from({}), "spec.ingress[0].from[0]: Required value: must specify a peer"],
    [
      from({ podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }),
      "spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer",
    ],
    [from({ ipBlock: { cidr: "" } }), "spec.ingress[0].from[0].ipBlock.cidr: Required value"],
    [
      from({ ipBlock: { cidr: "10.0.0.0", except: ["x"] } }),
      'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
    [
      from({ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16", "11.0.0.0/16", "fd00::/8"] } }),
      '[spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`, ' +
        'spec.ingress[0].from[0].ipBlock.except[2]: Invalid value: "fd00::/8": must be a strict subset of `cidr`]',
    ],
    [
      from({ ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.0/8"] } }),
      'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
    ],
    [
      ports({ port: 70_000, endPort: 80, protocol: "ICMP" }),
      '[spec.egress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP", ' +
        "spec.egress[0].ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive, " +
        "spec.egress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`]",
    ],
    [
      ports({ port: "http", endPort: 80 }),
      "spec.egress[0].ports[0].endPort: Invalid value: 80: may not be specified when `port` is non-numeric",
    ],
    [
      ports({ endPort: 80 }),
      "spec.egress[0].ports[0].endPort: Invalid value: 80: may not be specified when `port` is not specified",
    ],
    [
      policy({ podSelector: { matchExpressions: [{ key: "a", operator: "Is" }] } }),
      'spec.podSelector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    ],
    [
      policy({ policyTypes: ["Ingress", "Both"] }),
      'spec.policyTypes[1]: Unsupported value: "Both": supported values: "Ingress", "Egress"',
    ],
    [
      policy({ policyTypes: ["Ingress", "Egress", "Ingress"] }),
      'spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (object, told) => {
    expect(complaint(object)).toBe(told);
  });
});

describe("IngressClasses", () => {
  const of = (spec: Fields) => sent("networking.k8s.io/v1", "IngressClass", { spec });
  const controller = "example.com/c";
  const cases: [spec: Fields, told: string][] = [
    [{}, "spec.controller: Required value"],
    [
      { controller: "nginx" },
      'spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      { controller: `e.x/${"a".repeat(250)}` },
      "spec.controller: Too long: may not be more than 250 bytes",
    ],
    [
      { controller, parameters: { kind: "", name: "" } },
      "[spec.parameters.kind: Required value: kind is required, spec.parameters.name: Required value: name is required]",
    ],
    [
      { controller, parameters: { kind: "K", name: "n", namespace: "a" } },
      "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
    ],
    [
      { controller, parameters: { kind: "K", name: "n", scope: "Namespace" } },
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ],
    [
      { controller, parameters: { kind: "K", name: "n", scope: "All" } },
      'spec.parameters.scope: Unsupported value: "All": supported values: "Cluster", "Namespace"',
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (spec, told) => {
    expect(complaint(of(spec))).toBe(told);
  });

  it("keep their controller, of which they are told first", () => {
    expect(changeComplaint(of({ controller: "x" }), of({ controller }))).toBe(
      '[spec.controller: Invalid value: "x": field is immutable, ' +
        'spec.controller: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")]',
    );
  });
});

describe("EndpointSlices", () => {
  const slice = (fields: Fields) => sent("discovery.k8s.io/v1", "EndpointSlice", fields);
  const at = (addressType: string, ...addresses: string[]) =>
    slice({ addressType, endpoints: [{ addresses }] });
  const v4 = { addressType: "IPv4" };
  const cases: [object: ReturnType<typeof slice>, told: string][] = [
    [at("IPv4", "10.0.0.1"), ""],
    [slice({}), "addressType: Required value"],
    [at("IPv4"), "endpoints[0].addresses: Required value: must contain at least 1 address"],
    [
      at("IPv4", "fd00::1"),
      'endpoints[0].addresses[0]: Invalid value: "fd00::1": must be a valid IPv4 address',
    ],
    [
      at("IPv6", "x"),
      '[endpoints[0].addresses[0]: Invalid value: "x": must be a valid IPv6 address, ' +
        'endpoints[0].addresses[0]: Invalid value: "x": must be a valid IP address]',
    ],
    [
      at("IPv4", "127.0.0.1"),
      'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
    [
      at("FQDN", "localhost"),
      'endpoints[0].addresses[0]: Invalid value: "localhost": should be a domain with at least two segments separated by dots',
    ],
    [
      slice({ ...v4, endpoints: Array.from({ length: 1001 }, () => ({ addresses: [] })) }),
      "endpoints: Too many: 1001: must have at most 1000 items",
    ],
    [
      at("IPv4", ...Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`)),
      "endpoints[0].addresses: Too many: 101: must have at most 100 items",
    ],
    [
      slice({ ...v4, endpoints: [{ addresses: ["10.0.0.1"], hostname: "a.b", nodeName: "A" }] }),
      "[endpoints[0].nodeName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), " +
        'endpoints[0].hostname: Invalid value: "a.b": must not contain dots]',
    ],
    [
      slice({
        ...v4,
        endpoints: [
          { addresses: ["10.0.0.1"], hints: { forZones: [{ name: "a" }, { name: "a" }] } },
        ],
      }),
      'endpoints[0].hints.forZones[1].name: Duplicate value: "a"',
    ],
    [
      slice({
        ...v4,
        ports: [{ name: "Http" }, { port: 1, protocol: "ICMP" }, { appProtocol: "a b" }],
      }),
      `[ports[0].name: Invalid value: ${label('"Http"')}, ` +
        'ports[1].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP", ' +
        'ports[2].name: Duplicate value: "", ' +
        "ports[2].appProtocol: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]",
    ],
  ];
  it.each(cases)("are told what is wrong: %j", (object, told) => {
    expect(complaint(object)).toBe(told);
  });

  it("keep their addresses' type", () => {
    expect(changeComplaint(at("IPv6", "fd00::1"), at("IPv4", "10.0.0.1"))).toBe(
      'addressType: Invalid value: "IPv6": field is immutable',
    );
  });

  it("count a change of labels as one of their own", () => {
    const { strategy } = kindOf("discovery.k8s.io/v1", "EndpointSlice");
    const old = strategy.prepareForCreate(at("IPv4", "10.0.0.1"));
    const labels = { a: "b" };
    const next = strategy.prepareForUpdate({ ...old, metadata: { ...old.metadata, labels } }, old);
    expect(next.metadata.generation).toBe(2);
  });
});
