/** What the figure of the lesson on failures draws, from a run of its lab. */
import { createSession } from "@shikumi/sim";
import { expect, it } from "vitest";
import labs from "../../content/part-3-journey/02-reading-failures/lab.ts";
import { voicesOf } from "../../src/figures/voices/voices.ts";
import { inputsOf } from "../../src/sandbox/lab.ts";

it("tells of each failure what kubectl shows and who says why", async () => {
  const lab = labs.find(({ id }) => id === "eight")!;
  const { seed, scenario } = lab;
  const session = createSession({ seed, scenario, inputs: inputsOf(lab, lab.manifest) });
  await session.run();
  const voices = voicesOf(
    [...session.kernel.trace],
    [
      ["big", "FailedScheduling"],
      ["typo", "Failed", "Failed to pull"],
      ["offline", "FailedCreatePodSandBox"],
      ["hungry", "BackOff"],
      ["shop", "Unhealthy"],
      ["lost", "NodeNotReady"],
      ["held", ""],
    ],
  );
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
