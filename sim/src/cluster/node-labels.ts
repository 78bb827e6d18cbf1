/**
 * Labels of a Node that its kubelet may not set, such as the roles of
 * `kubectl get nodes`: kubeadm, or an administrator, adds them once the Node
 * is there.
 * Models:     cmd/kubeadm/app/phases/markcontrolplane @ v1.36
 */
import { isForbiddenToKubelet } from "../api/helpers/node-labels.ts";
import { Node } from "../api/kinds/node.ts";
import { isNotFound } from "../api/status.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { ADMIN } from "./identities.ts";
import type { NodeSetup } from "./node.ts";
import type { ProcessOptions } from "./process.ts";

/** No answer came, or another than was hoped for. */
const RETRY_MS = 1000;

type Labels = Readonly<Record<string, string>>;
type Part = Omit<ProcessOptions, "kernel" | "connect">;

/** Those that the kubelet registers with, and those left for others. */
export function splitLabels(labels: Labels = {}): {
  own: Labels;
  others: Labels;
} {
  const own: Record<string, string> = {};
  const others: Record<string, string> = {};
  for (const [name, value] of Object.entries(labels)) {
    (isForbiddenToKubelet(name) ? others : own)[name] = value;
  }
  return { own, others };
}

/** Who labels the node, if there is anything to add. */
export function labeller({ name, labels }: NodeSetup): Part | undefined {
  const { others } = splitLabels(labels);
  if (Object.keys(others).length === 0) return undefined;
  return {
    actor: `kubeadm/${name}`,
    credentials: () => ADMIN,
    start: (contextFor) => startLabeller(contextFor(), name, others),
  };
}

function startLabeller(
  { kernel, actor, client, informers }: ComponentContext,
  name: string,
  labels: Labels,
): Component {
  const fieldSelector = `metadata.name=${name}`;
  const type = "application/merge-patch+json";
  const attempt = async () => {
    try {
      await client.patch(Node, "", name, type, { metadata: { labels } });
    } catch (error) {
      if (isNotFound(error)) return;
      kernel.after(RETRY_MS, () => void kernel.spawn(actor, attempt));
    }
  };
  const label = ({ metadata }: Node) => {
    const has = metadata.labels ?? {};
    if (Object.keys(labels).every((key) => key in has)) return;
    kernel.spawn(actor, attempt);
  };
  const nodes = informers.informer(Node, { fieldSelector });
  return { stop: nodes.onChange({ added: label }) };
}
