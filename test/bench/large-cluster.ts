/** 5,000 nodes and 150,000 Pods until all are Ready, and a tenth of the Pods beside it. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { atMost, type Measure } from "./bench.ts";
import { runDeployment } from "./workload.ts";

interface Figures {
  seconds: number;
  megabytes: number;
}

export async function measure(): Promise<Measure[]> {
  const tenth = runApart(15_000);
  const whole = runApart(150_000);
  return [
    atMost("cluster-150000-pods", whole.seconds, "s", 60),
    atMost("cluster-150000-pods-memory", whole.megabytes / 1024, "GB", 3),
    atMost("cluster-150000-pods-growth", whole.seconds / tenth.seconds, "×", 12),
  ];
}

/** In a process of its own, so that its peak memory is its own. */
function runApart(pods: number): Figures {
  const child = spawnSync(
    process.execPath,
    ["--max-old-space-size=8000", fileURLToPath(import.meta.url), String(pods)],
    {
      encoding: "utf8",
    },
  );
  if (child.status !== 0) throw new Error(child.stderr.slice(-2000));
  return JSON.parse(child.stdout) as Figures;
}

const pods = Number(process.argv[2]);
if (process.argv[1] === fileURLToPath(import.meta.url) && pods > 0) {
  const seconds = await runDeployment({
    nodes: 5000,
    deployments: Math.max(1, Math.round(pods / 1000)),
    pods,
    trace: "thin",
  });
  console.log(JSON.stringify({ seconds, megabytes: process.resourceUsage().maxRSS / 1024 }));
}
