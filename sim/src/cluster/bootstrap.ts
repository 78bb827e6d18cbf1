/**
 * What the API server makes by itself when it starts, and what kubeadm adds:
 * the binding that makes its administrators administrators.
 * Models:     cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go @ v1.36
 */
import type { ApiResponse } from "../api/transport.ts";
import { bootstrap as bootstrapServer } from "../apiserver/bootstrap.ts";
import { andThen, type MaybePromise } from "../apiserver/maybe.ts";
import type { ApiServer } from "../apiserver/server.ts";
import { CLUSTER_ADMINS, MASTER } from "./identities.ts";

const RBAC = "rbac.authorization.k8s.io";

/** Untold where etcd answers at once: the cluster is not new to the reader. */
export function bootstrap(server: ApiServer): MaybePromise<unknown> {
  let done: MaybePromise<unknown>;
  server.kernel.trace.untold(() => {
    done = andThen(bootstrapServer(server), () => bindAdmins(server));
  });
  return done;
}

function bindAdmins(server: ApiServer): MaybePromise<ApiResponse> {
  return server.execute({
    verb: "create",
    group: RBAC,
    version: "v1",
    resource: "clusterrolebindings",
    credentials: MASTER,
    body: {
      apiVersion: `${RBAC}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: CLUSTER_ADMINS },
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: RBAC, kind: "Group", name: CLUSTER_ADMINS }],
    },
  });
}
