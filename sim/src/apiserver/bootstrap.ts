/**
 * What an API server makes by itself when it starts: the first namespaces,
 * the priority classes of the system, the roles of RBAC, its own Service.
 * Models: pkg/controlplane/controller/{systemnamespaces,kubernetesservice},
 *         pkg/registry/{scheduling,rbac}/rest @ v1.36
 */

import { obj, str } from "../api/kinds/access.ts";
import { isAlreadyExists } from "../api/status.ts";
import type { ApiRequest } from "../api/transport.ts";
import type { JsonObject } from "../api/types.ts";
import { LOOPBACK } from "./authentication/user.ts";
import { bootstrapRoles } from "./authorization/bootstrap.ts";
import { newContext } from "./context.ts";
import { andThen, type MaybePromise, rescue } from "./maybe.ts";
import { firstAddress } from "./registry/service/ip-allocator.ts";
import type { ApiServer } from "./server.ts";

const RBAC = "rbac.authorization.k8s.io";
const MANAGED = { fieldManager: "kube-apiserver-v" };
const NAMESPACES = ["kube-system", "kube-public", "kube-node-lease", "default"];

const PRIORITY_CLASSES: readonly JsonObject[] = [
  {
    metadata: { name: "system-node-critical" },
    value: 2000001000,
    description:
      "Used for system critical pods that must not be moved from their current node.",
  },
  {
    metadata: { name: "system-cluster-critical" },
    value: 2000000000,
    description:
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  },
];

export interface BootstrapOptions {
  /** Port on which the API server listens. */
  readonly securePort?: number;
}

/** Makes what is not there yet. To be called once, before any client. */
export function bootstrap(
  server: ApiServer,
  { securePort = 6443 }: BootstrapOptions = {},
): MaybePromise<void> {
  const steps: (() => MaybePromise<void>)[] = [
    ...NAMESPACES.map(
      (name) => () => make(server, "", "namespaces", { metadata: { name } }),
    ),
    ...PRIORITY_CLASSES.map(
      (one) => () => make(server, "scheduling.k8s.io", "priorityclasses", one),
    ),
    ...bootstrapRoles().map(
      ({ resource, object }) =>
        () =>
          make(server, RBAC, resource, object),
    ),
    () => make(server, "", "services", kubernetesService(server, securePort)),
  ];
  const next = (i: number): MaybePromise<void> =>
    i < steps.length ? andThen(steps[i]!(), () => next(i + 1)) : undefined;
  return next(0);
}

function kubernetesService(server: ApiServer, targetPort: number): JsonObject {
  return {
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { provider: "kubernetes", component: "apiserver" },
    },
    spec: {
      type: "ClusterIP",
      clusterIP: firstAddress(server.serviceCidr),
      ipFamilyPolicy: "SingleStack",
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort }],
      sessionAffinity: "None",
    },
  };
}

/** Creates an object as the server's own user; that it exists is fine. */
function make(
  server: ApiServer,
  group: string,
  resource: string,
  body: JsonObject,
): MaybePromise<void> {
  const { namespace, name } = obj(body.metadata);
  const inNamespace = str(namespace) || undefined;
  const request: ApiRequest = {
    verb: "create",
    group,
    version: "v1",
    resource,
    namespace: inNamespace,
    body,
    userAgent: "kube-apiserver-v1.36.2",
    // Who set the fields of the many roles is not recorded: it costs time.
    ...(group === RBAC ? {} : { options: MANAGED }),
  };
  const served = server.resourceOf(group, "v1", resource);
  if (!served) return;
  const isThere = () => served.storage!.get(str(namespace), str(name));
  if (isThere()) return;
  const ctx = newContext(server, request, served, LOOPBACK);
  const made = rescue<unknown>(
    () => server.runFrom(ctx, "decoding and defaulting"),
    (error) => {
      // Another server may have been faster.
      if (!isAlreadyExists(error) && !isThere()) throw error;
    },
  );
  return andThen(made, () => {});
}
