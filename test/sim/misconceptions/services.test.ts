/** What readers get wrong about Services; ids of content/misconceptions.yaml. */
import { describe, expect, it } from "vitest";
import { obj, str } from "../../../sim/src/api/kinds/access.ts";
import { deployment, pod, spec, world } from "./world.ts";

describe("Services", () => {
  it("cluster-ip-listens: no interface has the address, only the nodes' rules know it", async () => {
    const w = world({ nodes: 2, proxy: "iptables" });
    await w.until(5);
    await w.apply(deployment());
    await w.kubectl("expose deployment web --port=80");
    await w.more(20);
    const ip = str(spec(w.object("services", "web")).clusterIP);
    expect(ip).toMatch(/^10\./);
    for (const { network } of w.cluster.hosts) {
      const links = [...network.root.links.values()];
      expect(JSON.stringify(links.map(({ addresses }) => addresses))).not.toContain(ip);
    }
    const rules = w.entries("program").filter(({ detail }) => JSON.stringify(detail).includes(ip));
    expect(new Set(rules.map(({ actor }) => actor))).toEqual(
      new Set(["kube-proxy/node-1", "kube-proxy/node-2"]),
    );
  });

  /** Each interface that saw a packet of the client on node-1, asking web on node-2. */
  async function seen(to: (ip: string) => string) {
    const w = world({ nodes: 2, network: "flannel", proxy: "iptables" });
    await w.until(5);
    const port = "ports: [{ containerPort: 80 }]";
    await w.apply(pod("client", "nodeName: node-1"));
    await w.apply(pod("web", "nodeName: node-2", port));
    await w.kubectl("expose pod web --port=80");
    await w.more(20);
    const ip = str(spec(w.object("services", "web")).clusterIP);
    const input = { atMs: 0, do: "connect", from: "pod default/client", to: to(ip) } as const;
    const { ok, text } = await w.act(() => w.cluster.traffic.connect(input));
    expect(ok, text).toBe(true);
    const hops = w.entries("packet").map(({ detail }) => {
      const { place, way, after, rules } = obj(detail);
      const { src, dst } = obj(obj(after).inner ?? after);
      return { place: str(place), way, src: str(src), dst: str(dst), rules: rules as string[] };
    });
    return { ip, hops };
  }

  it("nodes-nat-pods: a packet between Pods bears the same addresses at every interface", async () => {
    const { hops } = await seen(() => "pod default/web:80");
    for (const way of ["request", "reply"]) {
      const flows = hops.filter((hop) => hop.way === way).map(({ src, dst }) => `${src} ${dst}`);
      expect(flows.length).toBeGreaterThan(4);
      expect(new Set(flows).size).toBe(1);
    }
  });

  it("answers-need-rules: the Service's address comes back on the client's node, by no rule of kube-proxy", async () => {
    const { ip, hops } = await seen((ip) => `${ip}:80`);
    const back = hops.filter(({ way }) => way === "reply");
    const first = back.find(({ src }) => src === `${ip}:80`);
    expect(first?.place).toBe("node node-1");
    const nat = back.flatMap(({ rules }) => rules).filter((rule) => /KUBE-(SVC|SEP)-/.test(rule));
    expect(nat).toEqual([]);
  });

  it("balances-requests: each connection goes to one Pod; another may go elsewhere", async () => {
    const w = world({ nodes: 1, proxy: "iptables" });
    await w.until(5);
    await w.apply(deployment({ replicas: 2, container: "ports: [{ containerPort: 80 }]" }));
    await w.apply(pod("client"));
    await w.kubectl("expose deployment web --port=80");
    await w.more(20);
    const ip = str(spec(w.object("services", "web")).clusterIP);
    const reached = new Set<string>();
    for (let i = 0; i < 12; i++) {
      const input = { atMs: 0, do: "connect", from: "pod default/client", to: `${ip}:80` } as const;
      const { ok, text } = await w.act(() => w.cluster.traffic.connect(input));
      expect(ok, text).toBe(true);
      reached.add(text);
    }
    expect(reached.size).toBe(2);
  });

  it("iptables-round-robin: one Pod gets several in a row, which ipvs with rr never does", async () => {
    const rows: Record<string, boolean> = {};
    for (const proxy of ["iptables", "ipvs"] as const) {
      const w = world({ nodes: 1, proxy });
      await w.until(5);
      await w.apply(deployment({ replicas: 3, container: "ports: [{ containerPort: 80 }]" }));
      await w.apply(pod("client"));
      await w.kubectl("expose deployment web --port=80");
      await w.more(20);
      const ip = str(spec(w.object("services", "web")).clusterIP);
      const servers: string[] = [];
      for (let i = 0; i < 30; i++) {
        const input = {
          atMs: 0,
          do: "connect",
          from: "pod default/client",
          to: `${ip}:80`,
        } as const;
        servers.push((await w.act(() => w.cluster.traffic.connect(input))).server);
      }
      expect(new Set(servers).size).toBe(3);
      rows[proxy] = servers.some((server, i) => server === servers[i - 1]);
    }
    expect(rows).toEqual({ iptables: true, ipvs: false });
  });

  it("kube-proxy-enforces-policy: it never asks for NetworkPolicies, and its rules stay as they are", async () => {
    const w = world({ nodes: 1, proxy: "iptables" });
    await w.until(5);
    await w.apply(deployment({ container: "ports: [{ containerPort: 80 }]" }));
    await w.apply(pod("client"));
    await w.kubectl("expose deployment web --port=80");
    await w.more(20);
    const programs = w.entries("program").length;
    await w.apply(`apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: nobody }
spec: { podSelector: {}, policyTypes: [Ingress] }
`);
    await w.more(20);
    expect(w.object("networkpolicies", "nobody")).toBeDefined();
    expect(w.entries("program")).toHaveLength(programs);
    const asked = w.entries("request").filter(({ actor }) => actor.startsWith("kube-proxy/"));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.map(({ subject }) => subject).join(" ")).not.toMatch(/networkpolic/i);
    const ip = str(spec(w.object("services", "web")).clusterIP);
    const input = { atMs: 0, do: "connect", from: "pod default/client", to: `${ip}:80` } as const;
    expect(await w.act(() => w.cluster.traffic.connect(input))).toMatchObject({ ok: true });
  });

  it("ipvs-is-modern: of the three modes ipvs alone warns, and a blank mode means iptables", async () => {
    const warnings: Record<string, string[]> = {};
    const programs: Record<string, string> = {};
    for (const proxy of ["", "iptables", "nftables", "ipvs"] as const) {
      const w = world({ nodes: 1, proxy });
      await w.until(10);
      const events = w.objects("events").map((event) => obj(event));
      const ours = events.filter(({ reportingComponent }) => reportingComponent === "kube-proxy");
      warnings[proxy] = ours.map(({ type, reason }) => `${str(type)} ${str(reason)}`);
      programs[proxy] = w.entries("program")[0]?.subject.split(" ")[0] ?? "";
    }
    expect(warnings).toEqual({
      ...{ "": [], iptables: [], nftables: [] },
      ipvs: ["Warning IPVSDeprecation"],
    });
    expect(programs).toMatchObject({ "": "iptables", ipvs: "ipvs" });
  });

  it("endpoints-before-sigterm: both follow from the deletion, neither from the other", async () => {
    const w = world({ nodes: 1 });
    await w.until(5);
    await w.apply(deployment());
    await w.kubectl("expose deployment web --port=80");
    await w.more(20);
    const at = w.kernel.now();
    const name = w.pods("web")[0]?.metadata.name ?? "";
    await w.kubectl(`delete pod ${name} --wait=false`);
    await w.more(10);
    const why = (wanted: (one: { verb: string; subject: string }) => boolean) => {
      const found = [...w.kernel.trace].find((one) => one.atMs >= at && wanted(one));
      return w.kernel.trace.why(found!.id);
    };
    const stop = why(({ verb, subject }) => verb === "cri" && subject === "StopContainer");
    const slice = why(({ verb, subject }) => verb === "write" && /^EndpointSlice/.test(subject));
    const deletion = (chain: typeof stop) =>
      chain.findLast(({ subject }) => subject === `Pod default/${name}`)?.id;
    expect(deletion(stop)).toBeDefined();
    expect(deletion(stop)).toBe(deletion(slice));
    expect(stop.map(({ id }) => id)).not.toContain(slice[0]?.id);
    expect(slice.map(({ id }) => id)).not.toContain(stop[0]?.id);
  });
});
