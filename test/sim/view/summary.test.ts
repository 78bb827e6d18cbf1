/** What figures are told of an object. */
import { describe, expect, it } from "vitest";
import { createSession, objectsAt, type Row, rowOf } from "../../../sim/src/index.ts";

const JOB = `apiVersion: batch/v1
kind: Job
metadata:
  name: pages
spec:
  completionMode: Indexed
  completions: 3
  parallelism: 1
  backoffLimitPerIndex: 0
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: print
          image: busybox:1.36
          command: ["sh", "-c", "touch 0 2; cat $(JOB_COMPLETION_INDEX)"]
`;

describe("the counts of a Job", () => {
  it("are what it is to complete, and what has succeeded", async () => {
    const session = createSession({
      seed: 7,
      scenario: { nodes: 1, untilMs: 30_000 },
      inputs: [{ atMs: 1_000, do: "apply", yaml: JOB }],
    });
    await session.run();
    const rows: Row[] = [];
    for (const entry of session.kernel.trace) rows.push(rowOf(entry));
    const job = objectsAt(rows, rows.at(-1)!.id).get("Job default/pages");
    expect(job?.counts?.[0]).toBe(3);
    expect(job?.counts?.[3]).toBe(2);
  });
});
