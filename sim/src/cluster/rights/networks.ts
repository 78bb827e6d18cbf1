/**
 * What the manifest of each Pod network brings along besides its agent.
 * Models:     kube-flannel.yml @ v0.28, calico.yaml @ v3.31, cilium's
 *             cilium-agent clusterrole @ v1.18
 * Leaves out: the DaemonSets and ConfigMaps; calico-kube-controllers,
 *             cilium-operator; kinds that the simulator does not have.
 */
import { IPAM_BLOCKS } from "../../networks/calico/blocks.ts";
import type { Scenario } from "../../scenario.ts";
import { core, type Installed, rights } from "./rights.ts";

type Network = NonNullable<Scenario["network"]>;

const PRIVILEGED = {
  "k8s-app": "flannel",
  "pod-security.kubernetes.io/enforce": "privileged",
};

export const NETWORKS: Readonly<Record<Network, () => Installed[]>> = {
  bridge: () => [],
  flannel: () => [
    core("namespaces", {
      metadata: { name: "kube-flannel", labels: PRIVILEGED },
    }),
    ...rights({
      ...{ namespace: "kube-flannel", account: "flannel", role: "flannel" },
      rules: FLANNEL,
    }),
  ],
  calico: () => [
    {
      group: "apiextensions.k8s.io",
      ...{ version: "v1", resource: "customresourcedefinitions" },
      body: IPAM_BLOCKS,
    },
    ...rights({
      ...{ namespace: "kube-system", account: "calico-node" },
      ...{ role: "calico-node", rules: CALICO },
    }),
  ],
  cilium: () =>
    rights({
      ...{ namespace: "kube-system", account: "cilium", role: "cilium" },
      rules: CILIUM,
    }),
};

const FLANNEL = `
  get - pods
  get,list,watch - nodes
  patch - nodes/status
`;

const CALICO = `
  get - pods,nodes,namespaces
  watch,list discovery.k8s.io endpointslices
  watch,list,get - endpoints,services
  get - configmaps
  patch,update - nodes/status
  watch,list networking.k8s.io networkpolicies
  list,watch - pods,namespaces,serviceaccounts
  patch - pods/status
  get,list,watch - nodes
  get,list,watch crd.projectcalico.org ipamblocks
  get,list,create,update,delete crd.projectcalico.org blockaffinities,ipamblocks,ipamhandles
  get crd.projectcalico.org ipamconfigs
  watch crd.projectcalico.org blockaffinities
  get apps daemonsets
`;

const CILIUM = `
  get,list,watch networking.k8s.io networkpolicies
  get,list,watch discovery.k8s.io endpointslices
  get,list,watch - namespaces,services,pods,endpoints,nodes
  list,watch,get apiextensions.k8s.io customresourcedefinitions
`;
