import { describe, expect, it } from "vitest";
import { ADMIN } from "../../../sim/src/cluster/identities.ts";
import type { ImageDefinition } from "../../../sim/src/cri/workload/image.ts";
import { runKubectl } from "../../../sim/src/kubectl/kubectl.ts";
import { World } from "./world.ts";

/** A line of 1 KiB in the file, a thousand a second. */
const CHATTY: ImageDefinition = {
  name: "chatty",
  logs: [{ afterMs: 0, text: "x".repeat(1024 - 41), everyMs: 1 }],
};

async function kubectl(world: World, ...argv: string[]): Promise<string> {
  const lines: string[] = [];
  await world.do(() =>
    runKubectl(argv, {
      kernel: world.kernel,
      client: world.cluster.client("kubectl", ADMIN),
      kinds: world.cluster.kinds,
      files: {},
      out: (text) => lines.push(text),
      err: (text) => lines.push(text),
      problem: () => {},
    }),
  );
  return lines.join("\n");
}

describe("log rotation", () => {
  async function rotated(kubelet: object, seconds: number): Promise<World> {
    const world = new World({ nodes: [{ kubelet }], images: [CHATTY] });
    await world.run(1);
    await world.create(["web", { containers: [{ name: "app", image: "chatty:1" }] }]);
    await world.run(seconds);
    return world;
  }

  const filesOf = (world: World) => {
    const [container] = [...world.cluster.hosts[0]!.runtime.core.containers.values()];
    return (container?.logFiles ?? []).map(({ path }) => path.replace(/^.*\/app\//, ""));
  };

  it("puts a log of 10 MiB aside, and keeps five files", async () => {
    const world = await rotated({}, 25);
    expect(filesOf(world)).toEqual(["0.log.20260101-000020"]);
    await world.run(20);
    expect(filesOf(world)).toEqual(["0.log.20260101-000020.gz", "0.log.20260101-000040"]);
    await world.run(100);
    expect(filesOf(world)).toEqual([
      "0.log.20260101-000120.gz",
      "0.log.20260101-000140.gz",
      "0.log.20260101-000200.gz",
      "0.log.20260101-000220",
    ]);
    const calls = world.entries("cri").map(({ subject }) => subject);
    expect(calls.filter((call) => call === "ReopenContainerLog").length).toBeGreaterThan(4);
  });

  it("shows kubectl the newest file alone", async () => {
    const world = await rotated({ containerLogMaxSize: "1Mi" }, 20);
    const lines = (await kubectl(world, "logs", "web")).split("\n");
    // Ten seconds' worth at most, though it has run for nearly twenty.
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.length).toBeLessThanOrEqual(10_000);
  });

  it("can be switched off", async () => {
    const world = await rotated({ containerLogMaxSize: "-1" }, 60);
    expect(filesOf(world)).toEqual([]);
  });
});

describe("kubectl logs", () => {
  const crashing = (script: string) => ({
    containers: [{ name: "app", image: "busybox:1.36", command: ["sh", "-c", script] }],
  });

  it("shows of a container that waits for its restart what its last life printed", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", crashing("date; exit 1")]);
    await world.run(25);
    const last = world.pod()?.status?.containerStatuses?.[0];
    expect(last?.state?.waiting?.reason).toBe("CrashLoopBackOff");
    const startedAt = last?.lastState?.terminated?.startedAt;
    expect(await kubectl(world, "logs", "web")).toBe(startedAt);
    expect(await kubectl(world, "logs", "web", "--previous")).toBe(startedAt);
  });

  it("shows the life before with --previous, once there was one", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", crashing("date; sleep 5; exit 1")]);
    await world.run(5);
    expect(await kubectl(world, "logs", "web", "--previous")).toBe(
      'Error from server (BadRequest): previous terminated container "app" in pod "web" not found',
    );
    await world.run(5);
    const status = world.pod()?.status?.containerStatuses?.[0];
    expect(status?.restartCount).toBe(1);
    const previous = await kubectl(world, "logs", "web", "-p");
    expect(previous).toBe(status?.lastState?.terminated?.startedAt);
    expect(await kubectl(world, "logs", "web")).not.toBe(previous);
  });

  it("says what a container waits for", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", { containers: [{ name: "app", image: "nginx:no-such-tag" }] }]);
    await world.run(3);
    expect(await kubectl(world, "logs", "web")).toMatch(
      /^Error from server \(BadRequest\): container "app" in pod "web" is waiting to start: (image can't be pulled|trying and failing to pull image)$/,
    );
  });

  it("needs the kubelet of the node", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", crashing("echo hello; sleep 3600")]);
    await world.run(8);
    expect(await kubectl(world, "logs", "web")).toBe("hello");
    world.cluster.stop("kubelet/node-1");
    expect(await kubectl(world, "logs", "web")).toBe(
      'Error from server: Get "https://172.18.0.2:10250/containerLogs/default/web/app": dial tcp 172.18.0.2:10250: connect: connection refused',
    );
  });
});
