/**
 * One look at all Nodes, every 5 s.
 * Models: pkg/controller/nodelifecycle/node_lifecycle_controller.go
 *         (monitorNodeHealth) @ v1.36
 */
import { Node } from "../../api/kinds/node.ts";
import { podsOnNode } from "../shared/pods.ts";
import { sideBySide } from "../shared/slow-start.ts";
import { type Context, zoneOf } from "./context.ts";
import { hear, isSilent, readyCondition, unknownConditions } from "./health.ts";
import { followReadiness, markReachable, queueOf } from "./no-execute.ts";
import { markPodNotReady } from "./pods-not-ready.ts";

const EXCLUDE = "node.kubernetes.io/exclude-disruption";

export async function monitor(ctx: Context): Promise<void> {
  const nodes = ctx.nodes.list();
  await noteComingAndGoing(nodes, ctx);
  const counts = new Map<string, { ready: number; notReady: number }>();
  const work: (() => Promise<void>)[] = [];
  for (const node of nodes) {
    const before = readyCondition(node);
    const lease = ctx.leases.get(`kube-node-lease/${node.metadata.name}`);
    const { uid = "", name } = node.metadata;
    const known = ctx.health.get(name);
    const health = hear(known, node, lease, ctx.kernel);
    ctx.health.set(name, { ...health, uid });
    const silent = isSilent(health, node, ctx.kernel);
    const fine = before?.status === "True" && !silent;
    count(counts, node, fine);
    if (!fine || !isFree(node)) {
      work.push(() => lookAt(node, silent, ctx));
    }
  }
  const { error } = await sideBySide(work.length, (i) => work[i]!());
  await followZones(counts, nodes, ctx);
  if (error) throw error;
}

/** A Node without the taints that a silent Node gets. */
function isFree(node: Node): boolean {
  return !node.spec.taints?.some(({ effect }) => effect === "NoExecute");
}

function count(
  counts: Map<string, { ready: number; notReady: number }>,
  node: Node,
  ready: boolean,
): void {
  if (node.metadata.labels?.[EXCLUDE] !== undefined) return;
  const zone = zoneOf(node);
  const sum = counts.get(zone) ?? { ready: 0, notReady: 0 };
  if (ready) sum.ready++;
  else sum.notReady++;
  counts.set(zone, sum);
}

// region: look-at
/** A Node that is not as it should be, or was not until now. */
async function lookAt(
  node: Node,
  silent: boolean,
  ctx: Context,
): Promise<void> {
  const before = readyCondition(node);
  const now = silent ? await markUnknown(node, ctx) : node;
  const ready = readyCondition(now);
  if (!ready) return;
  const { name } = node.metadata;
  await followReadiness(now, ready.status, ctx);
  if (ready.status === "True") return;
  const fell = before?.status === "True";
  if (fell) {
    const text = `Node ${name} status is now: NodeNotReady`;
    ctx.events.event(referenceTo(node), "Normal", "NodeNotReady", text);
  }
  if (!fell && !ctx.podsToRetry.has(name)) return;
  const pods = podsOnNode(ctx.pods, name);
  const { error } = await sideBySide(pods.length, (i) =>
    markPodNotReady(pods[i]!, ctx),
  );
  if (error) ctx.podsToRetry.add(name);
  else ctx.podsToRetry.delete(name);
}
// endregion: look-at

/** Writes that nobody knows how the Node is. */
async function markUnknown(node: Node, ctx: Context): Promise<Node> {
  if (readyCondition(node)?.status === "Unknown") return node;
  const conditions = unknownConditions(node, ctx.kernel.timestamp());
  const status = { ...node.status, conditions };
  return ctx.client.updateStatus(Node, { ...node, status });
}

/** Events for Nodes that were not known, and for those that are gone. */
async function noteComingAndGoing(
  nodes: readonly Node[],
  ctx: Context,
): Promise<void> {
  const present = new Set(nodes.map((node) => node.metadata.name));
  for (const node of nodes) {
    if (ctx.health.has(node.metadata.name)) continue;
    tell(
      node,
      "RegisteredNode",
      `Registered Node ${node.metadata.name} in Controller`,
      ctx,
    );
    queueOf(zoneOf(node), ctx);
    await markReachable(node, ctx);
  }
  for (const [name, { uid }] of ctx.health) {
    if (present.has(name)) continue;
    ctx.health.delete(name);
    const gone = { metadata: { name, uid } };
    tell(gone, "RemovingNode", `Removing Node ${name} from Controller`, ctx);
  }
}

function tell(
  node: { metadata: { name: string; uid?: string } },
  reason: string,
  text: string,
  { events }: Context,
): void {
  const message = `Node ${node.metadata.name} event: ${text}`;
  events.event(referenceTo(node), "Normal", reason, message);
}

function referenceTo({ metadata }: { metadata: Partial<Node["metadata"]> }) {
  const { name, uid } = metadata;
  return { apiVersion: "v1", kind: "Node", name, uid };
}

/** Rates of the zones; if all are silent, nobody is emptied. */
async function followZones(
  counts: ReadonlyMap<string, { ready: number; notReady: number }>,
  nodes: readonly Node[],
  ctx: Context,
): Promise<void> {
  const { rates, allDown, recovered } = ctx.zones.update(counts);
  if (allDown) {
    await sideBySide(nodes.length, (i) => markReachable(nodes[i]!, ctx));
  } else if (recovered) {
    for (const health of ctx.health.values()) {
      health.heardAtMs = ctx.kernel.now();
    }
  }
  for (const [zone, rate] of rates) queueOf(zone, ctx).setRate(rate);
}
