/**
 * Ingress: which host and path leads to which Service.
 * Models: pkg/registry/networking/ingress/strategy.go @ v1.36
 */
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, list, obj, str } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import { ingressErrors, newIngressErrors } from "./ingress-validation.ts";
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
  validate: ingressErrors,
  validateNew: newIngressErrors,
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
