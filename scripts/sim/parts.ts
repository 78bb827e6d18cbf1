/**
 * How the simulator is divided. What the first lesson executes is the core, a
 * control plane, and the parts of FIRST_RULES. All other code is divided by
 * what a run is about. A run fetches a part ahead when its scenario or inputs
 * speak of it (`when`), and any other part at the moment it calls into it:
 * the division costs time at most.
 */
export interface PartRule {
  readonly name: string;
  /** Modules whose code it holds, by path. The first rule that fits holds. */
  readonly modules: RegExp;
  /** What in scenario and inputs calls for it, as JSON text. */
  readonly when?: RegExp;
}

/** What most runs execute besides the core. */
export const FIRST_RULES: readonly PartRule[] = [
  {
    name: "machines",
    modules: new RegExp(
      [
        "^(kubelet|cri|cni|csi|network|networks|kube-proxy|storage)/",
        "^cluster/(node|networks|storage|traffic|logs|metrics)",
        // What the control plane does for machines and the Pods on them alone.
        "^apiserver/(authorization/pod-ref|registry/subresources/binding|admission/node-restriction)",
        "^scheduler/(prioritize|explain|pod-events)",
        "^api/(sha2|kinds/(pod-valid|container-|probe-|security-|volume-valid|scheduling-valid|dns-|node-valid|event-valid|resource-names))",
      ].join("|"),
    ),
    // A control plane without nodes needs none.
    when: /^(?!.*"nodes":0\b)/,
  },
  {
    name: "commands",
    modules: /^kubectl\/|^api\/(yaml|warnings|template-hash)/,
    when: /"do":"(apply|kubectl)"/,
  },
];

/** The first part that a module lies in; undefined: the core. */
export function firstOf(path: string): string | undefined {
  return FIRST_RULES.find(({ modules }) => modules.test(path))?.name;
}

/** What the first lesson does not execute. */
export const PART_RULES: readonly PartRule[] = [
  {
    name: "http",
    modules: /^apiserver\/(http\/|watch-stream)|^api\/(go-json|openapi|table-desc|schema\/desc)/,
  },
  {
    name: "extension",
    modules:
      /^api\/(cel|custom|kinds\/crd)|^apiserver\/(extensions|admission\/(policies|webhooks|matching|conditions))|^(cluster\/)?(webhooks|operators?)/,
    when: /kind: *(CustomResourceDefinition|\w*(Webhook|AdmissionPolicy)\w*)\b/,
  },
  {
    name: "apply",
    modules: /^api\/patch\/apply|^apiserver\/registry\/(apply|managed)/,
    when: /--server-side/,
  },
  {
    name: "batch",
    modules:
      /^(controllers|api\/kinds)\/(cron)?job|^controllers\/(ttl-after|shared\/)|^api\/schema\/batch/,
    when: /kind: *(Cron)?Job\b|\b(create|get|describe|delete) (cron)?jobs?\b/,
  },
  {
    name: "sets",
    modules: /^(controllers|api\/kinds)\/(statefulset|daemonset|controllerrev|replicationc)/,
    when: /kind: *(StatefulSet|DaemonSet|ReplicationController)\b/,
  },
  {
    name: "network",
    modules:
      /^controllers\/endpoint|^kube-proxy|^network\/|^cni\/|service(-|\/|\.ts)|^api\/kinds\/(endpoint|ingress|network)/,
    when: /kind: *(Service|Ingress|NetworkPolicy|Endpoint\w*)\b/,
  },
  { name: "scheduling", modules: /^scheduler\//, when: /[aA]ffinity|topologySpread|tolerations/ },
  { name: "node", modules: /^(kubelet|cri|csi)\//, when: /Probe|initContainers|"do":"stop"/ },
  { name: "kubectl", modules: /^kubectl\//, when: /"do":"kubectl"/ },
  { name: "controllers", modules: /^(controllers|client|cloud)\// },
  // Maps and lists in one line, `{ name: web }`: the first lesson writes none.
  { name: "yaml", modules: /^api\/yaml/, when: /(?:: |- )[{[]/ },
  { name: "api", modules: /^api\// },
  { name: "rest", modules: /./ },
];

export function partOf(path: string): string {
  return PART_RULES.find(({ modules }) => modules.test(path))!.name;
}
