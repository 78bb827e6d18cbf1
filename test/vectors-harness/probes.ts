/**
 * Replays probes.json: the real workers, results and thresholds, with the
 * recorded answers. Two races of the recording are tried both ways: whether a
 * container starts before or after a tick of the same instant, and whether
 * the probe that its start triggers finds it in the stored status already.
 */
import type { Container, ContainerStatus, Pod, Probe } from "../../sim/src/api/kinds/pod.ts";
import type { RuntimeService } from "../../sim/src/cri/api.ts";
import { Kernel } from "../../sim/src/kernel/index.ts";
import { ProbeManager } from "../../sim/src/kubelet/probes/manager.ts";
import { Prober } from "../../sim/src/kubelet/probes/prober.ts";
import type { ProbeType } from "../../sim/src/kubelet/probes/worker.ts";
import { KeyedBackoff } from "../../sim/src/kubelet/runtime/backoff.ts";
import type { RuntimeContext } from "../../sim/src/kubelet/runtime/context.ts";
import { ImageManager } from "../../sim/src/kubelet/runtime/image-manager.ts";
import type { Result, VectorFile } from "./harness.ts";
import { casesOf, Tally } from "./harness.ts";

type Row = Record<string, unknown>;

interface Case {
  case: string;
  probes: Partial<Record<ProbeType, Probe>>;
  outcomesPerSecondOfContainerLife: Record<ProbeType, string>;
  containerStartsAt: number;
  workersStartAt: number;
  restartTakes: number;
  seconds: number;
  trace: Row[];
}

/** How the races of the i-th container start go. */
interface Race {
  readonly afterTicks: boolean;
  readonly missed: boolean;
}

const RACES: readonly Race[] = [
  { afterTicks: false, missed: false },
  { afterTicks: true, missed: false },
  { afterTicks: false, missed: true },
  { afterTicks: true, missed: true },
];

export async function replay(file: VectorFile): Promise<Result> {
  const tally = new Tally();
  for (const c of casesOf<Case>(file)) {
    const expected = normal(c.trace);
    const actual = await best(c, expected);
    tally.same(c.case, () => actual, expected);
  }
  return tally.result();
}

/** The run that equals the recording; else the one without any lost race. */
async function best(c: Case, expected: unknown): Promise<unknown> {
  const starts = c.trace.filter((row) => row.newContainer).length;
  const text = JSON.stringify(expected);
  for (let i = 0; i < RACES.length ** starts; i++) {
    const race = (start: number) => RACES[Math.floor(i / RACES.length ** start) % RACES.length]!;
    const rows = normal(await new Run(c, race).rows());
    if (JSON.stringify(rows) === text) return rows;
  }
  return normal(await new Run(c, () => RACES[0]!).rows());
}

/** Rows of one second come in no order; of one row, fields neither. */
function normal(rows: readonly Row[]): Row[] {
  const sorted = rows.map((row) =>
    Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
  const key = (row: Row) => `${String(row.t).padStart(6, "0")} ${JSON.stringify(row)}`;
  return sorted.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The kubelet has run for long: probes are not spread. */
const ZERO_MS = 1_000_000;

class Run {
  private readonly c: Case;
  private readonly race: (start: number) => Race;
  private readonly kernel = new Kernel({ seed: 1 });
  private readonly out: Row[] = [];
  private readonly manager: ProbeManager;
  private readonly pod: Pod;
  private status: ContainerStatus | undefined;
  private startedAtMs = 0;
  private container = -1;
  private shown = "";

  constructor(c: Case, race: (start: number) => Race) {
    this.c = c;
    this.race = race;
    const spec = containerOf(c);
    this.pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: "default", uid: "u" },
      spec: { restartPolicy: "Always", containers: [spec] },
    };
    const { kernel } = this;
    const prober = this.prober();
    this.manager = new ProbeManager({
      ...{ kernel, actor: "kubelet", random: kernel.random },
      target: () => this.target(),
      run: (pod, container, type, id) => prober.run(pod, container, type, id),
      onResult: (_pod, type, id, value) => this.onResult(type, id, value),
    });
  }

  async rows(): Promise<Row[]> {
    const { kernel, c } = this;
    kernel.after(ZERO_MS, () => {
      kernel.after(c.workersStartAt * 1000, () => this.manager.addPod(this.pod));
      this.startLater(c.containerStartsAt, "container started");
    });
    // `seconds` count from the start of the container.
    const untilMs = ZERO_MS + (c.containerStartsAt + c.seconds) * 1000 + 400;
    await kernel.run({ untilMs });
    return this.out;
  }

  private row(fields: Row): void {
    this.out.push({ ...fields, t: this.second() });
  }

  private second(): number {
    return Math.round((this.kernel.now() - ZERO_MS) / 1000);
  }

  private startLater(seconds: number, why: string): void {
    const { afterTicks } = this.race(this.container + 1);
    const jitterMs = afterTicks ? 20 : -20;
    this.kernel.after(Math.max(0, seconds * 1000 + jitterMs), () => this.start(why));
  }

  private start(why: string): void {
    this.container++;
    this.row({ newContainer: `c${this.container}` });
    this.startedAtMs = ZERO_MS + this.second() * 1000;
    const { missed } = this.race(this.container);
    this.push(why, missed ? 1 : 0);
  }

  /** Makes the status anew, as the kubelet does after every change. */
  private push(why: string, storeAfterMs = 0): void {
    const id = `c${this.container}`;
    const started = this.manager.started(this.pod, "app", id);
    const ready = started && this.manager.ready(this.pod, "app", id);
    const store = () => {
      this.status = {
        ...{ name: "app", ready, started, restartCount: this.container },
        ...{ image: "", imageID: "", containerID: `test://${id}` },
        state: { running: {} },
      };
    };
    if (storeAfterMs > 0) this.kernel.after(storeAfterMs, store);
    else store();
    const now = `${id} ${ready} ${started}`;
    if (now !== this.shown) this.row({ container: id, ready, started, why });
    this.shown = now;
  }

  private onResult(type: ProbeType, container: string, result: string): void {
    const value = result === "Unknown" ? "UNKNOWN" : result;
    this.row({ container, result: type, value });
    if (type === "liveness" && result !== "Failure") return;
    // The kubelet's main loop hears of it a little later.
    this.kernel.after(1, () => {
      const dead = type !== "readiness" && result === "Failure";
      if (dead) this.kill(container, type);
      this.push(`${type} result`);
    });
  }

  private kill(container: string, reason: string): void {
    if (container !== `c${this.container}`) return;
    this.row({ kill: container, reason });
    this.startLater(this.c.restartTakes, "container restarted");
  }

  private target() {
    if (!this.status) return undefined;
    return { podPhase: "Running", status: this.status, startedAtMs: this.startedAtMs };
  }

  /** The real prober, on a container that answers as recorded. */
  private prober(): Prober {
    const { kernel } = this;
    const execSync: RuntimeService["execSync"] = async ({ cmd }) =>
      this.answer(cmd[0] as ProbeType);
    const runtime = { execSync } as RuntimeService;
    const context = {
      ...{ kernel, actor: "kubelet", runtime, images: new ImageManager() },
      events: { event: () => {} },
      crashBackoff: new KeyedBackoff(1, 1),
    } as object as RuntimeContext;
    const rest = { dial: () => undefined, podIp: () => "" };
    return new Prober({ ...{ kernel, actor: "kubelet", runtime, context }, ...rest });
  }

  private answer(probe: ProbeType) {
    const containerAge = this.second() - Math.round((this.startedAtMs - ZERO_MS) / 1000);
    const letters = this.c.outcomesPerSecondOfContainerLife[probe];
    const letter = letters[Math.min(containerAge, letters.length - 1)];
    if (letter === "E") {
      this.row({ outcome: "error", probe });
      throw new Error("could not run");
    }
    const outcome = letter === "S" ? "success" : "failure";
    this.row({ containerAge, outcome, probe });
    return { stdout: "", stderr: "", exit_code: letter === "S" ? 0 : 1 };
  }
}

function containerOf({ probes }: Case): Container {
  const of = (type: ProbeType) =>
    probes[type] ? { ...probes[type], exec: { command: [type] } } : undefined;
  return {
    name: "app",
    livenessProbe: of("liveness"),
    readinessProbe: of("readiness"),
    startupProbe: of("startup"),
  };
}
