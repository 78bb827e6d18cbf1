/** Replays cni-netd-choice.json: which file of /etc/cni/net.d is used. */
import { loadNetwork } from "../../sim/src/cni/index.ts";
import { Disk } from "../../sim/src/kernel/disk.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

interface Case {
  case: string;
  files: Record<string, string>;
  winner?: string;
  ifName?: string;
  error?: string;
}

const FOLDER = "/etc/cni/net.d";

export function replay(file: VectorFile): Result {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    const { winner, ifName, error } = c;
    const expected = error
      ? { error: error.replace(/\/etc\/cni\/net\.d\d*/g, FOLDER) }
      : { winner, ifName };
    tally.same(c.case, () => run(c), expected);
  }
  return tally.result();
}

function run(c: Case) {
  const disk = new Disk();
  for (const [name, text] of Object.entries(c.files)) disk.write(`${FOLDER}/${name}`, text);
  try {
    // The runtime's first and only network has the interface eth0.
    return { winner: loadNetwork(disk, FOLDER).name, ifName: "eth0" };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
