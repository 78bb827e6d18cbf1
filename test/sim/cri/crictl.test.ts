import { describe, expect, it } from "vitest";
import { crictlOn } from "../../../sim/src/cluster/crictl.ts";
import { ago, columns, humanSize } from "../../../sim/src/cri/crictl/text.ts";
import { createSession } from "../../../sim/src/index.ts";
import { World } from "../kubelet/world.ts";

interface Answer {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

async function crictl(world: World, ...argv: string[]): Promise<Answer> {
  const out: string[] = [];
  const err: string[] = [];
  let code = -1;
  const { kernel, cluster } = world;
  const host = cluster.hosts[0]!;
  await world.do(async () => {
    const print = (text: string) => out.push(text);
    code = await crictlOn(kernel, host, argv, print, (text) => err.push(text));
  });
  return { out: out.join("\n"), err: err.join("\n"), code };
}

async function worldWithPod(): Promise<World> {
  const world = new World();
  await world.run(2);
  const command = ["sh", "-c", "echo hello; echo again; touch /tmp/ready; sleep 3600"];
  await world.create(["web", { containers: [{ name: "app", image: "busybox:1.36", command }] }]);
  await world.run(78);
  return world;
}

describe("crictl", () => {
  it("shows Pods, containers and images as tables", async () => {
    const world = await worldWithPod();
    const { core } = world.cluster.hosts[0]!.runtime;
    const [sandbox] = [...core.sandboxes.keys()];
    const [container] = [...core.containers.values()];
    const pods = (await crictl(world, "pods")).out;
    expect(pods).toBe(
      `${"POD ID".padEnd(20)}CREATED              STATE               NAME                NAMESPACE           ATTEMPT             RUNTIME\n` +
        `${sandbox!.slice(0, 13)}       About a minute ago   Ready               web                 default             0                   (default)`,
    );
    const ps = (await crictl(world, "ps")).out.split("\n");
    expect(ps[0]!.split(/\s{2,}/)).toEqual([
      ...["CONTAINER", "IMAGE", "CREATED", "STATE", "NAME", "ATTEMPT", "POD ID", "POD"],
      "NAMESPACE",
    ]);
    expect(ps[1]!.split(/\s{2,}/)).toEqual([
      container!.id.slice(0, 13),
      container!.imageId.slice("sha256:".length).slice(0, 13),
      ...["About a minute ago", "Running", "app", "0", sandbox!.slice(0, 13), "web", "default"],
    ]);
    const images = (await crictl(world, "images")).out.split("\n");
    expect(images.map((line) => line.split(/\s{2,}/).toSpliced(2, 1))).toEqual([
      ["IMAGE", "TAG", "SIZE"],
      ["docker.io/library/busybox", "1.36", "2MB"],
      ["registry.k8s.io/pause", "3.10.2", "320kB"],
    ]);
    expect((await crictl(world, "pods", "-q")).out).toBe(sandbox);
    expect((await crictl(world, "pods", "--name", "other", "-q")).out).toBe("");
  });

  it("inspects by the first digits of an id", async () => {
    const world = await worldWithPod();
    const [id] = (await crictl(world, "ps", "-q")).out.split("\n");
    const { status } = JSON.parse((await crictl(world, "inspect", id!.slice(0, 5))).out);
    expect(status).toMatchObject({
      id,
      metadata: { name: "app" },
      state: "CONTAINER_RUNNING",
      finishedAt: "0001-01-01T00:00:00Z",
      labels: { "io.kubernetes.pod.name": "web" },
    });
    expect(status.startedAt).toMatch(/^2026-01-01T00:00:0\d\.\d+Z$/);
    expect(status.logPath).toMatch(/^\/var\/log\/pods\/default_web_.*\/app\/0\.log$/);
    const [pod] = (await crictl(world, "pods", "-q")).out.split("\n");
    const sandbox = JSON.parse((await crictl(world, "inspectp", pod!)).out);
    expect(sandbox.status.network.ip).toMatch(/^10\.244\.0\./);
    const image = JSON.parse((await crictl(world, "inspecti", "busybox:1.36")).out);
    expect(image.status.repoTags).toEqual(["docker.io/library/busybox:1.36"]);
  });

  it("reads logs and runs commands", async () => {
    const world = await worldWithPod();
    const [id] = (await crictl(world, "ps", "-q")).out.split("\n");
    expect((await crictl(world, "logs", id!)).out).toBe("hello\nagain");
    expect((await crictl(world, "logs", "--tail", "1", id!)).out).toBe("again");
    expect(await crictl(world, "exec", id!, "sh", "-c", "echo -n; cat /tmp/ready")).toMatchObject({
      code: 0,
    });
    expect((await crictl(world, "exec", id!, "false")).err).toMatch(
      /level=fatal msg="execing command in container: command terminated with exit code 1"$/,
    );
  });

  it("stops a container, which the kubelet starts again", async () => {
    const world = await worldWithPod();
    const [id] = (await crictl(world, "ps", "-q")).out.split("\n");
    expect((await crictl(world, "stop", id!)).out).toBe(id);
    await world.run(10);
    expect(world.pod()?.status?.containerStatuses?.[0]?.restartCount).toBe(1);
    const all = (await crictl(world, "ps", "-a")).out.split("\n").slice(1);
    expect(all.map((line) => line.split(/\s{2,}/)[3])).toEqual(["Running", "Exited"]);
    const calls = world.entries("cri").filter(({ actor }) => actor === "crictl/node-1");
    expect(calls.map(({ subject }) => subject)).toContain("StopContainer");
  });

  it("tells of the runtime and of its disk, with sorted keys", async () => {
    const world = await worldWithPod();
    const info = (await crictl(world, "info")).out;
    const shown = JSON.parse(info);
    expect(Object.keys(shown)).toEqual([
      ...["features", "lastCNILoadStatus", "lastCNILoadStatus.default"],
      ...["runtimeHandlers", "status"],
    ]);
    expect(shown.lastCNILoadStatus).toBe("OK");
    expect(shown.runtimeHandlers).toEqual([
      { features: { recursive_read_only_mounts: true } },
      { features: { recursive_read_only_mounts: true }, name: "runc" },
    ]);
    expect(info).toContain(`      {
        "message": "",
        "reason": "",
        "status": true,
        "type": "NetworkReady"
      }`);
    expect(JSON.parse((await crictl(world, "info", "-q")).out)).not.toHaveProperty(
      "lastCNILoadStatus",
    );
    const { status } = JSON.parse((await crictl(world, "imagefsinfo")).out);
    const used = world.cluster.hosts[0]!.runtime.core.images.usedBytes();
    expect(status.imageFilesystems).toMatchObject([
      {
        fsId: { mountpoint: "/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs" },
        usedBytes: { value: String(used) },
      },
    ]);
    expect(status.imageFilesystems[0].timestamp).toMatch(/^176722\d{13}$/);
  });

  it("says why there is no network, in info", async () => {
    const files = [{ path: "/etc/cni/net.d/10-podnet.conflist" }];
    const world = new World({ nodes: [{ files }] });
    await world.run(2);
    const { lastCNILoadStatus, status } = JSON.parse((await crictl(world, "info")).out);
    expect(lastCNILoadStatus).toBe(
      "cni config load failed: no network config found in /etc/cni/net.d: cni plugin not initialized: failed to load cni config",
    );
    expect(status.conditions[1]).toEqual({
      ...{ type: "NetworkReady", status: false, reason: "NetworkPluginNotReady" },
      message: "Network plugin returns error: cni plugin not initialized",
    });
  });

  it("chooses by label, image, id and age", async () => {
    const world = await worldWithPod();
    await world.create(["late", { containers: [{ name: "app", image: "nginx:1.27" }] }]);
    await world.run(10);
    const names = async (...argv: string[]) => {
      const { out } = await crictl(world, ...argv);
      const rows = out.split("\n").slice(1);
      return rows.map((line) => line.split(/\s{2,}/).at(argv[0] === "pods" ? 3 : 7));
    };
    expect(await names("pods")).toEqual(["late", "web"]);
    expect(await names("pods", "--latest")).toEqual(["late"]);
    expect(await names("pods", "-n", "2")).toEqual(["late", "web"]);
    expect(await names("pods", "--label", "io.kubernetes.pod.name=web")).toEqual(["web"]);
    expect(await names("pods", "--label", "nobody")).toEqual([]);
    expect(await names("ps", "--image", "nginx:1.27")).toEqual(["late"]);
    expect(await names("ps", "--image", "nobody")).toEqual([]);
    const [id = ""] = (await crictl(world, "ps", "-q", "--name", "app")).out.split("\n");
    expect(await names("ps", "--id", id.slice(0, 9))).toEqual(["late"]);
    await crictl(world, "stop", id);
    expect(await names("ps", "-l")).toHaveLength(1);
    expect((await crictl(world, "img")).out).toBe((await crictl(world, "images")).out);
    const { err, code } = await crictl(world, "start", id);
    expect(code).toBe(1);
    expect(err).toContain("container is in CONTAINER_EXITED state");
  });

  it("removes and pulls images", async () => {
    const world = await worldWithPod();
    expect((await crictl(world, "pull", "nginx:1.29")).out).toMatch(
      /^Image is up to date for sha256:[0-9a-f]{64}$/,
    );
    expect((await crictl(world, "rmi", "nginx:1.29")).out).toBe(
      "Deleted: docker.io/library/nginx:1.29",
    );
    expect((await crictl(world, "rmi", "nginx:1.29")).err).toMatch(/no such image nginx:1\.29/);
  });

  it("removes nothing that runs, unless it is forced to", async () => {
    const world = await worldWithPod();
    world.cluster.stop("kubelet/node-1");
    const [id = ""] = (await crictl(world, "ps", "-q")).out.split("\n");
    const [pod = ""] = (await crictl(world, "pods", "-q")).out.split("\n");
    expect(await crictl(world, "rm", id)).toMatchObject({
      err: expect.stringMatching(
        new RegExp(`msg="container \\\\"${id}\\\\" is running, please stop it first"$`),
      ),
      code: 1,
    });
    expect((await crictl(world, "rm", "-f", id)).out).toBe(`${id}\n${id}`);
    expect((await crictl(world, "ps", "-aq")).out).toBe("");
    expect((await crictl(world, "rmp", pod)).err).toContain("is running, please stop it first");
    expect((await crictl(world, "rmp", "-a", "--force")).out).toBe(
      `Stopped sandbox ${pod}\nRemoved sandbox ${pod}`,
    );
    expect((await crictl(world, "pods", "-q")).out).toBe("");
    await crictl(world, "pull", "nginx:1.29");
    // The pause image is pinned.
    expect((await crictl(world, "rmi", "--prune")).out.split("\n")).toEqual([
      "Deleted: docker.io/library/busybox:1.36",
      "Deleted: docker.io/library/nginx:1.29",
    ]);
  });

  it("prints what a command says of errors apart", async () => {
    const world = await worldWithPod();
    const [id = ""] = (await crictl(world, "ps", "-q")).out.split("\n");
    const { out, err } = await crictl(world, "exec", id, "sh", "-c", "echo good; cat /none");
    expect(out).toBe("good");
    expect(err.split("\n")[0]).toBe("cat: can't open '/none': No such file or directory");
  });

  it("says what it does not know, or cannot reach", async () => {
    const world = await worldWithPod();
    expect(await crictl(world, "jump")).toMatchObject({ code: 1 });
    expect((await crictl(world, "inspect", "none")).err).toMatch(
      /level=fatal msg="rpc error: code = NotFound desc = an error occurred when try to find container \\"none\\": not found"$/,
    );
    world.cluster.stop("containerd/node-1");
    expect((await crictl(world, "ps")).err).toMatch(/code = Unavailable/);
  });

  it("is an input of a scenario", async () => {
    const lines: string[] = [];
    const session = createSession({
      seed: 1,
      scenario: {
        nodes: 1,
        untilMs: 8_000,
        inputs: [
          { atMs: 5_000, do: "crictl", node: "node-1", line: "images -q" },
          { atMs: 5_000, do: "crictl", node: "node-9", line: "ps" },
        ],
      },
      onOutput: ({ from, text }) => lines.push(`${from}: ${text}`),
    });
    await session.run();
    expect(lines[0]).toBe("crictl: there is no node node-9");
    expect(lines[1]).toMatch(/^crictl: sha256:[0-9a-f]{64}$/);
  });
});

describe("how crictl writes", () => {
  it("fills columns up to 20, or to 3 beyond the longest", () => {
    const wide = "x".repeat(25);
    expect(
      columns([
        ["A", "B", "C"],
        ["1", wide, "2"],
      ]),
    ).toBe(`${"A".padEnd(20)}${"B".padEnd(28)}C\n${"1".padEnd(20)}${wide}   2`);
  });

  it("rounds ages and sizes as Docker does", () => {
    const seconds = [0.4, 1, 59, 60, 119, 120, 3599, 5400, 7200, 180_000];
    expect(seconds.map((s) => ago(s * 1000))).toEqual([
      "Less than a second ago",
      "1 second ago",
      "59 seconds ago",
      "About a minute ago",
      "About a minute ago",
      "2 minutes ago",
      "59 minutes ago",
      "2 hours ago",
      "2 hours ago",
      "2 days ago",
    ]);
    expect([0, 999, 72_000_000, 1_234_567_890].map((n) => humanSize(n))).toEqual([
      "0B",
      "999B",
      "72MB",
      "1.23GB",
    ]);
  });
});
