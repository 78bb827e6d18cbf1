/** Makes the parts that a kubelet's pod workers share, and joins them. */
import type { Pod } from "../api/kinds/pod.ts";
import { bytes } from "../api/quantity.ts";
import type { ComponentContext } from "../client/component.ts";
import { isSidecar } from "./containers.ts";
import { capacityOf } from "./node/node-object.ts";
import type { KubeletOptions } from "./options.ts";
import type { KubeletParts } from "./parts.ts";
import { ProbeManager } from "./probes/manager.ts";
import { Prober } from "./probes/prober.ts";
import { ProjectedVolumes } from "./projected.ts";
import type { Resizes } from "./resize/resizes.ts";
import { KeyedBackoff } from "./runtime/backoff.ts";
import type { ConfigSource, RuntimeContext } from "./runtime/context.ts";
import { ImageManager } from "./runtime/image-manager.ts";
import { readPodStatus } from "./runtime/pod-status.ts";
import { mirrorPod } from "./static-pods.ts";
import type { GenerateContext } from "./status/generate.ts";
import { StatusManager } from "./status/manager.ts";
import { TokenManager } from "./tokens.ts";
import { VolumeManager } from "./volumes.ts";

/** The Pod's next turn may be far: the mirror is tried again by itself. */
const MIRROR_RETRY_MS = 10_000;

/** What the kubelet itself adds. */
export interface PartsHost {
  networkProblem(): string;
  /** A probe's result changed: the Pod's worker has something to do. */
  wake(uid: string): void;
  readonly lookUp: ConfigSource["lookUp"];
  readonly resizes: Resizes;
  /** Something new is in force in the Pod's containers. */
  onResized(uid: string): void;
}

const CRASH_BACKOFF_MS = 10_000;
const CRASH_BACKOFF_MAX_MS = 300_000;

export function makeParts(
  context: ComponentContext,
  options: KubeletOptions,
  host: PartsHost,
): KubeletParts {
  const { kernel, actor, client, events, random } = context;
  const status = new StatusManager({ kernel, actor, client });
  const probes = makeProbes(context, status, host, () => prober);
  const runtime = makeRuntimeContext(context, options, host, probes, {
    get: (...request) => prober.get(...request),
    onSandboxReady: (pod, ips) => onSandboxReady(parts, pod, ips),
  });
  const prober = new Prober({
    ...{ kernel, actor, runtime: options.runtime, context: runtime },
    dial: (pod, port) => options.dial(pod.metadata.uid ?? "", port),
    podIp: (pod) => status.get(pod).podIP ?? "",
  });
  const reasons: KubeletParts["reasons"] = new Map();
  const generate: GenerateContext = {
    ...{ kernel, hostIP: options.node.address, readiness: probes },
    runtimeName: options.runtimeName,
    resizes: host.resizes,
    reason: (uid, name) => reasons.get(uid)?.get(name),
    imageIdOf: imageIds(),
  };
  const parts: KubeletParts = {
    ...{ kernel, actor, random, events, status, probes, reasons, generate },
    context: runtime,
    volumes: makeVolumes(context, options, host),
    ending: new Map(),
    networkProblem: host.networkProblem,
    async mirror(pod) {
      const known = status.mirrorOf(pod);
      if (await mirrorPod(context, options, pod, known)) return;
      kernel.after(MIRROR_RETRY_MS, () => host.wake(pod.metadata.uid ?? ""));
    },
    readStatus: (pod) => readPodStatus(options.runtime, pod.metadata.uid ?? ""),
  };
  return parts;
}

function makeVolumes(
  { kernel, actor, client, random }: ComponentContext,
  { volumePlugins = [], requestsTokens }: KubeletOptions,
  { lookUp }: PartsHost,
): VolumeManager {
  if (!requestsTokens) return new VolumeManager(kernel, lookUp, volumePlugins);
  const own = random.fork("tokens");
  const tokens = new TokenManager({ kernel, actor, client, random: own });
  const projected = new ProjectedVolumes(kernel, tokens, lookUp);
  return new VolumeManager(kernel, lookUp, [...volumePlugins, projected]);
}

/** `docker.io/library/nginx@sha256:…` */
function imageIds(): GenerateContext["imageIdOf"] {
  // One text an image, since the status of every container holds it.
  const known = new Map<string, { imageId: string; text: string }>();
  return ({ image, imageId }) => {
    const found = known.get(image);
    if (found?.imageId === imageId) return found.text;
    const colon = image.indexOf(":", image.lastIndexOf("/") + 1);
    const text = `${colon < 0 ? image : image.slice(0, colon)}@${imageId}`;
    known.set(image, { imageId, text });
    return text;
  };
}

function makeProbes(
  { kernel, actor, random }: ComponentContext,
  status: StatusManager,
  host: PartsHost,
  prober: () => Prober,
): ProbeManager {
  return new ProbeManager({
    ...{ kernel, actor, random },
    target(pod, name) {
      const { phase = "", ...found } = status.get(pod);
      const sidecar = pod.spec.initContainers?.some(
        (container) => container.name === name && isSidecar(container),
      );
      const list = sidecar
        ? found.initContainerStatuses
        : found.containerStatuses;
      const own = list?.find((each) => each.name === name);
      const startedAt = own?.state?.running?.startedAt;
      const startedAtMs = startedAt ? kernel.msOf(startedAt) : 0;
      return { podPhase: phase, status: own, startedAtMs };
    },
    run: (pod, container, type, id) => prober().run(pod, container, type, id),
    onResult: (pod) => host.wake(pod.metadata.uid ?? ""),
  });
}

function makeRuntimeContext(
  { kernel, actor, events }: ComponentContext,
  options: KubeletOptions,
  host: PartsHost,
  probes: ProbeManager,
  more: Pick<RuntimeContext, "get" | "onSandboxReady">,
): RuntimeContext {
  return {
    ...{ kernel, actor, events, runtime: options.runtime },
    probes: {
      liveness: (id) => probes.get("liveness", id),
      startup: (id) => probes.get("startup", id),
    },
    images: new ImageManager(),
    crashBackoff: new KeyedBackoff(CRASH_BACKOFF_MS, CRASH_BACKOFF_MAX_MS),
    config: {
      nodeName: options.node.name,
      hostIP: options.node.address,
      nodeMemoryBytes: bytes(capacityOf(options).memory),
      clusterDns: options.clusterDns ?? ["10.96.0.10"],
      clusterDomain: options.clusterDomain ?? "cluster.local",
      cgroupDriver: options.cgroupDriver ?? "systemd",
      lookUp: host.lookUp,
    },
    resizes: host.resizes,
    onResized: ({ metadata }) => host.onResized(metadata.uid ?? ""),
    ...more,
  };
}

/** The Pod has its network: the API hears of it before images are pulled. */
function onSandboxReady(
  { status, kernel }: KubeletParts,
  pod: Pod,
  ips: readonly string[],
): void {
  const before = status.get(pod);
  const conditions = before.conditions?.map((condition) =>
    condition.type === "PodReadyToStartContainers" &&
    condition.status !== "True"
      ? { ...condition, status: "True", lastTransitionTime: kernel.timestamp() }
      : condition,
  );
  const [podIP] = ips;
  const addresses = podIP ? { podIP, podIPs: ips.map((ip) => ({ ip })) } : {};
  status.set(pod, { ...before, conditions, ...addresses });
}
