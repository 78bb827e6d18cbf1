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
