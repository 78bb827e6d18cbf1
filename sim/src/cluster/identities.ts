/**
 * Who the parts of the cluster are to the API server: subjects of client
 * certificates, as kubeadm makes them.
 * Models:     cmd/kubeadm/app/phases/certs @ v1.36
 */
import type { Credentials } from "../api/transport.ts";

/** The reader at the keyboard. */
export const ADMIN = certificate("kubernetes-admin", [
  "kubeadm:cluster-admins",
  "system:masters",
]);
export const CONTROLLER_MANAGER = certificate(
  "system:kube-controller-manager",
  ["system:masters"],
);
export const SCHEDULER = certificate("system:kube-scheduler", [
  "system:masters",
]);

export function nodeIdentity(node: string): Credentials {
  return certificate(`system:node:${node}`, ["system:nodes", "system:masters"]);
}

function certificate(
  commonName: string,
  organizations: readonly string[],
): Credentials {
  return Object.freeze({ certificate: { commonName, organizations } });
}
