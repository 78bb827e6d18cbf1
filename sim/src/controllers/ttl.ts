/**
 * TTL controller: tells each kubelet, by an annotation of its Node, how long
 * it may trust its copies of Secrets and ConfigMaps. The larger the cluster,
 * the longer, so that the API server is asked less often.
 * Models: pkg/controller/ttl/ttl_controller.go @ v1.36
 */
import { Node } from "../api/kinds/node.ts";
import { keyOf } from "../api/types.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startController } from "../client/controller.ts";

const ANNOTATION = "node.alpha.kubernetes.io/ttl";

/** Nodes from, to, and the seconds for so many; ranges overlap a little. */
const STEPS: readonly (readonly [number, number, number])[] = [
  [0, 100, 0],
  [90, 500, 15],
  [450, 1000, 30],
  [900, 2000, 60],
  [1800, 10_000, 300],
  [9000, Number.POSITIVE_INFINITY, 600],
];

export function startTtlController(context: ComponentContext): Component {
  const { client, informers } = context;
  const nodes = informers.informer(Node);
  let count = 0;
  let step = 0;

  /** The step changes only when the cluster has left its range. */
  const counted = (change: number) => {
    count += change;
    if (count > STEPS[step]![1]) step++;
    if (count < STEPS[step]![0]) step--;
  };

  const reconcile = async (name: string) => {
    const node = nodes.get(name);
    if (!node) return;
    const ttl = String(STEPS[step]![2]);
    if (node.metadata.annotations?.[ANNOTATION] === ttl) return;
    const body = { metadata: { annotations: { [ANNOTATION]: ttl } } };
    const type = "application/strategic-merge-patch+json";
    await client.patch(Node, "", name, type, body);
  };

  const controller = startController(context, { workers: 1, reconcile });
  const enqueue = (node: Node) => controller.queue.add(keyOf(node));
  controller.on(nodes, {
    added(node) {
      counted(1);
      enqueue(node);
    },
    updated: enqueue,
    deleted: () => counted(-1),
  });
  return controller;
}
