/**
 * Whether an API server can do its work. All else that it needs is inside the
 * process here; etcd is not: a key is read from it, which takes a majority.
 * Models:     apiserver/pkg/storage/storagebackend/factory/etcd3.go @ v1.36
 * Leaves out: that the answer is kept for a short while.
 */
import type { Kernel } from "../kernel/index.ts";
import { type MaybePromise, rescue } from "./maybe.ts";
import type { ApiServer } from "./server.ts";

/** `--etcd-healthcheck-timeout`, `--etcd-readycheck-timeout`. */
const TIMEOUT_MS = 2000;

/** What is wrong with etcd; "" if it answers in time. */
export function etcdProblem(
  { etcd, kernel }: ApiServer,
  timeoutMs = TIMEOUT_MS,
): MaybePromise<string> {
  const answer = rescue<unknown>(
    () => etcd.range({ key: "/registry/health" }),
    (error) => error,
  );
  const told = (result: unknown) =>
    result instanceof Error ? said(result.message) : "";
  if (!(answer instanceof Promise)) return told(answer);
  return inTime(kernel, timeoutMs, answer.then(told));
}

function inTime(
  kernel: Kernel,
  timeoutMs: number,
  answer: Promise<string>,
): Promise<string> {
  return kernel.wait((resolve) => {
    const timer = kernel.after(timeoutMs, () =>
      resolve(said("context deadline exceeded")),
    );
    void answer.then((problem) => {
      timer.cancel();
      resolve(problem);
    });
  });
}

function said(why: string): string {
  return `error getting data from etcd: ${why}`;
}
