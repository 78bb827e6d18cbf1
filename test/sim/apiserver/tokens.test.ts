/** Tokens of ServiceAccounts that are asked for, and what they are bound to. */
import { describe, expect, it } from "vitest";
import type { JsonObject, KubeObject } from "../../../sim/src/api/types.ts";
import { fromBase64Url } from "../../../sim/src/apiserver/base64.ts";
import { account, messageOf, newServer, pod } from "./server.ts";

type Granted = { body: { status: { token: string } } };

function tokens() {
  const bench = newServer();
  account(bench);
  const { ask } = bench;
  const request = (spec: object, metadata: object = {}) => {
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata, spec };
    const where = { resource: "serviceaccounts", name: "default", subresource: "token" } as const;
    return ask({ verb: "create", ...where, body });
  };
  const claims = (spec: object) => {
    const { body } = request(spec) as unknown as Granted;
    const [, payload = ""] = body.status.token.split(".");
    return JSON.parse(fromBase64Url(payload)) as JsonObject & { exp: number; iat: number };
  };
  const make = (resource: string, body: object, namespace = "default") =>
    ask({ verb: "create", resource, namespace, body }).body as KubeObject;
  return { ...bench, request, claims, make };
}

const ref = (kind: string, name: string, more: object = {}) => ({
  boundObjectRef: { apiVersion: "v1", kind, name, ...more },
});

describe("a token", () => {
  it("is bound to a Pod and its node, a Secret or a Node", () => {
    const { make, claims } = tokens();
    const node = make("nodes", { metadata: { name: "n1" } }, "").metadata.uid;
    const { uid } = make("pods", pod("p", {}, { nodeName: "n1" })).metadata;
    const secret = make("secrets", { metadata: { name: "s" } }).metadata.uid;
    const bound = (kind: string, name: string) => claims(ref(kind, name))["kubernetes.io"];
    expect(bound("Pod", "p")).toMatchObject({
      pod: { name: "p", uid },
      node: { name: "n1", uid: node },
    });
    expect(bound("Secret", "s")).toMatchObject({ secret: { name: "s", uid: secret } });
    expect(bound("Node", "n1")).toMatchObject({ node: { name: "n1", uid: node } });
  });

  it("is bound to nothing else, nor to what is not there or not the same", () => {
    const { make, request } = tokens();
    const refused = (spec: object) => messageOf(request(spec));
    expect(refused(ref("ConfigMap", "c"))).toBe(
      "cannot bind token to object of type /v1, Kind=ConfigMap",
    );
    expect(refused({ boundObjectRef: { apiVersion: "apps/v1", kind: "Pod", name: "p" } })).toBe(
      "cannot bind token to object of type apps/v1, Kind=Pod",
    );
    expect(refused(ref("Secret", "s"))).toBe('secrets "s" not found');
    make("secrets", { metadata: { name: "s" } });
    const { code, body } = request(ref("Secret", "s", { uid: "u" }));
    expect([code, (body as { message: string }).message]).toEqual([
      409,
      'Operation cannot be fulfilled on Secret "s": the UID in the bound object reference (u) does not match the UID in record. The object might have been deleted and then recreated',
    ]);
    make("serviceaccounts", { metadata: { name: "robot" } });
    make("pods", pod("p", {}, { serviceAccountName: "robot" }));
    expect(refused(ref("Pod", "p"))).toBe(
      'cannot bind token for serviceaccount "default" to pod running with different serviceaccount name.',
    );
  });

  it("ends with what it is bound to", () => {
    const { ask, make, request } = tokens();
    make("secrets", { metadata: { name: "s" } });
    const { body } = request(ref("Secret", "s")) as unknown as Granted;
    const credentials = { token: body.status.token };
    const look = () => ask({ verb: "list", resource: "secrets", credentials }).code;
    expect(look()).toBe(403);
    ask({ verb: "delete", resource: "secrets", name: "s" });
    expect(look()).toBe(401);
  });

  it("says whose it is, or nothing", () => {
    const { request } = tokens();
    const refused = (metadata: object) => messageOf(request({}, metadata));
    expect(refused({ name: "other" })).toBe(
      'TokenRequest.authentication.k8s.io "default" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    );
    expect(refused({ uid: "u" })).toMatch(
      /^Operation cannot be fulfilled on TokenRequest\.authentication\.k8s\.io "default": the UID in the token request \(u\) does not match the UID of the service account \(.+\)$/,
    );
    expect(request({}, { name: "default", namespace: "default" }).code).toBe(201);
  });

  it("lives as long as it is asked for; that of a Pod for a year, to be told of", () => {
    const { make, request, claims } = tokens();
    expect(messageOf(request({ expirationSeconds: 599 }))).toBe(
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    );
    make("pods", pod("p"));
    const life = (spec: object) => {
      const { exp, iat } = claims({ expirationSeconds: 3607, ...spec });
      return exp - iat;
    };
    expect(life({})).toBe(3607);
    expect(life({ ...ref("Pod", "p"), audiences: ["vault"] })).toBe(3607);
    expect(life(ref("Pod", "p"))).toBe(365 * 24 * 3600);
    const { iat, ...said } = claims({ expirationSeconds: 3607, ...ref("Pod", "p") });
    expect(said["kubernetes.io"]).toMatchObject({ warnafter: iat + 3607 });
  });
});
