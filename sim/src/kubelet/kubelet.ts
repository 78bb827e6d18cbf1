/**
 * The kubelet: the agent on every node. It registers the node, hears of the
 * Pods that were bound to it, and makes the runtime run them.
 * Models:     pkg/kubelet/kubelet.go @ v1.36
 * Leaves out: the HTTP server; device and topology managers.
 */
import { Pod } from "../api/kinds/pod.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { NodeAdmission } from "./admission.ts";
import { isMirrorPod, isOver, isStaticPod } from "./containers.ts";
import { lookUpWith } from "./look-up.ts";
import { makeParts } from "./make-parts.ts";
import { Mirrors } from "./mirrors.ts";
import { NodeAgent } from "./node/agent.ts";
import { allocatableOf } from "./node/node-object.ts";
import type { KubeletOptions } from "./options.ts";
import type { KubeletParts } from "./parts.ts";
import { Pleg } from "./pleg.ts";
import { rejectPod } from "./reject.ts";
import { Resizes } from "./resize/resizes.ts";
import type { RuntimePod } from "./runtime/pod-status.ts";
import { startStaticPods } from "./static-pods.ts";
import { startUrlPods } from "./static-pods-url.ts";
import { Upkeep } from "./upkeep.ts";
import { PodWorkers } from "./workers.ts";

export type { KubeletOptions, NodeConfig } from "./options.ts";

export function startKubelet(
  context: ComponentContext,
  options: KubeletOptions,
): Component {
  const kubelet = new Kubelet(context, options);
  kubelet.start();
  return kubelet;
}

class Kubelet implements Component {
  private readonly context: ComponentContext;
  private readonly options: KubeletOptions;
  private readonly parts: KubeletParts;
  private readonly workers: PodWorkers;
  private readonly pleg: Pleg;
  private readonly admission: NodeAdmission;
  private readonly agent: NodeAgent;
  private readonly upkeep: Upkeep;
  private readonly mirrors: Mirrors;
  private readonly resizes: Resizes;
  /** Pods of which the runtime had something when we started. */
  private readonly found = new Set<string>();
  /** Pods whose object is gone while their processes still end. */
  private readonly gone = new Set<string>();
  private stopped = false;
  private unwatch: () => void = () => {};

  constructor(context: ComponentContext, options: KubeletOptions) {
    this.context = context;
    this.options = options;
    const { kernel, actor, random } = context;
    this.admission = new NodeAdmission(allocatableOf(options));
    this.agent = new NodeAgent(context, options);
    const { admission } = this;
    this.resizes = new Resizes({
      ...{ kernel, admission, events: context.events },
      sync: (pod) => this.workers.update(pod),
    });
    this.parts = makeParts(context, options, {
      networkProblem: () => this.agent.networkProblem,
      wake: (uid) => this.workers.wake(uid),
      lookUp: lookUpWith(context.client),
      resizes: this.resizes,
      onResized: (uid) => this.pleg.notice(uid),
    });
    this.pleg = new Pleg({
      ...{ kernel, actor, runtime: options.runtime },
      phaseMs: random.between(0, 1000),
      onChange: (uid, status) => this.seen(uid, status),
    });
    this.workers = new PodWorkers({
      parts: this.parts,
      isStale: (uid) => this.pleg.isStale(uid),
      onTerminated: (pod) => this.onTerminated(pod),
    });
    const { workers, parts, agent } = this;
    this.mirrors = new Mirrors(context, parts.status, workers);
    this.upkeep = new Upkeep({ context, options, parts, workers, agent });
  }

  start(): void {
    const { options, context } = this;
    options.onRuntimeEvent(({ pod_uid }) => {
      if (!this.stopped) this.pleg.notice(pod_uid);
    });
    this.agent.start();
    this.upkeep.start();
    context.kernel.spawn(context.actor, () => this.begin());
  }

  /** First what the runtime still has of an earlier life, then the Pods. */
  private async begin(): Promise<void> {
    const { options, context } = this;
    const { items } = await options.runtime.listPodSandbox({});
    for (const { metadata } of items) this.found.add(metadata.uid);
    if (this.stopped) return;
    const fieldSelector = `spec.nodeName=${options.node.name}`;
    const pods = context.informers.informer(Pod, { fieldSelector });
    pods.onChange({
      added: (pod) => this.add(pod),
      updated: (pod, old) => this.update(pod, old),
      deleted: (pod) => this.remove(pod),
    });
    const sink = {
      add: (pod: Pod) => this.add(pod),
      remove: (pod: Pod) => this.remove(pod),
    };
    const folder = startStaticPods(context, options, sink);
    const { staticPodURL } = options.configuration ?? {};
    const url = staticPodURL && startUrlPods(context, options, sink);
    this.unwatch = () => {
      folder();
      if (url) url();
    };
  }

  stop(): void {
    this.stopped = true;
    this.unwatch();
    this.agent.stop();
    this.pleg.stop();
    this.workers.stop();
    this.parts.probes.stop();
    this.parts.status.stop();
    this.parts.volumes.stop();
    this.upkeep.stop();
    this.resizes.stop();
  }

  // region: pod-added
  private add(pod: Pod): void {
    if (this.stopped) return;
    const uid = pod.metadata.uid ?? "";
    if (isMirrorPod(pod)) return this.mirrors.seen(pod);
    if (isOver(pod)) {
      // Nothing to run; what still is there of it is cleaned up.
      this.workers.update(pod);
      return;
    }
    const granted = this.resizes.add(pod);
    const rejection = this.upkeep.admit(pod) ?? this.admission.admit(granted);
    if (rejection) return rejectPod(this.parts, pod, rejection);
    if (this.found.delete(uid)) this.pleg.notice(uid);
    this.workers.update(granted);
    this.resizes.retry();
  }
  // endregion: pod-added

  /** A change of the status alone is our own echo. */
  private update(pod: Pod, old: Pod): void {
    if (this.stopped) return;
    if (isMirrorPod(pod)) return this.mirrors.seen(pod);
    this.parts.status.update(pod);
    this.parts.probes.updatePod(pod);
    const { labels, annotations, deletionTimestamp } = pod.metadata;
    const { deletionGracePeriodSeconds } = pod.metadata;
    const before = old.metadata;
    const same =
      pod.spec === old.spec &&
      labels === before.labels &&
      annotations === before.annotations &&
      deletionTimestamp === before.deletionTimestamp &&
      deletionGracePeriodSeconds === before.deletionGracePeriodSeconds;
    const gated = (pod.spec.readinessGates?.length ?? 0) > 0;
    const granted = this.resizes.update(pod, old);
    if (!same || gated) this.workers.update(granted);
    else this.workers.learn(granted);
  }

  /** The object is gone: processes that still run are killed. */
  private remove(pod: Pod): void {
    if (this.stopped) return;
    if (isMirrorPod(pod)) return this.mirrors.gone(pod);
    const uid = pod.metadata.uid ?? "";
    if (!this.workers.isActive(uid)) return this.forget(pod);
    this.gone.add(uid);
    this.workers.kill(uid);
  }

  private forget(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    this.gone.delete(uid);
    this.parts.status.forget(uid);
    this.parts.probes.removePod(pod);
    this.pleg.forget(uid);
    this.workers.forget(uid);
    this.admission.release(uid);
    this.parts.reasons.delete(uid);
    this.parts.ending.delete(uid);
    this.parts.context.images.forget(uid);
    this.parts.context.crashBackoff.forget(`${uid}_`);
    this.parts.volumes.forget(uid);
    this.upkeep.podGone(uid);
    this.resizes.forget(uid);
    if (isStaticPod(pod)) this.mirrors.podGone(pod);
  }

  private onTerminated(pod: Pod): void {
    const uid = pod.metadata.uid ?? "";
    this.admission.release(uid);
    this.resizes.retry();
    if (this.gone.has(uid)) this.forget(pod);
    else if (this.upkeep.isEvicted(uid)) this.pleg.notice(uid);
  }

  /** The runtime's state of a Pod, read anew. */
  private seen(uid: string, status: RuntimePod): void {
    this.workers.setRuntime(uid, status);
    this.upkeep.seen(uid, status);
  }
}
