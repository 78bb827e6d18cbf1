/**
 * kubectl create ingress: rules as `host/path=service:port[,tls[=secret]]`.
 * Models:     kubectl/pkg/cmd/create/create_ingress.go @ v1.36
 */
import type { JsonObject } from "../../api/types.ts";
import { type Args, flags } from "../args.ts";
import { CommandError } from "../environment.ts";
import { type Generator, made } from "./generator.ts";

const RULE = /^[^=/]*(\/[^=]*)?=[^=:]+:[a-z0-9A-Z-]+(,tls(=[a-z0-9A-Z.-]+)?)?$/;

export const createIngress: Generator = {
  flags: flags("rule:value class:value default-backend:value annotation:value"),
  failure: "failed to create ingress: ",
  make(name, args) {
    check(args);
    const texts = args.all("rule");
    const [rules, tls] = [rulesOf(texts), tlsOf(texts)];
    const ingressClassName = args.get("class");
    const fallback = args.get("default-backend");
    const annotations = annotationsOf(args);
    const spec = {
      ...(ingressClassName ? { ingressClassName } : {}),
      ...(fallback ? { defaultBackend: backendOf(fallback) } : {}),
      ...(rules.length > 0 ? { rules } : {}),
      ...(tls.length > 0 ? { tls } : {}),
    };
    const fields = { spec, status: { loadBalancer: {} } };
    const ingress = made("networking.k8s.io/v1", "Ingress", name, fields);
    if (Object.keys(annotations).length === 0) return ingress;
    return { ...ingress, metadata: { ...ingress.metadata, annotations } };
  },
};

function check(args: Args): void {
  const rules = args.all("rule");
  const fallback = args.get("default-backend");
  if (rules.length === 0 && !fallback)
    throw new CommandError(
      "not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)",
    );
  for (const rule of rules)
    if (!RULE.test(rule) || !rule.includes("/"))
      throw new CommandError(
        `rule ${rule} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`,
      );
  for (const text of args.all("annotation"))
    if (!text.includes("="))
      throw new CommandError(
        `annotation ${text} is invalid and should be in format key=[value]`,
      );
  if (fallback && fallback.split(":").length !== 2)
    throw new CommandError(
      "default-backend should be in format servicename:serviceport",
    );
}

function annotationsOf(args: Args): { [key: string]: string } {
  const pairs = args.all("annotation").map((text) => text.split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([key, value]) => [key, value ?? ""]));
}

/** Paths of one host stand in one rule. */
function rulesOf(texts: readonly string[]): JsonObject[] {
  const hosts = new Map<string, JsonObject[]>();
  for (const text of texts) {
    const [host = "", rest = ""] = text.split(",")[0]!.split(/\/(.*)/s);
    hosts.set(host, [...(hosts.get(host) ?? []), pathOf(rest)]);
  }
  return [...hosts].map(([host, paths]) => {
    return { ...(host ? { host } : {}), http: { paths } };
  });
}

function pathOf(text: string): JsonObject {
  const [bare = "", service = ""] = text.split("=");
  const path = `/${bare}`;
  const isPrefix = path.endsWith("*");
  return {
    path: isPrefix ? path.slice(0, -1) : path,
    pathType: isPrefix ? "Prefix" : "Exact",
    backend: backendOf(service),
  };
}

function backendOf(text: string): JsonObject {
  const [name = "", port = ""] = text.split(":");
  const number = /^\d+$/.test(port) ? { number: Number(port) } : { name: port };
  return { service: { name, port: number } };
}

/** Hosts of one secret stand together; each host once. */
function tlsOf(texts: readonly string[]): JsonObject[] {
  const secrets = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const text of texts) {
    const [, tls, ...more] = text.split(",");
    const [host = ""] = text.split("/");
    if (tls === undefined || more.length > 0 || seen.has(host)) continue;
    const [, secret = ""] = tls.split("=");
    if (!secret && !host) continue;
    seen.add(host);
    secrets.set(secret, [...(secrets.get(secret) ?? []), host]);
  }
  return [...secrets].map(([secretName, hosts]) => {
    const named = hosts.filter(Boolean);
    return {
      ...(named.length > 0 ? { hosts: named } : {}),
      ...(secretName ? { secretName } : {}),
    };
  });
}
