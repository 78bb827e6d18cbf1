/**
 * ServiceAccount: the name by which Pods speak to the API server.
 * Models: pkg/registry/core/serviceaccount/strategy.go @ v1.36
 */
import { age, columns } from "../table.ts";
import type { JsonObject } from "../types.ts";
import { list, same } from "./access.ts";
import { defineKind } from "./define.ts";
import type { Kind, Obj } from "./definition.ts";
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
  onCreate: namedSecrets,
  onUpdate: namedSecrets,
  columns: columns("Name|Age"),
  row: (object, now) => ({ cells: [object.metadata.name, age(object, now)] }),
});

/** Of its Secrets, names alone are kept. */
function namedSecrets(account: Obj): Obj {
  if (account.secrets === undefined) return account;
  const secrets = list(account.secrets).map(
    ({ name }): JsonObject => (name === undefined ? {} : { name }),
  );
  return same(secrets, account.secrets) ? account : { ...account, secrets };
}
