/** Of Jobs: sets of indexes that are not as one would write them; when a Pod ended. */
import { describe, expect, it } from "vitest";
import type { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { endedMs } from "../../../sim/src/controllers/job/backoff.ts";
import { indexesText, parseIndexes } from "../../../sim/src/controllers/job/indexes.ts";
import { metSuccessRule } from "../../../sim/src/controllers/job/success-policy.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

describe("completion indexes", () => {
  const read = (text: string) => indexesText(parseIndexes(text, 10));

  it("become one interval only where they touch", () => {
    expect(read("0,1,2-3,5")).toBe("0-3,5");
    expect(read("0-3,2-5")).toBe("0-3,2-5");
    expect(read("2,2")).toBe("2,2");
    expect(read("4,1")).toBe("4,1");
    expect(read("3-1,5")).toBe("3,5");
  });
});

describe("a success policy", () => {
  const met = (rule: object, succeeded: string) =>
    metSuccessRule({ rules: [rule] }, 5, parseIndexes(succeeded, 5));

  it("is not met by indexes that the Job does not have", () => {
    expect(met({ succeededIndexes: "5-7" }, "0-4")).toBeUndefined();
    expect(met({ succeededIndexes: "x" }, "0-4")).toBeUndefined();
  });

  it("is met by all its indexes, whatever the count", () => {
    expect(met({ succeededIndexes: "3-9", succeededCount: 3 }, "3,4")).toBe(
      "Matched rules at index 0",
    );
    expect(met({ succeededIndexes: "0-3", succeededCount: 3 }, "0,1")).toBeUndefined();
  });

  it("is not met while nothing has succeeded", () => {
    expect(met({ succeededCount: 0 }, "")).toBeUndefined();
  });
});

describe("a Pod of a Job", () => {
  const kernel = new Kernel();
  const at = (seconds: number) => kernel.timestamp(seconds * 1000);
  const ended = (name: string, seconds?: number) => {
    const running = { running: { startedAt: at(0) } };
    const terminated = { exitCode: 1, startedAt: at(0), finishedAt: at(seconds ?? 0) };
    const state = seconds === undefined ? running : { terminated };
    return { name, image: "x", imageID: "", ready: false, restartCount: 0, state };
  };
  const pod = (sidecarEnds?: number): Pod => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", creationTimestamp: at(0) },
    spec: {
      initContainers: [
        { name: "setup", image: "x" },
        { name: "side", image: "x", restartPolicy: "Always" },
      ],
      containers: [{ name: "c", image: "x" }],
    },
    status: {
      initContainerStatuses: [ended("setup", 1), ended("side", sidecarEnds)],
      containerStatuses: [ended("c", 5)],
      conditions: [{ type: "Ready", status: "False", lastTransitionTime: at(4) }],
    },
  });

  it("ends with its last sidecar", () => {
    expect(endedMs(pod(8), kernel)).toBe(8_000);
    expect(endedMs(pod(), kernel)).toBe(4_000);
  });
});
