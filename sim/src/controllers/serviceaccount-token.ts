/**
 * ServiceAccount token controller: fills Secrets that ask for the token of an
 * account, and deletes them when the account goes. Pods do not need it: their
 * tokens come from the kubelet's TokenRequest.
 * Models: pkg/controller/serviceaccount/tokens_controller.go @ v1.36
 */
import { toBase64 } from "../api/base64.ts";
import { Secret } from "../api/kinds/secret.ts";
import { ServiceAccount } from "../api/kinds/serviceaccount.ts";
import type { TokenRequest } from "../api/kinds/types/service.ts";
import { isNotFound } from "../api/status.ts";
import { keyOf, type ObjectKey } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";

const TYPE = "kubernetes.io/service-account-token";
const NAME = "kubernetes.io/service-account.name";
const UID = "kubernetes.io/service-account.uid";

export function startServiceAccountTokenController(
  context: ComponentContext,
  rootCa: string,
): Component {
  const { client, informers } = context;
  const secrets = informers.informer(Secret);
  const accounts = informers.informer(ServiceAccount);

  // region: reconcile
  const reconcile = async (key: ObjectKey) => {
    const secret = secrets.get(key);
    if (secret?.type !== TYPE) return;
    const { namespace = "", name } = secret.metadata;
    const account = secret.metadata.annotations?.[NAME] ?? "";
    const found = accounts.get(`${namespace}/${account}`);
    const uid = secret.metadata.annotations?.[UID];
    if (!found || (uid && uid !== found.metadata.uid)) {
      await client.delete(Secret, namespace, name).catch(unlessNotFound);
      return;
    }
    if (secret.data?.token) return;
    const token = await tokenOf(found, secret);
    const annotations = {
      ...secret.metadata.annotations,
      [UID]: found.metadata.uid ?? "",
    };
    await client.update(Secret, {
      ...secret,
      metadata: { ...secret.metadata, annotations },
      data: {
        ...secret.data,
        "ca.crt": toBase64(rootCa),
        namespace: toBase64(namespace),
        token: toBase64(token),
      },
    });
  };
  // endregion: reconcile

  const tokenOf = async (account: ServiceAccount, secret: Secret) => {
    const { namespace = "", name } = account.metadata;
    const { name: secretName, uid } = secret.metadata;
    const kind = "Secret";
    const boundObjectRef = { apiVersion: "v1", kind, name: secretName, uid };
    const made = await client.createSub<ServiceAccount, TokenRequest>(
      ServiceAccount,
      namespace,
      name,
      "token",
      {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        metadata: {},
        spec: { boundObjectRef },
      },
    );
    return made.status?.token ?? "";
  };

  const controller = startController(context, { workers: 5, reconcile });
  const enqueue = (secret: Secret) => {
    if (secret.type === TYPE) controller.queue.add(keyOf(secret));
  };
  controller.on(secrets, { added: enqueue, updated: enqueue });
  const enqueueOf = ({ metadata }: ServiceAccount) => {
    for (const secret of secrets.list(metadata.namespace)) {
      const { annotations } = secret.metadata;
      if (annotations?.[NAME] === metadata.name) enqueue(secret);
    }
  };
  controller.on(accounts, { added: enqueueOf, deleted: enqueueOf });
  return controller;
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
