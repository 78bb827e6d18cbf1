/**
 * What the runtime part of the kubelet works with, and the errors that end up
 * as the `reason` of a waiting container.
 */

import type { Container, HTTPGetAction, Pod } from "../../api/kinds/pod.ts";
import type { KubeObject } from "../../api/types.ts";
import type { EventType, ObjectReference } from "../../client/events.ts";
import type { ImageService, RuntimeService } from "../../cri/api.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Resize } from "../resize/resizes.ts";
import type { ProbeResults } from "./actions.ts";
import type { KeyedBackoff } from "./backoff.ts";
import type { ImageManager } from "./image-manager.ts";

/** Whoever records Events: the client's EventRecorder. */
export interface Recorder {
  event(
    object: KubeObject | ObjectReference,
    type: EventType,
    reason: string,
    message: string,
    action?: string,
    annotations?: Readonly<Record<string, string>>,
  ): void;
}

export interface RuntimeContext {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly runtime: RuntimeService & ImageService;
  readonly events: Recorder;
  readonly probes: ProbeResults;
  readonly images: ImageManager;
  /** Between restarts of a container: 10 s to 5 min. */
  readonly crashBackoff: KeyedBackoff;
  readonly config: ConfigSource;
  /** Pods that are resized; `onResized`: something new is in force. */
  readonly resizes?: { of(pod: Pod): Resize | undefined };
  readonly onResized?: (pod: Pod) => void;
  /** A GET as a hook makes it: why nobody answered, or "". */
  readonly get?: (
    pod: Pod,
    container: Container,
    action: HTTPGetAction,
  ) => Promise<string>;
  /** Told once the sandbox has its network. */
  readonly onSandboxReady?: (pod: Pod, ips: readonly string[]) => void;
  /** Told of every container that was made, before it starts. */
  readonly onContainer?: (pod: Pod, container: Container, id: string) => void;
}

/** What the node knows and the container's configuration needs. */
export interface ConfigSource {
  readonly nodeName: string;
  readonly hostIP: string;
  /** Capacity, for the OOM score. */
  readonly nodeMemoryBytes: number;
  readonly clusterDns: readonly string[];
  readonly clusterDomain: string;
  readonly cgroupDriver: "cgroupfs" | "systemd";
  /** Value of a key of a ConfigMap or Secret; throws KubeletError. */
  readonly lookUp: (
    kind: "configmap" | "secret",
    pod: Pod,
    name: string,
  ) => Promise<Readonly<Record<string, string>> | undefined>;
}

/** Why a container does not run: `reason` and `message` of its waiting state. */
export class KubeletError extends Error {
  readonly reason: string;
  /** When a new try makes sense, in ms; absent: at the next sync. */
  readonly retryAtMs?: number;

  constructor(reason: string, message: string, retryAtMs?: number) {
    super(message);
    this.name = "KubeletError";
    this.reason = reason;
    this.retryAtMs = retryAtMs;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Of a call to the runtime: what it says itself, without the code. */
export function descOf(error: unknown): string {
  return messageOf(error).replace(/^rpc error: code = \w+ desc = /, "");
}

/** Texts that thousands of Events say alike, each kept once. */
const texts = new Map<string, string>();

function shared(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  texts.set(text, text);
  return text;
}

/** An Event about one container of a Pod. */
export function containerEvent(
  { events }: RuntimeContext,
  pod: Pod,
  container: Container,
  type: EventType,
  reason: string,
  message: string,
): void {
  const { name, namespace, uid, resourceVersion } = pod.metadata;
  const init = pod.spec.initContainers?.some((c) => c.name === container.name);
  const list = init ? "initContainers" : "containers";
  const fieldPath = shared(`spec.${list}{${container.name}}`);
  const pointer = {
    kind: "Pod",
    namespace,
    name,
    uid,
    apiVersion: "v1",
    resourceVersion,
    fieldPath,
  };
  events.event(pointer, type, reason, message);
}
