/**
 * Projected volumes: several sources in one folder. Every Pod has one,
 * kube-api-access-…, with its token, the cluster's certificate and its
 * namespace; the Pod starts once all sources are there.
 * Models:     pkg/volume/projected/projected.go, pkg/kubelet/util/manager
 *             (the strategy Cache) @ v1.36
 * Leaves out: the contents of the files; trust bundles; Pod certificates.
 */
import { aggregate } from "../api/field-error.ts";
import type { Pod, Volume } from "../api/kinds/pod.ts";
import type { Kernel } from "../kernel/index.ts";
import { type ConfigSource, messageOf } from "./runtime/context.ts";
import type { TokenManager } from "./tokens.ts";
import type { VolumePlugin } from "./volumes.ts";

type Source = NonNullable<NonNullable<Volume["projected"]>["sources"]>[number];

/** What was there a minute ago is taken to be there still. */
const CACHE_MS = 60_000;

export class ProjectedVolumes implements VolumePlugin {
  private readonly kernel: Kernel;
  private readonly tokens: TokenManager;
  private readonly lookUp: ConfigSource["lookUp"];
  /** When an object was seen last, by kind, namespace and name. */
  private readonly seenAtMs = new Map<string, number>();

  constructor(
    kernel: Kernel,
    tokens: TokenManager,
    lookUp: ConfigSource["lookUp"],
  ) {
    this.kernel = kernel;
    this.tokens = tokens;
    this.lookUp = lookUp;
  }

  supports(volume: Volume): boolean {
    return volume.projected !== undefined;
  }

  async mount(pod: Pod, { name, projected }: Volume): Promise<void> {
    const problems: string[] = [];
    for (const source of projected?.sources ?? []) {
      const problem = await this.problemOf(pod, source);
      if (problem) problems.push(problem);
    }
    if (problems.length === 0) return;
    const text = aggregate(problems);
    throw new Error(`MountVolume.SetUp failed for volume "${name}" : ${text}`);
  }

  async unmount({ metadata }: Pod): Promise<void> {
    this.forget(metadata.uid ?? "");
  }

  forget(uid: string): void {
    this.tokens.forget(uid);
  }

  stop(): void {
    this.tokens.stop();
  }

  /** Why the source is not there; undefined if it is. */
  private async problemOf(
    pod: Pod,
    { serviceAccountToken, configMap, secret }: Source,
  ): Promise<string | undefined> {
    try {
      if (serviceAccountToken) await this.tokens.get(pod, serviceAccountToken);
      if (configMap && !configMap.optional) {
        return await this.missing("configmap", pod, configMap.name ?? "");
      }
      if (secret && !secret.optional) {
        return await this.missing("secret", pod, secret.name ?? "");
      }
    } catch (error) {
      return messageOf(error);
    }
    return undefined;
  }

  private async missing(
    kind: "configmap" | "secret",
    pod: Pod,
    name: string,
  ): Promise<string | undefined> {
    const now = this.kernel.now();
    const key = `${kind}/${pod.metadata.namespace}/${name}`;
    const seenAtMs = this.seenAtMs.get(key);
    if (seenAtMs !== undefined && now - seenAtMs < CACHE_MS) return undefined;
    if (!(await this.lookUp(kind, pod, name))) {
      return `${kind} "${name}" not found`;
    }
    this.seenAtMs.set(key, now);
    return undefined;
  }
}
