/** Replays flannel-cni.json: a session of the flannel plugin as text. */
import { flannel } from "../../sim/src/cni/plugins/flannel.ts";
import type { CniEnv, NetConf, PluginExit } from "../../sim/src/cni/types.ts";
import { addressLines, routeLines } from "../../sim/src/network/show.ts";
import { maskText, type TestNode, testNode } from "./cni-host.ts";
import type { Result, VectorFile } from "./harness.ts";
import { Tally } from "./harness.ts";

interface Session {
  inputs: {
    subnetEnv: string;
    stdin: NetConf & { subnetFile?: string; dataDir?: string; ipam?: { dataDir?: string } };
    env: CniEnv;
  };
  transcript: string[];
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  const session = file.json as object as Session;
  const node = testNode();
  const { env, stdin, subnetEnv } = session.inputs;
  node.network.addNamespace(env.CNI_NETNS ?? "");
  const subnetFile = stdin.subnetFile ?? "/run/flannel/subnet.env";
  node.disk.write(subnetFile, subnetEnv);
  for (const { heading, lines } of sectionsOf(session.transcript)) {
    if (/without subnet\.env/.test(heading)) node.disk.remove(subnetFile);
    tally.same(heading, () => normal(act(node, session, heading)), normal(lines));
  }
  return tally.result();
}

function sectionsOf(transcript: readonly string[]) {
  const sections: { heading: string; lines: string[] }[] = [];
  for (const line of transcript) {
    if (line.startsWith("## ")) sections.push({ heading: line.slice(3), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** Masked; the recorder's shell printed a blank at some line ends. */
function normal(lines: readonly string[]): string[] {
  const shown = lines.map((line) => maskText(line).trimEnd()).filter((line) => line !== "");
  return shown.map((line) => line.replace(/\/var\/run\/netns\/[\w-]+/, "<netns>"));
}

function act(node: TestNode, { inputs }: Session, heading: string): string[] {
  const { stdin, env } = inputs;
  const id = env.CNI_CONTAINERID ?? "";
  const folder = stdin.dataDir ?? "/var/lib/cni/flannel";
  if (heading.startsWith("saved")) {
    return [...node.disk.list(folder), node.disk.read(`${folder}/${id}`) ?? ""];
  }
  if (heading === "state") return stateOf(node, inputs);
  const command = heading.split(" ")[0]!;
  return printed(flannel({ ...env, CNI_COMMAND: command }, stdin, node));
}

function printed({ stdout, exit }: PluginExit): string[] {
  const text = stdout === "" ? "" : JSON.stringify(stdout, null, 4);
  return `${text}exit ${exit}`.split("\n");
}

function stateOf(node: TestNode, { stdin, env }: Session["inputs"]): string[] {
  const { root } = node.network;
  const netns = node.network.namespace(env.CNI_NETNS ?? "")!;
  const eth0 = netns.links.get(env.CNI_IFNAME ?? "eth0")!;
  const lo = root.links.get("lo")!;
  const loLine = addressLines(lo).length > 0 ? addressLines(lo) : [LOOPBACK];
  const files = `${stdin.ipam?.dataDir ?? "/var/lib/cni/networks"}/${stdin.name}`;
  return [
    ...loLine,
    ...addressLines(root.links.get("cni0")!),
    ...addressLines(eth0),
    ...routeLines(netns).toSorted((a, b) => order(a) - order(b)),
    ...node.disk.list(files),
    `hairpin ${eth0.peer?.hairpin ? "on" : "off"}`,
  ];
}

/** The recorder's own namespace had its loopback up from the start. */
const LOOPBACK =
  "1: lo    inet 127.0.0.1/8 scope host lo\\       valid_lft forever preferred_lft forever";

/** The kernel lists the default route first, then by prefix. */
function order(line: string): number {
  if (line.startsWith("default")) return 0;
  return Number(/\/(\d+)/.exec(line)?.[1] ?? 32);
}
