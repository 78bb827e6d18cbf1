/** Plugins that work on what another has made; flannel; what libcni does. */
import { describe, expect, it } from "vitest";
import { Libcni } from "../../../sim/src/cni/index.ts";
import type { NetConf } from "../../../sim/src/cni/types.ts";
import { call, complaint, NETNS, newNode } from "./world.ts";

const ipam = { type: "host-local", ranges: [[{ subnet: "10.9.0.0/24" }]] };

/** A node with a container, and the result of its bridge. */
function attached() {
  const node = newNode();
  const prevResult = call(node, "bridge", "ADD", { ipam });
  const { iptables } = node.network.root;
  return { node, prevResult, iptables };
}

const port = { hostPort: 8080, containerPort: 80, protocol: "tcp" };

describe("portmap", () => {
  const add = (conf: object, ...portMappings: object[]) => {
    const { node, prevResult, iptables } = attached();
    const all = { prevResult, runtimeConfig: { portMappings }, ...conf };
    const problem = complaint(node, "portmap", "ADD", all);
    const rules = iptables
      .save("nat")
      .filter((line) => line.startsWith("-A "))
      .map((line) =>
        line
          .replace(/CNI-DN-\w+/g, "DN")
          .replace(/-m comment --comment "[^"\\]*(\\"[^"\\]*)*" /, ""),
      );
    return {
      problem,
      rules,
      of: (chain: string) => rules.filter((r) => r.startsWith(`-A ${chain} `)),
    };
  };

  it.each([
    [{}, { ...port, containerPort: 0 }, "Invalid container port number: 0"],
    [{}, { ...port, hostPort: -1 }, "Invalid host port number: -1"],
    [{ markMasqBit: 32 }, port, "MasqMarkBit must be between 0 and 31"],
    [
      { markMasqBit: 1, externalSetMarkChain: "X" },
      port,
      "Cannot specify externalSetMarkChain and markMasqBit",
    ],
  ])("refuses %j %j", (conf, mapping, problem) => {
    expect(add(conf, mapping).problem).toBe(`failed to parse config: ${problem}`);
  });

  it("takes no notice of ports bound to the other family's addresses", () => {
    expect(add({}, { ...port, hostIP: "::" }).of("DN")).toEqual([]);
    expect(add({}, { ...port, hostIP: "0.0.0.0" }).of("DN")).toEqual(add({}, port).of("DN"));
    expect(add({ snat: false }, { ...port, hostIP: "192.0.2.7" }).of("DN")).toEqual([
      "-A DN -d 192.0.2.7/32 -p tcp -m tcp --dport 8080 -j DNAT --to-destination 10.9.0.2:80",
    ]);
  });

  it("marks as it is told", () => {
    const marked = add({ masqAll: true, markMasqBit: 4 }, port);
    expect(marked.of("DN")).toEqual([
      "-A DN -p tcp -m tcp --dport 8080 -j CNI-HOSTPORT-SETMARK",
      "-A DN -p tcp -m tcp --dport 8080 -j DNAT --to-destination 10.9.0.2:80",
    ]);
    expect(marked.rules.filter((rule) => rule.includes("0x"))).toEqual([
      "-A CNI-HOSTPORT-MASQ -m mark --mark 0x10/0x10 -j MASQUERADE",
      "-A CNI-HOSTPORT-SETMARK -j MARK --set-xmark 0x10/0x10",
    ]);
    const other = add({ externalSetMarkChain: "KUBE-MARK-MASQ" }, port);
    expect(other.of("DN").filter((r) => r.endsWith("-j KUBE-MARK-MASQ"))).toHaveLength(2);
    expect(other.of("CNI-HOSTPORT-SETMARK")).toEqual([]);
    expect(add({ conditionsV4: ["!", "-i", "lo"] }, port).of("CNI-HOSTPORT-DNAT")).toEqual([
      "-A CNI-HOSTPORT-DNAT -p tcp -m multiport --dports 8080 ! -i lo -j DN",
    ]);
  });

  it("masquerades before the bridge's own rules", () => {
    const { node, iptables } = attached();
    const conf = { ipam, ipMasq: true };
    node.network.addNamespace("/c2");
    const env = { CNI_CONTAINERID: "c2", CNI_NETNS: "/c2" };
    const prevResult = call(node, "bridge", "ADD", conf, env);
    call(node, "portmap", "ADD", { prevResult, runtimeConfig: { portMappings: [port] } }, env);
    const [first, second] = iptables.chain("nat", "POSTROUTING")!;
    expect(first).toContain("-j CNI-HOSTPORT-MASQ");
    expect(second).toContain("-s 10.9.0.3/32");
  });

  it("maps to an address of the Pod's own interface", () => {
    const { node, iptables } = attached();
    const interfaces = [
      { name: "br" },
      { name: "eth1", sandbox: NETNS },
      { name: "eth0", sandbox: NETNS },
    ];
    const ips = [0, 1, 2].map((i) => ({ address: `10.1.1.${i}/24`, interface: i }));
    const prevResult = { cniVersion: "1.1.0", interfaces, ips };
    call(node, "portmap", "ADD", { prevResult, runtimeConfig: { portMappings: [port] } });
    expect(iptables.save("nat").join()).toContain("--to-destination 10.1.1.2:80");
  });

  it("says on CHECK which chain or rule is gone", () => {
    const { node, prevResult, iptables } = attached();
    const conf = { prevResult, runtimeConfig: { portMappings: [port] } };
    call(node, "portmap", "ADD", conf);
    const check = () => complaint(node, "portmap", "CHECK", conf).replace(/CNI-DN-\w+/g, "DN");
    expect(check()).toBe("");
    const chain = iptables.chains("nat").find((name) => name.startsWith("CNI-DN-"))!;
    iptables.setChain("nat", chain, []);
    expect(check()).toMatch(
      /^could not check ipv4 dnat: rule .* in chain DN not found in table nat$/,
    );
    iptables.deleteChain("nat", chain);
    expect(check()).toBe("could not check ipv4 dnat: chain DN not found in iptables table nat");
  });
});

describe("firewall", () => {
  it("makes its chains only for addresses that it lets through", () => {
    const { node, iptables } = attached();
    call(node, "firewall", "ADD", {
      prevResult: { cniVersion: "1.1.0", ips: [{ address: "fd00::2/64" }] },
    });
    expect(iptables.chains("filter")).toEqual(["INPUT", "FORWARD", "OUTPUT"]);
  });

  it("keeps bridges apart if told so", () => {
    const { node, prevResult, iptables } = attached();
    const add = (ingressPolicy: string, given: object = prevResult) =>
      complaint(node, "firewall", "ADD", { prevResult: given, ingressPolicy });
    expect(add("none")).toBe('unknown ingress policy: "none"');
    expect(add("same-bridge", { ...prevResult, interfaces: [] })).toContain(
      "interface needs to be set",
    );
    expect(add("same-bridge")).toBe("");
    const bare = iptables
      .save("filter")
      .map((line) => line.replace(/-m comment --comment "[^"]*" /, ""));
    expect(bare.filter((line) => line.includes("ISOLATION") && line.startsWith("-A"))).toEqual([
      "-A FORWARD -j CNI-ISOLATION-STAGE-1",
      "-A CNI-ISOLATION-STAGE-1 -i cni0 ! -o cni0 -j CNI-ISOLATION-STAGE-2",
      "-A CNI-ISOLATION-STAGE-1 -j RETURN",
      "-A CNI-ISOLATION-STAGE-2 -o cni0 -j DROP",
      "-A CNI-ISOLATION-STAGE-2 -j RETURN",
    ]);
    expect(iptables.chain("filter", "FORWARD")![0]).toContain("STAGE-1");
  });

  it("says on CHECK which rule is gone", () => {
    const { node, prevResult, iptables } = attached();
    call(node, "firewall", "ADD", { prevResult });
    const check = () => complaint(node, "firewall", "CHECK", { prevResult });
    expect(check()).toBe("");
    iptables.deleteRules("filter", "CNI-FORWARD", (rule) => rule.startsWith("-s"));
    expect(check()).toBe("expected rule [-s 10.9.0.2/32 -j ACCEPT] not found");
    iptables.setChain("filter", "FORWARD", []);
    expect(check()).toBe(
      "expected FORWARD rule [-m comment --comment CNI firewall plugin rules -j CNI-FORWARD] not found",
    );
  });
});

describe("bandwidth", () => {
  const run = (command: string, conf: object, given = attached()) => {
    const { node, prevResult } = given;
    return call(node, "bandwidth", command, { prevResult, ...conf });
  };
  it.each([
    [{ ingressRate: 8 }, "if rate is set, burst must also be set"],
    [{ egressBurst: 8 }, "if burst is set, rate must also be set"],
    [{ egressRate: 8, egressBurst: 8 * (2 ** 32 - 1) }, "burst cannot be more than 4GB"],
    [
      { egressRate: 8, egressBurst: 8, shapedSubnets: ["x"] },
      'bad subnet "x" provided, details invalid CIDR address: x',
    ],
    [{ egressRate: 8, egressBurst: 8, prevResult: undefined }, "must be called as chained plugin"],
    [
      { egressRate: 8, egressBurst: 8, prevResult: { cniVersion: "1.1.0" } },
      "no interfaces provided",
    ],
  ])("refuses %j", (conf, problem) => {
    expect(run("ADD", conf).msg).toBe(problem);
  });

  it("holds what the Pod sends on a device of its own", () => {
    const given = attached();
    const conf = { runtimeConfig: { bandwidth: { egressRate: 8000, egressBurst: 8000 } } };
    expect(run("CHECK", conf, given).msg).toBe("get ifb device: Link not found");
    const made = run("ADD", conf, given).interfaces!.at(-1)!;
    expect(made.name).toMatch(/^bwp[0-9a-f]{12}$/);
    expect(given.node.network.root.links.get(made.name)?.mac).toBe(made.mac);
    expect(run("CHECK", conf, given).msg).toBeUndefined();
    run("DEL", conf, given);
    expect(given.node.network.root.links.has(made.name)).toBe(false);
  });
});

describe("tuning", () => {
  const run = (command: string, conf: object, given = attached(), CNI_ARGS = "") => {
    const { node, prevResult } = given;
    return call(node, "tuning", command, { prevResult, ...conf }, { CNI_ARGS });
  };
  it.each([
    [{ prevResult: undefined }, "Required prevResult missing"],
    [{ sysctl: { "kernel.shm": "1" } }, 'invalid net sysctl key: "kernel/shm"'],
    [{ mac: "x" }, "invalid args x for MAC addr: address x: invalid MAC address"],
  ])("refuses %j", (conf, problem) => {
    expect(run("ADD", conf).msg).toBe(problem);
  });

  it("sets, finds again, and puts back on DEL", () => {
    const given = attached();
    const netns = given.node.network.namespace(NETNS)!;
    const before = netns.links.get("eth0")!.mac;
    const conf = { sysctl: { "net.ipv4.conf.IFNAME.rp_filter": "2" }, mtu: 1400 };
    const mac = "02:00:00:00:00:07";
    const { interfaces } = run("ADD", conf, given, `MAC=${mac}`);
    expect(interfaces?.[2]?.mac).toBe(mac);
    expect(netns.sysctl.get("net.ipv4.conf.eth0.rp_filter")).toBe("2");
    expect(netns.links.get("eth0")).toMatchObject({ mac, mtu: 1400 });
    expect(run("CHECK", { mtu: 1500 }, given).msg).toBe(
      "Error: Tuning configured MTU of eth0 is 1500, current value is 1400",
    );
    expect(run("CHECK", { sysctl: { "net.x": "1" } }, given).msg).toBe(
      "open /proc/sys/net/x: no such file or directory",
    );
    run("DEL", conf, given);
    expect(netns.links.get("eth0")).toMatchObject({ mac: before, mtu: 1500 });
  });
});

describe("flannel", () => {
  const FOUR = "FLANNEL_NETWORK=10.244.0.0/16,10.245.0.0/16\nFLANNEL_SUBNET=10.244.1.1/24\n";
  const SIX = "FLANNEL_IPV6_NETWORK=fd00::/48\nFLANNEL_IPV6_SUBNET=fd00:0:0:1::1/64\n";
  const REST = "FLANNEL_MTU=1450\nFLANNEL_IPMASQ=false\n";
  const add = (env: string, conf = {}) => {
    const node = newNode();
    node.disk.write("/run/flannel/subnet.env", env);
    const { msg = "", ...result } = call(node, "flannel", "ADD", conf);
    const saved = node.disk.readJson("/var/lib/cni/flannel/c1") as Record<string, unknown>;
    return { msg, saved, ...result };
  };

  it("has a range for each family, and a route to each network", () => {
    const { saved, ips } = add(FOUR + SIX + REST, { ipam: { routes: [{ dst: "10.96.0.0/12" }] } });
    expect(saved.ipam).toEqual({
      type: "host-local",
      ranges: [[{ subnet: "10.244.1.0/24" }], [{ subnet: "fd00:0:0:1::/64" }]],
      routes: ["10.96.0.0/12", "10.244.0.0/16", "10.245.0.0/16", "fd00::/48"].map((dst) => ({
        dst,
      })),
    });
    expect(saved.ipMasq).toBe(true);
    expect(ips?.map(({ address }) => address)).toEqual(["10.244.1.2/24", "fd00:0:0:1::2/64"]);
    expect(add(SIX + REST).ips).toHaveLength(1);
  });

  it.each([
    [
      "",
      "/run/flannel/subnet.env is missing FLANNEL_NETWORK, FLANNEL_IPV6_NETWORK, FLANNEL_SUBNET, FLANNEL_IPV6_SUBNET, FLANNEL_MTU, FLANNEL_IPMASQ",
    ],
    [`${FOUR}FLANNEL_MTU=1450`, "/run/flannel/subnet.env is missing FLANNEL_IPMASQ"],
    [`${FOUR}FLANNEL_MTU=x`, 'strconv.ParseUint: parsing "x": invalid syntax'],
    ["FLANNEL_SUBNET=x", "invalid CIDR address: x"],
  ])("refuses %j", (env, problem) => {
    expect(add(env).msg).toBe(
      `failed to load flannel 'subnet.env' file: ${problem}. Check the flannel pod log for this node.`,
    );
  });

  it("leaves what the delegate says", () => {
    const delegate = { mtu: null, ipMasq: false, isGateway: false };
    expect(add(FOUR + REST, { delegate }).saved).toMatchObject(delegate);
    expect(add(FOUR + REST, { delegate: { type: 1 } }).msg).toContain("must have (string) 'type'");
  });
});

describe("libcni", () => {
  const list = (cniVersion: string, ...plugins: NetConf[]) => ({
    ...{ name: "net", cniVersion, disableCheck: false, disableGC: false },
    plugins: plugins.map((conf) => ({ ...conf, name: "net", cniVersion })),
  });
  const rt = { containerId: "c1", netns: NETNS, ifname: "eth0", args: [], capabilityArgs: {} };
  const bridge = { type: "bridge", ipam };

  it.each([
    ["0.3.1", 1],
    ["0.4.0", 0],
  ])("version %s: after DEL %i attachments are remembered", (version, left) => {
    const node = newNode();
    const cni = new Libcni(node);
    cni.add(list(version, bridge), rt);
    cni.del(list(version, bridge), rt);
    expect(cni.attachments(list(version, bridge))).toHaveLength(left);
  });

  it("collects all errors of a GC, and goes on", () => {
    const node = newNode();
    const cni = new Libcni(node);
    cni.add(list("1.1.0", bridge), rt);
    const broken = list("1.1.0", { type: "nope" }, bridge);
    expect(() => cni.gc(broken, [])).toThrow(
      'failed to delete stale attachment c1 eth0: plugin type="nope" failed (delete): failed to find plugin "nope" in path [/opt/cni/bin]\nfailed to GC plugin nope: failed to find plugin "nope" in path [/opt/cni/bin]',
    );
    expect(node.disk.list("/var/lib/cni/networks/net")).not.toContain("10.9.0.2");
  });
});
