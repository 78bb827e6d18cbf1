/**
 * Ingress: which host and path leads to which Service.
 * Models: pkg/registry/networking/ingress/strategy.go @ v1.36
 */
import { type FieldError, invalid, required } from "../field-error.ts";
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, list, obj, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
import { loadBalancerAddresses } from "./service.ts";
import type * as types from "./types/network.ts";

export type Ingress = types.Ingress;

export const Ingress: Kind<Ingress> = defineKind<Ingress>({
  group: "networking.k8s.io",
  kind: "Ingress",
  shortNames: ["ing"],
  emptyStatus: { loadBalancer: {} },
  generationOf: ["spec"],
  columns: columns("Name|Class|Hosts|Address|Ports|Age"),
  row: (ingress, now) => {
    const spec = obj(ingress.spec);
    return {
      cells: [
        ingress.metadata.name,
        spec.ingressClassName === undefined
          ? "<none>"
          : str(spec.ingressClassName),
        hostsText(list(spec.rules)),
        loadBalancerAddresses(at(ingress, "status", "loadBalancer")).join(","),
        list(spec.tls).length > 0 ? "80, 443" : "80",
        age(ingress, now),
      ],
    };
  },
  validate,
});

function hostsText(rules: readonly JsonObject[]): string {
  const hosts: string[] = [];
  for (const [i, rule] of rules.entries()) {
    // A third host closes the list: what follows is only counted.
    if (hosts.length === 3)
      return `${hosts.join(",")} + ${rules.length - 3} more...`;
    if (rule.host) hosts.push(str(rules[i]?.host));
  }
  return hosts.join(",") || "*";
}

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

function validate(ingress: Obj): FieldError[] {
  const spec = obj(ingress.spec);
  const errors: FieldError[] = [];
  if (list(spec.rules).length === 0 && spec.defaultBackend === undefined) {
    const rule = "either `defaultBackend` or `rules` must be specified";
    errors.push(invalid("spec", ingress.spec, rule));
  }
  for (const [i, rule] of list(spec.rules).entries()) {
    for (const [j, path] of list(at(rule, "http", "paths")).entries()) {
      const where = `spec.rules[${i}].http.paths[${j}]`;
      const type = str(path.pathType);
      if (path.pathType === undefined) {
        errors.push(
          required(`${where}.pathType`, "pathType must be specified"),
        );
      } else if (!pathTypes.includes(type)) {
        errors.push(
          invalid(
            `${where}.pathType`,
            type,
            `must be one of ${pathTypes.join(", ")}`,
          ),
        );
      } else if (
        type !== "ImplementationSpecific" &&
        !str(path.path).startsWith("/")
      ) {
        errors.push(
          invalid(`${where}.path`, str(path.path), "must be an absolute path"),
        );
      }
    }
  }
  return errors;
}
