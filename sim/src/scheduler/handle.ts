/**
 * What a plugin is given when it is made: its way to the rest of the
 * scheduler and to the API server.
 * Models:     kube-scheduler/framework/interface.go (Handle) @ v1.36
 * Leaves out: extenders, metrics, parallel workers.
 */
import type { Pod } from "../api/kinds/pod.ts";
import type { Client } from "../client/client.ts";
import type { EventRecorder } from "../client/events.ts";
import type { Kernel, Random } from "../kernel/index.ts";
import type { NodeInfo } from "./cache/node-info.ts";
import type { Snapshot } from "./cache/snapshot.ts";
import type { Cycle } from "./cycle.ts";
import type { Listers } from "./listers.ts";
import type { Nominator } from "./queue/nominator.ts";
import type { Status } from "./status.ts";

export interface Handle {
  readonly kernel: Kernel;
  /** Name in the trace: `kube-scheduler`. */
  readonly actor: string;
  readonly client: Client;
  readonly random: Random;
  readonly events: EventRecorder;
  readonly listers: Listers;
  readonly snapshot: Snapshot;
  readonly nominator: Nominator;
  /** All filters on one Node, Pods nominated to it counted in. */
  runFilters(cycle: Cycle, node: NodeInfo): Status | null;
  /** Gives a waiting Pod another try at once. */
  activate(pod: Pod): void;
}
