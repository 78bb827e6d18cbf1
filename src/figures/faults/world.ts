/**
 * A cluster of three machines in a nutshell, for one experiment: move three Pods from version 1 to version 2 while
 * something goes wrong. It runs on the simulator's kernel, so a run is a function of its seed.
 */
import { Kernel, type Process } from "@shikumi/sim";

export interface Pod {
  readonly name: string;
  readonly version: number;
  readonly node: string;
  readonly ready: boolean;
}

export const FAULTS = ["message", "node", "killed", "edit"] as const;
export type Fault = (typeof FAULTS)[number];

/** What a program may ask the cluster for. Each call takes 20 to 100 ms; one that is not answered fails after a second. */
export interface Api {
  list(): Promise<Pod[]>;
  /** Starts a Pod on the emptiest machine; it is ready after two to four seconds. Returns its name. */
  create(version: number): Promise<string>;
  /** Removing what is not there is no error. */
  remove(name: string): Promise<void>;
  sleep(ms: number): Promise<void>;
}

export type Program = (api: Api) => Promise<void>;

/** right; silent: wrong, and the program thinks that all is well; loud: wrong, and the program stopped with an error. */
export type Outcome = "right" | "silent" | "loud";

export const WANTED = 3;
const JUDGED_MS = 60_000;
const RESTART_MS = 5_000;
const NOTICED_MS = 5_000;

/** Runs `program` in a world where the one fault that the seed picks happens. */
export async function outcomeOf(
  seed: number,
  program: Program,
): Promise<{ fault: Fault; outcome: Outcome }> {
  const world = new World(seed);
  world.play(program);
  await world.kernel.run({ untilMs: JUDGED_MS });
  const outcome = world.isRight() ? "right" : world.failed ? "loud" : "silent";
  return { fault: world.fault, outcome };
}

class World {
  readonly kernel: Kernel;
  readonly fault: Fault;
  failed = false;
  private readonly pods = new Map<string, Pod>();
  private readonly nodes = new Set(["node-1", "node-2", "node-3"]);
  /** Which write is the one whose request, or reply, is lost; 0: none. */
  private lossAt = 0;
  private readonly isReplyLost: boolean;
  private writes = 0;
  private names = 0;
  /** Goes up when the program is killed: calls of an earlier life come to nothing. */
  private life = 0;

  constructor(seed: number) {
    this.kernel = new Kernel({ seed, trace: "off" });
    const random = this.kernel.random.fork("fault");
    this.fault = random.pick(FAULTS);
    for (const node of this.nodes) this.place(1, node, true);
    this.isReplyLost = random.int(2) === 0;
    const place = random.int(WANTED);
    if (this.fault === "message") this.lossAt = 1 + random.int(2 * WANTED);
    // A rollout takes some ten seconds: half of these come after its end.
    const atMs = random.between(0, 20_000);
    if (this.fault === "node") this.kernel.after(atMs, () => this.crash(`node-${place + 1}`));
    if (this.fault === "edit") this.kernel.after(atMs, () => this.edit(random.int(2) === 0, place));
  }

  play(program: Program): void {
    const { kernel } = this;
    const start = () => {
      const api = this.apiOf(this.life);
      kernel.spawn("program", () => program(api));
    };
    kernel.onError = (_: unknown, process: Process) => {
      if (process.actor === "program") this.failed = true;
    };
    start();
    if (this.fault !== "killed") return;
    kernel.after(kernel.random.fork("killed").between(0, 10_000), () => {
      this.life++;
      kernel.after(RESTART_MS, start);
    });
  }

  isRight(): boolean {
    const all = [...this.pods.values()];
    return all.length === WANTED && all.every(({ version, ready }) => version === 2 && ready);
  }

  private apiOf(life: number): Api {
    const call = <T>(run: () => T, isWrite: boolean) => this.call(life, run, isWrite);
    return {
      list: () => call(() => [...this.pods.values()], false),
      create: (version) => call(() => this.place(version, this.emptiest(), false), true),
      remove: (name) => call(() => void this.pods.delete(name), true),
      sleep: (ms) => this.wait(life, ms, () => {}),
    };
  }

  private call<T>(life: number, run: () => T, isWrite: boolean): Promise<T> {
    const isLost = isWrite && ++this.writes === this.lossAt;
    const ms = this.kernel.random.between(20, 100);
    if (!isLost) return this.wait(life, ms, run);
    if (this.isReplyLost) this.kernel.after(ms, run);
    return this.wait(life, 1_000, () => {
      throw new Error("no answer");
    });
  }

  private wait<T>(life: number, ms: number, run: () => T): Promise<T> {
    return this.kernel.wait((resolve, reject) => {
      this.kernel.after(ms, () => {
        if (life !== this.life) return;
        try {
          resolve(run());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  private place(version: number, node: string, ready: boolean): string {
    const name = `web-${++this.names}`;
    this.pods.set(name, { name, version, node, ready });
    const wake = () => {
      const pod = this.pods.get(name);
      if (pod && this.nodes.has(node)) this.pods.set(name, { ...pod, ready: true });
    };
    if (!ready) this.kernel.after(this.kernel.random.between(2_000, 4_000), wake);
    return name;
  }

  private emptiest(): string {
    const load = (node: string) =>
      [...this.pods.values()].filter((pod) => pod.node === node).length;
    return [...this.nodes].sort((a, b) => load(a) - load(b))[0]!;
  }

  /** The machine is gone for good; after a while its Pods are no longer listed. */
  private crash(node: string): void {
    this.nodes.delete(node);
    const here = [...this.pods.values()].filter((pod) => pod.node === node);
    for (const pod of here) this.pods.set(pod.name, { ...pod, ready: false });
    this.kernel.after(NOTICED_MS, () => {
      for (const pod of here) this.pods.delete(pod.name);
    });
  }

  /** A colleague removes one Pod, or starts one more of the old version. */
  private edit(removes: boolean, place: number): void {
    if (!removes) this.place(1, this.emptiest(), false);
    else this.pods.delete([...this.pods.keys()][place]!);
  }
}
