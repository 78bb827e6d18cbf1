/**
 * Writes new sizes of ReplicaSets, each with its Event.
 * Models: pkg/controller/deployment/sync.go (scaleReplicaSet) @ v1.36
 */
import type { Deployment } from "../../api/kinds/deployment.ts";
import { ReplicaSet } from "../../api/kinds/replicaset.ts";
import { sizeAnnotations } from "./annotations.ts";
import type { Context, NewSize } from "./context.ts";
import { replicasOf } from "./fenceposts.ts";

/** Writes `sizes`, one after another. */
export async function resize(
  deployment: Deployment,
  sizes: readonly NewSize[],
  ctx: Context,
): Promise<void> {
  for (const { rs, replicas } of sizes) {
    await resizeOne(deployment, rs, replicas, ctx);
  }
}

async function resizeOne(
  deployment: Deployment,
  rs: ReplicaSet,
  replicas: number,
  { client, events }: Context,
): Promise<void> {
  const before = replicasOf(rs);
  const wanted = sizeAnnotations(deployment);
  const has = rs.metadata.annotations ?? {};
  const noted = Object.entries(wanted).every(([key, v]) => has[key] === v);
  if (noted && before === replicas) return;
  const annotations = { ...has, ...wanted };
  await client.update(ReplicaSet, {
    ...rs,
    metadata: { ...rs.metadata, annotations },
    spec: { ...rs.spec, replicas },
  });
  if (before !== replicas) {
    const way = before < replicas ? "up" : "down";
    const message = `Scaled ${way} replica set ${rs.metadata.name} from ${before} to ${replicas}`;
    events.event(deployment, "Normal", "ScalingReplicaSet", message);
  }
}
