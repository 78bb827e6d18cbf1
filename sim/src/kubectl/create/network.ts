/**
 * kubectl create service, ingress.
 * Models:     kubectl/pkg/cmd/create/create_{service,ingress}.go @ v1.36
 */
import type { JsonObject } from "../../api/types.ts";
import { type Args, flags } from "../args.ts";
import { CommandError } from "../environment.ts";
import { type Generator, made, required } from "./generator.ts";

const TYPES: { readonly [word: string]: string } = {
  clusterip: "ClusterIP",
  nodeport: "NodePort",
  loadbalancer: "LoadBalancer",
  externalname: "ExternalName",
};

/** The first word after `service` is its type. */
export function createServiceOf(word: string): Generator | undefined {
  const type = TYPES[word];
  if (type === undefined) return undefined;
  return {
    flags: flags(
      "tcp:value clusterip:value node-port:value external-name:value",
    ),
    failure: `failed to create ${type} service: `,
    make(name, args) {
      const clusterIP = args.get("clusterip");
      const labels = { app: name };
      const external =
        type === "ExternalName"
          ? { externalName: required(args, "external-name") }
          : {};
      const ports = args.list("tcp").map((text) => portOf(text, args));
      if (
        ports.length === 0 &&
        type !== "ExternalName" &&
        clusterIP !== "None"
      ) {
        throw new CommandError(
          "at least one tcp port specifier must be provided",
        );
      }
      const spec: JsonObject = {
        type,
        selector: labels,
        ...(ports.length > 0 ? { ports } : {}),
        ...(clusterIP ? { clusterIP } : {}),
        ...external,
      };
      const fields = { spec, status: { loadBalancer: {} } };
      return made("v1", "Service", name, fields, labels);
    },
  };
}

/** `80:8080`, `80:http`, `80` */
function portOf(text: string, args: Args): JsonObject {
  const [port = "", target = port] = text.split(":");
  const nodePort = args.int("node-port");
  return {
    name: text.replace(":", "-"),
    port: Number(port),
    protocol: "TCP",
    targetPort: /^\d+$/.test(target) ? Number(target) : target,
    ...(nodePort ? { nodePort } : {}),
  };
}

export const createIngress: Generator = {
  flags: flags("rule:value class:value default-backend:value"),
  failure: "failed to create ingress: ",
  make(name, args) {
    const rules = args.all("rule").map(ruleOf);
    const ingressClassName = args.get("class");
    const fallback = args.get("default-backend");
    if (rules.length === 0 && !fallback) {
      throw new CommandError(
        "not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)",
      );
    }
    const spec = {
      ...(ingressClassName ? { ingressClassName } : {}),
      ...(fallback ? { defaultBackend: backendOf(fallback) } : {}),
      ...(rules.length > 0 ? { rules } : {}),
    };
    const fields = { spec, status: { loadBalancer: {} } };
    return made("networking.k8s.io/v1", "Ingress", name, fields);
  },
};

/** `foo.com/path*=svc:80` */
function ruleOf(text: string): JsonObject {
  const [where = "", service] = (text.split(",")[0] ?? "").split("=");
  if (service === undefined) {
    throw new CommandError(
      `rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`,
    );
  }
  const [host = "", ...rest] = where.split("/");
  const path = `/${rest.join("/")}`;
  const prefix = path.endsWith("*");
  const paths = [
    {
      path: prefix ? path.slice(0, -1) : path,
      pathType: prefix ? "Prefix" : "Exact",
      backend: backendOf(service),
    },
  ];
  return { ...(host ? { host } : {}), http: { paths } };
}

function backendOf(text: string): JsonObject {
  const [name = "", port = ""] = text.split(":");
  const number = /^\d+$/.test(port) ? { number: Number(port) } : { name: port };
  return { service: { name, port: number } };
}
