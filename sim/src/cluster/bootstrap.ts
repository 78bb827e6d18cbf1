/**
 * What the API server makes by itself when it starts, and what kubeadm adds:
 * the binding that makes its administrators administrators.
 * Models:     cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go @ v1.36
 */
import { bootstrap as bootstrapServer } from "../apiserver/bootstrap.ts";
import type { ApiServer } from "../apiserver/server.ts";
import { CLUSTER_ADMINS, MASTER } from "./identities.ts";

const RBAC = "rbac.authorization.k8s.io";

/** Before time 0, without latency and untold: the cluster is not new. */
export function bootstrap(server: ApiServer): void {
  server.kernel.trace.untold(() => {
    void bootstrapServer(server);
    void server.execute({
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
  });
}
