import { describe, expect, it } from "vitest";
import {
  duplicate,
  fieldErrorText,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "../../../sim/src/api/field-error.ts";
import { goJson, goSortedJson, goValue, quote } from "../../../sim/src/api/go-text.ts";
import { atoi, scaledValue } from "../../../sim/src/api/intstr.ts";
import {
  configMapKey,
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  envVarName,
  labelKey,
  labelValue,
  pathSegmentName,
  portName,
  portNumber,
} from "../../../sim/src/api/names.ts";
import * as status from "../../../sim/src/api/status.ts";

const pods = { group: "", resource: "pods" };
const deployments = { group: "apps", resource: "deployments" };

describe("status errors", () => {
  it("say what upstream says", () => {
    expect(status.notFound(deployments, "nope").status).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'deployments.apps "nope" not found',
      reason: "NotFound",
      details: { name: "nope", group: "apps", kind: "deployments" },
      code: 404,
    });
    expect(status.alreadyExists(pods, "a").message).toBe('pods "a" already exists');
    expect(status.staleVersion(deployments, "web").message).toBe(
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    );
    expect(status.forbidden(pods, "", "no").message).toBe("pods is forbidden: no");
    expect(status.tooLargeResourceVersion(9, 3).status.details?.retryAfterSeconds).toBe(1);
    expect(status.methodNotSupported(pods, "patch").message).toBe(
      'patch is not supported on resources of kind "pods"',
    );
    expect(status.unsupportedMediaType().code).toBe(415);
    expect(status.timeout("x").message).toBe("Timeout: x");
  });

  it("carry the causes of an invalid object", () => {
    const errors = [required("spec.a"), duplicate("spec.b[1]", "x")];
    const error = status.invalidObject({ group: "apps", kind: "Deployment" }, "web", errors);
    expect(error.message).toBe(
      'Deployment.apps "web" is invalid: [spec.a: Required value, spec.b[1]: Duplicate value: "x"]',
    );
    expect(error.status.details?.causes?.[1]).toEqual({
      reason: "FieldValueDuplicate",
      message: 'Duplicate value: "x"',
      field: "spec.b[1]",
    });
  });

  it("are told apart by reason", () => {
    expect(status.isNotFound(status.notFound(pods, "a"))).toBe(true);
    expect(status.isConflict(status.staleVersion(pods, "a"))).toBe(true);
    expect(status.isGone(status.expired("old"))).toBe(true);
    expect(status.isNotFound(new Error("not found"))).toBe(false);
    expect(status.isInvalid(status.badRequest("x"))).toBe(false);
    const cause = { reason: "NamespaceTerminating" };
    expect(status.hasCause(status.forbidden(pods, "a", "b", [cause]), "NamespaceTerminating")).toBe(
      true,
    );
  });
});

describe("field errors", () => {
  it("show the value as Go does", () => {
    expect(fieldErrorText(invalid("a", { x: "<" }, "no"))).toBe(
      'a: Invalid value: {"x":"\\u003c"}: no',
    );
    expect(fieldErrorText(notSupported("a", "x", ["b", "c"]))).toBe(
      'a: Unsupported value: "x": supported values: "b", "c"',
    );
    expect(fieldErrorText(tooLong("a", 63))).toBe("a: Too long: may not be more than 63 bytes");
    expect(fieldErrorText(tooMany("a", 2, 1))).toBe("a: Too many: 2: must have at most 1 item");
  });

  it("quote, print and encode like fmt and encoding/json", () => {
    expect(quote('a"b\\\n\u0001é')).toBe('"a\\"b\\\\\\n\\x01é"');
    expect(goValue({ b: [1, "x"], a: null })).toBe("map[a:<nil> b:[1 x]]");
    expect(goJson("a&b")).toBe('"a\\u0026b"');
    expect(goSortedJson({ b: { d: 1, c: 2 }, a: [] })).toBe('{"a":[],"b":{"c":2,"d":1}}');
  });
});

describe("names", () => {
  it("are let through when they are valid", () => {
    for (const name of ["a", "web-1", "a.b", "x1"]) expect(dns1123Subdomain(name)).toEqual([]);
    expect(labelKey("example.com/My_Name")).toEqual([]);
    expect(labelValue("")).toEqual([]);
    expect([
      ...portName("http-1"),
      ...portNumber(80),
      ...configMapKey("a.b_c"),
      ...envVarName("A B"),
    ]).toEqual([]);
  });

  it("are refused in upstream's words", () => {
    expect(dns1123Label("a.b")).toEqual(["must not contain dots"]);
    expect(dns1123Label("A")[0]).toMatch(/^a lowercase RFC 1123 label must consist of/);
    expect(dns1035Label("1a")[0]).toMatch(/^a DNS-1035 label must consist of/);
    expect(dns1123Label("a".repeat(64))).toEqual(["must be no more than 63 bytes"]);
    expect(labelValue("é".repeat(40))[0]).toBe("must be no more than 63 bytes");
    expect(labelKey("/x")[0]).toBe("prefix part must be non-empty");
    expect(labelKey("a/")).toHaveLength(2);
    expect(portName("-")).toContain("must contain at least one letter (a-z)");
    expect(pathSegmentName("a/b%")).toEqual(["may not contain '/'", "may not contain '%'"]);
    expect(configMapKey("..a")).toEqual(["must not start with '..'"]);
    expect(portNumber(0)).toEqual(["must be between 1 and 65535, inclusive"]);
  });
});

describe("numbers or percentages", () => {
  it("read whole numbers as Go does", () => {
    expect(atoi("+7")).toBe(7);
    expect(() => atoi("99999999999999999999")).toThrow("value out of range");
    expect(() => scaledValue(undefined, 1, true)).toThrow("nil value for IntOrString");
    expect(scaledValue("-50%", 3, true)).toBe(-1);
  });
});
