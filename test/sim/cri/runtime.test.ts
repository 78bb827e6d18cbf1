import { describe, expect, it } from "vitest";
import { makeNodeHost } from "../../../sim/src/cri/node-host.ts";
import { parseReference } from "../../../sim/src/cri/workload/image.ts";
import { ImageRegistry } from "../../../sim/src/cri/workload/registry.ts";
import { runScript } from "../../../sim/src/cri/workload/shell.ts";
import { Disk } from "../../../sim/src/kernel/disk.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

const METADATA = { name: "web", namespace: "shop", uid: "u1", attempt: 0 };

async function inProcess<T>(kernel: Kernel, body: () => Promise<T>): Promise<T> {
  let answer: { value: T } | { error: unknown } | undefined;
  kernel.spawn("kubelet", async () => {
    try {
      answer = { value: await body() };
    } catch (error) {
      answer = { error };
    }
  });
  await kernel.run({ stopWhen: () => answer !== undefined });
  if (!answer || "error" in answer) throw answer?.error;
  return answer.value;
}

describe("containerd", () => {
  it("is not ready for Pods without a network configuration", async () => {
    const kernel = new Kernel();
    const { runtime } = makeNodeHost({ kernel, node: "n1", registry: new ImageRegistry() });
    const { status } = await runtime.status();
    expect(status.conditions[1]).toEqual({
      type: "NetworkReady",
      status: false,
      reason: "NetworkPluginNotReady",
      message: "Network plugin returns error: cni plugin not initialized",
    });
    const run = inProcess(kernel, () => runtime.runPodSandbox({ config: { metadata: METADATA } }));
    await expect(run).rejects.toThrow(
      /^rpc error: code = Unknown desc = failed to setup network for sandbox "/,
    );
    expect(runtime.core.network.paths()).toEqual([]);
  });

  it("needs no network for a Pod on the node's own", async () => {
    const kernel = new Kernel();
    const { runtime } = makeNodeHost({ kernel, node: "n1", registry: new ImageRegistry() });
    const linux = { security_context: { namespace_options: { network: "NODE" as const } } };
    const config = { metadata: METADATA, linux };
    await inProcess(kernel, () => runtime.runPodSandbox({ config }));
    const { items } = await runtime.listPodSandbox({});
    expect(items[0]?.state).toBe("SANDBOX_READY");
  });
});

describe("image references", () => {
  it("are completed as Docker does", () => {
    expect(parseReference("nginx")).toMatchObject({
      repository: "docker.io/library/nginx",
      tag: "latest",
    });
    expect(parseReference("grafana/loki:3")).toMatchObject({
      repository: "docker.io/grafana/loki",
      tag: "3",
    });
    expect(parseReference("localhost:5000/a/b")).toMatchObject({
      repository: "localhost:5000/a/b",
      tag: "latest",
    });
    expect(parseReference("Not An Image")).toBeUndefined();
  });
});

describe("the small shell", () => {
  function run(script: string, maxMs = 100_000) {
    const lines: string[] = [];
    const files = new Map<string, number>();
    const world = {
      files,
      print: (text: string) => lines.push(text),
      date: () => "now",
      resolves: () => false,
    };
    const steps = runScript(script, world);
    let ms = 0;
    for (;;) {
      const { done, value } = steps.next();
      if (done) return { lines, files, ms, code: value };
      ms += value;
      if (ms > maxMs) return { lines, files, ms, code: undefined };
    }
  }

  it("runs what manifests hold", () => {
    expect(run("echo hello; sleep 5; exit 3")).toMatchObject({
      lines: ["hello"],
      ms: 5000,
      code: 3,
    });
    expect(run("touch /a && cat /a && echo yes || echo no").lines).toEqual(["yes"]);
    expect(run("cat /none || echo no").lines.at(-1)).toBe("no");
    expect(run("nope").code).toBe(127);
  });

  it("goes round and round", () => {
    const { lines, code } = run("while true; do echo tick; sleep 1; done", 3500);
    expect(lines.length).toBe(4);
    expect(code).toBeUndefined();
    expect(run("until nslookup db; do echo waiting; sleep 2; done", 9000).lines[0]).toBe("waiting");
  });
});

describe("a node's disk", () => {
  it("keeps JSON as an object and shows it as text", () => {
    const disk = new Disk();
    disk.write("/a/b.json", { x: 1 });
    expect(disk.read("/a/b.json")).toBe('{"x":1}');
    disk.append("/a/log", "one");
    disk.append("/a/log", "two");
    expect(disk.read("/a/log")).toBe("one\ntwo\n");
    expect(disk.list("/a")).toEqual(["b.json", "log"]);
    disk.removeFolder("/a");
    expect(disk.list("/a")).toEqual([]);
  });
});
