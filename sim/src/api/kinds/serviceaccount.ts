/**
 * ServiceAccount: the name by which Pods speak to the API server.
 * Models: pkg/registry/core/serviceaccount/strategy.go @ v1.36
 */
import { age, columns } from "../table.ts";
import { defineKind } from "./define.ts";
import type { Kind } from "./definition.ts";
import type * as types from "./types/core.ts";

export type ServiceAccount = types.ServiceAccount;

export const ServiceAccount: Kind<ServiceAccount> = defineKind<ServiceAccount>({
  kind: "ServiceAccount",
  shortNames: ["sa"],
  subresources: [
    {
      name: "token",
      verbs: ["create"],
      kind: "TokenRequest",
      group: "authentication.k8s.io",
      version: "v1",
    },
  ],
  updateOrder: ["metaChange", "meta"],
  columns: columns("Name|Age"),
  row: (object, now) => ({ cells: [object.metadata.name, age(object, now)] }),
});
