/**
 * Which labels a kubelet may give its own Node: those that do not look like
 * Kubernetes' own, and of those only what describes the machine.
 * Models: staging/src/k8s.io/kubelet/pkg/apis/well_known_labels.go,
 *         plugin/pkg/admission/noderestriction/admission.go @ v1.36
 */

const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
]);
const RESERVED = "node-restriction.kubernetes.io";
const KUBELETS = ["kubelet.kubernetes.io", "node.kubernetes.io"];

/** True for a label that only somebody else may set: `node-role…`. */
export function isForbiddenToKubelet(label: string): boolean {
  const slash = label.indexOf("/");
  if (slash < 0) return false;
  const space = label.slice(0, slash);
  if (isIn(space, RESERVED)) return true;
  if (!isIn(space, "kubernetes.io") && !isIn(space, "k8s.io")) return false;
  if (OF_THE_MACHINE.has(label)) return false;
  return !KUBELETS.some((own) => isIn(space, own));
}

/** The domain itself, or one below it. */
function isIn(space: string, domain: string): boolean {
  return space === domain || space.endsWith(`.${domain}`);
}
