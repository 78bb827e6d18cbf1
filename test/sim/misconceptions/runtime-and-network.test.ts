/** What readers get wrong about runtime and network; ids of content/misconceptions.yaml. */
import { describe, expect, it } from "vitest";
import { list, obj } from "../../../sim/src/api/kinds/access.ts";
import { isReady, pod, status, world } from "./world.ts";

const conflist = (name: string, cniVersion = "1.1.0") =>
  JSON.stringify({
    cniVersion,
    name,
    plugins: [
      {
        type: "bridge",
        bridge: "cni0",
        isGateway: true,
        ipam: { type: "host-local", ranges: [[{ subnet: "10.244.0.0/24" }]] },
      },
    ],
  });
const USUAL = "/etc/cni/net.d/10-podnet.conflist";

/** A node with one Pod that is Ready. */
async function running(files: { path: string; text?: string }[] = []) {
  const w = world({ nodes: [{ files }] });
  await w.until(5);
  await w.apply(pod("web"));
  await w.more(15);
  expect(isReady(w.object("pods", "web")!)).toBe(true);
  return w;
}

describe("runtime and network", () => {
  it("kubelet-calls-cni: the runtime executes every plugin, the kubelet none", async () => {
    const w = await running();
    const actors = new Set(w.entries("cni").map(({ actor }) => actor));
    expect(actors).toEqual(new Set(["containerd/node-1"]));
  });

  it("container-is-a-vm: the node's kernel kills a process of one Pod for what another takes", async () => {
    const [leak, big] = ["registry.example/leak", "registry.example/big"];
    const images = [
      { name: leak, memoryBytes: 1_000_000, memoryGrowthBytesPerSecond: 50_000_000 },
      { name: big, memoryBytes: 600_000_000 },
    ];
    const kubelet = { evictionHard: {} };
    const w = world({ nodes: [{ memory: "1Gi", kubelet }], images });
    await w.until(5);
    await w.apply(pod("leak").replace("nginx", leak));
    await w.apply(pod("big").replace("nginx", big));
    await w.more(20);
    const killed = w.entries("container").find(({ subject }) => subject.startsWith("OOM kill"));
    expect(killed?.actor).toBe("containerd/node-1");
    const restarts = (name: string) =>
      list(status(w.object("pods", name)).containerStatuses)[0]?.restartCount;
    // The biggest one goes, which is not the one that grows.
    expect([restarts("leak"), restarts("big")]).toEqual([0, 1]);
  });

  it("docker-images-end: one image runs on all three runtimes, Docker Engine among them", async () => {
    const runtimes = ["containerd", "crio", "docker"] as const;
    const w = world({ nodes: runtimes.map((runtime) => ({ name: runtime, runtime })) });
    await w.until(5);
    for (const node of runtimes) await w.apply(pod(`web-${node}`, `nodeName: ${node}`));
    await w.more(15);
    for (const node of runtimes) expect(isReady(w.object("pods", `web-${node}`)!)).toBe(true);
    const pulled = w.entries("image").map(({ actor, subject }) => `${actor} ${subject}`);
    const image = "pull docker.io/library/nginx:1.27";
    expect(pulled.toSorted()).toEqual(runtimes.map((node) => `${node}/${node} ${image}`));
  });

  it("cni-is-grpc: a plugin gets variables and JSON, answers JSON, and exits", async () => {
    const w = await running();
    const add = w.entries("cni").find(({ subject }) => subject === "ADD bridge");
    const { env, stdin, stdout, exit } = obj(add?.detail);
    expect(env).toMatchObject({ CNI_COMMAND: "ADD", CNI_IFNAME: "eth0" });
    expect(obj(stdin)).toMatchObject({ type: "bridge" });
    expect(JSON.stringify(stdout)).toContain("10.244.0.");
    expect(exit).toBe(0);
  });

  it("check-keeps-healthy: CHECK is never called, STATUS again and again", async () => {
    const w = await running([{ path: USUAL, text: conflist("podnet") }]);
    await w.until(300);
    const verbs = w.entries("cni").map(({ subject }) => subject.split(" ")[0]);
    expect(verbs).not.toContain("CHECK");
    expect(verbs.filter((verb) => verb === "STATUS").length).toBeGreaterThan(5);
  });

  it("every-conflist: only the first file by name applies", async () => {
    const w = await running([
      { path: "/etc/cni/net.d/20-late.conflist", text: conflist("late") },
      { path: "/etc/cni/net.d/05-early.conflist", text: conflist("early") },
    ]);
    const adds = w.entries("cni").filter(({ subject }) => subject === "ADD bridge");
    const names = adds.map(({ detail }) => obj(obj(detail).stdin).name);
    expect(new Set(names)).toEqual(new Set(["early"]));
  });

  it("pause-first: the network is there before any container starts, pause too", async () => {
    const w = await running();
    const network = w.entries("cni").find(({ subject }) => subject === "ADD bridge");
    const started = w.entries("container").filter(({ subject }) => /^start/.test(subject));
    expect(started.length).toBeGreaterThan(0);
    for (const { id } of started) expect(id).toBeGreaterThan(network!.id);
  });

  it("flanneld-carries: with every flanneld stopped, packets arrive as before", async () => {
    const w = world({ nodes: 2, network: "flannel" });
    await w.until(5);
    const port = "ports: [{ containerPort: 80 }]";
    await w.apply(
      `${pod("web", "nodeName: node-1", port)}---\n${pod("client", "nodeName: node-2")}`,
    );
    await w.more(20);
    for (const node of ["node-1", "node-2"]) w.cluster.stop(`flanneld/${node}`);
    await w.more(60);
    const input = { atMs: 0, do: "connect", from: "pod client", to: "pod web:80" } as const;
    expect((await w.act(() => w.cluster.traffic.connect(input))).ok).toBe(true);
  });

  it("flannel-policy: the policy is accepted without a word, and whom it forbids gets through", async () => {
    const nobody = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: nobody }
spec: { podSelector: {}, policyTypes: [Ingress] }
`;
    const reached: Record<string, boolean> = {};
    for (const network of ["flannel", "calico"] as const) {
      const w = world({ nodes: 2, network });
      await w.until(5);
      const port = "ports: [{ containerPort: 80 }]";
      await w.apply(
        `${pod("web", "nodeName: node-1", port)}---\n${pod("client", "nodeName: node-2")}`,
      );
      expect(await w.apply(nobody)).toBe("networkpolicy.networking.k8s.io/nobody created");
      await w.more(20);
      const told = w.objects("events").filter((event) => /polic/i.test(JSON.stringify(event)));
      expect(told).toEqual([]);
      const input = { atMs: 0, do: "connect", from: "pod client", to: "pod web:80" } as const;
      reached[network] = (await w.act(() => w.cluster.traffic.connect(input))).ok;
    }
    expect(reached).toEqual({ flannel: true, calico: false });
  });

  /** web on node-1, client on node-2, and these policies' specs. */
  async function reached(network: "calico" | "cilium", policies: readonly string[]) {
    const w = world({ nodes: 2, network });
    await w.until(5);
    const port = "ports: [{ containerPort: 80 }]";
    const pods = [pod("web", "nodeName: node-1", port), pod("client", "nodeName: node-2")];
    const objects = policies.map(
      (spec, i) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: p${i} }
spec: ${spec}
`,
    );
    await w.apply([...pods, ...objects].join("---\n"));
    await w.more(20);
    const input = { atMs: 0, do: "connect", from: "pod client", to: "pod web:80" } as const;
    const { ok } = await w.act(() => w.cluster.traffic.connect(input));
    return { ok, packets: w.entries("packet").map(({ detail }) => obj(detail)) };
  }

  it.each(["calico", "cilium"] as const)(
    "policy-denies: %s lets in what one policy allows, whatever another leaves closed",
    async (network) => {
      const nobody = "{ podSelector: {}, policyTypes: [Ingress] }";
      const anybody = "{ podSelector: {}, policyTypes: [Ingress], ingress: [{}] }";
      expect((await reached(network, [nobody])).ok).toBe(false);
      expect((await reached(network, [nobody, anybody])).ok).toBe(true);
      expect((await reached(network, [anybody, nobody])).ok).toBe(true);
    },
  );

  it.each(["calico", "cilium"] as const)(
    "policy-answers: %s lets web answer, though it may send nothing by itself",
    async (network) => {
      const silent = "{ podSelector: { matchLabels: { app: web } }, policyTypes: [Egress] }";
      expect((await reached(network, [silent])).ok).toBe(true);
      const all = "{ podSelector: {}, policyTypes: [Egress] }";
      expect((await reached(network, [all])).ok).toBe(false);
    },
  );

  it("calico-wraps-nothing: unless told otherwise, packets between nodes travel in IPIP", async () => {
    const { packets } = await reached("calico", []);
    const wrapped = packets.map(({ after }) => obj(after)).filter(({ inner }) => inner);
    expect(wrapped.length).toBeGreaterThan(0);
    for (const { protocol } of wrapped) expect(protocol).toBe("ipip");
  });

  it("cni-plugins-run-on: every execution has ended by the time the Pod is Ready", async () => {
    const w = await running();
    const exits = w.entries("cni").map(({ detail }) => obj(detail).exit);
    expect(exits.length).toBeGreaterThan(2);
    expect(new Set(exits)).toEqual(new Set([0]));
  });
});
