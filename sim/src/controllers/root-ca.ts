/**
 * Root CA publisher: every namespace has a ConfigMap with the certificate of
 * the cluster's authority, so that Pods can tell the API server from others.
 * Models: pkg/controller/certificates/rootcacertpublisher/publisher.go @ v1.36
 */
import { ConfigMap } from "../api/kinds/configmap.ts";
import { Namespace } from "../api/kinds/namespace.ts";
import { hasCause, isAlreadyExists } from "../api/status.ts";
import { keyOf } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";
import { equal } from "./shared/equal.ts";
import { NAMESPACE_TERMINATING } from "./shared/pod-control.ts";

const NAME = "kube-root-ca.crt";
const DESCRIPTION =
  "Contains a CA bundle that can be used to verify the kube-apiserver when " +
  "using internal endpoints such as the internal service IP or " +
  "kubernetes.default.svc. No other usage is guaranteed across " +
  "distributions of Kubernetes clusters.";

/** `rootCa`: the certificate in PEM. */
export function startRootCaPublisher(
  context: ComponentContext,
  rootCa: string,
): Component {
  const { client, informers } = context;
  const namespaces = informers.informer(Namespace);
  const maps = informers.informer(ConfigMap);
  const data = { "ca.crt": rootCa };
  const annotations = { "kubernetes.io/description": DESCRIPTION };

  // region: reconcile
  const reconcile = async (namespace: string) => {
    if (namespaces.get(namespace)?.status?.phase !== "Active") return;
    const metadata = { name: NAME, namespace, annotations };
    const wanted = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
    const found = maps.get(`${namespace}/${NAME}`);
    if (!found) {
      try {
        await client.create(ConfigMap, wanted);
      } catch (error) {
        if (isAlreadyExists(error)) return;
        if (!hasCause(error, NAMESPACE_TERMINATING)) throw error;
      }
      return;
    }
    const text = found.metadata.annotations?.["kubernetes.io/description"];
    if (equal(found.data, data) && text) return;
    const both = { ...found.metadata.annotations, ...annotations };
    const kept = { ...found.metadata, annotations: both };
    await client.update(ConfigMap, { ...found, metadata: kept, data });
  };
  // endregion: reconcile

  const controller = startController(context, { workers: 1, reconcile });
  const enqueue = (namespace: Namespace) =>
    controller.queue.add(keyOf(namespace));
  controller.on(namespaces, { added: enqueue, updated: enqueue });
  const changed = ({ metadata }: ConfigMap) => {
    if (metadata.name === NAME) controller.queue.add(metadata.namespace!);
  };
  controller.on(maps, { updated: changed, deleted: changed });
  return controller;
}
