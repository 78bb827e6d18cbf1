/**
 * What a component of the cluster is given, and what it gives back. The
 * cluster makes a context a component; the component meets the rest of the
 * cluster only through `client` and `informers`.
 */
import type { Kernel, Random } from "../kernel/index.ts";
import type { Client } from "./client.ts";
import type { EventRecorder } from "./events.ts";
import type { InformerFactory } from "./informer.ts";

/** What a component may use. */
export interface ComponentContext {
  readonly kernel: Kernel;
  /** Name in the trace: `replicaset-controller`, `kubelet/node-1`. */
  readonly actor: string;
  readonly client: Client;
  /** Shared by the components of one process (the controller manager's). */
  readonly informers: InformerFactory;
  /** Records API Events, with upstream's aggregation and spam filter. */
  readonly events: EventRecorder;
  readonly random: Random;
}

/** A running component; after `stop` it does nothing more, ever. */
export interface Component {
  stop(): void;
}
