/**
 * The status of an autoscaler while a reconcile writes it together.
 * Models: pkg/controller/podautoscaler/horizontal.go (setStatus) @ v1.36
 */
import { HorizontalPodAutoscaler } from "../../api/kinds/horizontalpodautoscaler.ts";
import type {
  HorizontalPodAutoscalerCondition,
  MetricStatus,
} from "../../api/kinds/types/policy.ts";
import type { Kernel } from "../../kernel/index.ts";
import { equalStatus } from "../shared/equal.ts";
import { textOf } from "../shared/pod-control.ts";
import type { Context } from "./context.ts";

export class StatusDraft {
  currentReplicas: number;
  desiredReplicas: number;
  metrics: readonly MetricStatus[];
  lastScaleTime: string | undefined;
  private readonly hpa: HorizontalPodAutoscaler;
  private readonly kernel: Pick<Kernel, "timestamp">;
  private conditions: readonly HorizontalPodAutoscalerCondition[];

  constructor(hpa: HorizontalPodAutoscaler, kernel: Pick<Kernel, "timestamp">) {
    this.hpa = hpa;
    this.kernel = kernel;
    const { status } = hpa;
    this.currentReplicas = status?.currentReplicas ?? 0;
    this.desiredReplicas = status?.desiredReplicas ?? 0;
    this.metrics = status?.currentMetrics ?? [];
    this.lastScaleTime = status?.lastScaleTime;
    this.conditions = status?.conditions ?? [];
  }

  /** In its place; the transition time changes with the status alone. */
  set(type: string, status: string, reason: string, message: string): void {
    const old = this.conditions.find((one) => one.type === type);
    const now = this.kernel.timestamp();
    const same = old?.status === status;
    const lastTransitionTime = same ? old.lastTransitionTime : now;
    const next = { type, status, lastTransitionTime, reason, message };
    this.conditions = old
      ? this.conditions.map((one) => (one === old ? next : one))
      : [...this.conditions, next];
  }

  /** Writes it if it says something new. */
  async write({ client, events }: Context): Promise<void> {
    const { hpa } = this;
    const status = {
      observedGeneration: hpa.metadata.generation,
      lastScaleTime: this.lastScaleTime,
      currentReplicas: this.currentReplicas,
      desiredReplicas: this.desiredReplicas,
      currentMetrics: this.metrics,
      conditions: this.conditions,
    };
    if (equalStatus(hpa.status, status)) return;
    try {
      await client.updateStatus(HorizontalPodAutoscaler, { ...hpa, status });
    } catch (error) {
      events.event(hpa, "Warning", "FailedUpdateStatus", textOf(error));
      throw error;
    }
  }
}
