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

/** Each throws, with the text of the API, where nothing can be had. */
export interface MetricsSource {
  /** CPU or memory of the Pods of a namespace, by Pod name. */
  podResource(
    namespace: string,
    resource: string,
    container?: string,
  ): ReadonlyMap<string, Sample>;
  /** A metric of the Pods themselves, by Pod name. */
  podMetric(namespace: string, name: string): ReadonlyMap<string, Sample>;
  /** A metric of one object. Thousandths. */
  objectMetric(
    namespace: string,
    object: { readonly kind: string; readonly name: string },
    name: string,
  ): number;
  /** Values of a metric from outside the cluster. Thousandths. */
  externalMetric(namespace: string, name: string): readonly number[];
}

/** What the API server answers where no server of metrics is installed. */
export const NO_METRICS: MetricsSource = {
  podResource() {
    throw new Error(
      "unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)",
    );
  },
  podMetric: noCustom,
  objectMetric: noCustom,
  externalMetric(_, name) {
    throw new Error(
      `unable to fetch metrics from external metrics API: the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`,
    );
  },
};

function noCustom(): never {
  throw new Error(
    "unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
  );
}
