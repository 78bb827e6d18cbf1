import { describe, expect, it } from "vitest";
import { Pod } from "../../../sim/src/api/kinds/pod.ts";
import { condition, World } from "./world.ts";

describe("a Pod's life on a node", () => {
  it("goes from Pending over a network to Ready, in upstream's order", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", {}]);
    await world.run(10);
    const states = world.history.map(({ pod }) => {
      const ready = condition(pod, "Ready");
      return `${pod.status?.phase} ${condition(pod, "PodReadyToStartContainers")} ${ready}`;
    });
    expect(states.slice(1)).toEqual([
      "Pending False False",
      "Pending True False",
      "Running True True",
    ]);
    expect(world.reasons()).toEqual(["Pulling", "Pulled", "Created", "Started"]);
    expect(world.pod()?.status?.podIP).toMatch(/^10\.244\.0\./);
    expect(world.pod()?.status?.containerStatuses?.[0]?.containerID).toMatch(
      /^containerd:\/\/[0-9a-f]{64}$/,
    );
  });

  it("makes the network namespace, then CNI ADD, then pause (misconceptions 36 and 40)", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", {}]);
    await world.run(10);
    const seen = [...world.kernel.trace]
      .filter(({ actor }) => actor === "containerd/node-1")
      .map(({ verb, subject }) => `${verb} ${subject}`);
    expect(seen.slice(0, 6)).toEqual([
      "container network namespace",
      "cni ADD loopback",
      "cni ADD bridge",
      "cni ADD host-local",
      "cni ADD portmap",
      "container start pause",
    ]);
    // The kubelet makes CRI calls alone; the runtime executes the plugins.
    expect(world.entries("cni").every(({ actor }) => actor.startsWith("containerd/"))).toBe(true);
  });

  it("ends gracefully: TERM, last state, then the object goes", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", {}]);
    await world.run(10);
    await world.do((client) => client.delete(Pod, "default", "web"));
    await world.run(5);
    expect(world.pod()).toBeUndefined();
    expect(world.reasons()).toContain("Killing");
    expect(world.history.at(-1)?.pod.status?.phase).toBe("Succeeded");
    const terms = world.entries("container").map(({ subject }) => subject);
    expect(terms.indexOf("TERM app")).toBeLessThan(terms.indexOf("stop pause"));
  });

  it("takes the whole grace period for a shell, which ignores TERM as process 1", async () => {
    const world = new World();
    await world.run(2);
    const command = ["sh", "-c", "sleep 3600"];
    const containers = [{ name: "app", image: "busybox:1.36", command }];
    await world.create(["web", { containers, terminationGracePeriodSeconds: 8 }]);
    await world.run(10);
    const from = world.kernel.now();
    await world.do((client) => client.delete(Pod, "default", "web"));
    await world.run(20);
    expect(world.pod()).toBeUndefined();
    const last = world.history.at(-1)!;
    expect(last.pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(137);
    expect(last.atMs - from).toBeGreaterThan(8000);
  });

  it("puts variables into a command: known ones, and only those", async () => {
    const world = new World();
    await world.run(2);
    const container = {
      name: "app",
      image: "busybox:1.36",
      env: [{ name: "CODE", value: "7" }],
      command: ["sh", "-c"],
      args: ["sleep 1; exit $(CODE) # $$(CODE) $(OTHER)"],
    };
    await world.create(["web", { containers: [container], restartPolicy: "Never" }]);
    await world.run(10);
    const { state } = world.pod()!.status!.containerStatuses![0]!;
    expect(state?.terminated?.exitCode).toBe(7);
    const made = world.entries("cri").find(({ subject }) => subject.startsWith("CreateContainer"));
    expect(JSON.stringify(made?.detail)).toContain("exit 7 # $(CODE) $(OTHER)");
  });

  it("restarts what crashes, at once and then after 10 s, 20 s", async () => {
    const world = new World();
    await world.run(2);
    const containers = [{ name: "app", image: "busybox:1.36", command: ["false"] }];
    await world.create(["web", { containers }]);
    await world.run(50);
    const status = world.pod()?.status?.containerStatuses?.[0];
    expect(status?.restartCount).toBe(3);
    expect(status?.state?.waiting?.reason).toBe("CrashLoopBackOff");
    expect(status?.state?.waiting?.message).toMatch(
      /^back-off 40s restarting failed container=app pod=web_default\(/,
    );
    expect(status?.lastState?.terminated?.exitCode).toBe(1);
    expect(world.message("BackOff")).toMatch(
      /^Back-off restarting failed container app in pod web_default\(/,
    );
  });

  it("backs off from an image that is not there", async () => {
    const world = new World();
    await world.run(2);
    const containers = [{ name: "app", image: "nginx:no-such-tag" }];
    await world.create(["web", { containers }]);
    await world.run(8);
    const status = world.pod()?.status?.containerStatuses?.[0];
    expect(["ErrImagePull", "ImagePullBackOff"]).toContain(status?.state?.waiting?.reason);
    expect(world.message("Failed")).toBe(
      'Failed to pull image "nginx:no-such-tag": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:no-such-tag": failed to resolve image: docker.io/library/nginx:no-such-tag: not found',
    );
    expect(world.pod()?.status?.phase).toBe("Pending");
    // After the second try, at about 12 s, it waits for 20 s, and says so before it tries again.
    await world.run(22);
    const reason = world.pod()?.status?.containerStatuses?.[0]?.state?.waiting?.reason;
    expect(reason).toBe("ImagePullBackOff");
    expect(world.entries("image").length).toBe(2);
  });

  it("says why a container cannot start, in the runtime's own words", async () => {
    const bare = { name: "bare", shell: false, ports: [80] };
    const world = new World({ images: [bare] });
    await world.run(2);
    const containers = [{ name: "app", image: "bare:1", command: ["sh"] }];
    await world.create(["web", { containers }]);
    await world.run(8);
    const why =
      'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "sh": executable file not found in $PATH: unknown';
    expect(world.message("Failed")).toBe(`Error: ${why}`);
    const [status] = world.pod()?.status?.containerStatuses ?? [];
    const ended = { exitCode: 128, reason: "StartError", message: why };
    expect(status?.lastState?.terminated ?? status?.state?.terminated).toMatchObject(ended);
    const cri = world.entries("cri").find(({ subject }) => subject === "RunPodSandbox");
    const uid = world.pod()?.metadata.uid?.replaceAll("-", "_");
    expect(JSON.stringify(cri?.detail)).toContain(
      `"cgroup_parent":"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod${uid}.slice"`,
    );
  });

  it("runs init containers one by one, then sidecars, then the rest", async () => {
    const world = new World();
    await world.run(2);
    const initContainers = [
      { name: "first", image: "busybox:1.36", command: ["sleep", "2"] },
      { name: "side", image: "nginx:1.27", restartPolicy: "Always" },
    ];
    await world.create(["web", { initContainers }]);
    await world.run(20);
    const started = world
      .entries("container")
      .map(({ subject }) => subject)
      .filter((subject) => /^(start|exit) (first|side|app)/.test(subject));
    expect(started).toEqual(["start first", "exit first", "start side", "start app"]);
    expect(condition(world.pod(), "Ready")).toBe("True");
  });

  it("finishes a Pod that shall not restart", async () => {
    const world = new World();
    await world.run(2);
    const containers = [
      { name: "app", image: "busybox:1.36", command: ["sh", "-c", "echo hi; exit 3"] },
    ];
    await world.create(["web", { containers, restartPolicy: "Never" }]);
    await world.run(10);
    const { phase, containerStatuses } = world.pod()?.status ?? {};
    expect(phase).toBe("Failed");
    expect(containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 3,
      reason: "Error",
    });
  });

  it("kills what takes more memory than its limit", async () => {
    const world = new World();
    await world.run(2);
    const container = { name: "app", image: "polinux/stress:1.0", command: ["stress"] };
    const args = ["--vm", "1", "--vm-bytes", "250M"];
    const resources = { limits: { memory: "100Mi" } };
    await world.create([
      "web",
      { containers: [{ ...container, args, resources }], restartPolicy: "Never" },
    ]);
    await world.run(10);
    const ended = world.pod()?.status?.containerStatuses?.[0]?.state?.terminated;
    expect(ended).toMatchObject({ exitCode: 137, reason: "OOMKilled" });
  });

  it("rejects a Pod that does not fit", async () => {
    const world = new World();
    await world.run(2);
    const resources = { requests: { cpu: "3" } };
    const containers = [{ name: "app", image: "nginx:1.27", resources }];
    await world.create(["web", { containers }], ["second", { containers }]);
    await world.run(10);
    expect(world.pod("second")?.status).toMatchObject({ phase: "Failed", reason: "OutOfcpu" });
    expect(world.message("OutOfcpu")).toBe(
      "Node didn't have enough resource: cpu, requested: 3000, used: 3000, capacity: 4000",
    );
    expect(condition(world.pod("web"), "Ready")).toBe("True");
  });

  it("waits for a ConfigMap that a container needs", async () => {
    const world = new World();
    await world.run(2);
    const envFrom = [{ configMapRef: { name: "settings" } }];
    await world.create(["web", { containers: [{ name: "app", image: "nginx:1.27", envFrom }] }]);
    await world.run(10);
    const waiting = world.pod()?.status?.containerStatuses?.[0]?.state?.waiting;
    expect(waiting).toMatchObject({
      reason: "CreateContainerConfigError",
      message: 'configmap "settings" not found',
    });
  });
});

describe("a Pod with a deadline", () => {
  it("fails when it is active for longer", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", { activeDeadlineSeconds: 10 }]);
    await world.run(20);
    expect(world.pod()?.status).toMatchObject({ phase: "Failed", reason: "DeadlineExceeded" });
    expect(world.message("DeadlineExceeded")).toBe(
      "Pod was active on the node longer than the specified deadline",
    );
  });
});

describe("a Pod whose object is deleted by force", () => {
  it("still has its containers killed", async () => {
    const world = new World();
    await world.run(2);
    await world.create(["web", {}]);
    await world.run(10);
    const options = { gracePeriodSeconds: 0 };
    await world.do((client) => client.delete(Pod, "default", "web", options));
    expect(world.pod()).toBeUndefined();
    await world.run(5);
    const ended = world.entries("container").map(({ subject }) => subject);
    expect(ended).toContain("exit app");
    expect(ended).toContain("stop pause");
  });
});
