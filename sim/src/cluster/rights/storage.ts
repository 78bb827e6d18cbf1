/**
 * What the manifest of the example driver brings along: the driver's object,
 * a class that is the default, and an account for each sidecar.
 * Models:     deploy/kubernetes/rbac.yaml of kubernetes-csi/external-
 *             {provisioner,attacher,resizer}
 * Leaves out: the roles for their leader election; snapshots.
 */
import type { JsonObject } from "../../api/types.ts";
import { EXAMPLE_DRIVER } from "../../csi/example-driver.ts";
import { type Installed, rights } from "./rights.ts";

const CLASS: JsonObject = {
  metadata: {
    name: "standard",
    annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
  },
  provisioner: EXAMPLE_DRIVER,
  reclaimPolicy: "Delete",
  volumeBindingMode: "WaitForFirstConsumer",
  allowVolumeExpansion: true,
};

const DRIVER: JsonObject = {
  metadata: { name: EXAMPLE_DRIVER },
  spec: { attachRequired: true, podInfoOnMount: false },
};

export function storageManifest(): Installed[] {
  return [
    ...[...SIDECARS].flatMap(([name, rules]) =>
      rights({
        ...{ namespace: "kube-system", account: `csi-${name}` },
        ...{ role: `external-${name}-runner`, rules },
      }),
    ),
    storage("csidrivers", DRIVER),
    storage("storageclasses", CLASS),
  ];
}

function storage(resource: string, body: JsonObject): Installed {
  return { group: "storage.k8s.io", version: "v1", resource, body };
}

const SIDECARS: ReadonlyMap<string, string> = new Map([
  [
    "provisioner",
    `
  get,list,watch,create,patch,delete - persistentvolumes
  get,list,watch,update - persistentvolumeclaims
  get,list,watch storage.k8s.io storageclasses
  list,watch,create,update,patch - events
  get,list,watch storage.k8s.io csinodes
  get,list,watch - nodes
  get,list,watch storage.k8s.io volumeattachments`,
  ],
  [
    "attacher",
    `
  get,list,watch,patch - persistentvolumes
  get,list,watch storage.k8s.io csinodes
  get,list,watch,patch storage.k8s.io volumeattachments
  patch storage.k8s.io volumeattachments/status`,
  ],
  [
    "resizer",
    `
  get,list,watch,patch - persistentvolumes
  get,list,watch - persistentvolumeclaims
  get,list,watch - pods
  patch - persistentvolumeclaims/status
  list,watch,create,update,patch - events`,
  ],
]);
