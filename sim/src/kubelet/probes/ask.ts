/**
 * Questions that go over the network: a GET, a connection, a gRPC health
 * check, each with what it says of the answer.
 * Models:     pkg/probe/{http,tcp,grpc}, pkg/probe/util.go @ v1.36
 * Leaves out: TLS; bodies of answers; where a redirect leads, so that each
 *             counts as one to another host, which is not followed.
 */
import { quote } from "../../api/go-text.ts";
import type {
  Container,
  HTTPGetAction,
  TCPSocketAction,
} from "../../api/kinds/pod.ts";
import type { Kernel } from "../../kernel/index.ts";
import { goDuration } from "../runtime/go-duration.ts";

/** Whatever answers at an address. */
export interface Listener {
  /** HTTP status for a path. */
  http(path: string): number;
  /** From a request to its answer, in ms; a connection is taken at once. */
  readonly answerMs: number;
  /** `SERVING`, `NOT_SERVING`; undefined: knows no such service. */
  grpc(service: string): string | undefined;
}

export interface Outcome {
  readonly result: "success" | "warning" | "failure" | "error";
  readonly output: string;
}

/** Who is asked, from where, and for how long. */
export interface Question {
  readonly kernel: Kernel;
  readonly container: Container;
  readonly podIp: string;
  /** Whether the Pod's network is the node's, from which is asked. */
  readonly onNode: boolean;
  /** What listens at a port of the Pod; undefined: nothing. */
  readonly dial: (port: number) => Listener | undefined;
  /** Absent: for ever. */
  readonly timeoutMs?: number;
}

export const SUCCESS: Outcome = { result: "success", output: "" };

export function failure(output: string): Outcome {
  return { result: "failure", output };
}

export async function askHttp(
  question: Question,
  { host, path = "/", port: asked, scheme = "HTTP" }: HTTPGetAction,
): Promise<Outcome> {
  const port = portOf(question.container, asked);
  if (typeof port === "string") return { result: "error", output: port };
  const address = joinHostPort(host || question.podIp, port);
  const slash = path.startsWith("/") ? "" : "/";
  const url = `${scheme.toLowerCase()}://${address}${slash}${path}`;
  const failed = (why: string) => failure(`Get ${quote(url)}: ${why}`);
  const listener = reach(question, host, port);
  if (!listener) return failed(refused(address));
  if (!(await answersInTime(question, listener))) {
    return failed(
      "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
    );
  }
  const status = listener.http(path);
  if (status >= 200 && status < 300) return SUCCESS;
  if (status >= 300 && status < 400) {
    const output = "Probe terminated redirects, Response body: ";
    return { result: "warning", output };
  }
  return failure(`HTTP probe failed with statuscode: ${status}`);
}

/** To be connected is enough. */
export function askTcp(
  question: Question,
  { host, port: asked }: TCPSocketAction,
): Outcome {
  const port = portOf(question.container, asked);
  if (typeof port === "string") return { result: "error", output: port };
  if (reach(question, host, port)) return SUCCESS;
  return failure(refused(joinHostPort(host || question.podIp, port)));
}

/** A refused connection is tried again until the time is over. */
export async function askGrpc(
  question: Question,
  { port, service = "" }: { port: number; service?: string },
): Promise<Outcome> {
  const { kernel, podIp, timeoutMs = 0 } = question;
  const listener = question.dial(port);
  const limit = goDuration(timeoutMs);
  if (!listener) {
    await kernel.sleep(timeoutMs);
    const address = quote(joinHostPort(podIp, port));
    return failure(
      `timeout: failed to connect service ${address} within ${limit}: context deadline exceeded`,
    );
  }
  if (!(await answersInTime(question, listener))) {
    return failure(`timeout: health rpc did not complete within ${limit}`);
  }
  const status = listener.grpc(service);
  if (status === "SERVING") return SUCCESS;
  if (status === undefined) {
    return failure(
      "error: health rpc probe failed: rpc error: code = NotFound desc = unknown service",
    );
  }
  return failure(`service unhealthy (responded with ${quote(status)})`);
}

/** Waits for the answer, or until the time is over. */
async function answersInTime(
  { kernel, timeoutMs = Number.POSITIVE_INFINITY }: Question,
  { answerMs }: Listener,
): Promise<boolean> {
  if (answerMs > 0) await kernel.sleep(Math.min(answerMs, timeoutMs));
  return answerMs <= timeoutMs;
}

/** It is the kubelet that asks: its loopback address is the node's own. */
function reach(
  { dial, onNode }: Question,
  host: string | undefined,
  port: number,
): Listener | undefined {
  const isLoopback = /^(127\.|::1$|localhost$)/.test(host ?? "");
  return isLoopback && !onNode ? undefined : dial(port);
}

function refused(address: string): string {
  return `dial tcp ${address}: connect: connection refused`;
}

function joinHostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A port by its number or its name in the container, or why there is none. */
function portOf({ ports }: Container, asked: number | string): number | string {
  const named = ports?.find(({ name }) => name === asked)?.containerPort;
  if (named === undefined && !/^[-+]?\d+$/.test(String(asked))) {
    return `strconv.Atoi: parsing ${quote(String(asked))}: invalid syntax`;
  }
  const port = named ?? Number(asked);
  if (port > 0 && port < 65536) return port;
  return `invalid port number: ${port}`;
}
