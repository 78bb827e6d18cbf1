/** What the parts of the Job controller share. */
import type { Job } from "../../api/kinds/job.ts";
import type { Pod } from "../../api/kinds/pod.ts";
import type { JobCondition } from "../../api/kinds/types/batch.ts";
import type { ObjectKey } from "../../api/types.ts";
import type { ComponentContext } from "../../client/component.ts";
import type { Expectations } from "../../client/expectations.ts";
import type { Informer } from "../../client/informer.ts";
import type { WorkQueue } from "../../client/workqueue.ts";
import type { BackoffRecord } from "./backoff.ts";
import type { Indexes } from "./indexes.ts";

/** Changes of Pods are worked on together, at most once in this time. */
export const BATCH_MS = 1_000;

/** `spec.managedBy` of a Job that is this controller's. */
export const CONTROLLER = "kubernetes.io/job-controller";

export interface Context extends ComponentContext {
  readonly jobs: Informer<Job>;
  readonly pods: Informer<Pod>;
  readonly expectations: Expectations;
  readonly queue: WorkQueue;
  /** Failures of each Job since its last success. */
  readonly backoff: Map<ObjectKey, BackoffRecord>;
  /** Uids of Pods whose finalizer was taken off, until the watch shows it. */
  readonly finalizersGone: Set<string>;
}

/** One reconcile of one Job: what is known, and what it comes to. */
export interface Round {
  /** With the status as it will be written. */
  job: Job;
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  /** Pods that ended and are in no count yet. */
  readonly newlySucceeded: readonly Pod[];
  readonly newlyFailed: readonly Pod[];
  /** All that succeeded or failed so far. */
  succeeded: number;
  readonly failed: number;
  readonly backoff: BackoffRecord;
  /** Of an Indexed Job. */
  readonly indexesBefore: Indexes;
  readonly indexes: Indexes;
  readonly failedIndexes: Indexes | undefined;
  /** Failed Pods that stay until their index has a new one, by index. */
  readonly replaced: ReadonlyMap<number, Pod>;
  /** Counts for the status. */
  activeCount: number;
  readyCount: number;
  terminatingCount: number;
  /** Why the Job ends, once it does. */
  finished: JobCondition | undefined;
}
