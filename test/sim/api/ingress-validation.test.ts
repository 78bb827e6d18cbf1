import { describe, expect, it } from "vitest";
import { complaint, sent } from "./kinds-support.ts";

const service = { name: "s", port: { number: 80 } };
const ingress = (spec: object) => sent("networking.k8s.io/v1", "Ingress", { spec });
const path = (fields: object) => ({
  rules: [
    { http: { paths: [{ path: "/", pathType: "Prefix", backend: { service }, ...fields }] } },
  ],
});
const at = "spec.rules[0].http.paths[0]";

describe("an Ingress is refused for", () => {
  const rows: readonly (readonly [string, object, string])[] = [
    [
      "nothing to do",
      {},
      "spec: Invalid value: null: either `defaultBackend` or `rules` must be specified",
    ],
    [
      "no type of path",
      path({ pathType: undefined }),
      `${at}.pathType: Required value: pathType must be specified`,
    ],
    [
      "a type of path that is none",
      path({ pathType: "Glob" }),
      `${at}.pathType: Unsupported value: "Glob": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
    ],
    [
      "a relative path",
      path({ path: "a" }),
      `${at}.path: Invalid value: "a": must be an absolute path`,
    ],
    [
      "a path with nothing between",
      path({ path: "/a//b" }),
      `${at}.path: Invalid value: "/a//b": must not contain '//'`,
    ],
    [
      "no backend",
      path({ backend: {} }),
      `${at}.backend: Invalid value: "": resource or service backend is required`,
    ],
    [
      "a Service without port",
      path({ backend: { service: { name: "s" } } }),
      `${at}.backend: Required value: port name or number is required`,
    ],
    [
      "a port by name and number",
      path({ backend: { service: { name: "s", port: { name: "a", number: 1 } } } }),
      `${at}.backend: Invalid value: "": cannot set both port name & port number`,
    ],
    [
      "an address for a host",
      { rules: [{ host: "10.0.0.1" }] },
      'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ],
    ["no paths", { rules: [{ http: { paths: [] } }] }, "spec.rules[0].http.paths: Required value"],
    [
      "a star in the middle",
      { rules: [{ host: "a.*.b" }] },
      "spec.rules[0].host: Invalid value: \"a.*.b\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ];
  for (const [name, spec, expected] of rows) {
    it(name, () => expect(complaint(ingress(spec))).toBe(expected));
  }

  it("two classes", () => {
    const object = ingress({ ...path({}), ingressClassName: "a" });
    const annotations = { "kubernetes.io/ingress.class": "b" };
    const marked = { ...object, metadata: { ...object.metadata, annotations } };
    expect(complaint(marked)).toBe(
      'annotations.kubernetes.io/ingress.class: Invalid value: "b": must match `ingressClassName` when both are specified',
    );
    expect(complaint(object)).toBe("");
  });
});
