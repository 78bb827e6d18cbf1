/** Replays cni-errors.json: what plugins answer to bad calls. */
import { STANDARD_PLUGINS } from "../../sim/src/cni/index.ts";
import { envOf, masked, type TestNode, testNode } from "./cni-host.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Case {
  case: string;
  plugin: string;
  env: string[] | null;
  stdin: string;
  exit: number;
  stdout: unknown;
  stderr: string;
}

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    const expected = { exit: c.exit, stdout: c.stdout, stderr: c.stderr };
    tally.same(c.case, () => masked(run(c)), masked(expected));
  }
  return tally.result();
}

function run({ plugin, env, stdin }: Case) {
  const binary = STANDARD_PLUGINS.get(`/opt/cni/bin/${plugin}`);
  if (!binary) throw new Error(`no plugin ${plugin}`);
  const variables = env === null ? {} : envOf(env);
  return binary(variables, stdin, recordersNode());
}

/** The node of cni-chain: containers c1 to c5, of which c2 is attached. */
function recordersNode(): TestNode {
  const node = testNode();
  const netns = (name: string) => node.network.addNamespace(`/var/run/netns/zz-${name}`);
  for (const name of ["c1", "c4", "c5"]) netns(name);
  node.network.addVeth(netns("c2"), "eth0", node.network.vethName(), 1450);
  return node;
}
