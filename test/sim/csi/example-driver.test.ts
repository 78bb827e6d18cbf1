import { describe, expect, it } from "vitest";
import { ExampleController, ExampleNode } from "../../../sim/src/csi/example-driver.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

/** Runs the calls in a process; an error ends as its text. */
async function run(body: (kernel: Kernel) => Promise<unknown>): Promise<unknown> {
  const kernel = new Kernel();
  let answer: unknown;
  kernel.spawn("test", async () => {
    answer = await body(kernel).catch((error: Error) => error.message);
  });
  await kernel.run();
  return answer;
}

const STAGING = "/staging";

describe("the example driver", () => {
  it("creates, attaches, stages, publishes, and goes back the same way", async () => {
    const answer = await run(async (kernel) => {
      const controller = new ExampleController(kernel);
      const node = new ExampleNode(kernel, "n1", controller);
      const { volume } = await controller.createVolume({ name: "pvc-1" });
      const { volume_id } = volume;
      await controller.controllerPublishVolume({ volume_id, node_id: "n1" });
      const staging = { volume_id, staging_target_path: STAGING };
      await node.nodeStageVolume(staging);
      await node.nodePublishVolume({ ...staging, target_path: "/pod" });
      await node.nodeUnpublishVolume({ volume_id, target_path: "/pod" });
      await node.nodeUnstageVolume(staging);
      await controller.controllerUnpublishVolume({ volume_id, node_id: "n1" });
      return controller.deleteVolume({ volume_id });
    });
    expect(answer).toEqual({});
  });

  it("records what becomes of a disk once, however often it is asked", async () => {
    const deeds: string[] = [];
    await run(async (kernel) => {
      const controller = new ExampleController(kernel);
      for (const _ of [1, 2]) await controller.createVolume({ name: "pvc-1" });
      const request = { volume_id: "pvc-1", node_id: "n1" };
      for (const _ of [1, 2]) await controller.controllerPublishVolume(request);
      for (const _ of [1, 2]) await controller.controllerUnpublishVolume(request);
      for (const _ of [1, 2]) await controller.deleteVolume(request);
      for (const { verb, actor, subject } of kernel.trace) {
        if (verb === "disk") deeds.push(`${actor} ${subject}`);
      }
    });
    const actor = "csi/disk.csi.example";
    expect(deeds).toEqual(
      ["make", "attach n1", "detach n1", "delete"].map((deed) => `${actor} ${deed}`),
    );
  });

  it("is attached to one node at a time", async () => {
    const answer = await run(async (kernel) => {
      const controller = new ExampleController(kernel);
      const { volume } = await controller.createVolume({ name: "pvc-1" });
      const { volume_id } = volume;
      await controller.controllerPublishVolume({ volume_id, node_id: "n1" });
      // The same again does no harm; another node does.
      await controller.controllerPublishVolume({ volume_id, node_id: "n1" });
      return controller.controllerPublishVolume({ volume_id, node_id: "n2" });
    });
    expect(answer).toBe(
      "rpc error: code = FailedPrecondition desc = volume pvc-1 is attached to n1",
    );
  });

  it("does one thing at a time with a volume", async () => {
    const answer = await run(async (kernel) => {
      const controller = new ExampleController(kernel);
      const { volume } = await controller.createVolume({ name: "pvc-1" });
      const { volume_id } = volume;
      kernel.spawn("other", async () => {
        await controller.controllerPublishVolume({ volume_id, node_id: "n1" });
      });
      await kernel.sleep(100);
      const request = { volume_id, node_id: "n2" };
      const said = (error: Error) => error.message;
      const attach = await controller.controllerPublishVolume(request).catch(said);
      const detach = await controller.controllerUnpublishVolume(request).catch(said);
      await kernel.sleep(5_000);
      return [attach, detach, controller.nodeOf(volume_id)];
    });
    const aborted = "rpc error: code = Aborted desc = an operation on volume pvc-1 is pending";
    expect(answer).toEqual([aborted, aborted, "n1"]);
  });

  it("stages only what is attached", async () => {
    const answer = await run(async (kernel) => {
      const controller = new ExampleController(kernel);
      const node = new ExampleNode(kernel, "n1", controller);
      await controller.createVolume({ name: "pvc-1" });
      return node.nodeStageVolume({ volume_id: "pvc-1", staging_target_path: STAGING });
    });
    expect(answer).toBe(
      "rpc error: code = FailedPrecondition desc = no device of volume pvc-1 on n1",
    );
  });

  it("gives the same volume for the same name", async () => {
    const answer = await run(async (kernel) => {
      const controller = new ExampleController(kernel);
      const first = await controller.createVolume({ name: "pvc-1" });
      const second = await controller.createVolume({ name: "pvc-1" });
      return first.volume === second.volume;
    });
    expect(answer).toBe(true);
  });
});
