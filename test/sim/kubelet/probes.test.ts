import { describe, expect, it } from "vitest";
import { condition, World } from "./world.ts";

describe("probes", () => {
  it("keep a Pod unready until it serves", async () => {
    const world = new World({ images: [{ name: "slow", startMs: 12_000, ports: [8080] }] });
    await world.run(15);
    const readinessProbe = { httpGet: { path: "/", port: 8080 }, periodSeconds: 5 };
    await world.create(["web", { containers: [{ name: "app", image: "slow:1", readinessProbe }] }]);
    await world.run(10);
    expect(condition(world.pod(), "Ready")).toBe("False");
    expect(world.pod()?.status?.phase).toBe("Running");
    await world.run(20);
    expect(condition(world.pod(), "Ready")).toBe("True");
    expect(world.message("Unhealthy")).toMatch(
      /^Readiness probe failed: Get "http:\/\/10\.244\.0\.\d+:8080\/": dial tcp 10\.244\.0\.\d+:8080: connect: connection refused$/,
    );
  });

  it("restart a container that no longer lives", async () => {
    const world = new World();
    await world.run(15);
    const command = ["sh", "-c", "touch /tmp/healthy; sleep 20; rm -f /tmp/healthy; sleep 600"];
    const livenessProbe = {
      exec: { command: ["cat", "/tmp/healthy"] },
      initialDelaySeconds: 5,
      periodSeconds: 5,
    };
    const container = { name: "app", image: "busybox:1.36", command, livenessProbe };
    await world.create(["web", { containers: [container], terminationGracePeriodSeconds: 3 }]);
    await world.run(60);
    expect(world.pod()?.status?.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(world.message("Unhealthy")).toBe(
      "Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory",
    );
    expect(world.message("Killing")).toBe("Container app failed liveness probe, will be restarted");
  });

  it("wait for the startup probe before they judge", async () => {
    const world = new World({ images: [{ name: "slow", startMs: 20_000, ports: [80] }] });
    await world.run(15);
    const action = { tcpSocket: { port: 80 } };
    const startupProbe = { ...action, periodSeconds: 2, failureThreshold: 30 };
    const livenessProbe = { ...action, periodSeconds: 2, failureThreshold: 1 };
    await world.create([
      "web",
      { containers: [{ name: "app", image: "slow:1", startupProbe, livenessProbe }] },
    ]);
    await world.run(15);
    expect(world.pod()?.status?.containerStatuses?.[0]).toMatchObject({
      started: false,
      restartCount: 0,
    });
    await world.run(20);
    expect(world.pod()?.status?.containerStatuses?.[0]).toMatchObject({
      started: true,
      ready: true,
      restartCount: 0,
    });
  });
});
