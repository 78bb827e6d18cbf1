/**
 * The kubelet's end of the runtime's socket: every call costs its time on the
 * way and is an arrow in the trace, with what was asked and answered.
 */
import type { Kernel } from "../kernel/index.ts";
import { type ImageService, RpcError, type RuntimeService } from "./api.ts";
import { type RuntimeKind, SOCKETS } from "./kinds.ts";

export type Runtime = RuntimeService & ImageService;

export interface ConnectionOptions {
  readonly kernel: Kernel;
  /** Who calls: `kubelet/node-1`. */
  readonly actor: string;
  /** Who answers: `containerd/node-1`. */
  readonly target: string;
  readonly runtime: Runtime;
  /** Of one call, there and back, in ms. */
  readonly latencyMs: number;
}

/** What the trace keeps of a call; the answer comes in when it comes. */
export interface CriDetail {
  readonly request: object;
  response?: object;
  error?: string;
}

type Call = (request: object) => Promise<object>;

/** The names of the calls, as the trace and the real messages have them. */
const CALLS: readonly (keyof Runtime)[] = [
  ...(["version", "status", "runPodSandbox", "stopPodSandbox"] as const),
  ...(["removePodSandbox", "podSandboxStatus", "listPodSandbox"] as const),
  ...(["createContainer", "startContainer", "stopContainer"] as const),
  ...(["removeContainer", "listContainers", "containerStatus"] as const),
  ...(["updateContainerResources", "reopenContainerLog"] as const),
  ...(["execSync", "containerStats"] as const),
  ...(["listContainerStats", "listImages", "imageStatus"] as const),
  ...(["pullImage", "removeImage", "imageFsInfo"] as const),
];

/** Looking something up costs nothing worth waiting for. */
const LOOKUPS: readonly (keyof Runtime)[] = [
  "podSandboxStatus",
  "listContainers",
  "containerStatus",
  "imageStatus",
];

/** The same services as the runtime's, over the socket. */
export function connect(options: ConnectionOptions): Runtime {
  const { runtime } = options;
  const calls = CALLS.map((name) => {
    const run: Call = (request) => (runtime[name] as Call)(request);
    return [name, overSocket(options, name, run)] as const;
  });
  return Object.fromEntries(calls) as Record<keyof Runtime, Call> as Runtime;
}

/** Two callbacks and no process: a Pod's start makes a dozen such calls. */
function overSocket(
  { kernel, actor, target, latencyMs }: ConnectionOptions,
  name: keyof Runtime,
  run: Call,
): Call {
  const isLookup = LOOKUPS.includes(name);
  const subject = name[0]!.toUpperCase() + name.slice(1);
  const ask: Call = (request) =>
    kernel.faults.stopped(target)
      ? Promise.reject(refused(target))
      : run(request);
  return (request) => {
    const causeId = kernel.causeId;
    const detail: CriDetail = { request };
    kernel.causeId = kernel.record(actor, "cri", subject, target, detail);
    const answer = isLookup
      ? ask(request)
      : kernel.sleep(latencyMs).then(() => ask(request));
    return answer.then(
      (response) => {
        // A kubelet that was stopped meanwhile has nobody who could hear it.
        if (kernel.faults.stopped(actor)) return kernel.wait(() => {});
        kernel.causeId = causeId;
        detail.response = response;
        return response;
      },
      (error) => {
        kernel.causeId = causeId;
        detail.error = error instanceof Error ? error.message : String(error);
        throw error;
      },
    );
  };
}

function refused(target: string): RpcError {
  const socket = SOCKETS[target.split("/")[0] as RuntimeKind];
  const why = `dial unix ${socket}: connect: connection refused`;
  const desc = `connection error: desc = "transport: Error while dialing: ${why}"`;
  return new RpcError("Unavailable", desc);
}
