/**
 * The account of the cloud-controller-manager, and what it may do.
 * Models: the ClusterRole of kubernetes.io's "Cloud Controller Manager"
 */
import { type Installed, rights } from "./rights.ts";

export function cloudManifest(): Installed[] {
  return rights({
    ...{ namespace: "kube-system", account: "cloud-controller-manager" },
    ...{ role: "system:cloud-controller-manager", rules: RULES },
  });
}

const RULES = `
  create,patch,update - events
  * - nodes
  patch - nodes/status
  list,patch,update,watch - services
  list,patch,update,watch - services/status
  create,get,list,watch - serviceaccounts
  get,list,update,watch - persistentvolumes
  create,get,list,watch,update - endpoints
`;
