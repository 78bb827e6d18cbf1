import { describe, expect, it } from "vitest";
import type { Container, ContainerStatus, Pod, Probe } from "../../../sim/src/api/kinds/pod.ts";
import type { ImageDefinition } from "../../../sim/src/cri/workload/image.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";
import type { ProbeType } from "../../../sim/src/kubelet/probes/worker.ts";
import { ProbeWorker } from "../../../sim/src/kubelet/probes/worker.ts";
import type { ProbeResult } from "../../../sim/src/kubelet/runtime/actions.ts";
import { condition, World } from "./world.ts";

/** A worker by itself; `status` is what it is told of its container. */
async function work(
  type: ProbeType,
  container: Partial<Container>,
  answers: ProbeResult[],
  statuses: Partial<ContainerStatus>[],
) {
  const kernel = new Kernel();
  const probe = { tcpSocket: { port: 80 }, periodSeconds: 1, failureThreshold: 1 };
  const app = { name: "app", image: "i", startupProbe: probe, livenessProbe: probe, ...container };
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", uid: "u" },
    spec: { containers: [app as Container] },
  };
  const told: string[] = [];
  let tick = 0;
  const host = {
    kernel,
    actor: "kubelet",
    target: () => {
      const status = statuses[Math.min(tick++, statuses.length - 1)];
      const whole = { name: "app", containerID: "containerd://c1", ...status };
      return { podPhase: "Running", status: whole as ContainerStatus, startedAtMs: 0 };
    },
    probe: async () => {
      told.push("probe");
      return answers.shift() ?? "Success";
    },
    set: (_: unknown, id: string, result: ProbeResult) => void told.push(`${id} ${result}`),
    remove: (_: unknown, id: string) => void told.push(`${id} gone`),
  };
  new ProbeWorker(host, pod, app as Container, type).start();
  await kernel.run({ untilMs: 5500 });
  return told;
}

const running = (started: boolean) => ({ started, state: { running: { startedAt: "" } } });
const ended = (exitCode: number) => ({ state: { terminated: { exitCode } } });

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
      "Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory\n",
    );
    expect(world.message("Killing")).toBe("Container app failed liveness probe, will be restarted");
  });

  /** What the kubelet says of a readiness probe, and whether the Pod is ready. */
  async function said(probe: Probe, image: Partial<ImageDefinition> = {}, more = {}, spec = {}) {
    const world = new World({ images: [{ name: "own", ports: [8080], ...image }] });
    await world.run(15);
    const app = { name: "app", image: "own:1", readinessProbe: probe, ...more } as Container;
    await world.create(["web", { ...spec, containers: [app] }]);
    await world.run(8);
    const text = world.message("Unhealthy") ?? world.message("ProbeWarning");
    const ip = world.pod()?.status?.podIP ?? "";
    return [text?.replaceAll(ip, "IP"), condition(world.pod(), "Ready")];
  }
  const get = (more = {}) => ({ httpGet: { path: "/healthz", port: 8080, ...more } });

  it("tell of an HTTP status, and take a redirect with a warning", async () => {
    const failed = "Readiness probe failed: HTTP probe failed with statuscode: 500";
    expect(await said(get(), { http: () => 500 })).toEqual([failed, "False"]);
    const redirected = "Readiness probe warning: Probe terminated redirects, Response body: ";
    expect(await said(get(), { http: () => 302 })).toEqual([redirected, "True"]);
    expect(await said(get(), { http: () => 204 })).toEqual([undefined, "True"]);
  });

  it("do not wait longer than their timeout", async () => {
    const slow = { answerMs: 1500 };
    expect(await said(get(), slow)).toEqual([
      'Readiness probe failed: Get "http://IP:8080/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      "False",
    ]);
    expect(await said({ ...get(), timeoutSeconds: 2 }, slow)).toEqual([undefined, "True"]);
    // To be connected is enough for TCP.
    expect(await said({ tcpSocket: { port: 8080 } }, slow)).toEqual([undefined, "True"]);
    expect(await said({ grpc: { port: 8080 } }, slow)).toEqual([
      "Readiness probe failed: timeout: health rpc did not complete within 1s",
      "False",
    ]);
  });

  it("ask a gRPC server for the health of a service", async () => {
    const grpc = { "": "SERVING", orders: "NOT_SERVING" };
    const ask = (service?: string, port = 8080) => said({ grpc: { port, service } }, { grpc });
    expect(await ask()).toEqual([undefined, "True"]);
    expect((await ask("orders"))[0]).toBe(
      'Readiness probe failed: service unhealthy (responded with "NOT_SERVING")',
    );
    expect((await ask("other"))[0]).toBe(
      "Readiness probe failed: error: health rpc probe failed: rpc error: code = NotFound desc = unknown service",
    );
    expect((await ask("", 9))[0]).toBe(
      'Readiness probe failed: timeout: failed to connect service "IP:9" within 1s: context deadline exceeded',
    );
  });

  it("cannot run without a port: that is no failure of the container", async () => {
    expect(await said(get({ port: "http" }))).toEqual([
      'Readiness probe errored and resulted in unknown state: strconv.Atoi: parsing "http": invalid syntax',
      "False",
    ]);
    const ports = [{ name: "http", containerPort: 8080 }];
    expect(await said(get({ port: "http" }), {}, { ports })).toEqual([undefined, "True"]);
  });

  it("come from the node: its loopback address is not the Pod's", async () => {
    const local = get({ host: "127.0.0.1" });
    expect((await said(local))[0]).toBe(
      'Readiness probe failed: Get "http://127.0.0.1:8080/healthz": dial tcp 127.0.0.1:8080: connect: connection refused',
    );
    expect(await said(local, {}, {}, { hostNetwork: true })).toEqual([undefined, "True"]);
  });

  it("run a command: its output is the message, its variables are the container's", async () => {
    const exec = (script: string, more: Partial<Probe> = {}) => ({
      exec: { command: ["sh", "-c", script] },
      ...more,
    });
    const shell = { shell: true };
    const env = [{ name: "WORD", value: "down" }];
    expect(await said(exec("echo out; echo $(WORD) >&2; exit 1"), shell, { env })).toEqual([
      "Readiness probe failed: out\ndown\n",
      "False",
    ]);
    expect((await said(exec("sleep 5"), shell))[0]).toBe(
      'Readiness probe failed: command timed out: "sh -c sleep 5" timed out after 1s',
    );
    expect((await said(exec("true"), { shell: false }))[0]).toMatch(
      /^Readiness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in \$PATH: unknown$/,
    );
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

  it("say nothing more of a container that has started", async () => {
    const told = await work("startup", {}, [], [running(false), running(true), ended(1)]);
    expect(told).toEqual(["c1 Unknown", "probe", "c1 Success"]);
  });

  it("end with a container that is not started again", async () => {
    const once = ["c1 Success", "c1 Failure", "c1 gone"];
    const onFailure = { restartPolicy: "OnFailure" };
    expect(await work("liveness", onFailure, [], [ended(0)])).toEqual(once);
    expect(await work("liveness", { restartPolicy: "Never" }, [], [ended(1)])).toEqual(once);
    const again = await work("liveness", onFailure, [], [ended(1)]);
    expect(again.slice(0, 3)).toEqual(["c1 Success", "c1 Failure", "c1 Failure"]);
    const restartPolicyRules = [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }];
    const byRule = { restartPolicy: "Never", restartPolicyRules };
    expect(await work("liveness", byRule, [], [ended(42)])).not.toContain("c1 gone");
  });
});
