/**
 * Replays cni-chain.json: libcni works on the list as recorded, every call of
 * a plugin is compared (environment, stdin, stdout, exit), and the node after.
 */
import { Libcni, type NetworkList, type RuntimeConf } from "../../sim/src/cni/index.ts";
import type { CniEnv, NetConf } from "../../sim/src/cni/types.ts";
import type { Link } from "../../sim/src/network/link.ts";
import { addressLines, linkLine, routeLines } from "../../sim/src/network/show.ts";
import { masked, maskText, type SeenCall, type TestNode, testNode } from "./cni-host.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Call {
  plugin: string;
  env: Record<string, string>;
  stdin: NetConf & Record<string, unknown>;
  stdout: unknown;
  exit: number;
}

interface Step {
  step?: string;
  pluginCalls?: Call[];
  result?: unknown;
  error?: string;
  state?: string;
  [state: string]: unknown;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  const steps = casesOf<Step>(file, "steps");
  const node = recordersNode(steps);
  const list = listOf(steps);
  for (const [i, step] of steps.entries()) {
    const name = step.step ?? `state ${step.state}`;
    if (step.state) tally.same(`#${i} ${name}`, () => stateOf(node, step), recordedState(step));
    else tally.same(`#${i} ${name}`, () => masked(run(node, list, step)), masked(recorded(step)));
  }
  return tally.result();
}

/** Absent and empty fields of the environment are the same. */
function recorded({ pluginCalls = [], error = "", result }: Step) {
  const calls = pluginCalls.map((call) => ({ ...call, env: filledEnv(call.env) }));
  return { calls, error, result: Array.isArray(result) ? undefined : result };
}

function filledEnv(env: CniEnv): CniEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
}

function run(node: TestNode, list: NetworkList, step: Step) {
  node.calls.length = 0;
  let error = "";
  let result: unknown;
  try {
    result = perform(node, list, step);
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.message : String(thrown);
  }
  // Calls of a plugin to another (ipam) were not recorded.
  const own = new Set((step.pluginCalls ?? []).map(({ plugin }) => plugin));
  const calls = node.calls.filter(({ plugin }) => own.has(plugin)).map(callOf);
  return { calls, error, result };
}

function callOf({ plugin, env, stdin, exit }: SeenCall) {
  return { plugin, env: filledEnv(env), stdin, stdout: exit?.stdout, exit: exit?.exit };
}

/** Does with libcni what the recorder did; VERSION asks each plugin alone. */
function perform(node: TestNode, list: NetworkList, step: Step): unknown {
  const calls = step.pluginCalls ?? [];
  const first = calls[0];
  if (!first) return undefined;
  const cni = new Libcni(node);
  const rt = runtimeConf(calls);
  const text = step.step ?? "";
  if (/^GC\b/.test(text)) {
    const last = calls.at(-1)!.stdin;
    const valid = last["cni.dev/valid-attachments"] as { containerID: string; ifname: string }[];
    // What is collected belongs to containers whose namespaces are gone.
    for (const cached of cni.attachments(list)) {
      if (valid.some(({ containerID }) => containerID === cached.containerId)) continue;
      node.network.removeNamespace(cached.netns);
    }
    cni.gc(list, valid);
    return undefined;
  }
  switch (first.env.CNI_COMMAND) {
    case "VERSION":
      for (const call of calls) version(node, call);
      return undefined;
    case "STATUS":
      return cni.status(list);
    case "CHECK":
      return cni.check(list, rt);
    case "DEL":
      if (/namespace is (already )?gone/.test(text)) node.network.removeNamespace(rt.netns);
      return cni.del(list, rt);
    default: {
      const { type, name, cniVersion } = first.stdin;
      if (list.plugins.some((conf) => conf.type === type)) return cni.add(list, rt);
      const alone = { name: name ?? "", cniVersion: cniVersion ?? "", plugins: [first.stdin] };
      return cni.add({ ...alone, disableCheck: false, disableGC: false }, rt);
    }
  }
}

function version(node: TestNode, { plugin, env, stdin }: Call): void {
  const told = node.observe?.(plugin, env, stdin);
  told?.(node.binaries.get(`/opt/cni/bin/${plugin}`)!(env, stdin, node));
}

function runtimeConf(calls: readonly Call[]): RuntimeConf {
  const { env } = calls[0]!;
  const capabilityArgs = Object.assign({}, ...calls.map(({ stdin }) => stdin.runtimeConfig));
  const pairs = (env.CNI_ARGS ?? "").split(";").filter((pair) => pair !== "");
  return {
    containerId: env.CNI_CONTAINERID ?? "",
    netns: env.CNI_NETNS ?? "",
    ifname: env.CNI_IFNAME ?? "",
    args: pairs.map((pair) => pair.split("=") as [string, string]),
    capabilityArgs,
  };
}

/** The list: the plugins of the longest step, without what libcni puts in. */
function listOf(steps: readonly Step[]): NetworkList {
  const all = steps.filter(({ pluginCalls }) =>
    pluginCalls?.every(({ env }) => env.CNI_COMMAND === "ADD" && env.CNI_IFNAME !== "lo"),
  );
  const calls = all.map(({ pluginCalls = [] }) => pluginCalls);
  const longest = calls.toSorted((a, b) => b.length - a.length)[0] ?? [];
  const plugins = longest.map(({ stdin: { prevResult, runtimeConfig, ...conf } }) => conf);
  const { name = "", cniVersion = "" } = plugins[0] ?? {};
  return { name, cniVersion, disableCheck: false, disableGC: false, plugins };
}

/** Namespaces of all containers, and the node's own eth0 as first recorded. */
function recordersNode(steps: readonly Step[]): TestNode {
  const node = testNode();
  const { root } = node.network;
  const paths = steps.flatMap(({ pluginCalls = [] }) =>
    pluginCalls.map(({ env }) => env.CNI_NETNS),
  );
  for (const path of new Set(paths)) {
    if (path?.startsWith("/")) node.network.addNamespace(path);
  }
  const state = steps.find((step) => step.state);
  const eth0 = (state?.hostAddr as string[] | undefined)?.find((line) => / eth0@/.test(line));
  const parts = /^(\d+): eth0@if(\d+): .*link\/ether (\S+) .*link-netns (\S+)/.exec(eth0 ?? "");
  if (!parts) return node;
  const wire = node.network.addNamespace(`/var/run/netns/${parts[4]}`);
  const peer = wire.addLink({
    name: "sw0",
    kind: "veth",
    mac: "02:00:00:00:00:01",
    index: Number(parts[2]),
  });
  const link = root.addLink({
    name: "eth0",
    kind: "veth",
    mac: parts[3]!,
    index: Number(parts[1]),
  });
  Object.assign(link, { peer, queueLength: 1000 });
  const routes = state?.hostRoutes as string[];
  const own = /^(\S+) dev eth0 .*src (\S+)/.exec(
    routes.find((line) => / dev eth0 .*src /.test(line)) ?? "",
  );
  const via = /^default via (\S+) dev eth0/.exec(
    routes.find((line) => line.startsWith("default")) ?? "",
  );
  if (own) root.addAddress(link, `${own[2]}/${own[1]!.split("/")[1]}`);
  if (via) root.addRoute({ destination: "0.0.0.0/0", gateway: via[1], device: "eth0" });
  return node;
}

function recordedState(step: Step): Record<string, unknown> {
  const { state: _, ...rest } = step;
  return asSets(rest);
}

/** As sets of lines, masked. Interface numbers are those of the recorder. */
function asSets(state: Record<string, unknown>): Record<string, unknown> {
  const sets = Object.entries(state).map(([name, value]) => {
    const lines = (value as unknown[]).map((line) => JSON.stringify(masked(line)).trim());
    return [name, lines.map(withoutIndex).toSorted()];
  });
  return Object.fromEntries(sets);
}

function withoutIndex(line: string): string {
  return maskText(line)
    .replace(/^"\d+: /, '"N: ')
    .replace(/@if\d+:/, "@ifN:")
    .replace(/ +"$/, '"');
}

function stateOf(node: TestNode, step: Step): Record<string, unknown> {
  const { root } = node.network;
  const cni0 = root.links.get("cni0");
  const veths = [...root.links.values()].filter(({ kind }) => kind === "veth");
  const files = node.disk.list("/var/lib/cni/networks/podnet").map((name) => ({
    content: node.disk.read(`/var/lib/cni/networks/podnet/${name}`),
    file: name,
  }));
  const caches = node.disk.list("/var/lib/cni/results").map((name) => ({
    file: name,
    keys: Object.keys(node.disk.readJson(`/var/lib/cni/results/${name}`) as object).toSorted(),
  }));
  const shown: Record<string, unknown[]> = {
    c1: podLines(node, "c1"),
    hostAddr: [...(cni0 ? addressLines(cni0) : []), ...veths.map((link) => linkLine(link))],
    hostRoutes: routeLines(root),
    ipForward: [root.sysctl.get("net.ipv4.ip_forward") ?? "0"],
    ipamFiles: files,
    cacheFiles: caches,
    iptablesFilter: root.iptables.save("filter"),
    iptablesNat: root.iptables.save("nat"),
  };
  const asked = Object.keys(step).filter((key) => key in shown);
  return asSets(Object.fromEntries(asked.map((key) => [key, shown[key]])));
}

function podLines(node: TestNode, container: string): string[] {
  const path = node.network.paths().find((each) => each.endsWith(`-${container}`));
  const netns = path ? node.network.namespace(path) : undefined;
  const eth0: Link | undefined = netns?.links.get("eth0");
  if (!netns || !eth0) return ['Device "eth0" does not exist.'];
  return [...addressLines(eth0), ...routeLines(netns), linkLine(eth0, "zz-node")];
}
