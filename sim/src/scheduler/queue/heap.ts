/**
 * A heap of queued Pods. A Pod that is moved elsewhere stays in the array
 * until it comes to the top and its ticket shows that it is gone.
 * Models: pkg/scheduler/backend/heap/heap.go @ v1.36
 */
import type { Place, QueuedPod } from "./queued-pod.ts";

interface Entry {
  readonly pod: QueuedPod;
  readonly ticket: number;
}

export class PodHeap {
  private readonly place: Place;
  private readonly less: (a: QueuedPod, b: QueuedPod) => boolean;
  private readonly items: Entry[] = [];
  /** Pods that are really here. */
  size = 0;

  constructor(place: Place, less: (a: QueuedPod, b: QueuedPod) => boolean) {
    this.place = place;
    this.less = less;
  }

  push(pod: QueuedPod): void {
    pod.place = this.place;
    pod.ticket++;
    this.size++;
    this.items.push({ pod, ticket: pod.ticket });
    this.rise(this.items.length - 1);
  }

  /** Takes a Pod out wherever it is. */
  remove(pod: QueuedPod): void {
    pod.place = "none";
    pod.ticket++;
    this.size--;
  }

  peek(): QueuedPod | undefined {
    for (;;) {
      const top = this.items[0];
      if (!top || top.ticket === top.pod.ticket) return top?.pod;
      this.dropTop();
    }
  }

  pop(): QueuedPod | undefined {
    const pod = this.peek();
    if (!pod) return undefined;
    this.dropTop();
    this.remove(pod);
    return pod;
  }

  private dropTop(): void {
    const last = this.items.pop();
    if (!last || this.items.length === 0) return;
    this.items[0] = last;
    this.sink();
  }

  private before(a: Entry, b: Entry): boolean {
    if (this.less(a.pod, b.pod)) return true;
    return !this.less(b.pod, a.pod) && a.pod.seq < b.pod.seq;
  }

  private rise(from: number): void {
    const { items } = this;
    const entry = items[from]!;
    let at = from;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!this.before(entry, items[up]!)) break;
      items[at] = items[up]!;
      at = up;
    }
    items[at] = entry;
  }

  private sink(): void {
    const { items } = this;
    const entry = items[0]!;
    let at = 0;
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      const right = child + 1;
      if (right < items.length && this.before(items[right]!, items[child]!)) {
        child = right;
      }
      if (!this.before(items[child]!, entry)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = entry;
  }
}
