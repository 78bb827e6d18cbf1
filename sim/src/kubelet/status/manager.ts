/**
 * The status manager: writes to the API what changed in the Pods' statuses,
 * one after another, the newest state of each; and deletes the object of a
 * Pod that has ended on this node.
 * Models:     pkg/kubelet/status/status_manager.go @ v1.36
 * Leaves out: the GET before every PATCH; of the resync every 10 s, all but
 *             conditions that others changed.
 * Longer because: what is known and what is written stay in step here.
 */
import { Pod, type PodStatus } from "../../api/kinds/pod.ts";
import { isNotFound } from "../../api/status.ts";
import { keyOf } from "../../api/types.ts";
import type { Client } from "../../client/client.ts";
import type { Kernel } from "../../kernel/index.ts";
import { isStaticPod, mirroredUid } from "../containers.ts";
import { equal } from "../equal.ts";
import { agree, difference } from "./difference.ts";

interface Entry {
  /** As the API has it: the newest that we were told of. */
  pod: Pod;
  /** As it shall be. */
  wanted: PodStatus;
  /** As it was written last, or came from the API. */
  written: PodStatus;
  /** The Pod has ended on this node: its object may go. */
  finished: boolean;
  deleted: boolean;
  checking: boolean;
  /** What led to the newest change. */
  causeId: number;
}

export interface StatusManagerOptions {
  readonly kernel: Kernel;
  /** `kubelet/node-1`. */
  readonly actor: string;
  readonly client: Client;
}

const RETRY_MS = 10_000;
const CHECK_MS = 10_000;

export class StatusManager {
  private readonly options: StatusManagerOptions;
  private readonly entries = new Map<string, Entry>();
  private readonly queue = new Set<string>();
  /** Mirrors of static Pods, by namespace and name. */
  private readonly mirrors = new Map<string, Pod>();
  private writing = false;
  private stopped = false;

  constructor(options: StatusManagerOptions) {
    this.options = options;
  }

  /** The status that was set last; the API's if none was. */
  get(pod: Pod): PodStatus {
    return this.entries.get(pod.metadata.uid ?? "")?.wanted ?? pod.status ?? {};
  }

  set(pod: Pod, status: PodStatus): void {
    const entry = this.entryOf(pod);
    if (equal(entry.wanted, status)) return;
    entry.wanted = status;
    this.enqueue(pod, entry);
  }

  /** All processes of the Pod have ended: the object may be deleted. */
  finish(pod: Pod): void {
    const entry = this.entryOf(pod);
    entry.finished = true;
    this.enqueue(pod, entry);
  }

  /** The API's picture of a static Pod: its status is written there. */
  setMirror(mirror: Pod): void {
    const key = keyOf(mirror);
    const isNew = this.mirrors.get(key)?.metadata.uid !== mirror.metadata.uid;
    this.mirrors.set(key, mirror);
    const entry = isNew && this.entries.get(mirroredUid(mirror));
    if (!entry) return;
    entry.written = mirror.status ?? {};
    this.enqueue(entry.pod, entry);
  }

  removeMirror(mirror: Pod): void {
    const known = this.mirrors.get(keyOf(mirror));
    if (known?.metadata.uid !== mirror.metadata.uid) return;
    this.mirrors.delete(keyOf(mirror));
  }

  mirrorOf(pod: Pod): Pod | undefined {
    return this.mirrors.get(keyOf(pod));
  }

  /** A newer object came: a deletion may have begun. */
  update(pod: Pod): void {
    const { uid = "" } = pod.metadata;
    const entry = this.entries.get(uid);
    if (!entry) return;
    entry.pod = pod;
    if (entry.finished && canDelete(entry)) this.enqueue(pod, entry);
    this.check(uid, entry);
  }

  /** What others wrote over our conditions is looked at a little later. */
  private check(uid: string, entry: Entry): void {
    if (entry.checking || !isDisputed(entry)) return;
    entry.checking = true;
    this.options.kernel.after(CHECK_MS, () => this.reconcile(uid));
  }

  /** And put right, if it is still so. */
  private reconcile(uid: string): void {
    const entry = this.entries.get(uid);
    if (!entry) return;
    entry.checking = false;
    if (!isDisputed(entry)) return;
    const { conditions } = entry.pod.status ?? {};
    entry.written = { ...entry.written, conditions };
    this.enqueue(entry.pod, entry);
  }

  forget(uid: string): void {
    this.entries.delete(uid);
    this.queue.delete(uid);
  }

  stop(): void {
    this.stopped = true;
  }

  /** A worker may be in the middle of a turn with an older object than ours. */
  private entryOf(pod: Pod): Entry {
    const uid = pod.metadata.uid ?? "";
    let entry = this.entries.get(uid);
    if (!entry) {
      const status = pod.status ?? {};
      const flags = { finished: false, deleted: false, checking: false };
      entry = { pod, wanted: status, written: status, causeId: 0, ...flags };
      this.entries.set(uid, entry);
    }
    return entry;
  }

  private enqueue(pod: Pod, entry: Entry): void {
    entry.causeId = this.options.kernel.causeId;
    this.queue.add(pod.metadata.uid ?? "");
    this.work();
  }

  private work(): void {
    const { kernel, actor } = this.options;
    if (this.writing || this.queue.size === 0) return;
    this.writing = true;
    kernel.spawn(actor, () => this.writeAll());
  }

  private async writeAll(): Promise<void> {
    for (const uid of this.queue) {
      if (this.stopped) return;
      this.queue.delete(uid);
      const entry = this.entries.get(uid);
      if (entry) await this.write(uid, entry);
    }
    this.writing = false;
  }

  private async write(uid: string, entry: Entry): Promise<void> {
    const { kernel, actor } = this.options;
    kernel.causeId = entry.causeId;
    try {
      if (entry.written !== entry.wanted) await this.patch(entry);
      this.check(uid, entry);
      if (canDelete(entry)) await this.delete(entry);
    } catch (error) {
      if (isNotFound(error)) return this.forget(uid);
      const message = error instanceof Error ? error.message : String(error);
      const subject = `status of ${entry.pod.metadata.name}`;
      kernel.record(actor, "error", subject, "", { message });
      kernel.after(RETRY_MS, () => {
        if (this.entries.has(uid)) this.enqueue(entry.pod, entry);
      });
    }
  }

  private patch(entry: Entry): Promise<void> | undefined {
    const target = isStaticPod(entry.pod)
      ? this.mirrors.get(keyOf(entry.pod))
      : entry.pod;
    if (!target) return undefined;
    const { namespace = "", name, uid } = target.metadata;
    const { wanted } = entry;
    const status = difference(entry.written, wanted);
    if (Object.keys(status).length === 0) {
      entry.written = wanted;
      return undefined;
    }
    const patched = this.options.client.patch(
      Pod,
      namespace,
      name,
      "application/strategic-merge-patch+json",
      { metadata: { uid }, status },
      { subresource: "status" },
    );
    return patched.then((answer) => {
      const ours = uid === entry.pod.metadata.uid;
      if (ours && versionOf(answer) > versionOf(entry.pod)) entry.pod = answer;
      entry.written = wanted;
    });
  }

  private async delete(entry: Entry): Promise<void> {
    const { namespace = "", name, uid } = entry.pod.metadata;
    await this.options.client.delete(Pod, namespace, name, {
      gracePeriodSeconds: 0,
      preconditions: { uid },
    });
    entry.deleted = true; // An answer came; else it is asked again.
  }
}

const versionOf = ({ metadata }: Pod) => Number(metadata.resourceVersion);

function canDelete({ pod, finished, deleted }: Entry): boolean {
  const { deletionTimestamp } = pod.metadata;
  return finished && !deleted && !!deletionTimestamp && !isStaticPod(pod);
}

/** All was written, and the API has other conditions all the same. */
function isDisputed({ pod, wanted, written }: Entry): boolean {
  return wanted === written && !isStaticPod(pod) && !agree(pod.status, wanted);
}
