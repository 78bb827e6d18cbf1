/**
 * One metric of an autoscaler: measured, and turned into a proposal.
 * Models:     computeReplicasForMetric in pkg/controller/podautoscaler/
 *             horizontal.go @ v1.36
 * Leaves out: selectors of object and external metrics; the metrics source
 *             knows them by name.
 */
import type {
  MetricSpec,
  MetricStatus,
  MetricTarget,
} from "../../api/kinds/types/policy.ts";
import { textOf } from "../shared/pod-control.ts";
import { selectorText } from "../shared/selector-text.ts";
import { averageQuantity, milliOf, quantityOf } from "./amounts.ts";
import { forAverage, forUtilization } from "./replicas.ts";
import { requestsOf } from "./requests.ts";
import { byValue, calculationOf, type Target } from "./target.ts";

export interface Outcome {
  readonly replicas: number;
  /** In conditions and Events: "cpu resource utilization …". */
  readonly name: string;
  readonly status: MetricStatus;
}

/** A metric that cannot be had; `reason` is the condition's. */
export class MetricError extends Error {
  readonly reason: string;
  /** What is said of it where all metrics are summed up. */
  readonly summary: string;

  constructor(reason: string, message: string, summary: string) {
    super(message);
    this.name = "MetricError";
    this.reason = reason;
    this.summary = summary;
  }
}

/** Throws MetricError. */
export function evaluate(spec: MetricSpec, target: Target): Outcome {
  const [what, within, outcome] = partsOf(spec, target);
  try {
    return outcome();
  } catch (error) {
    const reason = `FailedGet${spec.type}Metric`;
    const message = textOf(error);
    const summary = `failed to get ${what} value: ${within}${message}`;
    throw new MetricError(reason, message, summary);
  }
}

/** What a metric is called, its place within that, and how it is measured. */
function partsOf(
  spec: MetricSpec,
  target: Target,
): readonly [what: string, within: string, outcome: () => Outcome] {
  const { resource, containerResource, pods, object, external } = spec;
  if (resource) {
    const measured = () => ofResource(resource, target);
    return [`${resource.name} resource metric`, "", measured];
  }
  if (containerResource) {
    const { container } = containerResource;
    const measured = () => ofResource(containerResource, target, container);
    return [`${container} container metric`, "", measured];
  }
  if (pods) return ["pods metric", "", () => ofPods(pods, target)];
  if (object) {
    const { name } = object.metric;
    const mean = object.target.averageValue !== undefined;
    const within = mean ? `failed to get ${name} object metric: ` : "";
    return ["object metric", within, () => ofObject(object, target)];
  }
  const { metric, target: wanted } = external!;
  const { name } = metric;
  const which =
    wanted.averageValue === undefined
      ? `external metric ${name}`
      : `${name} external metric`;
  const measured = () => ofExternal(external!, target);
  return [`${name} external metric`, `failed to get ${which}: `, measured];
}

function ofResource(
  { name, target }: { name: string; target: MetricTarget },
  about: Target,
  container?: string,
): Outcome {
  const { averageValue, averageUtilization = 0 } = target;
  const how = averageValue === undefined ? "utilization" : "usage";
  try {
    const given = calculationOf(about, samplesOf(about, name, container));
    const requests = () => requestsOf(about.pods, name, container);
    const { replicas, averageMilli, utilization } =
      averageValue === undefined
        ? forUtilization(given, name, requests, averageUtilization)
        : forAverage(given, name, milliOf(averageValue));
    const average = { averageValue: averageQuantity(name, averageMilli) };
    const current =
      averageValue === undefined
        ? { averageUtilization: utilization, ...average }
        : average;
    return {
      replicas,
      name: resourceName(name, averageValue !== undefined, container),
      status: container
        ? {
            type: "ContainerResource",
            containerResource: { name, container, current },
          }
        : { type: "Resource", resource: { name, current } },
    };
  } catch (error) {
    throw new Error(`failed to get ${name} ${how}: ${textOf(error)}`);
  }
}

function resourceName(name: string, isMean: boolean, container?: string) {
  if (isMean) return `${name} resource`;
  const part = container ? "container resource" : "resource";
  return `${name} ${part} utilization (percentage of request)`;
}

function samplesOf(about: Target, resource: string, container?: string) {
  const { source, namespace, pods } = about;
  const failed = `unable to get metrics for resource ${resource}: `;
  const samples = from(failed, () =>
    source.podResource(namespace, resource, container),
  );
  if (pods.some(({ metadata }) => samples.has(metadata.name))) return samples;
  throw new Error(`${failed}no metrics returned from resource metrics API`);
}

function ofPods(
  { metric, target }: NonNullable<MetricSpec["pods"]>,
  about: Target,
): Outcome {
  const failed = `unable to get metric ${metric.name}: `;
  const samples = from(failed, () =>
    about.source.podMetric(about.namespace, metric.name),
  );
  if (samples.size === 0) {
    throw new Error(`${failed}no metrics returned from custom metrics API`);
  }
  const wanted = milliOf(target.averageValue ?? "0");
  const calculation = calculationOf(about, samples);
  const { replicas, averageMilli } = forAverage(calculation, "", wanted);
  const current = { averageValue: quantityOf(averageMilli) };
  const name = `pods metric ${metric.name}`;
  return {
    replicas,
    name,
    status: { type: "Pods", pods: { metric, current } },
  };
}

function ofObject(
  { metric, target, describedObject }: NonNullable<MetricSpec["object"]>,
  about: Target,
): Outcome {
  const { source, namespace } = about;
  const { kind, name: objectName } = describedObject;
  // Upstream mixes up the order of its words.
  const failed = `unable to get metric ${metric.name}: ${kind} on ${namespace} ${objectName}/`;
  const usage = from(failed, () =>
    source.objectMetric(namespace, describedObject, metric.name),
  );
  const { replicas, current } = byValue(usage, target, about);
  const object = { metric, describedObject, current };
  const name =
    target.averageValue === undefined
      ? `${kind} metric ${metric.name}`
      : `external metric ${metric.name}(${selectorText(metric.selector)})`;
  return { replicas, name, status: { type: "Object", object } };
}

function ofExternal(
  { metric, target }: NonNullable<MetricSpec["external"]>,
  about: Target,
): Outcome {
  const { source, namespace } = about;
  const { name, selector } = metric;
  const chosen = selectorText(selector);
  const failed = `unable to get external metric ${namespace}/${name}/${chosen}: `;
  const values = from(failed, () => source.externalMetric(namespace, name));
  if (values.length === 0) {
    throw new Error(`${failed}no metrics returned from external metrics API`);
  }
  const usage = values.reduce((sum, value) => sum + value, 0);
  const { replicas, current } = byValue(usage, target, about);
  const external = { metric, current };
  const status: MetricStatus = { type: "External", external };
  return { replicas, name: `external metric ${name}(${chosen})`, status };
}

/** What `read` gives; its error with `failed` before it. */
function from<T>(failed: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${failed}${textOf(error)}`);
  }
}
