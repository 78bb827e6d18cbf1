/**
 * Objects that a new cluster has before anybody asks: the namespaces, the
 * priority classes, the Service of the API server itself.
 * Models:     pkg/controlplane/controller/{systemnamespaces,
 *             kubernetesservice}, pkg/apis/scheduling/v1/helpers.go @ v1.36
 */
import { Namespace } from "../api/kinds/namespace.ts";
import { PriorityClass } from "../api/kinds/priorityclass.ts";
import type { ResourceRef } from "../api/resource.ts";
import type { KubeObject } from "../api/types.ts";
import type { ApiServer } from "../apiserver/server.ts";
import { ADMIN } from "./identities.ts";

const NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];
const PRIORITIES = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

/** Creates them at time 0, without latency: the cluster is not new. */
export function bootstrap(server: ApiServer): void {
  for (const name of NAMESPACES) {
    create(server, Namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name },
    });
  }
  for (const [name, value] of Object.entries(PRIORITIES)) {
    create(server, PriorityClass, {
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name },
      value,
    } as KubeObject);
  }
}

function create(server: ApiServer, ref: ResourceRef, body: KubeObject): void {
  const { group, version, resource } = ref;
  void server.execute({
    verb: "create",
    group,
    version,
    resource,
    body,
    credentials: ADMIN,
  });
}
