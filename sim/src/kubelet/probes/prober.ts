/**
 * Running one probe: a command in the container, or a question to the Pod's
 * address. Up to three tries if it could not run at all.
 * Models: pkg/kubelet/prober/prober.go, pkg/probe/exec @ v1.36
 */
import { quote } from "../../api/go-text.ts";
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
import { expand } from "../runtime/environment.ts";
import { goDuration } from "../runtime/go-duration.ts";
import {
  askGrpc,
  askHttp,
  askTcp,
  failure,
  type Listener,
  type Outcome,
  type Question,
} from "./ask.ts";
import { type ProbeType, specOf } from "./worker.ts";

export interface ProberOptions {
  readonly kernel: Kernel;
  readonly actor: string;
  readonly runtime: RuntimeService;
  readonly context: RuntimeContext;
  /** What listens there; undefined: connection refused. */
  readonly dial: (pod: Pod, port: number) => Listener | undefined;
  readonly podIp: (pod: Pod) => string;
}

const TRIES = 3;
/** Of a command's output, what a probe keeps. */
const OUTPUT_MAX = 10 << 10;
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
    const tell = (reason: string, what: string) =>
      containerEvent(
        ...([context, pod, container, "Warning", reason] as const),
        `${word} probe ${what}: ${output}`,
      );
    switch (result) {
      case "success":
        return "Success";
      case "warning":
        tell("ProbeWarning", "warning");
        return "Success";
      case "failure":
        tell("Unhealthy", "failed");
        return "Failure";
      case "error":
        tell("Unhealthy", "errored and resulted in unknown state");
        return "error";
    }
  }

  private async once(
    pod: Pod,
    container: Container,
    spec: Probe,
    containerId: string,
  ): Promise<Outcome> {
    if (spec.exec) return this.exec(container, containerId, spec);
    const { httpGet, tcpSocket, grpc, timeoutSeconds = 1 } = spec;
    const timeoutMs = timeoutSeconds * 1000;
    const question = { ...this.question(pod, container), timeoutMs };
    await this.options.kernel.sleep(NETWORK_MS);
    if (httpGet) return askHttp(question, httpGet);
    if (tcpSocket) return askTcp(question, tcpSocket);
    if (grpc) return askGrpc(question, grpc);
    return { result: "error", output: "missing probe handler" };
  }

  /** For hooks, which take any answer. Why there was none, or "". */
  async get(
    pod: Pod,
    container: Container,
    action: HTTPGetAction,
  ): Promise<string> {
    await this.options.kernel.sleep(NETWORK_MS);
    const question = this.question(pod, container);
    const { result, output } = await askHttp(question, action);
    const answered = output.startsWith("HTTP probe failed");
    const none = result === "failure" || result === "error";
    return none && !answered ? output : "";
  }

  private question(pod: Pod, container: Container): Question {
    const { kernel, dial, podIp } = this.options;
    return {
      ...{ kernel, container, podIp: podIp(pod) },
      onNode: pod.spec.hostNetwork ?? false,
      dial: (port) => dial(pod, port),
    };
  }

  private async exec(
    { env = [] }: Container,
    container_id: string,
    { exec, timeoutSeconds: timeout = 1 }: Probe,
  ): Promise<Outcome> {
    const known = new Map(env.map(({ name, value = "" }) => [name, value]));
    const cmd = (exec?.command ?? []).map((word) => expand(word, known));
    try {
      const request = { container_id, cmd, timeout };
      const answer = await this.options.runtime.execSync(request);
      const output = (answer.stdout + answer.stderr).slice(0, OUTPUT_MAX);
      const result = answer.exit_code === 0 ? "success" : "failure";
      return { result, output };
    } catch (error) {
      const message = messageOf(error);
      if (!message.includes("DeadlineExceeded")) {
        return { result: "error", output: message };
      }
      return failure(
        `command timed out: ${quote(cmd.join(" "))} timed out after ${goDuration(timeout * 1000)}`,
      );
    }
  }
}
