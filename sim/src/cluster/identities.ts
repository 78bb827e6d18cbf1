/**
 * Who the parts of the cluster are to the API server: subjects of client
 * certificates, as kubeadm makes them.
 * Models:     cmd/kubeadm/app/phases/certs @ v1.36
 */
import type { Credentials } from "../api/transport.ts";

/** Group that kubeadm binds to the role cluster-admin. */
export const CLUSTER_ADMINS = "kubeadm:cluster-admins";

/** The reader at the keyboard. */
export const ADMIN = certificate("kubernetes-admin", [CLUSTER_ADMINS]);
/** May do everything, whatever the rules say: for the cluster's own set-up. */
export const MASTER = certificate("kubernetes-super-admin", ["system:masters"]);
const CONTROLLER_MANAGER = certificate("system:kube-controller-manager", []);
export const PROXY = certificate("system:kube-proxy", ["system:node-proxier"]);
export const SCHEDULER = certificate("system:kube-scheduler", []);

/** ServiceAccounts of controllers that are called otherwise in the trace. */
const ACCOUNTS: { readonly [actor: string]: string } = {
  "csrapproving-controller": "certificate-controller",
  "csrcleaner-controller": "certificate-controller",
  "csrsigning-controller": "certificate-controller",
  "daemonset-controller": "daemon-set-controller",
  "node-ipam-controller": "node-controller",
  "persistentvolume-controller": "persistent-volume-binder",
  "replicationcontroller-controller": "replication-controller",
  "garbage-collector": "generic-garbage-collector",
  "endpoints-controller": "endpoint-controller",
  "endpointslice-mirroring-controller": "endpointslicemirroring-controller",
  "node-lifecycle-controller": "node-controller",
  "taint-eviction-controller": "node-controller",
  "root-ca-publisher": "root-ca-cert-publisher",
  "serviceaccount-controller": "service-account-controller",
};

/** Each controller acts as its own ServiceAccount; the process as itself. */
export function controllerIdentity(actor: string): Credentials {
  const ofTheManager = /^(kube-controller-manager|serviceaccount-token)/;
  if (ofTheManager.test(actor)) return CONTROLLER_MANAGER;
  const name = ACCOUNTS[actor] ?? actor;
  return accountIdentity("kube-system", name);
}

/** A ServiceAccount, by Namespace and name: `kube-flannel`, `flannel`. */
export function accountIdentity(namespace: string, name: string): Credentials {
  return certificate(`system:serviceaccount:${namespace}:${name}`, [
    "system:serviceaccounts",
    `system:serviceaccounts:${namespace}`,
  ]);
}

export function nodeIdentity(node: string): Credentials {
  return certificate(`system:node:${node}`, ["system:nodes"]);
}

function certificate(
  commonName: string,
  organizations: readonly string[],
): Credentials {
  return Object.freeze({ certificate: { commonName, organizations } });
}
