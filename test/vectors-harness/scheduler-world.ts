/** A scheduler without a cluster: the plugins over Nodes and Pods of a recorded case. */
import type { Node } from "../../sim/src/api/kinds/node.ts";
import type { Pod } from "../../sim/src/api/kinds/pod.ts";
import type { ApiRequest, Transport } from "../../sim/src/api/transport.ts";
import { Client } from "../../sim/src/client/client.ts";
import { EventRecorder } from "../../sim/src/client/events.ts";
import { Kernel, Random } from "../../sim/src/kernel/index.ts";
import type { Cache } from "../../sim/src/scheduler/cache/cache.ts";
import { PodInfo } from "../../sim/src/scheduler/cache/pod-info.ts";
import { Core } from "../../sim/src/scheduler/core.ts";
import { Cycle } from "../../sim/src/scheduler/cycle.ts";
import type { Handle } from "../../sim/src/scheduler/handle.ts";
import { type Listers, noListers } from "../../sim/src/scheduler/listers.ts";
import type { Profile } from "../../sim/src/scheduler/profile.ts";
import { Runtime } from "../../sim/src/scheduler/runtime.ts";

/** Always the first: recordings were made with offset 0. */
class FirstAlways extends Random {
  override int(): number {
    return 0;
  }
}

export interface World {
  readonly kernel: Kernel;
  readonly handle: Handle;
  readonly runtime: Runtime;
  readonly cache: Cache;
  /** Requests that the plugins sent. */
  readonly requests: ApiRequest[];
  cycleFor(pod: Pod): Cycle;
}

export function worldOf(
  profile: Profile,
  nodes: readonly Node[],
  pods: readonly Pod[],
  listers: Partial<Listers> = {},
): World {
  const kernel = new Kernel();
  const requests: ApiRequest[] = [];
  const client = new Client(transportInto(kernel, requests), { userAgent: "kube-scheduler" });
  const actor = "kube-scheduler";
  const core = new Core({
    ...{ kernel, actor, client },
    random: new FirstAlways(1),
    events: new EventRecorder({ kernel, client, actor, component: "default-scheduler" }),
    listers: { ...noListers, ...listers },
    profiles: [profile],
  });
  for (const node of nodes) core.cache.setNode(node);
  for (const pod of pods) core.cache.setPod(new PodInfo(pod), pod.spec.nodeName ?? "");
  const handle: Handle = {
    ...{ kernel, actor, client },
    random: new FirstAlways(1),
    events: new EventRecorder({ kernel, client, actor, component: "default-scheduler" }),
    listers: { ...noListers, ...listers },
    snapshot: core.cache,
    nominator: core.nominator,
    runFilters: (cycle, node) => runtime.filterWithNominated(cycle, node),
    activate: () => {},
  };
  const runtime = new Runtime(profile, handle);
  const cycleFor = (pod: Pod) => new Cycle(new PodInfo(pod), core.cache);
  return { kernel, handle, runtime, cache: core.cache, requests, cycleFor };
}

/** Answers every request with the body that was sent. */
function transportInto(kernel: Kernel, requests: ApiRequest[]): Transport {
  return {
    request: (request) =>
      kernel.wait((resolve) => {
        requests.push(request);
        const metadata = { name: request.name ?? "", namespace: request.namespace };
        const body = { apiVersion: request.version, kind: request.resource, metadata };
        kernel.after(1, () => resolve({ code: 200, body }));
      }),
    watch: () => Promise.reject(new Error("nothing to watch")),
  };
}
