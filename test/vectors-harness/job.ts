/** Replays job.json: completed indexes, backoff after failures, Pod names. */
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import { remainingMs } from "../../sim/src/controllers/job/backoff.ts";
import {
  countIndexes,
  generateNameOf,
  INDEX_KEY,
  indexesText,
  succeededIndexes,
} from "../../sim/src/controllers/job/indexes.ts";
import { TRACKING_FINALIZER } from "../../sim/src/controllers/job/names.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, nameOf, Tally } from "./harness.ts";

interface IndexCase {
  completions: number;
  statusCompletedIndexes: string;
  newlySucceededIndexAnnotations: string[] | null;
  previousAfterParsing: string;
  completedIndexesAfter: string;
  succeededCount: number;
}

interface BackoffCase {
  consecutiveFailures: number;
  secondsSinceLastFailure: number;
  remainingSeconds: number;
}

interface NameCase {
  job: string;
  index: number;
  podGenerateName: string;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const [i, c] of casesOf<IndexCase>(file, "completedIndexes").entries()) {
    const { previousAfterParsing, completedIndexesAfter, succeededCount } = c;
    const expected = { previousAfterParsing, completedIndexesAfter, succeededCount };
    tally.same(`completedIndexes ${nameOf(c, i)}`, () => indexes(c), expected);
  }
  for (const [i, c] of casesOf<BackoffCase>(file, "podFailureBackoff").entries()) {
    const record = { failures: c.consecutiveFailures, lastFailureMs: 0 };
    const seconds = () => remainingMs(record, c.secondsSinceLastFailure * 1000) / 1000;
    tally.same(`podFailureBackoff ${nameOf(c, i)}`, seconds, c.remainingSeconds);
  }
  for (const c of casesOf<NameCase>(file, "indexedPodGenerateName")) {
    const { job, index, podGenerateName } = c;
    tally.same(`name ${job} ${index}`, () => generateNameOf(job, index), podGenerateName);
  }
  return tally.result();
}

function indexes(c: IndexCase) {
  const pods = (c.newlySucceededIndexAnnotations ?? []).map((index): Pod => {
    const annotations = { [INDEX_KEY]: index };
    return {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", annotations, finalizers: [TRACKING_FINALIZER] },
      spec: { containers: [] },
      status: { phase: "Succeeded" },
    };
  });
  const { before, now } = succeededIndexes(c.statusCompletedIndexes, c.completions, pods);
  return {
    previousAfterParsing: indexesText(before),
    completedIndexesAfter: indexesText(now),
    succeededCount: countIndexes(now),
  };
}
