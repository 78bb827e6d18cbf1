/**
 * NetworkPolicy: who may speak with a Pod.
 * Models: pkg/registry/networking/networkpolicy/strategy.go, pkg/apis/networking/v1/defaults.go @ v1.36
 */

import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { at, list } from "./access.ts";
import { selectorText } from "./cells.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import { policyErrors } from "./networkpolicy-validation.ts";
import type * as types from "./types/network.ts";

export type NetworkPolicy = types.NetworkPolicy;

export const NetworkPolicy: Kind<NetworkPolicy> = defineKind<NetworkPolicy>({
  group: "networking.k8s.io",
  kind: "NetworkPolicy",
  shortNames: ["netpol"],
  generationOf: ["spec"],
  hooks: { NetworkPolicySpec: policyTypes },
  validate: policyErrors,
  updateOrder: ["metaChange", "rules"],
  columns: columns("Name|Pod-Selector|Age"),
  row: (policy, now) => ({
    cells: [
      policy.metadata.name,
      selectorText(at(policy, "spec", "podSelector") ?? {}),
      age(policy, now),
    ],
  }),
});

/** A policy is about ingress, and about egress if it has rules for it. */
function policyTypes(spec: JsonObject): JsonObject {
  if (spec.policyTypes !== undefined) return spec;
  const egress = list(spec.egress).length > 0 ? ["Egress"] : [];
  return { ...spec, policyTypes: ["Ingress", ...egress] };
}
