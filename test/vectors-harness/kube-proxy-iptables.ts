/** Replays kube-proxy-iptables.json: chain names, probabilities, whole rule sets. */
import { iptablesRestore, iptablesRules } from "../../sim/src/kube-proxy/iptables.ts";
import { endpointChain, probabilityOf, serviceChain } from "../../sim/src/kube-proxy/names.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";
import { byChain, type ProxyCase, portsOf } from "./kube-proxy-case.ts";

interface NameCase {
  servicePortName: string;
  protocol: string;
  svc: string;
  svl: string;
  fw: string;
  ext: string;
  sep: Record<string, string>;
}

interface RuleCase extends ProxyCase {
  nodeName: string;
  nodeIP: string;
  clusterCIDR: string;
  iptablesRestore: string[];
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const c of casesOf<NameCase>(file, "chainNames")) {
    const { svc, svl, fw, ext, sep } = c;
    tally.same(`${c.servicePortName} ${c.protocol}`, () => names(c), { svc, svl, fw, ext, sep });
  }
  for (const { n, probability } of casesOf<{ n: number; probability: string }>(
    file,
    "probabilities",
  )) {
    tally.same(`probability ${n}`, () => probabilityOf(n), probability);
  }
  for (const c of casesOf<RuleCase>(file, "rules")) {
    tally.same(c.case, () => byChain(run(c)), byChain(c.iptablesRestore));
  }
  return tally.result();
}

function names({ servicePortName: name, protocol, sep }: NameCase) {
  const chains = Object.keys(sep).map((endpoint) => [
    endpoint,
    endpointChain(name, protocol, endpoint),
  ]);
  return {
    svc: serviceChain("SVC", name, protocol),
    svl: serviceChain("SVL", name, protocol),
    fw: serviceChain("FW", name, protocol),
    ext: serviceChain("EXT", name, protocol),
    sep: Object.fromEntries(chains),
  };
}

function run(c: RuleCase): string[] {
  const { nodeName, nodeIP, clusterCIDR } = c;
  const config = {
    nodeName,
    nodeIPs: [nodeIP],
    zone: "",
    clusterCIDR,
    serviceCIDR: "10.96.0.0/12",
  };
  return iptablesRestore(iptablesRules(portsOf(c, nodeName), config));
}
