/**
 * A new Pod of a Job: with the finalizer that keeps it until it is counted,
 * and, for an Indexed Job, its index in annotation, label, host name and
 * environment.
 * Models: pkg/controller/job/indexed_job_utils.go @ v1.36
 */
import { Job } from "../../api/kinds/job.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { Container } from "../../api/kinds/types/containers.ts";
import { podFromTemplate } from "../shared/pod-control.ts";
import { generateNameOf, INDEX_KEY } from "./indexes.ts";
import {
  FAILURE_COUNT,
  IGNORED_FAILURE_COUNT,
  TRACKING_FINALIZER,
} from "./names.ts";
import { failureCounts, hasOwnBackoff } from "./pods.ts";

const INDEX_VARIABLE = "JOB_COMPLETION_INDEX";

/** `replaced`: the failed Pod whose failures the new one takes over. */
export function podFor(job: Job, index?: number, replaced?: Pod): Pod {
  const pod = podFromTemplate(job.spec.template, Job, job);
  const finalizers = [
    ...new Set([...(pod.metadata.finalizers ?? []), TRACKING_FINALIZER]),
  ];
  if (index === undefined) {
    return { ...pod, metadata: { ...pod.metadata, finalizers } };
  }
  const { labels, annotations } = pod.metadata;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      finalizers,
      generateName: generateNameOf(job.metadata.name, index),
      labels: { ...labels, [INDEX_KEY]: `${index}` },
      annotations: {
        ...annotations,
        [INDEX_KEY]: `${index}`,
        ...failureAnnotations(job, replaced),
      },
    },
    spec: {
      ...pod.spec,
      hostname: `${job.metadata.name}-${index}`,
      containers: pod.spec.containers.map(withIndexVariable),
      initContainers: pod.spec.initContainers?.map(withIndexVariable),
    },
  };
}

function failureAnnotations(job: Job, replaced: Pod | undefined) {
  if (!hasOwnBackoff(job)) return {};
  const { counted, ignored } = failureCounts(job, replaced);
  return {
    [FAILURE_COUNT]: `${counted}`,
    ...(ignored > 0 && { [IGNORED_FAILURE_COUNT]: `${ignored}` }),
  };
}

function withIndexVariable(container: Container): Container {
  const env = container.env ?? [];
  if (env.some(({ name }) => name === INDEX_VARIABLE)) return container;
  const fieldPath = `metadata.labels['${INDEX_KEY}']`;
  const variable = {
    name: INDEX_VARIABLE,
    valueFrom: { fieldRef: { fieldPath } },
  };
  return { ...container, env: [...env, variable] };
}
