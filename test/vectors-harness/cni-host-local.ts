/** Replays cni-host-local.json: sequences of allocations. */
import { hostLocal } from "../../sim/src/cni/plugins/host-local.ts";
import { type TestNode, testNode } from "./cni-host.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Step {
  op: string;
  ips?: string[];
  ok?: boolean;
  code?: number;
  error?: string;
}

interface Case {
  case: string;
  ipam: Record<string, unknown>;
  steps: Step[];
  files: string[];
}

const FOLDER = "/var/lib/cni/networks";

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    tally.same(c.case, () => run(c), { steps: c.steps, files: c.files.toSorted() });
  }
  return tally.result();
}

function run(c: Case) {
  const node = testNode();
  const steps = c.steps.map(({ op }) => ({ op, ...runStep(node, c, op) }));
  const files = node.disk.list(`${FOLDER}/net`).map((name) => {
    const text = node.disk.read(`${FOLDER}/net/${name}`) ?? "";
    return `${name} = ${text.replace("\r\n", " CRLF ")}`;
  });
  return { steps, files: files.toSorted() };
}

/** `add a ips=10.9.0.7`, `del a`, `check a`; arg= is CNI_ARGS IP. */
function runStep(node: TestNode, c: Case, op: string): Omit<Step, "op"> {
  const [command = "", id = "", ...options] = op.split(" ");
  const option = (name: string) =>
    options.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
  const list = (text: string | undefined) => text?.split(",");
  const ips = list(option("ips"));
  const cniIps = list(option("args.cni.ips"));
  const arg = option("arg");
  const stdin = {
    cniVersion: "1.1.0",
    name: "net",
    ipam: { type: "host-local", dataDir: FOLDER, ...c.ipam },
    ...(ips ? { runtimeConfig: { ips } } : {}),
    ...(cniIps ? { args: { cni: { ips: cniIps } } } : {}),
  };
  const env = {
    CNI_COMMAND: command.toUpperCase(),
    CNI_CONTAINERID: id,
    CNI_NETNS: "/var/run/netns/x",
    CNI_IFNAME: "eth0",
    CNI_PATH: "/opt/cni/bin",
    CNI_ARGS: arg ? `IP=${arg}` : "",
  };
  const { exit, stdout } = hostLocal(env, stdin, node);
  const answer = stdout as { ips?: Ip[]; code?: number; msg?: string };
  if (exit !== 0) return { code: answer.code, error: answer.msg };
  if (command !== "add") return { ok: true };
  return { ips: (answer.ips ?? []).map((ip) => `${ip.address} gw ${ip.gateway}`) };
}

interface Ip {
  address: string;
  gateway: string;
}
