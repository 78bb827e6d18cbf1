import { describe, expect, it } from "vitest";
import { type Container, Pod } from "../../../sim/src/api/kinds/pod.ts";
import { condition, World } from "./world.ts";

async function worldOf(lifecycle: Container["lifecycle"]): Promise<World> {
  const world = new World({
    images: [{ name: "server", ports: [8080], shell: true, stopMs: "never" }],
  });
  await world.run(2);
  const ports = [{ name: "web", containerPort: 8080 }];
  const containers = [{ name: "app", image: "server:1", ports, lifecycle }];
  await world.create(["web", { containers, terminationGracePeriodSeconds: 5 }]);
  await world.run(12);
  return world;
}

const waiting = (world: World) => world.pod()?.status?.containerStatuses?.[0]?.state?.waiting;

describe("a postStart hook", () => {
  it("asks the container over HTTP, and takes any answer", async () => {
    const world = await worldOf({ postStart: { httpGet: { path: "/ready", port: "web" } } });
    expect(condition(world.pod(), "Ready")).toBe("True");
    expect(world.reasons()).not.toContain("FailedPostStartHook");
  });

  it("kills its container where nobody answers, and says why in the status alone", async () => {
    const world = await worldOf({ postStart: { httpGet: { path: "/ready", port: 9090 } } });
    expect(world.message("FailedPostStartHook")).toBe("PostStartHook failed");
    expect(world.message("Killing")).toBe("FailedPostStartHook");
    const text = world.history
      .map(({ pod }) => pod.status?.containerStatuses?.[0]?.state?.waiting)
      .find((state) => state?.reason === "PostStartHookError")?.message;
    expect(text).toMatch(
      /^HTTP lifecycle hook \(\/ready\) for Container "app" in Pod "web_default\([0-9a-f-]+\)" failed - error: Get "http:\/\/10\.244\.0\.\d+:9090\/ready": dial tcp 10\.244\.0\.\d+:9090: connect: connection refused$/,
    );
  });

  it("fails with its command", async () => {
    const command = ["sh", "-c", "echo no; exit 3"];
    const world = await worldOf({ postStart: { exec: { command } } });
    expect(world.message("FailedPostStartHook")).toBe("PostStartHook failed");
    const states = world.history.map(({ pod }) => pod.status?.containerStatuses?.[0]?.state);
    expect(states.some((state) => state?.waiting?.reason === "PostStartHookError")).toBe(true);
    expect(waiting(world)?.reason ?? "").not.toBe("ContainerCreating");
  });

  it("cannot be a TCP socket", async () => {
    const world = await worldOf({ postStart: { tcpSocket: { port: 8080 } } });
    expect(world.message("FailedPostStartHook")).toBe("PostStartHook failed");
  });
});

describe("a preStop hook", () => {
  it("that fails is told, and the container ends all the same", async () => {
    const world = await worldOf({ preStop: { httpGet: { path: "/bye", port: 9090 } } });
    await world.do((client) => client.delete(Pod, "default", "web"));
    await world.run(8);
    expect(world.message("FailedPreStopHook")).toBe("PreStopHook failed");
    expect(world.pod()).toBeUndefined();
  });

  it("takes its time out of the grace period", async () => {
    const world = await worldOf({ preStop: { sleep: { seconds: 2 } } });
    const from = world.kernel.now();
    await world.do((client) => client.delete(Pod, "default", "web"));
    await world.run(10);
    const term = world.entries("container").find(({ subject }) => subject === "TERM app")!;
    expect(term.atMs - from).toBeGreaterThan(2000);
    expect(term.detail).toMatchObject({ timeoutSeconds: 3 });
  });
});
