/**
 * ServiceAccount controller: every namespace has an account `default`, which
 * Pods use that name no other.
 * Models: pkg/controller/serviceaccount/serviceaccounts_controller.go @ v1.36
 */
import { Namespace } from "../api/kinds/namespace.ts";
import { ServiceAccount } from "../api/kinds/serviceaccount.ts";
import { hasCause, isAlreadyExists } from "../api/status.ts";
import { keyOf } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import { NAMESPACE_TERMINATING } from "./shared/pod-control.ts";

const NAME = "default";

export function startServiceAccountController(
  context: ComponentContext,
): Component {
  const { client, informers } = context;
  const namespaces = informers.informer(Namespace);
  const accounts = informers.informer(ServiceAccount);

  // region: reconcile
  const reconcile = async (namespace: string) => {
    const found = namespaces.get(namespace);
    if (found?.status?.phase !== "Active") return;
    if (accounts.get(`${namespace}/${NAME}`)) return;
    const metadata = { name: NAME, namespace };
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata };
    try {
      await client.create(ServiceAccount, account);
    } catch (error) {
      if (isAlreadyExists(error)) return;
      if (!hasCause(error, NAMESPACE_TERMINATING)) throw error;
    }
  };
  // endregion: reconcile

  const controller = startController(context, { workers: 1, reconcile });
  const enqueue = (namespace: Namespace) =>
    controller.queue.add(keyOf(namespace));
  controller.on(namespaces, { added: enqueue, updated: enqueue });
  controller.on(accounts, {
    deleted({ metadata }) {
      if (metadata.name === NAME) controller.queue.add(metadata.namespace!);
    },
  });
  return controller;
}
