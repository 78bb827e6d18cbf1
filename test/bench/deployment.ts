/**
 * One Deployment of 1,000 Pods on 50 nodes, from the apply until all are
 * Ready, trace on: the median of five runs, and apart from it the first one,
 * which also pays for the compiler. Beside it, in a process of its own and
 * timed in the same way, @ngrok/webernetes; the real control plane takes 4.3 s.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { atMost, type Measure, median } from "./bench.ts";
import { runDeployment } from "./workload.ts";

const PODS = 1000;
const NODES = 50;
const WARM_UPS = 10;
const ROUNDS = 5;

export async function measure(): Promise<Measure[]> {
  const seconds: number[] = [];
  for (let i = 0; i < WARM_UPS + ROUNDS; i++)
    seconds.push(await runDeployment({ nodes: NODES, deployments: 1, pods: PODS, trace: "full" }));
  const warm = median(seconds.slice(WARM_UPS));
  return [
    atMost("deployment-1000-pods", warm, "s", 0.5, await peerSeconds()),
    atMost("deployment-1000-pods-first-run", seconds[0]!, "s", 4.3),
  ];
}

/** The peer is bundled, since its modules do not load in Node as they are. */
async function peerSeconds(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "shikumi-peer-"));
  try {
    const outfile = join(folder, "peer.mjs");
    await build({
      stdin: { contents: PEER, resolveDir: import.meta.dirname, loader: "ts" },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile,
      logLevel: "error",
    });
    const child = spawnSync(process.execPath, [outfile], { encoding: "utf8", timeout: 300_000 });
    const seconds = Number(/^seconds (.+)$/m.exec(child.stdout)?.[1]);
    if (Number.isNaN(seconds))
      throw new Error(`The peer did not finish: ${child.stderr.slice(0, 500)}`);
    return seconds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const PEER = `
import { BaseImage, Cluster } from "@ngrok/webernetes";
class Web extends BaseImage {
  static imageName = "web";
  static imageVersion = "1";
  defaultCommand = ["server"];
  async exec(ctx, argv) {
    if (argv[0] !== "server") return super.exec(ctx, argv);
    return ctx.waitUntilKilled();
  }
}
const cluster = new Cluster({ nodes: ${NODES} });
cluster.registerImage(Web);
await cluster.init();
const began = performance.now();
let ready = 0;
const seen = new Set();
const done = new Promise((resolve) => {
  cluster.informer("pods", (type, pod) => {
    const ok = pod.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True");
    if (pod.metadata?.labels?.app === "web" && ok && !seen.has(pod.metadata.name)) {
      seen.add(pod.metadata.name);
      if (seen.size === ${PODS}) resolve();
    }
  });
});
const labels = { app: "web" };
await cluster.apply([{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "default" },
  spec: { replicas: ${PODS}, selector: { matchLabels: labels }, template: { metadata: { labels },
    spec: { containers: [{ name: "c", image: "web:1" }] } } } }]);
await done;
console.log("seconds " + (performance.now() - began) / 1000);
process.exit(0);
`;
