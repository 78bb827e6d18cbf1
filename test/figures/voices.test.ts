/** What the figure of the lesson on failures draws, from a run of its lab. */
import { expect, it } from "vitest";
import labs from "../../content/part-3-journey/02-reading-failures/lab.ts";
import { labOf, runOf } from "../../src/figures/run.ts";
import { voicesOf } from "../../src/figures/voices/voices.ts";

it("tells of each failure what kubectl shows and who says why", async () => {
  const voices = voicesOf(await runOf(labOf(labs, "eight")), [
    ["big", "FailedScheduling"],
    ["typo", "Failed", "Failed to pull"],
    ["offline", "FailedCreatePodSandBox"],
    ["hungry", "BackOff"],
    ["shop", "Unhealthy"],
    ["lost", "NodeNotReady"],
    ["held", ""],
  ]);
  expect(voices.map(({ status, component }) => [status, component])).toEqual([
    ["Pending", "default-scheduler"],
    ["ImagePullBackOff", "kubelet"],
    ["ContainerCreating", "kubelet"],
    ["CrashLoopBackOff", "kubelet"],
    ["Running 0/1", "kubelet"],
    ["Terminating", "node-controller"],
    ["Completed", ""],
  ]);
  expect(voices[2]!.message).toContain('failed to find plugin "weave-net"');
});
