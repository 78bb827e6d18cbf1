/**
 * What an administrator applies to a new cluster besides what kubeadm makes:
 * the manifests of the network, the storage and the cloud of the scenario.
 */
import type { Scenario } from "../scenario.ts";
import { cloudManifest } from "./rights/cloud.ts";
import { NETWORKS } from "./rights/networks.ts";
import type { Installed } from "./rights/rights.ts";
import { storageManifest } from "./rights/storage.ts";

export function installedOf(scenario: Scenario): Installed[] {
  const { network = "bridge", storage, cloud } = scenario;
  return [
    ...NETWORKS[network](),
    ...(storage ? storageManifest() : []),
    ...(cloud ? cloudManifest() : []),
  ];
}
