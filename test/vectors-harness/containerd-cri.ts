/**
 * Replays containerd-cri.json: the calls of the kubelet to containerd, their
 * answers, and what is on the node after each.
 */
import type { Runtime } from "../../sim/src/cri/connection.ts";
import { Containerd } from "../../sim/src/cri/containerd.ts";
import { ImageStore } from "../../sim/src/cri/image-store.ts";
import {
  cgroups,
  logLines,
  mounts,
  processes,
  rootFolders,
  stateFolders,
} from "../../sim/src/cri/look.ts";
import { PodNetwork } from "../../sim/src/cri/pod-network.ts";
import { ImageRegistry } from "../../sim/src/cri/workload/registry.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import { testNode } from "./cni-host.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally, withoutEmpty } from "./harness.ts";

interface Row {
  call?: string;
  look?: string;
  request?: Record<string, unknown>;
  answer?: object;
  error?: string;
  [state: string]: unknown;
}

export async function replay(file: VectorFile): Promise<Result> {
  const tally = new Tally();
  const rows = casesOf<Row>(file, "rows");
  const machine = new Machine(rows);
  for (const [i, row] of rows.entries()) {
    const name = `#${i} ${row.call ?? `look ${row.look}`}`;
    try {
      const actual = row.call ? await machine.call(row) : await machine.look(row);
      tally.same(name, () => actual, row.call ? recordedAnswer(row) : recordedLook(row));
    } catch (error) {
      tally.miss(name, row, error instanceof Error ? error.stack : error);
    }
  }
  return tally.result();
}

/** Enumerations come as numbers on the wire, and zero is left out. */
const NUMBERS: Record<string, number> = {
  ...{ SANDBOX_READY: 0, SANDBOX_NOTREADY: 1, POD: 0, CONTAINER: 1, NODE: 2 },
  ...{ CONTAINER_CREATED: 0, CONTAINER_RUNNING: 1, CONTAINER_EXITED: 2, SIGTERM: 23 },
};

function recordedAnswer({ answer, error }: Row): unknown {
  return error ? maskText(error) : normal(answer ?? {});
}

function normal(value: unknown): unknown {
  return withoutEmpty(masked(value));
}

function masked(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    const all = value.map((each) => masked(each));
    // Fake and absent features of a handler without a name come first.
    return all;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([name, child]) => [name, masked(child, name)]);
    return Object.fromEntries(entries);
  }
  if (key === "size" || key.endsWith("_at")) return value ? "<some>" : undefined;
  if (key === "runtime_version") return "<version>";
  if (typeof value === "string" && key !== "type" && value in NUMBERS) {
    return NUMBERS[value] || undefined;
  }
  if (value === 0 || value === false) return undefined;
  return typeof value === "string" ? maskText(value) : value;
}

function maskText(text: string): string {
  return text
    .replace(/\b[0-9a-f]{64}\b/g, "<id>")
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>")
    .replace(/^20\S+Z /, "<time> ");
}

const MOUNT_SOURCE = /^(\/dev\/\S+|overlay) (\S+) \S+$/;

/** As sets; without the daemon itself, dead shims and numbers of processes. */
function recordedLook(row: Row): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (!Array.isArray(value)) continue;
    const kept = (value as string[]).filter(
      (line) => line !== "" && !/<defunct>|bin\/containerd -c/.test(line),
    );
    const lines =
      name === "processes" ? kept.map((line) => line.replace(/^\s*\d+\s+\d+\s+/, "")) : kept;
    state[name] = asSet(lines);
  }
  return state;
}

function asSet(lines: readonly string[]): string[] {
  return lines.map((line) => maskText(line).replace(MOUNT_SOURCE, "<disk> $2")).toSorted();
}

/** The recorder's cgroup v1 shows the memory controller's folder. */
const CGROUP_ROOT = "/sys/fs/cgroup/memory";

class Machine {
  private readonly kernel = new Kernel({ seed: 1 });
  private readonly runtime: Containerd;
  private readonly answers = new Map<string, Record<string, unknown>>();
  private sandboxConfig: Record<string, unknown> = {};
  private readonly parents: string[] = [];

  constructor(rows: readonly Row[]) {
    const { kernel } = this;
    const node = testNode();
    const actor = "containerd/n1";
    const registry = new ImageRegistry();
    const random = kernel.random.fork("containerd");
    const image = pauseImageOf(rows);
    node.disk.write("/etc/cni/net.d/10-net.conflist", networkOf(rows, node.disk));
    const podNetwork = new PodNetwork(node);
    const pull = { resolveMs: 1, bytesPerMs: 1e6 };
    this.runtime = new Containerd({
      ...{ kernel, actor, random, disk: node.disk, network: node.network, podNetwork },
      images: new ImageStore({ ...{ kernel, actor, registry, random, pull } }),
      ...{ pauseImage: image, cgroupVersion: 1 },
    });
  }

  /** `StopContainer (timeout 2)` is the call StopContainer. */
  async call(row: Row): Promise<unknown> {
    const name = row.call!.split(" ")[0]!;
    const method = (name[0]!.toLowerCase() + name.slice(1)) as keyof Runtime;
    const request = this.requestOf(row.request ?? {});
    let answer: unknown;
    this.kernel.spawn("kubelet", async () => {
      try {
        const run = this.runtime[method] as (request: object) => Promise<object>;
        const found = await run.call(this.runtime, request);
        this.answers.set(name, found as Record<string, unknown>);
        answer = normal(found);
      } catch (error) {
        answer = maskText((error as Error).message);
      }
    });
    await this.kernel.run({ stopWhen: () => answer !== undefined });
    return answer;
  }

  private requestOf(request: Record<string, unknown>): Record<string, unknown> {
    const filled = Object.entries(request).map(([key, value]) => {
      const from = /^\{(\w+) of (\w+)\}$/.exec(String(value));
      if (from) return [key, this.answers.get(from[2]!)?.[from[1]!]];
      return [key, value === "as in RunPodSandbox" ? this.sandboxConfig : value];
    });
    const made = Object.fromEntries(filled) as Record<string, unknown>;
    if (made.config && !made.pod_sandbox_id) {
      this.sandboxConfig = made.config as Record<string, unknown>;
      const linux = this.sandboxConfig.linux as { cgroup_parent?: string } | undefined;
      if (linux?.cgroup_parent) this.parents.push(linux.cgroup_parent);
    }
    return made;
  }

  async look(row: Row): Promise<Record<string, unknown>> {
    this.kernel.after(700, () => {});
    await this.kernel.run({ untilMs: this.kernel.now() + 700 });
    const { core } = this.runtime;
    const dot = (paths: readonly string[]) => [".", ...paths.map((path) => `./${path}`)];
    const own = [...core.containers.values()];
    for (const container of own) this.lines = logLines(core, container);
    const state: Record<string, readonly string[]> = {
      cgroups: cgroups(core, this.parents).map((path) => `${CGROUP_ROOT}${path}`),
      logFile: this.lines,
      mounts: mounts(core),
      netns: core.network.paths().map((path) => path.split("/").at(-1)!),
      processes: processes(core),
      rootDirs: dot(rootFolders(core)),
      stateDirs: dot(stateFolders(core)),
    };
    const asked = Object.keys(row).filter((key) => key in state);
    return Object.fromEntries(asked.map((key) => [key, asSet(state[key]!)]));
  }

  /** The log file outlives its container. */
  private lines: readonly string[] = [];
}

/** The image that the recorder's node had from the start, pinned. */
function pauseImageOf(rows: readonly Row[]): string | undefined {
  const list = rows.find((row) => row.call === "ListImages")?.answer as
    | { images?: { repo_tags?: string[]; pinned?: boolean }[] }
    | undefined;
  return list?.images?.find(({ pinned }) => pinned)?.repo_tags?.[0];
}

/** A bridge over the recorded address's subnet, the address before it given. */
function networkOf(
  rows: readonly Row[],
  disk: { write(path: string, text: string): void },
): string {
  const status = rows.find((row) => row.call === "PodSandboxStatus")?.answer as
    | { status?: { network?: { ip?: string } } }
    | undefined;
  const parts = (status?.status?.network?.ip ?? "10.244.9.2").split(".").map(Number);
  const prefix = parts.slice(0, 3).join(".");
  disk.write("/var/lib/cni/networks/net/last_reserved_ip.0", `${prefix}.${parts[3]! - 1}`);
  const ipam = { type: "host-local", ranges: [[{ subnet: `${prefix}.0/24` }]] };
  const bridge = { type: "bridge", bridge: "cni0", isGateway: true, ipam };
  return JSON.stringify({ cniVersion: "1.0.0", name: "net", plugins: [bridge] });
}
