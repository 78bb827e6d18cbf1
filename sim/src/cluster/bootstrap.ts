/**
 * What the API server makes by itself when it starts, what kubeadm adds (the
 * bindings that make its administrators administrators, and let its nodes
 * renew their certificates), and what the administrators then install.
 * Models:     cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go @ v1.36
 */
import { obj, str } from "../api/kinds/access.ts";
import type { ApiResponse } from "../api/transport.ts";
import { bootstrap as bootstrapServer } from "../apiserver/bootstrap.ts";
import { andThen, type MaybePromise } from "../apiserver/maybe.ts";
import type { ApiServer } from "../apiserver/server.ts";
import { ADMIN, CLUSTER_ADMINS, MASTER } from "./identities.ts";
import type { Installed } from "./rights/rights.ts";

const RBAC = "rbac.authorization.k8s.io";

/** Untold where etcd answers at once: the cluster is not new to the reader. */
export function bootstrap(
  server: ApiServer,
  installed: readonly Installed[],
): MaybePromise<unknown> {
  let done: MaybePromise<unknown>;
  const install = (i: number): MaybePromise<unknown> =>
    i < installed.length
      ? andThen(apply(server, installed[i]!), () => install(i + 1))
      : undefined;
  server.kernel.trace.untold(() => {
    done = andThen(bootstrapServer(server), () =>
      andThen(bind(server, ADMINS), () =>
        andThen(bind(server, ROTATION), () => install(0)),
      ),
    );
  });
  return done;
}

/** As `kubectl apply -f` of a provider's manifest. */
function apply(
  server: ApiServer,
  { group, version, resource, body }: Installed,
): MaybePromise<ApiResponse> {
  const namespace = str(obj(body.metadata).namespace) || undefined;
  return server.execute({
    verb: "create",
    ...{ group, version, resource, namespace, body },
    credentials: ADMIN,
  });
}

interface Binding {
  readonly name: string;
  readonly role: string;
  readonly group: string;
}

const ADMINS: Binding = {
  name: CLUSTER_ADMINS,
  role: "cluster-admin",
  group: CLUSTER_ADMINS,
};
/** A kubelet that has a certificate gets the next one unasked. */
const ROTATION: Binding = {
  name: "kubeadm:node-autoapprove-certificate-rotation",
  role: "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
  group: "system:nodes",
};

function bind(
  server: ApiServer,
  { name, role, group }: Binding,
): MaybePromise<ApiResponse> {
  return server.execute({
    verb: "create",
    group: RBAC,
    version: "v1",
    resource: "clusterrolebindings",
    credentials: MASTER,
    body: {
      apiVersion: `${RBAC}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: role },
      subjects: [{ apiGroup: RBAC, kind: "Group", name: group }],
    },
  });
}
