/**
 * Running one probe: a command in the container, or a request to the Pod's
 * address. Up to three tries if it could not run at all.
 * Models: pkg/kubelet/prober/prober.go, pkg/probe/{http,tcp,grpc,exec} @ v1.36
 */
import type {
  Container,
  HTTPGetAction,
  Pod,
  Probe,
} from "../../api/kinds/pod.ts";
import type { RuntimeService } from "../../cri/api.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { ProbeResult } from "../runtime/actions.ts";
import {
  containerEvent,
  messageOf,
  type RuntimeContext,
} from "../runtime/context.ts";
import { type ProbeType, specOf } from "./worker.ts";

/** Whatever answers at an address. */
export interface Listener {
  /** HTTP status for a path. */
  http(path: string): number;
}

export interface ProberOptions {
  readonly kernel: Kernel;
  readonly actor: string;
  readonly runtime: RuntimeService;
  readonly context: RuntimeContext;
  /** What listens there; undefined: connection refused. */
  readonly dial: (pod: Pod, port: number) => Listener | undefined;
  readonly podIp: (pod: Pod) => string;
}

interface Outcome {
  readonly result: "success" | "failure" | "error";
  readonly output: string;
}

const TRIES = 3;
const NETWORK_MS = 0.5;

const WORDS: Readonly<Record<ProbeType, string>> = {
  liveness: "Liveness",
  readiness: "Readiness",
  startup: "Startup",
};

export class Prober {
  private readonly options: ProberOptions;

  constructor(options: ProberOptions) {
    this.options = options;
  }

  async run(
    pod: Pod,
    container: Container,
    type: ProbeType,
    containerId: string,
  ): Promise<ProbeResult | "error"> {
    const { kernel, actor, context } = this.options;
    const spec = specOf(container, type);
    if (!spec) return "Success";
    let outcome: Outcome = { result: "error", output: "" };
    for (let i = 0; i < TRIES && outcome.result === "error"; i++) {
      outcome = await this.once(pod, container, spec, containerId);
    }
    const { result, output } = outcome;
    const { name, namespace } = pod.metadata;
    const subject = `${type} ${namespace}/${name} ${container.name}`;
    kernel.causeId = kernel.record(actor, "probe", subject, "", outcome);
    const word = WORDS[type];
    if (result === "success") return "Success";
    const failed = result === "failure";
    const message = failed
      ? `${word} probe failed: ${output}`
      : `${word} probe errored: ${output}`;
    containerEvent(context, pod, container, "Warning", "Unhealthy", message);
    return failed ? "Failure" : "error";
  }

  private async once(
    pod: Pod,
    container: Container,
    spec: Probe,
    containerId: string,
  ): Promise<Outcome> {
    if (spec.exec) return this.exec(containerId, spec);
    const ip = this.options.podIp(pod);
    await this.options.kernel.sleep(NETWORK_MS);
    const { httpGet, tcpSocket, grpc } = spec;
    if (httpGet) return this.http(pod, container, httpGet, ip);
    const port = portOf(container, tcpSocket?.port ?? grpc?.port ?? 0);
    if (this.options.dial(pod, port)) return { result: "success", output: "" };
    if (!grpc) return failure(refused(ip, port));
    const address = `${ip}:${port}`;
    return failure(
      `timeout: failed to connect service "${address}" within ${spec.timeoutSeconds ?? 1}s: context deadline exceeded`,
    );
  }

  /** For hooks, which take any answer. Why there was none, or "". */
  async get(
    pod: Pod,
    container: Container,
    action: HTTPGetAction,
  ): Promise<string> {
    await this.options.kernel.sleep(NETWORK_MS);
    const ip = this.options.podIp(pod);
    const { result, output } = this.http(pod, container, action, ip);
    const answered = output.startsWith("HTTP probe failed");
    return result === "success" || answered ? "" : output;
  }

  private async exec(containerId: string, spec: Probe): Promise<Outcome> {
    const cmd = spec.exec?.command ?? [];
    const timeout = spec.timeoutSeconds ?? 1;
    try {
      const request = { container_id: containerId, cmd, timeout };
      const { exit_code, stdout } =
        await this.options.runtime.execSync(request);
      const output = stdout.trimEnd();
      return { result: exit_code === 0 ? "success" : "failure", output };
    } catch (error) {
      const message = messageOf(error);
      if (!message.includes("DeadlineExceeded")) {
        return { result: "error", output: message };
      }
      return failure(
        `command timed out: "${cmd.join(" ")}" timed out after ${timeout}s`,
      );
    }
  }

  private http(
    pod: Pod,
    container: Container,
    action: HTTPGetAction,
    podIp: string,
  ): Outcome {
    const { path = "/", scheme = "HTTP" } = action;
    const ip = action.host || podIp;
    const port = portOf(container, action.port);
    const listener = this.options.dial(pod, port);
    const url = `${scheme.toLowerCase()}://${ip}:${port}${path}`;
    if (!listener) return failure(`Get "${url}": ${refused(ip, port)}`);
    const status = listener.http(path);
    if (status >= 200 && status < 400) return { result: "success", output: "" };
    return failure(`HTTP probe failed with statuscode: ${status}`);
  }
}

function failure(output: string): Outcome {
  return { result: "failure", output };
}

function refused(ip: string, port: number): string {
  return `dial tcp ${ip}:${port}: connect: connection refused`;
}

/** A port by its name in the container. */
function portOf(container: Container, port: number | string): number {
  if (typeof port === "number") return port;
  const named = container.ports?.find(({ name }) => name === port);
  return named?.containerPort ?? Number(port);
}
