import { describe, expect, it } from "vitest";
import { makeNodeHost, type RuntimeKind } from "../../../sim/src/cri/node-host.ts";
import { ImageRegistry } from "../../../sim/src/cri/workload/registry.ts";
import { Kernel } from "../../../sim/src/kernel/index.ts";

const CONFLIST = JSON.stringify({
  cniVersion: "1.0.0",
  name: "podnet",
  plugins: [
    {
      type: "bridge",
      isGateway: true,
      ipam: { type: "host-local", ranges: [[{ subnet: "10.244.1.0/24" }]] },
    },
  ],
});

/** What the runtime does for one sandbox, step by step. */
async function stepsOf(runtime: RuntimeKind): Promise<string[]> {
  const kernel = new Kernel();
  const files = { "/etc/cni/net.d/10.conflist": CONFLIST };
  const host = makeNodeHost({ kernel, node: "n1", registry: new ImageRegistry(), runtime, files });
  const metadata = { name: "web", namespace: "shop", uid: "u1" };
  kernel.spawn("kubelet/n1", async () => {
    await host.runtime.runPodSandbox({ config: { metadata } });
  });
  await kernel.run();
  return [...kernel.trace]
    .filter(
      ({ actor, verb }) => actor === `${runtime}/n1` && (verb === "container" || verb === "cni"),
    )
    .map(({ subject }) => subject);
}

describe("the same Pod on three runtimes", () => {
  it("containerd: namespace, network, then pause", async () => {
    expect(await stepsOf("containerd")).toEqual([
      ...["network namespace", "ADD loopback", "ADD bridge", "ADD host-local", "start pause"],
    ]);
  });

  it("CRI-O: namespaces pinned, network, and no pause at all", async () => {
    expect(await stepsOf("crio")).toEqual([
      ...["create storage", "pin namespaces", "network namespace"],
      ...["ADD loopback", "ADD bridge", "ADD host-local", "no pause container"],
    ]);
  });

  it("cri-dockerd: pause first, its network afterwards", async () => {
    expect(await stepsOf("docker")).toEqual([
      ...["docker create", "docker start", "rewrite resolv.conf", "network namespace"],
      ...["ADD loopback", "ADD bridge", "ADD host-local"],
    ]);
  });
});
