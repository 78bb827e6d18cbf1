/**
 * The scheduler without its informers: cache, queue and profiles joined.
 * Tests and benchmarks drive it by hand.
 * Models: pkg/scheduler/scheduler.go @ v1.36
 */
import type { Pod } from "../api/kinds/pod.ts";
import { keyOf } from "../api/types.ts";
import type { ComponentContext } from "../client/component.ts";
import { bindLater, fail } from "./binding.ts";
import { Cache } from "./cache/cache.ts";
import type { PodInfo } from "./cache/pod-info.ts";
import type { EventWithHint } from "./cluster-events.ts";
import type { Handle } from "./handle.ts";
import type { Listers } from "./listers.ts";
import type { Profile } from "./profile.ts";
import { Nominator } from "./queue/nominator.ts";
import { SchedulingQueue } from "./queue/queue.ts";
import type { QueuedPod } from "./queue/queued-pod.ts";
import { Runtime } from "./runtime.ts";
import { type Outcome, Schedule } from "./schedule-one.ts";

export interface CoreOptions
  extends Pick<
    ComponentContext,
    "kernel" | "actor" | "client" | "random" | "events"
  > {
  readonly listers: Listers;
  readonly profiles: readonly Profile[];
}

interface Served {
  readonly handle: Handle;
  readonly runtime: Runtime;
  readonly schedule: Schedule;
}

export class Core {
  readonly cache = new Cache();
  readonly nominator = new Nominator();
  readonly queue: SchedulingQueue;
  private readonly served = new Map<string, Served>();

  constructor(options: CoreOptions) {
    const hints = new Map<string, readonly EventWithHint[]>();
    for (const profile of options.profiles) {
      const served = this.serve(profile, options);
      this.served.set(profile.schedulerName, served);
      for (const { name, events } of served.runtime.plugins) {
        if (events) hints.set(name, events);
      }
    }
    const [first] = this.served.values();
    const plugins = {
      hints,
      less: (a: QueuedPod, b: QueuedPod) => first?.runtime.less(a, b) ?? false,
      preEnqueue: (info: PodInfo) =>
        this.of(info.pod)?.runtime.preEnqueue(info) ?? null,
    };
    this.queue = new SchedulingQueue(options.kernel, plugins, this.nominator);
  }

  isOurs(pod: Pod): boolean {
    return this.of(pod) !== undefined;
  }

  /** Schedules the next Pod of the queue. False if there is none. */
  scheduleNext(): boolean {
    for (;;) {
      const queued = this.queue.pop();
      if (!queued) return false;
      const served = this.of(queued.info.pod);
      if (!served || this.isSkipped(queued, served)) {
        this.queue.done(queued);
        continue;
      }
      this.conclude(queued, served, served.schedule.one(queued));
      return true;
    }
  }

  private conclude(queued: QueuedPod, served: Served, outcome: Outcome): void {
    const parts = { ...served, queue: this.queue };
    if ("failure" in outcome) {
      fail(parts, queued, outcome.cycle, outcome.failure);
    } else {
      const { cycle, node, waitMs } = outcome;
      bindLater(parts, queued, cycle, node, waitMs);
    }
  }

  /** A Pod that is being deleted, or that is on its way already. */
  private isSkipped({ info }: QueuedPod, { handle }: Served): boolean {
    if (!info.terminating) return this.cache.isAssumed(info.uid);
    const text = `skip schedule deleting pod: ${info.key}`;
    const { events } = handle;
    events.event(info.pod, "Warning", "FailedScheduling", text, "Scheduling");
    return true;
  }

  private of({ spec }: Pod): Served | undefined {
    return this.served.get(spec.schedulerName ?? "default-scheduler");
  }

  private serve(profile: Profile, options: CoreOptions): Served {
    const { cache, nominator } = this;
    const handle: Handle = {
      ...options,
      snapshot: cache,
      nominator,
      runFilters: (cycle, node) => runtime.filterWithNominated(cycle, node),
      activate: (pod) => this.queue.activate(keyOf(pod)),
    };
    const runtime = new Runtime(profile, handle);
    const schedule = new Schedule({ ...options, cache, nominator }, runtime);
    return { handle, runtime, schedule };
  }
}
