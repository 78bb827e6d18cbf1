/**
 * kube-scheduler: gives every new Pod a Node. It only writes the Node's name
 * (a binding); starting the Pod is the kubelet's work. It looks at a Pod once
 * and never moves it again.
 * Models:     cmd/kube-scheduler, pkg/scheduler/scheduler.go @ v1.36
 * Leaves out: extenders, metrics, configuration files.
 */
import { Node } from "../api/kinds/node.ts";
import { Pod } from "../api/kinds/pod.ts";
import type { Component, ComponentContext } from "../client/component.ts";
import { startLeaderElection } from "../client/leader-election.ts";
import { Core } from "./core.ts";
import { nodeHandlers, podHandlers } from "./event-handlers.ts";
import { informerListers } from "./informer-listers.ts";
import { defaultProfile, type Profile } from "./profile.ts";

export interface SchedulerOptions {
  /** One for each `spec.schedulerName` that it serves. */
  readonly profiles?: readonly Profile[];
  /** Set where several schedulers run: only the holder of the Lease works. */
  readonly leaderElection?: { readonly identity: string };
  /** Simulated time that one cycle takes, in ms. */
  readonly cycleMs?: number;
}

/** A cycle of the real one takes about a millisecond. */
const CYCLE_MS = 1;

// region: start-scheduler
export function startScheduler(
  context: ComponentContext,
  options: SchedulerOptions = {},
): Component {
  const { leaderElection } = options;
  if (!leaderElection) return runScheduler(context, options);
  let leader: Component | undefined;
  const election = startLeaderElection(context, {
    name: "kube-scheduler",
    identity: leaderElection.identity,
    onStartedLeading: () => {
      leader = runScheduler(context, options);
    },
    onStoppedLeading: () => leader?.stop(),
  });
  return {
    stop() {
      election.stop();
      leader?.stop();
    },
  };
}
// endregion: start-scheduler

function runScheduler(
  context: ComponentContext,
  { profiles = [defaultProfile], cycleMs = CYCLE_MS }: SchedulerOptions,
): Component {
  const { kernel, actor, informers } = context;
  const { listers, synced, watch } = informerListers(informers);
  const core = new Core({ ...context, listers, profiles });
  const undo: (() => void)[] = [];
  let stopped = false;
  let running = false;

  /** One Pod a step, as long as there are any. */
  const step = () => {
    if (stopped || !core.scheduleNext()) running = false;
    else kernel.after(cycleMs, step);
  };
  const run = () => {
    if (running || stopped) return;
    running = true;
    kernel.after(0, step);
  };
  kernel.spawn(actor, async () => {
    const pods = informers.informer(Pod);
    const nodes = informers.informer(Node);
    await nodes.whenSynced();
    await pods.whenSynced();
    await synced();
    if (stopped) return;
    undo.push(nodes.onChange(nodeHandlers(core)));
    undo.push(pods.onChange(podHandlers(core)));
    undo.push(watch((event, old, now) => core.queue.move(event, old, now)));
    core.queue.onReady = run;
    run();
  });
  return {
    stop() {
      stopped = true;
      core.queue.close();
      for (const off of undo.splice(0)) off();
    },
  };
}
