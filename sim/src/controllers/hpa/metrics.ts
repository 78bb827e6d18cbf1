/**
 * Where an autoscaler gets its numbers. The simulator has no containers that
 * burn CPU; a scenario supplies a load model instead of metrics-server.
 * Models: k8s.io/metrics as used by pkg/controller/podautoscaler/metrics
 *         @ v1.36
 */

/** One measurement of one Pod, in thousandths of the unit. */
export interface Sample {
  readonly milli: number;
  /** When it was taken, simulated ms. */
  readonly atMs: number;
  /** The time that it is an average over. */
  readonly windowMs: number;
}

export interface MetricsSource {
  /** CPU or memory of the Pods of a namespace, by Pod name. */
  podResource(
    namespace: string,
    resource: string,
    container?: string,
  ): ReadonlyMap<string, Sample>;
  /** A metric of the Pods themselves, by Pod name. */
  podMetric(namespace: string, name: string): ReadonlyMap<string, Sample>;
  /** A metric of one object; undefined if there is none. Thousandths. */
  objectMetric(
    namespace: string,
    object: { readonly kind: string; readonly name: string },
    name: string,
  ): number | undefined;
  /** Values of a metric from outside the cluster. Thousandths. */
  externalMetric(namespace: string, name: string): readonly number[];
}

/** No metrics server: nothing is measured. */
export const NO_METRICS: MetricsSource = {
  podResource: () => new Map(),
  podMetric: () => new Map(),
  objectMetric: () => undefined,
  externalMetric: () => [],
};
