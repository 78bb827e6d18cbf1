/** What the parts of the autoscaler share. */
import type { HorizontalPodAutoscaler } from "../../api/kinds/horizontalpodautoscaler.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { ResourceRef } from "../../api/resource.ts";
import type { LabelSelector } from "../../api/selector.ts";
import { keyOf, type ObjectKey } from "../../api/types.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Informer } from "../../client/informer.ts";
import { type Memory, newMemory } from "./behavior.ts";
import type { MetricsSource } from "./metrics.ts";

export type Autoscaler = HorizontalPodAutoscaler;

export interface Context extends ComponentContext {
  readonly autoscalers: Informer<Autoscaler>;
  readonly pods: Informer<Pod>;
  /** All kinds, in all their versions. */
  kinds(): readonly ResourceRef[];
  readonly source: MetricsSource;
  readonly memories: Map<ObjectKey, Memory>;
  /** Of each autoscaler, what its target's scale last selected Pods by. */
  readonly selectors: Map<ObjectKey, LabelSelector>;
}

export function memoryOf(
  hpa: Autoscaler,
  current: number,
  ctx: Context,
): Memory {
  const key = keyOf(hpa);
  const known = ctx.memories.get(key);
  if (known) return known;
  const memory = newMemory(current, ctx.kernel.now());
  ctx.memories.set(key, memory);
  return memory;
}
